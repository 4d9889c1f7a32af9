"""Direct assessment: scores of single outputs.

It mixes in items that control the judges. The column itemType, as Appraise has it, tells them: TGT
(outputs) and CHK (outputs shown again) count, BAD (damaged) and REF do not.
"""

from morpos.human.judgments.base import Line
from morpos.human.judgments.ratings import RatingReader

_OUTPUTS, _CONTROLS = ("", "TGT", "CHK"), ("BAD", "REF")


class Direct(RatingReader):
    """A score of an output of one segment."""

    headers = (frozenset({"system", "score", "seg_id"}), frozenset({"system", "score", "segment"}))
    segment = ("seg_id", "segment")
    judge = ("rater", "judge")
    optional = ("itemType",)

    def skip_reason(self, line: Line) -> str:
        kind = line.get("itemType")
        if kind in _CONTROLS:
            return "lines: items that control the judges (itemType BAD or REF)"
        if kind not in _OUTPUTS:
            raise line.fault(
                f"itemType {kind!r}",
                "known are TGT and CHK, which count, and BAD and REF, which do not; rename it or "
                "remove the column",
            )
        return ""
