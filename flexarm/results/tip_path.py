"""A path of a point: where its joints go, and where the bent arm has the point then."""

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.results.catalogue import AXES
from flexarm.results.engineering import aligned, digits, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.mean import root_mean_square
from flexarm.results.records import frozen_array
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm

WORDS = {"sag": "sag", "deflection": "quasi-static deflection"}


@final
@dataclass(frozen=True, eq=False)
class TipPath(Result):
    """The joints along a path of a point; SI units, base frame.

    At the times `time` (n,): `along` the path (m), the `target` (n, 3), and the coordinates (n, joints) of the joints,
    `rigid` with nothing compensated and `commanded` with sag or deflection compensated. At the times `seen` (m,): where
    the bent arm has the point with the joints of the rigid arm, `bent_rigid`, and compensated, `bent`, and its distance
    from the path (m), `before` and `after`; where the orientation is `held` half the arm's reach times the angle
    counts too. `deviation` is how far the rigid arm is from the path between knots (m).
    """

    motion: str
    point: str
    compensated: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    time: np.ndarray
    along: np.ndarray
    target: np.ndarray
    rigid: np.ndarray
    commanded: np.ndarray
    seen: np.ndarray
    bent_rigid: np.ndarray
    bent: np.ndarray
    before: np.ndarray
    after: np.ndarray
    deviation: float
    held: bool
    knots: np.ndarray = field(repr=False)
    at_knots: np.ndarray = field(repr=False)
    arm_name: str = "arm"
    remarks: tuple[str, ...] = ()
    arm: "Arm | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        n, m, joints = len(self.time), len(self.seen), len(self.joints)
        shapes = {"target": (n, 3), "rigid": (n, joints), "commanded": (n, joints)}
        shapes |= {"bent_rigid": (m, 3), "bent": (m, 3)}
        for name, shape in shapes.items():
            object.__setattr__(self, name, frozen_array(getattr(self, name), shape, name))

    @property
    def correction(self) -> np.ndarray:
        """What the joints are moved by beyond those of the rigid arm (n, joints), rad or m."""
        return np.asarray(self.commanded - self.rigid)

    def commanded_arm(self) -> "Arm":
        """The arm with a table of its own for every joint instead of the path, compensated as here."""
        if self.arm is None:
            raise AnalysisError("this result knows no arm, so there is none to command")
        from flexarm.model.laws.motion import MotionTable

        arm, motions, links = self.arm, dict(self.arm.motions), []
        direct = {link.name for link in arm.links if link.joint.motion == self.motion}
        others = [joint for joint in self.joints if joint not in direct]
        if others:
            raise AnalysisError(
                f'the joint "{others[0]}" follows "{self.motion}" within another law, must follow it directly'
            )
        del motions[self.motion]
        for link in arm.links:
            if link.name in self.joints:
                k, name = self.joints.index(link.name), f"{self.motion}: {link.name}"
                values = (self.at_knots[:, k] - link.joint.at).tolist()
                motions[name] = MotionTable(times=self.knots.tolist(), values=values, unit=self.units[k])
                link = link.changed(joint=link.joint.changed(motion=name))
            links.append(link)
        return arm.changed(motions=motions, links=links)

    def summary(self) -> str:
        """How far the bent arm is from its path, and what the joints do, in plain text."""
        duration = float(self.knots[-1] - self.knots[0])
        led = " and ".join([", ".join(self.joints[:-1]), self.joints[-1]]) if len(self.joints) > 1 else self.joints[0]
        head = f'{self.arm_name}: {self.point} along "{self.motion}", {quantity(float(self.along[-1]), "m")} in '
        head += f"{quantity(duration, 's')}, led by {led}"
        words = "position and orientation" if self.held else "position"
        rows = [[f"the bent arm's {words}", "greatest distance", "at", "mean square root"]]
        for title, values in (
            ("as the rigid arm", self.before),
            (f"{WORDS[self.compensated]} compensated", self.after),
        ):
            k = int(np.argmax(values))
            when = quantity(float(self.seen[k]), "s")
            rows.append(
                [title, quantity(float(values[k]), "m"), when, quantity(root_mean_square(self.seen, values), "m")]
            )
        moves = [["joint", "from", "to", "fastest", "correction up to"]]
        rates = np.gradient(self.at_knots, self.knots, axis=0)
        for k, (joint, unit) in enumerate(zip(self.joints, self.units, strict=True)):
            ends = [_coordinate(float(self.commanded[i, k]), unit) for i in (0, -1)]
            fastest = float(np.max(np.abs(rates[:, k])))
            shift = float(np.max(np.abs(self.correction[:, k])))
            moves.append([joint, *ends, f"{_coordinate(fastest, unit)}/s", _coordinate(shift, unit)])
        lines = [head, "", aligned(rows, right=(1, 2, 3)), "", aligned(moves, right=(1, 2, 3, 4))]
        lines += ["", f"  the rigid arm keeps to its path within {quantity(self.deviation, 'm', 2)}"]
        return "\n".join([*lines, *(f"  {remark}" for remark in self.remarks)])

    def to_dict(self) -> dict[str, Any]:
        """The table and what was found, in JSON's types."""
        return jsonable(
            {
                "arm": self.arm_name,
                "motion": self.motion,
                "point": self.point,
                "compensated": self.compensated,
                "held": self.held,
                "joints": self.joints,
                "units": self.units,
                "time": self.time,
                "along_m": self.along,
                "target": self.target,
                "rigid": self.rigid,
                "commanded": self.commanded,
                "seen": self.seen,
                "bent_rigid": self.bent_rigid,
                "bent": self.bent,
                "before_m": self.before,
                "after_m": self.after,
                "deviation_m": self.deviation,
                "remarks": list(self.remarks),
            }
        )

    def to_csv(self) -> str:
        """The calibration table: a line for every time, SI units."""
        heads = ["time [s]", "along [m]", *(f"target {axis} [m]" for axis in AXES)]
        columns = [self.time, self.along, *self.target.T]
        for title, table in (("", self.commanded), (" rigid", self.rigid), (" correction", self.correction)):
            heads += [f"{joint}{title} [{unit}]" for joint, unit in zip(self.joints, self.units, strict=True)]
            columns += list(table.T)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(np.column_stack(columns).tolist())
        return text.getvalue()

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict` and the model file."""
        return self.to_dict() | made_from(self.arm)


def _coordinate(value: float, unit: str) -> str:
    return f"{digits(float(np.degrees(value)))}°" if unit == "rad" else quantity(value, unit)
