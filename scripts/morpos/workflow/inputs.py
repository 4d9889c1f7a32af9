"""What the rules read and which parameters they pass on, as functions of a project.

Typed Python without Snakemake: a rule names a method here as its input function, or looks a text, a
test set or a setup up and shows the values in its own parameters.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from morpos.layers.kinds import kind, known
from morpos.layers.settings import Setup
from morpos.project.model import Project, TestSet, TextSource, training_texts
from morpos.workflow.code_digest import implementation

#: The variable that tells conda's environments (envs/) where morpos itself is.
CHECKOUT = "MORPOS_CHECKOUT"

#: The input of a rule by name.
Files = dict[str, str | list[str]]


class Wildcards(Protocol):
    """Snakemake's wildcards of a job; each rule has some of these."""

    text: str
    testset: str
    system: str
    run: str
    words: str
    models: str
    model: str
    morphemes: str
    tags: str
    tagger: str
    layer: str
    language: str
    figure: str


class Inputs:
    """The input functions of a project's rules.

    Attributes:
        results: folder of the results.
        suffix: how the files of layers end.
        runs: where the results of a setup lie: the configuration's own, or a point of the grid.
        judged: names of the test sets with judgments.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.config = project.config
        self.results: str = project.config["results"]
        self.setup = project.setups[""]
        self.suffix = self.setup.suffix
        self.judged = [name for name, testset in project.testsets.items() if testset.judgments]
        self.runs = {
            f"{self.results}/grid/{name}" if name else self.results: setup
            for name, setup in project.setups.items()
        }

    # --- what wildcards stand for ---------------------------------------------------------------

    def text(self, wildcards: Wildcards) -> TextSource:
        """The reference or output of a job."""
        return self.project.texts[wildcards.text]

    def testset(self, wildcards: Wildcards) -> TestSet:
        """The test set of a job."""
        return self.project.testsets[wildcards.testset]

    def _setup(self, key: Callable[[Setup], str], value: str) -> Setup:
        """A setup that has this folder for a layer; all that have it agree in that layer."""
        return next(setup for setup in self.project.setups.values() if key(setup) == value)

    def words_setup(self, wildcards: Wildcards) -> Mapping[str, Any]:
        """Tokeniser and case of a folder of words."""
        return self._setup(lambda setup: setup.words_key, wildcards.words).words

    def models_setup(self, wildcards: Wildcards) -> Mapping[str, Any]:
        """The options of Morfessor of a folder of models."""
        return self._setup(lambda setup: setup.models_key, wildcards.models).morphemes

    def morphemes_setup(self, wildcards: Wildcards) -> Setup:
        """The setup of a folder of morphemes."""
        return self._setup(lambda setup: setup.morphemes_key, wildcards.morphemes)

    def tags_setup(self, wildcards: Wildcards) -> Setup:
        """The setup of a folder of tags."""
        language = self.text(wildcards).language
        return self._setup(lambda setup: setup.tags_key(language), wildcards.tags)

    def tagging(self, wildcards: Wildcards) -> dict[str, str]:
        """Tagger and options of such a folder, for the language of the text."""
        return self.tags_setup(wildcards).tagging(self.text(wildcards).language)

    def tagger_setup(self, wildcards: Wildcards, language: str) -> Setup:
        """The setup of a folder of lemmas, or of a verified installation."""
        return self._setup(lambda setup: setup.tagger_key(language), wildcards.tagger)

    def lemmatising(self, wildcards: Wildcards) -> dict[str, str]:
        """Tagger and options of a folder of lemmas, for the language of the text."""
        language = self.text(wildcards).language
        return self.tagger_setup(wildcards, language).tagger_options(language)

    def verifying(self, wildcards: Wildcards) -> dict[str, str]:
        """Tagger and options of an installation that is to be verified."""
        language = wildcards.language
        return self.tagger_setup(wildcards, language).tagger_options(language)

    def layer_name(self, wildcards: Wildcards) -> str:
        """The name of a layer that is made from the text itself."""
        names = self.project.layers
        return next(name for name in names if self.setup.layer_key(name) == wildcards.layer)

    def declared(self, wildcards: Wildcards) -> Mapping[str, str]:
        """The declaration of such a layer; empty for a built-in one."""
        declared: Mapping[str, str] = self.config["layers"].get(self.layer_name(wildcards), {})
        return declared

    # --- texts and layers -----------------------------------------------------------------------

    def text_files(self, wildcards: Wildcards) -> Files:
        """A user's file and, of an output, the reference that it must fit."""
        text = self.text(wildcards)
        testset = self.project.testsets.get(text.id.split("/")[0])
        if testset is None:
            return {"source": text.path, "reference": []}
        facts = f"{self.results}/texts/{testset.references[0].id}.json"
        return {"source": text.path, "reference": facts}

    def system_name(self, wildcards: Wildcards) -> str:
        """A system's name; a reference has none but its path."""
        text = self.text(wildcards)
        return "" if text.id.startswith("references/") else text.name

    def words_code(self, wildcards: Wildcards) -> str:
        """The code that tokenises: of the tokenisers only the chosen one."""
        return tool_code("words", self.words_setup(wildcards)["tokenizer"])

    def words(self, wildcards: Wildcards) -> str:
        """The word layer of a text."""
        return f"{self.results}/words/{wildcards.words}/{wildcards.text}{self.suffix}"

    def morfessor_files(self, wildcards: Wildcards) -> Files:
        """The word layers, or the list of words, that a model of morphemes is trained on."""
        setup = self._setup(lambda setup: setup.models_key, wildcards.models)
        # A model is named after the references that it is trained on, or else after its language.
        kind, files = setup.training(wildcards.model)
        if kind == "list":
            return {"words": [], "list": list(files)}
        texts: Sequence[TextSource] = training_texts(setup, wildcards.model) or next(
            testset.references
            for testset in self.project.testsets.values()
            if testset.reference_set == wildcards.model
        )
        folder = f"{self.results}/words/{wildcards.words}"
        return {"words": [f"{folder}/{text.id}{self.suffix}" for text in texts], "list": []}

    def morphemes_model(self, wildcards: Wildcards) -> str:
        """The model with which a text is segmented: trained here, or the user's."""
        setup = self.morphemes_setup(wildcards)
        kind, files = setup.training(self.text(wildcards).language)
        trained = f"models/{wildcards.words}/{setup.models_key}/{wildcards.model}.json"
        return files[0] if kind == "model" else f"{self.results}/{trained}"

    def morphemes_training(self, wildcards: Wildcards) -> str:
        """What that model was trained on, in a word."""
        setup = self.morphemes_setup(wildcards)
        return setup.training(self.text(wildcards).language)[0]

    def tags_files(self, wildcards: Wildcards) -> Files:
        """The words, and what a tagger reads that is the user's own."""
        return self._tagger_files(wildcards, self.tags_setup(wildcards))

    def lemmas_files(self, wildcards: Wildcards) -> Files:
        """The same for lemmas."""
        language = self.text(wildcards).language
        return self._tagger_files(wildcards, self.tagger_setup(wildcards, language))

    def _tagger_files(self, wildcards: Wildcards, setup: Setup) -> Files:
        language = self.text(wildcards).language
        verified = setup.tagging(language)["tagger"] == "treetagger"
        return {
            "words": self.words(wildcards),
            "verified": f"{self.results}/{setup.verified(language)}" if verified else [],
            "model": [],
            "given": [],
            **kind("pos").files(setup, language, wildcards.text),
        }

    def tags_model(self, wildcards: Wildcards) -> str:
        """The name of a tagger's model; none where it is a file of the user's, and so an input."""
        own = self.tags_files(wildcards)["model"]
        return "" if own else self.tagging(wildcards).get("model", "")

    def tags_code(self, wildcards: Wildcards) -> str:
        """The code that tags: of the taggers only the chosen one."""
        return tool_code("tags", self.tagging(wildcards)["tagger"])

    def lemmas_code(self, wildcards: Wildcards) -> str:
        """The same for lemmas."""
        return tool_code("lemmas", self.lemmatising(wildcards)["tagger"])

    def layer_files(self, wildcards: Wildcards) -> Files:
        """The canonical text, and the user's model or units."""
        text, name = self.text(wildcards), self.layer_name(wildcards)
        own = kind(name).files(self.setup, text.language, wildcards.text)
        return {
            "text": f"{self.results}/texts/{wildcards.text}.txt",
            "model": own.get("sentencepiece", []),
            "given": own.get("files", []),
        }

    def layer_code(self, wildcards: Wildcards) -> str:
        """The code that makes a layer: of the tools only the declared one."""
        return tool_code("layer", *self.declared(wildcards))

    # --- counts and scores ----------------------------------------------------------------------

    def layers_of(self, setup: Setup, testset: TestSet, texts: Sequence[TextSource]) -> list[str]:
        """The layers of some texts of a test set: layer by layer, in each the texts in order."""
        place = (testset.target, testset.reference_set)
        return [
            f"{self.results}/{setup.path(layer, text.id, *place)}"
            for layer in self.project.layers
            for text in texts
        ]

    def counts_files(self, wildcards: Wildcards) -> Files:
        """The layers of a system and its references, and what is known of these."""
        testset = self.testset(wildcards)
        system = self.project.texts[f"{wildcards.testset}/{wildcards.system}"]
        texts = [system, *testset.references]
        layers = self.layers_of(self.runs[wildcards.run], testset, texts)
        return {
            "text": f"{self.results}/texts/{system.id}.json",
            "layers": layers,
            "facts": [f"{path.removesuffix(self.suffix)}.json" for path in layers],
        }

    def counts(self, wildcards: Wildcards) -> list[str]:
        """The counts of a test set's systems, in the configuration's own setup."""
        systems = self.testset(wildcards).systems
        return [f"{self.results}/counts/{text.id}.npz" for text in systems]

    def scores_files(self, wildcards: Wildcards) -> Files:
        """The counts of all systems in a setup, and the facts about the references."""
        testset = self.testset(wildcards)
        return {
            "counts": [f"{wildcards.run}/counts/{text.id}.npz" for text in testset.systems],
            "references": [f"{self.results}/texts/{text.id}.json" for text in testset.references],
            "metrics": self.metrics,
        }

    @cached_property
    def metrics(self) -> str:
        """The metric table of a run."""
        return f"{self.results}/metrics.json"

    # --- human scores and evaluation ------------------------------------------------------------

    def human_files(self, wildcards: Wildcards) -> Files:
        """The judgments, and the facts of a reference: which segments can have been judged."""
        testset = self.testset(wildcards)
        facts = f"{self.results}/texts/{testset.references[0].id}.json"
        return {"judgments": testset.judgments, "facts": facts}

    def judgments_sha256(self, wildcards: Wildcards) -> list[str]:
        """What the checksum of the judgments may be; none without judgments."""
        return self.project.checksums(self.testset(wildcards).judgments)

    def references(self, wildcards: Wildcards) -> list[str]:
        """The canonical texts of the references."""
        return [f"{self.results}/texts/{t.id}.txt" for t in self.testset(wildcards).references]

    def findings_files(self, wildcards: Wildcards) -> Files:
        """All canonical texts of a test set, and its judgments if it has any."""
        testset = self.testset(wildcards)
        return {
            "texts": [f"{self.results}/texts/{text.id}.txt" for text in testset.systems],
            "references": self.references(wildcards),
            "judgments": testset.judgments or [],
        }

    def evaluation_files(self, wildcards: Wildcards) -> Files:
        """Counts, metrics, and judgments if there are any."""
        return {
            "judgments": self.testset(wildcards).judgments or [],
            "counts": self.counts(wildcards),
            "metrics": self.metrics,
        }

    @property
    def baselines(self) -> list[str]:
        """Those of the target `baselines`, which has some if the configuration lists none."""
        listed: list[str] | None = self.config["baselines"]
        return ["bleu", "chrf", "chrf++"] if listed is None else listed

    def external_files(self, wildcards: Wildcards, baselines: Sequence[str] | None = None) -> Files:
        """Scores by metrics that are not made of our counts: baselines, and those of a file."""
        testset = self.testset(wildcards)
        chosen = (self.config["baselines"] or ()) if baselines is None else baselines
        return {
            "baselines": [
                f"{self.results}/baselines/{baseline}/{text.id}.json"
                for baseline in chosen
                for text in testset.systems
            ],
            "extra": testset.extra_scores or [],
        }

    def segment_level_files(self, wildcards: Wildcards) -> Files:
        """Counts, judgments, and external metrics."""
        return self.evaluation_files(wildcards) | self.external_files(wildcards)

    def baseline_table_files(self, wildcards: Wildcards) -> Files:
        """The baselines, and whom they may be of."""
        return {
            "systems": f"{self.results}/scores/{wildcards.testset}.tsv",
            "facts": self.human_files(wildcards)["facts"],
            "metrics": self.metrics,
            **self.external_files(wildcards, self.baselines),
        }

    def submissions_files(self, wildcards: Wildcards) -> Files:
        """Texts, counts, judgments and external metrics."""
        return self.findings_files(wildcards) | self.segment_level_files(wildcards)

    # --- tables over test sets ------------------------------------------------------------------

    def missing(self, *, counted: bool) -> list[str]:
        """Missing test sets as `name=reason`: those that the summary would count, or the others."""
        found = self.project.missing.items()
        return [f"{name}={one.reason}" for name, one in found if one.counts is counted]

    def reference_tags(self) -> dict[str, str]:
        """The POS layers of the references, each with its language."""
        return {
            f"{self.results}/{self.setup.path('pos', text.id, text.language, '')}": text.language
            for testset in self.project.testsets.values()
            for text in testset.references
        }

    # --- report ---------------------------------------------------------------------------------

    def report_testset_files(self, wildcards: Wildcards) -> Files:
        """The tables that a test set's page shows, by name, and the layers of its texts."""
        testset, name, results = self.testset(wildcards), wildcards.testset, self.results
        judged = name in self.judged
        drawn: bool = self.config["report"]["significance"]
        # The systems' files of a layer lie in one folder: naming the first keeps the command short.
        systems = self.layers_of(self.setup, testset, testset.systems)
        tables = {
            "human": (judged, f"human/{name}.tsv"),
            "correlations": (judged, f"correlations/{name}.tsv"),
            "left_out_systems": (judged, f"correlations/{name}.left_out.tsv"),
            "intervals": (drawn, f"significance/{name}.intervals.tsv"),
            "coefficients": (drawn and judged, f"significance/{name}.coefficients.tsv"),
        }
        return {
            "scores": f"{results}/scores/{name}.tsv",
            "texts": f"{results}/texts/{name}.tsv",
            "disagreements": f"{results}/disagreements/{name}.tsv",
            **{
                table: f"{results}/{path}" if made else [] for table, (made, path) in tables.items()
            },
            "systems": systems,
            "first": systems[:: len(testset.systems)],
            "references": self.layers_of(self.setup, testset, testset.references),
        }

    def report_tables(self) -> Files:
        """The tables over test sets that the index shows, by name."""
        judged = bool(self.judged)
        published = judged and bool(self.config["published"])
        tables = {
            "summary": (judged, "summary.tsv"),
            "left_out_testsets": (judged, "summary.left_out.tsv"),
            "breakdown": (judged, "breakdown.tsv"),
            "published": (published, "published.tsv"),
            "tags": (published, "published_tags.tsv"),
        }
        return {
            name: f"{self.results}/{path}" if made else [] for name, (made, path) in tables.items()
        }

    def report_files(self) -> list[str]:
        """The index, and the tables over test sets."""
        tables = [path for path in self.report_tables().values() if isinstance(path, str)]
        return [f"{self.results}/report.html", *tables]

    # --- downloads ------------------------------------------------------------------------------

    def downloads(self) -> dict[str, list[str]]:
        """The files that are to be downloaded, by folder of the registry."""
        folders: dict[str, list[str]] = {}
        for path in self.project.downloads:
            folders.setdefault(str(Path(path).parent), []).append(path)
        return folders

    def download_source(self) -> str:
        """Where downloads come from and go to, as options of the step."""
        base = self.config["base"]
        options = {"output-dir": base, "lock": f"{base}/download.lock.tsv"}
        options |= {key: value for key, value in self.config["download"].items() if value}
        return shlex.join(f"--{key}={value}" for key, value in options.items())


