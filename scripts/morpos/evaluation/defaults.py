"""Resampling defaults: how many resamples, and the random seed.

They are not in `morpos.evaluation.resampling` because its imports take longer than a command that
only offers these options.
"""

#: sacreBLEU's default.
SEED = 12345
#: Enough for Holm over 300 pairs: the smallest p is 1/10001, and 300 times that is below .05.
SAMPLES = 10_000
