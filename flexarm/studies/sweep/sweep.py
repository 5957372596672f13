"""How do outputs of the arm change with a key of its model file, or with two?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Unpack, final

import numpy as np

from flexarm.assembly import compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm, HasDistributions, Servo
from flexarm.model.parts.simulation import given_settings
from flexarm.model.reading.distributions import OF_STUDIES
from flexarm.model.reading.file import arm_to_dict, read_arm, table_of, text_of
from flexarm.model.reading.messages import shown
from flexarm.model.reading.paths import placed
from flexarm.model.reading.text import toml_text
from flexarm.results.stored_samples import series_column
from flexarm.results.sweep import Sweep, SweptKey
from flexarm.studies.execution.evaluate import Task, plan_of
from flexarm.studies.execution.machine import cpu_class, versions
from flexarm.studies.execution.runner import fill
from flexarm.studies.execution.worker_pool import LocalPool
from flexarm.studies.outputs.columns import Plan, is_series, usual_outputs
from flexarm.studies.parameters.quantities import read_quantity, times_asked
from flexarm.studies.parameters.reading import find
from flexarm.studies.parameters.study_model import StudyModel, plain_data, read_study
from flexarm.studies.store.rows import OK
from flexarm.studies.store.store import StoredStudy, StudyDirectory, keep_summary
from flexarm.studies.study import Sampling, StudyOptions, run_study, split_options, study_folder, takes_options
from flexarm.studies.sweep.keys import Key, grid_indices, read_keys
from flexarm.studies.sweep.one_by_one import Arms, OneByOne


@takes_options
def sweep(
    arm: Arm | StudyModel | str | os.PathLike[str],
    *,
    vary: Mapping[str, Any],
    outputs: Sequence[str] | None = None,
    times: Sequence[float | str] | int | None = None,
    **options: Unpack[StudyOptions],
) -> Sweep:
    """Outputs of the arm over the values of one or two keys of its model file.

    Parameters
    ----------
    arm
        An arm, a study (its nominal arm), or the path of a model file.
    vary
        One or two keys with their values: a range (from, to, how many), the text of one ("1 mm:4 mm:31"), or a list of
        numbers (SI), texts with units, words or truth values. Links are counted from 0: "link[1].length".
    outputs
        As for `montecarlo`: "max(tip.deflection)", "tip.y@end", or a signal at all `times`.
    times
        Times (s) of outputs that are signals, or their number.
    folder, resume
        A sweep in a folder can be resumed after whatever ended it, and ends in the same table bit for bit.
    workers, chunk, progress, cluster, **settings
        As for `montecarlo`.

    Returns
    -------
    Sweep
        Arrays over the grid of values.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.sweep("rod_handler.toml", vary={"link[2].length": ("0.9 m", "1.1 m", 3)}, outputs=["tip.y@end"],
    ...                  end="0.1 s")
    >>> found.values, found.outputs["tip.y@end"].shape
    ([0.9, 1.0, 1.1], (3,))
    """
    execution, settings = split_options(options)
    data, source, folder = _raw(arm)
    if given := {name: plain_data(value) for name, value in given_settings(settings).items()}:
        data = {**data, "simulation": {**data.get("simulation", {}), **given}}
    arms = Arms(data, read_keys(data, vary), source, folder)
    words = _words(arms.first, outputs)
    together = None if arms.first.controllers else _together(arms, words, times, execution)
    found = together or _one_by_one(arms, words, times, execution)
    if execution.get("folder") is not None:
        keep_summary(str(execution["folder"]), "sweep", found.drawn())
    return found


def _raw(arm: Any) -> tuple[dict[str, Any], str, Path | None]:
    """The raw model without what only studies read, its name, and the folder its files are in."""
    if isinstance(arm, StudyModel):
        return arm_to_dict(arm.nominal), arm.name, None
    if isinstance(arm, Arm):
        return arm_to_dict(arm), arm.name, None
    if not isinstance(arm, str | os.PathLike):
        raise AnalysisError(f"arm is {shown(arm)}, must be an arm, a study or the path of a model file")
    try:
        read_arm(arm)
    except HasDistributions:
        return arm_to_dict(read_study(arm).nominal), str(arm), None
    text, source = text_of(arm)
    raw = {key: value for key, value in table_of(text, source).items() if key not in OF_STUDIES}
    return raw, source, Path(arm).parent


def _words(first: Arm, outputs: Sequence[str] | None) -> tuple[str, ...]:
    """The outputs asked for; by default what the tip does and what it ends with."""
    if outputs is None:
        usual = usual_outputs(first, compile_arm(first))
        return tuple(f"{word}@end" if is_series(word) else word for word in usual)
    return tuple(dict.fromkeys(word.strip() for word in outputs))


def _drives_know_their_arm(arm: Arm) -> bool:
    """True if drives of the arm are tuned for it or feed its torques forward: a study has them of the nominal arm."""
    for link in arm.links:
        servo = link.joint.servo
        if link.joint.automatic_servo or (isinstance(servo, Servo) and servo.fed_forward in ("gravity", "rigid")):
            return True
    return False


@final
@dataclass(frozen=True, eq=False)
class _Grid:
    """The design of a sweep: row k has the values of the kth point of the grid."""

    keys: tuple[Key, ...]
    numbers: tuple[Floats, ...]

    @property
    def description(self) -> Mapping[str, Any]:
        return {"sweep": {key.name: list(key.written) for key in self.keys}}

    def draw(self, begin: int, end: int) -> Floats:
        """The values (points, keys)."""
        indices = grid_indices(self.keys, begin, end)
        return np.column_stack([numbers[indices[:, j]] for j, numbers in enumerate(self.numbers)])


def _together(arms: Arms, words: Sequence[str], times: Any, execution: Any) -> Sweep | None:
    """The sweep as a study of arms that differ in quantities alone, eight at a time; None where it is none."""
    keys = arms.keys
    apart = any(key.path[0] == "simulation" or not key.numeric for key in keys)
    # arms of a sweep have drives of their own
    if apart or _drives_know_their_arm(arms.first) or any(len(set(key.values)) < 2 for key in keys):
        return None
    ends = [(min(pairs), max(pairs)) for pairs in (list(zip(key.values, key.written, strict=True)) for key in keys)]
    laws = [(key.path, {"uniform": [low[1], high[1]]}) for key, (low, high) in zip(keys, ends, strict=True)]
    try:
        model = StudyModel(find(placed(arms.data, laws), arms.source, arms.folder), arms.source)
        units = {parameter.name: parameter.unit for parameter in model.parameters}
        keys = tuple(key.in_unit(units[key.name]) for key in keys)
        numbers = tuple(np.array([read_quantity(value, key.unit) for value in key.written]) for key in keys)
    except (FlexarmError, KeyError):
        return None
    grid = _Grid(keys, numbers)
    points = int(np.prod([len(key) for key in keys]))
    # in the order of the model's parameters
    order = [model.names.index(key.name) for key in keys]
    back = np.argsort(order)
    design = _Grid(keys, numbers) if order == sorted(order) else _Turned(grid, back)
    study = run_study(model, Sampling(points, **execution), outputs=words, times=times, design=design)
    swept = [SweptKey(key.name, key.unit, tuple(n.tolist())) for key, n in zip(keys, numbers, strict=True)]
    return _found(arms, swept, words, study.plan, study.stored, study.remarks)


@final
@dataclass(frozen=True, eq=False)
class _Turned:
    """The design with its columns in the order of the model's parameters."""

    grid: _Grid
    order: Any

    @property
    def description(self) -> Mapping[str, Any]:
        return self.grid.description

    def draw(self, begin: int, end: int) -> Floats:
        """The values (points, parameters)."""
        return np.ascontiguousarray(self.grid.draw(begin, end)[:, self.order])


