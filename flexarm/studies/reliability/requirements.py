"""Functional requirements as data: where a point must be, how it must stand, how fast it may move, when it is at rest.

Each is one number per sample, compared with one limit: a distance (m), an angle (rad), a speed (m/s), or for boxes and
ellipses the factor by which the region would have to grow to hold the point. So the limit can be changed afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.reading.quantity import is_number
from flexarm.results.settling import ABOUT, OF, described

if TYPE_CHECKING:
    pass

NOMINAL = "nominal"
# Kind of a requirement → unit of its number.
KINDS = {
    "circle": "m",
    "sphere": "m",
    "box": "",
    "ellipse": "",
    "orientation": "rad",
    "speed": "m/s",
    "deflection": "m",
    "settled": "m",
    "settling_time": "s",
    "signal": "",
}
PLANES = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
_REGIONS = ("circle", "sphere", "box", "ellipse")


@final
@dataclass(frozen=True)
class Requirement:
    """What a point must do at some times (s), or during an interval; without either at the end of the run. SI.

    kind         limit                       further fields
    circle       radius (m)                  centre in the plane, plane = "xy"
    sphere       radius (m)                  centre
    box          1                           centre and size (m) along the base axes, of 2 or 3 entries
    ellipse      1                           centre, size = semi-axes (m), angle of the first (rad), plane
    orientation  angle (rad)                 target = (w, x, y, z), which turns the point's axes into the base's
    speed        m/s
    deflection   m, from where the rigid arm has the point
    settled      m, from its target, from `at` on to the end of the run    of, about
    settling_time  s, until it stays within a distance of its target    within (m), of, about
    signal       half the band (SI)          signal, band = (least, greatest), either of which may be infinite

    The target is where the rigid arm has the point at the end of its command; about = "equilibrium" counts from where
    the arm comes to rest, of = "elastic" is the elastic deflection alone (`flexarm.results.settling`).
    A centre or target that is "nominal" is where the nominal arm has the point at that very time.
    """

    name: str
    kind: str
    limit: float = 1.0
    point: str = "tip"
    at: tuple[float, ...] = ()
    during: tuple[float, float] | None = None
    centre: tuple[float, ...] | str = NOMINAL
    size: tuple[float, ...] = ()
    angle: float = 0.0
    plane: str = "xy"
    target: tuple[float, ...] | str = field(default=NOMINAL)
    within: float | None = None
    of: str = "point"
    about: str = "target"
    signal: str = ""
    band: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for key in ("at", "during", "centre", "size", "target", "band"):
            value = getattr(self, key)
            if isinstance(value, int | float) and not isinstance(value, bool):
                value = (value,)
            if isinstance(value, np.ndarray):
                value = value.tolist()
            if isinstance(value, list | tuple):
                object.__setattr__(self, key, tuple(self._number(key, each) for each in value))
            elif value is not None and not (isinstance(value, str) and key in ("centre", "target")):
                self._number(key, value)
        for key in ("limit", "angle"):
            # one of NumPy's compares with a list as an array does
            object.__setattr__(self, key, self._number(key, getattr(self, key)))
        if self.within is not None:
            object.__setattr__(self, "within", self._number("within", self.within))
        if self.kind == "signal" and len(self.band) == 2 and self.limit == 1.0:
            object.__setattr__(self, "limit", band_limit(self.band))
        if problem := self._problem():
            raise AnalysisError(f"requirement {quoted(self.name)}: {problem}")

    def _number(self, key: str, value: Any) -> float:
        if not is_number(value):
            raise AnalysisError(f"requirement {quoted(str(self.name))}: {key} is {shown(value)}, must be a number (SI)")
        return float(value)

    @property
    def unit(self) -> str:
        """The unit of its number and of its limit."""
        return KINDS[self.kind]

    @property
    def column(self) -> str:
        """Its column in the table of a study."""
        return f"requirement {self.name}"

    @property
    def settles(self) -> bool:
        """True if it is about settling."""
        return self.kind in ("settled", "settling_time")

    @property
    def words(self) -> str:
        """What is required, in a few words."""
        from flexarm.results.engineering import quantity

        if self.kind == "settled":
            when = f"from {self.at[0]:.6g} s on"
        elif self.during is not None and np.isinf(self.during[1]):
            when = f"from {self.during[0]:.6g} s on"
        elif self.during is not None:
            when = f"from {self.during[0]:.6g} s to {self.during[1]:.6g} s"
        else:
            when = "at the end" if not self.at else "at " + ", ".join(f"{time:.6g} s" for time in self.at)
        if self.kind == "signal":
            low, high = self.band
            if not np.isfinite(low):
                return f"{self.signal} below {high:.6g}, {when}"
            bound = f"within {low:.6g} and {high:.6g}" if np.isfinite(high) else f"above {low:.6g}"
            return f"{self.signal} {bound}, {when}"
        if self.kind in ("box", "ellipse"):
            sides = " × ".join(quantity(each, "m") for each in self.size)
            article = "an ellipse" if self.kind == "ellipse" else "a box"
            return f"{self.point} in {article} of {sides}, {when}"
        allowed = f"{self.limit:.4g} rad" if self.unit == "rad" else quantity(self.limit, self.unit)
        if self.settles:
            who = self.point if self.of == "point" else f"deflection of {self.point}"
            near = f"within {allowed if self.within is None else quantity(self.within, 'm')} of "
            near += described(self.of, self.about)
            return f"{who} settled {near}, {when}" if self.kind == "settled" else f"{who} {near} by {allowed}"
        phrases = {
            "circle": "in a circle of",
            "sphere": "in a sphere of",
            "orientation": "turned by less than",
        }
        return f"{self.point} {phrases.get(self.kind, f'{self.kind} below')} {allowed}, {when}"

    def to_dict(self) -> dict[str, Any]:
        """The requirement in JSON's types."""
        listed = {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}
        if self.kind == "signal":
            # JSON has no infinite numbers
            for key in ("band", "during"):
                values = getattr(self, key) or ()
                listed[key] = [value if np.isfinite(value) else None for value in values]
        return {key: value for key, value in listed.items() if value not in (None, [], "")}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Requirement:
        """The requirement described by `to_dict`."""
        for key in ("band", "during"):
            if data.get(key) is not None:
                ends = zip(data[key], (-np.inf, np.inf), strict=True)
                data = {**data, key: tuple(end if value is None else value for value, end in ends)}
        return Requirement(**data)

    def _problem(self) -> str | None:
        """What is wrong with it, in a sentence; None if nothing is."""
        if (self.kind == "signal") != bool(self.signal) or (self.kind == "signal") != (len(self.band) == 2):
            return "signal and band are given, or missing, must be given together for the kind signal alone"
        if self.kind == "signal" and not (self.band[0] < self.band[1] and any(np.isfinite(self.band))):
            return f"band is {list(self.band)}, must be two rising numbers"
        if self.kind == "signal" and self.limit == 0.0:
            return "its bound is 0, must be another number, or within = [least, greatest]"
        if not isinstance(self.name, str) or not self.name.strip():
            return "name is missing, must be text"
        if self.kind not in KINDS:
            return f"kind is {quoted(str(self.kind))}, must be {either(KINDS)}{meant(self.kind, tuple(KINDS))}"
        if not 0.0 < self.limit < float("inf"):
            return f"limit is {self.limit}, must be > 0"
        if self.kind == "settled" and (len(self.at) != 1 or self.during is not None):
            return "settled needs the one time from which on, as by in a file and at in Python"
        if self.kind == "settling_time" and (self.at or self.during is not None):
            return "settling_time is of the whole run, must have neither at nor during"
        if (self.within is not None) != (self.kind == "settling_time") or not (self.within or 1.0) > 0.0:
            return f"within is {self.within}, must be a distance > 0 for settling_time and left out for others"
        if self.of not in OF or self.about not in ABOUT:
            return f"has of {quoted(self.of)} and about {quoted(self.about)}, must be {either(OF)} and {either(ABOUT)}"
        if self.at and self.during is not None:
            return "has both at and during, must have one of them"
        if self.during is not None and not (len(self.during) == 2 and 0.0 <= self.during[0] < self.during[1]):
            return f"during is {list(self.during)}, must be two rising times"
        if self.plane not in PLANES:
            return f"plane is {quoted(self.plane)}, must be {either(PLANES)}"
        if self.kind in _REGIONS and self.centre != NOMINAL:
            lengths = {"circle": (2,), "ellipse": (2,), "sphere": (3,), "box": (2, 3)}[self.kind]
            if isinstance(self.centre, str) or len(self.centre) not in lengths:
                return f"centre is {shown(self.centre)}, must be nominal or {' or '.join(map(str, lengths))} lengths"
        if self.kind in ("box", "ellipse"):
            allowed = (2,) if self.kind == "ellipse" else (2, 3)
            if len(self.size) not in allowed or not all(each > 0.0 for each in self.size):
                return f"size is {list(self.size)}, must be {' or '.join(map(str, allowed))} lengths > 0"
            if self.centre != NOMINAL and self.kind == "box" and len(self.centre) != len(self.size):
                return "centre and size have different numbers of entries, must have the same"
        turned = self.target == NOMINAL or (not isinstance(self.target, str) and len(self.target) == 4)
        if self.kind == "orientation" and not (turned and any(self.target)):
            return f"target is {shown(self.target)}, must be nominal or the four numbers of a quaternion"
        return None


def band_limit(band: Sequence[float]) -> float:
    """The limit of a signal's number: half the width of the band, or the size of its only bound."""
    low, high = band
    if np.isfinite(low) and np.isfinite(high):
        return 0.5 * (high - low)
    return abs(high if np.isfinite(high) else low)
