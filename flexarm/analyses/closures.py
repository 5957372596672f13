"""Supports, loops and springs between points: rows, what they carry, and equilibria and starts that are closed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.state import State
from flexarm.assembly import CompiledArm
from flexarm.assembly.closures import forces_on_ends
from flexarm.core.sweeps.dynamics import kernel_of, new_work
from flexarm.core.tree.types import (
    HELD,
    Q_ACCELERATION,
    Q_COUNT,
    Q_GAP,
    Q_RATE,
    R_D,
    R_K,
    R_KIND,
    S_LEVER,
    Floats,
    Ints,
    Loads,
)
from flexarm.errors import AnalysisError
from flexarm.results.engineering import quantity

# Parts of the arm's size: gaps that are none, and what Newton's steps leave.
OPEN, CLOSED = 1e-9, 1e-13
# Singular values of J, in displacements, that are rounding: rows then follow from others.
FOLLOWS = 1e-9
_OFFSETS, _WEIGHTS = (-2.0, -1.0, 1.0, 2.0), (1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0)
_STEP = 1e-3
# What rows gape by to second order, in parts of displacements over the arm's size, that is rounding of differences.
_CURVED = 1e-6


@dataclass(frozen=True, eq=False)
class Rows:
    """Closures in a state: gaps (m or rad), their rates and accelerations, and J (rows, nq)."""

    gap: Floats
    rate: Floats
    acceleration: Floats
    jacobian: Floats


class Closing:
    """The closures of a compiled arm, ready to be asked in many states."""

    def __init__(self, compiled: CompiledArm) -> None:
        assert compiled.closures is not None
        self.compiled, self.found = compiled, compiled.closures
        self.closures = compiled.closures.closures
        row = self.closures.row
        self.held = np.flatnonzero(row[:, R_KIND] == HELD)
        self.sprung = np.flatnonzero(row[:, R_KIND] != HELD)
        self.stiffness, self.damping = row[self.sprung, R_K].copy(), row[self.sprung, R_D].copy()
        # gaps are measured by the arm's size, turns by the radian
        turns = np.array([name.what.startswith("turn") for name in self.found.rows])
        self.size = np.where(turns, 1.0, compiled.reach)
        self._kernel = kernel_of("close", type(compiled.tree))
        self._work = new_work(compiled.tree)

    def at(self, q: Floats, v: Floats | None = None, a: Floats | None = None) -> Rows:
        """Gaps and rows at q, v, a (v and a default to zero)."""
        nq, m = len(q), len(self.closures.row)
        seen, jacobian, zero = np.zeros((Q_COUNT, m)), np.zeros((m, nq)), np.zeros(nq)
        self._kernel(
            self.compiled.tree,
            self.closures,
            np.ascontiguousarray(q),
            zero if v is None else np.ascontiguousarray(v),
            zero if a is None else np.ascontiguousarray(a),
            jacobian,
            seen,
            self._work,
        )
        return Rows(seen[Q_GAP], seen[Q_RATE], seen[Q_ACCELERATION], jacobian)

    def spring_forces(self, rows: Rows) -> Floats:
        """What springs and dampers carry (N), against growing gaps."""
        return self.stiffness * rows.gap[self.sprung] + self.damping * rows.rate[self.sprung]

    def widest(self, rows: Rows) -> tuple[float, int]:
        """The largest gap of a rigid closure, as a part of the arm's size or in radians, and its row."""
        if not len(self.held):
            return 0.0, -1
        parts = np.abs(rows.gap[self.held]) / self.size[self.held]
        worst = int(np.argmax(parts))
        return float(parts[worst]), int(self.held[worst])

    def bend(self, q: Floats, weight: Floats, free: Ints) -> Floats:
        """∂(Jᵀw)/∂q of the free coordinates for forces w of the rows."""
        c = self.compiled
        found = np.zeros((len(free), len(free)))
        for j, at in enumerate(free):
            step = _STEP * (1.0 if c.coordinate_units[at] == "rad" else c.reach)
            for offset, part in zip(_OFFSETS, _WEIGHTS, strict=True):
                moved = q.copy()
                moved[at] += offset * step
                found[:, j] += part / step * (weight @ self.at(moved).jacobian)[free]
        return 0.5 * (found + found.T)


def lever_scale(compiled: CompiledArm, free: Ints) -> Floats:
    """Change of each coordinate that moves a point by a metre at most."""
    lever = compiled.tree.spring[free, S_LEVER]
    return np.asarray(1.0 / np.maximum(lever, 1e-9 * compiled.reach))


