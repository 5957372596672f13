"""Equilibrium of an arm whose joints stick, rest on stops or have play in their gears (NOTATION F1–F6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from flexarm.analyses.drives import balanced_to, integrating, torques_of
from flexarm.analyses.equilibrium import Forces, State
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.tree.types import (
    C_GAP,
    C_LOAD,
    C_LOWER,
    C_STATIC,
    C_STIFFNESS,
    C_UPPER,
    S_K,
    S_REST,
    W_COORD,
    W_DRIVEN,
    W_LAW,
    Floats,
)
from flexarm.errors import AnalysisError

# A joint that slides stops where friction just holds it; a run that begins there must find that it does.
_JUST = 1.0 - 1e-7
_MOST_CHANGES = 60


@dataclass
class Rest:
    """An equilibrium: the state, the residual left, iterations, and what friction and stops give (N m, N) by joint;
    `slid`: the coordinates of joints that do not stick where they start.
    """

    state: State
    residual: float
    iterations: int
    friction: dict[int, float] = field(default_factory=dict)
    stops: dict[int, float] = field(default_factory=dict)
    slid: tuple[int, ...] = ()


def at_rest(compiled: CompiledArm, state: State, t: float = 0.0, *, hold: np.ndarray | None = None) -> Rest:
    """Where the arm rests from a state: joints with dry friction stay where they are if it holds them, else they slide
    until it does; no joint goes beyond its stops.

    As `balanced_to`, which it is where no joint has friction, stops or play.
    """
    held = (compiled.driven if hold is None else hold).copy()
    commands = compiled.commands
    upright = {int(commands.servo_coordinate[j]) for j in integrating(compiled)}
    rows = [
        (int(place[W_COORD]), row, int(place[W_LAW]))
        for place, row in zip(commands.contact_place, commands.contact, strict=True)
        if not place[W_DRIVEN] and not held[place[W_COORD]]
    ]
    if not rows:
        return Rest(*balanced_to(compiled, state, t, hold=hold))
    dry = {c: (row, law) for c, row, law in rows if row[C_STATIC] + row[C_LOAD] > 0.0 and c not in upright}
    stuck = set(dry)
    slid: list[int] = []
    resting: dict[int, float] = {}  # on rigid stops: the side
    pressed: dict[int, float] = {}  # on stops that give way, and on flanks of gears
    extra = np.zeros_like(state.q)
    for _ in range(_MOST_CHANGES):
        now, begin, push = _with_stops(compiled, rows, pressed), state.q.copy(), extra.copy()
        mask = held.copy()
        mask[list(stuck | set(resting))] = True
        for c, row, _law in rows:
            if c in resting:
                begin[c] = row[C_UPPER] if resting[c] > 0.0 else row[C_LOWER]
            if c in pressed:
                limit = row[C_UPPER] if pressed[c] > 0.0 else row[C_LOWER]
                push[c] += row[C_STIFFNESS] * (limit - compiled.tree.spring[c, S_REST])
        start = State(begin, state.v, state.a, state.tau)
        try:
            found, residual, count = balanced_to(now, start, t, hold=mask, extra=push)
        except AnalysisError:
            met = _led_to(now, start, t, rows, mask, resting.keys() | pressed.keys())
            if met is None:
                raise
            c, row, side = met
            (pressed if row[C_STIFFNESS] > 0.0 else resting)[c] = side
            continue
        friction, stops = _withstood(now, found, t, stuck, set(resting))
        change = _changed(rows, dry, found.q, stuck, resting, pressed, friction, stops)
        if change is None:
            kept = {c: value for c, value in friction.items() if c in stuck} | {c: extra[c] for c in slid}
            return Rest(found, residual, count, kept, stops, tuple(slid))
        c, what = change
        if what == "slide":
            stuck.discard(c)
            slid.append(c)
            extra[c] = np.sign(friction[c]) * _JUST * abs(_most(now, found, t, c, *dry[c]))
        elif what == "leave":
            resting.pop(c, None)
            pressed.pop(c, None)
        else:
            row = next(row for k, row, _law in rows if k == c)
            (pressed if row[C_STIFFNESS] > 0.0 else resting)[c] = 1.0 if what == "upper" else -1.0
    raise AnalysisError(
        "no equilibrium found: joints go on changing between sticking, sliding and their stops; try another posture"
    )


def _with_stops(compiled: CompiledArm, rows: list[tuple[int, Floats, int]], pressed: dict[int, float]) -> CompiledArm:
    """The same arm with the springs of the stops it rests on; gears within their play have none."""
    spring = compiled.tree.spring.copy()
    for c, row, _law in rows:
        if c in pressed and not row[C_GAP]:
            spring[c, S_K] += row[C_STIFFNESS]
    if np.array_equal(spring, compiled.tree.spring):
        return compiled
    return replace(
        compiled, tree=compiled.tree._replace(spring=spring), spatial=compiled.spatial._replace(spring=spring)
    )


def _led_to(
    compiled: CompiledArm,
    state: State,
    t: float,
    rows: list[tuple[int, Floats, int]],
    held: np.ndarray,
    met: Collection[int],
) -> tuple[int, Floats, float] | None:
    """The joint that nothing but a stop can bring to rest, its numbers and the side it is led to; None if there is
    none.
    """
    needed = Forces(without_servos(compiled), t).inverse(state.q, state.v, state.a)
    for c, row, law in rows:
        pull = _given(compiled, state, t, c, law) - float(needed[c])
        limit = row[C_UPPER] if pull > 0.0 else row[C_LOWER]
        if not held[c] and c not in met and pull != 0.0 and np.isfinite(limit):
            return c, row, 1.0 if pull > 0.0 else -1.0
    return None


def _given(compiled: CompiledArm, state: State, t: float, c: int, law: int) -> float:
    """What the drive of a joint gives (N m, N)."""
    servo = compiled.commands.servo_coordinate.tolist()
    if c in servo:
        return float(torques_of(compiled, np.array([t]), state.q[None], state.v[None], None)[0, servo.index(c)])
    return float(compiled.pieces[law].evaluate(t)[0]) if law >= 0 else 0.0


def _most(compiled: CompiledArm, state: State, t: float, c: int, row: Floats, law: int) -> float:
    """The greatest torque or force (N m, N) friction withstands."""
    return float(row[C_STATIC] + row[C_LOAD] * abs(_given(compiled, state, t, c, law)))


def _withstood(
    compiled: CompiledArm, state: State, t: float, stuck: set[int], resting: set[int]
) -> tuple[dict[int, float], dict[int, float]]:
    """What friction (of joints that stick) and rigid stops have to give (N m, N) by coordinate."""
    needed = Forces(without_servos(compiled), t).inverse(state.q, state.v, state.a)
    laws = {int(place[W_COORD]): int(place[W_LAW]) for place in compiled.commands.contact_place}
    both = {c: float(needed[c]) - _given(compiled, state, t, c, laws[c]) for c in stuck | resting}
    return {c: both[c] for c in stuck - resting}, {c: both[c] for c in resting}


def _changed(
    rows: list[tuple[int, Floats, int]],
    dry: dict[int, tuple[Floats, int]],
    q: Floats,
    stuck: set[int],
    resting: dict[int, float],
    pressed: dict[int, float],
    friction: dict[int, float],
    stops: dict[int, float],
) -> tuple[int, str] | None:
    """The coordinate that cannot stay as it is taken to be, and what becomes of it; None if all can."""
    for c, side in resting.items():
        if stops[c] * side > 1e-12 * (1.0 + abs(stops[c])):
            return c, "leave"
    for c, row, _law in rows:
        if c in resting or (c in stuck and row[C_STIFFNESS] <= 0.0):
            continue
        slack = 1e-9 * max(abs(row[C_UPPER] if np.isfinite(row[C_UPPER]) else row[C_LOWER]), 1e-3)
        if c in pressed:
            limit = row[C_UPPER] if pressed[c] > 0.0 else row[C_LOWER]
            if pressed[c] * (q[c] - limit) < -slack:
                return c, "leave"
        elif row[C_GAP]:
            # a gear that transmits nothing stands in the middle of its play
            if abs(q[c]) > 1e-6 * row[C_UPPER]:
                return c, "upper" if q[c] > 0.0 else "lower"
        elif q[c] > row[C_UPPER] + slack:
            return c, "upper"
        elif q[c] < row[C_LOWER] - slack:
            return c, "lower"
    over = {c: abs(value) - float(dry[c][0][C_STATIC]) for c, value in friction.items()}
    worst = max(over, key=lambda c: over[c], default=None)
    if worst is not None and over[worst] > 0.0:
        return worst, "slide"
    return None
