"""A plain table of pairs of outputs with their ranks."""

from morpos.human.judgments.rankings import RankingReader


class Pairwise(RankingReader):
    """Tab-separated; a file is one task."""

    headers = (frozenset({"system1", "system2", "rank1", "rank2"}),)
    segment = ("segment",)
    judge = ("judge",)
    segment_needed = False
    outputs = ("system{}", "rank{}")
