"""An arm that is to bring its tip to a place and hold it there, as an environment of Gymnasium."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from flexarm.analyses.plant.plant import Plant
from flexarm.analyses.run.integrate import RunFailed
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.given import ArmLike, arm_of

ID = "flexarm/Reach-v0"
# Beyond so many times the arm's reach or its fastest turn an episode is over.
_FAR = 1e3


class Reach(gymnasium.Env[Floats, Floats]):
    """Torques in, signals out: the tip is to reach a target that is drawn at every reset, and to stay there.

    The action has a number from −1 to 1 for every torque, a part of `limit`. The observation is the signals `outputs`,
    then the tip's way to its target (m) in the base frame. The reward of a period is −distance/reach −
    `effort`·Σ action², less 10 if the arm diverges, which ends the episode. Targets are where the rigid arm puts its
    tip with joints drawn evenly from ±`spread` about their start.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    period
        Time (s) of a step.
    limit
        Torque (N m or N) of an action of 1; one number, or one for each.
    outputs
        Signals that are observed; default: positions and rates of the driven joints.
    steps
        Periods of an episode.
    spread
        Of the joints of a target, rad or m.
    effort
        Weight of the torques in the reward.
    tolerance
        As of `Plant`.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        arm: ArmLike,
        period: float | str = "10 ms",
        limit: float | Sequence[float] = 10.0,
        outputs: Sequence[str] | None = None,
        steps: int = 200,
        spread: float = 0.5,
        effort: float = 0.01,
        tolerance: float | str | None = 1e-5,
    ) -> None:
        given = arm_of(arm)
        probe = Plant(given, period, tolerance=tolerance)
        self._links = [name.removesuffix(".torque") for name in probe.inputs]
        names = tuple(outputs) if outputs is not None else probe.outputs
        self.plant = Plant(given, period, outputs=[*names, "tip.x", "tip.y", "tip.z"], tolerance=tolerance)
        self.limit = np.broadcast_to(np.asarray(limit, float), (len(self._links),)).copy()
        if not (np.isfinite(self.limit).all() and np.all(self.limit > 0.0)):
            raise AnalysisError(f"limit is {limit}, must be > 0")
        self.steps, self.spread, self.effort, self.reach = steps, spread, effort, given.reach
        self._rigid = Plant(given, period, outputs=["tip.x", "tip.y", "tip.z"])
        self._start = {link.name: link.joint.at for link in given.links if link.name in self._links}
        self._target = np.zeros(3)
        self._count = 0
        self.action_space = spaces.Box(-1.0, 1.0, (len(self._links),), np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (len(names) + 3,), np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """The observation at the start, and the target; `options`: "target" (m, base frame) in place of a drawn one."""
        super().reset(seed=seed)
        self._count = 0
        if options and "target" in options:
            self._target = np.asarray(options["target"], float).reshape(3)
        else:
            there = {
                name: at + float(self.np_random.uniform(-self.spread, self.spread)) for name, at in self._start.items()
            }
            self._target = self._rigid.reset(there)
        y = self.plant.reset(seed=int(self.np_random.integers(2**31)))
        return self._seen(y), {"target": self._target.copy()}

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Observation, reward, whether the arm diverged, whether the episode is over, and the distance (m)."""
        part = np.clip(np.asarray(action, float), -1.0, 1.0)
        self._count += 1
        try:
            y = self.plant.step(part * self.limit)
        except RunFailed as failed:
            nowhere = np.zeros(self.observation_space.shape or (0,))
            return nowhere, -10.0, True, False, {"distance": math.nan, "failure": str(failed)}
        seen = self._seen(y)
        distance = float(np.linalg.norm(seen[-3:]))
        diverged = not distance < _FAR * self.reach
        reward = -distance / self.reach - self.effort * float(part @ part) - 10.0 * diverged
        return seen, reward, diverged, self._count >= self.steps, {"distance": distance}

    def _seen(self, y: Floats) -> Floats:
        return np.concatenate([y[:-3], self._target - y[-3:]])


def register() -> None:
    """Make the environment known to `gymnasium.make` by its name."""
    if ID not in gymnasium.registry:
        gymnasium.register(id=ID, entry_point="flexarm.analyses.gym.reach:Reach")


register()
