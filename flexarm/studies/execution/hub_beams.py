"""Many samples of a beam on a hub, run side by side in compiled lanes.

The clamped modes of a uniform Euler-Bernoulli beam are the same for all lengths, masses and stiffnesses but for scale:
they are found once, for a beam of unit length, mass and stiffness, and every sample is five numbers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.numbers.lanes import LANES, lane_zeros
from flexarm.core.time.hub import STAGES, hub_run, number_width, state_width
from flexarm.core.tree.invariants import invariants_of
from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.links import block_of
from flexarm.links.base import BeamSpan
from flexarm.model import Arm, Beam, Link

# Of the largest angular frequency: the step (rad) tried first; it is halved until the nominal sample is within the
# tolerance.
_FIRST = 3.0
_FINEST = 2.0**-20  # s
# Largest share of the tolerance that the nominal sample may err by.
_SHARE = 0.6


@dataclass(frozen=True, eq=False)
class HubBeamRuns:
    """States of samples at times: angle and rate of the hub, the tip's lateral deflection and its place."""

    times: Floats  # (k,)
    angle: Floats  # (m, k) rad
    rate: Floats  # (m, k) rad/s
    deflection: Floats  # (m, k) m, across the hub's radius
    tip: Floats  # (m, k, 2) m, base axes
    steps: Floats  # (m,) s
    _velocity: Callable[[], Floats]

    @cached_property
    def velocity(self) -> Floats:
        """Velocity of the tip (m, k, 2), m/s, base axes."""
        return self._velocity()


@dataclass(frozen=True, eq=False)
class _Unit:
    """The modes of the beam of unit length, mass and stiffness, each of unit modal mass."""

    square: Floats  # (n,) ω²
    lever: Floats  # (n,) ∫xφ
    first: Floats  # (n,) ∫φ
    second_order: Floats  # (n, n) N
    drawn: Floats  # (n, n) ∫H
    tip: Floats  # (n,) φ(1)
    tip_drawn: Floats  # (n, n) H(1)


