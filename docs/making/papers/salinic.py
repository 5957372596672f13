"""Figures of the bar-chain paper: a beam spun up, and one driven by a torque."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.making.drawing import COLOURS, DASHES, drawing
from docs.making.keeping import kept
from docs.making.measured import paper_rows

_FIGURES = {"0.6": 4, "2": 5, "4": 6, "8": 7}
_WAYS = {"printed": "chain as printed", "finite": "finite rotations"}


def lags() -> str:
    """How far the tip lags while the beam is spun up: the printed chain, and the beam of finite rotations."""
    rows = {row["id"]: row["value"] for row in paper_rows("salinic")}
    rates = ("0.6", "2", "4", "8")
    with drawing("salinic", height=2.8) as made:
        places = np.arange(len(rates))
        for k, (word, label) in enumerate((("printed.n2", "chain as printed"), ("finite", "finite rotations"))):
            peaks = [rows[f"salinic.spinup.{word}.peak_m.w{rate}"] for rate in rates]
            bars = made.axes.bar(places + 0.4 * k - 0.2, peaks, 0.38, label=label, color=COLOURS[1 - k])
            made.axes.bar_label(bars, fmt="%.3f", fontsize=8)
        made.axes.set_xticks(places, [f"{rate} rad/s" for rate in rates])
        made.axes.set(ylabel="greatest lag of the tip, m")
        made.axes.legend(loc="upper left")
        made.axes.grid(axis="x", visible=False)
    return made.svg


def spin_up(*rates: str) -> str:
    """Figs. 4 to 7: the tip's deflection while and after the beam is spun up."""
    data = kept("gallery salinic spin-up", _spin_up)
    with drawing(f"salinic spin-up {' '.join(rates)}", columns=len(rates), height=2.7) as made:
        for rate, place in zip(rates, made.axes, strict=True):
            for k, (word, label) in enumerate(_WAYS.items()):
                place.plot(
                    data[rate]["time"], data[rate][word], ls=DASHES[1 - k], color=COLOURS[1 - k], lw=1.2, label=label
                )
            place.set(xlabel="time, s", ylabel="tip across the beam, m", title=f"{_FIGURES[rate]}: {rate} rad/s")
        made.axes[0].legend(loc="lower right")
    return made.svg


def _spin_up() -> dict[str, Any]:
    from flexarm.analyses.run.simulate import simulate
    from flexarm.papers.salinic import as_printed, converged, spun_up_to
    from flexarm.papers.tip import across

    found: dict[str, Any] = {}
    for rate in _FIGURES:
        arm = spun_up_to(float(rate))
        runs = {"printed": simulate(as_printed(arm)), "finite": simulate(converged(arm))}
        found[rate] = {word: across(run, "beam")[::10].tolist() for word, run in runs.items()}
        found[rate]["time"] = runs["finite"].time[::10].tolist()
    return found


def torque() -> str:
    """Figs. 8 and 9: tip and hub of the beam driven by a torque."""
    data = kept("gallery salinic torque", _torque)
    with drawing("salinic torque", columns=2, height=2.7) as made:
        for place, what, label, title in zip(
            made.axes,
            ("tip", "angle"),
            ("tip across the beam, m", "angle of the hub, rad"),
            ("8: tip", "9: hub"),
            strict=True,
        ):
            for k, (word, name) in enumerate(_WAYS.items()):
                place.plot(data["time"], data[word][what], ls=DASHES[1 - k], color=COLOURS[1 - k], lw=1.2, label=name)
            place.set(xlabel="time, s", ylabel=label, title=title)
        made.axes[1].legend(loc="lower right")
    return made.svg


def _torque() -> dict[str, Any]:
    from flexarm.papers.salinic import torqued
    from flexarm.papers.tip import across

    found: dict[str, Any] = {}
    for word, run in zip(_WAYS, torqued().values(), strict=True):
        angle = run.signal("joint_position", joint="beam")
        found[word] = {"tip": across(run, "beam").tolist(), "angle": angle.tolist()}
        found["time"] = run.time.tolist()
    return found
