# Sheets and configuration, validated; where each file lies; input functions. No rules.
import re
import shlex
from pathlib import Path

try:
    import morpos
    from morpos.errors import MorposError
    from morpos.layers.tags import TAGGERS
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
ARCHIVES = PROJECT.archives
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
    archive="|".join(map(re.escape, ARCHIVES)) or "-",


def flags(**options):
    """Options of a step as one quoted string: None, False and "" are left out, lists repeat."""
    words = []
    for key, value in options.items():
        flag = f"--{key.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False and value != "":
            # --flag=value, because a value may begin with a hyphen.
            values = value if isinstance(value, list) else [value]
            words += [f"{flag}={each}" for each in values]
    return shlex.join(words)


def setup_by(key, value):
    """A setup that has this folder for a layer; all that have it agree in that layer."""
    return next(setup for setup in PROJECT.setups.values() if key(setup) == value)


def download_options():
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
        sha256=PROJECT.checksums(text.path),
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


def tags_implementation(wildcards):
    """The code of the tagger that is used: another one, installed or not, is no reason to tag."""
    others = {
        f"morpos.layers.tags.{name}"
        for name in TAGGERS
        if name != tagging_of(wildcards)["tagger"]
    }
    return implementation("tags", without=frozenset(others))


def tags_options(wildcards):
    text = text_of(wildcards)
    return flags(language=text.language, text=text.id, **tagging_of(wildcards))


def counts_input(wildcards):
    setup, document = RUNS[wildcards.run], document_of(wildcards)
    system = PROJECT.texts[f"{wildcards.document}/{wildcards.system}"]
    ids = [text.id for text in (system, *document.references)]
    morphemes = f"{setup.words_key}/{setup.morphemes_key}/{document.reference_set}"
    tags = f"{setup.words_key}/{setup.tags_key(document.target)}"
    folders = {
        "word": f"{RESULTS}/words/{setup.words_key}",
        "morpheme": f"{RESULTS}/morphemes/{morphemes}",
        "pos": f"{RESULTS}/tags/{tags}",
    }
    return {
        "text": f"{RESULTS}/texts/{system.id}.json",
        **{
            layer: [f"{path}/{id}.txt" for id in ids] for layer, path in folders.items()
        },
        "facts": [f"{path}/{id}.json" for path in folders.values() for id in ids],
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
        "metrics": f"{RESULTS}/metrics.json",
    }


def human_options(wildcards):
    document = document_of(wildcards)
    return flags(
        format=document.judgments_format,
        source=document.source,
        target=document.target,
        domain=document.domain,
        lower_is_better=document.lower_is_better,
        sha256=PROJECT.checksums(document.judgments),
        **{"rule": CONFIG["human"]["rule"]},
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


def summary_options(wildcards):
    missing, absent = (
        [
            f"{name}={m.reason}"
            for name, m in PROJECT.missing.items()
            if m.counts is counts
        ]
        for counts in (True, False)
    )
    return flags(missing=missing, absent=absent, intended=CONFIG["intended"])


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


def log_lines(stage, start):
    """Lines of the logs of a stage that begin so; a step that succeeds overwrites its log."""
    paths = sorted(Path(RESULTS, "logs").glob(f"{stage}/**/*.log"))
    lines = (
        line for path in paths for line in path.read_text(errors="replace").splitlines()
    )
    return list(dict.fromkeys(line for line in lines if line.startswith(start)))


def print_failures():
    for line in log_lines("*", "morpos "):
        print(line)
    print(f"Logs of all steps: {RESULTS}/logs")


def print_outcome():
    for line in log_lines("text", "left out: "):
        print(line)
    if JUDGED:
        print(f"Tables and report: {RESULTS}/summary.tsv, {RESULTS}/report.html")
    else:
        print(f"Scores: {RESULTS}/scores (no judgments, so no correlations)")
