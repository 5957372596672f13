"""Arms of equal beams as Exudyn models with one floating frame per link (`ObjectFFRFreducedOrder`).

Exudyn takes such a body from a mesh of points with three displacements each. The mesh here is made by hand: four points
on each of many sections, where they have the section's mass and rotary inertia, moved by the shapes of a beam. Two
shapes are those of a force and of a moment at the tip, the others vibrate with the tip held. Exudyn's floating frame
knows no foreshortening: this moves the tip of the two-link arm by 3e-6 m, but a beam that spins faster than it would
swing at rest has nothing to hold it, and a mass at the tip is not provided for.
"""

import exudyn as exu
import exudyn.itemInterface as item
import numpy as np
from exudyn.FEM import ObjectFFRFreducedOrderInterface
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import csr_matrix, diags_array

from benchmarks.exudyn_beams import BeamModel, Beams

Matrix = NDArray[np.float64]

SECTIONS = 40  # intervals; even, for Simpson's weights


class BeamPoints:
    """The mesh of one link, with the names under which Exudyn asks for it."""

    def __init__(self, beams: Beams, modes: int) -> None:
        length, mass_per_length = beams.arm.length, beams.arm.mass_per_length
        weights = np.ones(SECTIONS + 1)
        weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
        weights *= length / SECTIONS / 3
        # four points at ±a along y and z: 2 of them carry half the mass at a² for each axis
        a = np.sqrt(2 * beams.rotary_inertia / mass_per_length)
        corners = a * np.array([[0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
        axis = np.linspace(0.0, length, SECTIONS + 1)[:, None] * np.array([1.0, 0.0, 0.0])
        self._points = (axis[:, None] + corners).reshape(-1, 3)
        frequencies, shapes = _shapes(beams, weights, modes)
        moved = np.zeros((SECTIONS + 1, 4, 3, modes))
        moved[:, :, 0] = -corners[:, 1, None] * shapes[1::2, None]
        moved[:, :, 1] = shapes[::2, None]
        self.modeBasis = {"matrix": moved.reshape(-1, modes)}
        self._mass = csr_matrix(diags_array(np.repeat(mass_per_length * weights / 4, 12)))
        # any stiffness of the points will do that is that of the beam when the shapes move them
        impulses = self._mass @ self.modeBasis["matrix"]
        self._stiffness = csr_matrix(impulses * frequencies**2 @ impulses.T)
        self.postProcessingModes: dict = {}
        self.tip = list(range(4 * SECTIONS, 4 * SECTIONS + 4))

    def GetNodePositionsAsArray(self) -> Matrix:
        """Places of the points (m)."""
        return self._points

    def GetSurfaceTriangles(self) -> list:
        """Nothing: there is nothing to draw."""
        return []

    GetSurfaceTriangles6 = GetSurfaceTriangles

    def GetMassMatrix(self, sparse: bool) -> csr_matrix:
        """Mass of the points' displacements."""
        return self._mass

    def GetStiffnessMatrix(self, sparse: bool) -> csr_matrix:
        """Stiffness of the points' displacements."""
        return self._stiffness


def _shapes(beams: Beams, weights: Matrix, modes: int) -> tuple[Matrix, Matrix]:
    """Angular frequencies (rad/s) and shapes of the clamped beam, deflection and slope by turns, of unit modal mass."""
    n, h = SECTIONS, beams.arm.length / SECTIONS
    element = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2]])
    element = np.vstack((element, [[-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]))
    stiffness = np.zeros((2 * n + 2, 2 * n + 2))
    for i in range(0, 2 * n, 2):
        stiffness[i : i + 4, i : i + 4] += beams.arm.bending_stiffness / h**3 * element
    stiffness = stiffness[2:, 2:]
    mass = np.column_stack((beams.arm.mass_per_length * weights, beams.rotary_inertia * weights)).ravel()[2:]
    basis = np.zeros((2 * n, modes))
    basis[:, :2] = np.linalg.solve(stiffness, np.eye(2 * n)[:, -2:])
    if modes > 2:
        _, inner = eigh(stiffness[:-2, :-2], np.diag(mass[:-2]), subset_by_index=[0, modes - 3])
        basis[:-2, 2:] = inner
    squares, mixed = eigh(basis.T @ stiffness @ basis, basis.T * mass @ basis)
    return np.sqrt(squares), np.vstack((np.zeros((2, modes)), basis @ mixed))


class FloatingFrames(BeamModel):
    """One floating frame per link, clamped in it at its base; spatial, as Exudyn has them."""

    newton_tolerance = 1e-4
    newton_floor = 1e-3

    def __init__(self, beams: Beams, modes: int, steps: int) -> None:
        super().__init__(beams, steps)
        mesh = BeamPoints(beams, modes)
        body = ObjectFFRFreducedOrderInterface(mesh)
        ground = self.system.AddObject(item.ObjectGround())
        carrier = self.system.AddMarker(item.MarkerBodyRigid(bodyNumber=ground))
        for link in range(self.arm.links):
            added = body.AddObjectFFRFreducedOrder(
                self.system,
                positionRef=[self.arm.length * link, 0.0, 0.0],
                initialVelocity=[0.0, 0.0, 0.0],
                rotationMatrixRef=np.eye(3).tolist(),
                initialAngularVelocity=[0.0, 0.0, 0.0],
                gravity=[0.0, 0.0, 0.0],
            )
            frame = self.system.AddMarker(item.MarkerNodeRigid(nodeNumber=added["nRigidBody"]))
            self._turn(carrier, frame, axes=(1, 1, 1, 1, 1, 1))
            carrier = self.system.AddMarker(
                item.MarkerSuperElementRigid(
                    bodyNumber=added["oFFRFreducedOrder"],
                    meshNodeNumbers=mesh.tip,
                    weightingFactors=[0.25] * 4,
                    offset=[0.0, 0.0, 0.0],
                )
            )
        sensor = item.SensorMarker(
            markerNumber=carrier, storeInternal=True, outputVariableType=exu.OutputVariableType.Position
        )
        self.sensor = self.system.AddSensor(sensor)
        self.system.Assemble()
