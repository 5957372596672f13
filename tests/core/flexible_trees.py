"""Random trees with flexible bodies, states and loads for them, the engine on them, and a small arm that swings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.elastic import Attachment, Elastic, Handed, Products
from flexarm.core.tree.types import Laws, Loads, no_loads
from tests.oracles import flexible

from .trees import FLAT_GRAVITY, GRAVITY, Engine

X, Y, Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class Shapes:
    """Smooth random shapes of a beam clamped at x = 0, as rows at any distance.

    Slopes are Σ c_k sin(b_k ξ), b_k = (k − ½)π, ξ = x/L: the axis stands still and straight at the clamp. Sections turn
    a little more than the axis, as in a beam with shear; stretch and twist are sines as well.
    """

    length: float
    slope: np.ndarray  # (2, waves, n): v' and w' of each coordinate
    shear: np.ndarray  # (2, waves, n): what the sections turn beyond the axis
    stretch: np.ndarray  # (waves, n)
    twist: np.ndarray  # (waves, n)
    extra: np.ndarray  # (n, n) a shortening that is not the slopes', so that nothing may rely on their relation
    products: np.ndarray | None = None  # (5, n, n) of the tip: displacement across the axis and rotation

    @property
    def waves(self) -> np.ndarray:
        """Wave numbers b_k."""
        return (np.arange(self.stretch.shape[0]) + 0.5) * np.pi

    def rows(self, x: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Φ (3, n), Ψ (3, n) and H (n, n) at a distance x."""
        b, xi = self.waves, x / self.length
        wave, risen = np.sin(b * xi), self.length * (1.0 - np.cos(b * xi)) / b
        section = np.einsum("k,dkn->dn", wave, self.slope + self.shear)
        phi = np.array([self.length * wave @ self.stretch, *np.einsum("k,dkn->dn", risen, self.slope)])
        psi = np.array([wave @ self.twist, -section[1], section[0]])
        # ∫ sin b sin c = ½ ∫ cos(b − c) − cos(b + c); sinc(0) = 1 takes care of b = c
        minus, plus = b[:, None] - b[None, :], b[:, None] + b[None, :]
        overlap = 0.5 * x * (np.sinc(minus * xi / np.pi) - np.sinc(plus * xi / np.pi))
        return phi, psi, np.einsum("dkm,kl,dln->mn", self.slope, overlap, self.slope) + x * self.extra

    def attachment(self, x: float) -> Attachment:
        """A frame on the axis at a distance x."""
        products = None if self.products is None else (x / self.length) * self.products
        return Attachment(x, *self.rows(x), products)


