"""The targets of meta-evaluation on two small test sets, against scipy, sacreBLEU and loops."""

import gzip
import itertools
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sacrebleu
from scipy import stats

from morpos.io import tables
from morpos.io.files import read_json, read_segments
from morpos.workflow.steps import main
from tests.conftest import METRIC_TABLE
from tests.workflow.harness import Workspace

WORDS = ["the", "a", "mill", "river", "bread", "letter", "stands", "bought", "answered", "."]
SYSTEMS = ["online A", "lab-1", "lab/2", "lab-3", "untouched"]
SEGMENTS = 15
ON_DEMAND = {
    *("system_tests", "metric_tests", "accuracy", "segment_level", "agreement", "order_table"),
    *("claims", "baseline", "baseline_table", "baseline_correlations", "baseline_summary"),
    *("export", "submissions"),
}
TARGETS = ("significance", "segments", "baselines", "exports", "orders", "claims")


def noisy(rng: random.Random, sentence: list[str], noise: float) -> str:
    return " ".join(w if rng.random() > noise else rng.choice(WORDS) for w in sentence)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A test set with rankings and one with direct scores; nothing has been run."""
    space = Workspace(tmp_path_factory.mktemp("meta"))
    rng = random.Random(5)
    for name in ("ranked.de-en", "direct.de-en"):
        reference = [rng.choices(WORDS, k=rng.randint(5, 9)) for _ in range(SEGMENTS)]
        space.write(f"{name}/ref.txt", "".join(" ".join(s) + "\n" for s in reference))
        files = {}
        for i, system in enumerate(SYSTEMS):
            text = "".join(noisy(rng, s, 0.1 + 0.12 * i) + "\n" for s in reference)
            files[system] = space.write(f"{name}/{i}.txt", text)
        if name.startswith("ranked"):
            rows = ["system1\tsystem2\trank1\trank2\tsegment\tjudge"]
            for (i, a), (j, b) in itertools.combinations(enumerate(SYSTEMS), 2):
                for n in range(12):
                    ranks = (1, 2) if rng.random() < 0.5 + 0.1 * (j - i) else (2, 1)
                    ranks = (1, 1) if rng.random() < 0.1 else ranks
                    cells = (a, b, *ranks, rng.randint(1, SEGMENTS), f"j{n % 3}")
                    rows.append("\t".join(map(str, cells)))
            extra = [("system", "metric", "segment", "score"), ("elsewhere", "COMET", "", "9")]
            for system, whole in zip(SYSTEMS, "54123", strict=True):
                extra.append((system, "COMET", "", whole))
                for segment in range(1, SEGMENTS + 1):
                    extra.append((system, "COMET", str(segment), str(rng.randint(1, 3))))
            extra += [(system, "a/b", segment, score) for system, _, segment, score in extra[2:50]]
            space.write("more scores/it's.tsv", "".join("\t".join(row) + "\n" for row in extra))
            more = {"judgments_format": "pairwise", "extra_scores": "more scores/it's.tsv"}
        else:
            rows = ["system\tseg_id\tscore\trater"]
            for i, system in enumerate(SYSTEMS):
                for segment in range(1, SEGMENTS + 1):
                    score = round(80 - 6 * i + rng.gauss(0, 10))
                    rows.append(f"{system}\t{segment}\t{score}\tr{segment % 3}")
            more = {"judgments_format": "direct"}
        space.testset(name, f"{name}/ref.txt", files)
        judgments = space.write(f"{name}/judgments.tsv", "\n".join(rows) + "\n")
        space.testsets[-1] |= {"judgments": judgments, **more}
    space.write(
        "claims.tsv",
        "claim\ttext\tfirst\tsecond\tpublished\nC1\ttags help\tPOSF\tWORDF\t0.1\n",
    )
    space.config |= {
        "metrics": str(METRIC_TABLE),
        "statistics": {"samples": 200},
        "baselines": ["bleu", "chrf", "chrf++", "ter"],
        "claims": "claims.tsv",
    }
    return space


@pytest.fixture(scope="module")
def run(space: Workspace) -> Workspace:
    """All targets of meta-evaluation are done."""
    assert not ON_DEMAND & space.jobs().keys()  # before anything is there
    space.snakemake("--quiet", "all", "--", "all", *TARGETS)
    return space


def lines_of(space: Workspace, path: str) -> list[dict[str, str]]:
    """A sheet of the workspace, by a parser of its own."""
    header, *rows = (space.folder / path).read_text().removesuffix("\n").split("\n")
    return [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]


def sign(number: float) -> int:
    return int(number > 0) - int(number < 0)


def spearman(space: Workspace, testset: str, metric: str, without: str = "") -> float:
    scores = space.table(f"scores/{testset}.tsv").set_index("system")[metric]
    human = space.table(f"human/{testset}.tsv").set_index("system")["score"]
    names = [name for name in SYSTEMS if name != without]
    return float(stats.spearmanr(scores[names], human[names]).statistic)


def test_targets_cost_nothing_unless_asked_for(run: Workspace) -> None:
    assert run.jobs("--", "all", *TARGETS) == {}


@pytest.mark.parametrize("testset", ["ranked.de-en", "direct.de-en"])
def test_pairs_are_adjusted_within_metric_and_test(run: Workspace, testset: str) -> None:
    table = run.table(f"significance/{testset}.pairs.tsv")
    assert len(table) == 2 * 16 * 10
    for _, rows in table.groupby(["metric", "method"]):
        left, highest = len(rows), 0.0
        for _, row in rows.sort_values("p", kind="stable").iterrows():  # Holm, step by step
            highest = max(highest, min(1.0, left * row["p"]))
            assert row["p_holm"] == pytest.approx(highest)
            left -= 1
    scores = run.table(f"scores/{testset}.tsv").set_index("system")
    intervals = run.table(f"significance/{testset}.intervals.tsv")
    for _, row in intervals.iterrows():
        assert row["score"] == pytest.approx(scores.loc[row["system"], row["metric"]], abs=1e-12)
        assert row["low"] < row["score"] < row["high"]
    assert set(intervals["seed"]) == {12345}
    assert set(intervals["signature"].str.endswith("|samples:200|seed:12345|scheme:two-sided"))
    best = intervals.loc[intervals[intervals["metric"] == "WORDF"]["score"].idxmax()]
    assert best["cluster_bootstrap"] == best["cluster_randomisation"] == 1


@pytest.mark.parametrize("testset", ["ranked.de-en", "direct.de-en"])
def test_coefficients(run: Workspace, testset: str) -> None:
    table = run.table(f"significance/{testset}.coefficients.tsv")
    human = run.table(f"human/{testset}.tsv").set_index("system")["score"][SYSTEMS]
    scores = run.table(f"scores/{testset}.tsv").set_index("system").loc[SYSTEMS]
    for metric, rows in table.groupby("metric"):
        values = rows.groupby("coefficient")["value"].first()
        x = scores[metric]
        assert values["spearman"] == pytest.approx(stats.spearmanr(x, human).statistic)
        assert values["pearson"] == pytest.approx(stats.pearsonr(x, human).statistic)
        assert values["kendall"] == pytest.approx(stats.kendalltau(x, human).statistic)
        agree = [
            sign(x[a] - x[b]) == sign(human[a] - human[b])
            for a, b in itertools.combinations(SYSTEMS, 2)
        ]
        assert values["pairwise accuracy"] == pytest.approx(sum(agree) / 10)
    joint = table[table["interval"] == "bootstrap over segments, human scores joint"]
    assert len(joint) == 3 * 16
    assert (joint["drawn"] == SEGMENTS).all()
    assert (joint["low"] <= joint["high"]).all()
    systems = table[table["interval"] == "bootstrap over systems"]
    assert systems["low"].isna().all()  # and says why
    assert set(systems["note"]) == {"only 5 systems; an interval over systems needs 10"}
    spa = table[table["coefficient"].str.contains("SPA")]
    assert set(spa["coefficient"]) == (
        {"SPA"}
        if testset.startswith("direct")
        else {"own variant of SPA: signs of direct comparisons flip"}
    )
    assert spa["value"].between(0, 1).all()


def test_accuracy_is_pooled_over_pairs(run: Workspace) -> None:
    parts = [
        run.table(f"significance/{testset}.coefficients.tsv")
        .query("coefficient == 'pairwise accuracy'")
        .set_index("metric")
        for testset in ("ranked.de-en", "direct.de-en")
    ]
    pooled = run.table("significance/accuracy.tsv").set_index("metric")
    assert (pooled["pairs"] == 20).all()
    expected = (parts[0]["value"] + parts[1]["value"]) / 2  # both have ten pairs
    assert pooled["value"].to_dict() == pytest.approx(expected.to_dict())


def test_metric_against_metric_and_sensitivity(run: Workspace) -> None:
    testset = "ranked.de-en"
    tests = run.table(f"significance/{testset}.metrics.tsv")
    counted = tests.groupby("method").size().to_dict()
    assert counted == {
        "Williams, pearson": 240,
        "Williams, on ranks (approximate)": 240,
        "spearman, bootstrap over segments, human scores joint": 120,
        "spearman, permutation of systems, all 32 swaps": 120,
        "spearman, permutation of segments and systems, segment-averaged scores only": 120,
    }
    single = run.table(f"segment_scores/{testset}.tsv.gz")
    single = single.groupby("system").mean(numeric_only=True)
    human = run.table(f"human/{testset}.tsv").set_index("system")["score"]
    row = tests[tests["method"].str.contains("segment-averaged")].iloc[7]
    human = human[single.index]
    one, two = (stats.spearmanr(single[row[m]], human).statistic for m in ("first", "second"))
    assert row["difference"] == pytest.approx(one - two)
    row = tests[tests["method"].str.contains("swaps")].iloc[0]
    both = [spearman(run, testset, metric) for metric in (row["first"], row["second"])]
    assert row["difference"] == pytest.approx(both[0] - both[1])
    for _, row in run.table(f"significance/{testset}.without_one.tsv").iterrows():
        assert row["n"] == 4
        assert row["spearman"] == pytest.approx(
            spearman(run, testset, row["metric"], without=row["system"])
        )
    stability = run.table(f"significance/{testset}.stability.tsv")
    assert set(stability["segments"]) == {10}
    assert (stability["stable"] == (stability["low_kendall"] >= 0.9)).all()
    variants = run.table(f"significance/{testset}.variants.tsv")
    assert len(variants[variants["metric"] == "WORDF"]) == 4
    assert len(variants[variants["metric"] == "WMPF"]) == 4 + 66  # N, and tenths of three weights
    same = variants[(variants["metric"] == "MPF") & variants["variant"].isin(["N=4", "5/10,5/10"])]
    assert len(same) == 2
    assert same["spearman"].tolist() == pytest.approx([spearman(run, testset, "MPF")] * 2)


def wmt14(
    ranked: list[dict[str, str]], scores: Mapping[tuple[str, int], float]
) -> tuple[float, int]:
    """A human tie is out, a tie of the metric counts 0; outputs without a score are out."""
    total = n = 0
    for row in ranked:
        human = int(row["rank2"]) - int(row["rank1"])
        one, two = (scores.get((row[s], int(row["segment"]))) for s in ("system1", "system2"))
        if human and one is not None and two is not None:
            n += 1
            total += human * sign(round(one, 12) - round(two, 12))
    return total / n, n


def test_segment_level(run: Workspace) -> None:
    scores = run.table("segment_scores/ranked.de-en.tsv.gz").set_index(["system", "segment"])
    table = run.table("segments/ranked.de-en.tsv").set_index(["metric", "coefficient"])
    ranked = lines_of(run, "ranked.de-en/judgments.tsv")
    # The baselines that the configuration lists and the scores given as a file stand beside ours.
    assert len(table) == (16 + 4 + 2) * 4
    by_metric = {metric: scores[metric].to_dict() for metric in ("WORDF", "MPF", "POSBLEU")}
    further = run.table("baselines/ranked.de-en.segments.tsv.gz").set_index(["system", "segment"])
    for metric in ("chrF", "-TER", "COMET", "a/b"):
        by_metric[metric] = further[further["metric"] == metric]["score"].to_dict()
    for metric, given in by_metric.items():
        row = table.loc[(metric, "comparisons, wmt14")]
        expected = wmt14(ranked, given)
        assert (row["value"], row["n"]) == (pytest.approx(expected[0]), expected[1])
    compared = table["n"].xs("comparisons, wmt14", level="coefficient")
    assert compared["a/b"] < compared["COMET"] == compared["MPF"]
    assert "|chrF:nrefs=1," in table.loc[("chrF", "comparisons, wmt14"), "signature"]

    scores = run.table("segment_scores/direct.de-en.tsv.gz").set_index(["segment", "system"])
    table = run.table("segments/direct.de-en.tsv").set_index(["metric", "coefficient"])["value"]
    direct: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for row in lines_of(run, "direct.de-en/judgments.tsv"):
        direct[int(row["seg_id"])][row["system"]] = float(row["score"])
    taus = [
        stats.kendalltau(
            [round(scores.loc[(segment, s), "MPF"], 12) for s in SYSTEMS],
            [direct[segment][s] for s in SYSTEMS],
        ).statistic
        for segment in direct
    ]
    known = [tau for tau in taus if tau == tau]
    assert table["MPF", "kendall, grouped by item"] == pytest.approx(sum(known) / len(known))
    assert table["MPF", "acc_eq, best ε"] >= table["MPF", "acc_eq, ε = 0"]


def test_agreement(run: Workspace) -> None:
    items = defaultdict(list)
    for row in lines_of(run, "ranked.de-en/judgments.tsv"):
        sign = int(row["rank1"]) - int(row["rank2"])  # the systems always stand in one order
        items[row["segment"], row["system1"], row["system2"]].append((row["judge"], sign))
    pairs = [
        (x[1] == y[1], x[0] == y[0])
        for found in items.values()
        for x, y in itertools.combinations(found, 2)
    ]
    table = run.table("agreement/ranked.de-en.tsv").set_index(["kind", "method"])
    for kind, same_judge in (("inter", False), ("intra", True)):
        agreed = [alike for alike, same in pairs if same == same_judge]
        share = sum(agreed) / len(agreed)
        row = table.loc[(kind, f"{kind}-annotator κ, P(E) third")]
        assert row["n"] == len(agreed)
        assert row["kappa"] == pytest.approx((share - 1 / 3) / (2 / 3))
    assert len(run.table("agreement/direct.de-en.tsv")) == 0
    for testset in ("ranked.de-en", "direct.de-en"):
        human = run.table(f"human/{testset}.tsv").set_index("system")["score"]
        intervals = run.table(f"agreement/{testset}.human.tsv").set_index("system")
        assert intervals["score"].to_dict() == pytest.approx(human.to_dict())
        assert (intervals["low"] < intervals["high"]).all()


def test_orders_make_up_the_f_scores(run: Workspace) -> None:
    table = run.table("orders/ranked.de-en.tsv")
    scores = run.table("scores/ranked.de-en.tsv").set_index("system")
    for layer, metric in (("word", "WORDF"), ("morpheme", "MORPHF"), ("pos", "POSF")):
        means = table[table["layer"] == layer].groupby("system")["f"].mean()
        assert means.to_dict() == pytest.approx(scores[metric].to_dict())
    p, r = table["precision"], table["recall"]
    f = (2 * p * r / (p + r)).fillna(0)
    assert f.tolist() == pytest.approx(table["f"].tolist())


def test_baselines_equal_sacrebleu(run: Workspace) -> None:
    testset = "ranked.de-en"
    reference = read_segments(run.folder / testset / "ref.txt")
    table = run.table(f"baselines/{testset}.tsv").set_index(["system", "metric"])
    segments = run.table(f"baselines/{testset}.segments.tsv.gz")
    for i, system in enumerate(SYSTEMS):
        output = read_segments(run.folder / testset / f"{i}.txt")
        for name, expected in (
            ("BLEU-13a", sacrebleu.corpus_bleu(output, [reference]).score),
            ("chrF", sacrebleu.corpus_chrf(output, [reference]).score),
            ("chrF++", sacrebleu.corpus_chrf(output, [reference], word_order=2).score),
            ("-TER", -sacrebleu.corpus_ter(output, [reference]).score),
        ):
            assert table.loc[(system, name), "score"] == pytest.approx(expected)
        own = segments[(segments["system"] == system) & (segments["metric"] == "BLEU-13a")]
        assert own.sort_values("segment")["score"].tolist() == pytest.approx(
            [sacrebleu.sentence_bleu(o, [r]).score for o, r in zip(output, reference, strict=True)]
        )
    signature = table.loc[("lab-1", "BLEU-13a"), "signature"]
    assert signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_baselines_and_given_scores_are_correlated(run: Workspace) -> None:
    own = run.table("correlations/ranked.de-en.tsv").set_index("metric")["spearman"]
    rho = run.table("baselines/correlations/ranked.de-en.tsv").set_index("metric")
    assert len(rho) == 16 + 4 + 2
    assert rho.loc["a/b", "n"] == 3
    assert rho["spearman"][own.index].to_dict() == own.to_dict()
    human = run.table("human/ranked.de-en.tsv").set_index("system")["score"][SYSTEMS]
    expected = stats.spearmanr([5, 4, 1, 2, 3], human).statistic
    assert rho.loc["COMET", "spearman"] == pytest.approx(expected)
    table = run.table("baselines/ranked.de-en.tsv").set_index(["metric", "system"])["score"]
    expected = stats.spearmanr(table["-TER"][SYSTEMS], human).statistic
    assert rho.loc["-TER", "spearman"] == pytest.approx(expected)
    assert "elsewhere" not in set(run.table("baselines/ranked.de-en.tsv")["system"])
    (left_out,) = run.table("baselines/ranked.de-en.left_out.tsv")["note"]
    assert left_out.endswith("'elsewhere' is not a system here")
    assert "|-TER:nrefs=1,case=lc," in rho["signature"].iloc[0]
    # A table over test sets cannot hold a metric that one of them lacks.
    summary = run.table("baselines/summary.tsv")
    assert set(summary["metric"]) == {*rho.index} - {"COMET", "a/b"}
    assert set(summary["testsets"]) == {2}
    left_out = run.table("baselines/summary.left_out.tsv")["note"].tolist()
    assert left_out == [f"metric {m}: scored in 1 of 2 test sets only" for m in ("COMET", "a/b")]


def test_exported_tables(run: Workspace) -> None:
    exports = run.folder / "results" / "exports"
    tidy = run.table("exports/scores.tsv")
    rows = json.loads((exports / "scores.json").read_text())
    assert rows == tidy.to_dict("records")
    wide = run.table("scores/direct.de-en.tsv").set_index("system")
    assert len(tidy) == 2 * 5 * 16
    for row in rows:
        if row["testset"] == "direct.de-en":
            assert row["score"] == wide.loc[row["system"], row["metric"]]
    header, _, *body = (exports / "summary.md").read_text().split("\n")[2:20]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in (header, *body)]
    summary = run.table("summary.tsv")
    assert [line[1] for line in cells[1:]] == [f"{mean:.3f}" for mean in summary["mean"]]
    baselines = json.loads((exports / "baseline_scores.json").read_text())
    given = [run.table(f"baselines/{d}.de-en.tsv") for d in ("ranked", "direct")]
    assert baselines == pd.concat(given).to_dict("records")
    assert "| a/b |" in (exports / "baseline_correlations.md").read_text().split("\n")[2]
    exported = run.table("exports/baseline_summary.tsv").to_dict("records")
    assert exported == run.table("baselines/summary.tsv").to_dict("records")
    assert (exports / "correlations.tex").read_text().count(r"\toprule") == 1
    assert r"WMPF\_w" in (exports / "correlations.tex").read_text()


def read_score_file(path: Path) -> dict[str, list[str]]:
    """By the README of mt-metrics-eval: name and score between blanks, blocks of one system."""
    blocks: dict[str, list[str]] = {}
    for name, rows in itertools.groupby(map(str.split, path.open()), key=lambda cells: cells[0]):
        assert name not in blocks  # contiguous
        blocks[name] = [score for _, score in rows]
    return blocks


def test_mt_metrics_eval_layout_reads_back(run: Workspace) -> None:
    for testset in ("ranked.de-en", "direct.de-en"):
        root = run.folder / "results" / "exports" / "mt-metrics-eval" / testset
        outputs = sorted((root / "system-outputs" / "de-en").glob("*.txt"))
        names = {path.stem for path in outputs}
        assert len(names) == 5
        real = {row["file"]: row["system"] for row in lines_of(run, str(root / "systems.tsv"))}
        assert sorted(real.values()) == sorted(SYSTEMS)
        assert real["lab-1"] == "lab-1"  # a name that can be kept is kept
        (reference,) = (root / "references").iterdir()
        pair, name, ending = reference.name.split(".")
        assert (pair, name, ending) == ("de-en", "ref1", "txt")
        lines = reference.read_text().count("\n")
        assert lines == SEGMENTS
        assert [path.read_text().count("\n") for path in outputs] == [lines] * 5
        docs = [line.split() for line in (root / "documents" / "de-en.docs").open()]
        assert len(docs) == lines
        assert {len(cells) for cells in docs} == {2}
        scores = run.table(f"scores/{testset}.tsv").set_index("system")
        single = run.table(f"segment_scores/{testset}.tsv.gz").set_index(["system", "segment"])
        metrics = {path.name for path in (root / "metric-scores" / "de-en").iterdir()}
        ranked = testset.startswith("ranked")
        # a/b lacks systems, which the layout does not allow.
        assert len(metrics) == 2 * (16 + 4 + ranked)
        files = {row["metric"]: row for row in lines_of(run, str(root / "metrics.tsv"))}
        assert re.fullmatch(r"TER-[0-9a-f]{8}", files["-TER"]["file"])
        assert files["chrF"]["signature"].startswith("nrefs:1|case:mixed|eff:yes|nc:6|")
        further = run.table(f"baselines/{testset}.tsv").set_index(["metric", "system"])["score"]
        for metric in ("chrF++", "-TER", *(["COMET"] if ranked else [])):
            stem = root / "metric-scores" / "de-en" / f"{files[metric]['file']}-ref1"
            for name, (score,) in read_score_file(Path(f"{stem}.sys.score")).items():
                assert float(score) == further[metric, real[name]]
        for metric in ("MPF", "WMPF_w"):
            stem = root / "metric-scores" / "de-en" / f"{metric}-ref1"
            system = read_score_file(stem.with_name(stem.name + ".sys.score"))
            segment = read_score_file(stem.with_name(stem.name + ".seg.score"))
            assert system.keys() == segment.keys() == names
            for file in names:
                assert float(system[file][0]) == scores.loc[real[file], metric]
                assert len(segment[file]) == lines
                assert float(segment[file][6]) == single.loc[(real[file], 7), metric]
        human = read_score_file(root / "human-scores" / "de-en.human.sys.score")
        expected = run.table(f"human/{testset}.tsv").set_index("system")["score"]
        assert {real[file]: float(s) for file, (s,) in human.items()} == expected.to_dict()
        per_segment = root / "human-scores" / "de-en.human.seg.score"
        assert per_segment.exists() == testset.startswith("direct")
        if per_segment.exists():
            given = read_score_file(per_segment)
            for row in lines_of(run, "direct.de-en/judgments.tsv"):
                (file,) = (file for file in names if real[file] == row["system"])
                assert float(given[file][int(row["seg_id"]) - 1]) == float(row["score"])


def test_wmt22_files_read_back(run: Workspace) -> None:
    root = run.folder / "results" / "exports" / "wmt22" / "direct.de-en"
    assert len(list(root.glob("*.score.gz"))) == 2 * (16 + 4)
    scores = run.table("scores/direct.de-en.tsv").set_index("system")["MPF"]
    with gzip.open(root / "MPF.sys.score.gz", "rt", encoding="utf-8") as handle:
        rows = [line.rstrip("\n").split("\t") for line in handle]
    assert [row[:5] for row in rows] == [["MPF", "de-en", "direct.de-en", "all", "ref-1"]] * 5
    assert sorted(float(row[6]) for row in rows) == sorted(scores)
    with gzip.open(root / "MPF.seg.score.gz", "rt", encoding="utf-8") as handle:
        rows = [line.rstrip("\n").split("\t") for line in handle]
    assert {len(row) for row in rows} == {9}
    assert [int(row[7]) for row in rows] == [*range(1, SEGMENTS + 1)] * 5
    single = run.table("segment_scores/direct.de-en.tsv.gz").set_index(["system", "segment"])
    for row in rows:
        if row[6] == "lab-3":
            assert float(row[8]) == single.loc[("lab-3", int(row[7])), "MPF"]


def test_claims(run: Workspace) -> None:
    (claim,) = run.table("claims.tsv").to_dict("records")
    differences = [
        spearman(run, testset, "POSF") - spearman(run, testset, "WORDF")
        for testset in ("ranked.de-en", "direct.de-en")
    ]
    assert claim["effect"] == pytest.approx(sum(differences) / 2)
    assert (claim["n"], claim["blocks"]) == (2, 1)  # the same language, no group: one block
    assert claim["p"] == 1
    assert claim["verdict"] == "undecided"


@pytest.mark.parametrize("names", [["lab-1"], ["lab-1", "lab-3"], []])
def test_few_systems_are_undefined_and_say_why(
    run: Workspace, tmp_path: Path, names: list[str]
) -> None:
    folder = run.folder / "results" / "counts" / "ranked.de-en"
    counts = [str(path) for name in names or ["lab-1"] for path in folder.glob(f"{name}-*")]
    tables_of = ("coefficients", "tests", "without-one", "stability", "variants")
    options = [part for table in tables_of for part in (f"--{table}", str(tmp_path / table))]
    options += ["--format", "pairwise", "--samples", "100", "--testset", "d"]
    options += ["--metrics", str(METRIC_TABLE), "--counts", *counts]
    options += [] if names else ["--judged-references", "lab-1"]
    judgments = str(run.folder / "ranked.de-en" / "judgments.tsv")
    assert main(["metric_tests", *options, "--", judgments]) == 0
    rows = tables.read(tmp_path / "coefficients")
    assert bool(rows) == bool(names)
    for row in rows:
        if row["coefficient"] in ("spearman", "pearson", "kendall"):
            assert math.isnan(row["value"])
            assert row["note"] == f"only {len(names)} systems with a score and a judgment"


def test_every_table_is_signed(run: Workspace) -> None:
    results = run.folder / "results"
    for folder in ("significance", "segments", "agreement", "baselines", "orders"):
        for path in (results / folder).glob("**/*.tsv*"):
            data = path.read_bytes()
            text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
            assert text.split("\n")[0].endswith("\tsignature"), path


def test_parquet(run: Workspace) -> None:
    reason = "pyarrow is not installed: pip install --require-hashes -r requirements/parquet.txt"
    pytest.importorskip("pyarrow", reason=reason)
    run.snakemake("--quiet", "all", "--", "results/exports/correlations.parquet")
    table: Any = pd.read_parquet(run.folder / "results" / "exports" / "correlations.parquet")
    expected = [run.table(f"correlations/{d}.de-en.tsv") for d in ("ranked", "direct")]
    assert table["spearman"].tolist() == pd.concat(expected)["spearman"].tolist()
    assert read_json(run.folder / "results" / "exports" / "scores.json")
