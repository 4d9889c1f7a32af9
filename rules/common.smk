# Sheets and configuration, validated; where each file lies; input functions. No rules.
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
DOCUMENTS = PROJECT.documents
JUDGED = [name for name, document in DOCUMENTS.items() if document.judgments]
ENVIRONMENT = "../envs/morpos.yaml"


wildcard_constraints:
    text="[^/]+/[^/]+",
    document="[^/]+",
    references="[^/]+",
    system="[^/]+",


def flags(**options):
    """Options of a step as one quoted string: None and False are left out, lists repeat the flag."""
    words = []
    for key, value in options.items():
        flag = f"--{key.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            # --flag=value, because a value may begin with a hyphen.
            values = value if isinstance(value, list) else [value]
            words += [f"{flag}={each}" for each in values]
    return shlex.join(words)


def in_layer(layer, text):
    """Where a layer of a text lies; morphemes depend on the references of a document too."""
    return f"{RESULTS}/{layer}/{text.id}.txt"


def in_morphemes(document, text):
    return f"{RESULTS}/morphemes/{document.reference_set}/{text.id}.txt"


def text_of(wildcards):
    return PROJECT.texts[wildcards.text]


def document_of(wildcards):
    """The document of a text below results/<stage>/<document>/."""
    return DOCUMENTS[wildcards.document]


def system_of(wildcards):
    return PROJECT.texts[f"{wildcards.document}/{wildcards.system}"]


def text_input(wildcards):
    text = text_of(wildcards)
    files = {"source": text.path}
    folder = text.id.split("/")[0]
    # References are read on their own, outputs must fit the first reference; so must any
    # further reference, which is checked when the n-grams are counted.
    if folder in DOCUMENTS:
        files["reference"] = in_layer("texts", DOCUMENTS[folder].references[0])
    return files


def reference_words(wildcards):
    """The word layers that a model of morphemes is trained on."""
    for document in DOCUMENTS.values():
        if document.reference_set == wildcards.references:
            return [in_layer("words", text) for text in document.references]
    raise ValueError(wildcards.references)


def counts_input(wildcards):
    document, system = document_of(wildcards), system_of(wildcards)
    texts = [system, *document.references]
    return {
        "text": f"{RESULTS}/texts/{system.id}.json",
        "word": [in_layer("words", text) for text in texts],
        "morpheme": [in_morphemes(document, text) for text in texts],
        "pos": [in_layer("tags", text) for text in texts],
    }


def scores_input(wildcards):
    document = document_of(wildcards)
    return {
        "counts": [f"{RESULTS}/counts/{text.id}.npz" for text in document.systems],
        "references": [
            f"{RESULTS}/texts/{text.id}.json" for text in document.references
        ],
        "metrics": PROJECT.metrics_path,
    }


def report_files():
    return [f"{RESULTS}/summary.tsv", f"{RESULTS}/report.html"] if JUDGED else []
