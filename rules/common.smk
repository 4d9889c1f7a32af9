# Sheets and configuration, validated; where each file lies; input functions. No rules.
import re
import shlex
from pathlib import Path

try:
    import morpos
    from morpos.errors import MorposError
    from morpos.project import read_project
    from morpos.provenance import implementation
except ImportError as error:
    raise WorkflowError(
        f"{error}: run `make setup` and put .venv/bin first in PATH"
    ) from None

if Path(morpos.__file__).resolve().parents[2] != Path(workflow.basedir).resolve():
    raise WorkflowError(
        f"python finds another morpos ({morpos.__file__}) than this checkout's; "
        "run `make setup`, or activate the environment that belongs to this checkout"
    )

try:
    PROJECT = read_project(config)
except MorposError as error:
    raise WorkflowError(str(error)) from None

CONFIG = PROJECT.config
RESULTS = CONFIG["results"]
BASE = CONFIG["base"]
DOCUMENTS = PROJECT.documents
JUDGED = [name for name, document in DOCUMENTS.items() if document.judgments]
# Where the results of a setup lie: the configuration's own, or a point of the grid.
RUNS = {
    f"{RESULTS}/grid/{name}" if name else RESULTS: s
    for name, s in PROJECT.setups.items()
}
# Files to be downloaded by folder of the registry, and its archives.
DOWNLOADS = {}
for path in PROJECT.downloads:
    DOWNLOADS.setdefault(str(Path(path).parent), []).append(path)
ARCHIVES = [path.removeprefix("statmt.org/") for path in PROJECT.archives]
ENVIRONMENT = "../envs/morpos.yaml"


wildcard_constraints:
    run="|".join(map(re.escape, RUNS)),
    text="[^/]+/[^/]+",
    document="[^/]+",
    references="[^/]+",
    system="[^/]+",
    words="[^/]+",
    morphemes="[^/]+",
    tags="[^/]+",
    baseline="[^/]+",
    kind="scores|correlations|summary",
    ending="[a-z]+",


def flags(**options):
    """Options of a step as one quoted string: None, False and "" are left out, lists repeat."""
    words = []
    for key, value in options.items():
        flag = f"--{key.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value not in (None, False, ""):
            # --flag=value, because a value may begin with a hyphen.
            values = value if isinstance(value, list) else [value]
            words += [f"{flag}={each}" for each in values]
    return shlex.join(words)


def setup_by(key, value):
    """A setup that has this folder for a layer; all that have it agree in that layer."""
    return next(setup for setup in PROJECT.setups.values() if key(setup) == value)


def download_options(wildcards):
    lock = f"{BASE}/download.lock.tsv"
    return flags(output_dir=BASE, lock=lock, **CONFIG["download"])


def text_of(wildcards):
    return PROJECT.texts[wildcards.text]


def document_of(wildcards):
    return DOCUMENTS[wildcards.document]


def text_input(wildcards):
    text = text_of(wildcards)
    files = {"source": text.path}
    document = DOCUMENTS.get(text.id.split("/")[0])
    if document:  # an output, which must fit the reference
        reference = f"{RESULTS}/texts/{document.references[0].id}"
        files |= {
            "reference": f"{reference}.txt",
            "reference_facts": f"{reference}.json",
        }
    return files


def text_options(wildcards, input):
    text = text_of(wildcards)
    return flags(
        name=text.name,
        format=text.format,
        select=text.select,
        encoding=text.encoding,
        missing=text.missing,
        reference=input.get("reference"),
        strict=CONFIG["strict"],
    )


def words_options(wildcards):
    setup = setup_by(lambda setup: setup.words_key, wildcards.words)
    return flags(language=text_of(wildcards).language, **setup.words)


def reference_words(wildcards):
    """The word layers that a model of morphemes is trained on."""
    document = next(
        d for d in DOCUMENTS.values() if d.reference_set == wildcards.references
    )
    return [
        f"{RESULTS}/words/{wildcards.words}/{text.id}.txt"
        for text in document.references
    ]


def morfessor_options(wildcards):
    return flags(
        **setup_by(lambda setup: setup.morphemes_key, wildcards.morphemes).morphemes
    )


def tagging_of(wildcards):
    language = text_of(wildcards).language
    setup = setup_by(lambda setup: setup.tags_key(language), wildcards.tags)
    return setup.tagging(language)


def tags_input(wildcards):
    """The words, and what a tagger reads that is the user's own."""
    tagging = tagging_of(wildcards)
    files = {"words": f"{RESULTS}/words/{wildcards.words}/{wildcards.text}.txt"}
    if tagging["tagger"] == "udpipe":
        files["model"] = tagging["model"]
    if tagging["tagger"] == "given":
        files["given"] = tagging["model"].replace("{text}", wildcards.text)
    return files


