"""The bar-chain as printed: small motions across a hub's radius, of which rotation feels the slides alone.

With u_k and ψ_k the deflection of mass k and the slope of its bar, sums of the slides w and turns φ of the joints
inboard (at the distances c), W_k the sum of the slides alone, and R the distance from the hub's axis,

    u_k = Σ w_s + (x_k − c_s) φ_s,    ψ_k = Σ φ_s,    W_k = Σ w_s
    T = ½ J θ̇² + ½ Σ m [(Rθ̇ + u̇)² + W²θ̇²] + ½ Σ j (θ̇ + ψ̇)²

and U = ½ Σ kL w² + kR φ². The printed velocities take every bar for parallel to the radius but keep where its joints
have slid to, −W θ̇ along the radius; neither u²θ̇² nor what the bars draw in is there: the chain softens a little with
the rate and does not stiffen. Coordinates are the deflections, those slopes that have inertia, and the slides of the
other bars: these are free to follow the rotation, and bear a part 10⁻⁶ of the mass of a half, which lowers a frequency
by 10⁻⁶ (kl)⁶/288 of it. With y = R x of the joints' x, D their stiffnesses and the factors Q, P of D^(-½) Rᵀ,

    x = D^(-½) Q P⁻ᵀ y,      K = P⁻¹ P⁻ᵀ

Gravity acts across the axis and on the hub as on everything else; as nothing draws in, it does not pull.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from flexarm.batched import array, diagonal, real, zeros
from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Attachment, Elastic
from flexarm.core.tree.types import Floats
from flexarm.links.bar_chain import ON_JOINT, THEORIES, WORD, Half, Lumps
from flexarm.links.base import BeamSpan, Carried, Direction, LinkBlock, Place, Station
from flexarm.links.mesh import check_beam, element_lengths, free_directions, refused, theory_of
from flexarm.links.printed import at_the_clamp, check_printed, payload_stations

# Part of the mass of a half that the slide of a bar without rotary inertia bears.
_SLIDING = 1e-6


class _Chain:
    """The chain in its coordinates."""

    def __init__(self, span: BeamSpan, theory: str) -> None:
        self.span = span
        lumps = Lumps(span, *element_lengths(span), theory != "euler")
        self.carried = lumps.piece(0, 0.0)
        self.x = array(lumps.positions[1:])
        self.count = len(self.x)
        sheared, ends = theory == "timoshenko", pairwise(lumps.positions)
        self.halves = [Half(span, begin, end - begin, sheared) for begin, end in ends]
        self.centres = array([half.centres["bending_z"] for half in self.halves])
        pieces = [lumps.piece(k + 1, 0.0) for k in range(self.count)]
        self.mass = array([piece.mass for piece in pieces])
        self.rotary = array([piece.inertia[2, 2] for piece in pieces])
        self.payloads = tuple(each for each in span.payloads if self.bar(each.at) >= 0)
        for each in span.payloads:
            if self.bar(each.at) < 0:
                self.carried = self.carried.joined(at_the_clamp((each,)))
        self.turning = [k for k in range(self.count) if self.rotary[k] > 0.0 or self._turns(k)]
        self.joints = self._joints()

    def bar(self, s: float) -> int:
        """The bar under a point of the axis, −1 for the base; a point on a joint belongs to the bar inboard of it."""
        return int(np.searchsorted(self.centres, s - ON_JOINT * self.span.length)) - 1

    def _turns(self, k: int) -> bool:
        """True if what a bar carries gives its slope inertia."""
        own = [each for each in self.payloads if self.bar(each.at) == k]
        return any(each.piece.inertia[2, 2] > 0.0 or self._lever(each, k) != 0.0 for each in own)

    def _lever(self, each: Carried, k: int) -> float:
        lever = each.at + real(each.piece.centre[0]) - real(self.x[k])
        return 0.0 if abs(lever) <= ON_JOINT * self.span.length else lever

    def _joints(self) -> Floats:
        """Slides and turns (2 × count, n) of the joints per coordinate."""
        slides = [half.stiffness("shear_y", "bending_z") for half in self.halves]
        turns = [half.stiffness("bending_z", "bending_z") for half in self.halves]
        self.springs = array([*slides, *turns])
        outboard = np.tril(np.ones((self.count, self.count)))
        deflections = np.hstack([outboard, outboard * (self.x[:, None] - self.centres)])
        slopes = np.hstack([np.zeros_like(outboard), outboard])
        # in the order of the coordinates: a node's deflection, its slope if it has inertia
        rows: list[Floats] = []
        self.names: list[str] = []
        self.bearing: list[float] = []  # inertia of the coordinates themselves
        self.deflected, turned = np.zeros(self.count, np.int64), {}
        for k in range(self.count):
            self.deflected[k] = len(rows)
            rows.append(deflections[k])
            self.names.append(f"v{k + 1}")
            if k in self.turning:
                turned[k] = len(rows)
                rows.append(slopes[k])
                self.names.append(f"slope_z{k + 1}")
                self.bearing += [0.0, 0.0]
            else:
                rows.append(np.eye(2 * self.count)[k])
                self.names.append(f"slide{k + 1}")
                half = self.halves[k]
                here = self.span.properties(real(self.centres[k])).mass_per_length
                self.bearing += [0.0, _SLIDING * here * half.length]
        soft = 1.0 / np.sqrt(self.springs)
        basis, triangle = np.linalg.qr(soft[:, None] * array(rows).T)
        inverse = np.linalg.inv(triangle)
        self.stiffness = inverse @ inverse.T
        joints = soft[:, None] * (basis @ inverse.T)
        self.slopes = slopes @ joints
        for k, c in turned.items():
            self.slopes[k] = np.eye(len(rows))[c]
        return joints

    def attachment(self, s: float) -> Attachment:
        """The frame at a distance along the beam, on the bar under it."""
        k, n = self.bar(s), len(self.names)
        phi, psi = zeros((2, 3, n), s, self.x, self.slopes)
        phi[1, self.deflected[k]] = 1.0
        phi[1] = phi[1] + (s - self.x[k]) * self.slopes[k]
        psi[2] = self.slopes[k]
        return Attachment(s, phi, psi, np.zeros((n, n)))

    def elastic(self) -> Elastic:
        """The chain and its payloads as a flexible body of which rotation feels the slides."""
        n = len(self.names)
        frames = [self.attachment(real(x)) for x in self.x]
        parts = [
            (mass, x, array([0.0, 0.0, rotary]), frame.phi, frame.psi, frame.shortening)
            for mass, x, rotary, frame in zip(self.mass, self.x, self.rotary, frames, strict=True)
        ]
        parts += payload_stations(self.payloads, self.attachment)
        mass, x, rotary, phi, psi, shortening = (array(part) for part in zip(*parts, strict=True))
        bars = [*range(self.count), *(self.bar(each.at) for each in self.payloads)]
        # W of every mass: how far all joints inboard have slid
        slid = np.cumsum(self.joints[: self.count], axis=0)[bars] * np.sqrt(mass)[:, None]
        return Elastic(
            mass,
            x,
            rotary,
            phi,
            psi,
            shortening,
            self.stiffness,
            np.zeros((n, n)),
            added=diagonal(self.bearing),
            softening=slid.T @ slid,
        )

    def stations(self) -> tuple[Station, ...]:
        """Strains and the forces behind them at the joints."""
        found = []
        kinds: tuple[tuple[Direction, int], ...] = (("shear_y", 0), ("bending_z", self.count))
        for s, half in enumerate(self.halves):
            for direction, first in kinds:
                row, stiffness = self.joints[first + s], real(self.springs[first + s])
                strain = half.strain(direction, "bending_z", stiffness) * row
                found.append(
                    Station(
                        position=real(self.centres[s]),
                        direction=direction,
                        coordinates=tuple(range(len(row))),
                        strain=tuple(real(each) for each in strain),
                        force=tuple(real(stiffness * each) for each in row),
                        loss=(0.0,) * len(row),
                    )
                )
        return tuple(found)


def printed_chain(span: BeamSpan) -> LinkBlock:
    """The chain as one flexible body in the frame of the hub."""
    base = span.properties(0.0)
    theory, free = theory_of(span, WORD, THEORIES, base), free_directions(span, base)
    check_printed(span, "kinematics", "finite")
    if free != ("bending_z",):
        raise refused(span, 'model.freedoms holds "axial"', 'hold "bending" alone with kinematics "printed"')
    check_beam(span, WORD, THEORIES, free, theory)
    chain = _Chain(span, theory)
    across: Direction = "bending_z"

    def place(s: float) -> Place:
        """The frame at a point of the axis."""
        return Place(-1, s) if chain.bar(s) < 0 else Place(0, s, chain.attachment(s))

    return LinkBlock(
        carried=chain.carried,
        bodies=(Body(parent=-1, elastic=chain.elastic()),),
        names=tuple(chain.names),
        directions=(across,) * len(chain.names),
        units=tuple("rad" if name.startswith("slope") else "m" for name in chain.names),
        reads=chain.stations,
        place=place,
        extents=(span.length,),
        holds=True,
        turns=chain.joints[chain.count :],
    )
