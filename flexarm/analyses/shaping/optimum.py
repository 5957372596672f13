"""The direct optimum: a family of commands searched with SciPy until the arm stops without vibration.

The vibration at the stop, x = (ω a, ȧ) of all modes, is a least-squares problem in the unknowns of the family; torques
and rates count where they are beyond their bounds. x and torques are nearly linear in the unknowns, so SciPy solves
the whole bounded problem (`scipy.optimize.least_squares`) on what derivatives foresee, within a reach that grows and
shrinks with how well they did, and a run checks the result. Derivatives are differences between runs of the whole
nonlinear arm, one compiled call for all of them; they are kept, with Broyden's correction, as long as they serve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from flexarm.analyses.points import see
from flexarm.analyses.run.command_runs import Lanes, Moments, Track, runs_of
from flexarm.analyses.run.integrate import RunFailed
from flexarm.analyses.shaping.commands import Command
from flexarm.analyses.shaping.move import EndOfMove
from flexarm.analyses.shaping.runs import drive_torques
from flexarm.assembly import with_motions
from flexarm.core.tree.types import Floats, Ints
from flexarm.model import Pieces

# Step of a difference, in the unknowns' own units: time stepping errs by a part of 1e-5 of what a unit does.
_DIFFERENCE = 1e-2
# A part of a bound beyond its limit counts as so many times that part of the unshaped vibration.
_WEIGHT = 100.0
# Energy of the vibration, per that of the unshaped command, at which the search ends.
_ENOUGH = 1e-7
# What is beyond its bound by this part keeps it.
_KEPT = 1e-5
# Unknowns of size 1 count as so much of the unshaped vibration: no more than is needed.
_RIDGE = 3e-4
# Runs and derivatives a search may take; between new derivatives the cost has to fall to this part.
_RUNS, _DERIVATIVES, _FALL = 40, 8, 0.95
# How far the unknowns may go at first, and where steps are too short to go on.
_REACH, _SHORTEST = 1.0, 1e-5
# Derivatives serve as long as a step gains the first part of what they foresaw, and lead farther from the second on.
_SERVES, _TRUSTED = 0.3, 0.7
# Rounds in which the arms that fare worst are given more weight.
_ROUNDS = 3


@dataclass(frozen=True)
class CommandBounds:
    """What a command may ask for: torques (N m, N) and rates (rad/s, m/s) by joint, and a duration (s)."""

    torque: Mapping[str, float] = field(default_factory=dict)
    rate: Mapping[str, float] = field(default_factory=dict)
    duration: float | None = None


class Family(Protocol):
    """Commands with unknowns; all of them are alike until they begin."""

    unknowns: int
    stop: float
    lower: Floats
    upper: Floats
    first: Ints | None  # the mark up to which each unknown changes nothing; None: all act from the beginning
    weight: Floats  # (rows, unknowns): what is to be no larger than needed

    def marks(self) -> Floats:
        """Times (s) at which runs are kept: the first where commands begin to differ, the last the stop."""

    def samples(self, p: Floats) -> Floats:
        """Times (s) at which a command is held to its bounds, as many for all of them."""

    def laws(self, p: Floats) -> dict[str, Pieces]:
        """The motions of all joints."""

    def command(self, p: Floats, name: str) -> Command:
        """The command as a model file has it."""


@dataclass(frozen=True, eq=False)
class _Point:
    """What is known of some unknowns: the vibration, what is bounded as parts of its bounds, and the runs."""

    p: Floats
    x: Floats
    asked: Floats
    lanes: Sequence[Lanes] = ()

    @property
    def keeps(self) -> bool:
        """True if nothing is beyond its bound."""
        return not np.any(np.abs(self.asked) > 1.0 + _KEPT)


Slopes = tuple[Floats, Floats]  # of the vibration and of what is bounded


class Optimum:
    """The search in a family; `arms` are the arms that may be, the nominal one first, each with its rest."""

    def __init__(
        self,
        family: Family,
        arms: Sequence[tuple[Track, EndOfMove]],
        energy: float,
        bounds: CommandBounds,
        margin: float,
        *,
        bound_all: bool = False,
    ) -> None:
        self.family, self.arms, self.bounds = family, arms, bounds
        self.scale = float(np.sqrt(2.0 * energy))
        self.room = 1.0 - margin
        self.bounded = len(arms) if bound_all else 1
        self.weights = np.ones(len(arms))
        self.derivatives = 0
        self._ends = np.cumsum([2 * len(rest.omega) for _, rest in arms])[:-1]
        self._slopes: Slopes | None = None
        self._progress: Callable[[str], None] = lambda _: None
        p = np.zeros(family.unknowns)
        # all commands begin alike: once until there
        self._trunks = [
            runs_of(track, [family.laws(p)], family.marks()[None, :1], self._sampled([p]), keep=True)
            for track, _ in arms
        ]

    def search(self, progress: Callable[[str], None]) -> Floats:
        """The unknowns that leave least within the bounds, as far as the runs lead."""
        self._progress = progress
        here = self._point(np.zeros(self.family.unknowns))
        if here is None:
            raise RunFailed("the run under the command the search starts from stopped early")
        return self._searched(here).p

    def search_worst(self, progress: Callable[[str], None]) -> Floats:
        """The unknowns for which the arm that fares worst does best: the others count less and less."""
        self._progress = progress
        here = self._point(np.zeros(self.family.unknowns))
        if here is None:
            raise RunFailed("the run under the command the search starts from stopped early")
        tried = [here]
        for _ in range(_ROUNDS):
            here = self._searched(here)
            if np.max(self._energies(here)) > _FALL * np.max(self._energies(tried[-1])) and len(tried) > 1:
                break
            tried.append(here)
            self.weights = self.weights * (self._energies(here) + _ENOUGH)
            self.weights *= len(self.weights) / np.sum(self.weights)
        return min(tried, key=lambda each: (not each.keeps, float(np.max(self._energies(each))))).p

    def _searched(self, here: _Point) -> _Point:
        """The best that steps from a point lead to."""
        reach, kept, before = _REACH, self._slopes is not None, np.inf
        for _ in range(_RUNS):
            if np.max(self._energies(here)) <= _ENOUGH and here.keeps:
                break
            now = self._cost(here)
            if self._slopes is None:
                if self.derivatives >= _DERIVATIVES or now > _FALL * before:
                    break
                self._slopes, kept, before = self._differences(here), False, now
                if self._slopes is None:
                    break
            p, foreseen = self._foreseen(here, self._slopes, reach)
            there = self._point(p)
            then = np.inf if there is None else self._cost(there)
            gain = (now - then) / max(now - foreseen, 1e-300)
            step = float(np.max(np.abs(p - here.p)))
            if there is not None and then < now:
                self._slopes = self._corrected(here, there, self._slopes) if gain > _SERVES else None
                if gain < _SERVES and not kept:
                    reach = 0.5 * step
                elif gain > _TRUSTED and step > 0.9 * reach:
                    reach *= 2.0
                here, kept = there, True
            elif kept:
                self._slopes = None
            elif step < _SHORTEST:
                break
            else:
                reach = 0.25 * step
        return here

    # --- What is foreseen --------------------------------------------------------------------------------------------

    def _foreseen(self, here: _Point, slopes: Slopes, reach: float) -> tuple[Floats, float]:
        """The unknowns, each within reach, for which least is foreseen, and the cost that is."""
        from scipy.optimize import least_squares

        of_x, of_asked = slopes
        # what no step within reach can bring to its bound is left out
        near = np.abs(here.asked) + reach * np.sum(np.abs(of_asked), axis=1) > 1.0
        asked, of_asked = here.asked[near], of_asked[near]
        plain = self._by_arm(of_x), _RIDGE * self.family.weight

        def left(p: Floats) -> Floats:
            step = p - here.p
            return self._wanted(_Point(p, here.x + of_x @ step, asked + of_asked @ step))

        def change(p: Floats) -> Floats:
            there = asked + of_asked @ (p - here.p)
            beyond = np.where(np.abs(there) > 1.0, _WEIGHT * np.sign(there), 0.0)
            return np.concatenate([plain[0], beyond[:, None] * of_asked, plain[1]])

        low, high = np.maximum(self.family.lower, here.p - reach), np.minimum(self.family.upper, here.p + reach)
        found = least_squares(left, here.p, change, (low, high), ftol=1e-3, xtol=1e-7, gtol=1e-14, max_nfev=80)
        return found.x, 2.0 * float(found.cost)

    def _corrected(self, here: _Point, there: _Point, slopes: Slopes) -> Slopes:
        """The derivatives with Broyden's correction for what a step was seen to do."""
        of_x, of_asked = slopes
        step = there.p - here.p
        along = step / float(step @ step)
        return (
            of_x + np.outer(there.x - here.x - of_x @ step, along),
            of_asked + np.outer(there.asked - here.asked - of_asked @ step, along),
        )

    def _wanted(self, here: _Point) -> Floats:
        """What is wanted gone."""
        beyond = _WEIGHT * np.maximum(np.abs(here.asked) - 1.0, 0.0)
        return np.concatenate([self._by_arm(here.x), beyond, _RIDGE * (self.family.weight @ here.p)])

    def _cost(self, here: _Point) -> float:
        rows = self._wanted(here)
        return float(rows @ rows)

    def _by_arm(self, x: Floats) -> Floats:
        """Vibrations, or their derivatives, of all arms, each with its weight."""
        parts = np.split(x, self._ends)
        return np.concatenate([np.sqrt(weight) * part for weight, part in zip(self.weights, parts, strict=True)])

    def _energies(self, here: _Point) -> Floats:
        """The energy of the vibration of every arm, per that of the unshaped command."""
        return np.array([part @ part for part in np.split(here.x, self._ends)])

    # --- Runs --------------------------------------------------------------------------------------------------------

    def _point(self, p: Floats) -> _Point | None:
        """A run of every arm; None if one does not reach its end."""
        laws, samples, marks = [self.family.laws(p)], self._sampled([p]), self.family.marks()[None, :]
        lanes = [
            runs_of(
                track, laws, marks, samples, begin=_last(trunk), first=np.zeros(1, np.int64), before=trunk, keep=True
            )
            for (track, _), trunk in zip(self.arms, self._trunks, strict=True)
        ]
        self._progress("optimum, run")
        if not all(each.ok for each in lanes):
            return None
        x, asked = self._seen([p], laws, lanes)
        return _Point(p, x[0], asked[0], lanes)

    def _differences(self, here: _Point) -> Slopes | None:
        """The derivatives at a point: a lane for each unknown, from where it begins to act; None if a lane stops."""
        self.derivatives += 1
        many = list(here.p + _DIFFERENCE * np.eye(len(here.p)))
        laws, samples = [self.family.laws(p) for p in many], self._sampled(many)
        marks = np.repeat(self.family.marks()[None, :], len(many), axis=0)
        first = np.zeros(len(many), np.int64) if self.family.first is None else self.family.first
        found = []
        for (track, _), nominal in zip(self.arms, here.lanes, strict=True):
            assert nominal.kept is not None
            begin = nominal.kept.at((0, first))
            found.append(runs_of(track, laws, marks, samples, begin=begin, first=first, before=nominal))
            self._progress(f"optimum, derivatives {self.derivatives}")
        if not all(each.ok for each in found):
            return None
        x, asked = self._seen(many, laws, found)
        return (x - here.x).T / _DIFFERENCE, (asked - here.asked).T / _DIFFERENCE

    def _sampled(self, many: Sequence[Floats]) -> Floats:
        """When the lanes are looked at (s): only torques have to be seen on the way."""
        if not self.bounds.torque:
            return np.zeros((len(many), 0))
        return np.sort([self.family.samples(p) for p in many])

    def _seen(
        self, many: Sequence[Floats], laws: Sequence[Mapping[str, Pieces]], lanes: Sequence[Lanes]
    ) -> tuple[Floats, Floats]:
        """Vibrations (lanes, x) of all arms and what is bounded (lanes, rows), as parts of the bounds."""
        x = [
            np.array([rest.vibration(q, v) for q, v in each.end]) / self.scale
            for (_, rest), each in zip(self.arms, lanes, strict=True)
        ]
        times = np.array([self.family.samples(p) for p in many])
        asked = [np.zeros((len(many), 0))]
        if self.bounds.torque:
            # rows are in the order of the family, whichever comes first in time
            places = np.argsort(np.argsort(times, axis=1, kind="stable"), axis=1)
            for (track, _), each in list(zip(self.arms, lanes, strict=True))[: self.bounded]:
                for name, torque in self._torques(track, laws, np.sort(times), each).items():
                    bound = self.bounds.torque[name] * self.room
                    asked.append(np.take_along_axis(torque, places, axis=1) / bound)
        for name, most in self.bounds.rate.items():
            rates = [law[name].evaluate(instants)[1] for law, instants in zip(laws, times, strict=True)]
            asked.append(np.array(rates) / (most * self.room))
        return np.concatenate(x, axis=1), np.concatenate(asked, axis=1)

    def _torques(
        self, track: Track, laws: Sequence[Mapping[str, Pieces]], times: Floats, lanes: Lanes
    ) -> dict[str, Floats]:
        """What the bounded drives give in all lanes (lanes, samples)."""
        compiled, nq = track.compiled, lanes.q.shape[2]
        q, v, a = (part.reshape(-1, nq) for part in (lanes.q, lanes.v, lanes.a))
        seen = see(compiled, times.ravel(), q, v, a)
        found: dict[str, list[Floats]] = {name: [] for name in self.bounds.torque}
        for lane, law in enumerate(laws):
            rows = slice(lane * times.shape[1], (lane + 1) * times.shape[1])
            under = with_motions(compiled, law) if len(compiled.commands.servo_coordinate) else compiled
            part = seen._replace(force=seen.force[rows])
            states = q[rows], v[rows], lanes.x[lane]
            for name, values in drive_torques(under, self.bounds.torque, times[lane], states, part).items():
                found[name].append(values)
        return {name: np.array(values) for name, values in found.items()}


def _last(lanes: Lanes) -> Moments:
    """Where lanes are at their last mark."""
    assert lanes.kept is not None
    return lanes.kept.at((slice(None), -1))
