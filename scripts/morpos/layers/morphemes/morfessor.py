"""The morpheme layer: Morfessor Baseline, trained on the reference that it then segments.

Sources: M. Creutz & K. Lagus, "Unsupervised discovery of morphemes", 2002, and "Unsupervised models
for morpheme segmentation and morphology learning", ACM TSLP 4(1), 2007; S. Virpioja, P. Smit,
S.-A. Grönroos & M. Kurimo, "Morfessor 2.0: Python implementation and extensions for Morfessor
Baseline", 2013, whose package does the training. Segmenting needs no package: `Model` holds the
numbers that the package's Viterbi search uses and takes the same decisions, many times faster.
"""

import math
import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io.files import json_text, read_json, sha256, write_text
from morpos.io.progress import track
from morpos.layers.morphemes.base import Segmenter

_FORMAT = "morpos-morphemes/1"

# How often a word counts in training that stands n times in the text (as in morfessor-train).
DAMPENING: dict[str, Callable[[int], int]] = {
    "none": lambda n: n,
    "log": lambda n: round(math.log(n + 1, 2)),
    "ones": lambda n: 1,
}

# Above this size the look-up tables of training would take over 256 MB; the package is slower
# without them, but no other.
TABLE_LIMIT = 4_000_000
# Parts of longer words could nest deeper than the stack allows.
_LENGTH_LIMIT = 5_000


@dataclass(frozen=True)
class MorfessorOptions:
    """What decides the morphemes, apart from the text.

    Raises:
        MorposError: a value is out of its range.
    """

    dampening: str = "ones"
    corpus_weight: float = 1.0
    finish_threshold: float = 0.005
    seed: int = 1
    addcount: float = 1.0
    maxlen: int = 30

    def __post_init__(self) -> None:
        _require(
            isinstance(self.dampening, str) and self.dampening in DAMPENING,
            f"dampening must be one of {', '.join(DAMPENING)}, not {self.dampening!r}",
        )
        for name, least in (("seed", None), ("maxlen", 1)):
            value = getattr(self, name)
            _require(
                type(value) is int and (least is None or value >= least),
                f"{name} must be a whole number{'' if least is None else ' from 1'}, not {value!r}",
            )
        for name in ("corpus_weight", "finish_threshold", "addcount"):
            value = getattr(self, name)
            _require(
                type(value) in (int, float) and 0 <= value < math.inf,
                f"{name} must be a number from 0, not {value!r}",
            )
            # 1 and 1.0 are the same option: the same signature, the same bytes in the file.
            object.__setattr__(self, name, float(value))
        _require(self.corpus_weight > 0, "corpus_weight must be above 0")


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise MorposError(f"morphemes: {message}")