def _one_by_one(arms: Arms, words: Sequence[str], times: Any, execution: Any) -> Sweep:
    """The sweep of arms that differ in anything."""
    sampling = Sampling(int(np.prod([len(key) for key in arms.keys])), **execution)
    if sampling.cluster is not None:
        raise AnalysisError("cluster is given, must be left out: the arms of this sweep are run here, one by one")
    task = Task("", tuple(words), times_asked(times))
    plan = plan_of(arms.first, task)
    text = toml_text(plain_data(arms.data))
    described = {
        "model": sha256(text.encode()).hexdigest(),
        "samples": sampling.samples,
        "method": "plain",
        "parameters": [key.name for key in arms.keys],
        "columns": list(plan.names),
        "units": dict.fromkeys((key.name for key in arms.keys), "") | plan.units,
        "times": list(plan.times),
        "design": {"sweep": {key.name: list(key.written) for key in arms.keys}},
        "versions": versions(),
        "cpu": cpu_class(),
    }
    folder, temporary = study_folder(sampling.folder)
    with StudyDirectory(folder, text, described, resume=sampling.resume) as store:
        fill(
            store,
            sampling.samples,
            ([key.name for key in arms.keys], plan.names),
            lambda begin, end: grid_indices(arms.keys, begin, end).astype(float),
            LocalPool([OneByOne(arms, task, plan)]),
            chunk=sampling.chunk,
            progress=sampling.progress,
        )
        remarks = tuple(store.remarks)
    swept = [SweptKey(key.name, _unit(key), key.values) for key in arms.keys]
    return _found(arms, swept, words, plan, StoredStudy(folder, temporary=temporary), remarks)


def _unit(key: Key) -> str:
    """The SI unit of a key's values by what is written; none where they are plain numbers or words."""
    from flexarm.model.reading.units import read_measure

    units = ("m", "s", "kg", "rad", "N", "N m", "Pa", "rad/s", "m/s", "kg/m", "kg/m^3", "N m^2", "Hz", "kg m^2")
    with suppress(Exception):
        wanted = read_measure(str(key.written[0]))[1]
        return next((unit for unit in units if read_measure(f"1 {unit}")[1] == wanted), "")
    return ""


def _found(
    arms: Arms, swept: Sequence[SweptKey], words: Sequence[str], plan: Plan, stored: StoredStudy, remarks: Any
) -> Sweep:
    """The result of a complete table."""
    shape = tuple(len(key.values) for key in swept)
    rows = stored.table()
    units, outputs = {}, {}
    for word in words:
        if word in plan.series:
            names = [series_column(word, time) for time in plan.times]
            outputs[word] = np.stack([rows.columns[name] for name in names], axis=-1).reshape(*shape, len(names))
        else:
            names = [plan.asked[word]]
            outputs[word] = rows.columns[names[0]].reshape(shape)
        units[word] = plan.units[names[0]]
    return Sweep(
        arm_name=arms.first.name,
        keys=tuple(swept),
        outputs=outputs,
        units=units,
        times=np.array(plan.times if plan.series else ()),
        failures={k: f"{rows.status[k]}: {rows.reason[k]}" for k in range(len(rows)) if rows.status[k] != OK},
        remarks=tuple(remarks),
        folder=None if stored.temporary is not None else str(stored.folder),
        arm=arms.first,
    )
