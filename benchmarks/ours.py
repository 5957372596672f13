"""flexarm's side of every benchmark: the only file here that calls the package."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import planar_case, spin_up_case, two_link_case
from benchmarks.candidate import Candidate
from benchmarks.chains import GRAVITY, Chain
from benchmarks.timing import cpu_seconds
from flexarm.analyses.brake.brake import brake
from flexarm.analyses.points import positions
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Settings, integrate
from flexarm.analyses.run.prepare import prepare
from flexarm.analyses.run.simulate import simulate
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core._jit import bound, jit
from flexarm.core.sweeps.dynamics import new_work, solve, solver_of
from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import Laws, no_loads
from flexarm.model import Arm, Damping, Formulation, read_arm
from flexarm.results import BrakeStudy, Trajectory

Vector = NDArray[np.float64]

NAME = "flexarm"
CALL, PREPARED = f"{NAME}.simulate", f"{NAME}.prepare().run"
ARMS = Path(__file__).with_name("arms")
# The loosest tolerances (m) that may meet the error, tried from loose to tight.
PLANAR_TOLERANCES = (1e-4, 8e-5, 7e-5, 6e-5, 5e-5, 4e-5)
TWO_LINK_TOLERANCES = (1e-4, 6e-5, 4e-5, 3e-5, 2.4e-5, 2e-5, 1.5e-5)
BRAKING_TOLERANCE = 2e-6  # m, of refined points; the loosest with which the curve errs by less than 1e-5 m
EXACT = 1e-9  # m
SPIN_UP_TOLERANCE = 1e-5  # m, a hundred thousandth of the deflection that is asked for
SPIN_UP_TOLERANCES = (1e-1, 1e-2, 1e-3)  # m; a run has 64 steps at the least, and they serve already
# The moment is greatest at the clamped end: an element there may be shorter than the next.
SPIN_UP_MESHES: dict[str, tuple[dict, ...]] = {
    "hermite": ({"elements": 2, "grading": 2.0}, {"elements": 3}, {"elements": 4}),
    "modes": ({"modes": 2}, {"modes": 4}),
    "rigid-fe": ({"elements": 28}, {"elements": 32}),
    "hencky": ({"elements": 10},),
}
SEED = 20261


def _repeat(tree, loads, laws, q, v, a, tau, drive, work, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        solve(tree, loads, laws, 0.0, False, q, v, a, tau, q, v, 0.0, 0.0, drive, work)


@cache
def _repeating(tree: type) -> Callable:
    """The loop compiled for a class of tree."""
    return jit(bound(_repeat, f"repeat_{tree.__name__}", solve=solver_of(tree)))


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

    repeat = _repeating(type(tree))

    def run(times: int) -> Vector:
        repeat(tree, no_loads(), laws, chain.q, chain.v, a, chain.tau, drive, work, times)
        return a.copy()

    return run


@dataclass(frozen=True)
class BeamChain:
    """Links of one and the same beam on free joints: formulation, elements of each link, and how they are framed."""

    planar: bool
    formulation: str
    elements: int
    freedoms: tuple[str, ...] = ("bending",)
    links: int = 1
    modes: int = 0  # > 0: one frame per link with so many coordinates


def prepare_beam_aba(chain: BeamChain) -> tuple[Callable[[int], Vector], int]:
    """A function that runs that many forward dynamics in one compiled loop, and the number of coordinates.

    The tree is the one that time integration chooses.
    """
    arm = read_arm(ARMS / "beams.toml")
    reduced = {"frames": "link", "modes": chain.modes} if chain.modes else {}
    model = Formulation(formulation=chain.formulation, elements=chain.elements, freedoms=chain.freedoms, **reduced)
    links = tuple(link.changed(model=model) for link in arm.links[: chain.links])
    compiled = compile_arm(arm.changed(planar=chain.planar, links=links))
    tree = stepping_tree(compiled.tree, compiled.loads)
    n = len(compiled.coordinate_names)
    # small beside the element: one bent beyond its own length has no positive inertia
    pitch = arm.links[0].length / chain.elements
    scale = np.where(np.array(compiled.coordinate_units) == "rad", 1.0, pitch)
    rng = np.random.default_rng(SEED)
    q, v = 1e-3 * scale * rng.standard_normal(n), 1e-2 * scale * rng.standard_normal(n)
    a, tau, drive, work = np.zeros(n), np.zeros(n), np.zeros(n), new_work(tree)

    repeat = _repeating(type(tree))

    def run(times: int) -> Vector:
        repeat(tree, compiled.loads, compiled.laws, q, v, a, tau, drive, work, times)
        return a.copy()

    if not np.isfinite(run(1)).all():
        raise RuntimeError(f"{chain}: the accelerations are not finite, their time would mean nothing")
    return run, n


def planar_candidates(case: planar_case.PlanarCase) -> list[Candidate]:
    """The planar case at tolerances around the loosest that meets the error, compiled and ready to be timed."""
    compiled = compile_arm(_planar_arm(case))
    return [_candidate(compiled, planar_case.SAMPLE_TIMES, each) for each in PLANAR_TOLERANCES]


def planar_calls(case: planar_case.PlanarCase) -> list[Candidate]:
    """The same as users call it: `simulate` of an arm it has not met, 1001 samples, and the tip's path of them."""
    arm = _planar_arm(case)

    def called(tolerance: float) -> None:
        _path(simulate(arm.model_copy(), end=planar_case.END_TIME, start="rest", tolerance=tolerance))

    return [_call(case, each, lambda each=each: called(each)) for each in PLANAR_TOLERANCES]


