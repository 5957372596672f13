"""The lowest modes of an arm with many coordinates, in O(n): shift-invert Lanczos on the sweeps.

A subspace V holds them: first the Krylov space of B⁻¹M, in which the stiff part B = K_s + σM is inverted by its blocks
or by the sweep of an implicit step, then, where weight, loads, dampers or drives couple its modes, the corrections B⁻¹ρ
of their residuals. The spectrum of the arm seen in V is found by the dense way, whatever it takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.modes.drive_states import DriveStates, servo_loops
from flexarm.analyses.modes.small_motion import SmallMotion, Vibration
from flexarm.analyses.modes.spectra import IN_STEP, ROUNDING, plain, spectrum_of
from flexarm.analyses.tangent import Stiff, Tangent, stiff_part
from flexarm.core.tree.types import Floats

# Of more moving coordinates than this the lowest modes are sought in a subspace.
_MANY = 60
# Columns that are multiplied at once: modes of one frequency in a row are found together.
_BLOCK = 4
# Residual of a mode, as part of its forces, measured by B⁻¹; its frequency errs by the square.
_CLOSE = 1e-10
# A shape of which no more than this part is new adds nothing but rounding.
_NEW = 1e-3
# A residual that does not fall any more may be as large.
_FINE = 1e-7
_MOST_ROUNDS = 12
# A mode whose ω² is below this part of what stiffness would give is a rigid-body motion.
_SLACK = 1e-9
# Frequencies that differ by no more than this part of them are one.
_SAME = 1e-7


@dataclass
class _Space:
    """A basis V, orthonormal in B, and B V, M V, K V, D V beside it; all (n, k)."""

    tangent: Tangent
    stiff: Stiff
    v: Floats
    bv: Floats
    mv: Floats
    kv: Floats
    dv: Floats

    @classmethod
    def empty(cls, tangent: Tangent, stiff: Stiff) -> _Space:
        none = np.zeros((len(tangent.moving), 0))
        return cls(tangent, stiff, none, none, none, none, none)

    def add(self, forces: Floats) -> int:
        """Add B⁻¹ of the forces (n, k) as far as it is new; returns the number of columns added."""
        z = self.stiff.solve(forces)
        z, _, mz = self._normal(z, 0.0)
        # what was nearly in V has lost digits: once more, and without what is rounding
        z, bz, mz = self._normal(z, _NEW)
        self.v, self.bv, self.mv = np.hstack([self.v, z]), np.hstack([self.bv, bz]), np.hstack([self.mv, mz])
        return z.shape[1]

    def _normal(self, z: Floats, new: float) -> tuple[Floats, Floats, Floats]:
        """The columns z (n, k) made orthonormal in B to one another and to V, with B z and M z; those of which no more
        than a part is new are left out.
        """
        mz = self.tangent.mass(z) if self.stiff.sigma or new else np.zeros_like(z)
        bz = self.tangent.springs.times(z) + self.stiff.sigma * mz
        size = np.sqrt(np.maximum(np.sum(z * bz, axis=0), 1e-300))
        z, bz, mz = z / size, bz / size, mz / size
        part = self.bv.T @ z
        z, bz, mz = z - self.v @ part, bz - self.bv @ part, mz - self.mv @ part
        gram = z.T @ bz
        values, turn = np.linalg.eigh(0.5 * (gram + gram.T))
        kept = values > max(new * new, 1e-28)
        turn = turn[:, kept] / np.sqrt(values[kept])
        return z @ turn, bz @ turn, mz @ turn

    def keep(self, count: int) -> None:
        """Leave the lowest modes of K_s φ = ω² M φ that V holds."""
        inner = self.v.T @ self.mv
        turn = np.linalg.eigh(0.5 * (inner + inner.T))[1][:, ::-1][:, :count]
        self.v, self.bv, self.mv = self.v @ turn, self.bv @ turn, self.mv @ turn

    def complete(self) -> None:
        """Fill K V and D V as far as V goes."""
        new = self.v[:, self.kv.shape[1] :]
        # K_s V is B V − σ M V
        springs = self.bv[:, self.kv.shape[1] :] - self.stiff.sigma * self.mv[:, self.kv.shape[1] :]
        self.kv = np.hstack([self.kv, springs + self.tangent.geometric(new)])
        self.dv = np.hstack([self.dv, self.tangent.dampers.times(new)])


def lowest(vibration: Vibration, count: int | None, t: float = 0.0) -> tuple[np.ndarray, np.ndarray] | None:
    """λ (1/s) and shapes (n, modes) up to the `count`th that is no stable real pole, as `spectrum_of` has them,
    or None where they are not found so.

    Of the stable real poles those are listed whose shapes are in the subspace.
    """
    n = len(vibration.moving)
    if not count or n <= _MANY or 8 * count > n or vibration.rotating or vibration.compiled.closures:
        return None
    drives = vibration.drives
    if vibration.joints.servos and any(loop.behind >= 0 for loop in servo_loops(vibration.compiled)):
        return None
    tangent = Tangent(vibration.compiled, vibration.state, vibration.moving, t)
    stiff = stiff_part(tangent)
    if stiff is None or not tangent.symmetric(1e-8):
        return None
    space = _krylov(tangent, stiff, count)
    if space is None:
        return None
    if tangent.dampers or drives is not None:
        space.keep(2 * count + 4)
        _bent(space, vibration)
    before, together = np.inf, False
    for _ in range(_MOST_ROUNDS):
        space.complete()
        motion, turn = _reduced(space, vibration, drives)
        values, inner = spectrum_of(motion, count, exact=together)
        values, inner = values[: inner.shape[1]], turn @ inner
        forces, parts = _residuals(space, drives, values, inner)
        decays = (values.imag == 0.0) & (values.real < 0.0)
        swings = np.abs(values[~decays])
        # slow decay belongs to joints; decay behind the modes to what the mesh resolves of its dampers
        first = float(np.min(swings[swings > 0.0], initial=np.inf))
        slow = decays & (np.abs(values) < first)
        # against inertia and dampers, not against springs, is the residual of such a pole small
        parts[slow] /= np.maximum((np.abs(values[slow]) / first) ** 2, 1e-12) if np.isfinite(first) else 1.0
        wanted = ~decays | slow
        worst = float(np.max(parts[wanted], initial=0.0))
        if worst <= _CLOSE or (worst <= _FINE and worst > 0.5 * before):
            kept = wanted | (parts <= _FINE)
            shapes = plain(space.v @ inner[:, kept], IN_STEP if together else ROUNDING)
            return values[kept], _apart(tangent, values[kept], shapes)
        if np.any(motion.damping) and not together:
            # dampers couple the modes: all that follows is about the coupled ones
            together = True
            continue
        before = worst
        open_ = wanted & (parts > _CLOSE)
        if space.v.shape[1] + 2 * np.count_nonzero(open_) > min(n // 2, 8 * count + 80):
            return None
        ahead = forces[:, open_]
        if not space.add(np.hstack([ahead.real, ahead.imag]) if np.any(ahead.imag) else ahead.real):
            return None
    return None


def _apart(tangent: Tangent, values: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """The shapes, those of one frequency combined so that each is of one link and direction where that can be."""
    if np.iscomplexobj(shapes):
        return shapes
    weight = np.sqrt(1.0 + tangent.compiled.groups[1][tangent.moving])[:, None]
    begin = 0
    for end in range(1, len(values) + 1):
        if end < len(values) and abs(values[end] - values[end - 1]) <= _SAME * abs(values[end]):
            continue
        if end - begin > 1:
            some = weight * shapes[:, begin:end]
            turn = np.linalg.eigh(some.T @ tangent.springs.times(some))[1]
            shapes[:, begin:end] = shapes[:, begin:end] @ turn
        begin = end
    return shapes


def _krylov(tangent: Tangent, stiff: Stiff, count: int) -> _Space | None:
    """A space that holds the `count` lowest modes of K_s φ = ω² M φ and a few more; None if it grows too large."""
    n = len(tangent.moving)
    space = _Space.empty(tangent, stiff)
    rng = np.random.default_rng(3)
    # a random shape of the whole arm, not of its joints one by one
    new = space.add(tangent.mass(stiff.solve(rng.standard_normal((n, _BLOCK)) / tangent.size[:, None])))
    wanted, checked = count + 2, False
    while space.v.shape[1] + _BLOCK <= max(n // 2, 4 * wanted):
        ahead = space.mv[:, space.mv.shape[1] - new :]
        inner = space.v.T @ space.mv
        mu, turn = np.linalg.eigh(0.5 * (inner + inner.T))
        mu, turn = mu[::-1][:wanted], turn[:, ::-1][:, :wanted]
        if len(mu) == wanted:
            # M V s − μ B V s has parts outside V only from the last block
            rest = space.mv @ turn - (space.bv @ turn) * mu
            size = np.sqrt(np.abs(np.sum(rest * stiff.solve(rest), axis=0)))
            if np.all(size <= np.maximum(_CLOSE * mu, 1e-14 * mu[0])):
                if checked:
                    return space
                # another random block: a mode that the first one did not contain shows now
                checked = True
                fresh = tangent.mass(stiff.solve(rng.standard_normal((n, _BLOCK)) / tangent.size[:, None]))
                for _ in range(3):
                    new = space.add(fresh)
                    fresh = space.mv[:, space.mv.shape[1] - new :]
                continue
        new = space.add(ahead)
        if not new:
            return space
    return None


def _bent(space: _Space, vibration: Vibration) -> None:
    """Add what unit loads on the moving joints bend the arm to: their dampers and drives act there."""
    joints = set(vibration.compiled.joint_coordinates.tolist())
    loaded = [k for k, c in enumerate(vibration.moving) if int(c) in joints]
    if loaded:
        space.add(np.eye(len(vibration.moving))[:, loaded])


def _reduced(space: _Space, vibration: Vibration, drives: DriveStates | None) -> tuple[SmallMotion, Floats]:
    """The arm seen in shapes V Φ, and Φ: undamped modes, so that those without stiffness have none but for rounding."""
    mass, stiffness, damping = (0.5 * (x + x.T) for x in (space.v.T @ y for y in (space.mv, space.kv, space.dv)))
    sigma = space.stiff.sigma
    # M φ = μ (K + σM) φ: rounding is measured by the lowest modes
    lower = np.linalg.cholesky(stiffness + sigma * mass)
    inner = np.linalg.solve(lower, np.linalg.solve(lower, mass).T)
    mu, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    mu = np.maximum(mu, 1e-300)
    turn = np.linalg.solve(lower.T, vectors) / np.sqrt(mu)
    squares = 1.0 / mu - sigma
    squares[np.abs(squares) <= _SLACK * sigma] = 0.0
    lost = turn.T @ damping @ turn if space.tangent.dampers else np.zeros_like(mass)
    motion = SmallMotion(
        compiled=vibration.compiled,
        joints=vibration.joints,
        state=vibration.state,
        moving=vibration.moving,
        mass=np.eye(len(mass)),
        gyro=np.zeros_like(mass),
        damping=0.5 * (lost + lost.T),
        stiffness=np.diag(squares),
        cyclic=np.zeros(0, np.int64),
        conservative=True,
        drives=None if drives is None else drives.seen_in(space.v @ turn),
    )
    return motion, turn


def _residuals(
    space: _Space, drives: DriveStates | None, values: np.ndarray, inner: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(λ²M + λD + K) x − H z of every mode V s, and its size as part of the size of x."""
    forces = (space.mv @ inner) * values**2 + (space.dv @ inner) * values + space.kv @ inner
    if drives is not None:
        for k, one in enumerate(values):
            pushed = (drives.position + one * drives.rate) @ (space.v @ inner[:, k])
            states = np.linalg.lstsq(one * np.eye(len(drives.own)) - drives.own, pushed, rcond=None)[0]
            forces[:, k] -= drives.force @ states
    moved = space.stiff.solve(np.hstack([forces.real, forces.imag]))
    size = np.sum(forces.real * moved[:, : len(values)] + forces.imag * moved[:, len(values) :], axis=0)
    whole = np.sum(np.abs(inner) ** 2, axis=0)  # V is orthonormal in B
    return forces, np.sqrt(np.maximum(size, 0.0) / whole)
