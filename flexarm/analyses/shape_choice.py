"""Which of several commands to take, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.results.engineering import percent, quantity
from flexarm.results.shape_study import CommandRow


def chosen_of(rows: Sequence[CommandRow], target: float) -> int | None:
    """The shortest command within its bounds that leaves no more than the target, else the one that leaves least.

    Where the arm is uncertain, what the arms that may be leave of the unshaped residual counts. None if no command
    leaves less than the unshaped one.
    """
    first = rows[0]

    def left(i: int) -> float:
        return _ratio(rows[i], first)

    able = [i for i, row in enumerate(rows) if row.kind != "unshaped" and row.within and left(i) < 1.0]
    good = [i for i in able if left(i) <= target]
    if good:
        return min(good, key=lambda i: (round(rows[i].duration or 0.0, 9), left(i)))
    return min(able, key=left, default=None)


def _ratio(row: CommandRow, unshaped: CommandRow) -> float:
    """What a command leaves, of what the unshaped one does; of the arms that may be, where there are such."""
    if row.robust is not None and unshaped.robust:
        return row.robust / unshaped.robust
    return float("inf") if row.ratio is None else row.ratio


def advice_of(rows: Sequence[CommandRow], best: int | None, target: float) -> str:
    """What to take, in a sentence or two; clear words where there is nothing."""
    unshaped = rows[0]
    if best is None:
        beyond = [row for row in rows if row.kind != "unshaped" and row.beyond]
        if beyond:
            return (
                "No command was found that keeps the bounds and leaves less vibration than the unshaped one: "
                "try a longer max_duration, or larger bounds of torque and rate."
            )
        return "No command was found that leaves less vibration than the unshaped one: try the optimum, or more modes."
    row = rows[best]
    longer = (row.duration or 0.0) - (unshaped.duration or 0.0)
    change = f"{quantity(abs(longer), 's', 3)} {'longer' if longer >= 0.0 else 'shorter'}"
    ratio = _ratio(row, unshaped)
    left = f"{quantity(row.residual or 0.0, 'm', 3)}, {percent(row.ratio or 0.0, 2)} of the unshaped command"
    said = f"Take {row.name}: it leaves {left}, and takes {change}."
    if row.robust is not None:
        said += f" The arms that may be leave {quantity(row.robust, 'm', 3)}, {percent(ratio, 2)}."
    if ratio > target:
        said += f" None leaves as little as {percent(target, 2)}"
        said += "." if any(each.kind == "optimum" for each in rows) else ": try the optimum."
    return said
