"""Random trees of bodies, and the engine's verbs on a tree as plain functions of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from flexarm.core.sweeps.dynamics import aba, crba, energy, new_work, rnea, without_springs
from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.types import Laws, Loads, Tree, no_loads
from tests.oracles import lagrange

GRAVITY = np.array([0.3, -1.2, -9.81])
FLAT_GRAVITY = np.array([0.7, -9.81, 0.0])
KINDS = ("revolute", "prismatic", "revolute", "fixed")
Z = np.array([0.0, 0.0, 1.0])


def no_laws() -> Laws:
    """No command at all."""
    return Laws(np.zeros(1, np.int64), np.zeros((0, 5)))


def constant_laws(*values: float) -> Laws:
    """One constant law for each value."""
    piece = np.zeros((len(values), 5))
    piece[:, 4] = values
    return Laws(np.arange(len(values) + 1), piece)


def random_bodies(seed: int, count: int = 8, *, planar: bool = False, driven: float = 0.0) -> list[Body]:
    """A branched tree of every joint kind with skew frames, springs, dampers, rotors and massless bodies in between.

    Every third tree is a serial chain of turning joints, for which the kernels have a path of their own. A massless
    body always carries a heavy one, and the joint between the two moves: else nothing would resist its own.
    `driven`: probability that a joint is driven. In the plane everything turns about ±z and slides across it.
    """
    rng = np.random.default_rng([seed, count, planar])
    serial = seed % 3 == 0
    bodies: list[Body] = []
    for i in range(count):
        after_massless = bool(bodies) and bodies[-1].mass == 0.0
        kind = "revolute" if serial else KINDS[rng.integers(4)]
        massless = not after_massless and kind != "fixed" and i < count - 1 and rng.random() < 0.25
        if after_massless:
            kind = "prismatic" if planar and bodies[-1].kind == "revolute" and not serial else "revolute"
        axis, offset, centre = rng.standard_normal((3, 3))
        turn = Rotation.random(random_state=rng).as_matrix()
        if planar:
            turn = Rotation.from_rotvec(rng.uniform(-3, 3) * Z).as_matrix()
            offset, centre = offset * [1, 1, 0], centre * [1, 1, 0]
            axis = Z if kind != "prismatic" else axis * [1, 1, 0]
        cloud = rng.standard_normal((3, 3))
        spread = cloud @ cloud.T
        bodies.append(
            Body(
                parent=i - 1 if after_massless or serial else int(rng.integers(max(-1, i - 3), i)),
                kind=kind,
                axis=axis / np.linalg.norm(axis),
                rotation=turn,
                offset=offset,
                mass=0.0 if massless else float(rng.uniform(0.5, 2.0)),
                centre=centre,
                inertia=np.zeros((3, 3)) if massless else 0.3 * (np.trace(spread) * np.eye(3) - spread),
                stiffness=float(rng.uniform(1, 50)),
                damping=float(rng.uniform(0.1, 5)),
                rest=float(rng.standard_normal()),
                rotor=float(rng.choice([0.0, 0.2])),
                driven=kind != "fixed" and bool(rng.random() < driven),
            )
        )
    return bodies


def as_oracle(bodies: Sequence[Body]) -> list[lagrange.Body]:
    """The same bodies for the Lagrangian oracle."""
    names = [f.name for f in fields(lagrange.Body)]
    return [lagrange.Body(**{name: getattr(body, name) for name in names}) for body in bodies]


def bare(tree: Tree) -> Tree:
    """The tree without springs and dampers; rotors stay."""
    return without_springs(tree)


def undriven(bodies: Sequence[Body]) -> list[Body]:
    """The same bodies with every joint free."""
    return [replace(body, driven=False) for body in bodies]


def random_state(seed: int, bodies: Sequence[Body]) -> np.ndarray:
    """Rows q, v, a, τ of a random state (4, nq)."""
    return np.random.default_rng(10_000 + seed).standard_normal((4, lagrange.freedoms(as_oracle(bodies))))


class Push(NamedTuple):
    """A load: body (from 0), True if it turns with the body, point, force and moment in the drawing's axes."""

    body: int
    follows: bool
    point: np.ndarray
    force: np.ndarray
    moment: np.ndarray


def random_pushes(seed: int, bodies: Sequence[Body], count: int = 4, *, planar: bool = False) -> list[Push]:
    """Loads on random bodies, in world and in body axes by turns."""
    rng = np.random.default_rng(20_000 + seed)
    mask = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]]) if planar else 1
    return [
        Push(int(rng.integers(len(bodies))), bool(j % 2), *(rng.standard_normal((3, 3)) * mask)) for j in range(count)
    ]


def kernel_loads(pushes: Sequence[Push], turns: np.ndarray, law: int = -1) -> Loads:
    """The loads as the kernels take them."""
    place = np.array([[push.body + 1, int(push.follows), law] for push in pushes])
    rows = []
    for push in pushes:
        to_kernel = turns[push.body]
        axes = to_kernel if push.follows else np.eye(3)
        rows.append(np.concatenate([to_kernel @ push.point, axes @ push.force, axes @ push.moment]))
    return Loads(place, np.array(rows))


class Engine:
    """The engine on one tree, with the buffers it needs."""

    def __init__(self, tree: Tree, loads: Loads | None = None, laws: Laws | None = None) -> None:
        self.tree = tree
        self.loads = no_loads() if loads is None else loads
        self.laws = no_laws() if laws is None else laws
        self.nq = tree.spring.shape[0]
        self.work = np.full_like(new_work(tree), np.nan)  # NaN: nothing may be read before it is written

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Mass matrix by `crba`."""
        M = np.full((self.nq, self.nq), np.nan)
        crba(self.tree, q.copy(), np.zeros(self.nq), M, self.work)
        return M

    def inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float = 0.0) -> np.ndarray:
        """Forces by `rnea`."""
        tau = np.full(self.nq, np.nan)
        rnea(self.tree, self.loads, self.laws, t, q.copy(), v.copy(), a.copy(), tau, self.work)
        return tau

    def forward(self, q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and forces of the driven coordinates (NaN elsewhere) by `aba`."""
        a, drive = a.copy(), np.full(self.nq, np.nan)
        status = aba(self.tree, self.loads, self.laws, 0.0, q.copy(), v.copy(), a, tau.copy(), drive, self.work)
        assert status == 0
        return a, drive

    def energy(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Kinetic, elastic and gravity energy."""
        return np.array(energy(self.tree, q.copy(), v.copy(), self.work))


def spatial_engine(bodies: Sequence[Body], gravity: np.ndarray = GRAVITY, pushes: Sequence[Push] = ()) -> Engine:
    """The engine on the tree in space."""
    tree, _, turns, _ = build_tree(bodies, gravity=gravity)
    return Engine(tree, kernel_loads(pushes, turns) if pushes else None)


def planar_engine(bodies: Sequence[Body], gravity: np.ndarray = FLAT_GRAVITY, pushes: Sequence[Push] = ()) -> Engine:
    """The engine on the tree in the plane, whose body axes are those of the drawing."""
    _, tree, turns, _ = build_tree(bodies, gravity=gravity)
    return Engine(tree, kernel_loads(pushes, np.broadcast_to(np.eye(3), turns.shape)) if pushes else None)