class HubBeams:
    """The samples of an arm that is one uniform beam, by assumed modes, on a hub turned by a torque."""

    def __init__(self, arm: Arm, tolerance: float = 1e-6) -> None:
        why = why_not(arm)
        if why is not None:
            raise AnalysisError(f"the samples cannot be run side by side: {why}")
        self.arm, self.tolerance = arm, tolerance
        self.link = arm.links[0]
        self.modes = self.link.formulation.modes
        self.felt = getattr(self.link.formulation, "order", "second") == "second"
        self.unit = _unit_modes(self.link)
        self.compiled: CompiledArm = compile_arm(arm)
        self.step = _FIRST

    def numbers(self, changes: Mapping[str, Floats]) -> dict[str, Floats]:
        """Mass per length, stiffness, length, hub's inertia and radius of samples with other numbers at some places."""
        return _numbers(self.arm, changes)

    def settled(self, times: Floats) -> float:
        """How far (m) the nominal sample is from itself in steps half as long, which is within the tolerance then."""
        nominal = _numbers(self.arm, {})
        while True:
            coarse = self._run(nominal, times, self.step)
            fine = self._run(nominal, times, 0.5 * self.step)
            apart = float(np.max(np.abs(coarse.tip - fine.tip)))
            if apart <= _SHARE * self.tolerance:
                return apart
            if coarse.steps[0] < _FINEST:
                raise AnalysisError(
                    f"the nominal sample does not settle within {self.tolerance:.3g} m, must do so in steps of "
                    f"{_FINEST:.3g} s or more"
                )
            self.step *= 2.0**-0.25

    def run(self, changes: Mapping[str, Floats], times: Floats) -> HubBeamRuns:
        """The samples, whose numbers at the given places (as in a model file) are those given."""
        return self._run(_numbers(self.arm, changes), times, self.step)

    def _run(self, numbers: Mapping[str, Floats], times: Floats, step: float) -> HubBeamRuns:
        n = self.modes
        rhoA, EI, L, hub, radius = np.broadcast_arrays(
            *(numbers[name] for name in ("rhoA", "EI", "L", "hub", "radius"))
        )
        m = len(rhoA)
        unit = self.unit
        mass = rhoA * L
        square = (EI / (mass * L**3))[:, None] * unit.square
        lever = np.sqrt(mass)[:, None] * (L[:, None] * unit.lever + radius[:, None] * unit.first)
        inertia = hub + mass * (L**2 / 3.0 + radius * L + radius**2)
        second = unit.second_order - (radius / L)[:, None, None] * unit.drawn
        damping = self._damping(square)
        rows = np.empty((m, number_width(n)))
        rows[:, 0] = inertia
        rows[:, 1 : 1 + n], rows[:, 1 + n : 1 + 2 * n], rows[:, 1 + 2 * n : 1 + 3 * n] = lever, square, damping
        above = np.triu_indices(n)
        rows[:, 1 + 3 * n :] = second[:, above[0], above[1]]
        # Σ of the squares of all coupled frequencies: a little above the largest
        free = inertia - np.sum(lever**2, axis=1)
        fastest = np.sqrt(np.sum(square * (1.0 + lever**2 / free[:, None]), axis=1))
        exponent = _quarters(step / fastest)
        bounds, wanted = self._bounds(times)
        states = self._lanes(rows, exponent, bounds)[:, wanted]
        eta, angle = states[:, :, 1 : 1 + n], states[:, :, 0]
        across = np.einsum("mki,i->mk", eta, unit.tip) / np.sqrt(mass)[:, None]
        drawn = np.einsum("mki,ij,mkj->mk", eta, unit.tip_drawn, eta) / (mass * L)[:, None]
        along = (radius + L)[:, None] - 0.5 * drawn
        cos, sin = np.cos(angle), np.sin(angle)
        tip = np.stack([cos * along - sin * across, sin * along + cos * across], axis=-1)
        rate = states[:, :, 1 + n]

        def velocity() -> Floats:
            # d/dt of R(θ) (along, across)
            eta_rate = states[:, :, 2 + n :]
            outward = np.einsum("mki,i->mk", eta_rate, unit.tip) / np.sqrt(mass)[:, None] + rate * along
            inward = np.einsum("mki,ij,mkj->mk", eta, unit.tip_drawn, eta_rate) / (mass * L)[:, None] + rate * across
            return np.stack([-cos * inward - sin * outward, cos * outward - sin * inward], axis=-1)

        return HubBeamRuns(times, angle, rate, across, tip, 2.0 ** (0.25 * exponent), velocity)

    def _damping(self, square: Floats) -> Floats:
        """Modal dampers (m, n): retardation time × ω²; a ratio is that of its mode of each sample's own."""
        damping = self.link.effective_damping
        if damping is None:
            return np.zeros_like(square)
        if damping.ratio is not None:
            k = damping.mode - 1
            return 2.0 * damping.ratio * square / np.sqrt(square[:, k : k + 1])
        return float(damping.retardation or 0.0) * square

    def _bounds(self, times: Floats) -> tuple[Floats, Ints]:
        """Times at which steps end, switches of the command among them, and which of them are wanted."""
        switches = self.compiled.commands.switches
        inside = switches[(switches > 0.0) & (switches < times[-1])]
        bounds = np.unique(np.concatenate([[0.0], inside, times]))
        return bounds, np.searchsorted(bounds, times).astype(np.int64)

    def _lanes(self, rows: Floats, exponent: Any, bounds: Floats) -> Floats:
        """States (m, bounds, …) of the samples; those of equal step go together."""
        n, m = self.modes, len(rows)
        order = np.argsort(exponent, kind="stable")
        groups: list[Any] = []
        for value in np.unique(exponent):
            own = order[exponent[order] == value]
            padded = np.concatenate([own, np.full(-len(own) % LANES, own[-1])])
            groups.append(padded.reshape(-1, LANES))
        members = np.concatenate(groups)
        packed = lane_zeros((len(members), rows.shape[1], LANES))
        packed[:] = rows[members].transpose(0, 2, 1)
        length = 2.0 ** (0.25 * exponent[members[:, 0]])
        steps = np.maximum(np.ceil(np.diff(bounds) / length[:, None] * (1.0 - 1e-12)), 1.0).astype(np.int64)
        states = lane_zeros((len(members), len(bounds), state_width(n), LANES))
        law = int(self.compiled.commands.torque_law[0])
        torque = np.zeros((int(steps.max(initial=1)), STAGES))
        hub_run(n, self.felt)(packed, self.compiled.laws, law, bounds, steps, states, torque)
        found = np.empty((m, len(bounds), state_width(n)))
        found[members.ravel()] = states.transpose(0, 3, 1, 2).reshape(-1, len(bounds), state_width(n))
        return found


def _quarters(size: Floats) -> Any:
    """The largest whole k with 2^(k/4) ≤ size, found without a logarithm, whose last digit is nobody's promise."""
    mantissa, exponent = np.frexp(size)
    return 4 * (exponent - 1) + np.searchsorted(2.0 ** (np.array([1.0, 2.0, 3.0]) / 4.0 - 1.0), mantissa, side="right")


# What the equations know of a part; of everything else they know the defaults alone.
_KNOWN = {
    "arm": {"name", "gravity", "planar", "links", "torques", "motions", "points", "simulation", "materials"},
    "link": {"name", "joint", "length", "beam", "hub", "model", "damping"},
    "joint": {"type", "torque", "free", "scale", "delay"},
}

# Sections of which every positive size is one; in others a wall may be too thick.
_FREE_SHAPES = ("rectangle", "circle")


