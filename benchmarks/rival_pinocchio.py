"""Pinocchio: its articulated-body algorithm in its own compiled loop, and the planar case by it and SciPy's Radau."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray
from scipy.integrate import Radau

from benchmarks.candidate import Candidate
from benchmarks.chains import GRAVITY, Chain
from benchmarks.planar_case import BRAKE_BEGIN, BRAKE_END, END_TIME, SAMPLE_TIMES, PlanarCase
from benchmarks.timing import cpu_seconds

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

NAME = "Pinocchio"
VERSION = pin.__version__
BATCH = 256  # columns a call: the call's own cost disappears, four arrays of 203 rows still fit the second-level cache

# Spring angles shrink with their number, so the absolute tolerance does too. Rates are left to follow the angles:
# holding them as tight only shortens the steps for high modes that move the tip by less than the tolerance.
TOLERANCES = (2e-5, 1.4e-5, 1e-5, 7e-6, 5e-6)  # m, roughly at the tip
RATE_FACTOR = 1000.0  # 1/s
RELATIVE_TOLERANCE = 1e-3


def prepare_aba(chain: Chain) -> Callable[[int], Vector]:
    """A function that runs that many forward dynamics in Pinocchio's compiled loop and returns accelerations (rad/s²).

    `abaInParallel` on one thread is a plain loop in C++ over the columns of its arguments, in the world-frame form that
    is Pinocchio's fastest: no interpreter between two evaluations.
    """
    pool = pin.ModelPool(_chain_model(chain), 1)
    q, v, tau = (np.asfortranarray(np.repeat(x[:, None], BATCH, axis=1)) for x in (chain.q, chain.v, chain.tau))
    gain = np.zeros_like(q, order="F")

    def run(calls: int) -> Vector:
        for _ in range(calls // BATCH):
            pin.abaInParallel(1, pool, q, v, tau, gain)
        if rest := calls % BATCH:
            pin.abaInParallel(1, pool, q[:, :rest], v[:, :rest], tau[:, :rest], gain[:, :rest])
        return gain[:, 0].copy()

    return run


def prepare_python_aba(chain: Chain) -> Callable[[int], Vector]:
    """The same from a Python loop, call by call: what a Python user sees, the binding's cost included."""
    model = _chain_model(chain)
    data, world = model.createData(), pin.Convention.WORLD

    def run(calls: int) -> Vector:
        for _ in range(calls):
            pin.aba(model, data, chain.q, chain.v, chain.tau, world)
        return np.array(data.ddq)

    return run


def _chain_model(chain: Chain) -> pin.Model:
    model, parent = pin.Model(), 0
    model.gravity.linear = np.array(GRAVITY)
    joints = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
    for i in range(chain.bodies):
        parent = model.addJoint(parent, joints[chain.axis[i]](), pin.SE3(np.eye(3), chain.offset[i]), f"joint {i}")
        body = pin.Inertia(chain.mass[i], chain.centre[i], chain.inertia[i])
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    return model


class RodInMovingFrame:
    """The free rod as y = (δ, δ̇), its spring angles and their rates, by linear-time forward dynamics.

    The first spring's point moves as commanded. In the frame that translates with it the rod hangs on a fixed point,
    its first joint angle is the commanded angle plus δ_1, and the point's acceleration acts as gravity turned round. So
    no commanded joint is left in the model: `aba` gives the motion, `computeABADerivatives` its Jacobian.
    """

    def __init__(self, case: PlanarCase) -> None:
        self.case, n = case, case.elements
        self.model, parent = pin.Model(), 0
        for i in range(n):
            place = pin.SE3(np.eye(3), np.array((case.pitch if i else 0.0, 0.0, 0.0)))
            parent = self.model.addJoint(parent, pin.JointModelRZ(), place, f"spring {i}")
            across = case.inertias[i]
            body = pin.Inertia(case.masses[i], np.array((case.lengths[i] / 2, 0, 0)), np.diag((0.0, across, across)))
            self.model.appendBodyToJoint(parent, body, pin.SE3.Identity())
        self.data = self.model.createData()
        self.gravity = np.zeros(3)

    def _loaded(self, t: float, y: Vector) -> tuple[Vector, Vector, Vector, float]:
        case, n = self.case, self.case.elements
        base = case.base(t)
        q, v = y[:n].copy(), y[n:].copy()
        tau = -case.stiffness * q
        tau -= case.damping * v
        q[0] += base.angle
        v[0] += base.rate
        self.gravity[0], self.gravity[1] = -base.x_acceleration, -base.y_acceleration
        self.model.gravity.linear = self.gravity
        return q, v, tau, base.gain

    def rate(self, last: float, t: float, y: Vector) -> Vector:
        """dy/dt; times beyond `last` count as `last`, so that a stage at a switch still sees the command before it."""
        n = self.case.elements
        q, v, tau, gain = self._loaded(min(t, last), y)
        out = np.empty(2 * n)
        out[:n] = y[n:]
        out[n:] = pin.aba(self.model, self.data, q, v, tau, pin.Convention.WORLD)
        out[n] -= gain
        return out

    def jacobian(self, t: float, y: Vector) -> Matrix:
        """d(dy/dt)/dy."""
        case, n = self.case, self.case.elements
        q, v, tau, _ = self._loaded(t, y)
        by_q, by_v, by_tau = pin.computeABADerivatives(self.model, self.data, q, v, tau)
        out = np.zeros((2 * n, 2 * n))
        out[:n, n:].flat[:: n + 1] = 1.0
        out[n:, :n] = by_q - case.stiffness * by_tau
        out[n:, n:] = by_v - case.damping * by_tau
        return out

    def integrate(self, tolerance: float, *, springs: Matrix | None = None) -> None:
        """Run the case, restarted at the switches of the command; fill `springs` at the sample times if given."""
        n = self.case.elements
        y = np.zeros(2 * n)
        absolute = np.repeat((tolerance / n, RATE_FACTOR * tolerance / n), n)
        for begin, end in pairwise((0.0, BRAKE_BEGIN, BRAKE_END, END_TIME)):
            rate = partial(self.rate, np.nextafter(end, begin))
            solver = Radau(rate, begin, y, end, rtol=RELATIVE_TOLERANCE, atol=absolute, jac=self.jacobian)
            while solver.status == "running":
                message = solver.step()
                if springs is not None:
                    inside = (SAMPLE_TIMES > solver.t_old) & (SAMPLE_TIMES <= solver.t)
                    springs[:, inside] = solver.dense_output()(SAMPLE_TIMES[inside])[:n]
            if solver.status != "finished":
                raise RuntimeError(f"Radau stopped at t = {solver.t} s: {message}")
            y = solver.y

    def tip(self, tolerance: float) -> Matrix:
        """Tip positions (m) at the sample times."""
        springs = np.empty((self.case.elements, SAMPLE_TIMES.size))
        self.integrate(tolerance, springs=springs)
        before = np.array([self.case.base(t).angle for t in SAMPLE_TIMES])
        return self.case.tip(SAMPLE_TIMES, before + springs.cumsum(axis=0))


def planar_candidates(case: PlanarCase) -> list[Candidate]:
    """Radau at tolerances around the loosest that meets the error."""
    rod = RodInMovingFrame(case)
    words = f"SciPy Radau, analytic Jacobian, rtol {RELATIVE_TOLERANCE:g}"
    return [
        Candidate(
            settings=f"{words}, atol {each / case.elements:.2g} rad",
            seconds=partial(cpu_seconds, partial(rod.integrate, each)),
            tip=partial(rod.tip, each),
        )
        for each in TOLERANCES
    ]
