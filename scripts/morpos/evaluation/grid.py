"""What a grid of setups says, without believing what was chosen on the same data."""

from collections.abc import Sequence

from morpos.io.tables import Row

_GROUP = "group "


def choose_elsewhere(rows: Sequence[Row]) -> list[Row]:
    """Leave one group (year) out: choose setup and metric on the others, look at the one left out.

    Args:
        rows: tables by group of all setups: setup, table, systems, metric, mean, testsets.

    Returns:
        Per group: the setup and metric with the highest mean ρ on the other groups
        (mean_elsewhere), their mean on the group itself (mean_held_out), and the highest mean of
        any setup and metric there (best_held_out), which is in-sample and so too good.
    """
    means: dict[str, dict[tuple[str, str], tuple[float, float]]] = {}
    for row in rows:
        if row["table"].startswith(_GROUP) and row["systems"] == "all" and row["testsets"]:
            group = row["table"].removeprefix(_GROUP)
            key = (row["setup"], row["metric"])
            means.setdefault(group, {})[key] = (row["mean"], row["testsets"])
    found = []
    for held_out, own in means.items():
        others = [table for group, table in means.items() if group != held_out]
        if not others:
            continue
        elsewhere = {
            key: sum(table[key][0] * table[key][1] for table in others)
            / sum(table[key][1] for table in others)
            for key in own
            if all(key in table for table in others)
        }
        if not elsewhere:
            continue
        # The first of equals, rounded as correlations are: the default comes first.
        setup, metric = max(elsewhere, key=lambda key: round(elsewhere[key], 10))
        found.append(
            {
                "held_out": held_out,
                "setup": setup,
                "metric": metric,
                "mean_elsewhere": elsewhere[setup, metric],
                "mean_held_out": own[setup, metric][0],
                "best_held_out": max(mean for mean, _ in own.values()),
            }
        )
    return found