def planar_prepared(case: planar_case.PlanarCase) -> list[Candidate]:
    """The same of an arm that was prepared before."""
    ready = prepare(_planar_arm(case))

    def called(tolerance: float) -> None:
        _path(ready.run(end=planar_case.END_TIME, start="rest", tolerance=tolerance))

    return [_call(case, each, lambda each=each: called(each)) for each in PLANAR_TOLERANCES]


def _planar_arm(case: planar_case.PlanarCase) -> Arm:
    arm = read_arm(example())
    rod = arm.links[-1]
    rod = rod.changed(
        model=rod.formulation.changed(elements=case.elements),
        damping=Damping(retardation=case.damping / case.stiffness),
    )
    return arm.changed(links=(*arm.links[:-1], rod))


def _path(run: Trajectory) -> NDArray[np.float64]:
    return run.values("point_position")[:, 0, :2]


def _call(case: planar_case.PlanarCase, tolerance: float, called: Callable[[], None]) -> Candidate:
    """A whole call, timed as the runs are: the least of five in a row."""
    arm, end = _planar_arm(case), planar_case.END_TIME

    def tip() -> NDArray[np.float64]:
        run = simulate(arm, end=end, start="rest", tolerance=tolerance, output=1e-3)
        return _path(run)[run.time >= planar_case.SAMPLE_TIMES[0] - 1e-9]

    return Candidate(f"esdirk4, tolerance {tolerance:g} m", lambda: min(cpu_seconds(called) for _ in range(5)), tip)


def two_link_candidates(elements: Sequence[int]) -> list[Candidate]:
    """The two-link arm with so many Hermitian elements on each link, at tolerances around the loosest of use."""
    arm = read_arm(two_link_file())
    links = tuple(
        link.changed(model=link.formulation.changed(elements=count))
        for link, count in zip(arm.links, elements, strict=True)
    )
    compiled = compile_arm(arm.changed(links=links))
    words = f"{' and '.join(map(str, elements))} hermite elements, "
    return [_candidate(compiled, two_link_case.SAMPLE_TIMES, each, words) for each in TWO_LINK_TOLERANCES]


def spin_up_candidate(case: spin_up_case.SpinUp, formulation: str, elements: int) -> Candidate:
    """The spin-up by one formulation, at a tolerance that leaves only the error of its mesh."""
    return _candidate(_spun_up(case, formulation, elements=elements), case.sample_times, SPIN_UP_TOLERANCE)


