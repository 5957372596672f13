"""The same arm through several formulations: what does the choice cost and change?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexarm.analyses.compare.assumptions import broken_assumptions
from flexarm.analyses.compare.judgement import advice_of, common_cost, recommended, trends
from flexarm.analyses.compare.measures import (
    Measured,
    Stopwatch,
    frequency_error,
    lowest_frequencies,
    measured,
    timed_again,
)
from flexarm.analyses.compare.reference import STANDS, Reference, find_reference
from flexarm.analyses.compare.variants import AS_IN_FILE, Variant, can_vary, own_elements, variant, variants
from flexarm.analyses.modes.joint_states import refuse_controllers
from flexarm.analyses.run.end_of_command import command_end_time
from flexarm.analyses.run.integrate import RunFailed
from flexarm.analyses.servo import with_servo_gains
from flexarm.assembly import compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm, Formulation, part_to_dict
from flexarm.model.reading.given import quantity_of, takes_arm
from flexarm.model.reading.text import inline_table
from flexarm.results.comparison import Comparison, Histories, ModelRun, ReferenceRun
from flexarm.results.engineering import quantity

ELEMENTS = (2, 4, 8, 16)
REFERENCE = "hencky"
# Values below so many times what reference and runs may err by have no relative error.
_CLEAR = 5.0

Progress = Callable[[str, int, int], None]  # what has just been done; rows done, rows wanted


@takes_arm
def compare(
    arm: Arm,
    formulations: Sequence[str] | None = None,
    *,
    elements: Sequence[int] = ELEMENTS,
    tolerance: float | str | None = None,
    end: float | str | None = None,
    reference: str = REFERENCE,
    progress: Progress | None = None,
) -> Comparison:
    """The arm's run through several formulations and numbers of elements, compared with a converged reference.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    formulations
        Words with options behind a colon: "hermite", "hermite:link", "hermite:link,plain", "hencky:euler",
        "rigid-fe:shear"; "file" is the model in the file. Default: all that can run the arm.
    elements
        Numbers of elements per link; for "modes" the number of modes in each direction.
    tolerance
        Error (m) allowed of the path of the tip; default: a hundredth of the peak deflection.
    end
        End of the runs (s).
    reference
        Formulation of the reference.
    progress
        Called with what is run, how many runs are done and how many are wanted.

    Returns
    -------
    Comparison
        Errors and CPU times by model, orders of convergence, and the cheapest model within the tolerance. Models that
        cannot be run have rows with their reason; Ctrl-C ends the study with what is done (`.complete`).

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.compare("rod_handler.toml", ["rigid-fe"], elements=(2, 4), end="0.1 s")
    >>> [row.elements for row in found.rows]
    [2, 4]
    """
    chosen = variants(formulations, planar=arm.planar)
    counts = _counts(elements)
    allowed = None if tolerance is None else quantity_of(tolerance, "m", "tolerance", above=0)
    arm = _ready(arm, end)
    wanted = [(each, count) for each in chosen for count in each.meshes(counts)]
    if formulations is None and not any(_same(each, count, arm) for each, count in wanted):
        wanted.insert(0, (variant(AS_IN_FILE), None))
    report: Progress = progress if progress is not None else lambda *_: None
    final = arm.simulation.end or 0.0
    found = find_reference(arm, variant(reference), final, allowed, lambda what: report(what, 0, len(wanted)))
    rest = command_end_time(arm, final)
    rows: list[ModelRun] = []
    watches: dict[int, Stopwatch] = {}
    apart: list[Floats | None] = []
    try:
        for each, count in wanted:
            row, run = _row(arm, each, count, found, rest)
            if run is not None:
                watches[len(rows)] = run.watch
            rows.append(row)
            apart.append(None if run is None else run.history.apart(found.history))
            report(f"{each.word} {count or ''}".strip(), len(rows), len(wanted))
        timed_again(list(watches.values()))
    except KeyboardInterrupt:
        # what is done is done: the caller sees that it is not complete
        pass
    for index, watch in watches.items():
        rows[index] = replace(rows[index], cpu_seconds=watch.seconds)
    floor = found.error + found.time_error
    best = recommended(rows)
    cost = common_cost(rows, best)
    together = trends(rows, floor, found.history.peak, cost)
    return Comparison(
        arm_name=arm.name,
        analysis=arm.simulation.analysis,
        end=final,
        tolerance=found.tolerance,
        tolerance_given=allowed is not None,
        integration_tolerance=found.settings.tolerance,
        integration_error=found.time_error,
        reference=_reference_run(found, rest, _closest(rows, chosen, found)),
        rows=tuple(rows),
        trends=together,
        equal_cost=cost,
        recommended=best,
        advice=advice_of(rows, together, best, found.tolerance, found.cpu_seconds),
        notes=tuple(_notes(arm, found)),
        wanted=len(wanted),
        histories=Histories(found.history.times, found.history.bent, tuple(apart)),
        arm=arm,
    )


def _counts(elements: Sequence[int]) -> tuple[int, ...]:
    """The numbers of elements, each once, few first."""
    if not elements:
        raise AnalysisError("elements: there is none, must be at least one number")
    for count in elements:
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 1 <= count <= 10_000:
            raise AnalysisError(f"elements holds {count!r}, must be whole numbers from 1 to 10000")
    return tuple(sorted({int(count) for count in elements}))


def _same(each: Variant, count: int | None, arm: Arm) -> bool:
    """True if the file has this very model."""
    try:
        return _lines(each.arm(arm, count)) == _lines(arm)
    except FlexarmError:
        return False


def _ready(arm: Arm, end: float | str | None) -> Arm:
    """The arm with an end and the gains of its servos; refused where nothing can be compared."""
    refuse_controllers(arm, "models are compared on the command itself, leave the [[controller]] tables out")
    if end is not None:
        arm = arm.changed(simulation=arm.simulation.changed(end=end))
    if arm.simulation.end is None:
        raise AnalysisError("simulation.end is missing, must be given to compare: in the model file, or as end / --end")
    if not any(can_vary(link) for link in arm.links):
        raise AnalysisError(
            "no link of the arm can be modelled in another way, must have a beam that does not slide in a sleeve"
        )
    # one servo for all: gains left to the system follow from the model in the file
    arm = with_servo_gains(arm)
    start = arm.simulation.start
    if isinstance(start, Mapping):
        compiled = compile_arm(arm)
        elastic = {compiled.coordinate_names[c] for c in compiled.elastic_coordinates}
        if named := [name for name in start if name.removesuffix(".rate") in elastic]:
            raise AnalysisError(
                f'simulation.start holds "{named[0]}", must hold joints only: other formulations have other coordinates'
            )
    return arm


def _row(
    arm: Arm, each: Variant, count: int | None, reference: Reference, rest: float | None
) -> tuple[ModelRun, Measured | None]:
    """One model with one mesh compared with the reference, and its run; its cost is on the watch of that."""
    row = ModelRun(each.word, own_elements(arm) if count is None else count)
    try:
        modelled = each.arm(arm, count)
        found = measured(modelled, reference.settings, reference.history.times)
    except RunFailed as error:
        return replace(row, status="stopped", reason=str(error)), None
    except (FlexarmError, np.linalg.LinAlgError) as error:
        return replace(row, status="refused", reason=str(error).splitlines()[0]), None
    history, exact = found.history, reference.history
    distance, rms = history.distance(exact)
    frequencies = lowest_frequencies(modelled, found.coordinates)
    floor = _CLEAR * (reference.error + reference.time_error)
    outside = broken_assumptions(modelled, found, reference)
    residual = history.residual(rest)
    row = replace(
        row,
        coordinates=found.coordinates,
        tip_error=distance,
        tip_error_rms=rms,
        peak_deflection=history.peak,
        peak_error=_relative(history.peak, exact.peak, floor),
        residual=residual,
        residual_error=_relative(residual, exact.residual(rest), floor),
        frequencies_hz=frequencies,
        frequency_error=frequency_error(frequencies, reference.frequencies),
        outside=outside,
        keeps=not outside and distance + reference.error <= reference.tolerance,
        toml=_lines(modelled),
    )
    return row, found


def _relative(found: float | None, exact: float | None, floor: float) -> float | None:
    """The relative error of a length, None where the length itself is nothing."""
    if found is None or exact is None or exact <= floor:
        return None
    return abs(found - exact) / exact


def _lines(arm: Arm) -> tuple[str, ...]:
    """The lines of the models in a model file; with the names of the links where they are not all alike."""
    links = [link for link in arm.links if can_vary(link)]
    lines = {link.name: f"model = {inline_table(_table(link.formulation))}" for link in links}
    if len(set(lines.values())) == 1:
        return (next(iter(lines.values())),)
    return tuple(f"{line}   # {name}" for name, line in lines.items())


def _table(model: Formulation) -> dict[str, object]:
    """The keys of a model that differ from their defaults."""
    silent = ("elements", "frames") if model.traits.mesh == "modes" else ()
    return {key: value for key, value in part_to_dict(model).items() if key not in silent}


def _closest(rows: Sequence[ModelRun], chosen: Sequence[Variant], found: Reference) -> ModelRun | None:
    """The row of another formulation, with finite rotations too, that confirms the reference best."""
    other = {
        each.word
        for each in chosen
        if each.formulation not in (found.variant.formulation, AS_IN_FILE) and not each.in_link_frame
    }
    near = STANDS * found.tolerance
    known = [row for row in rows if row.model in other and row.tip_error is not None and row.tip_error <= near]
    return min(known, key=lambda row: row.tip_error or 0.0, default=None)


def _reference_run(found: Reference, rest: float | None, closest: ModelRun | None) -> ReferenceRun:
    """The reference as a result."""
    return ReferenceRun(
        model=found.variant.word,
        elements=found.elements,
        order=found.order,
        error=found.error,
        stands=found.stands,
        peak_deflection=found.history.peak,
        residual=found.history.residual(rest),
        rest=rest,
        frequencies_hz=found.frequencies,
        coordinates=found.coordinates,
        cpu_seconds=found.cpu_seconds,
        agrees=closest.model if closest else None,
        agrees_elements=closest.elements if closest else None,
        agrees_to=closest.tip_error if closest else None,
    )


def _notes(arm: Arm, found: Reference) -> list[str]:
    """What the reader should know besides."""
    remarks = []
    sliding = [f'"{link.name}"' for link in arm.links if link.beam is not None and link.joint.sleeve]
    if sliding:
        remarks.append(f"In a sleeve, {', '.join(sliding)} keeps its own model in every run, the reference's too.")
    if not found.stands:
        remarks.append(
            f"The reference could not be brought within a tenth of the tolerance by chains of up to "
            f"{found.elements[-1]} elements: take the errors for no better than its own."
        )
    if found.time_error > STANDS * found.tolerance:
        remarks.append(
            f"The integration of time errs by about {quantity(found.time_error, 'm', 2)} in every run and could not be "
            "made finer: rounding leaves no more."
        )
    if found.variant.in_link_frame:
        remarks.append("The reference itself counts from one frame for each link, which is of second order only.")
    if found.history.peak <= found.tolerance:
        remarks.append("The arm bends by less than the tolerance: rigid links would keep it too.")
    return remarks
