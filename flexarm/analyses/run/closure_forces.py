"""What closures do to the forces of drives along a run, of the flexible arm and of the rigid one."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.closures import OPEN, Closing, Split, lever_scale
from flexarm.analyses.equilibrium import Forces
from flexarm.analyses.state import State
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.tree.types import Floats, Ints

# A row of closures that the coordinates whose forces are known do not see at all, but drives do.
_UNSEEN = 1e-6
_MOST = 30


def carried_along(
    compiled: CompiledArm, times: Floats, states: State, force: Floats, known: dict[int, Floats]
) -> tuple[Floats, Floats]:
    """What the rows of closures carry (m, rows; N, N m), and the forces Jᵀλ (m, nq) of that on the coordinates.

    `force`: those of inverse dynamics; `known`: those of drives by coordinate. They follow from the coordinates that no
    drive whose force is sought acts on, all of them weighed by what they would move: of rows that follow from others
    the least. NaN where they are not determined so.
    """
    closing = Closing(compiled)
    held, sprung = closing.held, closing.sprung
    count = len(closing.closures.row)
    servo = set(compiled.commands.servo_coordinate.tolist())
    used = np.array([c for c in compiled.free if int(c) not in servo], np.int64)
    others = np.setdiff1d(np.arange(states.q.shape[1]), used)
    interval = float(np.min(np.diff(times))) if len(times) > 1 else 0.0
    carried, effort = np.zeros((len(times), count)), np.zeros_like(states.q)
    bare = without_servos(compiled)
    weight = _ease(bare, states.q[0], used, interval) if len(times) else np.zeros(0)
    for k in range(len(times)):
        rows = closing.at(states.q[k], states.v[k], states.a[k])
        carried[k, sprung] = -closing.spring_forces(rows)
        rest = force[k].copy()
        for c, values in known.items():
            rest[c] -= values[k]
        rest -= rows.jacobian[sprung].T @ carried[k, sprung]
        split = Split.of(rows.jacobian[np.ix_(held, used)] * weight)
        carried[k, held] = split.forces(weight * rest[used])
        effort[k] = rows.jacobian.T @ carried[k]
        unseen = rows.jacobian[np.ix_(held, others)]
        unseen = unseen - split.u @ (split.u.T @ unseen) if len(split.s) else unseen
        effort[k, others[np.any(np.abs(unseen) > _UNSEEN, axis=0)]] = np.nan
    return carried, effort


def _ease(compiled: CompiledArm, q: Floats, used: Ints, interval: float) -> Floats:
    """1/√(M + ¼K·interval²) of the coordinates: what is stiff counts for as little as it can move between samples."""
    mass = np.diag(Forces(compiled).mass(q))[used]
    stiffness = np.diag(spring_matrices(compiled.tree, q)[0])[used]
    whole = mass + 0.25 * interval * interval * stiffness
    return np.asarray(1.0 / np.sqrt(np.maximum(whole, 1e-12 * float(np.max(whole, initial=1e-300)))))


def rigid_closed(compiled: CompiledArm, times: Floats, command: State, loose: Ints, known: dict[int, Floats]) -> Floats:
    """Forces (m, nq) that move the rigid arm with its closures closed: loose joints go where these take them.

    NaN where the rigid arm cannot be closed, or where its closures share what they carry in a way that is not
    determined.
    """
    closing, forces = Closing(compiled), Forces(without_servos(compiled))
    held, sprung = closing.held, closing.sprung
    driven = np.setdiff1d(compiled.joint_coordinates, loose)
    scale = lever_scale(compiled, loose)
    found = np.full_like(command.q, np.nan)
    near = command.q[:1, loose][0] if len(times) else np.zeros(0)
    for k in range(len(times)):
        q, v, a = command.q[k].copy(), command.v[k].copy(), command.a[k].copy()
        q[loose] = near if k else q[loose]
        if len(loose) and k and np.any(np.abs(command.q[k, loose] - near) < 0.5):
            q[loose] = command.q[k, loose]
        for _ in range(_MOST):
            rows = closing.at(q)
            if closing.widest(rows)[0] < 1e-3 * OPEN:
                break
            q[loose] += scale * Split.of(rows.jacobian[np.ix_(held, loose)] * scale).back(-rows.gap[held])
        rows = closing.at(q)
        split = Split.of(rows.jacobian[np.ix_(held, loose)] * scale)
        unseen = rows.jacobian[np.ix_(held, driven)]
        unseen = unseen - split.u @ (split.u.T @ unseen) if len(split.s) else unseen
        if closing.widest(rows)[0] > OPEN or np.any(np.abs(unseen) > _UNSEEN):
            continue
        near = q[loose]
        v[loose] -= scale * split.back(closing.at(q, v).rate[held])
        a[loose] -= scale * split.back(closing.at(q, v, a).acceleration[held])
        rows = closing.at(q, v, a)
        forces.t = float(times[k])
        force = forces.inverse(q, v, a)
        carried = np.zeros(len(closing.closures.row))
        carried[sprung] = -closing.spring_forces(rows)
        rest = force - rows.jacobian.T @ carried
        for c, values in known.items():
            rest[c] -= values[k]
        carried[held] = split.forces(scale * rest[loose])
        found[k] = force - rows.jacobian.T @ carried
        # joints that the closures leave loose move as they do in the run: what is not balanced there is left out
    return found
