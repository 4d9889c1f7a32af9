"""JudgmentSet human judgments and the human scores made from them."""

import gzip
import json
import os
import statistics
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morpos.errors import MorposError
from morpos.human import judgments
from morpos.human.judgments import READERS, Ranking, Rating, read
from morpos.human.judgments.languages import language_code
from morpos.human.judgments.ratings import RatingReader
from morpos.human.scores import HumanScore, compare_outputs, human_scores, mean_scores

SHARED = Path(os.environ.get("MORPOS_SHARED", Path(__file__).parents[3] / "shared"))
WMT10 = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{i}Number,system{i}Id" for i in range(1, 6))
    + ","
    + ",".join(f"system{i}rank" for i in range(1, 6))
)
WMT08 = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME," + ",".join(
    f"SYSTEM_{i},SCORE_{i}_A,SCORE_{i}_B" for i in range(5)
)
WMT09 = (
    "JUDGEMENT_ID\tTASK\tTYPE\tITEM_ID\tANNOTATOR_ID\tANNOTATOR_TYPE_COUNT\tTIME\t"
    + "\t".join(f"SYSTEM_{i}\tSCORE_{i}_A\tSCORE_{i}_B" for i in range(5))
    + "\tEXTRA"
)


def shared(path: str) -> Path:
    full = SHARED / path
    if not full.exists():
        pytest.skip(f"{full} is not here; set MORPOS_SHARED")
    return full


def write(folder: Path, *lines: str, name: str = "judgments.txt", end: str = "\n") -> Path:
    path = folder / name
    path.write_bytes("".join(line + end for line in lines).encode())
    return path


def wmt10_row(pair: str, segment: int, judge: str, ranks: dict[str, int]) -> str:
    names = list(ranks) + [f"filler{i}" for i in range(5 - len(ranks))]
    numbered = ",".join(f"{i},{name}" for i, name in enumerate(names, 1))
    return f"{pair},{segment},doc,{segment},{judge},{numbered}," + ",".join(
        str(ranks.get(name, -1)) for name in names
    )


def by_name(scores: list[HumanScore]) -> dict[str, HumanScore]:
    return {score.system: score for score in scores}


def test_items_that_control_the_judges_do_not_count(tmp_path: Path) -> None:
    rows = ["a\t1\tTGT\t80", "a\t1\tCHK\t60", "a\t1\tBAD\t5", "ref\t1\tREF\t99", "b\t1\t\t50"]
    path = write(tmp_path, "system\tseg_id\titemType\tscore", *rows)
    reading = read(path, "direct")
    assert reading.systems == ("a", "b")
    assert reading.skipped == {"lines: items that control the judges (itemType BAD or REF)": 2}
    assert {s.system: s.score for s in human_scores(reading)} == {"a": 70, "b": 50}
    path = write(tmp_path, "system\tseg_id\titemType\tscore", "a\t1\tbad\t80")
    with pytest.raises(MorposError, match="line 2: itemType 'bad'; known are TGT and CHK"):
        read(path, "direct")


# --- WMT10 and later ---------------------------------------------------------------------------


def test_blank_ranks_and_ties_by_hand(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        WMT10,
        wmt10_row("Czech,English", 1, "j1", {"a": 1, "b": 1, "c": 4}),
        wmt10_row("Czech,English", 7, "j2", {"a": 2, "b": 3, "c": -1}),
        wmt10_row("Czech,English", 8, "j2", {"c": 1}),
        wmt10_row("English,Czech", 9, "j2", {"a": 1, "b": 2}),
    )
    reading = read(path, "wmt10", "cz", "en")
    assert reading.rankings == (
        Ranking(1, "j1", (("a", 1), ("b", 1), ("c", 4))),
        Ranking(7, "j2", (("a", 2), ("b", 3))),
    )
    assert reading.used == {"Czech-English": 2}
    assert reading.skipped == {
        "lines: of another task": 1,
        "lines: fewer than two ranked outputs of this task": 1,
        "outputs: not ranked": 2 + 3 + 4,
    }
    scores = by_name(human_scores(reading))
    a, b, c = scores["a"], scores["b"], scores["c"]
    assert (a.wins, a.losses, a.ties, a.comparisons, a.score) == (2, 0, 1, 3, 1)
    assert (b.wins, b.losses, b.ties, b.comparisons, b.score) == (1, 1, 1, 3, 2 / 3)
    assert (c.wins, c.losses, c.ties, c.comparisons, c.score) == (0, 2, 0, 2, 0)
    filler = scores["filler0"]  # never ranked: shown, without a score
    assert (filler.score, filler.comparisons, filler.note) == (None, 0, "no comparisons")
    assert list(scores) == sorted(scores)