@dataclass(frozen=True, eq=False)
class Split:
    """The rows of rigid closures split: J = U₁ S₁ V₁ᵀ in displacements, and the motions Z they leave."""

    u: Floats
    s: Floats
    v: Floats
    z: Floats

    @classmethod
    def of(cls, rows: Floats) -> Split:
        """Of rows (m, n) in displacements."""
        if not len(rows):
            none = np.zeros((0, 0))
            return cls(none, np.zeros(0), np.zeros((rows.shape[1], 0)), np.eye(rows.shape[1]))
        u, s, vt = np.linalg.svd(rows)
        rank = int(np.count_nonzero(s > FOLLOWS * max(float(s[0]), 1e-300))) if len(s) else 0
        return cls(u[:, :rank], s[:rank], vt[:rank].T, vt[rank:].T)

    def back(self, gap: Floats) -> Floats:
        """The least displacement that makes up for gaps."""
        return np.asarray(self.v @ ((self.u.T @ gap) / self.s))

    def forces(self, push: Floats) -> Floats:
        """The least forces of the rows that balance displacements' forces."""
        return np.asarray(self.u @ ((self.v.T @ push) / self.s))


def refuse_dead(closing: Closing, q: Floats, free: Ints) -> None:
    """Refuse closures that hold to second order what nothing moves to first order: what is there cannot move at all."""
    scale = lever_scale(closing.compiled, free)
    jacobian = closing.at(q).jacobian[np.ix_(closing.held, free)] * scale
    if not len(jacobian) or not len(free):
        return
    u, s, vt = np.linalg.svd(jacobian)
    rank = int(np.count_nonzero(s > FOLLOWS * max(float(s[0]), 1e-300)))
    z = vt[rank:].T
    for tie in u[:, rank:].T:
        weight = np.zeros(len(closing.closures.row))
        weight[closing.held] = tie
        curved = z.T @ (closing.bend(q, weight, free) * np.outer(scale, scale)) @ z
        if float(np.max(np.abs(curved), initial=0.0)) * closing.compiled.reach > _CURVED:
            named = closing.found.named(int(closing.held[int(np.argmax(np.abs(tie)))]))
            raise AnalysisError(
                f"{named} holds what cannot give way there: a link that keeps its length cannot bend between points "
                'held along it (let it stretch, model.freedoms with "axial", or leave that direction out of holds), '
                "and a mechanism cannot start at a dead centre"
            )


def gaping(closing: Closing, row: int, gap: float) -> str:
    """A closure that does not close, for the beginning of a sentence."""
    what = closing.found.rows[row].what
    shown = f"{quantity(gap, 'rad', 3)} about {what[-1]}" if what.startswith("turn") else quantity(gap, "m", 3)
    return f"{closing.found.named(row)} cannot close: what it holds together stays {shown} apart"


def closed_start(compiled: CompiledArm, state: State) -> State:
    """The state with its free joints moved so that every closure is closed, coordinates and rates; refused where they
    cannot be.
    """
    if compiled.closures is None:
        return state
    closing = Closing(compiled)
    refuse_dead(closing, state.q, compiled.free)
    q, v = state.q.copy(), state.v.copy()
    joints = np.array([c for c in compiled.joint_coordinates if c in compiled.free], np.int64)
    scale = lever_scale(compiled, joints)
    rows = closing.at(q)
    for _ in range(60):
        worst, _ = closing.widest(rows)
        if worst < CLOSED:
            break
        split = Split.of(rows.jacobian[np.ix_(closing.held, joints)] * scale)
        step = scale * split.back(-rows.gap[closing.held])
        turn = float(np.max(np.abs(step), initial=0.0))
        if not turn > 0.0:
            break
        q[joints] += step * min(1.0, 0.3 * max(1.0, compiled.reach) / turn)
        rows = closing.at(q)
    worst, row = closing.widest(rows)
    if worst > OPEN:
        raise AnalysisError(
            f"{gaping(closing, row, float(abs(rows.gap[row])))} at the start; its joints must be free and begin near a "
            'place where it closes, or start be "static" where links have to bend for it'
        )
    moving = closing.at(q, v)
    if not len(closing.held) or float(np.max(np.abs(moving.rate[closing.held]))) == 0.0:
        return State(q, v, state.a, state.tau, state.integral)
    for free in (joints, compiled.free):
        scale = lever_scale(compiled, free)
        split = Split.of(moving.jacobian[np.ix_(closing.held, free)] * scale)
        rate = v.copy()
        rate[free] -= scale * split.back(moving.rate[closing.held])
        left = np.abs(moving.jacobian[closing.held] @ rate) / closing.size[closing.held]
        if float(np.max(left)) <= 1e-9 * float(np.max(np.abs(moving.rate[closing.held]) / closing.size[closing.held])):
            return State(q, rate, state.a, state.tau, state.integral)
    worst_row = int(closing.held[int(np.argmax(left))])
    raise AnalysisError(
        f"{closing.found.named(worst_row)} cannot stay closed: the rates that joints are commanded at the start "
        "contradict it; fewer joints of the loop may be driven, or begin at rest"
    )


