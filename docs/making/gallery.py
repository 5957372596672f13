"""The papers' cases as figures: what they print, where they print it, beside what flexarm computes now."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.making.drawing import COLOURS, DASHES, FAINT, MARKS, drawing, plain_ticks
from docs.making.keeping import kept
from docs.making.measured import paper_rows


def lipinski() -> str:
    """What the tip keeps shaking by over the braking time, with the times the paper names."""
    data = kept("gallery lipinski", _lipinski)
    with drawing("lipinski") as made:
        for k, c in enumerate(("1", "5")):
            made.axes.semilogy(data["times"], data[c], ls=DASHES[k], label=f"damper {c} N m s/rad")
        for time, word, side in ((0.509, "paper's best", "left"), (0.469, "paper's worst", "right")):
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


def _lipinski() -> dict[str, Any]:
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


def naganathan_table() -> str:
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


def naganathan_coupling() -> str:
    """The tip of two flexible links beside the rigid arm's: three analyses of one motion."""
    data = kept("gallery naganathan", _coupling)
    with drawing("naganathan coupling", columns=2, height=2.9, sharex=True) as made:
        for axis, place in enumerate(made.axes):
            for k, word in enumerate(("nonlinear", "linear", "quasi-static")):
                place.plot(data["time"], np.array(data[word])[:, axis], ls=DASHES[k], label=word)
            place.set(xlabel="time, s", ylabel=f"{'xy'[axis]} of the tip's error, mm")
        made.axes[0].legend(loc="lower left")
    return made.svg


def _coupling() -> dict[str, Any]:
    import flexarm as fa
    from flexarm.papers.files import paper_arm

    arm = paper_arm("naganathan_2r.toml")
    found: dict[str, Any] = {}
    for word in ("nonlinear", "linear", "quasi-static"):
        run = fa.simulate(arm, analysis=word, output=0.01)
        found |= {"time": run.time.tolist(), word: (1e3 * run.values("point_deflection")[:, 0, :2]).tolist()}
    return found


def hewang() -> str:
    """Where the tips of eight hundred random strips end, and the circle the paper has them in."""
    points = np.array(kept("gallery hewang", _hewang))
    centre, radius = (-0.025, 0.526), 0.015
    inside = np.hypot(points[:, 0] - centre[0], points[:, 1] - centre[1]) <= radius
    with drawing("hewang", height=2.7) as made:
        angle = np.linspace(0.0, 2.0 * np.pi, 181)
        made.axes.plot(*points[~inside].T, ".", ms=2.5, color=COLOURS[0], label=f"outside, {np.mean(~inside):.0%}")
        made.axes.plot(
            *points[inside].T, ".", ms=2.5, color=COLOURS[1], label=f"inside, {np.mean(inside):.0%}; paper 99.7 %"
        )
        made.axes.plot(centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle), color=COLOURS[6])
        made.axes.set(xlabel="x, m", ylabel="y, m", aspect="equal", xlim=(-0.32, 0.32), ylim=(0.36, 0.58))
        made.axes.legend(loc="lower center", markerscale=4)
    return made.svg


def _hewang() -> list[list[float]]:
    from flexarm.papers.files import paper_text
    from flexarm.studies.execution.hub_beams import HubBeams
    from flexarm.studies.parameters.study_model import parse_study

    study = parse_study(paper_text("hewang_random.toml"), "hewang_random.toml")
    lanes = HubBeams(study.nominal)
    times = np.array([2.0])
    lanes.settled(times)
    values = study.draw(2026, 0, 800)
    found = lanes.run(dict(zip(study.names, values.T, strict=True)), times)
    return [[float(x), float(y)] for x, y in found.tip[:, -1]]


def salinic() -> str:
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


def hermite_locking() -> str:
    """λ1 of a cantilever over its slenderness: four elements do not lock."""
    rows = [row for row in paper_rows("hermite") if row["id"].startswith("hermite.lambda1.")]
    spans = [int(row["id"].split(".s")[1].split(".")[0]) for row in rows]
    with drawing("hermite locking", height=2.6) as made:
        made.axes.semilogx(spans, [row["value"] for row in rows], "o-", label="4 elements")
        made.axes.axhline(3.5160153, color=COLOURS[2], ls="--", lw=1, label="slender beam, 3.5160")
        made.axes.set(xlabel="span over thickness", ylabel="ω₁ L² √(ρA/EI)")
        made.axes.legend(loc="lower right")
    return made.svg


def hermite_spin() -> str:
    """A link spun up: the printed model, which never stiffens, and the link as it is."""
    data = kept("gallery hermite", _spin)
    with drawing("hermite spin", height=2.8) as made:
        for k, word in enumerate(("as printed", "stiffened")):
            made.axes.plot(data["time"], data[word], ls=DASHES[1 - k], color=COLOURS[1 - k], label=word)
        made.axes.axhline(0.0, color=FAINT, lw=0.8, zorder=1)
        made.axes.set(xlabel="time, s", ylabel="tip across the link, mm")
        made.axes.legend()
    return made.svg


def _spin() -> dict[str, Any]:
    import flexarm as fa
    from flexarm.papers.files import paper_arm, with_model
    from flexarm.papers.hermite import lateral

    arm = paper_arm("hermite_link.toml")
    link = arm.links[0]
    arm = arm.changed(links=(link.changed(length=1.0, joint=link.joint.changed(motion="spin")),))
    found: dict[str, Any] = {}
    for word, changes in (
        ("as printed", {"elements": 4}),
        ("stiffened", {"elements": 8, "frames": "element", "stiffening": True}),
    ):
        run = fa.simulate(with_model(arm, **changes), end=1.0, output=2e-3)
        found |= {"time": run.time.tolist(), word: (1e3 * lateral(run)).tolist()}
    return found