def test_every_output_of_a_row_counts_however_many(tmp_path: Path) -> None:
    header = WMT10 + ",system6Number,system6Id,system6rank"
    row = wmt10_row("Czech,English", 1, "j", dict.fromkeys("abcde", 1)) + ",6,f,2"
    path = write(tmp_path, header, row)
    scores = by_name(human_scores(read(path, "wmt10", "cs", "en")))
    assert (scores["f"].losses, scores["a"].wins) == (5, 1)
    path = write(tmp_path, header.removesuffix(",system6rank"), row.removesuffix(",2"))
    with pytest.raises(MorposError, match="no column system6rank"):
        read(path, "wmt10", "cs", "en")


@pytest.mark.parametrize(
    ("format", "header", "row", "beyond", "message"),
    [
        (
            *("wmt10", WMT10),
            *("French,English,4,d,4,j,1,a,2,b,3,c,4,d,5,e,1,2,3,4,5", ",5,d,", "'5', .* 1 to 4;"),
        ),
        (
            *("wmt08", WMT08),
            *("WMT08 French-English News,RANK,3,x,0,a,1,,b,2,", "RANK,4,", "'4', .* 0 to 3;"),
        ),
        (
            *("pairwise", "system1\tsystem2\trank1\trank2\tsegment"),
            *("a\tb\t1\t2\t4", "\t2\t5", "'5', .* 1 to 4;"),
        ),
        (
            *("direct", "system\tseg_id\tscore"),
            *("a\t4\t70", "a\t5\t70", "'5', .* 1 to 4;"),
        ),
    ],
)
def test_a_segment_beyond_the_testset(
    tmp_path: Path, format: str, header: str, row: str, beyond: str, message: str
) -> None:
    last = beyond.replace("5", "4") if format != "wmt08" else "RANK,3,"
    assert last in row
    read(write(tmp_path, header, row), format, "fr", "en", segments=4)
    path = write(tmp_path, header, row, row.replace(last, beyond))
    with pytest.raises(MorposError, match=f"line 3: .* {message}"):
        read(path, format, "fr", "en", segments=4)
    assert len(read(path, format, "fr", "en").systems)  # as many as there may be


def test_a_row_that_holds_a_system_twice_skips_that_pair(tmp_path: Path) -> None:
    row = "German,English,1,d,1,j,1,a,1,a,2,b,3,c,4,d,1,2,3,-1,-1"
    reading = read(write(tmp_path, WMT10, row), "wmt10", "de", "en")
    assert reading.skipped["pairs: a system with itself"] == 1
    scores = by_name(human_scores(reading))
    assert (scores["a"].wins, scores["a"].comparisons) == (2, 2)


def test_two_outputs_a_row_and_three_letter_codes_as_in_later_years(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank",
        "cze,eng,5,5,judge1,x,2,y,1",
    )
    assert read(path, "wmt10", "cs", "en").rankings == (Ranking(5, "judge1", (("x", 2), ("y", 1))),)


def test_names_and_codes_of_languages() -> None:
    assert [language_code(name) for name in ("Czech", "cz", "CS", "cze")] == ["cs"] * 4
    assert language_code("Multisource") == language_code("XX") == "xx"
    assert language_code("Klingon") == "klingon"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("zipped", [False, True])
