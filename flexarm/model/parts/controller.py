"""Controllers: laws that measure signals at sampling instants and give torques of joints, held until the next ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from flexarm.model.parts.part import Catalogue, Part
from flexarm.model.reading.matrices import Delay, Library, Matrix, MatrixFile, Names, Numbers
from flexarm.model.reading.messages import Mistake, either, meant, number, quoted
from flexarm.model.reading.quantity import Quantity
from flexarm.model.reading.readers import Count, Name, OneOf

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

KINDS = ("pid", "feedback", "state-space", "lqr", "lqg", "c")
# Keys that belong to some kinds alone.
_ONLY = {
    **dict.fromkeys(("kp", "ki", "kd", "filter_time"), ("pid",)),
    "gains": ("feedback",),
    **dict.fromkeys(("A", "B", "C", "D", "file"), ("state-space",)),
    **dict.fromkeys(("weights", "effort", "posture"), ("lqr", "lqg")),
    **dict.fromkeys(("noise", "disturbance"), ("lqg",)),
    **dict.fromkeys(("library", "symbol", "states"), ("c",)),
}
_NEEDED = {"pid": "kp", "feedback": "gains", "lqr": "weights", "lqg": "weights", "c": "library"}


class SignalFilter(Part):
    """A sampled filter of a measured signal, or of the torques."""

    always_written = ("kind", "frequency")

    kind: Annotated[Literal["low-pass", "notch"], OneOf("low-pass", "notch")]
    frequency: Annotated[float, Quantity("Hz", above=0)] = Field(description="of its corner, or of what it takes out")
    ratio: Annotated[float, Quantity("", above=0)] = Field(
        0.7, description="damping ratio; of a notch half its width as a part of its frequency"
    )
    depth: Annotated[float, Quantity("", least=0, most=1)] = Field(0.0, description="what a notch lets through")
    of: Annotated[str | None, Name(optional=True)] = Field(
        None, description="one of the inputs; default: all torques of the controller"
    )


class Schedule(Part):
    """Gains that depend on where a joint or any other signal is."""

    always_written = ("signal", "at")

    signal: Annotated[str, Name()] = Field(description="that the gains depend on, such as elbow.position")
    at: Annotated[tuple[float, ...], Numbers({"angle": "rad", "length": "m"})] = Field(
        description="its values, rising, between which the gains are linear"
    )
    factors: Annotated[tuple[float, ...] | None, Numbers("", optional=True)] = Field(
        None, description="of the gains there; lqr and lqg are designed for each posture instead"
    )

    def mistakes(self) -> Iterable[Mistake]:
        """Values that do not rise, or factors of another number."""
        if len(self.at) < 2 or any(b <= a for a, b in zip(self.at, self.at[1:], strict=False)):
            yield (), "at must have two rising values or more"
        if self.factors is not None and len(self.factors) != len(self.at):
            yield (), f"factors has {len(self.factors)} numbers, must have {len(self.at)} as at"


class ControllerPart(Part):
    """A sampled controller of the arm."""

    always_written = ("name", "kind", "sample")

    name: Annotated[str, Name()]
    kind: Annotated[Literal["pid", "feedback", "state-space", "lqr", "lqg", "c"], OneOf(*KINDS)]
    sample: Annotated[float, Quantity("s", above=0)] = Field(description="time between two samples")
    inputs: Annotated[tuple[str, ...] | None, Names(optional=True)] = Field(
        None, description="signals that are measured; default: positions, then rates, of the joints it pushes"
    )
    outputs: Annotated[tuple[str, ...] | None, Names(optional=True)] = Field(
        None, description="torques it gives, such as hub.torque; default: those of all driven joints"
    )
    delay: Annotated[float | str, Delay()] = Field(
        0.0, description='from measuring to the torque: a time, or samples such as "1 sample"'
    )
    limit: Annotated[float | None, Quantity({"angle": "N m", "length": "N"}, by="kind", above=0, optional=True)] = (
        Field(None, description="greatest size of each torque")
    )
    rate_limit: Annotated[float | None, Quantity("", above=0, optional=True)] = Field(
        None, description="greatest change of each torque in a second, N m/s or N/s"
    )
    jitter: Annotated[float, Quantity("s", least=0)] = Field(0.0, description="how late a sample may be at most")
    seed: Annotated[int, Count(0, 2**63 - 1)] = Field(0, description="of the jitter")
    feedforward: Annotated[Literal["none", "gravity", "rigid"], OneOf("none", "gravity", "rigid")] = Field(
        "none",
        description="torques added along the command: those that hold the rigid arm, or those that move it",
    )
    filters: tuple[SignalFilter, ...] = Field((), alias="filter")
    schedule: Schedule | None = None
    kp: Annotated[float | None, Quantity("", optional=True)] = Field(None, description="of a pid, N m/rad")
    ki: Annotated[float, Quantity("")] = Field(0.0, description="of a pid, N m/(rad s)")
    kd: Annotated[float, Quantity("")] = Field(0.0, description="of a pid, N m s/rad")
    filter_time: Annotated[float, Quantity("s", least=0)] = Field(
        0.0, description="of a pid: time constant of the filter of its derivative"
    )
    gains: Annotated[tuple[tuple[float, ...], ...] | None, Matrix(optional=True)] = Field(
        None, description="torque = −gains · (signal − its command): a row for each torque, a number for each input"
    )
    A: Annotated[tuple[tuple[float, ...], ...] | None, Matrix(optional=True)] = Field(
        None, description="of a state-space controller x⁺ = A x + B e, u = C x + D e, e the signals less their commands"
    )
    B: Annotated[tuple[tuple[float, ...], ...] | None, Matrix(optional=True)] = None
    C: Annotated[tuple[tuple[float, ...], ...] | None, Matrix(optional=True)] = None
    D: Annotated[tuple[tuple[float, ...], ...] | None, Matrix(optional=True)] = None
    file: Annotated[Any, MatrixFile()] = Field(
        None, description="a NumPy file (.npz) with A, B, C and D, in place of these keys"
    )
    weights: Annotated[Catalogue[float] | None, Numbers("", table=True, optional=True)] = Field(
        None, description="signals and what a unit of their square costs a second; lqr and lqg make the sum least"
    )
    effort: Annotated[float, Quantity("", above=0)] = Field(
        1.0, description="what 1 (N m)² of torque costs a second, in the same sum"
    )
    posture: Annotated[Catalogue[float], Numbers({"angle": "rad", "length": "m"}, table=True)] = Field(
        default_factory=Catalogue, description="joints where the arm is linearised; default: where they start"
    )
    noise: Annotated[Catalogue[float], Numbers("", table=True)] = Field(
        default_factory=Catalogue,
        description="inputs of an lqg and the standard deviation of each sample; default: 1e-3",
    )
    disturbance: Annotated[float, Quantity("", above=0)] = Field(
        1.0,
        description="standard deviation (N m) of the disturbances an lqg's observer expects",
    )
    library: Annotated[str | None, Library(optional=True)] = Field(
        None, description="a shared library with void SYMBOL(double t, const double *y, double *u, double *x)"
    )
    symbol: Annotated[str, Name()] = Field("law", description="the function in the library")
    states: Annotated[int, Count(0, 100_000)] = Field(0, description="how many numbers x it keeps, zero at first")

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Keys that mean nothing with the others."""
        kind = raw.get("kind")
        if kind not in KINDS:
            return
        for key, kinds in _ONLY.items():
            if (
                raw.get(key) is not None
                and kind not in kinds
                and raw[key] != cls.model_fields[key].get_default(call_default_factory=True)
            ):
                yield (), f"{key} is given, must be given with kind {either(list(kinds))} alone"
        needed = _NEEDED.get(kind)
        if needed is not None and raw.get(needed) is None:
            yield (), f"{needed} is missing, must be given for a controller of kind {quoted(kind)}"
        if kind == "state-space" and raw.get("D") is None and raw.get("file") is None:
            yield (), "D is missing, must be given, or a file with A, B, C and D"
        if raw.get("file") is not None and any(raw.get(key) is not None for key in "ABCD"):
            yield (), "file is given with matrices, must be given alone"
        if kind == "lqg" and raw.get("inputs") is None:
            yield (), "inputs is missing, must be given for the observer of an lqg"
        if kind == "lqr" and raw.get("inputs") is not None:
            yield (), "inputs is given, must be left out: an lqr knows the whole state; an lqg has an observer"
        if kind == "c" and raw.get("filter"):
            yield (), "filter is given, must be left out: the law is in the library"
        if kind == "c" and raw.get("schedule") is not None:
            yield (), "schedule is given, must be left out: the law is in the library"
        if kind == "c" and raw.get("feedforward") not in (None, "none"):
            yield (), "feedforward is given, must be left out: the law is in the library"

    def mistakes(self) -> Iterable[Mistake]:
        """Times and schedules that do not fit."""
        if self.jitter >= self.sample:
            yield (), f"jitter is {number(self.jitter)} s, must be < sample, {number(self.sample)} s"
        if self.schedule is not None:
            designed = self.kind in ("lqr", "lqg")
            if designed and self.schedule.factors is not None:
                yield ("schedule",), f"factors is given, must be left out: an {self.kind} is designed for each posture"
            if not designed and self.schedule.factors is None:
                yield ("schedule",), f"factors is missing, must be given for kind {quoted(self.kind)}"
            if designed and not self.schedule.signal.endswith(".position"):
                yield (
                    ("schedule",),
                    f"signal is {quoted(self.schedule.signal)}, must be the position of a joint for an {self.kind}",
                )

    def settle(self) -> None:
        """The matrices of a file in its place, so that a model file stands alone."""
        if self.file is not None:
            self._become(**self.file, without=("file",))


