"""The arm in an experiment, driven as it was when a record was taken, and what its sensors would have read (I2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from flexarm.analyses.following import smoothed, unused
from flexarm.analyses.run.integrate import settings_of
from flexarm.analyses.run.one_run import follow
from flexarm.analyses.sensors.filters import LowPass
from flexarm.analyses.sensors.true_signal import true_values
from flexarm.analyses.signals.names import signal_unit
from flexarm.analyses.signals.observed import OneObserved
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm
from flexarm.model.parts.sensor import BRIDGES, Sensor
from flexarm.model.reading.file import arm_from_dict
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.model.reading.paths import placed
from flexarm.model.reading.units import UnitError, read_unit
from flexarm.results.measured import Measured
from flexarm.studies.identify.experiments import Experiment
from flexarm.studies.identify.free import Free, stood_in

_OF_DRIVES = ("motion", "servo", "torque", "locked", "free", "rate", "delay", "start_rate")
# The model is compared with the record so many times in a period of the bandwidth.
_PER_PERIOD = 5.0
# Runs whose motion is kept: sensors are read anew from them.
_KEPT = 64


class Failed(AnalysisError):
    """A run that did not reach the end of its record."""


@final
class Twin:
    """An experiment and a record of it: predictions of its sensors for any values of the numbers to be found."""

    def __init__(
        self, data: Mapping[str, Any], nominal: Arm, experiment: Experiment, record: Measured, free: Sequence[Free]
    ) -> None:
        self.experiment, self.record, self.free = experiment, record.cut(), tuple(free)
        self.source = f"{record.name} as {quoted(experiment.name)}"
        self.sensors = {each.name: k for k, each in enumerate(nominal.sensors)}
        self._check_columns(nominal)
        every = max(1, int(1.0 / (_PER_PERIOD * experiment.bandwidth * self.record.interval) + 1e-9))
        self.nodes = self.record.time[::every]
        self._data = self._driven(data, nominal)
        self._study = stood_in(self._data, self.free, self.source)
        # a study has its parameters in the order of the file
        paths = [each.path for each in self.free]
        self._order = [] if self._study is None else [paths.index(each.paths[0]) for each in self._study.parameters]
        self.nominal = self._study.nominal if self._study is not None else arm_from_dict(self._data)
        self.measured = {sensor: self.record[column][::every] for column, sensor in experiment.outputs.items()}
        self.spread = {}
        for sensor, values in self.measured.items():
            known = values[np.isfinite(values)]
            if len(known) <= len(self.free):
                raise AnalysisError(
                    f"{self.source}: {quoted(sensor)} has {len(known)} samples, must have more than there are numbers "
                    f"to be found, {len(self.free)}"
                )
            if not known.std() > 0.0:
                raise AnalysisError(f"{self.source}: {quoted(sensor)} never changes, must change to be fitted")
            self.spread[sensor] = float(known.std())
        self._true: dict[bytes, dict[str, Floats]] = {}

    def predicted(self, values: Floats) -> dict[str, Floats]:
        """What each output sensor reads at the nodes, for these values of the numbers to be found."""
        true = self.true(values)
        return {name: self._read(name, true[name], values) for name in self.measured}

    def true(self, values: Floats) -> dict[str, Floats]:
        """The true signals of the output sensors at the nodes; a run is made where none is known yet."""
        row = np.asarray(values, dtype=float)[self._order]
        key = row.tobytes()
        if key not in self._true:
            while len(self._true) >= _KEPT:
                self._true.pop(next(iter(self._true)))
            self._true[key] = self._run(row)
        return self._true[key]

    def arm(self, values: Floats) -> Arm:
        """The arm of the experiment with these numbers."""
        return self.nominal if self._study is None else self._study.arm(np.asarray(values, dtype=float)[self._order])

    def explained(self, values: Floats) -> dict[str, float]:
        """The share of each output's variance that the model explains, over all samples of the record (I5)."""
        from scipy.interpolate import CubicSpline

        predicted, found = self.predicted(values), {}
        for column, sensor in self.experiment.outputs.items():
            y = self.record[column]
            within = np.isfinite(y) & (self.record.time <= self.nodes[-1])
            error = y[within] - CubicSpline(self.nodes, predicted[sensor])(self.record.time[within])
            found[sensor] = float(1.0 - np.sum(error**2) / np.sum((y[within] - y[within].mean()) ** 2))
        return found

    def _run(self, row: Floats) -> dict[str, Floats]:
        arm = self.nominal if self._study is None else self._study.arm(row)
        compiled = compile_arm(arm)
        run = follow(compiled, settings_of(arm.simulation), self.nodes, arm.simulation.analysis)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        if not run.ok:
            raise Failed(f"{self.source}: stopped at {run.reached:.4g} s: {run.message}; try {run.advice}")
        observed = OneObserved(compiled, run, arm.simulation.analysis)
        return {name: true_values(observed, arm.sensors[self.sensors[name]]) for name in self.measured}

    def _read(self, name: str, true: Floats, values: Floats) -> Floats:
        """Gain, bias, filter and delay; a converter's steps are left out, which have no slope."""
        sensor = self._sensor(name, values)
        gain = sensor.gain * (sensor.gauge_factor * BRIDGES[sensor.bridge] if sensor.kind == "strain" else 1.0)
        read = gain * true + sensor.bias
        if sensor.filter is not None:
            read = LowPass(sensor.filter).along(self.nodes, read)
        if sensor.delay > 0.0:
            from scipy.interpolate import CubicSpline

            late = np.maximum(self.nodes - sensor.delay, self.nodes[0])
            read = np.asarray(CubicSpline(self.nodes, read)(late))
        return read

    def _sensor(self, name: str, values: Floats) -> Sensor:
        k = self.sensors[name]
        sensor = self.nominal.sensors[k]
        for value, each in zip(values, self.free, strict=True):
            if each.observed and each.path[1] == k:
                if each.path[2] == "filter":
                    assert sensor.filter is not None
                    changed: Any = sensor.filter.model_copy(update={str(each.path[3]): float(value)})
                    sensor = sensor.model_copy(update={"filter": changed})
                else:
                    sensor = sensor.model_copy(update={str(each.path[2]): float(value)})
        return sensor

    def _check_columns(self, arm: Arm) -> None:
        """Refuse sensors that are not there, and columns in another unit than what is measured."""
        compiled: CompiledArm | None = None
        for column, name in self.experiment.columns.items():
            if name not in self.sensors:
                known = list(self.sensors)
                allowed = f"must be {either(known)}{meant(name, known)}" if known else "the arm has none"
                raise AnalysisError(
                    f"experiment {quoted(self.experiment.name)}: there is no sensor {quoted(name)}, {allowed}"
                )
            unit = self.record.units[column]
            sensor = arm.sensors[self.sensors[name]]
            if not unit:
                continue
            compiled = compile_arm(arm) if compiled is None else compiled
            wanted = signal_unit(compiled, f"{name}.measured")
            try:
                fits = read_unit(unit).dimension == read_unit(wanted).dimension
            except UnitError:
                continue  # a label of the user's own
            if not fits:
                raise AnalysisError(
                    f"{self.record.name}: {column} is in {unit}, which does not fit {quoted(sensor.name)}, which "
                    f"measures in {wanted or 'plain numbers'}"
                )
        for name in self.experiment.locked:
            arm.link(name)

    def _driven(self, data: Mapping[str, Any], arm: Arm) -> dict[str, Any]:
        """The raw model driven by the inputs of the record, from its beginning to its end."""
        links = [link.name for link in arm.links]
        joints = {k: self._joint(data, k) for k in range(len(links))}
        motions, torques = dict(data.get("motion", {})), dict(data.get("torque", {}))
        for name in self.experiment.locked:
            k = links.index(name)
            joints[k] = {**_freed(joints[k], ("scale",)), "locked": True}
        for column, name in self.experiment.columns.items():
            sensor = arm.sensors[self.sensors[name]]
            if name in self.experiment.inputs:
                factor = self._factor(arm, sensor)
                k = links.index(str(sensor.joint))
                knots, values = smoothed(self.record, column, self.experiment.bandwidth)
                table = {"kind": "table", "times": knots.tolist()}
                values = ((values - sensor.bias) * factor).tolist()
                unit = arm.links[k].joint.unit
                if sensor.kind == "encoder":
                    law = unused(motions, f"{name} measured")
                    motions[law] = {**table, "values": values, "unit": unit, "ends": "natural"}
                    joints[k] = {**_freed(joints[k], ("scale", "at")), "motion": law}
                else:
                    law = unused(torques, f"{name} measured")
                    force = "N m" if unit == "rad" else "N"
                    torques[law] = {**table, "values": values, "unit": force, "interpolation": "spline"}
                    joints[k] = {**_freed(joints[k], ()), "torque": law}
        # a joint that is free to move begins where its encoder has it
        for column, name in self.experiment.outputs.items():
            sensor = arm.sensors[self.sensors[name]]
            if sensor.kind == "encoder" and "torque" in joints[links.index(str(sensor.joint))]:
                first = self.record[column][np.isfinite(self.record[column])][0]
                k = links.index(str(sensor.joint))
                joints[k] = {**joints[k], "at": float((first - sensor.bias) * self._factor(arm, sensor))}
        simulation = dict(data.get("simulation", {}))
        end = float(self.nodes[-1])
        simulation |= {"end": end, "output": end}
        if self.experiment.start is not None:
            simulation["start"] = self.experiment.start
        entries: list[tuple[Any, Any]] = [(("link", k, "joint"), joint) for k, joint in joints.items()]
        entries += [((key,), table) for key, table in (("motion", motions), ("torque", torques)) if table]
        return placed(data, [*entries, (("simulation",), simulation)])

    def _joint(self, data: Mapping[str, Any], k: int) -> dict[str, Any]:
        joint = data["link"][k].get("joint")
        if not isinstance(joint, Mapping):
            raise AnalysisError(f"link[{k}].joint must be a table of the model file for records to drive it")
        return dict(joint)

    def _factor(self, arm: Arm, sensor: Sensor) -> float:
        """What a reading less its bias is multiplied with to give a coordinate, or a torque or force, of a joint."""
        if sensor.kind not in ("encoder", "torque", "current") or sensor.joint is None:
            raise AnalysisError(
                f"experiment {quoted(self.experiment.name)}: {quoted(sensor.name)} is of kind {quoted(sensor.kind)}, "
                "an input must be an encoder, a torque or a current"
            )
        if sensor.filter is not None or sensor.gain == 0.0:
            raise FlexarmError(f"sensor {quoted(sensor.name)} has a filter or no gain, must have none to be an input")
        motor = arm.link(sensor.joint).joint.motor
        ratio = 1.0 if motor is None else motor.gear_ratio
        if sensor.kind == "encoder":
            return 1.0 / (sensor.gain * (ratio if sensor.before_gear else 1.0))
        constant = sensor.torque_constant if sensor.kind == "current" else None
        return (1.0 if constant is None else constant * ratio) / sensor.gain


def _freed(joint: Mapping[str, Any], more: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in joint.items() if key not in (*_OF_DRIVES, *more)}
