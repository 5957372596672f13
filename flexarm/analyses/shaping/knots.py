"""Commands with an acceleration through knots added: a cubic spline on top of every joint's motion.

The acceleration of each joint is continuous and linear between even knots, zero at both ends. An unknown is a bump of
the position that is over within four intervals, its acceleration 1, −2, 1 at three knots: bumps are all there is that
changes neither the rate nor the place at the end (Σc = 0 and Σct = 0), and before its bump an unknown changes nothing.
"""

from __future__ import annotations

import numpy as np

from flexarm.analyses.shaping.commands import Command, corrected
from flexarm.analyses.shaping.runs import Bench, beside
from flexarm.core.tree.types import Floats, Ints
from flexarm.model import Pieces

# Knots per period of the mode that matters most, at least and at most so many for each joint.
_PER_PERIOD, _FEWEST, _MOST = 3.0, 9, 28
# Times (even ones) at which commands are held to their bounds.
_SAMPLES = 240
_BUMP = np.array([1.0, -2.0, 1.0]) / np.sqrt(6.0)


class Knots:
    """The commands that come of one by bumps; unknowns are accelerations as parts of the command's greatest."""

    name = "knots"

    def __init__(self, bench: Bench, base: Command, stop: float, period: float) -> None:
        self.bench, self.base, self.stop = bench, base, stop
        begin = bench.move.begin
        if not bench.move.from_rest:
            # nothing is gained before the joints leave their rates, but for a period that bumps may lead in
            leaves = min(float(law.break_times[0]) for law in base.laws.values())
            begin = max(leaves - period, 0.0)
        count = int(np.clip(round(_PER_PERIOD * (stop - begin) / period), _FEWEST, _MOST))
        self.knots = np.linspace(begin, stop, count + 2)
        bumps = count - 2
        # (bumps, knots)
        self.bumps = np.zeros((bumps, count + 2))
        for j in range(bumps):
            self.bumps[j, j + 1 : j + 4] = _BUMP
        self.joints = list(base.laws)
        self.sizes = self._sizes(begin)
        self.unknowns = len(self.joints) * bumps
        self.lower, self.upper = np.full(self.unknowns, -np.inf), np.full(self.unknowns, np.inf)
        # the knot at which the bump of each unknown begins
        self.first: Ints | None = np.tile(np.arange(bumps), len(self.joints))
        # what is to be no larger than needed: the accelerations at all knots
        self.weight: Floats = np.asarray(np.kron(np.eye(len(self.joints)), self.bumps[:, 1:-1].T), float)
        self._rows = {name: self._added(name, size) for name, size in zip(self.joints, self.sizes, strict=True)}
        switches = np.unique(np.concatenate([law.switch_times for law in base.laws.values()]))
        self._samples = np.sort(np.append(np.linspace(0.0, stop, _SAMPLES), beside(switches, stop)))

    def _sizes(self, begin: float) -> list[float]:
        """The greatest acceleration of any joint of a kind: one that hardly moves may move as much to help."""
        instants = np.linspace(begin, self.stop, 400)
        largest = {"rad": 0.0, "m": 0.0}
        units = [self.bench.arm.link(name).joint.unit for name in self.joints]
        for unit, law in zip(units, self.base.laws.values(), strict=True):
            largest[unit] = max(largest[unit], float(np.max(np.abs(law.evaluate(instants)[2]))))
        return [largest[unit] or 1.0 for unit in units]

    def _added(self, name: str, size: float) -> tuple[Pieces, Floats]:
        """A joint's motion cut at the knots, and what each unknown adds to the coefficients of its pieces."""
        rest = np.zeros((len(self.knots) + 1, 4))
        cuts = Pieces(np.append(self.knots[0], self.knots), rest, rest[:, :3], np.zeros(len(rest), bool))
        law = self.base.laws[name].plus(cuts)
        slopes = np.zeros((len(self.bumps), *law.poly.shape))
        # the first piece is what was before
        slopes[:, 1:, :4] = size * _twice_integrated(self.knots, self.bumps, law.start[1:])
        return law, slopes

    def marks(self) -> Floats:
        """Times (s) at which runs are kept: all knots."""
        return self.knots

    def samples(self, p: Floats) -> Floats:
        """Times (s) at which the command is held to its bounds."""
        return self._samples

    def laws(self, p: Floats) -> dict[str, Pieces]:
        """The motions with the bumps on top."""
        found = {}
        for name, part in zip(self.joints, p.reshape(len(self.joints), -1), strict=True):
            law, slopes = self._rows[name]
            found[name] = Pieces(law.start, law.poly + np.tensordot(part, slopes, 1), law.harmonic, law.switch)
        return found

    def command(self, p: Floats, name: str) -> Command:
        """The command as a model file has it."""
        parts = p.reshape(len(self.joints), -1)
        times = self.knots.tolist()
        knots = {
            joint: {"times": times, "values": (size * (part @ self.bumps)).tolist()}
            for joint, size, part in zip(self.joints, self.sizes, parts, strict=True)
        }
        return corrected(self.bench.arm, self.bench.move, name, self.base, knots)


def _twice_integrated(knots: Floats, values: Floats, times: Floats) -> Floats:
    """Coefficients (…, times, 4), about each time (s), of the motion whose acceleration has the values at the knots."""
    gap = np.diff(knots)
    slope = np.diff(values, axis=-1) / gap
    zero = np.zeros((*values.shape[:-1], 1))
    rate = np.concatenate([zero, np.cumsum(gap * 0.5 * (values[..., 1:] + values[..., :-1]), axis=-1)], axis=-1)
    gained = gap * (rate[..., :-1] + gap * (values[..., :-1] / 2.0 + gap * slope / 6.0))
    place = np.concatenate([zero, np.cumsum(gained, axis=-1)], axis=-1)
    # a time that is a knot but for rounding begins the interval behind it
    later = times + 1e-9 * float(np.min(gap))
    k = np.clip(np.searchsorted(knots, later, side="right") - 1, 0, len(gap) - 1)
    x = times - knots[k]
    a, v, s, d = values[..., k], rate[..., k], slope[..., k], place[..., k]
    rows = np.stack(
        [d + x * (v + x * (a / 2.0 + x * s / 6.0)), v + x * (a + x * s / 2.0), a / 2.0 + x * s / 2.0, s / 6.0], axis=-1
    )
    rows[..., (later < knots[0]) | (later >= knots[-1]), :] = 0.0
    return rows
