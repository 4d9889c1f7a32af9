"""Results of invented texts, made by the real steps without Snakemake, which takes longer."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from morpos.io.files import read_segments, slug
from morpos.layers.sidecar import write_layer
from morpos.scoring.metrics import DEFAULT_TABLE
from morpos.workflow.steps import main

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("word", "morpheme", "pos")


class Results:
    """A folder of results, laid out as the rules lay it out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.metrics = folder / "metrics.json"
        table = yaml.safe_load(DEFAULT_TABLE.read_text())
        folder.mkdir(parents=True, exist_ok=True)
        self.metrics.write_text(yaml.safe_dump(table, sort_keys=False))
        step("chart_library", output=folder / "report" / "vega.js")

    def path(self, name: str) -> Path:
        """A file among the results, and the folder for it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def text(self, testset: str, name: str, segments: Sequence[str], reference: str = "") -> Path:
        """A canonical text with its layers: words between blanks, "morphemes" of at most three
        letters, and as "tags" the first letter of each word.
        """
        source = self.path(f"sources/{testset}/{slug(name)}.txt")
        source.write_text("".join(f"{segment}\n" for segment in segments))
        output = self.path(f"texts/{testset}/{slug(name)}.txt")
        step("text", source, name=name, reference=reference, output=output)
        words = [s.split() for s in read_segments(output)]
        pieces = [[w[i : i + 3] for w in ws for i in range(0, len(w), 3)] for ws in words]
        tags = [[w[0] for w in ws] for ws in words]
        for layer, units in zip(LAYERS, (words, pieces, tags), strict=True):
            path = self.path(f"{layer}/{testset}/{slug(name)}.txt")
            write_layer(path, units, source=output, signature=f"{layer}:test", details={})
        return output

    def testset(
        self,
        name: str,
        reference: Sequence[str],
        outputs: Mapping[str, Sequence[str]],
        judgments: Sequence[tuple[str, str, int, int, int]] = (),
        samples: int = 0,
    ) -> Path:
        """Everything about a test set up to its page.

        Args:
            judgments: system1, system2, rank1, rank2, segment.
            samples: 0: no tests of significance.
        """
        original = self.text("references", f"{name}.ref", reference)
        stem = original.stem
        counts = []
        for system, segments in outputs.items():
            self.text(name, system, segments, str(original))
            counts.append(self.path(f"counts/{name}/{slug(system)}.npz"))
            layers = []
            for layer in LAYERS:
                own = self.path(f"{layer}/{name}/{slug(system)}.txt")
                layers += ["--layer", layer, own, self.path(f"{layer}/references/{stem}.txt")]
            facts = self.path(f"texts/{name}/{slug(system)}.json")
            step("counts", facts, *layers, output=counts[-1])
        shared = {"testset": name, "metrics": self.metrics}
        tables = {
            "scores": self.path(f"scores/{name}.tsv"),
            "texts": self.path(f"texts/{name}.tsv"),
        }
        segment_scores = self.path(f"segment_scores/{name}.tsv.gz")
        facts = self.path(f"texts/references/{stem}.json")
        step("scores", *counts, references=facts, segments=segment_scores, **shared, **tables)
        options = self._judged(name, judgments, tables)
        tables["disagreements"] = self.path(f"disagreements/{name}.tsv")
        step("disagreements", *options, counts=counts, output=tables["disagreements"], **shared)
        if samples:
            tables["intervals"] = self.path(f"significance/{name}.intervals.tsv")
            pairs = self.path(f"significance/{name}.pairs.tsv")
            drawn = shared | {"samples": samples}
            step("system_tests", *counts, intervals=tables["intervals"], pairs=pairs, **drawn)
        if samples and judgments:
            made = {
                key: self.path(f"significance/{name}.{key}.tsv")
                for key in ("coefficients", "tests", "without_one", "stability", "variants")
            }
            step("metric_tests", *options, counts=counts, **made, **drawn)
            tables["coefficients"] = made["coefficients"]
        layers = []
        for layer in LAYERS:
            own = self.path(f"{layer}/{name}")
            layers += ["--layer", layer, own, self.path(f"{layer}/references/{stem}.txt")]
        page = self.path(f"report/{name}.html")
        library = self.path("report/vega.js")
        languages = {"source": "de", "target": "en"}
        step(
            "report_testset",
            *layers,
            testset=name,
            library=library,
            output=page,
            title="Test",
            **languages,
            **tables,
        )
        return page

    def _judged(
        self,
        name: str,
        judgments: Sequence[tuple[str, str, int, int, int]],
        tables: dict[str, Path],
    ) -> list[object]:
        if not judgments:
            return []
        file = self.path(f"judgments/{name}.tsv")
        rows = ["system1\tsystem2\trank1\trank2\tsegment"]
        rows += ["\t".join(map(str, row)) for row in judgments]
        file.write_text("\n".join(rows) + "\n")
        tables["human"] = self.path(f"human/{name}.tsv")
        step("human", file, format="pairwise", output=tables["human"])
        tables["correlations"] = self.path(f"correlations/{name}.tsv")
        tables["left_out_systems"] = self.path(f"correlations/{name}.left_out.tsv")
        step(
            "correlations",
            tables["scores"],
            tables["human"],
            testset=name,
            output=tables["correlations"],
            left_out=tables["left_out_systems"],
        )
        return [file, "--format", "pairwise"]

    def large(self, systems: int, testsets: int) -> Path:
        """A test set with many systems, whose tables then stand for further test sets, too."""
        rng = random.Random(1)
        words = ["the", "a", "mill", "river", "bread", "letter", "stands", "bought", "old", "in"]
        reference = [" ".join(rng.choices(words, k=12)) for _ in range(6)]

        def output(quality: float) -> list[str]:
            noise = (rng.choice(words) for _ in iter(int, 1))
            return [
                " ".join(w if rng.random() < quality else next(noise) for w in line.split())
                for line in reference
            ]

        names = [f"system {i:03}" for i in range(systems)]
        outputs = {name: output(i / systems) for i, name in enumerate(names)}
        judgments = [
            (names[i], names[j], 1 + (i < j), 1 + (i > j), rng.randrange(1, 7))
            for i, j in (rng.choices(range(systems), k=2) for _ in range(10 * systems))
            if i != j
        ]
        page = self.testset("large", reference, outputs, judgments)
        for kind in ("correlations/large.left_out", "correlations/large", "texts/large"):
            table = self.path(f"{kind}.tsv").read_text()
            for i in range(1, testsets):
                other = self.path(f"{kind.replace('large', f'large{i}')}.tsv")
                other.write_text(table.replace("\nlarge\t", f"\nlarge{i}\t"))
        return page

    def index(self) -> Path:
        """The tables over test sets, and the index page."""
        correlations = [
            path
            for path in sorted((self.folder / "correlations").glob("*.tsv"))
            if not path.name.endswith(".left_out.tsv")
        ]
        tables = {
            "left_out": self.path("summary.left_out.tsv"),
            "breakdown": self.path("breakdown.tsv"),
        }
        step("summary", *correlations, output=self.path("summary.tsv"), **tables)
        page = self.path("report.html")
        step(
            "report",
            library=self.path("report/vega.js"),
            texts=sorted((self.folder / "texts").glob("*.tsv")),
            correlations=correlations,
            left_out_systems=sorted((self.folder / "correlations").glob("*.left_out.tsv")),
            summary=self.path("summary.tsv"),
            left_out_testsets=tables["left_out"],
            breakdown=tables["breakdown"],
            results=self.folder,
            output=page,
        )
        return page


def step(name: str, /, *arguments: object, **options: object) -> None:
    """Run a step as the rules do."""
    words = []
    for key, value in options.items():
        values = value if isinstance(value, list) else [value]
        flag = f"--{key.replace('_', '-')}"
        words += [flag, *map(str, values)] if len(values) != 1 else [f"{flag}={values[0]}"]
    positional = [str(argument) for argument in arguments]
    # Arguments first: an option with several values would swallow them.
    assert main([name, *positional, *words]) == 0, name
