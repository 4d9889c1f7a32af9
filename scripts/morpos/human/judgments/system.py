"""A plain table of human scores, which are given and not computed."""

from morpos.human.judgments.ratings import RatingReader


class System(RatingReader):
    """One score a system."""

    headers = (frozenset({"system", "score"}),)