def test_byte_order_mark_line_ends_and_gzip_change_nothing(
    tmp_path: Path, end: str, mark: str, zipped: bool
) -> None:
    row = wmt10_row("German,English", 1, "j", {"A": 1, "B\x85\u2028": 2})
    path = write(tmp_path, mark + WMT10, row, end=end)
    if zipped:
        path.write_bytes(gzip.compress(path.read_bytes()))
    reading = read(path, "wmt10", "German", "English")
    assert reading.rankings == (Ranking(1, "j", (("A", 1), ("B\x85\u2028", 2))),)


# --- WMT08 and WMT09 ---------------------------------------------------------------------------


def wmt08_file(folder: Path) -> Path:
    return write(
        folder,
        WMT08,
        "WMT08 French-English News,RANK,0,3,9,a,1,,b,2,,c,2,",
        "WMT08 French-English News,CONSTITUENT,4,3,9,a,3,1,b,1,2",
        "WMT08 French-English Europarl,RANK,5,3,9,a,2,,b,1,",
        "WMT08 All-English News,RANK,6,4,9,b_fr,1,,a_de,2,,a_fr,3,,uedin-combo_xx,1,,a_cz,4,",
        "WMT08 All-English News,RANK,7,4,9,a_de,1,,a_fr,2,",
        "WMT08 Czech-English News,RANK,8,4,9,a,1,,b,2,",
    )


def test_wmt08_counts_all_english_rows_for_each_source(tmp_path: Path) -> None:
    reading = read(wmt08_file(tmp_path), "wmt08", "fr", "en", "news")
    assert reading.rankings == (
        Ranking(1, "3", (("a", 1), ("b", 2), ("c", 2))),
        Ranking(7, "4", (("b", 1), ("a", 3))),
    )
    assert reading.used == {"WMT08 French-English News": 1, "WMT08 All-English News": 1}
    assert reading.skipped == {
        "lines: of a type other than RANK": 1,
        "lines: of another task": 2,
        "lines: fewer than two ranked outputs of this task": 1,
        "outputs: of another source, in All-English lines": 3 + 1,
    }
    czech = read(tmp_path / "judgments.txt", "wmt08", "cs", "en", "News")
    assert czech.systems == ("a", "b")
    assert len(czech.rankings) == 1
    europarl = read(tmp_path / "judgments.txt", "wmt08", "fr", "en", "Europarl")
    assert europarl.used == {"WMT08 French-English Europarl": 1}
    mixed = read(tmp_path / "judgments.txt", "wmt08", "all", "en")
    assert "uedin-combo_xx" in mixed.systems
    assert len(mixed.rankings) == 2


def test_a_selection_that_does_not_fit_lists_the_tasks(tmp_path: Path) -> None:
    path = wmt08_file(tmp_path)
    with pytest.raises(MorposError, match=r"no task fits 'de-en News'.*fr-en Europarl, fr-en News"):
        read(path, "wmt08", "de", "en", "News")
    with pytest.raises(
        MorposError, match=r"several tasks fit 'fr-en'.*fr-en Europarl, fr-en News$"
    ):
        read(path, "wmt08", "fr", "en")
    with pytest.raises(MorposError, match="source or target is not given"):
        read(path, "wmt08")


def test_wmt09_is_tab_separated_and_its_all_english_rows_stay_apart(tmp_path: Path) -> None:
    blanks = "\t" * 10
    path = write(
        tmp_path,
        WMT09,
        f'0\tWMT09 French-English News\tRANK\t0\t5\t0\t9\ta"\t1\t\tb\t2\t{blanks[:-1]}',
        f"1\tWMT09 All-English News\tRANK\t3\t5\t0\t9\ta_FR\t2\t\tb_FR\t1\t{blanks}",
        f"2\tWMT09 Multisource-English News\tRANK\t4\t5\t0\t9\tp\t2\t\tq\t1\t{blanks}",
    )
    assert read(path, "wmt09", "fr", "en").rankings == (Ranking(1, "5", (('a"', 1), ("b", 2))),)
    assert read(path, "wmt09", "xx", "en").rankings == (Ranking(5, "5", (("p", 2), ("q", 1))),)


# --- pairwise, direct, system --------------------------------------------------------------------