def spin_up_candidates(case: spin_up_case.SpinUp) -> dict[str, list[Candidate]]:
    """By formulation: the spin-up with coarse meshes, at tolerances from the loosest that makes a difference."""
    out: dict[str, list[Candidate]] = {}
    for formulation, meshes in SPIN_UP_MESHES.items():
        out[formulation] = []
        for mesh in meshes:
            counted = "modes" if "modes" in mesh else "elements"
            compiled = _spun_up(case, formulation, **mesh)
            finer = _spun_up(case, formulation, **mesh | {counted: 2 * mesh[counted]})
            words = f"{mesh[counted]} {counted}, " + (f"grading {mesh['grading']:g}, " if "grading" in mesh else "")
            out[formulation] += [
                replace(
                    _candidate(compiled, case.sample_times, tolerance, words),
                    finer=(
                        _candidate(compiled, case.sample_times, SPIN_UP_TOLERANCE).tip,
                        _candidate(finer, case.sample_times, tolerance).tip,
                    ),
                )
                for tolerance in SPIN_UP_TOLERANCES
            ]
    return out


def _spun_up(case: spin_up_case.SpinUp, formulation: str, **model: float) -> CompiledArm:
    """The arm of the case with its only link formulated so; a bare Euler-Bernoulli beam where that can be had."""
    arm = read_arm(ARMS / "spin_up.toml")
    theory = {"theory": "euler"} if formulation in ("hermite", "modes", "hencky") else {}
    beam = arm.links[0].changed(model=Formulation(formulation=formulation, **theory, **model))
    spin = arm.motions["spin"].changed(rate=case.speed, duration=spin_up_case.DURATION)
    return compile_arm(arm.changed(links=(beam,), motions={**arm.motions, "spin": spin}))


def hub_beams(modes: int, end: float, tolerance: float) -> tuple[Callable[[Vector], Vector], dict[str, Vector]]:
    """A function from samples of density, length, width, height to tips at the end, and the modes of the unit beam."""
    from flexarm.papers.files import paper_arm, with_model
    from flexarm.studies.execution.hub_beams import HubBeams

    lanes = HubBeams(with_model(paper_arm("hewang_hub.toml"), modes=modes, order="printed"), tolerance)
    section = "link[0].beam.section"
    places = ("material.strip-steel.density", "link[0].length", f"{section}.width", f"{section}.height")
    times = np.array([end])
    lanes.settled(times)

    def run(values: Vector) -> Vector:
        return lanes.run(dict(zip(places, values.T, strict=True)), times).tip[:, -1]

    return run, vars(lanes.unit)


def _candidate(compiled: CompiledArm, times: Vector, tolerance: float, words: str = "") -> Candidate:
    """A run from rest to the last of the times."""
    start = initial_state(compiled, "rest")
    settings = Settings(float(times[-1]), "esdirk4", tolerance)

    def seconds() -> float:
        # a run of a millisecond finds the caches full of its rivals: the least of five in a row, where a rival's
        # run is long enough to warm itself
        return min(integrate(compiled, start, settings, np.zeros(0)).cpu_seconds for _ in range(5))

    def tip() -> NDArray[np.float64]:
        run = integrate(compiled, start, settings, times)
        return positions(compiled, np.ascontiguousarray(run.q))[:, 0, :2]

    return Candidate(f"{words}esdirk4, tolerance {tolerance:g} m", seconds, tip)


def braking_curve(between: tuple[float, float], points: int, window: float) -> BrakeStudy:
    """What is left of the planar case over its braking time: the tip's range along y in a window after the stop (s)."""
    return brake(
        read_arm(example()),
        between,
        points=points,
        residual="y",
        window=window,
        explain=False,
        tolerance=BRAKING_TOLERANCE,
    )


def braking_residual(braking_time: float, window: float) -> float:
    """The same (m) from one run with a tolerance that leaves no error."""
    arm = read_arm(example())
    law = arm.motions["stop"].changed(braking_time=braking_time)
    stop = float(law.pieces(1.0).switch_times[-1])
    run = simulate(arm.changed(motions={"stop": law}), end=stop + window, tolerance=EXACT, output=2e-4)
    return run.range("tip", "y", after=stop, until=stop + window)


def command() -> list[str]:
    """The words that start the command line in a process of its own."""
    return [str(Path(sys.executable).with_name("flexarm"))]


def example() -> Path:
    """The model file whose simulation is timed from outside."""
    return Path(__file__).parents[1] / "examples" / "rod_handler.toml"


def two_link_file() -> Path:
    """The model file of the two-link arm."""
    return ARMS / "two_links.toml"
