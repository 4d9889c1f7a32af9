# Sheets and configuration, validated; where each file lies; input functions. No rules.
import json
import os
import re
import shlex
import time
from pathlib import Path

try:
    import morpos
    from morpos.workflow.server import client, preload, server
    from morpos.workflow.annotations import annotation_files, code, sources
    from morpos.errors import MorposError
    from morpos.io.files import slug
    from morpos.project.model import read_project, stale_tables, training_texts
    from morpos.signature import implementation
    from morpos.io.schema import read_yaml
except ImportError as error:
    raise WorkflowError(
        f"{error}: run `make setup`, then `. .venv/bin/activate`"
    ) from None

if Path(morpos.__file__).resolve().parents[2] != Path(workflow.basedir).resolve():
    raise WorkflowError(
        f"python finds another morpos ({morpos.__file__}) than this checkout's; "
        "run `make setup`, or activate the environment that belongs to this checkout"
    )

# Snakemake itself would take the last of two equal keys.
try:
    for path in workflow.configfiles:
        read_yaml(path)
    PROJECT = read_project(config, " and ".join(map(str, workflow.configfiles)))
except MorposError as error:
    raise WorkflowError(str(error)) from None

CONFIG = PROJECT.config
RESULTS = CONFIG["results"]
BASE = CONFIG["base"]
TESTSETS = PROJECT.testsets
JUDGED = [name for name, testset in TESTSETS.items() if testset.judgments]
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
PICTURES = CONFIG["pictures"]
ENVIRONMENT = "../envs/morpos.yaml"
STARTED = time.time()
MOST = 10  # warnings that are printed at the end
# Whether Snakemake's cache between workflows is set up.
SHARED = "SNAKEMAKE_OUTPUT_CACHE" in os.environ
# How the files of layers end.
ENDING = PROJECT.setups[""].ending


wildcard_constraints:
    run="|".join(map(re.escape, RUNS)),
    text="[^/]+/[^/]+",
    testset="[^/]+",
    model="[^/]+",
    system="[^/]+",
    words="[^/]+",
    models="[^/]+",
    morphemes="[^/]+",
    tags="[^/]+",
    archive="|".join(map(re.escape, ARCHIVES)) or "-",
    tagger="[^/]+",
    layer="[^/]+",
    language="[a-z]+",
    baseline="[^/]+",
    kind="(baseline_)?(scores|correlations|summary)",
    ending="[a-z]+",
    picture="|".join(map(re.escape, PICTURES)) or "-",


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


def testset_of(wildcards):
    return TESTSETS[wildcards.testset]


def text_input(wildcards):
    text = text_of(wildcards)
    files = {"source": text.path}
    testset = TESTSETS.get(text.id.split("/")[0])
    if testset:  # an output, which must fit the reference
        reference = f"{RESULTS}/texts/{testset.references[0].id}"
        files |= {
            "reference": f"{reference}.txt",
            "reference_facts": f"{reference}.json",
        }
    return files


def text_options(wildcards):
    # No function of `input`: Snakemake does not look at changes of those.
    text = text_of(wildcards)
    return flags(
        name=text.name,
        format=text.format,
        select=text.select,
        encoding=text.encoding,
        missing=text.missing,
        reference=text_input(wildcards).get("reference"),
        strict=CONFIG["strict"],
        sha256=PROJECT.checksums(text.path),
    )


def words_options(wildcards):
    setup = setup_by(lambda setup: setup.words_key, wildcards.words)
    return flags(language=text_of(wildcards).language, **setup.words)


def morfessor_input(wildcards):
    """The word layers, or the list of words, that a model of morphemes is trained on."""
    setup = setup_by(lambda setup: setup.models_key, wildcards.models)
    # A model is named after the references that it is trained on, or else after its language.
    kind, files = setup.training(wildcards.model)
    if kind == "list":
        return {"words": [], "list": files}
    texts = training_texts(setup, wildcards.model) or next(
        testset.references
        for testset in TESTSETS.values()
        if testset.reference_set == wildcards.model
    )
    return {
        "words": [
            f"{RESULTS}/words/{wildcards.words}/{text.id}{ENDING}" for text in texts
        ]
    }


