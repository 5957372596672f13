"""Options the verbs of studies share, and how they report progress and interruption."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.options import option
from flexarm.cli.output import INTERRUPTED, Ended, remark, say, show, show_json
from flexarm.cli.progress import StudyBar, kernels_announced
from flexarm.errors import FlexarmError

Samples = Annotated[str, option("--samples", "NUMBER", "How many samples, e.g. 1000 or 1e5.")]
Seed = Annotated[
    int, option("--seed", "NUMBER", "Seed of the random numbers; sample k depends on the seed and k alone.", min=0)
]
Method = Annotated[str, option("--method", "WORD", "plain, lhs (Latin hypercube) or sobol (scrambled sequence).")]
Folder = Annotated[
    str | None, option("--study", "FOLDER", "Keep all samples in this folder, so that the study can be resumed.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the study in the folder, whatever ended it.")]
Workers = Annotated[
    int | None, option("--workers", "NUMBER", "Number of worker processes. Default: one per core.", min=1)
]
Chunk = Annotated[int | None, option("--chunk", "NUMBER", "Samples per part. Default: 2 s of work.", min=1)]
Cluster = Annotated[
    str | None, option("--cluster", "ADDRESS", "Run on a Dask cluster: its scheduler, tcp://host:8786.")
]
# A parameter with this annotation stands for all of these options: `output.with_exit_code`.
Execution = Annotated[
    Mapping[str, Any],
    {"folder": Folder, "resume": Resume, "workers": Workers, "chunk": Chunk, "cluster": Cluster},
]
LOCAL: Mapping[str, Any] = {}
Csv = Annotated[str | None, option("--csv", "FILE", "Also write all samples to a CSV file.")]
Row = Annotated[
    int | None,
    option("--row", "NUMBER", "Print the model file of this one sample, or its numbers with --json, and end.", min=0),
]


def whole_number(option: str, word: str, most: int = 10**9) -> int:
    """A whole number that may be written with a power of ten."""
    try:
        value = float(word)
    except ValueError:
        value = 0.5
    if most < abs(value):
        raise FlexarmError(f'{option} is "{word}", must be a whole number up to {most}')
    if value != value or value != int(value):
        raise FlexarmError(f'{option} is "{word}", must be a whole number such as 1000 or 1e5')
    return int(value)


def listed(text: str | None) -> list[str] | None:
    """The words of a comma-separated list."""
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]


def numbers(option: str, text: str | None, unit: str = "") -> list[float] | None:
    """Quantities from a comma-separated list."""
    from flexarm.studies.parameters.quantities import read_quantity

    found = []
    for word in listed(text) or ():
        try:
            found.append(read_quantity(word, unit))
        except FlexarmError as error:
            raise FlexarmError(f"{option}: {error}") from None
    return found if text is not None else None


def times_of(text: str | None) -> list[float] | int | None:
    """Times (s), or how many of them."""
    if text is not None and text.strip().isdigit():
        return int(text)
    return numbers("--times", text, "s")


def model_text(model: Any, values: Any, seed: int, method: str, row: int) -> str:
    """The model file with these numbers, those of a sample."""
    from flexarm.model import format_arm

    parameters = "\n".join(
        f"#   {p.name} = {v!r} {p.unit}".rstrip() for p, v in zip(model.parameters, values.tolist(), strict=True)
    )
    arm = model.arm(values)
    if any(link.joint.automatic_servo for link in arm.links):
        from flexarm.analyses.servo import with_servo_gains, with_servos_of

        # drives are tuned for the nominal arm
        arm = with_servos_of(arm, with_servo_gains(model.nominal))
    return f"# sample {row} of seed {seed}, {method}\n{parameters}\n\n{format_arm(arm)}".rstrip()


def show_row(model: str, random: Any, samples: int, drawn: tuple[int, str, int], *, json: bool) -> None:
    """Print the sample of this number, of so many; `drawn` are seed, method and the sample's number."""
    from flexarm.studies.study import Sampling, draw_sample

    seed, method, row = drawn
    with opt.concerning(model):
        values = draw_sample(random, Sampling(samples, seed, method), row)
        show_sample(model, random, values, drawn, json=json)


def show_sample(model: str, random: Any, values: Any, drawn: tuple[int, str, int], *, json: bool) -> None:
    """Print the model file with these numbers, or the numbers; `drawn` are seed, method and the sample's number."""
    seed, method, row = drawn
    text = model_text(random, values, seed, method, row)
    if not json:
        show(text)
        return
    parameters = [
        {"name": p.name, "unit": p.unit, "value": value, "places": list(p.places)}
        for p, value in zip(random.parameters, values.tolist(), strict=True)
    ]
    show_json({"model": model, "sample": row, "seed": seed, "method": method, "parameters": parameters, "text": text})


def random_model(model: str, words: Mapping[str, str | None]) -> Any:
    """The model file with distributions, and the settings of the command line in place of its own."""
    from flexarm.cli.options import settings_in
    from flexarm.studies.parameters.settings import with_settings
    from flexarm.studies.parameters.study_model import read_study

    return with_settings(read_study(model), settings_in(words, "; what is kept of a sample is named by --outputs"))


def run_study(
    verb: Callable[..., Any],
    model: str,
    random: Any,
    execution: Mapping[str, Any],
    *,
    counted: str = "samples",
    **asked: Any,
) -> Any:
    """The result of a study of the file `model`, with a count on a terminal; interrupted, it reports what it keeps."""
    folder = execution["folder"]
    if execution["resume"] and folder is not None:
        _remark_if_new(folder)
    with opt.concerning(model), kernels_announced(), StudyBar(counted) as bar:
        try:
            return verb(random, **asked, **execution, progress=bar)
        except KeyboardInterrupt:
            if folder is None:
                say(f"interrupted after {bar.done} of {bar.wanted} samples; nothing is kept without --study FOLDER")
            else:
                kept = f"{bar.done} of {bar.wanted} samples are kept in {folder}"
                say(f"interrupted: {kept}, the same with --resume goes on")
            raise Ended(INTERRUPTED) from None


def _remark_if_new(folder: str) -> None:
    """Remark that there is nothing to go on with, where --resume names a folder without a study."""
    from flexarm.studies.store.store import STUDY_JSON

    if not (Path(folder) / STUDY_JSON).exists():
        remark(f"there is no study in {folder} yet, a new one is begun")
