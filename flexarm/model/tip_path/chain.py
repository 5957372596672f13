"""The rigid chain of joints that leads a point: where it is, how it moves with the joints, and the inverse of both."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexarm.model.link_frames import Floats, link_frames, standing
from flexarm.model.tip_path.route import logarithm

if TYPE_CHECKING:
    from flexarm.model.arm import Arm, Point

# The damping of a step of inverse kinematics, of the square of the reach: where it starts, its least and greatest.
_DAMPING, _NEAR, _LEAST, _MOST = 1e-3, 1e-11, 1e-15, 1e3
# No joint turns farther in one step (rad), nor slides farther than this part of the reach.
_LONGEST = 0.5
_STEPS, _GUESSES = 100, 16
# A point is where it should be within this part of the reach.
EXACT = 1e-12


class Pose(NamedTuple):
    """Where a point is (m, 3), its axes (m, 3, 3), and the Jacobian (m, 6, n): velocity, then angular velocity."""

    position: Floats
    axes: Floats
    jacobian: Floats


class Chain:
    """A point of the rigid arm and the joints (names of links) that lead it; lengths count by the arm's reach."""

    def __init__(self, arm: Arm, point: Point, joints: Sequence[str], *, held: bool) -> None:
        self.arm, self.point, self.joints, self.held = arm, point, tuple(joints), held
        self.reach = float(arm.reach) or 1.0
        # an error of a radian counts as half the reach
        weights = np.array([1.0, 1.0, 1.0, *([0.5 * self.reach] * 3)])
        if arm.planar:
            rows = [0, 1, 5] if held else [0, 1]
        else:
            rows = list(range(6 if held else 3))
        self._rows, self._weights = rows, weights[rows]
        self._turning = np.array([arm.link(name).joint.type == "revolute" for name in self.joints])
        self.scales: Floats = np.array([1.0 if turning else self.reach for turning in self._turning])

    @property
    def rows(self) -> list[int]:
        """Which of velocity and angular velocity they have to meet."""
        return self._rows

    @property
    def conditions(self) -> int:
        """How many numbers the joints have to meet."""
        return len(self._rows)

    def at(self, q: Floats, others: Mapping[str, Floats]) -> Pose:
        """The point at coordinates (m, n) of the joints and (m,) of others by name."""
        frames = link_frames(self.arm, {**others, **{name: q[:, k] for k, name in enumerate(self.joints)}})
        link = self.arm.link(self.point.link)
        frame = standing(link, frames[link.name], self.point.at)
        where = np.broadcast_to(frame.placed(np.array(self.point.offset)), (len(q), 3))
        axes = np.stack([frames[name].axes @ np.array(self.arm.link(name).joint.axis) for name in self.joints], axis=1)
        origins = np.stack([np.broadcast_to(frames[name].origin, where.shape) for name in self.joints], axis=1)
        x, y, z = np.moveaxis(where[:, None] - origins, -1, 0)
        ax, ay, az = np.moveaxis(np.broadcast_to(axes, origins.shape), -1, 0)
        arms = np.stack([ay * z - az * y, az * x - ax * z, ax * y - ay * x], axis=1)
        along = np.stack([ax, ay, az], axis=1)
        turns = np.where(self._turning, along, 0.0)
        return Pose(
            where,
            np.broadcast_to(frame.axes, (len(q), 3, 3)),
            np.concatenate([np.where(self._turning, arms, along), turns], axis=1),
        )

    def error(self, pose: Pose, position: Floats, axes: Floats) -> Floats:
        """What is missing (m, 6): the way (m) and the turn (rad) to where the point should be, in base axes."""
        turn = logarithm(axes @ np.swapaxes(pose.axes, -1, -2))
        return np.concatenate([position - pose.position, turn], axis=-1)

    def weighted(self, error: Floats) -> Floats:
        """The error (m, conditions) in metres, an angle by half the reach."""
        return np.asarray(error[:, self._rows] * self._weights)

    def misses(self, error: Floats) -> Floats:
        """How far (m,) the point is from where it should be, all of it in metres."""
        all_of_it = (
            error[:, :3] if not self.held else np.concatenate([error[:, :3], 0.5 * self.reach * error[:, 3:]], 1)
        )
        return np.asarray(np.linalg.norm(all_of_it, axis=1))

    def corrections(self, jacobian: Floats, error: Floats, damping: Floats) -> Floats:
        """Least changes (m, n) of the joints that take up errors (m, conditions): Jᵀ (J Jᵀ + λ)⁻¹ e."""
        J = jacobian[:, self._rows] * self._weights[:, None] * self.scales
        gram = J @ np.swapaxes(J, -1, -2) + (damping * self.reach**2)[:, None, None] * np.eye(self.conditions)
        return np.asarray((np.swapaxes(J, -1, -2) @ np.linalg.solve(gram, error[..., None]))[..., 0] * self.scales)

    def solve(
        self,
        q: Floats,
        position: Floats,
        axes: Floats,
        others: Mapping[str, Floats],
        *,
        near: bool = False,
        steps: int = _STEPS,
    ) -> tuple[Floats, Floats]:
        """Coordinates (m, n) near to q that have the point where it should be, and by how much they miss it (m,), m.

        `near`: q is good enough for Newton's steps.
        """
        q = np.array(q)
        pose = self.at(q, others)
        error = self.error(pose, position, axes)
        size = np.linalg.norm(self.weighted(error), axis=1)
        damping = np.full(len(q), _NEAR if near else _DAMPING)
        for _ in range(steps):
            busy = (size > EXACT * self.reach) & (damping < _MOST)
            if not busy.any():
                break
            step = self.corrections(pose.jacobian, self.weighted(error), damping)
            longest = np.max(np.abs(step) / self.scales, axis=1)
            step *= np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))[:, None]
            trial = q + np.where(busy[:, None], step, 0.0)
            there = self.at(trial, others)
            missing = self.error(there, position, axes)
            new = np.linalg.norm(self.weighted(missing), axis=1)
            better = busy & (new < size)
            stalled = better & (new > (1 - 1e-6) * size)
            q = np.where(better[:, None], trial, q)
            pose = Pose(*(np.where(_like(better, a), a, b) for a, b in zip(there, pose, strict=True)))
            error = np.where(better[:, None], missing, error)
            size = np.where(better, new, size)
            damping = np.where(better, np.maximum(damping * 0.1, _LEAST), damping * 10.0)
            damping = np.where(stalled, 2 * _MOST, damping)
            if (longest[busy] < 1e-15).all():
                break
        return q, self.misses(error)

    def searched(
        self, q: Floats, position: Floats, axes: Floats, others: Mapping[str, Floats], *, steps: int = _STEPS
    ) -> tuple[Floats, float]:
        """One solution (n,) from a guess, and from others about it where that leads nowhere; and what it misses (m)."""
        found, miss = self.solve(q[None], position[None], axes[None], others, steps=steps)
        if miss[0] <= 1e3 * EXACT * self.reach:
            return found[0], float(miss[0])
        draws = np.random.default_rng(0).uniform(-1.0, 1.0, (_GUESSES, len(q)))
        guesses = q + draws * np.linspace(0.02, 1.0, _GUESSES)[:, None] * np.where(
            self.scales == 1.0, math.pi, self.reach
        )
        many = {name: np.broadcast_to(value, (_GUESSES,)) for name, value in others.items()}
        spread = [np.broadcast_to(each, (_GUESSES, *each.shape)) for each in (position, axes)]
        all_found, misses = self.solve(guesses, spread[0], spread[1], many, steps=steps)
        hit = misses <= 1e3 * EXACT * self.reach
        if not hit.any():
            best = int(np.argmin(misses))
            return (all_found[best], float(misses[best])) if misses[best] < miss[0] else (found[0], float(miss[0]))
        away = np.max(np.abs(all_found - q) / self.scales, axis=1)
        best = int(np.argmin(np.where(hit, away, np.inf)))
        return all_found[best], float(misses[best])


def _like(flags: np.ndarray, array: Floats) -> np.ndarray:
    return flags.reshape(-1, *([1] * (array.ndim - 1)))
