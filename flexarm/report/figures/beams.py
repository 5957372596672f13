"""The figures of a run along its beams: deflections, moments, curvatures, strains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.report.arm.stress import section_strain
from flexarm.report.figures.over_time import TIME, switch_rule
from flexarm.report.page import Axis, Band, Figure, Line, Mark, Moving, Paragraphs, largest
from flexarm.results import Trajectory
from flexarm.results.engineering import percent, quantity

if TYPE_CHECKING:
    from flexarm.model import Arm

STRAIN = "strain"  # made here from curvatures
_MICRO: dict[str, Any] = {"shown": "µm/m", "factor": 1e-6}
# Of a station's quantities those that are shown, with a title each.
_STATIONS = {
    "moment_z": ("Moment about z", "bending moment", "N m"),
    "moment_y": ("Moment about y", "bending moment", "N m"),
    "curvature_z": ("Curvature about z", "curvature", "1/m"),
    "curvature_y": ("Curvature about y", "curvature", "1/m"),
    STRAIN: ("Bending strain", "largest strain of the section", ""),
    "torque_x": ("Torsional moment", "torsional moment", "N m"),
    "twist": ("Twist", "twist per length", "rad/m"),
    "force_x": ("Axial force", "axial force", "N"),
    "shear_y": ("Shear force along y", "shear force", "N"),
    "shear_z": ("Shear force along z", "shear force", "N"),
}


def deflection_along(run: Trajectory) -> list[Figure]:
    """The deflection across every link that bends, at the clock's time, inside what it was at any time."""
    if "line_deflection" not in run.variables:
        return []
    owner, distances = run.labels("line_link"), run.values("line_distance")
    deflections, times = run.values("line_deflection"), run.values("frame_time")
    corner_of = {int(point): k for k, point in enumerate(np.flatnonzero(run.values("line_corner")))}
    arm = _arm(run)
    found = []
    for name in dict.fromkeys(owner):
        where = [j for j, link in enumerate(owner) if link == name]
        if len(where) < 5:
            continue
        place = _place(run, arm, name)
        # the longest straight piece of the unbent link is its beam
        ends = [corner_of[j] for j in where if j in corner_of]
        corners = run.values("line_corner_position")[:, ends].astype(float)
        pieces = np.diff(corners, axis=1)
        beam = pieces[:, int(np.argmax(np.linalg.norm(pieces, axis=2).max(axis=0)))]
        marks: list[Mark] = []
        for k, (across, direction) in enumerate(_across(beam).items()):
            values = np.einsum("fpr,fr->fp", deflections[:, where], direction)
            if not largest(values) > 1e-6 * largest(deflections):
                continue
            x = place.along(distances[where])
            marks.append(Band(f"{across}, all times", x, values.min(axis=0), values.max(axis=0), colour=k))
            marks.append(Moving(f"{across}, now", x, values, times, colour=k))
        if marks:
            axes = place.axis(distances[where]), Axis("deflection", "m")
            words = f"Across the unbent link; follows the clock.{place.words}"
            found.append(Figure(f"Deflection along {name}", *axes, marks, words))
    return found


def _across(beam: np.ndarray) -> dict[str, np.ndarray]:
    """Unit vectors (frames, 3) across a direction (frames, 3): level and upward unless it is upright at some time."""
    length = np.linalg.norm(beam, axis=1, keepdims=True)
    along = beam / np.where(length > 0.0, length, 1.0)
    upright = float(np.abs(along[:, 2]).max()) > 0.95
    reference = np.eye(3)[int(np.argmin(np.abs(along).max(axis=0)))] if upright else np.array([0.0, 0.0, 1.0])
    level = np.cross(reference, along)
    level /= np.maximum(np.linalg.norm(level, axis=1, keepdims=True), 1e-12)
    names = ("one way", "the other way") if upright else ("sideways", "upward")
    return dict(zip(names, (level, np.cross(along, level)), strict=True))


def stations(run: Trajectory) -> list[Figure | Paragraphs]:
    """Moments, curvatures and strains along the beams at the clock's time inside their envelope, and the largest over
    time; a word where the strain is not known.
    """
    links, positions = run.labels("station_link"), run.labels("station") and run.values("station_position")
    found: list[Figure | Paragraphs] = []
    arm = _arm(run)
    strain, unknown = bending_strain(run, arm)
    for name, (title, label, unit) in _STATIONS.items():
        every = strain if name == STRAIN else run.values(name) if name in run.variables else None
        if every is None or not largest(every) > 0.0:
            continue
        for link in dict.fromkeys(links):
            where = np.flatnonzero([each == link for each in links])
            values = every[:, where]
            known = np.isfinite(values).any(axis=0)
            if not known.any():
                continue
            where, values = where[known], values[:, known]
            order = np.argsort(positions[where], kind="stable")
            where, values = where[order], values[:, order]
            of = f" in {link}" if len(set(links)) > 1 else ""
            place, axis = _place(run, arm, link), Axis(label, unit, **(_MICRO if name == STRAIN else {}))
            if len(where) > 1:
                found.append(_along_beam(run, f"{title}{of}", axis, place, positions[where], values))
            found.append(_at_worst(run, f"{title}{of}", axis, place, positions[where], values))
    return [*found, *([Paragraphs(unknown)] if found and unknown else [])]