def morfessor_options(wildcards, input):
    setup = setup_by(lambda setup: setup.models_key, wildcards.models)
    options = {
        key: value
        for key, value in setup.morphemes.items()
        if key not in ("training", "boundary")
    }
    return flags(list=str(input.get("list", "")), **options)


def morphemes_model(wildcards):
    setup = setup_by(lambda setup: setup.morphemes_key, wildcards.morphemes)
    kind, files = setup.training(text_of(wildcards).language)
    trained = f"models/{wildcards.words}/{setup.models_key}/{wildcards.model}.json"
    return files[0] if kind == "model" else f"{RESULTS}/{trained}"


def morphemes_options(wildcards):
    setup = setup_by(lambda setup: setup.morphemes_key, wildcards.morphemes)
    kind, _ = setup.training(text_of(wildcards).language)
    return flags(training=kind, boundary=setup.morphemes["boundary"])


def tags_setup(wildcards):
    language = text_of(wildcards).language
    return setup_by(lambda setup: setup.tags_key(language), wildcards.tags)


def tags_input(wildcards):
    """The words, and what a tagger reads that is the user's own."""
    language = text_of(wildcards).language
    setup = tags_setup(wildcards)
    tagging = setup.tagging(language)
    files = {"words": f"{RESULTS}/words/{wildcards.words}/{wildcards.text}{ENDING}"}
    if tagging["tagger"] == "treetagger":
        files["verified"] = f"{RESULTS}/{setup.verified(language)}"
    if tagging["tagger"] == "udpipe":
        files["model"] = tagging["model"]
    if tagging["tagger"] == "given":
        files["given"] = tagging["model"].replace("{text}", wildcards.text)
    return files


def tags_code(wildcards):
    tagging = tags_setup(wildcards).tagging(text_of(wildcards).language)
    return code("tags", tagging["tagger"])


def tags_options(wildcards):
    text = text_of(wildcards)
    tagging = tags_setup(wildcards).tagging(text.language)
    return flags(language=text.language, text=text.id, **tagging)


def tagger_setup(wildcards, language):
    return setup_by(lambda setup: setup.tagger_key(language), wildcards.tagger)


def treetagger_options(wildcards):
    language = wildcards.language
    tagging = tagger_setup(wildcards, language).tagging(language)
    return flags(
        language=language, model=tagging.get("model"), home=tagging.get("home")
    )


def lemmas_input(wildcards):
    language = text_of(wildcards).language
    setup = tagger_setup(wildcards, language)
    files = {"words": f"{RESULTS}/words/{wildcards.words}/{wildcards.text}{ENDING}"}
    if setup.tagging(language)["tagger"] == "treetagger":
        files["verified"] = f"{RESULTS}/{setup.verified(language)}"
    return files


def lemmas_code(wildcards):
    language = text_of(wildcards).language
    tagging = tagger_setup(wildcards, language).tagging(language)
    return code("lemmas", tagging["tagger"])


def lemmas_options(wildcards):
    language = text_of(wildcards).language
    options = tagger_setup(wildcards, language).tagger_options(language)
    return flags(language=language, **options)


def layer_of(wildcards):
    """The declaration of a layer that is made from the text; empty for a built-in one."""
    setup = PROJECT.setups[""]
    name = next(n for n in PROJECT.layers if setup.layer_key(n) == wildcards.layer)
    return name, CONFIG["layers"].get(name, {})


def layer_input(wildcards):
    """The canonical text, and the user's model or units."""
    _, declared = layer_of(wildcards)
    files = {"text": f"{RESULTS}/texts/{wildcards.text}.txt"}
    return files | {
        kind: path.replace("{text}", wildcards.text) for kind, path in declared.items()
    }


def layer_code(wildcards):
    _, declared = layer_of(wildcards)
    return code("layers", *declared)


def layer_options(wildcards):
    name, declared = layer_of(wildcards)
    return flags(
        name=name, id=wildcards.text if "files" in declared else "", **declared
    )


