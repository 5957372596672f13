"""Samples of a beam on a hub, 3 modes, 2 s, tip within 1e-6 m: compiled lanes beside scripts in NumPy and SciPy.

The equations are the printed ones of assumed modes; lengths, masses and stiffnesses differ from sample to sample.
SciPy's LSODA runs sample after sample, the NumPy script all samples at once by the classic method of order four. Every
side has the loosest setting with which none of its first thousand samples errs by more.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from benchmarks import ours
from benchmarks.timing import cpu_seconds

TITLE = "Samples of a hub with three modes, 2 s, tip within 1e-6 m"
MODES, END, ERROR = 3, 2.0, 1e-6
TARGETS = {"own": 50_000, "NumPy": 25, "LSODA": 1000}
LANES, BATCH, SINGLE = 16_000, 1000, 5  # samples of each side
ROUNDS = 5
Vector = NDArray[np.float64]
# He and Wang's strip: density, length, width, height and the deviations of each
MEAN = np.array([7800.0, 0.53, 0.032, 8.5e-4])
DEVIATION = np.array([10.0, 1e-3, 1e-4, 1e-5])


def _numbers(values: Vector, unit: dict[str, Vector]) -> tuple[Vector, ...]:
    """J, c, ω², N, mass and length of samples (m, 4)."""
    density, length, width, height = values.T
    mass = density * width * height * length
    stiffness = 2.22e11 * width * height**3 / 12
    square = unit["square"][:, None] * stiffness / (mass * length**3)
    lever = unit["lever"][:, None] * np.sqrt(mass) * length
    return 1.46e-2 + mass * length**2 / 3, lever, square, unit["second_order"], mass, length


def _slope(t: float, y: Vector, inertia: Vector, lever: Vector, square: Vector, second: Vector) -> Vector:
    n = MODES
    q, rate = y[1 : n + 1], y[n + 1]
    force = rate**2 * (second @ q) - square * q
    alpha = (1 - t - (lever * force).sum(axis=0)) / (inertia - (lever**2).sum(axis=0))
    return np.concatenate([y[n + 1 :], alpha[None], force - lever * alpha])


def _tip(y: Vector, mass: Vector, length: Vector, unit: dict[str, Vector]) -> Vector:
    q = y[1 : MODES + 1]
    across = unit["tip"] @ q / np.sqrt(mass)
    drawn = np.einsum("im,ij,jm->m", q, unit["tip_drawn"], q) / (mass * length)
    place = np.exp(1j * y[0]) * (length - drawn / 2 + 1j * across)
    return np.stack([place.real, place.imag], axis=1)


def _by_numpy(values: Vector, unit: dict[str, Vector], steps: int) -> Vector:
    """Tips (m, 2) at the end, all samples at once."""
    inertia, lever, square, second, mass, length = _numbers(values, unit)
    y, h = np.zeros((2 * MODES + 2, len(values))), END / steps
    slope = partial(_slope, inertia=inertia, lever=lever, square=square, second=second)
    for k in range(steps):
        a = slope(k * h, y)
        b = slope((k + 0.5) * h, y + h / 2 * a)
        c = slope((k + 0.5) * h, y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + slope((k + 1) * h, y + h * c))
    return _tip(y, mass, length, unit)


def _by_scipy(values: Vector, unit: dict[str, Vector], rtol: float) -> Vector:
    """The same, one after the other by LSODA."""
    tips = []
    for row in values:
        inertia, lever, square, second, mass, length = _numbers(row[None], unit)
        slope = partial(_slope, inertia=inertia[0], lever=lever[:, 0], square=square[:, 0], second=second)
        still = np.zeros(2 * MODES + 2)
        found = solve_ivp(slope, (0.0, END), still, method="LSODA", rtol=rtol, atol=1e-3 * rtol)
        tips.append(_tip(found.y[:, -1:], mass, length, unit)[0])
    return np.array(tips)


def measure() -> dict:
    """Samples per second of CPU time of each, its error and the ratios."""
    rng = np.random.default_rng(5)
    values = MEAN + DEVIATION * rng.standard_normal((LANES, 4))
    lanes = {tolerance: ours.hub_beams(MODES, END, tolerance) for tolerance in (1e-6, 5e-7, 2.5e-7)}
    unit = lanes[1e-6][1]
    exact = _by_numpy(values[:BATCH], unit, 16_384)
    sides = {
        ours.NAME: [(f"lanes, tolerance {each:g} m", LANES, run) for each, (run, _) in lanes.items()],
        "NumPy, all at once": [
            (f"RK4, {steps} steps", BATCH, partial(_by_numpy, unit=unit, steps=steps)) for steps in (1024, 2048, 3072)
        ],
        "SciPy, one by one": [
            (f"LSODA, rtol {rtol:g}", SINGLE, partial(_by_scipy, unit=unit, rtol=rtol)) for rtol in (1e-5, 1e-6, 1e-7)
        ],
    }
    rows = []
    for name, candidates in sides.items():
        for words, count, each in candidates:
            error = float(np.max(np.abs(each(values[: min(count, BATCH)]) - exact[: min(count, BATCH)])))
            if error <= ERROR:
                seconds = min(cpu_seconds(partial(each, values[:count])) for _ in range(ROUNDS))
                rows.append({"who": name, "settings": words, "error_m": error, "samples_per_second": count / seconds})
                break
    own = rows[0]["samples_per_second"]
    for row, target in zip(rows, TARGETS.values(), strict=False):
        ratio = own if row["who"] == ours.NAME else own / row["samples_per_second"]
        row |= {"ratio": ratio, "target": target, "met": ratio >= target}
    return {"title": TITLE, "unit": "samples/s", "rows": rows}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["who", "settings", "largest error", "samples/s of CPU", "flexarm is", "target"]]
    for row in result["rows"]:
        own = row["who"] == ours.NAME
        times = "" if own else f"{row['ratio']:.0f} times faster"
        goal = f"≥ {row['target']}{'/s' if own else ' times'}, {'met' if row['met'] else 'missed'}"
        figures = [f"{row['error_m']:.1e} m", f"{row['samples_per_second']:.0f}"]
        rows.append([row["who"], row["settings"], *figures, times, goal])
    return rows
