"""Sensors: what is measured of an arm, by what, and what an amplifier and a converter make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake, either, meant, number, quoted
from flexarm.model.reading.quantity import Quantity
from flexarm.model.reading.readers import Count, Name, OneOf, Switch

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

KINDS = ("encoder", "strain", "accelerometer", "gyroscope", "tracker", "torque", "current", "signal")
# What each kind measures is named by one of these keys; kinds of points measure the tip if none is named.
_OF = {
    **dict.fromkeys(("encoder", "torque", "current"), "joint"),
    **dict.fromkeys(("accelerometer", "gyroscope", "tracker"), "point"),
    "strain": "gauge",
    "signal": "of",
}
# Keys that belong to some kinds alone.
_ONLY = {
    "axis": ("accelerometer", "gyroscope", "tracker"),
    "lines": ("encoder",),
    "before_gear": ("encoder",),
    "gauge_factor": ("strain",),
    "bridge": ("strain",),
    "torque_constant": ("current",),
}
# Output of a bridge for its supply: the part of gauge factor × strain.
BRIDGES = {"quarter": 0.25, "half": 0.5, "full": 1.0}


class Filter(Part):
    """An analog low-pass filter of unit gain at rest."""

    always_written = ("frequency",)

    frequency: Annotated[float, Quantity("Hz", above=0)] = Field(description="of its corner")
    order: Annotated[int, Count(1, 8)] = Field(2, description="1; 2 with a damping ratio; above 2 a Butterworth filter")
    ratio: Annotated[float | None, Quantity("", above=0, optional=True)] = Field(
        None, description="damping ratio of a filter of order 2; default: 0.7071, a Butterworth filter"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """A ratio where there is no pair of poles of its own."""
        if raw.get("ratio") is not None and raw.get("order", 2) != 2:
            yield (), "ratio is given, must be given with order = 2 alone"


class Sensor(Part):
    """A sensor: true signal × gain + bias, filtered, sampled with noise, limited, rounded, late."""

    always_written = ("name", "kind")

    name: Annotated[str, Name()]
    kind: Annotated[
        Literal["encoder", "strain", "accelerometer", "gyroscope", "tracker", "torque", "current", "signal"],
        OneOf(*KINDS),
    ]
    joint: Annotated[str | None, Name(optional=True)] = Field(
        None, description="link whose joint an encoder, torque or current sensor is on"
    )
    gauge: Annotated[str | None, Name(optional=True)] = Field(None, description="gauge of a strain sensor")
    point: Annotated[str | None, Name(optional=True)] = Field(
        None, description="where an accelerometer, gyroscope or tracker is; default: the tip"
    )
    axis: Annotated[Literal["x", "y", "z"] | None, OneOf("x", "y", "z", optional=True)] = Field(
        None, description="of the section at the point; of a tracker: of the base frame"
    )
    of: Annotated[str | None, Name(optional=True)] = Field(None, description='any signal, such as "tip.across"')
    lines: Annotated[int | None, Count(1, 10**9)] = Field(
        None, description="of an encoder a turn (a metre, if it slides); it counts four edges of each"
    )
    before_gear: Annotated[bool, Switch()] = Field(False, description="the encoder is on the motor's shaft")
    gauge_factor: Annotated[float, Quantity("", above=0)] = Field(2.0, description="of the strain gauge")
    bridge: Annotated[Literal["quarter", "half", "full"], OneOf(*BRIDGES)] = Field(
        "quarter", description="active arms: output is gauge factor × strain × 1/4, 1/2 or 1 of the supply"
    )
    torque_constant: Annotated[float | None, Quantity("N m/A", above=0, optional=True)] = Field(
        None, description="of the motor: its torque, at the motor's shaft, for a current"
    )
    gain: Annotated[float, Quantity("")] = Field(1.0, description="measured over true, in SI units")
    bias: Annotated[float, Quantity("")] = Field(0.0, description="added behind the gain, in the unit measured")
    unit: Annotated[str | None, Name(optional=True)] = Field(
        None, description="of what is measured, a label; default: that of the true signal"
    )
    filter: Filter | None = Field(None, description="analog low-pass filter in front of the converter")
    rate: Annotated[float | None, Quantity("Hz", above=0, optional=True)] = Field(
        None, description="samples a second, each held until the next; default: continuous"
    )
    delay: Annotated[float, Quantity("s", least=0)] = Field(0.0, description="from the signal to what is read")
    range: Annotated[float | None, Quantity("", above=0, optional=True)] = Field(
        None, description="greatest size that can be measured, in the unit measured"
    )
    bits: Annotated[int | None, Count(1, 64)] = Field(None, description="of the converter, over the range ±range")
    noise: Annotated[float, Quantity("", least=0)] = Field(
        0.0, description="standard deviation of each sample, in the unit measured"
    )
    seed: Annotated[int, Count(0, 2**63 - 1)] = Field(0, description="of the noise")

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Keys that mean nothing with the others."""
        kind = raw.get("kind")
        if kind not in KINDS:
            return
        wanted = _OF[kind]
        if wanted != "point" and raw.get(wanted) is None:
            yield (), f"{wanted} is missing, must be given for a sensor of kind {quoted(kind)}"
        for key in dict.fromkeys(_OF.values()):
            if key != wanted and raw.get(key) is not None:
                kinds = [each for each in KINDS if _OF[each] == key]
                yield (), f"{key} is given, must be given with kind {either(kinds)} alone"
        for key, kinds_of_key in _ONLY.items():
            if raw.get(key) is not None and raw.get(key) is not False and kind not in kinds_of_key:
                yield (), f"{key} is given, must be given with kind {either(list(kinds_of_key))} alone"
        if kind in _ONLY["axis"] and raw.get("axis") is None:
            yield (), f"axis is missing, must be given for a sensor of kind {quoted(kind)}"
        if kind == "current" and raw.get("torque_constant") is None:
            yield (), 'torque_constant is missing, must be given, such as "0.1 N m/A"'
        if raw.get("bits") is not None and raw.get("range") is None:
            yield (), "bits is given, must be given with range"
        if raw.get("bits") is not None and raw.get("lines") is not None:
            yield (), "bits is given with lines, must be left out: an encoder counts its lines"
        noise = raw.get("noise")
        if noise is not None and noise != 0 and raw.get("rate") is None:
            yield (), "noise is given, must be given with rate: noise belongs to samples"

    @property
    def words(self) -> tuple[str, str]:
        """The names of its two signals: the true one, and what is measured of it."""
        return f"{self.name}.true", f"{self.name}.measured"