def layer_paths(setup, testset, texts):
    """The layers of some texts of a test set by name: those that the metrics use."""
    place = (testset.target, testset.reference_set)
    return {
        layer: [f"{RESULTS}/{setup.path(layer, text.id, *place)}" for text in texts]
        for layer in PROJECT.layers
    }


def layer_files(wildcards):
    """The layers of a system and its references, by name."""
    testset = testset_of(wildcards)
    system = PROJECT.texts[f"{wildcards.testset}/{wildcards.system}"]
    return layer_paths(RUNS[wildcards.run], testset, [system, *testset.references])


def counts_input(wildcards):
    text = f"{RESULTS}/texts/{wildcards.testset}/{wildcards.system}.json"
    layers = sum(layer_files(wildcards).values(), [])
    facts = [f"{path.removesuffix(ENDING)}.json" for path in layers]
    return {"text": text, "layers": layers, "facts": facts}


def counts_options(wildcards):
    layers = [
        shlex.join(["--layer", layer, *files])
        for layer, files in layer_files(wildcards).items()
    ]
    return " ".join([flags(order=PROJECT.order), *layers])


def scores_input(wildcards):
    testset = testset_of(wildcards)
    return {
        "counts": [f"{wildcards.run}/counts/{text.id}.npz" for text in testset.systems],
        "references": [
            f"{RESULTS}/texts/{text.id}.json" for text in testset.references
        ],
        "metrics": f"{RESULTS}/metrics.json",
    }


def annotations(wildcards):
    return [f"{RESULTS}/{path}" for path in annotation_files(PROJECT)]


def human_input(wildcards):
    """The judgments, and the facts of a reference: which segments can have been judged."""
    testset = testset_of(wildcards)
    facts = f"{RESULTS}/texts/{testset.references[0].id}.json"
    return {"judgments": testset.judgments, "facts": facts}


def human_options(wildcards):
    testset = testset_of(wildcards)
    return flags(
        format=testset.judgments_format,
        source=testset.source,
        target=testset.target,
        domain=testset.domain,
        lower_is_better=testset.lower_is_better,
        sha256=PROJECT.checksums(testset.judgments),
        **{"rule": CONFIG["human"]["rule"]},
    )


def judged_options(wildcards):
    references = flags(references=CONFIG["human"]["references"])
    return f"{human_options(wildcards)} {references}"


def correlations_options(wildcards):
    testset = testset_of(wildcards)
    return flags(
        testset=testset.name,
        source=testset.source,
        target=testset.target,
        group=testset.group,
        exclude_from_summary=testset.exclude_from_summary,
        combinations=CONFIG["combinations"],
        references=CONFIG["human"]["references"],
    )


def counts_of(wildcards):
    """The counts of a test set's systems, in the configuration's own setup."""
    systems = testset_of(wildcards).systems
    return [f"{RESULTS}/counts/{text.id}.npz" for text in systems]


def reference_texts(wildcards):
    return [
        f"{RESULTS}/texts/{text.id}.txt" for text in testset_of(wildcards).references
    ]


def statistics_options(wildcards):
    drawn = CONFIG["statistics"]
    return flags(samples=drawn["samples"], seed=drawn["seed"])


def metric_tests_options(wildcards):
    return f"{judged_options(wildcards)} {flags(**CONFIG['statistics'])}"


def findings_input(wildcards):
    testset = testset_of(wildcards)
    return {
        "texts": [f"{RESULTS}/texts/{text.id}.txt" for text in testset.systems],
        "references": reference_texts(wildcards),
        "judgments": testset.judgments or [],
    }


def findings_options(wildcards):
    return judged_options(wildcards) if testset_of(wildcards).judgments else ""


# The target `baselines` has some if the configuration lists none; the others take only listed ones.
BASELINES = (
    ["bleu", "chrf", "chrf++"] if CONFIG["baselines"] is None else CONFIG["baselines"]
)


