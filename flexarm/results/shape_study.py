"""Commands for one move side by side: what each leaves of the vibration, what it takes and what it asks for."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.results.beam_models import reports_beams
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, drawn_by, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm

# Samples a time table may have.
MOST_SAMPLES = 2_000_000


@final
@dataclass(frozen=True)
class RingingMode:
    """A pole of the closed loop where the move stops, and how far the tip swings by it after the unshaped command (m).

    A real pole does not ring: its frequency is 0, its damping ratio 1, and its `decay` is how fast it creeps.
    """

    number: int
    name: str
    frequency_hz: float
    damping_ratio: float
    swing: float
    shaped: bool  # True if commands are shaped for it
    decay: float = 0.0  # −Re λ (1/s)


@final
@dataclass(frozen=True)
class CommandRow:
    """One command; SI units, None where nothing is known."""

    name: str
    kind: str  # "unshaped", "shaper", "law", "optimum"
    status: str = "ok"  # "refused", "stopped" (the run), "not found"
    reason: str | None = None
    duration: float | None = None
    residual: float | None = None  # range of the tip after the longest command's end, along its worst axis
    ratio: float | None = None  # to the residual of the unshaped command
    residual_axes: tuple[float, float, float] | None = None  # x, y, z of the tip's frame at the stop
    residual_energy: float | None = None
    peak_deflection: float | None = None
    peak_torque: Mapping[str, float] = field(default_factory=dict)
    peak_rate: Mapping[str, float] = field(default_factory=dict)
    sensitivity: tuple[float | None, ...] = ()  # residuals with all frequencies shifted
    uncertain: tuple[float, ...] = ()  # residuals of the arms that may be
    robust: float | None = None  # the worst of these, or their mean
    settled: float | None = None  # when the tip is within the distance of its target for good (s); None: not in time
    robust_settled: float | None = None  # the same of the last of the arms that may be
    beyond: tuple[str, ...] = ()  # which bounds it breaks, in words
    impulses: tuple[tuple[float, float], ...] | None = None

    @property
    def within(self) -> bool:
        """True if it runs and breaks no bound."""
        return self.status == "ok" and not self.beyond


@final
@reports_beams
@dataclass(frozen=True, eq=False)
class ShapeStudy(Result):
    """Commands for one move, the unshaped first; lengths in m, times in s, torques in N m or N."""

    arm_name: str
    modes: tuple[RingingMode, ...]
    joints: Mapping[str, str]  # commanded joints and the units of their coordinates
    shifts: tuple[float, ...]  # of all frequencies, as parts
    rows: tuple[CommandRow, ...]
    chosen: int | None
    target: float
    bounds: Mapping[str, Any]
    window: float
    advice: str
    notes: tuple[str, ...]
    wanted: int
    counted_from: float = 0.0  # s, the end of the longest command: residuals of all count from here on
    within: float = 1e-3  # m, to which settling counts
    about: str = "target"  # what it counts from; "equilibrium" where the arm rests elsewhere
    uncertain: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # factors of what is not known
    choose: str | None = None  # "worst" or "mean" of the arms that may be
    arms_that_may_be: tuple[str, ...] = ()  # in words
    options: Mapping[str, Any] = field(default_factory=dict)  # what was asked for, defaults filled in
    arms: "Mapping[str, Arm]" = field(default_factory=dict, repr=False)
    studied: "Arm | None" = field(default=None, repr=False)  # with the command of its file
    given: "Arm | None" = field(default=None, repr=False)  # as it came, where its servos were left out
    joint_states: Mapping[str, str] = field(default_factory=dict)  # "locked" (on its command), "free", "servo"

    @property
    def complete(self) -> bool:
        """True if every command that was wanted has its row."""
        return len(self.rows) >= self.wanted

    @property
    def best(self) -> CommandRow | None:
        """The row that is recommended; None if the unshaped command arrives first or nothing is better than it."""
        return None if self.chosen is None else self.rows[self.chosen]

    def row(self, name: str) -> CommandRow:
        """The row of a command."""
        for row in self.rows:
            if row.name == name:
                return row
        from flexarm.model.reading.messages import either, meant, quoted

        known = [row.name for row in self.rows]
        raise AnalysisError(f"there is no command {quoted(name)}, must be {either(known)}{meant(name, known)}")

    def arm(self, name: str | None = None) -> "Arm":
        """The arm with a command in place, ready to be simulated or written; the recommended one unless named."""
        if name is None:
            if self.best is None:
                raise AnalysisError("no command is recommended, must be named")
            name = self.best.name
        row = self.row(name)
        if name not in self.arms:
            raise AnalysisError(f'the command "{name}" is {row.status}: {row.reason}')
        found, given = self.arms[name], self.given
        if given is None:
            return found
        # judged with its joints on the command: what is written has its servos again
        kept = ("servo", "torque", "scale", "delay", "start_rate", "locked", "free")
        links = []
        for link in found.links:
            old = given.link(link.name).joint
            if old.drive != link.joint.drive:
                names = ("servo",) if old.drive == "servo" else kept
                link = link.changed(joint=link.joint.changed(**{key: getattr(old, key) for key in names}))
            links.append(link)
        return found.changed(links=tuple(links))

    def laws(self, name: str | None = None) -> dict[str, Any]:
        """The motion laws of a command as a model file has them, by name."""
        from flexarm.model import part_to_dict

        arm = self.arm(name)
        found: dict[str, Any] = {}
        pending = [link.joint.motion for link in arm.links if link.name in self.joints]
        while pending:
            here = pending.pop(0)
            if here is not None and here not in found:
                found[here] = part_to_dict(arm.motions[here])
                of = found[here].get("of", [])
                pending += [of] if isinstance(of, str) else of
        return found

    def time_table(self, name: str | None = None, interval: float = 1e-3) -> str:
        """CSV for a controller: time and, of every commanded joint, position, rate and acceleration until the stop."""
        if not (np.isfinite(interval) and interval > 0.0):
            raise AnalysisError(f"interval is {interval:.6g} s, must be > 0")
        arm = self.arm(name)
        laws = {joint: law for joint in self.joints if (law := arm.motion_of(joint)) is not None}
        stop = max(float(law.break_times[-1]) for law in laws.values())
        if stop / interval > MOST_SAMPLES:
            raise AnalysisError(
                f"interval is {interval:.3g} s, which makes {stop / interval:.3g} lines, must be ≥ "
                f"{stop / MOST_SAMPLES:.3g} s"
            )
        # the last line is the first at rest
        times = interval * np.arange(int(np.ceil(stop / interval - 1e-9)) + 1)
        columns, heads = [times], ["time_s"]
        for joint, law in laws.items():
            unit = self.joints[joint]
            columns += [*law.evaluate(times)]
            heads += [f"{joint}_{unit}", f"{joint}_{unit}/s", f"{joint}_{unit}/s^2"]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows([f"{value + 0.0:.12g}" for value in line] for line in np.array(columns).T)
        return text.getvalue()

    def summary(self) -> str:
        """The table and what to take, in plain text."""
        from flexarm.results.shape_summary import format_summary

        return format_summary(self)

    def __repr__(self) -> str:
        best = f", take {self.best.name}" if self.best is not None else ""
        return f"<ShapeStudy of {self.arm_name}: {len(self.rows)} commands{best}>"

    def to_dict(self) -> dict[str, Any]:
        """Everything in JSON's types; the laws of every command as a model file has them."""
        table = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("arms", "studied")}
        table["rows"] = [
            {**asdict(row), "within": row.within, "laws": self.laws(row.name) if row.name in self.arms else None}
            for row in self.rows
        ]
        table["modes"] = [asdict(mode) for mode in self.modes]
        best = self.best
        return jsonable({**table, "chosen": None if best is None else best.name, "complete": self.complete})

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and runs of the unshaped and the recommended command as `motions`."""
        motions = drawn_by("shaping.motions", "shape_motions", self)
        return self.to_dict() | {"motions": motions} | made_from(self.studied)

    def to_csv(self) -> str:
        """One line per command, SI units; empty where nothing is known."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        heads = ["command", "kind", "status", "duration_s", "settled_s", "residual_m", "ratio"]
        heads += ["residual_x_m", "residual_y_m", "residual_z_m", "residual_energy_j", "peak_deflection_m"]
        heads += [f"peak_torque_{joint}_{torque_unit(unit)}" for joint, unit in self.joints.items()]
        heads += [f"residual_at_{shift:+.0%}_m" for shift in self.shifts]
        heads += [f"residual_{self.choose}_m", "settled_all_s"] if self.choose is not None else []
        writer.writerow([*heads, "within_bounds", "reason"])
        for row in self.rows:
            cells: Sequence[Any] = [
                *(row.name, row.kind, row.status, row.duration, row.settled, row.residual, row.ratio),
                *(row.residual_axes or (None, None, None)),
                *(row.residual_energy, row.peak_deflection),
                *(row.peak_torque.get(joint) for joint in self.joints),
                *(row.sensitivity or (None,) * len(self.shifts)),
                *((row.robust, row.robust_settled) if self.choose is not None else ()),
                *(row.within, row.reason or "; ".join(row.beyond)),
            ]
            writer.writerow(["" if cell is None else cell for cell in cells])
        return text.getvalue()


def torque_unit(unit: str) -> str:
    """The unit of what drives a joint whose coordinate has the unit: N m for rad, N for m."""
    return "N m" if unit == "rad" else "N"
