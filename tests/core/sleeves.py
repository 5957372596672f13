"""Beams in sleeves for the engine and for the oracle, and a carrier that moves the mouth in every way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.sleeve import Sleeve
from flexarm.links.base import BeamSpan
from flexarm.links.sleeve import sleeve_mesh, sleeve_of
from flexarm.model import Beam, Formulation
from tests.oracles import sleeve as oracle

from .trees import Engine

# every stiffness and inertia apart from every other, so that none can stand in for another
BEAM = {
    "bending_stiffness": (30.0, 70.0),
    "mass_per_length": 0.5,
    "torsional_stiffness": 11.0,
    "axial_stiffness": 900.0,
    "shear_stiffness": (800.0, 1300.0),
    "rotary_inertia": (2e-3, 3e-3),
    "polar_inertia": 4e-3,
}
LENGTH = 1.3
GRADING = 1.7
CASES: dict[str, dict[str, Any]] = {
    "euler": {"formulation": "hermite", "theory": "euler"},
    "rayleigh": {"formulation": "hermite", "theory": "rayleigh"},
    "sheared": {"formulation": "hermite", "theory": "timoshenko"},
    "linear": {"formulation": "timoshenko"},
    "stretching": {"formulation": "hermite", "freedoms": ["bending", "torsion", "axial"]},
    "unstiffened": {"formulation": "hermite", "theory": "rayleigh", "stiffening": False},
}


def sleeve(case: str, *, planar: bool, elements: int = 3, length: float = LENGTH, **keys: Any) -> Sleeve:
    """The beam of a case in a sleeve, elements of unequal length."""
    model = Formulation(elements=elements, **({"grading": GRADING} | CASES[case] | keys))
    return sleeve_of(sleeve_mesh(BeamSpan("boom", Beam(**BEAM), length, model, planar)))


def boom(case: str, *, planar: bool, elements: int = 3, payload: oracle.Payload | None = None) -> oracle.Boom:
    """The same beam for the oracle."""
    keys = CASES[case]
    shares = GRADING ** (np.arange(elements) / max(elements - 1, 1))
    free = ("v", "slope_z") if planar else ("v", "w", "twist", "slope_y", "slope_z")
    if "axial" in keys.get("freedoms", ()):
        free = ("u", *free)
    cubic = keys["formulation"] == "hermite"
    shear = keys.get("theory", "timoshenko") == "timoshenko"
    (EIy, EIz), (GAy, GAz), (jy, jz) = (BEAM[k] for k in ("bending_stiffness", "shear_stiffness", "rotary_inertia"))
    rotary = 0.0 if keys.get("theory") == "euler" else 1.0
    return oracle.Boom(
        length=LENGTH,
        mass=BEAM["mass_per_length"],
        shares=tuple(shares / shares.sum()),
        names=free,
        cubic=cubic,
        beta=(12.0 * EIz / GAy, 12.0 * EIy / GAz) if cubic and shear else (0.0, 0.0),
        rotary=(BEAM["polar_inertia"], rotary * jy, rotary * jz),
        EI=(EIz, EIy),
        GA=(GAy, GAz) if shear else None,
        GJ=BEAM["torsional_stiffness"],
        EA=BEAM["axial_stiffness"],
        stiffening=keys.get("stiffening", True),
        payload=payload,
    )


def payload(planar: bool) -> oracle.Payload:
    """A lopsided load for the tip."""
    centre = np.array([0.07, -0.05, 0.0 if planar else 0.04])
    return oracle.Payload(0.4, centre, np.diag([0.003, 0.004, 0.006]))


class Carried:
    """A sleeve whose mouth is carried by three slides and three hinges, all massless, at their zero.

    There the mouth moves with the rates of the slides, and turns with those of the hinges about z, y and x of the base.
    In the plane there are two slides and one hinge.
    """

    def __init__(self, beam: Sleeve, planar: bool, load: oracle.Payload | None = None, *, flat: bool = False) -> None:
        self.planar = planar
        axes = np.eye(3)
        slides = axes[:2] if planar else axes
        hinges = axes[2:] if planar else axes[::-1]
        bodies = [Body(k - 1, "prismatic", axis=axis, rotor=0.1) for k, axis in enumerate(slides)]
        bodies += [Body(len(slides) + k - 1, "revolute", axis=axis, rotor=0.1) for k, axis in enumerate(hinges)]
        self.carriers = len(bodies)
        self.turn = Rotation.from_rotvec([0.0, 0.0, 0.7] if planar else [0.5, -0.8, 0.6]).as_matrix()
        bodies.append(
            Body(len(bodies) - 1, sleeve=beam, rotation=self.turn, stiffness=3.0, damping=0.4, rest=0.2, rotor=0.15)
        )
        if load is not None:
            bodies.append(
                Body(len(bodies) - 1, attachment=beam.tip, mass=load.mass, centre=load.centre, inertia=load.inertia)
            )
        self.bodies, self.slides, self.hinges = bodies, slides, hinges
        self.gravity = np.array([0.7, -9.81, 0.0 if planar else 1.2])
        built = build_tree(bodies, gravity=self.gravity)
        self.engine = Engine(built.planar if flat else built.spatial)
        self.beam = beam

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.carriers + self.beam.count

    def state(self, seed: int, bend: float = 0.05, outside: float = 0.8) -> np.ndarray:
        """Rows q, v, a, τ; carriers at their zero, the beam partly out and bent."""
        state = np.random.default_rng(seed).standard_normal((4, self.nq))
        state[0, : self.carriers] = 0.0
        state[0, self.carriers] = outside
        state[0, self.carriers + 1 :] *= bend
        return state

    def of_mouth(self, rates: np.ndarray) -> np.ndarray:
        """(ω, v, ż) in the mouth's axes (…, 6 + n) for rates of the tree (…, nq)."""
        m = len(self.slides)
        v = rates[..., :m] @ self.slides
        w = rates[..., m : self.carriers] @ self.hinges
        return np.concatenate([w @ self.turn, v @ self.turn, rates[..., self.carriers :]], axis=-1)

    def accelerations(self, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """ω, α and the mouth's acceleration less gravity, in its axes."""
        m = len(self.slides)
        w, alpha = np.zeros(3), np.zeros(3)
        for k, axis in enumerate(self.hinges):
            alpha = alpha + axis * a[m + k] + np.cross(w, axis * v[m + k])
            w = w + axis * v[m + k]
        acc = a[:m] @ self.slides - self.gravity
        return w @ self.turn, alpha @ self.turn, acc @ self.turn

    def on_tree(self, force: np.ndarray) -> np.ndarray:
        """Forces on the tree's coordinates from (moment, force, forces on z) at the mouth (…, 6 + n)."""
        n, f = self.turn @ force[:3], self.turn @ force[3:6]
        return np.concatenate([self.slides @ f, self.hinges @ n, force[6:]])