def why_not(arm: Arm) -> str | None:
    """Why the samples of an arm cannot be run side by side; None if they can."""
    if len(arm.links) != 1 or arm.loads:
        return "the arm must be one link without loads"
    link = arm.links[0]
    if link.beam is None or link.formulation.formulation != "modes":
        return 'the link must be a beam whose formulation is "modes"'
    if link.formulation.theory != "euler" or not link.beam.uniform:
        return 'the beam must be uniform and its theory "euler"'
    # a beam that carries nothing has the clamped modes for its loaded ones
    if link.formulation.shapes not in ("payload", "clamped") or not link.formulation.stiffening:
        return "the shapes must be the clamped ones, with stiffening"
    if link.payloads or not arm.planar or np.any(np.array(arm.gravity[:2]) != 0.0):
        return "the arm must be planar, without gravity in its plane and without payload"
    joint = link.joint
    if joint.type != "revolute" or joint.torque is None or joint.motor is not None or joint.gear is not None:
        return "the joint must be revolute and driven by a torque, without motor and gear"
    if joint.stiffness or joint.damping or joint.rotor_inertia:
        return "the joint must have no spring, no damper and no rotor"
    if link.formulation.freedoms not in (None, ("bending",)):
        return "the beam must only bend"
    for what, part in {"arm": arm, "link": link, "joint": joint}.items():
        if beyond := _beyond(part, _KNOWN[what]):
            return f"the {what} must have no {beyond}"
    damping = link.effective_damping
    if damping is not None and (damping.per_spring is not None or damping.of == "arm"):
        return "the damping must be a ratio or a retardation time"
    if arm.simulation.stepper != "esdirk4" or arm.simulation.step is not None:
        return "the stepper must be esdirk4, with steps of its own choice"
    return None


def _beyond(part: Any, known: Collection[str]) -> str | None:
    """A field that is not as it is by default, and not among those known; None if there is none."""
    for name, field in type(part).model_fields.items():
        if name not in known and getattr(part, name) != field.get_default(call_default_factory=True):
            return name
    return None


def _unit_modes(link: Link) -> _Unit:
    """The modes by the formulation itself, of a beam of unit length, mass and stiffness."""
    beam = Beam(bending_stiffness=1.0, mass_per_length=1.0)
    model = link.formulation.changed(freedoms=("bending",))
    block = block_of(BeamSpan("unit", beam, 1.0, model, True))
    elastic, tip = block.bodies[0].elastic, block.place(1.0).attachment
    assert elastic is not None and tip is not None
    found = invariants_of(elastic)
    scale = 1.0 / np.sqrt(np.diag(found.matrix["Me"]))
    both = np.outer(scale, scale)
    return _Unit(
        square=np.diag(found.matrix["K"]) * scale**2,
        lever=found.vector["C0z"] * scale,
        first=found.vector["S1y"] * scale,
        second_order=found.matrix["N"] * both,
        drawn=found.matrix["H0"] * both,
        tip=tip.phi[1] * scale,
        tip_drawn=tip.shortening * both,
    )


def _numbers(arm: Arm, changes: Mapping[str, Floats]) -> dict[str, Floats]:
    """The numbers of samples; places that are not in `changes` are as in the arm."""
    rest = dict(changes)

    def of(place: str, value: Any) -> Any:
        return rest.pop(place, value)

    link = arm.links[0]
    beam = link.beam
    assert beam is not None
    length = of("link[0].length", link.length)
    hub = link.hub
    inertia = of("link[0].hub.inertia", hub.inertia if hub else 0.0)
    radius = of("link[0].hub.radius", link.radius)
    if beam.section is None:
        EI = of("link[0].beam.bending_stiffness", beam.properties().EIz)
        rhoA = of("link[0].beam.mass_per_length", beam.properties().mass_per_length)
    else:
        section, material = beam.section, beam.material_data
        assert material is not None
        if section.shape not in _FREE_SHAPES and any(place.startswith("link[0].beam.section.") for place in changes):
            raise AnalysisError(f"numbers of a {section.shape} have to suit each other: they are run one by one")
        fields = {
            name: of(f"link[0].beam.section.{name}", getattr(section, name)) for name in type(section).model_fields
        }
        # the formulas of a section are plain arithmetic: they serve arrays as well
        shaped = type(section).model_construct(**fields)
        where = f"material.{beam.material}" if isinstance(beam.material, str) else "link[0].beam.material"
        EI = of(f"{where}.youngs_modulus", material.youngs_modulus) * np.asarray(shaped.Iz)
        rhoA = of(f"{where}.density", material.density) * np.asarray(shaped.area)
    if rest:
        raise AnalysisError(f"{', '.join(rest)}: such numbers cannot vary from sample to sample side by side")
    found = {"rhoA": rhoA, "EI": EI, "L": length, "hub": inertia, "radius": radius}
    return {name: np.atleast_1d(np.asarray(value, float)) for name, value in found.items()}
