"""Arms of equal plane beams as Exudyn models: cable elements, shear-deformable beams, and a tree of rigid pieces.

Joint angles are commanded by constraints whose laws are compiled by Exudyn itself.

- `Cables`: `ObjectANCFCable2D`, cubic, position and slope at the nodes. The slope of the first node is commanded as it
  is, the angle between two links by a generic joint.
- `ShearBeams`: `ObjectBeamGeometricallyExact2D`, linear in position and angle: all its joints are linear constraints.
- `PieceTree`: rigid pieces with springs between them in one kinematic tree, a minimal set of coordinates. The springs
  stand in the middle of equal parts of the link, or at the points of Gauss' quadrature.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.utilities import CreateSymbolicUserFunction
from numpy.typing import NDArray

from benchmarks.exudyn_loop import Stage
from benchmarks.rod_chain import BeamArm

Law = Callable  # of (system, t, item, parameters), in Exudyn's own functions


@dataclass(frozen=True)
class Beams:
    """An arm, what Exudyn's elements ask beyond it (SI), and its joints' command in Exudyn's own functions of time.

    Cables do without shear and rotary inertia, the tree without all three.
    """

    arm: BeamArm
    axial_stiffness: float
    shear_stiffness: float
    rotary_inertia: float
    angle: Callable[[Any], Any]
    rate: Callable[[Any], Any]

    @property
    def straight(self) -> tuple[Law, Law]:
        """Laws of the angle and its rate."""
        return lambda _system, t, _item, _offset: self.angle(t), lambda _system, t, _item, _offset: self.rate(t)

    @property
    def cosine(self) -> tuple[Law, Law]:
        """Laws of a slope's x, counted from 1, and of its rate."""
        return (
            lambda _system, t, _item, _offset: exu.symbolic.cos(self.angle(t)) - 1.0,
            lambda _system, t, _item, _offset: -exu.symbolic.sin(self.angle(t)) * self.rate(t),
        )

    @property
    def sine(self) -> tuple[Law, Law]:
        """Laws of a slope's y and of its rate."""
        return (
            lambda _system, t, _item, _offset: exu.symbolic.sin(self.angle(t)),
            lambda _system, t, _item, _offset: exu.symbolic.cos(self.angle(t)) * self.rate(t),
        )

    @property
    def turn(self) -> tuple[Law, Law]:
        """Laws of the six relative coordinates of a generic joint."""
        return (
            lambda _system, t, _item, _offset: [0, 0, 0, 0, 0, self.angle(t)],
            lambda _system, t, _item, _offset: [0, 0, 0, 0, 0, self.rate(t)],
        )


