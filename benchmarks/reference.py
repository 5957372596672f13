"""The converged answer of the planar case, by equations that share nothing with flexarm or the rivals.

In absolute angles φ_i of the elements the planar chain has closed equations (c the distance of a mass centre from its
own spring, Δ the pitch, a the acceleration of the first spring, φ_0 the commanded angle of the piece before it):

    Σ_j μ_ij [ cos(φ_i − φ_j) φ̈_j + sin(φ_i − φ_j) φ̇_j² ] + s_i a·(−sin φ_i, cos φ_i) = T_i − T_{i+1}
    T_i = k (φ_{i−1} − φ_i) + d (φ̇_{i−1} − φ̇_i),   T_{n+1} = 0
    s_i = m_i c_i + Δ Σ_{k>i} m_k,   μ_ij = Δ s_max(i,j) (i ≠ j),   μ_ii = J_i + m_i c_i² + Δ² Σ_{k>i} m_k
"""

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import Radau
from scipy.linalg import cho_factor, cho_solve

from benchmarks.planar_case import BRAKE_BEGIN, BRAKE_END, END_TIME, SAMPLE_TIMES, PlanarCase

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

TIGHT = 1e-5  # relative tolerance, the absolute one a hundredth of it: a tenth of both moves the tip by < 4e-8 m


class AbsoluteAngles:
    """The closed equations above as a first-order system y = (δ, δ̇), δ_i = φ_i − φ_{i−1}, with its analytic Jacobian.

    The small spring angles δ are integrated, not φ: a spring force k (φ_i − φ_{i−1}) formed from angles of order one
    carries enough rounding to keep a tight implicit solver from converging.
    """

    def __init__(self, case: PlanarCase) -> None:
        self.case = case
        n, centre = case.elements, case.lengths / 2
        outboard = case.masses[::-1].cumsum()[::-1] - case.masses
        self.moment = case.masses * centre + case.pitch * outboard  # s_i
        index = np.arange(n)
        self.coupling = case.pitch * self.moment[np.maximum.outer(index, index)]  # μ_ij
        np.fill_diagonal(self.coupling, case.inertias + case.masses * centre**2 + case.pitch**2 * outboard)
        self.difference = np.eye(n) - np.eye(n, k=-1)  # δ = difference · φ, apart from φ_0
        self.summation = np.tri(n)

    def _solved(self, t: float, y: Vector) -> tuple[Vector, Vector, tuple[Matrix, bool], Matrix, Matrix, Vector]:
        case, n = self.case, self.case.elements
        base = case.base(t)
        angle, rate = base.angle + y[:n].cumsum(), base.rate + y[n:].cumsum()
        sin, cos = np.sin(angle), np.cos(angle)
        cosines = self.coupling * (np.outer(cos, cos) + np.outer(sin, sin))
        sines = self.coupling * (np.outer(sin, cos) - np.outer(cos, sin))
        couple = -(case.stiffness * y[:n] + case.damping * y[n:])  # T_i
        load = couple - np.append(couple[1:], 0.0)
        load -= sines @ rate**2 + self.moment * (base.y_acceleration * cos - base.x_acceleration * sin)
        factor = cho_factor(cosines)
        turning = self.moment * (base.y_acceleration * sin + base.x_acceleration * cos)
        return cho_solve(factor, load), rate, factor, cosines, sines, turning

    def rate(self, t: float, y: Vector) -> Vector:
        """dy/dt."""
        gain = self._solved(t, y)[0]
        return np.concatenate((y[self.case.elements :], np.diff(gain, prepend=self.case.base(t).gain)))

    def jacobian(self, t: float, y: Vector) -> Matrix:
        """d(dy/dt)/dy."""
        case, n = self.case, self.case.elements
        gain, rate, factor, cosines, sines, turning = self._solved(t, y)
        # ∂/∂φ_j of Σ_j μ_ij [cos φ̈_j + sin φ̇_j²] is μ_ij [sin φ̈_j − cos φ̇_j²]; on the diagonal minus the row's sum
        by_angle = sines * gain - cosines * rate**2
        by_angle -= np.diag(by_angle.sum(axis=1)) + np.diag(turning)
        springs = self.difference.T
        out = np.zeros((2 * n, 2 * n))
        out[:n, n:] = np.eye(n)
        out[n:, :n] = -self.difference @ cho_solve(factor, by_angle @ self.summation + case.stiffness * springs)
        out[n:, n:] = -self.difference @ cho_solve(factor, 2 * sines * rate @ self.summation + case.damping * springs)
        return out


def reference_tip(case: PlanarCase, *, tolerance: float = TIGHT) -> Matrix:
    """Tip positions (m) at `SAMPLE_TIMES`, converged to 4e-8 m or better."""
    system = AbsoluteAngles(case)
    y = np.zeros(2 * case.elements)
    springs = np.empty((case.elements, SAMPLE_TIMES.size))
    for begin, end in ((0.0, BRAKE_BEGIN), (BRAKE_BEGIN, BRAKE_END), (BRAKE_END, END_TIME)):
        # the command's acceleration jumps at `end`: the stage there must still see the value before it
        def rate(t: float, y: Vector, last: float = np.nextafter(end, begin)) -> Vector:
            return system.rate(min(t, last), y)

        solver = Radau(rate, begin, y, end, rtol=tolerance, atol=1e-2 * tolerance, jac=system.jacobian)
        while solver.status == "running":
            solver.step()
            inside = (SAMPLE_TIMES > solver.t_old) & (SAMPLE_TIMES <= solver.t)
            if inside.any():
                springs[:, inside] = solver.dense_output()(SAMPLE_TIMES[inside])[: case.elements]
        y = solver.y
    before = np.array([case.base(t).angle for t in SAMPLE_TIMES])
    return case.tip(SAMPLE_TIMES, before + springs.cumsum(axis=0))