class Model(Segmenter):
    """Splits words into morphemes. Made by `train` or `load`.

    A model without words (from an empty text) leaves every word whole; the package raises a
    ValueError there, but a test set with an empty reference must be scored like any other.
    """

    def __init__(
        self,
        options: MorfessorOptions,
        morphs: Mapping[str, int],
        boundaries: int,
        analyses: Mapping[str, Sequence[str]],
        version: str,
    ) -> None:
        """Take the result of training.

        Args:
            morphs: how often each morph occurs in the (dampened) training words.
            boundaries: the number of (dampened) training words.
            analyses: the morphs of every training word.
            version: the version of the package that trained.
        """
        self.options = options
        self.morphs = dict(sorted(morphs.items()))
        self.boundaries = boundaries
        self.analyses = {word: tuple(parts) for word, parts in sorted(analyses.items())}
        self.version = version
        self._cache: dict[str, tuple[str, ...]] = {"": ()}
        if self.morphs:
            self._prepare()

    def _prepare(self) -> None:
        """Compute all that Viterbi needs, each float as the package does, so that ties match."""
        extra, weight = self.options.addcount, self.options.corpus_weight
        types, letters = len(self.morphs), Counter("".join(self.morphs))
        self._log_total = math.log(sum(self.morphs.values()) + self.boundaries + extra)
        # The cost of a morph of the lexicon.
        self._known = {
            morph: self._log_total - math.log(count + extra) for morph, count in self.morphs.items()
        }
        # The parts of the cost of a morph that is not in the lexicon (see `_new_cost`).
        self._letter_logs = {letter: math.log(count) for letter, count in letters.items()}
        self._letter_total = letters.total()
        self._log_types = math.log(types + 1)
        self._growth = (types + extra) * math.log(types + extra) - types * math.log(types)
        self._entry = self._log_total - math.log(extra) if extra else math.inf
        # Two sums that estimate it: the estimate is by_length[n] less the weights of n letters.
        self._letter_weights = {letter: log / weight for letter, log in self._letter_logs.items()}
        self._by_length = [math.inf]

    def signature(self) -> dict[str, str]:
        """What decides the morphemes: segmenter, version and all options."""
        options = {name: str(value) for name, value in asdict(self.options).items()}
        return {"segmenter": "morfessor-baseline", "version": self.version, **options}

    def segment(self, word: str) -> list[str]:
        """The morphemes of a word, which join up to it; the empty word has none.

        A word of the training text gets the analysis that it got there, any other word the most
        probable one (Viterbi).
        """
        parts = self.analyses.get(word) or self._cache.get(word)
        if parts is None:
            parts = self._cache[word] = self._viterbi(word) if self.morphs else (word,)
        return list(parts)

    def _viterbi(self, word: str) -> tuple[str, ...]:
        """The cheapest split of a word; of equally cheap ones, that with the longest last morph.

        A morph outside the lexicon is priced exactly only where an estimate, which differs from
        the exact price by rounding only, says that it may win.
        """
        known, by_length, letter_weights = self._known, self._by_length, self._letter_weights
        maxlen = self.options.maxlen
        while len(by_length) <= min(len(word), maxlen):
            by_length.append(self._length_cost(len(by_length)))
        costs = [0.0]  # of the best split of word[:end]
        estimates = [0.0]  # the same plus the weights of the letters of word[:end]
        starts = [0]  # of the last morph in that split
        weights = 0.0
        for end, letter in enumerate(word, 1):
            weights += letter_weights.get(letter, 0.0)
            best = limit = math.inf
            best_start = 0
            # From short to long: short morphs are mostly known and rule out most of the others.
            for start in range(end - 1, max(0, end - maxlen) - 1, -1):
                morph = word[start:end]
                if morph in known:
                    cost = costs[start] + known[morph]
                elif estimates[start] + by_length[end - start] > limit:
                    continue
                else:
                    cost = costs[start] + self._new_cost(morph, word)
                if cost <= best:
                    best, best_start = cost, start
                    limit = (best + weights) * (1 + 1e-9)  # leaves room for rounding
            costs.append(best)
            estimates.append(best + weights)
            starts.append(best_start)
        parts = []
        end = len(word)
        while end:
            parts.append(word[starts[end] : end])
            end = starts[end]
        return tuple(reversed(parts))

    def _new_cost(self, morph: str, word: str) -> float:
        """The cost of adding a morph to the lexicon; without smoothing, single letters only.

        The order of the operations is the package's: `viterbi_segment`, `get_codelength`.
        """
        if not self.options.addcount:
            return len(word) * self._log_total + 1.0 if len(morph) == 1 else math.inf
        size = len(morph) + 1
        spelling = size * math.log(self._letter_total + size)
        spelling -= self._log_types
        for letter in morph:
            spelling -= self._letter_logs.get(letter, 0.0)
        return self._entry + (self._growth + spelling) / self.options.corpus_weight

    def _length_cost(self, length: int) -> float:
        """What `_new_cost` is for a morph of letters that all have the weight 0."""
        size = length + 1
        spelling = size * math.log(self._letter_total + size) - self._log_types
        return self._entry + (self._growth + spelling) / self.options.corpus_weight

    def save(self, path: str | Path) -> None:
        """Write the model as JSON: the same bytes for the same model."""
        write_text(path, self.text())

    def text(self) -> str:
        """What `save` writes."""
        return json_text(
            {
                "format": _FORMAT,
                "morfessor": self.version,
                "options": asdict(self.options),
                "boundaries": self.boundaries,
                "tokens": sum(self.morphs.values()),
                "morphs": self.morphs,
                "analyses": {word: " ".join(parts) for word, parts in self.analyses.items()},
            }
        )

    @classmethod
    def load(cls, path: str | Path) -> "Model":
        """Read what `save` wrote. (The package's own model files are pickles: never read.)

        Raises:
            MorposError: the file is missing or holds no such model.
        """
        data = read_json(path)
        try:
            return cls._from_json(data)
        except (KeyError, TypeError, AttributeError, MorposError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else error
            raise MorposError(
                f"{path} is not a morpheme model of this version ({reason}); "
                "delete it and train it again"
            ) from error

    @classmethod
    def _from_json(cls, data: Any) -> "Model":
        _require(isinstance(data, dict), "no JSON object")
        _require(data["format"] == _FORMAT, f"format is not {_FORMAT}")
        morphs, boundaries, version = data["morphs"], data["boundaries"], data["morfessor"]
        analyses = {word: text.split(" ") for word, text in data["analyses"].items()}
        _require(isinstance(version, str), "morfessor is not a version")
        _require(
            "" not in morphs and all(type(n) is int and n > 0 for n in morphs.values()),
            "morphs are not all text with a count",
        )
        _require(
            type(boundaries) is int
            and boundaries >= len(analyses)
            and bool(boundaries) == bool(analyses) == bool(morphs),
            "boundaries do not fit the analyses",
        )
        _require(data["tokens"] == sum(morphs.values()), "tokens are not the sum of the morphs")
        for word, parts in analyses.items():
            _require(
                "".join(parts) == word and morphs.keys() >= set(parts),
                f"the analysis of {word!r} does not fit",
            )
        options = MorfessorOptions(**data["options"])
        _require(asdict(options) == data["options"], "options are missing")
        return cls(options, morphs, boundaries, analyses, version)


def train(counts: Mapping[str, int], options: MorfessorOptions | None = None) -> Model:
    """Train a model on the words of a text with their counts.

    The same words give the same model, byte for byte, in whatever order they come. The empty word
    and words with a count below 1 are left out.

    Raises:
        MorposError: a word holds a space, which separates the units in every file.
    """
    import morfessor  # here, because segmenting needs none of it
    from morfessor.baseline import ConstrNode

    options = options or MorfessorOptions()
    dampen = DAMPENING[options.dampening]
    words = {word: dampen(counts[word]) for word in sorted(counts) if word and counts[word] > 0}
    for word in words:
        _require(" " not in word, f"the word {word!r} holds a space")
    model = morfessor.BaselineModel(corpusweight=options.corpus_weight)
    if words:
        trainer = speed_up(model, words)
        with _tracked(), _seeded(options.seed):
            model.load_data((count, word) for word, count in words.items())
            model.train_batch("recursive", finish_threshold=options.finish_threshold)
        if trainer:
            nodes = trainer.nodes().items()
            model._analyses = {part: ConstrNode(*node) for part, node in nodes}
    return Model(
        options,
        dict(model.get_constructions()),
        sum(words.values()),
        {word: model.segment(word) for word in words},
        morfessor.__version__,
    )


def c_trainer() -> Any:
    """The class in C, where it was built, and built from the source that lies here."""
    try:
        from morpos.layers.morphemes import _morfessor
    except ImportError:
        return None
    current = sha256(Path(__file__).with_name("_morfessor.c")) == _morfessor.SOURCE
    return _morfessor.Trainer if current else None


def trained_by() -> str:
    """What splits words in training, unless they are too many or too long: C or Python."""
    return "C" if c_trainer() else "Python"


def speed_up(model: Any, words: Mapping[str, int]) -> Any:
    """Replace the methods in which an empty BaselineModel spends its time in training.

    What replaces them does what the package does for unsupervised training, and every operation on
    a running sum in the same order, so that all costs are equal to the last bit and so are all
    decisions. But logarithms come from tables, and in C, where that was built, words are split and
    costs kept; without it, the cost of a change is worked out in place.

    Returns:
        What holds the analyses in place of the model, if anything does.
    """
    from morfessor.baseline import Encoding

    # No count can be higher: at most one morph for each letter, and one boundary for each word.
    size = 2 * sum(count * len(word) for word, count in words.items()) + 1
    if size > TABLE_LIMIT or max(map(len, words)) > _LENGTH_LIMIT:
        return None
    n_log_n = [n * math.log(n) if n > 1 else 0.0 for n in range(size)]
    log_factorial = [Encoding._logfactorial(n) for n in range(size)]
    if in_c := c_trainer():
        tables = array("d", n_log_n), array("d", log_factorial)
        weight = model._corpus_coding.weight
        trainer = in_c(list(words), list(words.values()), weight, *tables)
        numbers = {word: number for number, word in enumerate(words)}

        def optimise(word: str) -> list[str]:
            trainer.optimise(numbers[word])
            return [word]  # the package puts the parts into a log that is off

        model._recursive_optimize, model.get_cost = optimise, trainer.cost
        return trainer
    _speed_up_in_python(model, words, n_log_n, log_factorial)
    return None


def _speed_up_in_python(
    model: Any, words: Mapping[str, int], n_log_n: Sequence[float], log_factorial: Sequence[float]
) -> None:
    from morfessor.baseline import ConstrNode

    analyses, corpus, lexicon = model._analyses, model._corpus_coding, model._lexicon_coding
    # A plain dict is faster than the package's Counter; all letters of the words are in it.
    letters = lexicon.atoms = dict.fromkeys("".join(words), 0)
    kinds = len(letters)
    absent = ConstrNode(0, 0, 0)

    def get_cost() -> float:
        words, tokens, types = corpus.boundaries, corpus.tokens, lexicon.boundaries
        total, spelling = tokens + words, lexicon.tokens + types
        text_cost = n_log_n[total] - n_log_n[words] - corpus.logtokensum
        frequency_cost = (
            log_factorial[tokens - 1] - log_factorial[types - 1] - log_factorial[tokens - types]
        )
        lexicon_cost = (
            n_log_n[spelling] - n_log_n[types] - lexicon.logtokensum - log_factorial[types]
        )
        letter_cost = (
            log_factorial[spelling - 1] - log_factorial[kinds] - log_factorial[spelling - kinds - 1]
        )
        # The brackets keep the order of the package's additions.
        cost: float = (text_cost * corpus.weight + frequency_cost) + (lexicon_cost + letter_cost)
        return cost

    def change_count(part: str, change: int) -> None:
        root_count, count, split = analyses.get(part, absent)
        new_count = count + change
        if new_count:
            analyses[part] = ConstrNode(root_count, new_count, split)
        else:
            del analyses[part]
        if split:
            change_count(part[:split], change)
            change_count(part[split:], change)
            return
        corpus.tokens += change
        corpus.logtokensum = corpus.logtokensum - n_log_n[count] + n_log_n[new_count]
        if not count or not new_count:  # the part enters or leaves the lexicon
            step = 1 if new_count else -1
            lexicon.boundaries += step
            lexicon.tokens += step * len(part)
            log_sum = lexicon.logtokensum
            for letter in part:
                n = letters[letter]
                letters[letter] = n + step
                log_sum = log_sum - n_log_n[n] + n_log_n[n + step]
            lexicon.logtokensum = log_sum

    model.get_cost = get_cost
    model._modify_construction_count = change_count


@contextmanager
def _tracked() -> Iterator[None]:
    """Track each pass over the words in place of the package's own bar of dots."""
    from morfessor import baseline

    passes = count(1)
    before = baseline._progress
    baseline._progress = lambda words: track(words, f"Morfessor, pass {next(passes)} of about 6")
    try:
        yield
    finally:
        baseline._progress = before


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed the global random generator, which the package uses, and put it back afterwards."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)