def test_pairwise(tmp_path: Path) -> None:
    path = write(
        tmp_path, "system1\trank1\tsystem2\trank2", "a\t1\tb\t2", "b\t1\ta\t1", "a\t\tb\t1"
    )
    reading = read(path, "pairwise")
    assert reading.rankings[0] == Ranking(None, "", (("a", 1), ("b", 2)))
    assert reading.skipped["outputs: not ranked"] == 1
    scores = by_name(human_scores(reading))
    assert (scores["a"].score, scores["b"].score) == (1, 0.5)
    path = write(tmp_path, "segment\tjudge\tsystem1\tsystem2\trank1\trank2", "3\tj\ta\tb\t2\t1")
    assert read(path, "pairwise").rankings == (Ranking(3, "j", (("a", 2), ("b", 1))),)


def test_stray_quotes_lose_no_row(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "system\tseg_id\trater\ttext\tscore",
        'p\t1\tr\t"open\t0.1',
        'q\t1\tr\t""\t7',
        'p\t2\tr\tshut"\t0.2',
        "p\t3\tr\t\tNone",
    )
    reading = read(path, "direct")
    assert reading.ratings[0] == Rating(1, "r", "p", Fraction(1, 10))
    assert reading.used == {"direct": 3}
    assert reading.skipped == {"lines: no score": 1}
    scores = by_name(human_scores(reading))
    assert (scores["p"].score, scores["p"].ratings) == (0.15, 2)  # exact, unlike (0.1 + 0.2) / 2
    turned = human_scores(read(path, "direct", higher_is_better=False))
    assert by_name(turned)["q"].score == -7


def test_repeats_are_averaged_per_segment_first(tmp_path: Path) -> None:
    rows = ["p\t1\t0", "p\t1\t6", "p\t2\t9", "never\t1\t"]
    reading = read(write(tmp_path, "system\tsegment\tscore", *rows), "direct")
    scores = by_name(human_scores(reading))
    assert (scores["p"].score, scores["p"].ratings) == (6, 3)
    assert (scores["never"].score, scores["never"].note) == (None, "no scores")


def test_z_scores_against_the_standard_library(tmp_path: Path) -> None:
    rows = ["p\t1\tx\t10", "q\t1\tx\t30", "q\t2\tx\t80", "p\t1\ty\t5", "p\t2\ty\t7", "p\t1\tz\t4"]
    reading = read(write(tmp_path, "system\tseg_id\tjudge\tscore", *rows), "direct")
    scores = by_name(human_scores(reading, "mean-z"))
    x, y = [10, 30, 80], [5, 7]
    zx = [(v - statistics.mean(x)) / statistics.stdev(x) for v in x]
    zy = [(v - statistics.mean(y)) / statistics.stdev(y) for v in y]
    assert scores["q"].score == pytest.approx((zx[1] + zx[2]) / 2, abs=1e-15)
    assert scores["p"].score == pytest.approx(((zx[0] + zy[0]) / 2 + zy[1]) / 2, abs=1e-15)
    assert scores["p"].ratings == 3
    assert scores["p"].note == "1 scores of judges without spread left out"


def test_given_scores_and_references_by_setting(tmp_path: Path) -> None:
    path = write(tmp_path, "system\tscore", "s1\t0.60", "human\t0.98", "_ref\t1e-1")
    scores = by_name(human_scores(read(path, "system"), references=["human"]))
    assert {name: s.score for name, s in scores.items()} == {"s1": 0.6, "human": 0.98, "_ref": 0.1}
    assert [name for name, s in scores.items() if s.is_reference] == ["human"]
    with pytest.raises(MorposError, match="mean-z needs a judge"):
        human_scores(read(path, "system"), "mean-z")


def test_a_rule_must_go_with_the_judgments(tmp_path: Path) -> None:
    path = write(tmp_path, "system\tscore", "s1\tNone")
    assert human_scores(read(path, "system"))[0].note == "no scores"
    with pytest.raises(MorposError, match=r"rule 'wins'.*use one of mean, mean-z"):
        human_scores(read(path, "system"), "wins")
    path = write(tmp_path, "system1\tsystem2\trank1\trank2", "a\tb\t1\t2")
    with pytest.raises(MorposError, match=r"rule 'mean'.*better-or-equal, wins, expected-wins"):
        human_scores(read(path, "pairwise"), "mean")