def closed_equilibrium(
    compiled: CompiledArm, state: State, t: float, free: Ints, most: int = 100
) -> tuple[State, float, int, Floats]:
    """The state with the free coordinates in equilibrium and every closure closed, the residual left, iterations, and
    what the rows carry (N, N m): Newton's steps in the motions that rigid closures leave.
    """
    from flexarm.analyses.equilibrium import Forces, descent

    forces, closing = Forces(compiled, t), Closing(compiled)
    now, carried = state.copy(), np.zeros(len(closing.closures.row))
    scale = lever_scale(compiled, free)
    last = np.inf
    held, sprung = closing.held, closing.sprung
    for iteration in range(1, most + 1):
        rows = closing.at(now.q, now.v, now.a)
        carried[sprung] = -closing.spring_forces(rows)
        jacobian = rows.jacobian[:, free]
        r = (forces.inverse(now.q, now.v, now.a) - now.tau)[free] - jacobian[sprung].T @ carried[sprung]
        stiffness = forces.tangent(now, with_rates=False)[0][np.ix_(free, free)]
        stiffness = stiffness + (jacobian[sprung].T * closing.stiffness) @ jacobian[sprung]
        stiffness = stiffness - closing.bend(now.q, carried, free)
        split = Split.of(jacobian[held] * scale)
        if iteration == 1 and len(held) > len(split.s) and bool(np.any(np.abs(split.z.T @ (scale * r)) > 0.0)):
            refuse_dead(closing, now.q, free)
        whole = stiffness * np.outer(scale, scale)
        step = split.back(-rows.gap[held])
        if split.z.shape[1]:
            inner = split.z.T @ whole @ split.z
            step = step + split.z @ descent(inner, split.z.T @ (scale * r + whole @ step))
        change = scale * step
        carried[held] = split.forces(scale * r + whole @ step)
        change *= min(
            1.0,
            0.5 / max(float(np.max(np.abs(change) / np.where(_turns(compiled, free), 1.0, compiled.reach))), 1e-300),
        )
        now.q[free] += change
        moved = float(np.max(np.abs(change) / scale))
        if not np.isfinite(moved):
            break
        if moved < 1e-12 * compiled.reach or 0.5 * last < moved < 1e-8 * compiled.reach:
            rows = closing.at(now.q, now.v, now.a)
            carried[sprung] = -closing.spring_forces(rows)
            worst, row = closing.widest(rows)
            if worst > OPEN:
                raise AnalysisError(
                    f"{gaping(closing, row, float(abs(rows.gap[row])))}; free joints of the loop, other places to "
                    "hold, or fewer closures would let it"
                )
            r = (forces.inverse(now.q, now.v, now.a) - now.tau)[free] - rows.jacobian[:, free].T @ carried
            return now, float(np.max(np.abs(r))), iteration, carried
        last = moved
    raise AnalysisError(
        f"no equilibrium found with its closures after {most} iterations: the arm may have no stable rest position "
        "here; try locking free joints, a stiffer joint spring, or a start nearer to where it rests"
    )


def _turns(compiled: CompiledArm, free: Ints) -> np.ndarray:
    return np.array([compiled.coordinate_units[c] == "rad" for c in free])


