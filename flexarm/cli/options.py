"""Options several verbs share, and how their texts become quantities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.errors import AnalysisError, FlexarmError, ModelError

if TYPE_CHECKING:
    from flexarm.model import Arm, Link
    from flexarm.studies.parameters.study_model import StudyModel


def option(name: str, metavar: str, help: str, **limits: int) -> Any:
    """An option with a value, the word for its value, and what it does; `limits` are min and max."""
    return typer.Option(name, metavar=metavar, help=help, **limits)  # type: ignore[arg-type]


ModelFile = Annotated[
    str, typer.Argument(metavar="MODEL", help="The model file (TOML), or a robot's URDF.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout instead of text.")]
Posture = Annotated[
    list[str] | None,
    option(
        "--posture",
        "JOINT=VALUE",
        'Coordinate of a joint, e.g. "upper arm=30 deg"; give it once per joint. Default: where the joint starts.',
    ),
]
Joints = Annotated[
    str | None,
    option(
        "--joints",
        "WORD",
        "locked (every joint held), free (moving on its own spring) or servo (closed loop). Default: as in the "
        "model file.",
    ),
]
Followed = Annotated[
    str | None,
    option(
        "--joints",
        "WORD",
        "servo (closed loop) or locked (every joint exactly on its command). Default: as in the model file.",
    ),
]
Free = Annotated[
    list[str] | None, option("--free", "JOINT", "Free this joint alone; give it once per joint. The others are held.")
]

MaxTorque = Annotated[
    list[str] | None,
    option("--max-torque", "[JOINT=]VALUE", 'Bound on drive torques, e.g. "60 N m"; or "rod=20 N m", once per joint.'),
]
Robust = Annotated[
    list[str] | None,
    option(
        "--robust",
        "WHAT=RANGE",
        'Judge by all arms within these ranges: "payload=10 %", "stiffness=0.9..1.05", "length=1 %"; in shape '
        'also "frequency=10 %".',
    ),
]
RobustBy = Annotated[str, option("--robust-by", "WORD", "worst (case) or mean of all arms in these ranges.")]
End = Annotated[str | None, option("--end", "TIME", 'End time, e.g. "2 s".')]
Tolerance = Annotated[str | None, option("--tolerance", "LENGTH", 'Allowed error at the tip, e.g. "1 um".')]


def _setting(name: str, metavar: str, help: str) -> Any:
    return Annotated[str | None, option(name, metavar, help)]


# The settings of a run, by their names in the model file. Words are taken as they come: the model layer checks
# what is allowed.
SETTINGS: dict[str, Any] = {
    "end": End,
    "start": _setting(
        "--start",
        "WORD",
        "rest (undeformed), static (in equilibrium at rest) or steady (in equilibrium at the commanded rates).",
    ),
    "analysis": _setting(
        "--analysis",
        "WORD",
        "nonlinear (the default), linear (vibration about the rigid arm's motion) or quasi-static.",
    ),
    "stepper": _setting("--stepper", "WORD", "esdirk4 (adaptive, the default), newmark or alpha."),
    "tolerance": Tolerance,
    "step": _setting("--step", "TIME", "Fixed time step. Default: chosen from the tolerance."),
    "spectral_radius": _setting(
        "--spectral-radius",
        "NUMBER",
        "Spectral radius of alpha at high frequency: 1 keeps fast vibration, 0 removes it.",
    ),
    "output": _setting("--output", "TIME", 'Sampling interval, e.g. "1 ms". Default: end/1000.'),
    "max_steps": _setting("--max-steps", "NUMBER", "Stop after this number of steps. Default: 1e6."),
    "settling_tolerance": _setting(
        "--settling-tolerance",
        "LENGTH",
        'Also report when the tip stays within this of its target, e.g. "0.5 mm". Always reported: 1 and 0.1 mm.',
    ),
}


def _without(*names: str) -> dict[str, Any]:
    return {name: option for name, option in SETTINGS.items() if name not in names}


# A parameter with one of these annotations stands for an option for each of its settings: `output.with_exit_code`.
Words = Mapping[str, str | None]
RunSettings = Annotated[Words, SETTINGS]
SampleSettings = Annotated[Words, _without("settling_tolerance")]
TorqueSettings = Annotated[Words, _without("settling_tolerance", "analysis")]
UNCHANGED: Words = {}


# How many remarks on a robot's description a verb shows that was asked something else.
_REMARKS = 3


def arm_in(model: str) -> Arm:
    """The arm in a model file; where numbers are random, the nominal one, which is reported."""
    from flexarm.cli.output import remark

    arm, study = arm_and_study(model)
    more = len(arm.remarks) - _REMARKS
    for sentence in arm.remarks[: _REMARKS if more != 1 else None]:
        remark(f"{model}: {sentence}")
    if more > 1:
        remark(f"{model}: {more} more remarks on the description are shown by flexarm check")
    if study is not None:
        count = len(study.parameters)
        remark(f"{model}: {count} random number{' is' if count == 1 else 's are'} taken at the mean")
    return arm


def arm_and_study(model: str) -> tuple[Arm, StudyModel | None]:
    """The arm in a model file, and the study if numbers of it are random; the arm is then the nominal one."""
    from flexarm.model import HasDistributions, read_arm

    try:
        return read_arm(model), None
    except HasDistributions:
        from flexarm.studies.parameters.study_model import read_study

        study = read_study(model)
        return study.nominal, study


def with_settings(arm: Arm, model: str, words: Words) -> Arm:
    """The arm with the settings of its simulation replaced by those given on the command line."""
    given = settings_in(words, "; the file is named by --out")
    if not given:
        return arm
    try:
        return arm.changed(simulation=arm.simulation.changed(**given))
    except ModelError as error:
        # Each setting is valid, but not with the others, some of which are in the file.
        raise FlexarmError("\n".join(f"{model}: simulation: {problem.message}" for problem in error.problems)) from None


def settings_in(words: Words, output_hint: str) -> dict[str, Any]:
    """The settings of a run among the words of the command line, each sound by itself."""
    from flexarm.model import Simulation

    given: dict[str, Any] = {key: number_or_text(word) for key, word in words.items() if word is not None}
    sentences = []
    for key, value in given.items():
        try:
            Simulation(**{key: value})
        except ModelError as error:
            hint = output_hint if key == "output" and isinstance(value, str) else ""
            sentences += [f"--{_dashed(problem.message, key)}{hint}" for problem in error.problems]
    if sentences:
        raise FlexarmError("\n".join(sentences))
    return given


def read_posture(arm: Arm, words: Sequence[str] | None) -> dict[str, float]:
    """Joint coordinates (rad or m) by the names of their links."""
    posture: dict[str, float] = {}
    problems = []
    for word in words or ():
        # A name may hold an equals sign, a value may not.
        name, equals, value = (part.strip() for part in word.rpartition("="))
        if not equals or not name or not value:
            problems.append(f'--posture is "{word}", must be JOINT=VALUE such as "{_example(arm)}"')
            continue
        try:
            link = _movable(arm, name)
            if link.name in posture:
                problems.append(f'--posture: "{name}" is given twice, must be given once')
            posture[link.name] = _coordinate(link, value)
        except FlexarmError as error:
            problems.append(f"--posture: {error}")
    if problems:
        raise FlexarmError("\n".join(problems))
    return posture


def read_joints(word: str | None, free: Sequence[str] | None = None) -> Any:
    """What the joints do: "locked", "free", "servo", the names of those that are free, or None: as in the file."""
    held = None if word is None else one_of("--joints", word, ("locked", "free", "servo"))
    if not free:
        return held
    if held in ("free", "servo"):
        does = "which frees all" if held == "free" else "which closes the loops of servos"
        raise FlexarmError(f"--free is given with --joints {held}, {does}; must be given alone")
    return tuple(free)


def read_spin(words: Sequence[str] | None) -> Any:
    """The rate of the first revolute joint, or rates by joint; None if nothing spins."""
    return by_joint("--spin", words, "RATE", 'such as "wrist=8 rad/s"')


def by_joint(option: str, words: Sequence[str] | None, form: str = "VALUE", hint: str = "once per joint") -> Any:
    """One value for all joints, or values by joint; None if nothing is given."""
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return number_or_text(words[0])
    found: dict[str, float | str] = {}
    for word in words:
        # A name may hold an equals sign, a value may not.
        name, equals, value = (part.strip() for part in word.rpartition("="))
        if not equals or not name or not value:
            raise FlexarmError(f'{option} is "{word}", must be {form} alone, or JOINT={form} {hint}')
        if name in found:
            raise FlexarmError(f'{option}: "{name}" is given twice, must be given once')
        found[name] = number_or_text(value)
    return found


@contextmanager
def concerning(model: str) -> Iterator[None]:
    """Errors of an analysis are reported with their file."""
    try:
        yield
    except AnalysisError as error:
        raise AnalysisError(f"{model}: {error}") from None


def one_of(option: str, word: str, known: Sequence[str]) -> Any:
    """The word, if it is one of the option's choices."""
    if word not in known:
        from flexarm.model.reading.messages import either, meant, quoted

        raise FlexarmError(f"{option} is {quoted(word)}, must be {either(known)}{meant(word, known)}")
    return word