def random_shapes(rng: np.random.Generator, count: int, planar: bool) -> Shapes:
    """Shapes for so many coordinates; in the plane no twist and nothing along z."""
    decay = np.array([1.0, 0.4, 0.2, 0.1])[:, None]
    in_plane = np.array([1.0, 0.0 if planar else 1.0])[:, None, None]
    # each coordinate is mainly one wave of one direction, with some of everything else mixed in
    slope, shear = 0.1 * rng.standard_normal((2, 2, 4, count)) * decay
    stretch, twist = 0.05 * rng.standard_normal((2, 4, count)) * decay
    for j in range(count):
        if planar:
            (slope[0] if j % 3 < 2 else stretch)[j // 3 if j % 3 == 2 else j - j // 3, j] += 0.3
        else:
            (slope[0], slope[1], twist)[j % 3][j // 3, j] += 0.3
    cloud = 0.05 * rng.standard_normal((count, count))
    length = float(rng.uniform(0.5, 1.2))
    apart = np.random.default_rng(int(1e9 * length))
    products = None if planar or apart.random() < 0.4 else _symmetric(apart, 0.1, 5, count)
    return Shapes(
        length,
        slope * in_plane,
        0.4 * shear * in_plane,
        stretch,
        twist * (not planar),
        cloud @ cloud.T,
        products,
    )


def _symmetric(rng: np.random.Generator, size: float, *shape: int) -> np.ndarray:
    """Symmetric matrices (..., n, n) of random numbers."""
    found = size * rng.standard_normal((*shape, shape[-1]))
    return 0.5 * (found + np.swapaxes(found, -1, -2))


def random_elastic(rng: np.random.Generator, shapes: Shapes) -> Elastic:
    """A beam of five to eight uneven stations with these shapes."""
    g, n = int(rng.integers(5, 9)), shapes.stretch.shape[1]
    x = shapes.length * (np.arange(g) + rng.uniform(0.2, 0.8, g)) / g
    mass = rng.uniform(0.5, 1.5, g) / g
    phi, psi, shortening = (np.array(part) for part in zip(*(shapes.rows(each) for each in x), strict=True))
    stiff, damp = rng.standard_normal((2, n, n))
    rotary = mass[:, None] * rng.uniform(0.01, 0.03, (g, 3))
    apart = np.random.default_rng(int(1e9 * x[0]))
    products = handed = None
    if shapes.products is not None:
        products = Products(_symmetric(apart, 0.1, 2, n), _symmetric(apart, 0.002, 3, 3, n))
    if apart.random() < 0.5:
        handed = Handed(0.03 * rotary.sum(axis=0), shapes.rows(shapes.length)[1])
    return Elastic(
        mass,
        x,
        rotary,
        phi,
        psi,
        shortening,
        20.0 * (np.eye(n) + stiff @ stiff.T / n),
        0.5 * (np.eye(n) + damp @ damp.T / n),
        products=products,
        handed=handed,
    )


class _Growing:
    """A tree in the making."""

    def __init__(self, seed: int, planar: bool, driven: float) -> None:
        self.rng = np.random.default_rng([seed, planar, 77])
        self.planar, self.driven = planar, driven
        self.bodies: list[Body] = []
        self.shapes: dict[int, Shapes] = {}

    def _stand(self, parent: int, at: float | None) -> dict:
        """Where a body stands: on its parent's frame, or somewhere on a flexible parent's axis."""
        rng = self.rng
        turn = Rotation.random(random_state=rng).as_matrix()
        offset = 0.3 * rng.standard_normal(3)
        if self.planar:
            turn, offset = Rotation.from_rotvec(rng.uniform(-3, 3) * Z).as_matrix(), offset * [1, 1, 0]
        where = {"parent": parent, "rotation": turn, "offset": offset}
        if parent in self.shapes:
            part = float(rng.choice([1.0, 1.0, rng.uniform(0.2, 0.9)])) if at is None else at
            where["attachment"] = self.shapes[parent].attachment(part * self.shapes[parent].length)
        return where

    def flexible(self, parent: int, at: float | None = None, *, flush: bool = False) -> int:
        """Number of a new flexible body; `flush`: it continues its parent without offset or turn, like an element."""
        shapes = random_shapes(self.rng, int(self.rng.integers(1, 7)), self.planar)
        where = self._stand(parent, 1.0 if flush else at)
        if flush:
            where |= {"rotation": np.eye(3), "offset": np.zeros(3)}
        borne = np.diag(np.random.default_rng(len(self.bodies)).uniform(0.0, 0.01, 3))
        self.bodies.append(Body(**where, elastic=random_elastic(self.rng, shapes), inertia=borne))
        self.shapes[len(self.bodies) - 1] = shapes
        return len(self.bodies) - 1

    def rigid(self, parent: int, kind: str | None = None, at: float | None = None, *, massless: bool = False) -> int:
        """Number of a new rigid body; a massless one has a rotor at its joint."""
        rng = self.rng
        kind = str(rng.choice(["revolute", "prismatic", "revolute", "fixed"])) if kind is None else kind
        axis, centre = rng.standard_normal((2, 3))
        if self.planar:
            axis, centre = (axis * [1, 1, 0] if kind == "prismatic" else Z), centre * [1, 1, 0]
        cloud = rng.standard_normal((3, 3))
        spread = cloud @ cloud.T
        self.bodies.append(
            Body(
                **self._stand(parent, at),
                kind=kind,
                axis=axis / np.linalg.norm(axis),
                mass=0.0 if massless else float(rng.uniform(0.3, 1.5)),
                centre=np.zeros(3) if massless else 0.3 * centre,
                inertia=np.zeros((3, 3)) if massless else 0.05 * (np.trace(spread) * np.eye(3) - spread),
                stiffness=float(rng.uniform(1, 50)),
                damping=float(rng.uniform(0.1, 5)),
                rest=float(rng.standard_normal()),
                rotor=float(rng.uniform(0.1, 0.3)) if massless else float(rng.choice([0.0, 0.2])),
                driven=kind != "fixed" and bool(rng.random() < self.driven),
            )
        )
        return len(self.bodies) - 1


def _chain(tree: _Growing, seed: int) -> None:
    """Links cut into elements, each on the tip of the one before, joints between them, a payload welded to the end."""
    last = -1
    for _ in range(2):
        if last >= 0 or seed % 2:
            last = tree.rigid(last, "revolute", 1.0, massless=bool(tree.rng.random() < 0.5))
        for element in range(int(tree.rng.integers(1, 4))):
            last = tree.flexible(last, flush=element > 0)
    tree.rigid(last, "fixed", 1.0)


def _branches(tree: _Growing) -> None:
    """A flexible body that carries a joint, a flexible body and a massless weld at different places; more on those."""
    root = tree.rigid(-1)
    beam = tree.flexible(root)
    tip = tree.rigid(beam, str(tree.rng.choice(["revolute", "prismatic"])), 1.0)
    side = tree.flexible(beam, 0.6)
    weld = tree.rigid(beam, "fixed", 0.8, massless=True)
    hub = tree.rigid(weld, "revolute", massless=True)
    tree.flexible(hub)
    for _ in range(3):
        parent = int(tree.rng.choice([tip, side, hub, len(tree.bodies) - 1]))
        if tree.rng.random() < 0.4:
            tree.flexible(parent)
        else:
            tree.rigid(parent)
    tree.rigid(len(tree.bodies) - 1, "fixed", massless=True)


def random_flexible_tree(seed: int, planar: bool = False, driven: float = 0.0) -> list[Body]:
    """Rigid and flexible bodies in one tree; every third tree is a chain, as of links cut into elements.

    Every tree has flexible bodies on flexible ones and joints on their tips; the branched ones also several bodies on
    one flexible body, welds without mass and joints without mass but with a rotor. In the plane all moves in x and y,
    joints turn about +z. `driven`: probability that a joint is driven.
    """
    tree = _Growing(seed, planar, driven)
    if seed % 3 == 0:
        _chain(tree, seed)
    else:
        _branches(tree)
    return tree.bodies


def random_flexible_state(seed: int, bodies: Sequence[Body], bend: float = 0.1) -> np.ndarray:
    """Rows q, v, a, τ of a random state (4, n), elastic coordinates between half and one and a half times `bend`.

    Kinetic energy of second order is positive for small bends only: hence no long tails.
    """
    rng = np.random.default_rng(30_000 + seed)
    state = rng.standard_normal((4, flexible.freedoms(bodies)))
    for body, place in zip(bodies, flexible.columns(bodies), strict=True):
        if body.elastic is not None:
            state[0, place] = bend * np.sign(state[0, place]) * rng.uniform(0.5, 1.5, body.elastic.count)
    return state


def random_wrenches(seed: int, bodies: Sequence[Body], count: int = 5, planar: bool = False) -> list[flexible.Wrench]:
    """Loads on random bodies, in base axes and following by turns; on flexible ones where something stands, or at the
    clamp if nothing does."""
    rng = np.random.default_rng(40_000 + seed)
    mask = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]) if planar else np.ones((3, 3))
    loads = []
    for j in range(count):
        body = int(rng.integers(len(bodies)))
        places = [child.attachment for child in bodies if child.parent == body and child.attachment is not None]
        offset, force, moment = rng.standard_normal((3, 3)) * mask
        loads.append(
            flexible.Wrench(
                body=body,
                force=force,
                moment=moment,
                offset=offset,
                attachment=places[int(rng.integers(len(places)))] if places else None,
                follows=bool(j % 2),
            )
        )
    return loads


