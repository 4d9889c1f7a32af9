"""Layers, training of Morfessor and TreeTagger's check through the whole workflow."""

import shutil
from pathlib import Path

import pytest
import sentencepiece
from sacrebleu.metrics.chrf import CHRF

from morpos.io.files import read_json, read_segments
from morpos.layers.morphemes import groups
from tests.layers.test_layers import TABLE
from tests.layers.test_taggers import needs_wrapper, stand_in
from tests.workflow.harness import Workspace

AFTER = {"counts", "scores", "disagreements", "report_testset", "report"}
TEXT = "The mill stands there.\nShe bought bread, (he) did not.\nThe walking, the talking!\n"


def workspace(folder: Path, table: str) -> Workspace:
    space = Workspace(folder)
    space.write("ref.txt", TEXT)
    space.write("A.txt", TEXT.replace("mill", "mile"))
    space.write("B.txt", TEXT.lower().replace("bread", "bred"))
    space.testset("d", "ref.txt", {"A": "A.txt", "B": "B.txt"})
    space.config["metrics"] = space.write("metrics.yaml", table)
    return space


def test_layers_without_words(tmp_path: Path) -> None:
    space = workspace(
        tmp_path,
        TABLE + "SUBF: {family: F, layers: {subword: 1}}\nMINEF: {family: F, layers: {mine: 1}}\n",
    )
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "ref.txt"),
        model_prefix=str(tmp_path / "m"),
        vocab_size=30,
        minloglevel=2,
    )
    space.config["layers"] = {
        "subword": {"sentencepiece": "m.model"},
        "mine": {"files": "mine/{text}.txt"},
        "unused": {"files": "no/{text}.txt"},
    }
    space.snakemake("--quiet", "all", "--", "texts_all")
    for path in (tmp_path / "results" / "texts").glob("*/*.txt"):
        space.write(f"mine/{path.parent.name}/{path.name}", path.read_text())
    jobs = space.jobs()
    assert set(jobs) == {"layer", "metrics", "chart_library", "findings"} | AFTER
    assert len(jobs["layer"]) == 3 * 4
    space.snakemake("--quiet", "all")
    assert space.jobs() == {}
    scores = space.table("scores/d.tsv").set_index("system")
    for system in ("A", "B"):
        text = read_segments(tmp_path / f"{system}.txt")
        for name, order in (("chrF", 0), ("chrFpp", 2)):
            metric = CHRF(word_order=order, eps_smoothing=True)
            right = metric.corpus_score(text, [TEXT.splitlines()]).score
            assert 100 * scores.loc[system, name] == pytest.approx(right, abs=1e-9)
    signature = scores.loc["A", "signature"]
    parts = ["layer.character:", "layer.chrf_word:", "layer.subword:", "layer.mine:files.mine/"]
    assert all(part in signature for part in parts), signature
    # Other units or another model make that layer anew, and nothing else.
    unit = next((tmp_path / "mine" / "references").iterdir())
    unit.write_text(unit.read_text().replace("mill", "m ill"))
    jobs = space.jobs()
    assert set(jobs) == {"layer"} | AFTER
    assert len(jobs["layer"]) == 1


MORPHF = "MORPHF: {family: F, layers: {morpheme: 1}}\n"


def test_training_of_morfessor(tmp_path: Path) -> None:
    space = workspace(tmp_path, MORPHF)
    space.testset("e", "A.txt", {"B": "B.txt"})
    space.write("more.en.txt", "walk walks walking\ntalk talks talking.\n")
    space.write("list.en.tsv", "walk\t3\nwalks\t2\nwalking\t1\ntalking\t1\ning\t9\n")
    signatures = {}
    for name, training in (
        ("reference", "reference"),
        ("texts", {"texts": ["more.{language}.txt"]}),
        ("list", {"list": "list.{language}.tsv"}),
    ):
        space.config["morphemes"] = {"training": training, "dampening": "none"}
        # Test sets of a language share a model of other texts.
        assert len(space.jobs()["morfessor"]) == (2 if name == "reference" else 1)
        space.snakemake("--quiet", "all")
        (signatures[name],) = set(space.table("scores/d.tsv")["signature"])
        assert f",training={name}#" in signatures[name]
    # The counts of the list are what the model was trained on: 3 + 2 + 1 + 1 + 9 words.
    models = (tmp_path / "results" / "models").glob("*/*/en.json")
    (model,) = [path for path in models if read_json(path)["boundaries"] == 16]
    shutil.copy(model, tmp_path / "mine.en.json")
    # A model of the user's own: nothing is trained. Marks are put on afterwards.
    space.config["morphemes"] = {"training": {"model": "mine.{language}.json"}, "boundary": "+"}
    assert "morfessor" not in space.jobs()
    space.snakemake("--quiet", "all")
    (signature,) = set(space.table("scores/d.tsv")["signature"])
    assert ",training=model,boundary=+#" in signature
    marked = sorted((tmp_path / "results" / "morphemes").glob("*/*/en/d/A-*.txt"))
    (with_mark,) = [path for path in marked if "+ " in path.read_text()]
    (words,) = (tmp_path / "results" / "words" / "moses-keep" / "d").glob("A-*.txt")
    for segment, parts in zip(read_segments(words), read_segments(with_mark), strict=True):
        found = groups(segment.split(), parts.split(), "+")
        assert ["".join(group) for group in found] == segment.split()


@needs_wrapper
def test_treetagger_is_verified_first(tmp_path: Path) -> None:
    table = "POSF: {family: F, layers: {pos: 1, lemma: 1}}\n"
    space = workspace(tmp_path / "one", table)
    home = stand_in(tmp_path / "one" / "treetagger", habit="dies")
    parameters = home / "lib" / "english.par"
    space.config["tags"] = {"en": {"tagger": "treetagger", "home": "treetagger"}}
    jobs = space.jobs()
    first = {"text", "words", "treetagger", "tags", "lemmas", "metrics", "chart_library"}
    assert set(jobs) == first | {"findings"} | AFTER
    assert len(jobs["treetagger"]) == 1
    program = home / "bin" / "tree-tagger"
    program.chmod(0o644)
    run = space.snakemake(check=False)
    assert run.returncode != 0
    assert "cannot run" in run.stderr
    assert not (space.folder / "results" / "tags").exists()
    program.chmod(0o755)
    parameters.write_text("habit: good\n")
    space.snakemake("--quiet", "all", "--", "all", "archive")
    assert space.jobs() == {}
    (facts,) = (space.folder / "results" / "taggers").glob("treetagger-*-en.json")
    found = read_json(facts)
    assert (found["program"], found["parameters"]) == (str(program), str(parameters))
    assert len(found["sha256"]) == 64
    signature = space.table("scores/d.tsv")["signature"][0]
    assert "|lemma:treetagger-2.3.english.par#" in signature
    # With the annotations of a bag nothing is tagged: the program need not be there.
    other = workspace(tmp_path / "two", table)
    other.config["tags"] = space.config["tags"]
    shutil.copytree(space.folder / "archive", other.folder / "archive")
    other.snakemake("--quiet", "all", "--", "restore")
    assert set(other.jobs()) == {"metrics", "chart_library", "findings"} | AFTER
