"""Which of several commands to take, and the sentence that recommends it."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.results.engineering import percent, quantity
from flexarm.results.shape_study import CommandRow

# Arrivals that differ by less than this part are one.
_TOGETHER = 1e-3


def chosen_of(rows: Sequence[CommandRow], target: float) -> int | None:
    """The command within its bounds whose tip arrives first; None if that is the unshaped one.

    Where none settles in the time run: the shortest with no more residual than the target, else the one that leaves
    least; None if no command leaves less than the unshaped one. Where the arm is uncertain, the last arrival and what
    is left of the arms that may be count.
    """
    first = rows[0]
    arrivals = {i: time for i, row in enumerate(rows) if row.within and (time := arrival(row)) is not None}
    if first.kind == "unshaped" and first.beyond:
        arrivals.pop(0, None)
    if arrivals:
        earliest = min(arrivals.values())
        ties = [i for i, time in arrivals.items() if time <= earliest * (1.0 + _TOGETHER)]
        best = min(ties, key=lambda i: (rows[i].kind != "unshaped", _ratio(rows[i], first)))
        return None if rows[best].kind == "unshaped" else best

    def left(i: int) -> float:
        return _ratio(rows[i], first)

    able = [i for i, row in enumerate(rows) if row.kind != "unshaped" and row.within and left(i) < 1.0]
    good = [i for i in able if left(i) <= target]
    if good:
        return min(good, key=lambda i: (round(rows[i].duration or 0.0, 9), left(i)))
    return min(able, key=left, default=None)


def arrival(row: CommandRow) -> float | None:
    """When the tip has arrived for good (s): that of the last of the arms that may be, where there are such."""
    return row.robust_settled if row.robust is not None else row.settled


def _ratio(row: CommandRow, unshaped: CommandRow) -> float:
    """What a command leaves, of what the unshaped one does; of the arms that may be, where there are such."""
    if row.robust is not None and unshaped.robust:
        return row.robust / unshaped.robust
    return float("inf") if row.ratio is None else row.ratio


def advice_of(
    rows: Sequence[CommandRow], best: int | None, target: float, within: float = 1e-3, about: str = "target"
) -> str:
    """What to take, in a sentence or two; clear words where there is nothing."""
    near = f"within {quantity(within, 'm', 2)} of {'its target' if about == 'target' else 'where it comes to rest'}"
    if best is None:
        return _none(rows, near)
    unshaped, row = rows[0], rows[best]
    longer = (row.duration or 0.0) - (unshaped.duration or 0.0)
    change = f"{quantity(abs(longer), 's', 3)} {'longer' if longer >= 0.0 else 'shorter'}"
    ratio = _ratio(row, unshaped)
    left = f"{quantity(row.residual or 0.0, 'm', 3)}, {percent(row.ratio or 0.0, 2)} of the unshaped command"
    sentence = f"Take {row.name}: "
    arrived, other = arrival(row), arrival(unshaped)
    if arrived is not None:
        whose = "every arm within the ranges" if row.robust is not None else "the tip"
        sentence += f"{whose} stays {near} from {_seconds(arrived)} on, "
        sentence += "which it does not under the unshaped command in the time simulated" if other is None else ""
        sentence += "" if other is None else f"{quantity(other - arrived, 's', 3)} before the unshaped command"
        sentence += f". Its residual is {left}; the command takes {change}."
    else:
        sentence += (
            f"its residual is {left}, and it takes {change}. No command brings the tip {near} in the time simulated."
        )
    if row.robust is not None:
        sentence += (
            f" Over the arms within the ranges the residual is {quantity(row.robust, 'm', 3)}, {percent(ratio, 2)}."
        )
    if arrived is None and ratio > target:
        sentence += f" None reaches a residual of {percent(target, 2)}"
        sentence += "." if any(each.kind == "optimum" for each in rows) else ": try the optimum."
    return sentence


def _none(rows: Sequence[CommandRow], near: str) -> str:
    """Why nothing is recommended."""
    beyond = [row for row in rows if row.kind != "unshaped" and row.beyond]
    first, others = arrival(rows[0]), [row for row in rows[1:] if row.within and arrival(row) is not None]
    if first is not None:
        sentence = (
            f"Take none of them: the unshaped command arrives first, the tip stays {near} from {_seconds(first)} on"
        )
        if others:
            second = min(others, key=lambda row: arrival(row) or 0.0)
            sentence += f"; {second.name} is next, from {_seconds(arrival(second) or 0.0)} on"
        return sentence + "."
    if beyond:
        return (
            "No command was found that keeps the bounds and has less residual vibration than the unshaped one: "
            "try a longer max_duration, or larger bounds of torque and rate."
        )
    return "No command was found with less residual vibration than the unshaped one: try the optimum, or more modes."


def _seconds(time: float) -> str:
    return f"{time:.4g} s"
