"""The two-link arm as plane Exudyn models: cable elements, shear-deformable beams, and a tree of rigid pieces.

Joint angles are commanded by constraints whose laws are compiled by Exudyn itself.

- `Cables`: `ObjectANCFCable2D`, cubic, position and slope at the nodes. The slope of the first node is commanded as it
  is, the angle between the links by a generic joint.
- `ShearBeams`: `ObjectBeamGeometricallyExact2D`, linear in position and angle: all its joints are linear constraints.
- `PieceTree`: rigid pieces with springs between them in one kinematic tree, a minimal set of coordinates.
"""

from collections.abc import Callable, Sequence
from math import pi

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.utilities import CreateSymbolicUserFunction
from numpy.typing import NDArray

from benchmarks.exudyn_loop import Stage
from benchmarks.two_link_case import (
    AXIAL_STIFFNESS,
    BENDING_STIFFNESS,
    DURATION,
    END_TIME,
    LENGTH,
    MASS_PER_LENGTH,
    ROTARY_INERTIA,
    SHEAR_STIFFNESS,
    TRAVEL,
)

Law = Callable  # of (system, t, item, parameters), in Exudyn's own functions


def _angle(t):
    """Angle of either joint (rad) as an expression Exudyn compiles."""
    turned = exu.symbolic.min(t, DURATION) / DURATION
    return TRAVEL * (turned - exu.symbolic.sin(2 * pi * turned) / (2 * pi))


def _rate(t):
    """Rate of either joint (rad/s)."""
    return TRAVEL / DURATION * (1.0 - exu.symbolic.cos(2 * pi / DURATION * exu.symbolic.min(t, DURATION)))


ANGLE: tuple[Law, Law] = (lambda _system, t, _item, _offset: _angle(t), lambda _system, t, _item, _offset: _rate(t))
COSINE: tuple[Law, Law] = (
    lambda _system, t, _item, _offset: exu.symbolic.cos(_angle(t)) - 1.0,
    lambda _system, t, _item, _offset: -exu.symbolic.sin(_angle(t)) * _rate(t),
)
SINE: tuple[Law, Law] = (
    lambda _system, t, _item, _offset: exu.symbolic.sin(_angle(t)),
    lambda _system, t, _item, _offset: exu.symbolic.cos(_angle(t)) * _rate(t),
)
TURN: tuple[Law, Law] = (
    lambda _system, t, _item, _offset: [0, 0, 0, 0, 0, _angle(t)],
    lambda _system, t, _item, _offset: [0, 0, 0, 0, 0, _rate(t)],
)


