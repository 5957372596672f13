"""Figures of Lipiński's paper: the braking of a planar and of a spatial arm."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.making.drawing import COLOURS, DASHES, FAINT, drawing, plain_ticks
from docs.making.keeping import kept

# Damper (N m s/rad) and braking times (s) of the paper's Figs. 8 and 9.
_CASES = {"c5": (5.0, (0.507, 0.466), "8"), "c1": (1.0, (0.509, 0.469), "9")}
# Range of the tip's y (mm) that the paper prints for Fig. 10.
_PRINTED = (0.12, 3.0)


def residuals() -> str:
    """What the tip keeps shaking by over the braking time, with the times the paper names."""
    data = kept("gallery lipinski", _residuals)
    with drawing("lipinski") as made:
        for k, c in enumerate(("1", "5")):
            made.axes.semilogy(data["times"], data[c], ls=DASHES[k], label=f"damper {c} N m s/rad")
        for time, word, side in ((0.509, "paper's best", "left"), (0.469, "paper's other time", "right")):
            made.axes.axvline(time, color=COLOURS[1], ls=":", lw=1.2)
            shift = (3 if side == "left" else -3, 0)
            made.axes.annotate(word, (time, 0.25), shift, textcoords="offset points", fontsize=8.5, ha=side)
        for k in (5, 6):
            made.axes.axvline(k * data["period"], color=COLOURS[2], lw=0.8)
            made.axes.annotate(
                f"{k} periods", (k * data["period"], 3.9), xytext=(3, 0), textcoords="offset points", fontsize=8.5
            )
        made.axes.set(xlabel="braking time, s", ylabel="range of the tip's y after the stop, mm")
        plain_ticks(made.axes, (0.1, 0.2, 0.5, 1, 2, 5))
        made.axes.legend(loc="lower left", bbox_to_anchor=(0.12, 0.0))
    return made.svg


def _residuals() -> dict[str, Any]:
    import flexarm as fa
    from flexarm.papers.files import paper_arm

    arm = paper_arm("lipinski_planar.toml")
    found: dict[str, Any] = {"period": float(1.0 / fa.modes(arm, count=1).frequencies_hz[0])}
    for c in ("1", "5"):
        rod = arm.links[-1]
        damped = arm.changed(links=(*arm.links[:-1], rod.changed(damping={"per_spring": float(c)})))
        study = fa.brake(damped, (0.39, 0.53), points=141, residual="y", window=0.5, explain=False)
        found |= {"times": study.times.tolist(), c: (1e3 * study.residuals).tolist()}
    return found


def springs(case: str) -> str:
    """Figs. 8 and 9: the angle of the first spring over time, by the longer and the shorter braking time."""
    _, times, number = _CASES[case]
    data = kept(f"gallery springs {case}", lambda: _springs(case))
    with drawing(f"lipinski springs {case}", columns=2, height=2.7, sharey=True) as made:
        for letter, dt, place, run in zip("ab", times, made.axes, data, strict=True):
            place.plot(run["time"], run["angle"], lw=1.1)
            for edge, word in ((run["stop"] - dt, "B"), (run["stop"], "C")):
                place.axvline(edge, color=FAINT, lw=1, zorder=1)
                place.annotate(
                    word, (edge, 1.0), xytext=(3, -9), xycoords=("data", "axes fraction"), textcoords="offset points"
                )
            place.set(xlabel="time, s", title=f"{number}{letter}: braking within {dt} s")
        made.axes[0].set(ylabel="angle of the first spring, mrad", ylim=(-0.95, 1.25))
    return made.svg


def _springs(case: str) -> list[dict[str, Any]]:
    from flexarm.papers.lipinski_planar import planar_run

    found = []
    for dt in _CASES[case][1]:
        run, stop = planar_run(_CASES[case][0], dt)
        angle = 1e3 * run.signal("elastic_position", coordinate="rod.bending_z1")
        found.append({"time": run.time[::5].tolist(), "angle": angle[::5].tolist(), "stop": stop})
    return found


def tip() -> str:
    """Fig. 10: the tip's height after the stop, in one scale, beside the ranges the paper prints."""
    data = kept("gallery tip", _tip)
    with drawing("lipinski tip", columns=2, height=2.7, sharey=True) as made:
        for letter, dt, printed, place, run in zip("ab", (0.509, 0.469), _PRINTED, made.axes, data, strict=True):
            place.axhspan(-0.5 * printed, 0.5 * printed, color=COLOURS[1], alpha=0.2, label=f"paper, {printed} mm")
            place.plot(run["time"], run["height"], lw=1.1, label=f"flexarm, {run['range']:.2f} mm")
            place.set(xlabel="time, s", title=f"10{letter}: braking within {dt} s")
            place.legend(loc="upper right")
        made.axes[0].set(ylabel="tip's y about its end, mm", ylim=(-2.2, 3.0))
    return made.svg


def _tip() -> list[dict[str, Any]]:
    from flexarm.papers.lipinski_planar import planar_run, tip_range

    found = []
    for dt in (0.509, 0.469):
        run, stop = planar_run(1.0, dt)
        after = run.time >= stop
        height = 1e3 * run.signal("point_position", point="tip", axis="y")[after]
        end = 0.5 * (np.max(height[-800:]) + np.min(height[-800:]))
        found.append({"time": run.time[after].tolist(), "height": (height - end).tolist(), "range": tip_range(1.0, dt)})
    return found


def spatial(joint: str) -> str:
    """Figs. 12 and 13: an angle of the first spring of the spatial arm's rod, by both readings of its segments."""
    data = kept(f"gallery spatial {joint}", lambda: _spatial(joint))
    number = {"j6": "12", "j7": "13"}[joint]
    with drawing(f"lipinski spatial {joint}", columns=2, height=2.7, sharey=True) as made:
        for letter, dt, place in zip("ab", ("2.0", "1.9"), made.axes, strict=True):
            for k, (word, label) in enumerate((("9", "nine segments"), ("10", "ten segments"))):
                run = data[word][dt]
                place.plot(run["time"], run["angle"], ls=DASHES[k], lw=1.2, label=label)
            place.axvline(data["9"][dt]["stop"], color=FAINT, lw=1, zorder=1)
            place.set(xlabel="time, s", title=f"{number}{letter}: braking within {dt} s")
        made.axes[0].set_ylabel(f"joint {joint[1]}, mrad")
        made.axes[0].legend(loc="lower left" if joint == "j7" else "best")
    return made.svg


def _spatial(joint: str) -> dict[str, Any]:
    from flexarm.papers.lipinski_spatial import JOINTS, TIMES, spatial_run

    found: dict[str, Any] = {}
    for segments in (9, 10):
        found[str(segments)] = {}
        for dt in TIMES:
            run, stop = spatial_run(segments, dt)
            angle = 1e3 * run.signal("elastic_position", coordinate=JOINTS[joint])
            found[str(segments)][str(dt)] = {"time": run.time[::4].tolist(), "angle": angle[::4].tolist(), "stop": stop}
    return found