class BeamModel:
    """What every model of the arm has: an empty system, the solver's settings, commanded coordinates and joints."""

    sensor: exu.SensorIndex
    linear_solver = exu.LinearSolverType.EXUdense
    newton_tolerance = 3e-3  # looser lets the joints drift apart, tighter only adds iterations
    newton_floor = 1e-4  # N: rounding of the stretching forces is not far below

    def __init__(self, beams: Beams, steps: int) -> None:
        self.beams, self.arm = beams, beams.arm
        self.stages = [Stage(self.arm.switches[0], self.arm.switches[-1], steps)]
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

    def heading(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Angles of the first link where it is clamped (rad)."""
        return np.array([self.arm.command(t)[0] for t in times])

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
        driven = self._compiled(self.beams.turn, "ObjectJointGeneric")
        joint = item.ObjectJointGeneric(markerNumbers=[inner, outer], constrainedAxes=list(axes), **driven)
        self.system.AddObject(joint)

    def _watch_node(self, node) -> None:
        place = exu.OutputVariableType.Position
        sensor = item.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=place)
        self.sensor = self.system.AddSensor(sensor)
        self.system.Assemble()


class Cables(BeamModel):
    """Cubic cable elements; their stretching stiffness may be divided by `softening`.

    The links hardly stretch. Softened thirty times this moves the tip of the two-link arm by 4e-6 m at most, and
    Newton's matrix, in which stretching turns with the link, has to be set up five times less often.
    """

    def __init__(self, beams: Beams, elements: Sequence[int], steps: int, softening: float) -> None:
        super().__init__(beams, steps)
        if sum(elements) > 4:
            self.linear_solver = exu.LinearSolverType.EigenSparse
        before, far = None, 0.0  # the last element of the link before, and where it ends
        for link, count in enumerate(elements):
            pitch = self.arm.length / count
            nodes = [
                self.system.AddNode(
                    item.NodePoint2DSlope1(referenceCoordinates=[self.arm.length * link + pitch * i, 0, 1, 0])
                )
                for i in range(count + 1)
            ]
            bodies = [
                self.system.AddObject(
                    item.ObjectANCFCable2D(
                        nodeNumbers=nodes[i : i + 2],
                        length=pitch,
                        massPerLength=self.arm.mass_per_length,
                        bendingStiffness=self.arm.bending_stiffness,
                        axialStiffness=beams.axial_stiffness / softening,
                        useReducedOrderIntegration=2,
                    )
                )
                for i in range(count)
            ]
            if before is None:
                for coordinate, laws in enumerate((None, None, beams.cosine, beams.sine)):
                    self._hold(nodes[0], coordinate, laws)
            else:
                ends = zip((before, bodies[0]), (far, 0.0), strict=True)
                add = self.system.AddMarker
                markers = [add(item.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0])) for body, x in ends]
                self._turn(*markers, axes=(1, 1, 0, 0, 0, 1))
            before, far = bodies[-1], pitch
        if self.arm.tip_mass:
            inertia = self.arm.tip_mass * np.diag((1.0, 1.0, 0.0, 0.0))
            self.system.AddObject(item.ObjectGenericODE2(nodeNumbers=[nodes[-1]], massMatrix=inertia))
        self._watch_node(nodes[-1])


class ShearBeams(BeamModel):
    """Geometrically exact beam elements of first order; `softening` divides their stiffness to stretch and shear."""

    linear_solver = exu.LinearSolverType.EigenSparse
    newton_tolerance = 1e-3

    def __init__(self, beams: Beams, elements: int, steps: int, softening: float = 1.0) -> None:
        super().__init__(beams, steps)
        pitch, before = self.arm.length / elements, None
        for link in range(self.arm.links):
            nodes = [
                self.system.AddNode(
                    item.NodeRigidBody2D(referenceCoordinates=[self.arm.length * link + pitch * i, 0, 0])
                )
                for i in range(elements + 1)
            ]
            for i in range(elements):
                self.system.AddObject(
                    item.ObjectBeamGeometricallyExact2D(
                        nodeNumbers=nodes[i : i + 2],
                        length=pitch,
                        massPerLength=self.arm.mass_per_length,
                        crossSectionInertia=beams.rotary_inertia,
                        bendingStiffness=self.arm.bending_stiffness,
                        axialStiffness=beams.axial_stiffness / softening,
                        shearStiffness=beams.shear_stiffness / softening,
                    )
                )
            for coordinate, laws in enumerate((None, None, beams.straight)):
                self._hold(nodes[0], coordinate, laws, to=before)
            before = nodes[-1]
        if self.arm.tip_mass:
            self.system.AddObject(item.ObjectRigidBody2D(nodeNumber=before, mass=self.arm.tip_mass, inertia=0.0))
        self._watch_node(before)


class PieceTree(BeamModel):
    """Rigid pieces in one kinematic tree; of its joints the first of each link is commanded, the others are springs."""

    newton_tolerance = 1e-3

    def __init__(self, beams: Beams, springs: int, steps: int, *, gauss: bool = False) -> None:
        super().__init__(beams, steps)
        points, weights = (np.arange(1, 2 * springs, 2) / springs - 1.0, np.full(springs, 2.0 / springs))
        if gauss:
            points, weights = np.polynomial.legendre.leggauss(springs)
        half = self.arm.length / 2
        lengths = np.tile(half * np.diff(points, prepend=-1.0, append=1.0), self.arm.links)
        n = lengths.size
        first = [(springs + 1) * i for i in range(self.arm.links)]
        stiffness = np.tile((0.0, *self.arm.bending_stiffness / (half * weights)), self.arm.links)
        masses = self.arm.mass_per_length * lengths
        centres = lengths / 2
        across = masses * lengths**2 / 12
        if tip := self.arm.tip_mass:
            across[-1] += masses[-1] * tip / (masses[-1] + tip) * centres[-1] ** 2
            masses[-1] += tip
            centres[-1] += tip / masses[-1] * centres[-1]
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
                linkCOMs=exu.Vector3DList([[x, 0.0, 0.0] for x in centres]),
                linkMasses=list(masses),
                jointPositionOffsetVector=[0.0] * n,
                jointVelocityOffsetVector=[0.0] * n,
                jointPControlVector=list(stiffness),
                jointDControlVector=[0.0] * n,
                visualization=item.VObjectKinematicTree(show=False),
            )
        )
        for joint in first:
            self._hold(node, joint, beams.straight)
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