# --- rules ---------------------------------------------------------------------------------------


def test_ties_alone_give_no_share_of_wins(tmp_path: Path) -> None:
    path = write(tmp_path, "system1\tsystem2\trank1\trank2", "a\tb\t1\t1", "a\tb\t2\t2")
    reading = read(path, "pairwise")
    for rule in ("wins", "expected-wins"):
        a = human_scores(reading, rule)[0]
        assert (a.score, a.note) == (None, "no win or loss: 2 ties")
    assert [s.score for s in human_scores(reading)] == [1, 1]


# --- errors --------------------------------------------------------------------------------------

GOOD08 = "WMT08 French-English News,RANK,0,3,9,a,1,,b,2,"
GOOD10 = wmt10_row("German,English", 1, "j", {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("format", "lines", "message"),
    [
        ("wmt10", [WMT10, GOOD10.replace(",1,2,-1", ",1,2.5,-1")], "line 2: system2rank '2.5' is"),
        ("wmt10", [WMT10, GOOD10.replace(",1,2,-1", ",0,2,-1")], "line 2: system1rank '0' is not"),
        ("wmt10", [WMT10, GOOD10, GOOD10[:-3]], "line 3: 20 columns, the header has 21"),
        ("wmt10", [WMT10, GOOD10.replace("h,1,", "h,0,")], "line 2: srcIndex '0' .* count from 1"),
        (
            "wmt10",
            [WMT10, GOOD10.replace(",a,", ',"a,')],
            "line 2: this is not comma-separated CSV",
        ),
        ("wmt10", [WMT10, GOOD10.replace(",a,", ",,")], "system1rank '1' without a name"),
        ("wmt10", [WMT10.replace("judgeId,", ""), GOOD10], "line 1: no column judgeId or judgeID"),
        ("wmt10", [WMT10], "holds no rankings"),
        ("wmt10", [], "is empty; judgments begin with a header line"),
        ("wmt08", [WMT08, GOOD08.replace("K,0", "K,x")], "line 2: ITEM_ID 'x' .* count from 0"),
        ("wmt08", [WMT08, GOOD08 + ",c"], "line 2: ends before the rank of 'c'"),
        ("wmt08", [WMT08, GOOD08, "WMT08 Fre"], "line 3: 1 columns, the header has 20"),
        ("wmt08", [WMT08, GOOD08.replace("WMT08 F", "F")], "TASK 'French-English News' is not"),
        ("wmt09", [WMT09.replace("\t", ",")], "line 1: no column ITEM_ID"),
        ("pairwise", ["system1\tsystem2\trank1\trank2\trank1", "a\tb\t1\t2\t1"], "rank1 and rank1"),
        ("direct", ["system\tseg_id\tscore", "a\t1\t1/3"], "line 2: score '1/3' is not a decimal"),
        ("direct", ["system\tseg_id\tscore", "a\t1\t1e999999999"], "score '1e999999999' is not"),
        ("direct", ["system\tseg_id\tscore", "a\tx\t1"], "line 2: seg_id 'x' is not the number"),
        ("direct", ["system\tseg_id\tscore", "\t1\t1"], "line 2: no system"),
        ("direct", ["system\tseg_id\tscore"], "holds no scores"),
        ("direct", ["system\tseg_id\tsegment\tscore"], "seg_id and segment mean the same"),
        ("system", ["a\t0.5"], r"line 1: no column system in 'a', '0.5'"),
        ("system", ["system\tscore", "a\t1", "", "a\t2"], "line 4: a second score '2' for 'a'.*l"),
        ("pairwise", ["system1  system2  rank1  rank2"], "line 1: .* is one cell: put tabs"),
        ("pairwise", ["system1;system2;rank1;rank2"], "line 1: .* is one cell: put tabs"),
        ("wmt99", [""], "unknown judgment format 'wmt99'; known are wmt08"),
    ],
)
def test_messages_name_the_file_the_line_and_the_value(
    tmp_path: Path, format: str, lines: list[str], message: str
) -> None:
    path = write(tmp_path, *lines)
    source = "fr" if format == "wmt08" else "de"
    with pytest.raises(MorposError, match=message) as error:
        read(path, format, source, "en")
    assert str(path) in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MorposError, match=r"cannot read .*missing"):
        read(tmp_path / "missing", "system")
    path = tmp_path / "x.tsv.gz"
    path.write_bytes(b"\xef\xbb\xbfsystem\tscore\nf\xfcr\t1\n")
    with pytest.raises(MorposError, match=r"not gzip .first bytes EF BB"):
        read(path, "system")
    path = path.rename(tmp_path / "x.tsv")
    with pytest.raises(MorposError, match=r"x\.tsv, line 2: byte 0xFC at byte offset 17"):
        read(path, "system")
    path.write_bytes(gzip.compress(b"system\tscore\na\t1\n")[:-5])
    with pytest.raises(MorposError, match="damaged or incomplete gzip"):
        read(path, "system")


