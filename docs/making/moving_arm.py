"""The picture of the README and of the guide's first page: one arm that brakes in two ways, as a small animated SVG.

    python -m docs.making.moving_arm        writes docs/arm.svg anew

Everything in it is computed: the starter arm of `flexarm new planar` with its own braking time and with the one that
`flexarm brake` finds. Bending is drawn larger by a factor that the picture names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

import flexarm as fa
from docs.making.keeping import ROOT
from flexarm.cli.verbs.new import starter

PLACE = ROOT / "docs" / "arm.svg"
ENLARGED = 6  # times, so that 20 mm on two metres are seen
SLOWED = 2  # times: 4 Hz are too fast to follow
BEGIN, FRAMES_PER_SECOND = 0.45, 30.0  # s; both of the run
SECONDS = SLOWED * (2.5 - BEGIN)  # of the picture
PANEL, ARM_HEIGHT, CURVE_HEIGHT, TOP = 380.0, 262.0, 64.0, 46.0  # px
SCALE, BASE = 136.0, (170.0, 286.0)  # px/m; where the base stands in its panel, px
CURVE_LEFT, CURVE_RIGHT = 56.0, 12.0
_STYLE = """
.card{fill:#fbfcfd;stroke:#d7dde3}text{font:13px system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:#1b2431}
.b{font-weight:600;font-size:14px}.s{font-size:11px;fill:#5b6775}.rigid{stroke:#8b97a4;stroke-width:1.4;
stroke-dasharray:5 4}.link{stroke-linecap:round;stroke-linejoin:round}.joint,.base{fill:#1b2431}.load{fill:#d1570a}
.axis{stroke:#c9d0d7}.bad{stroke:#d1570a}.good{stroke:#0068a8}.curve{stroke-width:1.6}.now{stroke:#5b6775}path,line{fill:none}
@media(prefers-color-scheme:dark){.card{fill:#141a21;stroke:#2c3642}text{fill:#e6ebf0}.s{fill:#9aa7b4}
.joint,.base{fill:#e6ebf0}.axis{stroke:#3a4552}.bad{stroke:#ff8a3d}.good{stroke:#56b4e9}.load{fill:#ff8a3d}}
"""


class Motion(NamedTuple):
    """One run as drawn: times of its frames (s), the bent and the unbent line (m), the deflection of the tip (m)."""

    times: np.ndarray
    bent: np.ndarray
    unbent: np.ndarray
    joints: tuple[int, ...]  # points of the line at which links begin, and the last one
    curve_times: np.ndarray
    across: np.ndarray
    braking_time: float
    residual: float


def motions() -> tuple[Motion, Motion]:
    """The starter arm with its own braking time, and with the best one."""
    arm = fa.parse_arm(starter("planar"))
    found = fa.brake(arm)
    assert found.best is not None
    better = arm.with_("motion.turn.braking_time", found.best.time)
    return _motion(arm, found.given), _motion(better, found.best)


def _motion(arm: fa.Arm, point: object) -> Motion:
    run = fa.simulate(arm)
    kept = run.values("frame_time")
    wanted = np.arange(BEGIN, kept[-1], 1.0 / FRAMES_PER_SECOND)
    corner, distance = run.values("line_corner").astype(bool), run.values("line_distance")
    owner = run.labels("line_link")
    corners = run.values("line_corner_position")
    unbent = np.zeros((len(kept), len(owner), 3))
    unbent[:, corner] = corners
    where = np.flatnonzero(corner)
    for begin, end in pairwise(where):
        for j in range(begin + 1, end):
            part = (distance[j] - distance[begin]) / (distance[end] - distance[begin])
            unbent[:, j] = (1.0 - part) * unbent[:, begin] + part * unbent[:, end]
    bend = run.values("line_deflection")
    begins = [j for j, name in enumerate(owner) if j == 0 or owner[j - 1] != name]
    last = unbent[:, -1] - unbent[:, begins[-1]]
    normal = np.stack([-last[:, 1], last[:, 0]], axis=1) / np.linalg.norm(last[:, :2], axis=1)[:, None]
    across = (bend[:, -1, :2] * normal).sum(axis=1)
    shown = kept >= BEGIN
    return Motion(
        wanted,
        _at(wanted, kept, unbent + ENLARGED * bend),
        _at(wanted, kept, unbent),
        (*begins, len(owner) - 1),
        kept[shown],
        across[shown],
        float(point.time),  # type: ignore[attr-defined]
        float(point.residual),  # type: ignore[attr-defined]
    )


def _at(wanted: np.ndarray, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    flat = values.reshape(len(times), -1)
    found = np.stack([np.interp(wanted, times, column) for column in flat.T], axis=1)
    return found.reshape(len(wanted), *values.shape[1:])


def drawn(pair: tuple[Motion, Motion]) -> str:
    """The SVG of two motions side by side."""
    width, height = 2 * PANEL, TOP + ARM_HEIGHT + CURVE_HEIGHT + 30
    largest = max(float(np.abs(each.across).max()) for each in pair)
    words = (
        f"A flexible arm brakes in {pair[0].braking_time:.2f} s and shakes; braked in {pair[1].braking_time:.3f} s it "
        "comes to rest."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{words}">',
        f"<title>{words}</title><style>{_STYLE}</style>",
        f'<rect class="card" x=".5" y=".5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>',
    ]
    titles = (
        (f"Braked in {pair[0].braking_time:.2f} s", f"the tip then swings over {1e3 * pair[0].residual:.0f} mm", "bad"),
        (
            f"Braked in {pair[1].braking_time:.3f} s",
            f"found by flexarm brake: {1e3 * pair[1].residual:.1f} mm remain",
            "good",
        ),
    )
    for index, (motion, (title, below, look)) in enumerate(zip(pair, titles, strict=True)):
        parts.append(f'<g transform="translate({index * PANEL:g} 0)">')
        parts.append(f'<text class="b" x="16" y="24">{title}</text><text class="s" x="16" y="41">{below}</text>')
        parts += _arm(motion, look)
        parts += _curve(motion, look, largest)
        parts.append("</g>")
    note = f"bending drawn {ENLARGED} times larger, at half speed; dashed: the same arm with rigid links"
    parts.append(f'<text class="s" x="{width / 2:g}" y="{height - 9:g}" text-anchor="middle">{note}</text></svg>')
    return "\n".join(parts) + "\n"


def _arm(motion: Motion, look: str) -> list[str]:
    """The moving arm of one panel."""
    x0, y0 = BASE[0], BASE[1]
    parts = [f'<rect class="base" x="{x0 - 11:g}" y="{y0 - 4:g}" width="22" height="14" rx="2"/>']
    ends = [motion.unbent[:, j] for j in motion.joints]
    parts.append(_path([_line([each[k] for each in ends]) for k in range(len(motion.times))], "rigid"))
    for number, (begin, end) in enumerate(pairwise(motion.joints)):
        frames = [_line(_thinned(line[begin : end + 1])) for line in motion.bent]
        parts.append(_path(frames, f"link {look}", f' stroke-width="{(9, 6)[number]}"'))
    for number, j in enumerate(motion.joints):
        look, radius = ("load", 8) if number == len(motion.joints) - 1 else ("joint", 6)
        places = [_place(line[j]) for line in motion.bent]
        parts.append(_circle(places, radius, look))
    return parts


def _thinned(points: np.ndarray) -> np.ndarray:
    """Every third point and the last: enough for a line of a hundred pixels."""
    return np.concatenate([points[:-1:3], points[-1:]])


def _curve(motion: Motion, look: str, largest: float) -> list[str]:
    """The deflection of the tip over time, with a line that moves with the arm."""
    left, right = CURVE_LEFT, PANEL - CURVE_RIGHT
    middle = TOP + ARM_HEIGHT + CURVE_HEIGHT / 2
    span = motion.curve_times[-1] - motion.curve_times[0]
    x = left + (motion.curve_times - motion.curve_times[0]) / span * (right - left)
    y = middle - motion.across / largest * CURVE_HEIGHT / 2
    step = max(1, len(x) // 170)
    line = "M" + " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[::step], y[::step], strict=True))
    return [
        f'<line class="axis" x1="{left:g}" x2="{right:g}" y1="{middle:g}" y2="{middle:g}"/>',
        f'<text class="s" x="{left - 6:g}" y="{middle - CURVE_HEIGHT / 2 + 4:.1f}" text-anchor="end">'
        f"{1e3 * largest:.0f} mm</text>",
        f'<text class="s" x="{left - 6:g}" y="{middle + 4:g}" text-anchor="end">tip</text>',
        f'<path class="curve {look}" d="{line}"/>',
        f'<line class="now" y1="{middle - CURVE_HEIGHT / 2:g}" y2="{middle + CURVE_HEIGHT / 2:g}" x1="{left:g}" '
        f'x2="{left:g}">{_animated("x1", [f"{left:g}", f"{right:g}"])}'
        f"{_animated('x2', [f'{left:g}', f'{right:g}'])}</line>",
    ]


def _place(point: np.ndarray) -> tuple[float, float]:
    return BASE[0] + SCALE * float(point[0]), BASE[1] - SCALE * float(point[1])


def _line(points: Sequence[np.ndarray] | np.ndarray) -> str:
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in map(_place, points))


def _path(frames: list[str], look: str, more: str = "") -> str:
    return f'<path class="{look}"{more} d="{frames[0]}">{_animated("d", frames)}</path>'


def _circle(places: list[tuple[float, float]], radius: float, look: str) -> str:
    xs, ys = ([f"{place[k]:.1f}" for place in places] for k in (0, 1))
    inner = "" if len(set(xs + ys)) == 2 else _animated("cx", xs) + _animated("cy", ys)
    return f'<circle class="{look}" r="{radius:g}" cx="{xs[0]}" cy="{ys[0]}">{inner}</circle>'


def _animated(name: str, values: list[str]) -> str:
    return f'<animate attributeName="{name}" dur="{SECONDS:g}s" repeatCount="indefinite" values="{";".join(values)}"/>'


if __name__ == "__main__":
    PLACE.write_text(drawn(motions()), encoding="utf-8")
    print(f"{PLACE.relative_to(ROOT)}: {PLACE.stat().st_size / 1e3:.0f} kB")
