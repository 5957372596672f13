"""Options the verbs of studies share, and how they report progress and interruption."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.cli.output import INTERRUPTED, remark, say, show, show_json
from flexarm.cli.progress import StudyBar
from flexarm.errors import FlexarmError

Samples = Annotated[str, typer.Option("--samples", metavar="NUMBER", help="How many samples, e.g. 1000 or 1e5.")]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", min=0, metavar="NUMBER", help="Seed of the random numbers; sample k depends on the seed and k alone."
    ),
]
Method = Annotated[
    str, typer.Option("--method", metavar="WORD", help="plain, lhs (Latin hypercube) or sobol (scrambled sequence).")
]
Folder = Annotated[
    str | None,
    typer.Option(
        "--study", metavar="FOLDER", help="Keep all samples in this folder, so that the study can be resumed."
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the study in the folder, whatever ended it.")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, metavar="NUMBER", help="Number of worker processes. Default: one per core."),
]
Chunk = Annotated[
    int | None, typer.Option("--chunk", min=1, metavar="NUMBER", help="Samples per part. Default: 2 s of work.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Run on a Dask cluster: its scheduler, tcp://host:8786."),
]
Csv = Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Also write all samples to a CSV file.")]
Row = Annotated[
    int | None,
    typer.Option(
        "--row",
        min=0,
        metavar="NUMBER",
        help="Print the model file of this one sample, or its numbers with --json, and end.",
    ),
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


def sample_of(model: Any, samples: int, seed: int, method: str, row: int) -> Any:
    """The parameters of one sample."""
    from flexarm.studies.study import Sampling, draw_sample

    return draw_sample(model, Sampling(samples, seed, method), row)


def model_text(model: Any, values: Any, seed: int, method: str, row: int) -> str:
    """The model file with these numbers, those of a sample."""
    from flexarm.model import format_arm

    told = "\n".join(
        f"#   {p.name} = {v!r} {p.unit}".rstrip() for p, v in zip(model.parameters, values.tolist(), strict=True)
    )
    arm = model.arm(values)
    if any(link.joint.automatic_servo for link in arm.links):
        from flexarm.analyses.servo import with_servo_gains, with_servos_of

        # drives are tuned for the nominal arm
        arm = with_servos_of(arm, with_servo_gains(model.nominal))
    return f"# sample {row} of seed {seed}, {method}\n{told}\n\n{format_arm(arm)}".rstrip()


def show_sample(model: str, random: Any, values: Any, drawn: tuple[int, str, int], *, json: bool) -> None:
    """Print the model file with these numbers, or the numbers; `drawn` are seed, method and the sample's number."""
    seed, method, row = drawn
    text = model_text(random, values, seed, method, row)
    if not json:
        show(text)
        return
    told = [
        {"name": p.name, "unit": p.unit, "value": value, "places": list(p.places)}
        for p, value in zip(random.parameters, values.tolist(), strict=True)
    ]
    show_json({"model": model, "sample": row, "seed": seed, "method": method, "parameters": told, "text": text})


def tell_if_new(folder: str | None, *, resume: bool) -> None:
    """Remark that there is nothing to go on with, where --resume names a folder without a study."""
    from flexarm.studies.store.store import STUDY_JSON

    if resume and folder is not None and not (Path(folder) / STUDY_JSON).exists():
        remark(f"there is no study in {folder} yet, a new one is begun")


def random_model(model: str, words: Mapping[str, str | None]) -> Any:
    """The model file with distributions, and the settings of the command line in place of its own."""
    from flexarm.cli.options import settings_in
    from flexarm.studies.parameters.settings import with_settings
    from flexarm.studies.parameters.study_model import read_study

    return with_settings(read_study(model), settings_in(words, "; what is kept of a sample is named by --outputs"))


def interrupted(bar: StudyBar, folder: str | None) -> int:
    """Report what an interrupted study keeps; the exit code."""
    if folder is None:
        say(f"interrupted after {bar.done} of {bar.wanted} samples; nothing is kept without --study FOLDER")
    else:
        say(f"interrupted: {bar.done} of {bar.wanted} samples are kept in {folder}, the same with --resume goes on")
    return INTERRUPTED