def tags_options(wildcards):
    text = text_of(wildcards)
    return flags(language=text.language, text=text.id, **tagging_of(wildcards))


def counts_input(wildcards):
    setup, document = RUNS[wildcards.run], document_of(wildcards)
    system = PROJECT.texts[f"{wildcards.document}/{wildcards.system}"]
    ids = [text.id for text in (system, *document.references)]
    morphemes = f"{setup.words_key}/{setup.morphemes_key}/{document.reference_set}"
    tags = f"{setup.words_key}/{setup.tags_key(document.target)}"
    return {
        "text": f"{RESULTS}/texts/{system.id}.json",
        "word": [f"{RESULTS}/words/{setup.words_key}/{id}.txt" for id in ids],
        "morpheme": [f"{RESULTS}/morphemes/{morphemes}/{id}.txt" for id in ids],
        "pos": [f"{RESULTS}/tags/{tags}/{id}.txt" for id in ids],
    }


def scores_input(wildcards):
    document = document_of(wildcards)
    return {
        "counts": [
            f"{wildcards.run}/counts/{text.id}.npz" for text in document.systems
        ],
        "references": [
            f"{RESULTS}/texts/{text.id}.json" for text in document.references
        ],
        "metrics": PROJECT.metrics_path,
    }


def human_options(wildcards):
    document = document_of(wildcards)
    return flags(
        format=document.judgments_format,
        source=document.source,
        target=document.target,
        domain=document.domain,
        lower_is_better=document.lower_is_better,
        **CONFIG["human"],
    )


def correlations_options(wildcards):
    document = document_of(wildcards)
    return flags(
        document=document.name,
        source=document.source,
        target=document.target,
        group=document.group,
        apart=document.apart,
        combinations=CONFIG["combinations"],
        references=CONFIG["human"]["references"],
    )


def counts_of(wildcards):
    """The counts of a document's systems, in the configuration's own setup."""
    systems = document_of(wildcards).systems
    return [f"{RESULTS}/counts/{text.id}.npz" for text in systems]


def reference_texts(wildcards):
    return [
        f"{RESULTS}/texts/{text.id}.txt" for text in document_of(wildcards).references
    ]


def statistics_options(wildcards):
    drawn = CONFIG["statistics"]
    return flags(samples=drawn["samples"], seed=drawn["seed"])


def metric_tests_options(wildcards):
    return f"{human_options(wildcards)} {flags(**CONFIG['statistics'])}"


def layouts_input(wildcards):
    document = document_of(wildcards)
    return {
        "counts": counts_of(wildcards),
        "texts": [f"{RESULTS}/texts/{text.id}.txt" for text in document.systems],
        "references": reference_texts(wildcards),
        "metrics": PROJECT.metrics_path,
        "judgments": document.judgments or [],
    }


def layouts_options(wildcards):
    document = document_of(wildcards)
    if document.judgments:
        return human_options(wildcards)
    return flags(source=document.source, target=document.target)


def summary_options(wildcards):
    missing = [f"{name}={reason}" for name, reason in PROJECT.missing.items()]
    return flags(missing=missing, intended=CONFIG["intended"])


def report_options(wildcards, input):
    return flags(
        title=CONFIG["title"],
        notice=CONFIG["notice"],
        published=str(input.published),
        tags=str(input.tags),
        note=CONFIG["published_note"],
    )


def grid_options(wildcards):
    return " ".join(f"--setup={shlex.quote(name)}" for name in PROJECT.setups)


def reference_tags():
    """The POS layers of the references by language, as options."""
    setup, layers = PROJECT.setups[""], {}
    for document in DOCUMENTS.values():
        for text in document.references:
            key = setup.tags_key(text.language)
            path = f"{RESULTS}/tags/{setup.words_key}/{key}/{text.id}.txt"
            layers.setdefault(text.language, {})[path] = None
    return {language: list(paths) for language, paths in layers.items()}


def published_options(wildcards):
    tags = [
        shlex.join(["--tags", language, *paths])
        for language, paths in reference_tags().items()
    ]
    options = flags(
        published_tags=CONFIG["published_tags"], note=CONFIG["published_note"]
    )
    return " ".join([options, *tags])


def report_files():
    if not JUDGED:
        return []
    published = [f"{RESULTS}/published.tsv"] if CONFIG["published"] else []
    return [f"{RESULTS}/summary.tsv", f"{RESULTS}/report.html", *published]