def source_of(sensor: Sensor) -> str | None:
    """The signal of the list that a sensor measures, as it is or with a factor; None if it is none of them."""
    return {
        "strain": f"{sensor.gauge}.strain",
        "tracker": f"{sensor.point or 'tip'}.{sensor.axis}",
        "encoder": f"{sensor.joint}.position",
        "torque": f"{sensor.joint}.torque",
        "current": f"{sensor.joint}.torque",
        "signal": sensor.of,
    }.get(sensor.kind)


def true_unit(arm: Arm, sensor: Sensor, of_source: str) -> str:
    """The SI unit of the true signal; `of_source` is that of the signal it is measured from."""
    if sensor.kind == "current":
        return "A"
    if sensor.kind == "encoder" and sensor.before_gear:
        return "rad"
    return {"accelerometer": "m/s²", "gyroscope": "rad/s"}.get(sensor.kind, of_source)


def sensor_mistakes(arm: Arm) -> Iterable[Mistake]:
    """Sensors on what is not there, or on what cannot be measured so."""
    points = [point.name for point in arm.observed]
    for i, sensor in enumerate(arm.sensors):
        place = ("sensor", i)
        if sensor.joint is not None:
            names = [link.name for link in arm.links if link.joint.unit]
            if sensor.joint not in names:
                allowed = f"the name of a link with a joint that moves{meant(sensor.joint, names)}"
                yield place, f"joint is {quoted(sensor.joint)}, must be {allowed}"
                continue
            motor = arm.link(sensor.joint).joint.motor
            if (sensor.before_gear or sensor.kind == "current") and motor is None:
                what = "before_gear is given" if sensor.before_gear else 'kind is "current"'
                yield place, f"{what}, must be on a joint with a motor: its gear_ratio is needed"
        gauges = [gauge.name for gauge in arm.gauges]
        if sensor.gauge is not None and sensor.gauge not in gauges:
            yield (
                place,
                f"gauge is {quoted(sensor.gauge)}, must be the name of a [[gauge]]{meant(sensor.gauge, gauges)}",
            )
        if sensor.point is not None and sensor.point not in points:
            yield place, f"point is {quoted(sensor.point)}, must be {either(points)}{meant(sensor.point, points)}"
        if sensor.of is not None and sensor.of.endswith((".measured", ".true")):
            yield place, f"of is {quoted(sensor.of)}, must be a signal of the arm and not of a sensor"
        if arm.planar and sensor.kind == "gyroscope" and sensor.axis != "z":
            yield (
                place,
                f'axis is {quoted(sensor.axis or "")}, must be "z" in a planar arm: it turns about nothing else',
            )
        end = arm.simulation.end
        if end is not None and sensor.rate is not None and sensor.rate * end > 1e8:
            yield place, f"rate is {number(sensor.rate)} Hz, must make at most 1e8 samples until the end of the run"