def _along_beam(
    run: Trajectory, title: str, axis: Axis, place: _Place, distances: np.ndarray, values: np.ndarray
) -> Figure:
    """A quantity along a beam, now and at all times."""
    x = place.along(distances)
    marks: list[Mark] = [Band("all times", x, np.nanmin(values, axis=0), np.nanmax(values, axis=0), colour=0)]
    marks.append(Moving("now", x, values, run.time, colour=0))
    words = f"Follows the clock.{place.words}"
    return Figure(f"{title} along the beam", place.axis(distances), axis, marks, words)


def _at_worst(
    run: Trajectory, title: str, axis: Axis, place: _Place, distances: np.ndarray, values: np.ndarray
) -> Figure:
    """The same quantity over time where it is largest."""
    worst = int(np.nanargmax(np.nanmax(np.abs(values), axis=0)))
    line = Line(axis.label, run.time, values[:, worst], colour=0)
    words = "Over time where it is largest." if len(distances) > 1 else ""
    at = f"{title} at {place.text(float(distances[worst]))}"
    return Figure(at, TIME, axis, [line, *switch_rule(run)], words, clock=True)


def bending_strain(run: Trajectory, arm: Arm | None) -> tuple[np.ndarray | None, list[str]]:
    """The largest strain (times, stations) that bending makes anywhere in the section, and sentences about beams whose
    sections are not known.

    Of both planes together: at the corner of a rectangle they add, round the rim of a circle as at right angles.
    Without the strain of the axial force, which is the same in the whole section.
    """
    curvatures = [run.values(name) if name in run.variables else None for name in ("curvature_y", "curvature_z")]
    known = [each for each in curvatures if each is not None]
    links = run.labels("station_link")
    if not known or arm is None:
        return None, []
    # a plane in which the arm does not bend has no curvatures
    about_y, about_z = (np.zeros_like(known[0]) if each is None else np.abs(each) for each in curvatures)
    found, unknown = np.full(known[0].shape, np.nan), []
    for link in dict.fromkeys(links):
        where = np.flatnonzero([each == link for each in links])
        beam = arm.link(link).beam
        ends = [] if beam is None else [each.section for _, each in beam.stations]
        sections = [section for section in ends if section is not None]
        reaches = [section.reach for section in sections if section.reach is not None]
        if not reaches:
            why = "its section is given by its moments" if sections else "its stiffness is given, not its section"
            unknown.append(f"The strain of {link} is not known: {why}, so the distance of its outer fibre is missing.")
            continue
        at = _fractions(run, arm, link, run.values("station_position")[where])
        found[:, where] = section_strain(arm.link(link), at, about_y[:, where], about_z[:, where])
    return (found if np.isfinite(found).any() else None), unknown


def _fractions(run: Trajectory, arm: Arm, link: str, distances: np.ndarray) -> np.ndarray:
    """Which part of the way from the beam's base to its tip stations are at, (stations) or over time too: what is
    outside a sleeve ends at the tip.
    """
    length = arm.link(link).length
    if not arm.link(link).joint.sleeve:
        return distances / length
    outside = run.values("joint_position")[:, [run.labels("joint").index(link)]]
    return 1.0 - (1.0 - distances / length) * outside / length


class _Place:
    """Positions along a link: by their distance, or where the link slides out of a sleeve by their part of
    what is outside, for that is what stations keep.
    """

    def __init__(self, length: float | None = None, outside: np.ndarray | None = None) -> None:
        self._length = length
        self.words = ""
        if outside is not None and outside.size:
            ends = [quantity(float(end), "m", 3) for end in (np.nanmin(outside), np.nanmax(outside))]
            self.words = f" The part outside the sleeve is {' to '.join(dict.fromkeys(ends))} long."

    def along(self, distances: np.ndarray) -> np.ndarray:
        """Where the distances stand on the axis."""
        return distances if self._length is None else distances / self._length

    def axis(self, distances: np.ndarray) -> Axis:
        """The axis along the link, in metres unless it is short."""
        if self._length is not None:
            return Axis("place along the part outside the sleeve", "", shown="%", factor=0.01)
        return Axis("distance along the link", "m", shown="m" if largest(distances) >= 0.1 else None)

    def text(self, distance: float) -> str:
        """One place for the reader."""
        if self._length is None:
            return quantity(distance, "m", 3)
        if distance == 0.0:
            return "the mouth of the sleeve"
        return f"{percent(distance / self._length)} of the part outside"


def _place(run: Trajectory, arm: Arm | None, link: str) -> _Place:
    if arm is None or all(each.name != link for each in arm.links) or not arm.link(link).joint.sleeve:
        return _Place()
    outside = run.values("joint_position")[:, run.labels("joint").index(link)]
    return _Place(arm.link(link).length, outside)


def _arm(run: Trajectory) -> Arm | None:
    """The model of the run; None where it cannot be read."""
    try:
        return run.arm
    except FlexarmError:
        return None
