"""How much of a tag counts: all of it, its main part, or the universal part of speech.

The tables follow the conversion tables of Universal Dependencies and, for tag sets that those do
not know, the Universal Part-of-Speech Tagset of Petrov, Das and McDonald (LREC 2012). They see the
tag alone, not the word, so they are approximations: English IN is always ADP, Czech tags know no
determiners, and so on.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from morpos.errors import MorposError
from morpos.layers.tags.base import Tagger

GRANULARITIES = ("full", "coarse", "universal")

# The universal tag by what a tag begins with; the longest beginning decides.
_Table = dict[str, str]


def _table(text: str) -> _Table:
    """Lines of a universal tag and the beginnings that become it."""
    lines = [line.split() for line in text.strip().split("\n")]
    return {beginning: tag for tag, *beginnings in lines for beginning in beginnings}


_PENN = _table("""
    ADJ    JJ AFX
    ADP    IN RP
    ADV    RB WRB
    AUX    MD
    CCONJ  CC
    DET    DT PDT WDT
    INTJ   UH
    NOUN   NN
    NUM    CD
    PART   POS TO
    PRON   EX PRP WP
    PROPN  NNP
    PUNCT  ' `` " ( ) , . : - HYPH NFP
    SYM    # $ SYM
    VERB   VB
    X      ADD FW GW LS XX
""")

# TreeTagger's variant of Penn has be, do and have apart.
_TREETAGGER_ENGLISH = _PENN | _table("""
    AUX    VB VD VH
    PRON   PP
    PROPN  NP
    PUNCT  SENT
    SCONJ  IN/that
    VERB   VV
""")

# The tags of the British National Corpus, which HanTa gives.
_BNC = _table("""
    ADJ    AJ ORD
    ADP    IN PRF PRP
    ADV    AV
    AUX    VB VD VH VM
    CCONJ  CJC
    DET    AT DT
    INTJ   ITJ
    NOUN   NN
    NUM    CRD
    PART   POS TO XX
    PRON   DPS EX PN
    PROPN  NP
    PUNCT  PU !
    SCONJ  CJS CJT
    VERB   VV
    X      UNC ZZ
""")

# STTS, with case, number and gender behind a stop (RDR) or the form in parentheses (HanTa).
_GERMAN = _table("""
    ADJ    ADJ
    ADP    APPO APPR APZR PTKVZ
    ADV    ADV PAV PROAV PWAV
    AUX    VA VM
    CCONJ  KOKOM KON
    DET    ART PDAT PIAT PIDAT PPOSAT PRELAT PWAT
    INTJ   ITJ
    NOUN   NN
    NUM    CARD
    PART   PTK
    PRON   PDS PIS PPER PPOSS PRELS PRF PWS
    PROPN  NE NNE
    PUNCT  $
    SCONJ  KOUI KOUS
    VERB   VV
    X      FM TRUNC XY
""")

# The French Treebank, with its details (RDR) or not, and the tags of Stein (TreeTagger).
_FRENCH = _table("""
    ADJ    A ADJ
    ADP    P PRP
    ADV    ADV
    CCONJ  C CC C-C KON
    DET    D
    INTJ   I INT
    NOUN   N NOM
    NUM    A-card D-card NUM PRO-card
    PRON   CL PRO
    PROPN  NAM NP N-P
    PUNCT  PONCT PUN SENT
    SCONJ  CS C-S
    SYM    SYM
    VERB   V
    X      ABR ET PREF
""")

# EAGLES (RDR), whose tags all hold a digit or are listed whole, and TreeTagger's own tags.
_SPANISH = _table("""
    ADJ    AO AQ ORD ADJ
    ADP    SP PAL PDEL PREP
    ADV    RG RN ADV NEG
    AUX    VA VS VE VH
    CCONJ  CC
    DET    DA DD DE DI DP DT ART PPO QU
    INTJ   I ITJN
    NOUN   NC NN NMEA NMON UMMX ACRNM W
    NUM    Z CARD
    PRON   P0 PD PE0 PI PP PR PT PX DM INT REL SE
    PROPN  NP
    PUNCT  F BACKSLASH CM COLON DASH DOTS LP QT RP SEMICOLON SLASH
    SCONJ  CS CQUE
    SYM    SYM PERCT
    VERB   VM VL VCLI
    X      _ ALF CODE FO PE PNC
