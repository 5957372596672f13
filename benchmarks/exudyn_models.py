"""The planar case as Exudyn models: one kinematic tree, and separate plane bodies with a sparse solver.

- `RodTree`: the rod alone in the frame that translates with its first spring, a minimal set of coordinates without
  constraints. The command enters before each step as gravity and as the rest angle of the first spring. One Newton
  iteration a step is enough, but the dense mass matrix costs the square of the number of links.
- `RodOfBodies`: one plane rigid body per element, revolute joints between them, a sparse solver; the piece before the
  first spring is held on its commanded path by three coordinate constraints whose laws are compiled by Exudyn itself.
"""

from itertools import pairwise
from math import ceil

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.utilities import CreateSymbolicUserFunction
from numpy.typing import NDArray

from benchmarks.exudyn_loop import Stage
from benchmarks.planar_case import (
    ARM_LENGTHS,
    BRAKE_BEGIN,
    BRAKE_END,
    BRAKING_TIME,
    END_TIME,
    MASS_PER_LENGTH,
    START_ANGLES,
    START_RATES,
    PlanarCase,
)


class RodTree:
    """The rod in the moving frame, restarted at the switches of the command."""

    linear_solver = exu.LinearSolverType.EXUdense
    newton_tolerance = 1e-3
    newton_floor = 1e-10

    def __init__(self, case: PlanarCase, steps: int) -> None:
        self.case, n = case, case.elements
        step = END_TIME / steps
        times = pairwise((0.0, BRAKE_BEGIN, BRAKE_END, END_TIME))
        self.stages = [Stage(begin, end, ceil((end - begin) / step)) for begin, end in times]
        self._container = exu.SystemContainer()
        self.system = self._container.AddSystem()
        base = case.base(0.0)
        rest = [0.0] * (n - 1)
        node = self.system.AddNode(
            item.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=[base.angle, *rest],
                initialCoordinates_t=[base.rate, *rest],
                numberOfODE2Coordinates=n,
            )
        )
        self._tree = self.system.AddObject(
            item.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteZ] * n,
                linkParents=list(range(-1, n - 1)),
                jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
                jointOffsets=exu.Vector3DList([[0.0, 0.0, 0.0]] + [[case.pitch, 0.0, 0.0]] * (n - 1)),
                linkInertiasCOM=exu.Matrix3DList([np.diag((0.0, each, each)) for each in case.inertias]),
                linkCOMs=exu.Vector3DList([[length / 2, 0.0, 0.0] for length in case.lengths]),
                linkMasses=list(case.masses),
                jointPositionOffsetVector=[0.0] * n,
                jointVelocityOffsetVector=[0.0] * n,
                jointPControlVector=[case.stiffness] * n,
                jointDControlVector=[case.damping] * n,
                visualization=item.VObjectKinematicTree(show=False),
            )
        )
        self.sensor = self.system.AddSensor(
            item.SensorKinematicTree(
                objectNumber=self._tree,
                linkNumber=n - 1,
                localPosition=[case.lengths[-1], 0.0, 0.0],
                storeInternal=True,
                outputVariableType=exu.OutputVariableType.Position,
            )
        )
        self._angles, self._rates = np.zeros(n), np.zeros(n)
        self._last = 0.0
        self.system.SetPreStepUserFunction(self._before_step)
        self.system.Assemble()

    def enter(self, stage: Stage) -> None:
        """Give the model the command at the stage's begin, so that its first accelerations are right."""
        # a step that ends on a switch must see the command before it
        self._last = float(np.nextafter(stage.end, stage.begin))
        self._command(stage.begin)

    def origin(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions of the moving frame (m), one row per time."""
        return np.array([(base.x, base.y) for base in map(self.case.base, times)])

    def heading(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Angles of the frame the tip is seen in (rad): it does not turn."""
        return np.zeros(len(times))

    def _before_step(self, _system: exu.MainSystem, t: float) -> bool:
        self._command(min(t, self._last))
        return True

    def _command(self, t: float) -> None:
        base = self.case.base(t)
        self._angles[0], self._rates[0] = base.angle, base.rate
        change = self.system.SetObjectParameter
        change(self._tree, "gravity", [-base.x_acceleration, -base.y_acceleration, 0.0])
        change(self._tree, "jointPositionOffsetVector", self._angles)
        change(self._tree, "jointVelocityOffsetVector", self._rates)


class RodOfBodies:
    """One plane body per element, the piece before the first spring held on its path.

    One stage: a restart would take the accelerations of a constrained piece for zero, which they are not while braking.
    """

    linear_solver = exu.LinearSolverType.EigenSparse
    newton_floor = 1e-10
    newton_tolerance = 1e-3  # looser lets the joints drift apart, tighter only adds iterations

    def __init__(self, case: PlanarCase, steps: int) -> None:
        self.case = case
        self.stages = [Stage(0.0, END_TIME, steps)]
        self._container = exu.SystemContainer()
        self.system = self._container.AddSystem()
        self._kept = []  # compiled laws must outlive the run
        body, node = self._commanded_piece()
        base, reach, at = case.base(0.0), 0.0, 0.0
        along = np.array((np.cos(base.angle), np.sin(base.angle)))
        for length, mass, inertia in zip(case.lengths, case.masses, case.inertias, strict=True):
            place = np.array((base.x, base.y)) + (reach + length / 2) * along
            velocity = self._start_velocity + base.rate * (reach + length / 2) * np.array((-along[1], along[0]))
            inner_body, inner_node, inner_at = body, node, at
            body, node = self._body([*place, base.angle], [*velocity, base.rate], mass, inertia)
            self._spring(inner_body, inner_node, inner_at, body, node, -length / 2)
            at, reach = length / 2, reach + length
        self.sensor = self.system.AddSensor(
            item.SensorBody(
                bodyNumber=body,
                localPosition=[at, 0.0, 0.0],
                storeInternal=True,
                outputVariableType=exu.OutputVariableType.Position,
            )
        )
        self.system.Assemble()

    def enter(self, stage: Stage) -> None:
        """Nothing to prepare: the constraints carry the command."""

    def origin(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions of the frame the tip is recorded in (m): the base itself."""
        return np.zeros((len(times), 2))

    def heading(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Angles of the frame the tip is seen in (rad): it does not turn."""
        return np.zeros(len(times))

    def _body(self, place, velocity, mass: float, inertia: float) -> tuple[exu.ObjectIndex, exu.NodeIndex]:
        node = self.system.AddNode(item.NodeRigidBody2D(referenceCoordinates=place, initialVelocities=velocity))
        body = self.system.AddObject(item.ObjectRigidBody2D(nodeNumber=node, mass=mass, inertia=inertia))
        return body, node

    def _spring(self, inner_body, inner_node, inner_at, outer_body, outer_node, outer_at) -> None:
        add = self.system.AddMarker
        points = [
            add(item.MarkerBodyPosition(bodyNumber=inner_body, localPosition=[inner_at, 0.0, 0.0])),
            add(item.MarkerBodyPosition(bodyNumber=outer_body, localPosition=[outer_at, 0.0, 0.0])),
        ]
        self.system.AddObject(item.ObjectJointRevolute2D(markerNumbers=points))
        angles = [add(item.MarkerNodeCoordinate(nodeNumber=each, coordinate=2)) for each in (inner_node, outer_node)]
        self.system.AddObject(
            item.ObjectConnectorCoordinateSpringDamper(
                markerNumbers=angles, stiffness=self.case.stiffness, damping=self.case.damping
            )
        )

    def _commanded_piece(self) -> tuple[exu.ObjectIndex, exu.NodeIndex]:
        case, half = self.case, self.case.pitch / 2
        base = case.base(0.0)
        laws = [self._law(coordinate) for coordinate in range(3)]
        self._start_velocity = np.array((laws[0][1](None, 0.0, 0, 0.0), laws[1][1](None, 0.0, 0, 0.0)), dtype=float)
        mass = MASS_PER_LENGTH * half
        place, velocity = [base.x, base.y, base.angle], [*self._start_velocity, base.rate]
        body, node = self._body(place, velocity, mass, mass * half**2 / 12)
        ground = self.system.AddNode(item.NodePointGround())
        fixed = self.system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        for coordinate, (position, rate) in enumerate(laws):
            compiled = [
                CreateSymbolicUserFunction(self.system, law, name, itemTypeName="ObjectConnectorCoordinate")
                for law, name in ((position, "offsetUserFunction"), (rate, "offsetUserFunction_t"))
            ]
            self._kept += compiled
            moved = self.system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
            self.system.AddObject(
                item.ObjectConnectorCoordinate(
                    markerNumbers=[fixed, moved], offsetUserFunction=compiled[0], offsetUserFunction_t=compiled[1]
                )
            )
        return body, node

    def _law(self, coordinate: int):
        """Way from the start and its rate (m, m/s; rad, rad/s) of one coordinate, in Exudyn's own functions."""
        symbolic, base = exu.symbolic, self.case.base(0.0)
        start = (base.x, base.y, base.angle)[coordinate]
        lengths = (*ARM_LENGTHS, self.case.pitch / 2)
        pieces = list(zip(lengths, np.cumsum(START_ANGLES), np.cumsum(START_RATES), strict=True))

        def braked(t):
            return symbolic.max(0.0, symbolic.min(t - BRAKE_BEGIN, BRAKING_TIME))

        def travelled(t):
            return symbolic.min(t, BRAKE_END) - braked(t) * braked(t) / (2 * BRAKING_TIME)

        def position(_system, t, _item, _offset):
            travel = travelled(t)
            if coordinate == 2:
                return pieces[-1][1] + pieces[-1][2] * travel - start
            part = symbolic.cos if coordinate == 0 else symbolic.sin
            return sum(length * part(angle + turn * travel) for length, angle, turn in pieces) - start

        def rate(_system, t, _item, _offset):
            travel = travelled(t)
            speed = 1.0 - braked(t) / BRAKING_TIME
            if coordinate == 2:
                return pieces[-1][2] * speed
            if coordinate == 0:
                return speed * sum(-size * turn * symbolic.sin(angle + turn * travel) for size, angle, turn in pieces)
            return speed * sum(size * turn * symbolic.cos(angle + turn * travel) for size, angle, turn in pieces)

        return position, rate