@settings(max_examples=200, deadline=None)
@given(
    format=st.sampled_from(list(READERS)),
    start=st.sampled_from(
        ["", "\x1f\x8b", WMT08, WMT09, WMT10, "system\tscore", "system\tseg_id\tscore"]
    ),
    rest=st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(
                ["WMT08 French-English News", "RANK", "a", "1", "-1", '"', ",", "\t", "\n"]
            )
        ).map(lambda parts: "".join(parts).encode()),
    ),
)
def test_any_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, format: str, start: str, rest: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(start.encode("latin-1") + b"\n" * (start > "\x20") + rest)
    message = str(path)
    try:
        human_scores(read(path, format, "fr", "en"))
    except MorposError as error:
        message = str(error)
    assert str(path) in message


# --- the cases and the real files ----------------------------------------------------------------


def case(name: str) -> tuple[Path, dict[str, Any]]:
    folder = shared(f"cases/{name}")
    return folder / "inputs", json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def test_case_rk_01() -> None:
    inputs, expected = case("rk-01-minus-one-and-ties")
    reading = read(inputs / "judgments.csv", "wmt10", "de", "en")
    assert reading.rankings[0].segment == 1
    assert len(list(compare_outputs(reading.rankings))) == expected["pairwise"]["comparisons"]
    default, decided = (by_name(human_scores(reading, rule)) for rule in (None, "wins"))
    assert set(default) == set(expected["pairwise"]["systems"])
    for name, values in expected["pairwise"]["systems"].items():
        score = default[name]
        assert score.wins == values["wins"]
        assert score.losses == values["losses"]
        assert score.ties == values["ties"]
        assert score.score == float(Fraction(values["better_or_equal"]))
        assert decided[name].score == float(Fraction(values["wins_over_wins_plus_losses"]))


def test_case_rk_03() -> None:
    inputs, expected = case("rk-03-reference-judged")
    scores = human_scores(read(inputs / "human.tsv", "system"))
    assert len([score for score in scores if not score.is_reference]) == expected["expected"]["n"]
    assert [score.system for score in scores if score.is_reference] == ["_ref"]
    assert by_name(scores)["s1"].score == 0.6


def test_case_tab_01() -> None:
    inputs, expected = case("tab-01-stray-quotes")
    reading = read(inputs / "judgments.tsv", "direct")
    assert len(reading.ratings) == expected["rows"]
    assert mean_scores(reading.ratings) == {
        name: Fraction(value) for name, value in expected["mean_score"].items()
    }
    assert {s.system: s.ratings for s in human_scores(reading)} == expected["count"]


def test_case_bom_01() -> None:
    inputs, _ = case("bom-01-first-line")
    marked = read(inputs / "judgments.csv", "wmt10", "de", "en")
    clean = read(inputs.parent / "clean" / "judgments.csv", "wmt10", "de", "en")
    assert marked.rankings == clean.rankings
    assert len(marked.rankings) == 1


RAW = "wmt/alopez-wmt-ranking/raw_data"


