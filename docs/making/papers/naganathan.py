"""Figures of Naganathan's thesis: Table I, and arms in motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.making.drawing import DASHES, MARKS, drawing
from docs.making.keeping import kept
from docs.making.measured import paper_rows

_ANALYSES = ("nonlinear", "linear", "quasi-static")


def table() -> str:
    """Ours over the thesis's number for every entry of its Table I."""
    rows = [row for row in paper_rows("naganathan") if row["id"].startswith("naganathan.table1.")]
    kinds = ("full", "reduced", "exact")
    with drawing("naganathan table", height=2.8) as made:
        for k, kind in enumerate(kinds):
            mine = [row for row in rows if f".{kind}." in row["id"]]
            apart = [100.0 * (row["value"] / row["paper"] - 1.0) for row in mine]
            made.axes.plot(
                [row["paper"] for row in mine], apart, MARKS[k], label=f"{kind} integration" if k < 2 else "exact"
            )
        for row in rows:
            if row["verdict"] == "differs":
                at = row["paper"], 100.0 * (row["value"] / row["paper"] - 1.0)
                made.axes.annotate(
                    row["id"].removeprefix("naganathan.table1."), at, xytext=(8, -3), textcoords="offset points"
                )
        made.axes.set(xscale="log", xlabel="number printed in Table I", ylabel="ours above it, %")
        made.axes.set_xticks([8, 10, 20, 50], ["8", "10", "20", "50"])
        made.axes.minorticks_off()
        made.axes.legend(loc="lower right")
    return made.svg


def turned() -> str:
    """Fig. 13: a link set turning, its tip and the quasi-static one."""
    data = kept("gallery turned link", _turned)
    with drawing("naganathan turned link", height=2.6) as made:
        for k, word in enumerate(("vibrating", "quasi-static")):
            made.axes.plot(data["time"], data[word], ls=DASHES[k], label=word)
        made.axes.set(xlabel="time, s", ylabel="tip across the link, mm", ylim=(-0.26, 0.06))
        made.axes.legend(loc="upper right", ncols=2)
    return made.svg


def _turned() -> dict[str, Any]:
    from flexarm.papers.naganathan_moving import turned_link
    from flexarm.papers.tip import across

    run, still = turned_link()
    tips = [1e3 * across(each, "upper arm") for each in (run, still)]
    return {
        "time": run.time.tolist(),
        "vibrating": tips[0].tolist(),
        "quasi-static": np.interp(run.time, still.time, tips[1]).tolist(),
    }


def coupling() -> str:
    """Figs. 21 to 23: the tip of two flexible links beside the rigid arm's, three analyses of one motion."""
    data = _errors("2r", _ANALYSES)
    with drawing("naganathan coupling", columns=2, height=2.9, sharex=True) as made:
        _drawn(made.axes, data, "xy")
        made.axes[0].legend(loc="lower left")
    return made.svg


def torque() -> str:
    """Fig. 24: the torque at the base of the flexible arm and of the rigid one."""
    data = kept("gallery torque", _torque)
    with drawing("naganathan torque", height=2.6) as made:
        for k, (word, label) in enumerate((("joint_torque", "flexible"), ("rigid_torque", "rigid"))):
            made.axes.plot(data["time"], data[word], ls=DASHES[k], label=label)
        made.axes.set(xlabel="time, s", ylabel="torque at the base, N m")
        made.axes.legend(loc="upper right")
    return made.svg


def _torque() -> dict[str, Any]:
    from flexarm.papers.naganathan_cases import case_run

    run = case_run("2r", "nonlinear")
    found = {name: run.signal(name, joint="upper arm")[::5].tolist() for name in ("joint_torque", "rigid_torque")}
    return {"time": run.time[::5].tolist(), **found}


def tubes() -> str:
    """Figs. 28 and 29: the tip of two steel tubes by three analyses."""
    data = _errors("tube", _ANALYSES)
    with drawing("naganathan tubes", columns=2, height=2.9, sharex=True) as made:
        _drawn(made.axes, data, "xy")
        made.axes[1].legend(loc="lower right")
    return made.svg


def servos() -> str:
    """Fig. 30: the tip's horizontal error with servos, and without them by linear analysis."""
    data = kept("gallery servos", _servos)
    with drawing("naganathan servos", height=2.6) as made:
        for k, word in enumerate(("with servos, nonlinear", "stiff joints, linear")):
            made.axes.plot(data["time"], data[word], ls=DASHES[k], label=word)
        made.axes.set(xlabel="time, s", ylabel="x of the tip's error, mm")
        made.axes.legend(loc="lower left")
    return made.svg


def _servos() -> dict[str, Any]:
    from flexarm.papers.naganathan_cases import case_run

    servo, bare = case_run("servo", "nonlinear"), case_run("2r", "linear")
    return {
        "time": servo.time[::5].tolist(),
        "with servos, nonlinear": (1e3 * servo.signal("point_error", point="tip", axis="x"))[::5].tolist(),
        "stiff joints, linear": np.interp(
            servo.time[::5], bare.time, 1e3 * bare.signal("point_deflection", point="tip", axis="x")
        ).tolist(),
    }


def spatial() -> str:
    """Figs. 41 and 42: the tip of the arm with three revolute joints, horizontally and vertically."""
    data = _errors("3r", ("nonlinear", "quasi-static"))
    with drawing("naganathan spatial", columns=2, height=2.9, sharex=True) as made:
        _drawn(made.axes, data, "xz")
        made.axes[1].legend(loc="lower right")
    return made.svg


def slider() -> str:
    """Fig. 43: the tip of the arm with a revolute and a prismatic joint, horizontally."""
    data = _errors("rp", ("nonlinear", "quasi-static"))
    with drawing("naganathan slider", height=2.6) as made:
        _drawn([made.axes], data, "x")
        made.axes.legend(loc="lower left")
    return made.svg


def _drawn(places: Any, data: dict[str, Any], axes: str) -> None:
    for axis, place in zip(axes, places, strict=True):
        words = [word for word in _ANALYSES if word in data]
        for k, word in enumerate(words):
            place.plot(data[word]["time"], data[word][axis], ls=DASHES[k], lw=1.3, label=word)
        place.set(xlabel="time, s", ylabel=f"{axis} of the tip's error, mm")


def _errors(name: str, analyses: tuple[str, ...]) -> dict[str, Any]:
    """The tip's errors (mm) of an arm of the thesis over time, by analyses."""

    def compute() -> dict[str, Any]:
        from flexarm.papers.naganathan_cases import case_run

        found: dict[str, Any] = {}
        for word in analyses:
            run = case_run(name, word)
            often = max(1, len(run.time) // 600)
            tip = {axis: 1e3 * run.signal("point_deflection", point="tip", axis=axis)[::often] for axis in "xyz"}
            found[word] = {"time": run.time[::often].tolist(), **{axis: each.tolist() for axis, each in tip.items()}}
        return found

    return kept(f"gallery errors {name}", compute)