def gravity_of(planar: bool) -> np.ndarray:
    """Gravity of the random trees (m/s²)."""
    return FLAT_GRAVITY if planar else GRAVITY


def flexible_engine(
    bodies: Sequence[Body],
    planar: bool,
    wrenches: Sequence[flexible.Wrench] = (),
    *,
    gravity: np.ndarray | None = None,
    laws: Laws | None = None,
    law: int = -1,
) -> Engine:
    """The engine on the planar or the spatial tree, its loads scaled by the given law."""
    frames = [load.attachment for load in wrenches if load.attachment is not None]
    built = build_tree(bodies, gravity=gravity_of(planar) if gravity is None else gravity, frames=frames)
    begins = iter(built.frames[int(planar)])
    place, rows = np.zeros((len(wrenches), 4), np.int64), np.zeros((len(wrenches), 9))
    for j, load in enumerate(wrenches):
        # the spatial kernel has every joint's axis for z, the planar one keeps the axes of the drawing
        turn = np.eye(3) if planar else built.turns[load.body]
        axes = turn if load.follows else np.eye(3)
        begin = -1 if load.attachment is None else next(begins)
        place[j] = load.body + 1, load.follows, law, begin
        rows[j] = np.concatenate([turn @ load.offset, axes @ load.force, axes @ load.moment])
    return Engine(built[int(planar)], Loads(place, rows) if len(wrenches) else no_loads(), laws)