def test_wmt10_human_scores() -> None:
    path = shared(f"{RAW}/wmt10/data_RNK.csv")
    scores = by_name(human_scores(read(path, "wmt10", "cz", "en")))
    assert scores["_ref"].is_reference
    found = {
        name: round(scores[name].score or 0, 4)
        for name in ("cmu-heafield-combo", "onlineB", "_ref")
    }
    assert found == {"cmu-heafield-combo": 0.7117, "onlineB": 0.7, "_ref": 0.9762}
    systems = {}
    for pair in ("en-de", "en-es", "en-fr", "en-cs", "de-en", "es-en", "fr-en", "cs-en"):
        judged = human_scores(read(path, "wmt10", *pair.split("-")))
        systems[pair] = len([s for s in judged if s.score is not None and not s.is_reference])
    assert list(systems.values()) == [18, 16, 19, 17, 25, 14, 24, 12]


def test_published_human_scores() -> None:
    """All of WMT09 (W09-0401), rounded half up to three and then to two decimals."""
    rows = shared("design/published_scores.tsv").read_text(encoding="utf-8").split("\n")
    published: dict[tuple[str, str], dict[str, Decimal]] = {}
    for row in rows[1:]:
        if "\tRANK\t" in row:
            year, task, system, _, share, _ = row.split("\t")
            published.setdefault((year, task), {})[system] = Decimal(share)
    assert {year for year, _ in published} == {"2009"}
    assert sum(map(len, published.values())) == 114
    different = []
    for (_, task), values in published.items():
        path = shared(f"{RAW}/wmt09/wmt09-human-judgments.csv")
        source, target = task.split()[0].split("-")
        ours = {s.system.upper(): s for s in human_scores(read(path, "wmt09", source, target))}
        assert set(ours) == set(values), task
        for system, value in values.items():
            s = ours[system]
            exact = Decimal(s.wins + s.ties) / s.comparisons
            rounded = exact.quantize(Decimal("0.001"), ROUND_HALF_UP)
            if rounded.quantize(Decimal("0.01"), ROUND_HALF_UP) != value:
                different.append((task, system, value, exact))
    assert different == []


def test_wmt08_tasks_hold_the_same_systems_with_and_without_all_english() -> None:
    path = shared(f"{RAW}/wmt08/wmt08-human-judgments.csv")
    for source, systems in (("de", 13), ("es", 12), ("fr", 16), ("cs", 3), ("hu", 2)):
        reading = read(path, "wmt08", source, "en", "News")
        assert len(reading.systems) == systems
        assert len(reading.used) == 2
        assert all(score.score is not None for score in human_scores(reading))
    assert sum(read(path, "wmt08", "fr", "en", "News").used.values()) == 250 + 578


# --- another format --------------------------------------------------------------------------


class Stars(RatingReader):
    """A format of somebody's own: a module with a class, and a line in `READERS`."""

    headers = (frozenset({"system", "score", "line", "stars"}),)
    segment = ("line",)
    first_segment = 0


def test_a_format_is_a_class_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"stars": f"{__name__}:Stars", **judgments.READERS.ours}
    monkeypatch.setattr(judgments.READERS, "ours", rows)
    path = write(tmp_path, "system\tline\tscore\tstars", "a\t0\t4\tx", "a\t1\t5\tx", "b\t0\t1\tx")
    assert judgments.detect_format(path) == "stars"
    found = read(path, "stars", segments=2)
    assert [rating.segment for rating in found.ratings] == [1, 2, 1]
    assert {s.system: s.score for s in human_scores(found)} == {"a": 4.5, "b": 1}
    with pytest.raises(MorposError, match=r"line 3: line '1', but the test set's segments are 0"):
        read(path, "stars", segments=1)


@pytest.mark.parametrize(
    ("format", "header"),
    [
        ("wmt08", WMT08),
        ("wmt09", WMT09),
        ("wmt10", WMT10),
        ("pairwise", "segment\tsystem1\tsystem2\trank1\trank2"),
        ("direct", "system\tsegment\tscore"),
        ("direct", "system\tseg_id\tscore\trater"),
        ("system", "score\tsystem\tsegments"),
    ],
)
def test_a_format_is_told_by_its_header(tmp_path: Path, format: str, header: str) -> None:
    assert judgments.detect_format(write(tmp_path, header, end="\r\n")) == format
