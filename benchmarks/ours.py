"""flexarm's side of every benchmark: the only file here that calls the package."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.candidate import Candidate
from benchmarks.chains import GRAVITY, Chain
from benchmarks.planar_case import END_TIME, SAMPLE_TIMES, PlanarCase
from flexarm.analyses.integrate import Settings, integrate
from flexarm.analyses.points import positions
from flexarm.analyses.start import initial_state
from flexarm.compiled import compile_arm
from flexarm.core._jit import jit
from flexarm.core.build import Body, build_tree
from flexarm.core.dynamics import new_work, solve
from flexarm.core.types import Laws, no_loads
from flexarm.model import Damping, read_arm

Vector = NDArray[np.float64]

NAME = "flexarm"
# The loosest tolerances (m) that may meet the error, tried from loose to tight.
TOLERANCES = (1e-4, 8e-5, 7e-5, 6e-5, 5e-5, 4e-5)


@jit
def _repeat(tree, loads, laws, q, v, a, tau, drive, work, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        solve(tree, loads, laws, 0.0, False, q, v, a, tau, q, v, 0.0, 0.0, drive, work)


def prepare_aba(chain: Chain, *, planar: bool = False) -> Callable[[int], Vector]:
    """A function that runs that many forward dynamics in one compiled loop and returns accelerations (rad/s²)."""
    n = chain.bodies
    bodies = [
        Body(
            parent=i - 1,
            kind="revolute",
            axis=np.eye(3)[chain.axis[i]],
            offset=chain.offset[i],
            mass=float(chain.mass[i]),
            centre=chain.centre[i],
            inertia=chain.inertia[i],
        )
        for i in range(n)
    ]
    spatial, plane, _, _ = build_tree(bodies, gravity=np.array(GRAVITY))
    tree = plane if planar else spatial
    laws = Laws(np.zeros(1, np.int64), np.zeros((0, 5)))
    a, drive, work = np.zeros(n), np.zeros(n), new_work(tree)

    def run(times: int) -> Vector:
        _repeat(tree, no_loads(), laws, chain.q, chain.v, a, chain.tau, drive, work, times)
        return a.copy()

    return run


def planar_candidates(case: PlanarCase) -> list[Candidate]:
    """The planar case at tolerances around the loosest that meets the error, compiled and ready to be timed."""
    arm = read_arm(example())
    rod = arm.links[-1]
    rod = rod.changed(
        model=rod.formulation.changed(elements=case.elements),
        damping=Damping(retardation=case.damping / case.stiffness),
    )
    compiled = compile_arm(arm.changed(links=(*arm.links[:-1], rod)))
    start = initial_state(compiled, "rest")

    def candidate(tolerance: float) -> Candidate:
        settings = Settings(END_TIME, "esdirk4", tolerance)

        def seconds() -> float:
            # a run of a millisecond finds the caches full of its rivals: the least of five in a row, where a rival's
            # run is long enough to warm itself
            return min(integrate(compiled, start, settings, np.zeros(0)).cpu_seconds for _ in range(5))

        def tip() -> NDArray[np.float64]:
            run = integrate(compiled, start, settings, SAMPLE_TIMES)
            return positions(compiled, np.ascontiguousarray(run.q))[:, 0, :2]

        return Candidate(f"esdirk4, tolerance {tolerance:g} m", seconds, tip)

    return [candidate(tolerance) for tolerance in TOLERANCES]


def command() -> list[str]:
    """The words that start the command line in a process of its own."""
    return [str(Path(sys.executable).with_name("flexarm"))]


def example() -> Path:
    """The model file whose simulation is timed from outside."""
    return Path(__file__).parents[1] / "examples" / "rod_handler.toml"
