"""How many elements a beam gets where its model gives no number: chosen for the arm, so that its tip converges.

A cubic element errs in a frequency by (kh)⁴/1440 of it, h its length and k = (mω²/EI)^¼ the wave number of bending.
The frequencies that count are the first three of a plane with the joints locked. Letting one link bend and holding all
others rigid can only raise them, and what a link carries only lowers them, so that none lies above the third of the
softest link by itself,

    ω* = 7.855² min √(EI/m)/L²          and every link gets  n ≥ k(ω*) L  elements,     kh ≤ 1

eight for the softest, fewer for the others: within 7e-4 of the true value, and below that in the first two. Sag is
exact at the nodes of a uniform beam. More elements are needed where a beam tapers steeply; where weights and loads bend
it far, so that no element is bent by more than 0.15 rad (a sag of 0.8 L then errs by 3e-4); and where a law with a
`rate` turns it so fast that a boundary layer forms at its clamp, n ≥ ½ΩL²√(m/EI) (2e-3 at thirteen times the first
frequency, 1e-3 at seven).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flexarm.model.attachments import node_positions

if TYPE_CHECKING:
    from flexarm.model.arm import Arm
    from flexarm.model.parts.beam import BeamProperties
    from flexarm.model.parts.link import Link

# kL of the third frequency of a clamped beam whose tip is free; with a payload it is lower.
_THIRD = 7.854757438237613
# kh of the shortest wave on one element: (kh)⁴/1440 = 7e-4.
_WAVE = 1.0
# Torsion and its linear elements err by (kh)²/24, 1.7e-3: where the first torsional frequency lies below ω*, that one
# counts. Of stubby links, whose ω* is far above what they ever show, higher ones would ask for dozens of elements.
_TWIST, _FIRST_TWIST = 0.2, math.pi / 2
# Bend (rad) of one element under weights and loads, in the worst posture; and the most that is reckoned with.
_BEND, _MOST_BENT = 0.15, 2.0
# Elements per ΩL²√(m/EI) of a beam that turns.
_SPIN = 0.5
# The bending stiffness may change by this factor over one element.
_TAPER = 2.0
_LEAST, _MOST = 2, 40
# One frame for all of a sleeve's beam is dense in its coordinates, and few elements are enough.
_IN_A_SLEEVE = 4
_PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)


def chosen_elements(arm: Arm) -> dict[str, int]:
    """The number of cubic elements of every beam, by the name of its link, as the rule above has it."""
    try:
        return _chosen(arm)
    except (OverflowError, ZeroDivisionError, ValueError):
        # numbers no arm has, such as 1e50 m: whatever comes of them is reported when it is run
        return {link.name: _IN_A_SLEEVE for link in arm.links if link.beam is not None}


def _chosen(arm: Arm) -> dict[str, int]:
    beams = {link.name: _BeamAlong(link, arm.planar) for link in arm.links if link.beam is not None}
    known = {name: beam for name, beam in beams.items() if beam.sound}
    if not known:
        return dict.fromkeys(beams, _LEAST)
    highest = min(beam.third_frequency for beam in known.values())
    moments, rates = _moments(arm), _rates(arm)
    found = {}
    for link in arm.links:
        if link.name not in beams:
            continue
        beam = beams[link.name]
        count = _LEAST
        if beam.sound:
            wanted = max(
                beam.waves(highest) / _WAVE,
                min(beam.bend(*moments[link.name]), _MOST_BENT) / _BEND,
                beam.taper / math.log(_TAPER),
                _SPIN * beam.speed(rates[link.name]),
            )
            # one more for every place that has to have a node
            count = min(max(math.ceil(wanted - 1e-9), _LEAST), _MOST) + len(node_positions(arm, link))
        found[link.name] = min(count, _IN_A_SLEEVE) if link.joint.sleeve else count
    return found


class _BeamAlong:
    """What the rule needs of one beam: bending in its softer plane, at a few places along it."""

    def __init__(self, link: Link, planar: bool) -> None:
        assert link.beam is not None
        self.length = float(link.length)
        places = (
            _PLACES[:1] if link.beam.uniform else sorted({*_PLACES, *link.beam.breaks, *link.beam.quadrature(1)[0]})
        )
        here = [link.beam.properties(place) for place in places]
        softer = [_softer(each, planar) for each in here]
        # a beam without mass, or whose bending is not known, is refused elsewhere
        self.sound = None not in softer and all(each.mass_per_length > 0.0 for each in here)
        self.stiffness = [float(each) for each in softer if each is not None]
        self.masses = [float(each.mass_per_length) for each in here]
        # 1/c of torsion (s/m) where it is free
        twists = not planar and all(each.GJ is not None for each in here)
        self.twisting = max(math.sqrt(each.jx / (each.GJ or math.inf)) for each in here) if twists else 0.0

    @property
    def third_frequency(self) -> float:
        """Its third frequency by itself, clamped (rad/s); of a tapered one, no lower than that."""
        fastest = max(EI / m for EI, m in zip(self.stiffness, self.masses, strict=True))
        return float(_THIRD**2 * math.sqrt(fastest) / self.length**2)

    @property
    def _slowest(self) -> float:
        """The greatest m/EI along it."""
        return max(m / EI for EI, m in zip(self.stiffness, self.masses, strict=True))

    def waves(self, frequency: float) -> float:
        """kL of bending at an angular frequency (rad/s), or what torsion needs where it has waves of its own."""
        bending = (self._slowest * frequency**2) ** 0.25 * self.length
        twisting = self.twisting * frequency * self.length
        return max(bending, _FIRST_TWIST * _WAVE / _TWIST) if twisting > _FIRST_TWIST else bending

    def speed(self, rate: float) -> float:
        """ΩL²√(m/EI) at a rate of turning (rad/s)."""
        return rate * self.length**2 * math.sqrt(self._slowest)

    @property
    def taper(self) -> float:
        """|log| of how much its stiffness changes along it."""
        return abs(math.log(max(self.stiffness) / min(self.stiffness)))

    def bend(self, near: float, far: float) -> float:
        """The angle (rad) by which moments at its ends (N m), linear between them, bend it."""
        return 0.5 * (near + far) * self.length / min(self.stiffness)


def _softer(here: BeamProperties, planar: bool) -> float | None:
    """EI of the softer plane, None where it is not known."""
    if planar or here.EIz is None:
        return here.EIz
    return None if here.EIy is None else min(here.EIy, here.EIz)


def _moments(arm: Arm) -> dict[str, tuple[float, float]]:
    """The greatest bending moments (N m) at base and tip of every link: weights and loads on the arm stretched out."""
    pull = math.hypot(*arm.gravity[:2]) if arm.planar else math.hypot(*arm.gravity)
    # of each link: force and moment at its base that all it carries has there
    forces: dict[int, tuple[float, float]] = {}
    found: dict[str, tuple[float, float]] = {}
    for index in reversed(arm.base_to_tip):
        link = arm.links[index]
        length = float(link.radius) + float(link.length)
        beyond = math.hypot(*(float(x) for x in link.tip_offset))
        force = moment = 0.0
        standing = [(payload.at, pull * float(payload.mass), 0.0) for payload in link.payloads]
        for load in arm.loads:
            if load.link == link.name:
                sizes = (math.hypot(*(float(x) for x in each)) for each in (load.force, load.moment))
                standing.append((load.at, *sizes))  # type: ignore[arg-type]
        for child, parent in enumerate(arm.parents):
            if parent == index:
                own, turning = forces[child]
                offset = math.hypot(*(float(x) for x in arm.links[child].joint.offset))
                standing.append((arm.links[child].parent_at, own, turning + own * offset))
        at_tip = 0.0
        for at, own, turning in standing:
            lever = length + beyond if at is None else float(link.radius) + float(at)
            force, moment = force + own, moment + turning + own * lever
            at_tip += turning + own * beyond if at is None else 0.0
        weight = pull * _own_mass(link)
        forces[index] = (force + weight, moment + 0.5 * weight * length)
        found[link.name] = (moment + 0.5 * weight * length, at_tip)
    return found


def _rates(arm: Arm) -> dict[str, float]:
    """The greatest rate (rad/s) at which laws with a `rate` turn every link, all joints inboard adding up."""
    found: dict[str, float] = {}
    for index in arm.base_to_tip:
        link, parent = arm.links[index], arm.parents[index]
        own = 0.0
        if link.joint.type == "revolute" and link.joint.motion is not None:
            given = link.joint.rate if link.joint.rate is not None else _law_rate(arm, link.joint.motion)
            own = abs(float(given) * float(link.joint.scale))
        found[link.name] = own + (0.0 if parent < 0 else found[arm.links[parent].name])
    return found


def _law_rate(arm: Arm, name: str) -> float:
    """The rate a law names itself; 0 where it has none."""
    return float(getattr(arm.motions.get(name), "rate", None) or 0.0)


def _own_mass(link: Link) -> float:
    """Mass (kg) of the body of a link."""
    if link.beam is None:
        return 0.0 if link.rigid is None else float(link.rigid.mass)
    places, weights = link.beam.quadrature(3)
    return float(link.length) * sum(
        float(w) * float(link.beam.properties(float(x)).mass_per_length) for x, w in zip(places, weights, strict=True)
    )
