"""How do the frequencies change with the speed of rotation, and at which speeds are they its multiples?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analyses.contacts import left_out_remarks
from flexarm.analyses.modes.joint_states import Joints, JointStates, compiled_with
from flexarm.analyses.modes.names import numbered
from flexarm.analyses.modes.poles import Poles, poles_of
from flexarm.analyses.modes.small_motion import SmallMotion
from flexarm.analyses.modes.steady_rotation import first_revolute, motion_about_rotation, read_rate, spinning_joint
from flexarm.analyses.run.trust import bent_too_far
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import Posture, takes_arm
from flexarm.results import Campbell
from flexarm.results.campbell import Crossing

# Shapes less alike than this at neighbouring speeds ask for a speed between them, up to this number of halvings.
_ALIKE = 0.7
_HALVINGS = 5
# Below this likeness a mode counts as lost.
_LOST = 0.1
# Frequencies this near to one another (part of them) belong to modes of which any mixture is a mode too.
_EQUAL = 1e-6
# What is added to a mode's kind in its name: its number among its like, and its fate.
_NUMBER = re.compile(r" \d+(, flutter|, divergence)?$")


@takes_arm
def campbell(
    arm: Arm,
    *,
    spins: Any,
    joint: str | None = None,
    posture: Posture | None = None,
    joints: Joints = None,
    count: int = 6,
    orders: int = 4,
    progress: Callable[[float], None] | None = None,
) -> Campbell:
    """The lowest modes over the speed of a spinning joint, each tracked by its shape where frequencies cross.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    spins
        Speeds (rad/s, or texts such as "75 rpm") in a list or an array, or a tuple (from, to, how many).
    joint
        The spinning joint; default: the first revolute one.
    posture, joints
        As for `modes`. Free joints find their place at the highest speed and are tracked down to zero. Real poles that
        decay have no frequency: a mode that ends in them is lost there.
    count
        Number of modes.
    orders
        Critical speeds are sought for 1 to this multiple of the speed.
    progress
        Called with every speed that is done.

    Returns
    -------
    Campbell
        Frequencies (Hz) by speed and mode, and critical speeds.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.campbell("rod_handler.toml", spins=(0.0, 10.0, 3), count=1)
    >>> found.frequencies_hz.shape
    (3, 1)
    """
    speeds = _speeds(spins)
    if count < 1 or orders < 1:
        raise AnalysisError(f"count is {count} and orders is {orders}, must both be ≥ 1")
    compiled, states = compiled_with(arm, joints)
    spinning = first_revolute(arm) if joint is None else spinning_joint(arm, joint)

    free = states.free
    where = {name: compiled.coordinate_names.index(name) for name in compiled.joint_names if name != spinning}

    def look(speed: float, before: Look | None) -> Look:
        # without gravity a free joint would stay anywhere at standstill: it is sought where it was a little faster
        found_before = {name: float(before.q[where[name]]) for name in free if name in where} if before else {}
        found = _look(compiled, spinning, speed, {**(posture or {}), **found_before}, states, 4 * count + 16)
        if progress is not None:
            progress(speed)
        return found

    looks, tracks = _followed(speeds, look)
    squares = _along(looks, tracks, "squares")
    order = np.argsort(np.where(np.isnan(squares[0]), np.inf, squares[0]), kind="stable")[:count]
    squares, tracks = squares[:, order], tracks[:, order]
    kinds = [_commonest(looks, tracks[:, k]) for k in range(len(order))]
    omega = np.sqrt(np.maximum(squares, 0.0))
    fits = np.array([_southwell(speeds, squares[:, k]) for k in range(len(order))]).reshape(-1, 3)
    crossings = [
        Crossing(k, n, *found)
        for k in range(len(order))
        for n in range(1, orders + 1)
        for found in _crossings(speeds, squares[:, k], n)
    ]
    held = [name for name in where if states.states[name] == "locked"]
    units = dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True))
    return Campbell(
        spins=speeds,
        frequencies_hz=omega / (2.0 * np.pi),
        damping_ratios=_along(looks, tracks, "ratios"),
        growth_rates=_along(looks, tracks, "growth_rates"),
        names=tuple(numbered(kinds)),
        rest_hz=fits[:, 0],
        coefficients=fits[:, 1],
        misfits_hz=fits[:, 2],
        joint=spinning,
        crossings=tuple(sorted(crossings, key=lambda crossing: crossing.spin)),
        orders=orders,
        joints=states.word,
        joint_states=states.states,
        posture={name: float(looks[0].q[where[name]]) for name in held},
        posture_units={name: units[name] for name in held},
        arm_name=arm.name,
        remarks=(*_remarks(compiled, speeds, looks), *left_out_remarks(arm, states.moving)),
        arm=arm,
    )


def _speeds(spins: Any) -> Floats:
    """The speeds (rad/s), rising."""
    if isinstance(spins, tuple):
        if len(spins) != 3 or isinstance(spins[2], bool) or not isinstance(spins[2], int | np.integer) or spins[2] < 2:
            raise AnalysisError(
                f"spins is a tuple of {len(spins)}, must be (from, to, how many ≥ 2); speeds one by one stand in a list"
            )
        speeds = np.linspace(read_rate(spins[0], "spins: from"), read_rate(spins[1], "spins: to"), int(spins[2]))
    elif isinstance(spins, str) or not hasattr(spins, "__len__"):
        raise AnalysisError("spins is no list of speeds, must be a list, an array or a tuple (from, to, how many)")
    else:
        speeds = np.array([read_rate(spin, f"spins[{k}]") for k, spin in enumerate(spins)])
    if len(speeds) < 2 or np.any(np.diff(speeds) <= 0.0) or speeds[0] < 0.0:
        raise AnalysisError(
            "spins: there must be two speeds or more, rising and ≥ 0; the other way round frequencies are the same"
        )
    return speeds


# --- One speed -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Look:
    """The modes at one speed, with all that is needed to find them again at the next: none of them decays without
    swinging.
    """

    speed: float
    found: Poles
    chosen: np.ndarray  # which of the poles

    @property
    def q(self) -> Floats:
        """The coordinates of the arm."""
        return self.found.motion.state.q

    @property
    def mass(self) -> Floats:
        """The mass matrix of the moving coordinates."""
        motion = self.found.motion
        assert isinstance(motion, SmallMotion)
        return motion.mass

    @property
    def shapes(self) -> np.ndarray:
        """Shapes in columns."""
        return self.found.shapes[:, self.chosen]

    @property
    def squares(self) -> Floats:
        """ω² (1/s²), negative where a mode diverges."""
        values = self.found.values[self.chosen]
        return np.where(values.imag > 0.0, np.abs(values) ** 2, -(values.real**2))

    def of(self, name: str, k: int) -> float:
        """A field of the poles for mode k, or its square; NaN if it is lost (−1)."""
        if k < 0:
            return np.nan
        return float(self.squares[k] if name == "squares" else getattr(self.found, name)[self.chosen[k]])


# The modes at a speed (rad/s), given those at the speed before.
Seeing = Callable[[float, Look | None], Look]


def _look(
    compiled: CompiledArm,
    joint: str,
    speed: float,
    posture: Posture,
    joints: JointStates,
    count: int,
) -> Look:
    found = poles_of(motion_about_rotation(compiled, {joint: speed}, posture, joints), count)
    return Look(speed, found, np.flatnonzero([kind != "decay" for kind in found.kinds]))


# --- From speed to speed ---------------------------------------------------------------------------------------------


def _followed(speeds: Floats, look: Seeing) -> tuple[list[Look], np.ndarray]:
    """The modes at every speed, and which of them each track is there (speeds × tracks, −1: lost).

    From the highest speed down: at zero planes and rigid-body motions are often equal, and only rotation parts them.
    """
    looks = [look(float(speeds[-1]), None)]
    track = np.arange(len(looks[0].chosen))
    tracks = [track]
    shapes = looks[0].shapes
    for speed in speeds[-2::-1]:
        now = look(float(speed), looks[0])
        track, shapes = _step(looks[0], track, shapes, now, look, _HALVINGS)
        looks.insert(0, now)
        tracks.insert(0, track)
    return looks, np.array(tracks)


def _step(
    before: Look, track: np.ndarray, shapes: np.ndarray, now: Look, look: Seeing, halvings: int
) -> tuple[np.ndarray, np.ndarray]:
    """The tracks and their shapes at the next speed, by way of speeds between if shapes change too much."""
    moved = _aligned(now, shapes)
    near = alike(shapes, moved, now.mass)
    near[track < 0] = -1.0  # once lost, always lost
    best = _matched(near)
    likeness = np.where(best >= 0, near[np.arange(len(best)), best], 0.0)
    # modes at the upper end of what was looked at may have left it: only those in its lower half count
    lower = (track >= 0) & (track < max(1, len(before.chosen) // 2))
    if halvings and np.any(likeness[lower] < _ALIKE):
        between = look(0.5 * (before.speed + now.speed), before)
        track, shapes = _step(before, track, shapes, between, look, halvings - 1)
        return _step(between, track, shapes, now, look, halvings - 1)
    best = np.where((track >= 0) & (likeness > _LOST), best, -1)
    return best, np.where(best >= 0, moved[:, best], shapes)


def _matched(near: Floats) -> np.ndarray:
    """For every row the column most like it, each given away once, the most alike first; −1 where none is left."""
    left = near.copy()
    found = np.full(len(near), -1)
    for _ in range(min(near.shape)):
        row, column = np.unravel_index(int(np.argmax(left)), left.shape)
        if left[row, column] < 0.0:
            break
        found[row] = column
        left[row, :], left[:, column] = -1.0, -1.0
    return found


def _aligned(now: Look, shapes: np.ndarray) -> np.ndarray:
    """The shapes at a speed, those of equal frequency mixed so that they are as near as can be to the shapes before."""
    moved = now.shapes.astype(np.result_type(now.shapes, shapes))
    squares = now.squares
    begin = 0
    for k in range(1, len(squares) + 1):
        if k < len(squares) and abs(squares[k] - squares[k - 1]) <= _EQUAL * abs(squares[k]):
            continue
        group = moved[:, begin:k]
        facing = group.conj().T @ now.mass @ shapes
        chosen = np.sort(np.argsort(-np.sum(np.abs(facing) ** 2, axis=0), kind="stable")[: k - begin])
        if 1 < k - begin == len(chosen):
            left, _, right = np.linalg.svd(facing[:, chosen])
            moved[:, begin:k] = group @ left @ right
        begin = k
    return moved


def alike(one: np.ndarray, other: np.ndarray, mass: Floats) -> Floats:
    """How alike shapes are (columns × columns), from 0 to 1: the square of the cosine between them, measured by the
    mass.
    """
    crossed = np.abs(one.conj().T @ mass @ other) ** 2
    own = np.real(np.sum(one.conj() * (mass @ one), axis=0))
    others = np.real(np.sum(other.conj() * (mass @ other), axis=0))
    return np.asarray(crossed / (np.outer(own, others) + 1e-300))


# --- What the tracks show --------------------------------------------------------------------------------------------


def _along(looks: Sequence[Look], tracks: np.ndarray, name: str) -> Floats:
    """A field of the spectra (speeds × tracks)."""
    return np.array([[look.of(name, k) for k in row] for look, row in zip(looks, tracks, strict=True)])


def _commonest(looks: Sequence[Look], track: np.ndarray) -> str:
    """What a mode is at most speeds; rotation shows more than standstill."""
    kinds = [look.found.names[look.chosen[k]] for look, k in zip(looks, track, strict=True) if k >= 0]
    plain = [_NUMBER.sub("", name) for name in kinds]
    return Counter(plain[::-1]).most_common(1)[0][0]


def _southwell(speeds: Floats, squares: Floats) -> tuple[float, float, float]:
    """ω0 (Hz), a and the largest error (Hz) of ω² = ω0² + a Ω² by least squares; NaN from fewer than two speeds."""
    known = np.isfinite(squares)
    if np.count_nonzero(known) < 2:
        return np.nan, np.nan, np.nan
    x, y = speeds[known] ** 2, squares[known]
    # speeds measured by the highest: both columns are of order one
    columns = np.column_stack([np.ones_like(x), x / x[-1]])
    (rest, rise), *_ = np.linalg.lstsq(columns, y, rcond=None)
    fitted = np.sqrt(np.maximum(columns @ [rest, rise], 0.0))
    errs = float(np.max(np.abs(fitted - np.sqrt(np.maximum(y, 0.0))))) / (2.0 * np.pi)
    # a remainder of rounding counts as nothing
    size = float(np.max(np.abs(y)))
    rest, errs = rest * (abs(rest) > 1e-9 * size), errs * (errs > 1e-9 * np.sqrt(size))
    return (float(np.sqrt(rest)) / (2.0 * np.pi) if rest >= 0.0 else np.nan), float(rise / x[-1]), errs


def _crossings(speeds: Floats, squares: Floats, order: int) -> list[tuple[float, float]]:
    """Speeds (rad/s) and frequencies (Hz) at which ω = order · Ω, interpolated.

    ω² is nearly straight over Ω²: a cubic through the four speeds around a crossing leaves next to nothing.
    """
    known = np.flatnonzero(np.isfinite(squares))
    x, y = speeds[known] ** 2, squares[known]
    above = y - order**2 * x
    found = []
    for k in range(len(x) - 1):
        if not above[k] * above[k + 1] < 0.0 and not (above[k + 1] == 0.0 and y[k + 1] > 0.0):
            continue
        first = min(max(k - 1, 0), max(len(x) - 4, 0))
        near = slice(first, first + 4)
        low, high = x[k], x[k + 1]
        for _ in range(60):
            middle = 0.5 * (low + high)
            value = _through(x[near], y[near], middle) - order**2 * middle
            low, high = (middle, high) if value * above[k] > 0.0 else (low, middle)
        speed = float(np.sqrt(0.5 * (low + high)))
        found.append((speed, order * speed / (2.0 * np.pi)))
    return found


def _through(x: Floats, y: Floats, at: float) -> float:
    """The value at a place of the polynomial through the points (Lagrange)."""
    value = 0.0
    for j in range(len(x)):
        others = np.delete(x, j)
        value += y[j] * float(np.prod((at - others) / (x[j] - others)))
    return value


def _remarks(compiled: CompiledArm, speeds: Floats, looks: Sequence[Look]) -> tuple[str, ...]:
    """Remarks on the model's range at the first speed at which there is anything."""
    for speed, look in zip(speeds, looks, strict=True):
        remarks = bent_too_far(compiled, look.q[None, :])
        if remarks:
            return tuple(f"from {speed:.4g} rad/s on {sentence}" for sentence in remarks)
    return ()
