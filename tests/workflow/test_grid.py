"""A grid of setups: each layer once, one tidy table, choices left to the other groups."""

from pathlib import Path

import pytest

from tests.workflow.harness import Workspace

REFERENCE = (
    "The old Mill stands by the river\nWe bought fresh bread this Morning\nrain is expected\n"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    space = Workspace(tmp_path_factory.mktemp("grid"))
    reference = space.write("ref.txt", REFERENCE)
    files = {
        "same": reference,
        "lower": space.write("lower.txt", REFERENCE.lower()),
        "other": space.write("other.txt", "an old mill\nfresh Bread\nno rain is expected\n"),
    }
    human = {"2008": (3, 2, 1), "2009": (2, 3, 1)}
    for group, scores in human.items():
        rows = zip(files, scores, strict=True)
        judgments = space.write(
            f"{group}.tsv", "system\tscore\n" + "".join(f"{s}\t{v}\n" for s, v in rows)
        )
        space.testset(
            f"d{group}",
            reference,
            files,
            group=group,
            judgments=judgments,
            judgments_format="system",
        )
    space.config["grid"] = {
        "words.case": ["keep", "lower"],
        "tags": {"detailed": {}, "ud": {"en": {"tagger": "rdr", "model": "UniPOS/UD_English"}}},
    }
    space.snakemake("--quiet", "all", "--", "grid")
    return space


def test_each_layer_is_made_once(run: Workspace) -> None:
    results = run.folder / "results"
    assert {path.name for path in (results / "words").iterdir()} == {"moses-keep", "moses-lower"}
    assert len(list((results / "tags").glob("*/*"))) == 4  # two cases × two models
    # The reference is shared by both test sets, and by all points with the same case.
    assert len(list((results / "models").glob("**/*.json"))) == 2
    assert run.jobs("--", "grid") == {}


def test_the_table_holds_every_point(run: Workspace) -> None:
    table = run.table("grid.tsv")
    points = {
        f"case={case},tags={tags}" for case in ("keep", "lower") for tags in ("detailed", "ud")
    }
    assert set(table["setup"]) == {"default"} | points
    # The point that chooses what is the default anyway has the default's numbers.
    same = table[table["setup"] == "case=keep,tags=detailed"].drop(columns="setup")
    default = table[table["setup"] == "default"].drop(columns="setup")
    assert same.to_dict("list")["mean"] == default.to_dict("list")["mean"]


def test_a_choice_is_looked_at_where_it_was_not_made(run: Workspace) -> None:
    # Lower-cased, "lower" ties with "same": ρ of WORDF is .866 in both years; cased it
    # is 1 in 2008 and .5 in 2009.
    table = run.table("grid.tsv").query("metric == 'WORDF' and systems == 'all'")
    means = table.set_index(["setup", "table"])["mean"]
    assert means["default", "group 2008"] == 1
    assert means["default", "group 2009"] == 0.5
    lowered = "case=lower,tags=detailed"
    for group in ("2008", "2009"):
        assert means[lowered, f"group {group}"] == pytest.approx(0.75**0.5)
    choices = run.table("grid.choices.tsv").set_index("held_out")
    assert choices.loc["2009", "mean_elsewhere"] == 1
    assert choices.loc["2009", "mean_held_out"] == 0.5
    assert choices.loc["2009", "best_held_out"] == pytest.approx(0.75**0.5)


def test_a_wrong_grid_is_refused(tmp_path: Path) -> None:
    space = Workspace(tmp_path, config={"grid": {"words.tokenizer": ["moses", "mosess"]}})
    space.testset("d", space.write("ref.txt", REFERENCE), {"A": "ref.txt"})
    stopped = space.snakemake(check=False)
    output = stopped.stdout + stopped.stderr
    assert "grid point tokenizer=mosess: words.tokenizer: 'mosess' is not one of" in output