def further_input(wildcards, baselines=CONFIG["baselines"] or ()):
    """Scores by metrics that are not made of our counts: baselines, and those given as a file."""
    testset = testset_of(wildcards)
    return {
        "baselines": [
            f"{RESULTS}/baselines/{baseline}/{text.id}.json"
            for baseline in baselines
            for text in testset.systems
        ],
        "extra": testset.extra_scores or [],
    }


def segment_level_input(wildcards):
    return {
        "judgments": testset_of(wildcards).judgments,
        "counts": counts_of(wildcards),
        "metrics": f"{RESULTS}/metrics.json",
        **further_input(wildcards),
    }


def baseline_table_input(wildcards):
    return {
        "systems": f"{RESULTS}/scores/{wildcards.testset}.tsv",
        "facts": human_input(wildcards)["facts"],
        "metrics": f"{RESULTS}/metrics.json",
        **further_input(wildcards, BASELINES),
    }


def layouts_input(wildcards):
    return {
        **findings_input(wildcards),
        **further_input(wildcards),
        "counts": counts_of(wildcards),
        "metrics": f"{RESULTS}/metrics.json",
    }


def layouts_options(wildcards):
    testset = testset_of(wildcards)
    if testset.judgments:
        return judged_options(wildcards)
    return flags(source=testset.source, target=testset.target)


def summary_options(wildcards):
    missing, absent = (
        [
            f"{name}={m.reason}"
            for name, m in PROJECT.missing.items()
            if m.counts is counts
        ]
        for counts in (True, False)
    )
    return flags(
        missing=missing, absent=absent, expected_testsets=CONFIG["expected_testsets"]
    )


def disagreements_options(wildcards):
    testset = testset_of(wildcards)
    return judged_options(wildcards) if testset.judgments else ""


def report_testset_tables(wildcards):
    """The tables that a test set's page shows, by the step's options."""
    testset = wildcards.testset
    tables = {
        "scores": f"scores/{testset}.tsv",
        "texts": f"texts/{testset}.tsv",
        "disagreements": f"disagreements/{testset}.tsv",
    }
    if CONFIG["report"]["significance"]:
        tables["intervals"] = f"significance/{testset}.intervals.tsv"
    if testset in JUDGED:
        tables |= {
            "human": f"human/{testset}.tsv",
            "correlations": f"correlations/{testset}.tsv",
            "left_out_systems": f"correlations/{testset}.left_out.tsv",
        }
        if CONFIG["report"]["significance"]:
            tables["coefficients"] = f"significance/{testset}.coefficients.tsv"
    return {option: f"{RESULTS}/{path}" for option, path in tables.items()}


def report_testset_input(wildcards):
    testset = testset_of(wildcards)
    texts = [*testset.references, *testset.systems]
    layers = layer_paths(PROJECT.setups[""], testset, texts)
    return {**report_testset_tables(wildcards), "layers": sum(layers.values(), [])}


def report_testset_options(wildcards):
    testset = testset_of(wildcards)
    # The systems' files lie in one folder a layer, which keeps the command short.
    texts = [*testset.systems[:1], *testset.references]
    layers = [
        shlex.join(["--layer", layer, str(Path(first).parent), *references])
        for layer, (first, *references) in layer_paths(
            PROJECT.setups[""], testset, texts
        ).items()
    ]
    options = flags(
        title=CONFIG["title"],
        notice=CONFIG["notice"],
        source=testset.source,
        target=testset.target,
        order=PROJECT.order,
        **report_testset_tables(wildcards),
    )
    return " ".join([options, *layers])


def report_tables():
    """The tables over test sets that the index shows, by the step's options."""
    tables = {}
    if JUDGED:
        tables = {
            "summary": "summary.tsv",
            "left_out_testsets": "summary.left_out.tsv",
            "breakdown": "breakdown.tsv",
        }
    if JUDGED and CONFIG["published"]:
        tables |= {"published": "published.tsv", "tags": "published_tags.tsv"}
    return {option: f"{RESULTS}/{path}" for option, path in tables.items()}


def report_options(wildcards):
    return flags(
        title=CONFIG["title"],
        notice=CONFIG["notice"],
        note=CONFIG["published_note"],
        **report_tables(),
    )