def environment(tool: str = "") -> str:
    """The conda environment of a rule: the tool's own, or that of all rules."""
    folder = Path(__file__).resolve().parents[3] / "envs"
    return f"../envs/{tool if (folder / f'{tool}.yaml').is_file() else 'morpos'}.yaml"


def as_is(value: Any) -> Callable[[Any], Any]:
    """A parameter out of the configuration, in which Snakemake would take braces for wildcards."""
    return lambda wildcards: value


def log_path(rule: str, name: str, folder: str) -> str:
    """Where the log of a job lies: `name` tells it from the other jobs of the rule."""
    return f"{folder}/logs/{rule}{f'/{name}' if name else ''}.log"


def benchmark_path(rule: str, name: str, folder: str) -> str:
    """Where its benchmark lies."""
    return f"{folder}/benchmarks/{rule}{f'/{name}' if name else ''}.tsv"


def tool_code(step: str, tool: str = "") -> str:
    """The digest of a step's code, of several tools that it may use with one alone.

    A package that is for another tool may be installed or not.

    Args:
        step: one that makes a layer, such as tags.
        tool: of words the tokeniser, of tags and lemmas the tagger, of layers what their
            declaration names.
    """
    tools = next(layer.tools for layer in known({}).values() if layer.step == step)
    if tools is None:
        return implementation(step)
    version = tools.version(tool)
    return implementation(step, tools.modules_without(tool)) + (f" {version}" if version else "")
