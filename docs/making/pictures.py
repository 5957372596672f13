"""Figures that the build draws: by name, from what flexarm computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from docs.making.drawing import COLOURS, DASHES, FAINT, MARKS, drawing, plain_ticks
from docs.making.keeping import ROOT, kept
from docs.making.measured import comparison
from docs.making.papers import PAPER_PICTURES
from docs.making.sketches import sketch


def convergence(*models: str) -> str:
    """Error of the tip over elements and over cost: the named models in colour, all the others behind them."""
    found = comparison()
    rows = [row for row in found["rows"] if row["status"] == "ok"]
    with drawing(f"convergence {' '.join(models)}", columns=2, height=3.1, sharey=True) as made:
        by_elements, by_cost = made.axes
        for model in dict.fromkeys(row["model"] for row in rows):
            chosen = model in models
            index = models.index(model) if chosen else 0
            look: dict[str, Any] = {"color": FAINT, "zorder": 1}
            if chosen:
                look = {"color": COLOURS[index], "marker": MARKS[index], "label": model, "zorder": 3}
            mine = [row for row in rows if row["model"] == model]
            errors = [1e6 * row["tip_error"] for row in mine]
            by_elements.loglog([row["elements"] for row in mine], errors, **look)
            by_cost.loglog([1e3 * row["cpu_seconds"] for row in mine], errors, **look)
        by_elements.set(xlabel="elements a link", ylabel="greatest error of the tip, µm")
        by_elements.set_xticks([2, 4, 8, 16], ["2", "4", "8", "16"])
        by_elements.minorticks_off()
        by_cost.set(xlabel="CPU time of the run, ms")
        by_cost.minorticks_off()
        by_cost.legend(loc="upper right", handles=by_elements.get_legend_handles_labels()[0])
    return made.svg


def first_run() -> str:
    """The tip of the rod handler: how far it is from where the rigid arm has it."""
    data = kept("first run", _first_run)
    with drawing("first run") as made:
        made.axes.plot(data["time"], data["deflection"])
        made.axes.axvline(data["stop"], color=COLOURS[1], ls="--", lw=1)
        made.axes.annotate(
            "stopped", (data["stop"], made.axes.get_ylim()[1]), xytext=(4, -10), textcoords="offset points"
        )
        made.axes.set(xlabel="time, s", ylabel="deflection of the tip, mm")
    return made.svg


def _first_run() -> dict[str, Any]:
    import flexarm as fa

    run = fa.simulate(fa.read_arm(ROOT / "examples" / "rod_handler.toml"))
    apart = np.linalg.norm(run.values("point_deflection")[:, 0], axis=-1)
    return {"time": run.time.tolist(), "deflection": (1e3 * apart).tolist(), "stop": run.info["last_switch"]}


def campbell() -> str:
    """Frequencies of the blade over its speed, and multiples of the speed."""
    data = kept("campbell", _campbell)
    spins = np.array(data["spins"])
    with drawing("campbell") as made:
        for k, name in enumerate(data["names"]):
            made.axes.plot(spins, np.array(data["frequencies"])[:, k], label=name, ls=DASHES[k % len(DASHES)])
        for order in range(1, 5):
            made.axes.plot(spins, order * spins / (2 * np.pi), color=FAINT, lw=1, zorder=1)
            made.axes.annotate(f"{order}×", (spins[-1], order * spins[-1] / (2 * np.pi)), fontsize=8)
        made.axes.set(xlabel="speed, rad/s", ylabel="frequency, Hz", ylim=(0, None))
        made.axes.legend()
    return made.svg


def _campbell() -> dict[str, Any]:
    import flexarm as fa

    arm = fa.read_arm(ROOT / "examples" / "blade.toml")
    diagram = fa.campbell(arm, spins=(0.0, 120.0, 25), count=2)
    frequencies = diagram.frequencies_hz.tolist()
    return {"spins": diagram.spins.tolist(), "names": list(diagram.names), "frequencies": frequencies}


def _residuals(example: str, low: float, high: float) -> dict[str, Any]:
    import flexarm as fa

    study = fa.brake(fa.read_arm(ROOT / "examples" / example), (low, high), points=161)
    assert study.best is not None
    return {
        "times": study.times.tolist(),
        "residuals": (1e3 * study.residuals).tolist(),
        "best": [study.best.time, 1e3 * study.best.residual],
        "given": [study.given.time, 1e3 * study.given.residual],
    }


def braking() -> str:
    """Residual vibration of the rod handler versus its braking time."""
    data = kept("braking", lambda: _residuals("rod_handler.toml", 0.4, 0.6))
    with drawing("braking") as made:
        made.axes.semilogy(data["times"], data["residuals"], color=COLOURS[0])
        made.axes.plot(*data["best"], "o", color=COLOURS[2], label=f"best, {data['best'][0]:.4f} s")
        made.axes.plot(*data["given"], "s", color=COLOURS[1], label=f"as in the model, {data['given'][0]:.3f} s")
        made.axes.set(xlabel="braking time, s", ylabel="residual vibration, mm")
        plain_ticks(made.axes, (0.2, 0.5, 1, 2, 5))
        made.axes.legend(loc="lower right")
    return made.svg


PICTURES: dict[str, Callable[..., str]] = {
    "convergence": convergence,
    "sketch": sketch,
    "first-run": first_run,
    "campbell": campbell,
    "braking": braking,
    **PAPER_PICTURES,
}