def swinging_beams(planar: bool, damping: float = 0.0) -> list[Body]:
    """A hub, a beam, an elbow, a second beam and a tip mass: coordinates hub, beam, elbow, beam.

    Two shapes a beam in the plane, three in space, where the elbow's axis is skew. Stiffness and damping of the beams
    are full matrices. Frequencies reach from 1 to 20 Hz or so: all of them count in a run.
    """
    rng = np.random.default_rng([5, planar])
    shapes = [random_shapes(rng, 2 if planar else 3, planar) for _ in range(2)]
    beams = [random_elastic(rng, each) for each in shapes]
    beams = [
        replace(beam, stiffness=3 * beam.stiffness, damping=damping * beam.damping, products=None, handed=None)
        for beam in beams
    ]
    shapes = [replace(each, products=None) for each in shapes]
    tips = [each.attachment(each.length) for each in shapes]
    skew = Z if planar else np.array([0.0, 0.6, 0.8])
    hub = Body(-1, "revolute", mass=0.5, inertia=0.1 * np.eye(3), stiffness=20.0, damping=0.5 * damping)
    elbow = Body(
        1,
        "revolute",
        axis=skew,
        attachment=tips[0],
        mass=0.4,
        inertia=0.02 * np.eye(3),
        stiffness=8.0,
        rest=0.3,
        damping=0.2 * damping,
    )
    tip = Body(3, attachment=tips[1], mass=0.2, centre=0.05 * X, inertia=1e-3 * np.eye(3))
    return [hub, Body(0, elastic=beams[0]), elbow, Body(2, elastic=beams[1]), tip]


def swinging_start(planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates from which the arm swings, its beams straight."""
    n = 2 if planar else 3
    q, v = np.zeros((2, 2 + 2 * n))
    q[[0, 1 + n]] = 0.4, -0.5
    v[[0, 1 + n]] = 1.0, -2.0
    return q, v