""") | {"FS": "PUNCT"}

# The positional tags of the Prague Dependency Treebank.
_CZECH = _table("""
    ADJ    A
    ADP    R
    ADV    D
    AUX    Vc
    CCONJ  J
    INTJ   I
    NOUN   N
    NUM    C
    PART   T
    PRON   P
    PUNCT  Z
    SCONJ  J,
    VERB   V
    X      X
""")

_TABLES: dict[str, _Table] = {
    "cs": _CZECH,
    "de": _GERMAN,
    "en": _PENN,
    "en hanta": _BNC,
    "en treetagger": _TREETAGGER_ENGLISH,
    "es": _SPANISH,
    "fr": _FRENCH,
}

#: all 17
UNIVERSAL = frozenset(chain.from_iterable(table.values() for table in _TABLES.values()))

# The main part of a tag, matched at its start.
_MAIN = {
    "cs": re.compile(r".."),  # part of speech and its kind
    "de": re.compile(r"\$.|[^.(]+"),  # STTS
    "en": re.compile(r"[A-Z]{2}|.+"),  # NN of NNS and NNP, VB of VBD
    "es": re.compile(r"..(?=.*\d)|[A-Z/]+|.+"),  # two letters of EAGLES; VL of VLfin
}
_MAIN_ELSEWHERE = re.compile(r".[^.(:-]*")  # up to punctuation: N of N-C-ms, VER of VER:infi


def coarse(tag: str, language: str) -> str:
    """The main part of a tag, without features; docs/taggers.md says what that is in each set."""
    head = tag.split("|")[0] or tag
    match = _MAIN.get(language, _MAIN_ELSEWHERE).match(head)
    return head if head in UNIVERSAL or not match else match.group()


def universal(tag: str, language: str, tagger: str = "") -> str | None:
    """The universal part of speech, None if the table for the tag's set does not hold it.

    Args:
        tag: a tag of any set; one that is universal (with features or not) stays
        language: ISO 639-1 code
        tagger: who gave it; some taggers have a tag set of their own

    Raises:
        MorposError: there is no table for the language.
    """
    head = tag.split("|")[0] or tag
    if head in UNIVERSAL:
        return head
    if head == "CONJ":  # before version 2 of Universal Dependencies
        return "CCONJ"
    table = _TABLES.get(f"{language} {tagger}", _TABLES.get(language))
    if table is None:
        raise MorposError(
            f"no table gives the universal tag for {tag!r} in language {language!r}, only in "
            f"{', '.join(key for key in _TABLES if ' ' not in key)}; choose a model that gives "
            "universal tags itself, such as UniPOS/UD_... of the tagger 'rdr'"
        )
    beginnings = (head[:size] for size in range(len(head), 0, -1))
    return next((table[beginning] for beginning in beginnings if beginning in table), None)


class GranularTagger(Tagger):
    """Another tagger, whose tags are cut down to a granularity.

    Args:
        tagger: gives full tags
        language: ISO 639-1 code
        granularity: one of `GRANULARITIES`
    """

    def __init__(self, tagger: Tagger, language: str, granularity: str) -> None:
        self.language = language
        self._tagger = tagger
        self._granularity = granularity
        self._name = tagger.signature()["tagger"]
        #: tags without a universal one, which became "X", and how often
        self.unmapped: Counter[str] = Counter()

    def signature(self) -> dict[str, str]:
        """That of the tagger, and the granularity."""
        return self._tagger.signature() | {"granularity": self._granularity}

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The tagger's tags, each cut down by itself.

        Raises:
            MorposError: of the tagger; or there is no table of universal tags for the language.
        """
        tags = self._tagger.tag(sentences)
        if self._granularity == "full":
            return tags
        return ([self._reduce(tag) for tag in sentence] for sentence in tags)

    def language_check(self, sentences: Iterable[Sequence[str]]) -> str:
        """The tagger's."""
        return self._tagger.language_check(sentences)

    def lemmatise(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The tagger's lemmas: the granularity of the tags is nothing to them."""
        return self._tagger.lemmatise(sentences)

    def _reduce(self, tag: str) -> str:
        if self._granularity == "coarse":
            return coarse(tag, self.language)
        found = universal(tag, self.language, self._name)
        if found is None:
            self.unmapped[tag] += 1
        return found or "X"
