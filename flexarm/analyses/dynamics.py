"""The equations of motion in public: forward and inverse dynamics, mass matrix, Jacobians and energies, in batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analyses.points import Seen, see
from flexarm.assembly import CompiledArm, compile_arm, compile_with_points, without_servos
from flexarm.assembly.compiled_arm import ObservedPoint
from flexarm.core.sweeps.dynamics import kernel_of, new_work
from flexarm.core.sweeps.states import States
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import S_D, S_DRIVEN, S_K, T_DRIVEN, Floats, Tree, no_loads
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import ArmLike, Posture, arm_of, read_posture
from flexarm.model.reading.messages import either, meant, quoted, shown


class Energy(NamedTuple):
    """Energies (J) of an arm in one state or many."""

    kinetic: Floats
    elastic: Floats
    gravity: Floats

    @property
    def total(self) -> Floats:
        """Their sum, J."""
        return self.kinetic + self.elastic + self.gravity


class Place(NamedTuple):
    """Where a point is: its position (…, 3) in the base frame, m, and the rotation (…, 3, 3) of its axes."""

    position: Floats
    rotation: Floats


class Dynamics:
    """The equations of motion of an arm, M(q) v̇ + h(q, v) = τ, for one state or for arrays of states.

    Coordinates are those of `names`: joints (rad or m) and, behind each, the elastic coordinates of what gives way.
    Arrays end with that dimension; all before it are states, which go through one compiled loop. All joints are free
    here, whatever drives them in the model, and τ is all that acts in a joint, as in Pinocchio: springs, dampers and
    servos of joints are part of it. What is elastic in beams and gears belongs to the arm. Gravity acts, the loads of
    the model file do not: add Jᵀf.

    Parameters
    ----------
    arm
        An arm, or the path of its model file or URDF.
    passive
        Let the springs and dampers of joints act by themselves; τ is then what is added to them.

    Examples
    --------
    >>> import flexarm as fa, numpy as np
    >>> pendulum = fa.Dynamics("pendulum.toml")
    >>> pendulum.names
    ('bar',)
    >>> q = np.linspace(0, 1, 1000)[:, None]
    >>> pendulum.forward(q, np.zeros((1000, 1)), np.zeros((1000, 1))).shape
    (1000, 1)
    """

    def __init__(self, arm: ArmLike, *, passive: bool = False) -> None:
        self.arm: Arm = arm_of(arm)
        self._compiled = compile_arm(self.arm)
        self._tree = _freed(without_servos(self._compiled), passive)
        self._stepping = States(own_tree(self._tree, no_loads()), self._compiled.laws)
        self._bodies = States(self._tree, self._compiled.laws)
        own = {link.name: link.joint.name or link.name for link in self.arm.links}
        self.names: tuple[str, ...] = tuple(own.get(name, name) for name in self._compiled.coordinate_names)
        self.units: tuple[str, ...] = self._compiled.coordinate_units
        self._observed: dict[str, CompiledArm] = {}

    def __repr__(self) -> str:
        return f"Dynamics of {quoted(self.arm.name)}: {', '.join(self.names)}"

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return len(self.names)

    def coordinates(self, posture: Posture | None = None) -> Floats:
        """Coordinates (n,): where the arm starts, with joints by name (numbers or texts with a unit) put elsewhere.

        Parameters
        ----------
        posture
            Such as {"elbow": "45 deg"}.
        """
        q = np.array(self._compiled.start, float)
        for name, value in read_posture(self.arm, posture).items():
            q[self._compiled.coordinate_names.index(name)] = value
        return q

    def forward(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Floats:
        """Accelerations (…, n) under the forces τ, rad/s² or m/s² (Pinocchio: `aba`).

        Parameters
        ----------
        q, v, tau
            Coordinates, rates and forces (…, n).
        """
        shape, given = self._states(q=q, v=v, tau=tau)
        found, fine = self._stepping.forward(*given)
        if not fine.all():
            raise AnalysisError(
                f"the inertia of the arm is not positive in state {int(np.argmin(fine))}: a joint that carries no "
                "mass, and the motor of one with a gear, must have a rotor_inertia"
            )
        return found.reshape(shape)

    def inverse(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Floats:
        """Forces τ (…, n) that give the accelerations a, N m or N (Pinocchio: `rnea`).

        Parameters
        ----------
        q, v, a
            Coordinates, rates and accelerations (…, n).
        """
        shape, (q, v, a) = self._states(q=q, v=v, a=a)
        return self._seen(q, v, a, full=True).force.reshape(shape)

    def mass_matrix(self, q: ArrayLike) -> Floats:
        """Mass matrix (…, n, n), kg m², kg m and kg (Pinocchio: `crba`, with both triangles filled).

        Parameters
        ----------
        q
            Coordinates (…, n).
        """
        shape, (q,) = self._states(q=q)
        return self._bodies.masses(q).reshape(*shape, self.size)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Energy:
        """Kinetic, elastic and gravity energy (…), J (Pinocchio: `computeKineticEnergy`, `computePotentialEnergy`).

        Parameters
        ----------
        q, v
            Coordinates and rates (…, n).
        """
        shape, (q, v) = self._states(q=q, v=v)
        found = self._seen(q, v, np.zeros_like(q), full=False).energy
        return Energy(*(found[:, k].reshape(shape[:-1]) for k in range(3)))

    def place(self, point: str, q: ArrayLike) -> Place:
        """Position and rotation of a point or of a link's frame (Pinocchio: `framesForwardKinematics`, `data.oMf`).

        Parameters
        ----------
        point
            A point of the model, "tip" among them, or a link: its frame, which sits on its joint and moves with it.
        q
            Coordinates (…, n).
        """
        shape, (q,) = self._states(q=q)
        seen = self._at(point, q, np.zeros_like(q))
        turns = _rotations(seen.orientation[:, 0])
        return Place(seen.position[:, 0].reshape(*shape[:-1], 3), turns.reshape(*shape[:-1], 3, 3))

    def jacobian(self, point: str, q: ArrayLike) -> Floats:
        """Jacobian (…, 6, n) of a point: its velocity, then the angular velocity of its axes, in the base frame
        (Pinocchio: `computeFrameJacobian` with LOCAL_WORLD_ALIGNED).

        Parameters
        ----------
        point
            A point of the model or a link, as in `place`.
        q
            Coordinates (…, n).
        """
        shape, (q,) = self._states(q=q)
        n = self.size
        states = np.repeat(q, n, axis=0)
        seen = self._at(point, states, np.tile(np.eye(n), (len(q), 1)))
        arms = np.moveaxis(_rotations(seen.orientation[:, 0]), -1, 0)
        # ω = ½ Σ e × (ω × e) over the three axes of the point, whose ends are observed too
        spun = [np.cross(arm, seen.velocity[:, k + 1] - seen.velocity[:, 0]) for k, arm in enumerate(arms)]
        columns = np.concatenate([seen.velocity[:, 0], 0.5 * sum(spun)], axis=1)
        return np.moveaxis(columns.reshape(*shape[:-1], n, 6), -1, -2)

    def _states(self, **given: Any) -> tuple[tuple[int, ...], list[Floats]]:
        """The shape of what comes back, and what is given as (m, n) each."""
        arrays = []
        for name, value in given.items():
            try:
                array = np.asarray(value, float)
            except (TypeError, ValueError):
                raise AnalysisError(f"{name} is {shown(value)}, must be an array of numbers") from None
            if array.ndim == 0 or array.shape[-1] != self.size:
                raise AnalysisError(
                    f"{name} has the shape {array.shape}, must end with {self.size}: {_few(self.names)}"
                )
            if not np.isfinite(array).all():
                raise AnalysisError(f"{name} holds numbers that are not finite, must hold finite ones")
            arrays.append(array)
        shape = arrays[0].shape
        if any(array.shape != shape for array in arrays):
            try:
                arrays = list(np.broadcast_arrays(*arrays))
            except ValueError:
                shapes = " and ".join(f"{name} {array.shape}" for name, array in zip(given, arrays, strict=True))
                raise AnalysisError(f"{shapes} are not the shapes of the same states") from None
            shape = arrays[0].shape
        count = math.prod(shape[:-1])
        return shape, [np.ascontiguousarray(array.reshape(count, self.size)) for array in arrays]

    def _seen(self, q: Floats, v: Floats, a: Floats, *, full: bool) -> Seen:
        """Forces and energies at the states (m, n), without loads and points."""
        m = len(q)
        none, points = np.zeros(0, np.int64), np.zeros((m, 0, 3))
        seen = Seen(points, points, points, np.zeros((m, 0, 4)), np.zeros_like(q), np.zeros((0 if full else m, 3)))
        given = (self._tree, no_loads(), self._compiled.laws, np.zeros(m), q, v, a, none, none, np.zeros((0, 12)))
        kernel_of("observe", type(self._tree))(*given, *seen, new_work(self._tree), full)
        return seen

    def _at(self, point: str, q: Floats, v: Floats) -> Seen:
        """A point and the ends of its three axes, observed at the states (m, n)."""
        return see(self._points_of(point), np.zeros(len(q)), q, v, np.zeros_like(q), full=False)

    def _points_of(self, name: str) -> CompiledArm:
        if name not in self._observed:
            place = self._named(name)
            ends = [tuple(np.add(place.offset, axis).tolist()) for axis in (np.zeros(3), *np.eye(3))]
            points = [ObservedPoint(f"{name} {k}", place.link, place.at, end) for k, end in enumerate(ends)]
            self._observed[name] = compile_with_points(self.arm, points)[1]
        return self._observed[name]

    def _named(self, name: str) -> ObservedPoint:
        arm = self.arm
        for point in arm.observed:
            if point.name == name:
                return ObservedPoint(name, point.link, point.at, point.offset)
        links = [link for link in arm.links if not link.joint.sleeve]
        for link in links:
            if link.name == name:
                return ObservedPoint(name, name, 0.0, tuple((-link.radius * link.axis).tolist()))
        known = [*(point.name for point in arm.observed), *(link.name for link in links)]
        raise AnalysisError(f"there is no point {quoted(str(name))}, must be {either(known)}{meant(name, known)}")


def _freed(compiled: CompiledArm, passive: bool) -> Tree:
    """The arm's tree with every coordinate free; unless passive, without the springs and dampers of its joints."""
    topology, spring = compiled.tree.topology.copy(), compiled.tree.spring.copy()
    topology[:, T_DRIVEN] = 0
    spring[:, S_DRIVEN] = 0.0
    if not passive:
        joints = compiled.joint_coordinates
        spring[joints, S_K] = 0.0
        spring[joints, S_D] = 0.0
    return compiled.tree._replace(topology=topology, spring=spring)


def _rotations(quaternions: Floats) -> Floats:
    """Rotation matrices (m, 3, 3) of unit quaternions (m, 4)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f", … ({len(names)} in all)" if len(names) > 4 else "")