def controller_mistakes(arm: Arm) -> Iterable[Mistake]:
    """Torques of links that are not there, and torques that two controllers give."""
    names = [link.name for link in arm.links]
    taken: dict[str, str] = {}
    for i, each in enumerate(arm.controllers):
        for k, word in enumerate(each.outputs or ()):
            owner, _, what = word.rpartition(".")
            if what != "torque" or owner not in names:
                allowed = [f"{name}.torque" for name in names]
                yield (
                    ("controller", i, "outputs", k),
                    f"is {quoted(word)}, must be {either(allowed)}{meant(word, allowed)}",
                )
            elif owner in taken:
                yield (
                    ("controller", i, "outputs", k),
                    f"is {quoted(word)}, which controller {quoted(taken[owner])} gives already, must be given by one",
                )
            else:
                taken[owner] = each.name
        for k, one in enumerate(each.filters):
            if one.of is not None and one.of not in (each.inputs or ()):
                allowed = list(each.inputs or ())
                rest = either(allowed) + meant(one.of, allowed) if allowed else "one of inputs, which must be given"
                yield ("controller", i, "filter", k), f"of is {quoted(one.of)}, must be {rest}"
            if one.frequency >= 0.5 / each.sample:
                half = 0.5 / each.sample
                yield (
                    ("controller", i, "filter", k),
                    f"frequency is {number(one.frequency)} Hz, must be < half the samples a second, {number(half)} Hz",
                )