def indeterminate(compiled: CompiledArm, q: Floats, free: Ints) -> list[str]:
    """A sentence where rows of closures follow from others or hold what cannot move: what they carry is then not
    determined.
    """
    closing = Closing(compiled)
    if not len(closing.held):
        return []
    rows = closing.at(q).jacobian[np.ix_(closing.held, free)] * lever_scale(compiled, free)
    length = np.linalg.norm(rows, axis=1)
    whole = float(np.max(length, initial=0.0))
    fast = length <= FOLLOWS * whole
    u, s, _ = np.linalg.svd(rows[~fast] / length[~fast, None], full_matrices=True)
    rank = int(np.count_nonzero(s > FOLLOWS))
    tied = np.linalg.norm(u[:, rank:], axis=1) > 1e-6
    chosen = closing.held[~fast][tied]
    if not len(chosen):
        return []
    names = sorted({closing.found.named(r) for r in chosen})
    return [
        f"{' and '.join(names)} hold more than is needed: how {'they share' if len(names) > 1 else 'it shares'} what "
        "is carried is not determined, the least forces are reported"
    ]


def closure_wrenches(compiled: CompiledArm, carried: Floats) -> dict[str, tuple[Floats, Floats]]:
    """Force (N) and moment (N m) on the link of every closure, base frame, by name."""
    assert compiled.closures is not None
    found = forces_on_ends(compiled.closures, carried)
    names = [compiled.closures.rows[first].name for first in compiled.closures.closures.pair[:, 0]]
    return {name: (wrench[:3], wrench[3:]) for name, wrench in zip(names, found, strict=True)}


def constrained_basis(compiled: CompiledArm, q: Floats, moving: Ints) -> Floats:
    """Motions (moving coordinates, k) that rigid closures leave, orthonormal in displacements."""
    closing = Closing(compiled)
    scale = lever_scale(compiled, moving)
    split = Split.of(closing.at(q).jacobian[np.ix_(closing.held, moving)] * scale)
    return np.asarray(scale[:, None] * split.z)


def spring_energy(compiled: CompiledArm, q: Floats) -> Floats:
    """Energy (m,) in J of the springs between points at the coordinates (m, nq)."""
    closing = Closing(compiled)
    if not len(closing.sprung):
        return np.zeros(len(q))
    gaps = np.array([closing.at(each).gap[closing.sprung] for each in q]).reshape(len(q), -1)
    return np.asarray(0.5 * gaps**2 @ closing.stiffness)


def carried_at(compiled: CompiledArm, state: State, t: float, free: Ints) -> Floats:
    """What the rows of closures carry (N, N m) where the free coordinates are in equilibrium; of closures that follow
    from others the least.
    """
    from flexarm.analyses.equilibrium import Forces

    closing = Closing(compiled)
    rows = closing.at(state.q, state.v, state.a)
    carried = np.zeros(len(closing.closures.row))
    carried[closing.sprung] = -closing.spring_forces(rows)
    jacobian = rows.jacobian[:, free]
    r = (Forces(compiled, t).inverse(state.q, state.v, state.a) - state.tau)[free]
    scale = lever_scale(compiled, free)
    split = Split.of(jacobian[closing.held] * scale)
    carried[closing.held] = split.forces(scale * (r - jacobian[closing.sprung].T @ carried[closing.sprung]))
    return carried


def closed_stiffness(compiled: CompiledArm, state: State, t: float, moving: Ints) -> tuple[Floats, Floats]:
    """What closures add to stiffness and damping (n, n) of the moving coordinates about an equilibrium (Q7)."""
    closing = Closing(compiled)
    zero = np.zeros_like(state.q)
    carried = carried_at(compiled, State(state.q, zero, zero, state.tau), t, moving)
    springs = closing.at(state.q).jacobian[np.ix_(closing.sprung, moving)]
    stiffness = (springs.T * closing.stiffness) @ springs - closing.bend(state.q, carried, moving)
    return stiffness, (springs.T * closing.damping) @ springs


def ends_loaded(compiled: CompiledArm, carried: Floats) -> Loads:
    """The loads on the arm in space, and with them what closures carry, as forces on both ends."""
    found, loads = compiled.closures, compiled.spatial_loads
    if found is None:
        return loads
    place, wrench = [loads.place], [loads.wrench]
    for j, force in enumerate(forces_on_ends(found, carried)):
        for side, sign in ((0, -1.0), (1, 1.0)):
            stands = found.ends[j][side]
            if stands.body < 0:
                continue
            place.append(np.array([[stands.body + 1, 0, -1, found.frames[j][side]]], np.int64))
            offset = found.turned[j][side] @ found.offsets[j][side]
            wrench.append(np.concatenate([offset, sign * force])[None])
    return Loads(np.concatenate(place), np.concatenate(wrench))