class TwoLinks:
    """What every model of the arm has: an empty system, the solver's settings, commanded coordinates and joints."""

    sensor: exu.SensorIndex
    linear_solver = exu.LinearSolverType.EXUdense
    newton_tolerance = 3e-3  # looser lets the joints drift apart, tighter only adds iterations
    newton_floor = 1e-4  # N: rounding of the stretching forces is not far below

    def __init__(self, steps: int) -> None:
        self.stages = [Stage(0.0, END_TIME, steps)]
        self._container = exu.SystemContainer()
        self.system = self._container.AddSystem()
        self._kept = []  # compiled laws must outlive the run
        ground = self.system.AddNode(item.NodePointGround())
        self._fixed = self.system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))

    def enter(self, stage: Stage) -> None:
        """Nothing to prepare: the constraints carry the command."""

    def origin(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions of the frame the tip is recorded in (m): the base itself."""
        return np.zeros((len(times), 2))

    def _compiled(self, laws: tuple[Law, Law] | None, kind: str) -> dict:
        """The laws of offset and rate as arguments of a connector of that kind."""
        if laws is None:
            return {}
        names = ("offsetUserFunction", "offsetUserFunction_t")
        compiled = [
            CreateSymbolicUserFunction(self.system, law, name, itemTypeName=kind)
            for law, name in zip(laws, names, strict=True)
        ]
        self._kept += compiled
        return dict(zip(names, compiled, strict=True))

    def _hold(self, node, coordinate: int, laws: tuple[Law, Law] | None = None, *, to=None) -> None:
        """Hold a coordinate of a node at its law, counted from the ground or from the same coordinate of `to`."""
        from_marker = self._fixed
        if to is not None:
            from_marker = self.system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=to, coordinate=coordinate))
        marker = self.system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
        driven = self._compiled(laws, "ObjectConnectorCoordinate")
        self.system.AddObject(item.ObjectConnectorCoordinate(markerNumbers=[from_marker, marker], **driven))

    def _turn(self, inner, outer, axes: Sequence[int]) -> None:
        """A generic joint between two rigid markers that holds the axes and turns about z as commanded."""
        driven = self._compiled(TURN, "ObjectJointGeneric")
        joint = item.ObjectJointGeneric(markerNumbers=[inner, outer], constrainedAxes=list(axes), **driven)
        self.system.AddObject(joint)

    def _watch_node(self, node) -> None:
        place = exu.OutputVariableType.Position
        sensor = item.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=place)
        self.sensor = self.system.AddSensor(sensor)
        self.system.Assemble()


class Cables(TwoLinks):
    """Cubic cable elements; their stretching stiffness may be divided by `softening`.

    The links hardly stretch. Softened thirty times this moves the tip by 4e-6 m at most, and Newton's matrix, in which
    stretching turns with the link, has to be set up five times less often.
    """

    def __init__(self, elements: Sequence[int], steps: int, softening: float) -> None:
        super().__init__(steps)
        if sum(elements) > 4:
            self.linear_solver = exu.LinearSolverType.EigenSparse
        before, far = None, 0.0  # the last element of the link before, and where it ends
        for link, count in enumerate(elements):
            pitch = LENGTH / count
            nodes = [
                self.system.AddNode(item.NodePoint2DSlope1(referenceCoordinates=[LENGTH * link + pitch * i, 0, 1, 0]))
                for i in range(count + 1)
            ]
            bodies = [
                self.system.AddObject(
                    item.ObjectANCFCable2D(
                        nodeNumbers=nodes[i : i + 2],
                        length=pitch,
                        massPerLength=MASS_PER_LENGTH,
                        bendingStiffness=BENDING_STIFFNESS,
                        axialStiffness=AXIAL_STIFFNESS / softening,
                        useReducedOrderIntegration=2,
                    )
                )
                for i in range(count)
            ]
            if before is None:
                for coordinate, laws in enumerate((None, None, COSINE, SINE)):
                    self._hold(nodes[0], coordinate, laws)
            else:
                ends = zip((before, bodies[0]), (far, 0.0), strict=True)
                add = self.system.AddMarker
                markers = [add(item.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0])) for body, x in ends]
                self._turn(*markers, axes=(1, 1, 0, 0, 0, 1))
            before, far = bodies[-1], pitch
        self._watch_node(nodes[-1])


class ShearBeams(TwoLinks):
    """Geometrically exact beam elements of first order."""

    linear_solver = exu.LinearSolverType.EigenSparse
    newton_tolerance = 1e-3

    def __init__(self, elements: int, steps: int) -> None:
        super().__init__(steps)
        pitch, before = LENGTH / elements, None
        for link in range(2):
            nodes = [
                self.system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[LENGTH * link + pitch * i, 0, 0]))
                for i in range(elements + 1)
            ]
            for i in range(elements):
                self.system.AddObject(
                    item.ObjectBeamGeometricallyExact2D(
                        nodeNumbers=nodes[i : i + 2],
                        length=pitch,
                        massPerLength=MASS_PER_LENGTH,
                        crossSectionInertia=ROTARY_INERTIA,
                        bendingStiffness=BENDING_STIFFNESS,
                        axialStiffness=AXIAL_STIFFNESS,
                        shearStiffness=SHEAR_STIFFNESS,
                    )
                )
            for coordinate, laws in enumerate((None, None, ANGLE)):
                self._hold(nodes[0], coordinate, laws, to=before)
            before = nodes[-1]
        self._watch_node(before)


class PieceTree(TwoLinks):
    """Rigid pieces in one kinematic tree; of its joints the first of each link is commanded, the others are springs."""

    newton_tolerance = 1e-3

    def __init__(self, springs: int, steps: int) -> None:
        super().__init__(steps)
        pitch = LENGTH / springs
        link = np.full(springs + 1, pitch)
        link[[0, -1]] /= 2
        lengths = np.tile(link, 2)
        n = lengths.size
        stiffness = np.full(n, BENDING_STIFFNESS / pitch)
        stiffness[[0, springs + 1]] = 0.0
        masses = MASS_PER_LENGTH * lengths
        across = masses * lengths**2 / 12
        node = self.system.AddNode(
            item.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=[0.0] * n,
                initialCoordinates_t=[0.0] * n,
                numberOfODE2Coordinates=n,
            )
        )
        tree = self.system.AddObject(
            item.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteZ] * n,
                linkParents=list(range(-1, n - 1)),
                jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
                jointOffsets=exu.Vector3DList([[x, 0.0, 0.0] for x in (0.0, *lengths[:-1])]),
                linkInertiasCOM=exu.Matrix3DList([np.diag((0.0, each, each)) for each in across]),
                linkCOMs=exu.Vector3DList([[x / 2, 0.0, 0.0] for x in lengths]),
                linkMasses=list(masses),
                jointPositionOffsetVector=[0.0] * n,
                jointVelocityOffsetVector=[0.0] * n,
                jointPControlVector=list(stiffness),
                jointDControlVector=[0.0] * n,
                visualization=item.VObjectKinematicTree(show=False),
            )
        )
        for joint in (0, springs + 1):
            self._hold(node, joint, ANGLE)
        self.sensor = self.system.AddSensor(
            item.SensorKinematicTree(
                objectNumber=tree,
                linkNumber=n - 1,
                localPosition=[lengths[-1], 0.0, 0.0],
                storeInternal=True,
                outputVariableType=exu.OutputVariableType.Position,
            )
        )
        self.system.Assemble()