def grid_options(wildcards):
    return " ".join(f"--setup={shlex.quote(name)}" for name in PROJECT.setups)


def reference_tags():
    """The POS layers of the references by language, as options."""
    setup, layers = PROJECT.setups[""], {}
    for testset in TESTSETS.values():
        for text in testset.references:
            key = setup.tags_key(text.language)
            path = f"{RESULTS}/tags/{setup.words_key}/{key}/{text.id}{ENDING}"
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
    return [f"{RESULTS}/report.html", *report_tables().values()]


def existing_folder():
    """That of the results or, before the first, the one that theirs will be made in."""
    results = Path(RESULTS).absolute()
    return next(path for path in (results, *results.parents) if path.exists())


def require_writable():
    """One message before work starts, instead of one a job."""
    folder = existing_folder()
    if not os.access(folder, os.W_OK):
        raise WorkflowError(
            f"cannot write to {RESULTS} ({folder} is read-only for this user); "
            "name another folder as `results:`, or change its permissions"
        )


def log_lines(paths, start):
    """Lines of logs that begin so; a step that succeeds overwrites its log."""
    files = [path for path in map(Path, paths) if path.is_file()]
    lines = (line for f in files for line in f.read_text(errors="replace").splitlines())
    return list(dict.fromkeys(line for line in lines if line.startswith(start)))


def last_message(log):
    """What a step that failed says last, all its lines; "" of one that went well."""
    _, name, message = f"\n{log.read_text(errors='replace')}".partition("\nmorpos ")
    return (name + message).strip()


def print_failures():
    # A test set may be called so, too, and has folders.
    logs = filter(Path.is_file, sorted(Path(RESULTS, "logs").glob("**/*.log")))
    # Those of this run: a step that is no longer part of it may have left one.
    messages = [last_message(log) for log in logs if log.stat().st_mtime >= STARTED]
    for message in filter(None, dict.fromkeys(messages)):
        print(message)
    # On a full disk the logs are empty, too.
    disk = os.statvfs(existing_folder())
    free, files = disk.f_bavail * disk.f_frsize / 1e6, disk.f_favail
    if free < 100 or (files < 1000 and disk.f_files):
        rest = f"{free:.1f} MB" + (f" and {files} files" if disk.f_files else "")
        print(
            f"The disk of {RESULTS} may have become full: it has room for {rest} more"
        )
    print(f"Logs of all steps: {RESULTS}/logs")
    configuration = shlex.join(map(str, workflow.configfiles))
    print(f"All faults of the data at once: morpos check {configuration}")


def print_outcome():
    logs = [f"{RESULTS}/logs/text/{text}.log" for text in PROJECT.texts]
    for stage in ("baseline_table", "segment_level", "layouts"):
        logs += sorted(Path(RESULTS, "logs").glob(f"{stage}/**/*.log"))
    odd = log_lines(
        (f"{RESULTS}/logs/findings/{name}.log" for name in TESTSETS), "warning: "
    )
    # Outputs are compared with their reference, and nothing else with its language.
    odd += log_lines(
        (
            f"{RESULTS}/logs{path.removeprefix(RESULTS).removesuffix(ENDING)}.log"
            for paths in reference_tags().values()
            for path in paths
        ),
        "warning: ",
    )
    for line in log_lines(logs, "left out: ") + odd[:MOST]:
        print(line)
    if len(odd) > MOST:
        print(f"... and {len(odd) - MOST} more warnings: {RESULTS}/findings")
    for name, testset in PROJECT.missing.items():
        print(f"left out: {name}: {testset.reason}")
    if stale := stale_tables(PROJECT):
        print(f"Not of this run, but of test sets that are gone: {', '.join(stale)}")
    if JUDGED:
        print(f"Tables: {RESULTS}/summary.tsv and beside it")
    else:
        print(f"Scores: {RESULTS}/scores (no judgments, so no correlations)")
    print(f"Report, to be opened in a browser: {RESULTS}/report.html")