def number_or_text(word: str | None) -> Any:
    """A bare number as such, in SI units; a text with a unit, or None where nothing is given, as it is."""
    try:
        return None if word is None else float(word)
    except ValueError:
        return word


def _dashed(message: str, key: str) -> str:
    return key.replace("_", "-") + message.removeprefix(key)


def _movable(arm: Arm, name: str) -> Link:
    from flexarm.model.reading.messages import either, meant, quoted

    movable = {link.joint.name or link.name: link for link in arm.links if link.joint.type != "fixed"}
    found = movable.get(name) or next((link for link in movable.values() if link.name == name), None)
    if found is None:
        raise FlexarmError(f"there is no joint {quoted(name)}, must be {either(movable)}{meant(name, movable)}")
    return found


def _coordinate(link: Link, word: str) -> float:
    from flexarm.model import Joint

    try:
        return Joint(type=link.joint.type, at=number_or_text(word)).at
    except ModelError as error:
        name = link.joint.name or link.name
        raise FlexarmError(f'"{name}" {error.problems[0].message.removeprefix("at ")}') from None


def _example(arm: Arm) -> str:
    movable = [link for link in arm.links if link.joint.type != "fixed"]
    if not movable:
        return "elbow=30 deg"
    return f"{movable[0].joint.name or movable[0].name}={'30 deg' if movable[0].joint.type == 'revolute' else '0.1 m'}"


def ranges(words: Sequence[str] | None) -> dict[str, Any] | None:
    """Uncertain quantities with their ranges: a part, or two factors with dots between them."""
    if not words:
        return None
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not value:
            raise FlexarmError(f'--robust is "{word}", must be WHAT=RANGE such as "payload=10 %"')
        low, dots, high = value.partition("..")
        found[name] = (number_or_text(low), number_or_text(high)) if dots else number_or_text(value)
    return found
