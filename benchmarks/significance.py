"""All pairs × all metrics against sacreBLEU's paired tests of one pair by BLEU, in CPU time.

sacreBLEU gets the word layers of two systems, so that no tokeniser runs. Its time is linear in the
number of resamples: it is measured with 10 and 1,000 and extrapolated. OMP_NUM_THREADS=1 counts.

    python benchmarks/significance.py --metrics METRICS.yaml --counts COUNTS.npz ... \
      --reference WORDS.txt --outputs WORDS.txt WORDS.txt
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from morpos.evaluation.defaults import SAMPLES
from morpos.evaluation.resampling import collect_statistics
from morpos.evaluation.significance import approximate_randomisation, paired_bootstrap
from morpos.io.files import read_segments
from morpos.scoring import counts_files
from morpos.scoring.metrics import read_table


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--metrics", required=True)
    parser.add_argument("--counts", nargs="+", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--outputs", nargs=2, required=True)
    args = parser.parse_args()
    counted = collect_statistics(
        counts_files.scored(counts_files.load(args.counts)), read_table(args.metrics)
    )
    n = len(counted.systems)
    tests = n * (n - 1) // 2 * len(counted.metrics)
    reference = read_segments(args.reference)
    outputs: list[tuple[str, Sequence[str]]]
    outputs = [(path, read_segments(path)) for path in args.outputs]

    def theirs(kind: str, samples: int) -> None:
        metric = {"BLEU": BLEU(tokenize="none", force=True)}
        PairedTest(outputs, metric, [reference], test_type=kind, n_samples=samples)()

    for kind, run in (("bs", paired_bootstrap), ("ar", approximate_randomisation)):
        ours = seconds(partial(run, counted, SAMPLES))
        few, many = (seconds(partial(theirs, kind, samples)) for samples in (10, 1000))
        other = few + (many - few) * (SAMPLES - 10) / 990
        print(
            f"{kind}: {tests} tests in {ours:.2f} s, sacreBLEU 1 test in {other:.2f} s, "
            f"ratio a test {other * tests / ours:.0f}"
        )


if __name__ == "__main__":
    main()
