"""Settled, residual and settling time, as all verbs define them.

The *target* of a point is where the rigid arm has it with every joint at the end of its command: nothing bends, nothing
sags, no servo errs. A point is *settled* within a distance (m) from a time on if it is never farther than that from its
target again, to the end of the run. Its *settling time* (s, from t = 0) is the earliest such time. A point that merely
passes through when the run ends has not settled: it must have been within for longer than it would take, at the speed
with which it came in, to leave on the other side. Its *residual* (m) is its greatest distance from the target after the
command has ended.

Other questions have words of their own: `about = "equilibrium"` counts from where the arm comes to rest under gravity,
loads and servos, `of = "elastic"` looks at the elastic deflection alone, whatever the joints do.

Between samples a point moves along the cubic through its places and rates there, so that the moment at which it comes
within the distance is known far better than the samples lie apart. Arrays are offsets (m, 3) of one run or (m, 3, n)
of n runs at the same times (s).
"""

import numpy as np

from flexarm.results.extremes import extremes_of_batch, parabolic_slopes

# Plain floats: a few numbers at a time are quicker without NumPy.
Point = tuple[float, float, float]
Points = tuple[Point, Point, Point, Point]

OF = ("point", "elastic")
ABOUT = ("target", "equilibrium")
# Distances (m) to which settling times are reported where none is asked for.
TOLERANCES = (1e-3, 1e-4)
# Halvings of an interval between samples: the moment is found to a millionth of it.
_HALVINGS = 20


def described(of: str = "point", about: str = "target") -> str:
    """What the distance is of, in words that follow "within 1 mm of"."""
    if of == "elastic":
        return "the unbent arm" if about == "target" else "its static deflection at the end of the command"
    return "its target (rigid arm, end of the command)" if about == "target" else "its equilibrium at the end"


def distances(offsets: np.ndarray) -> np.ndarray:
    """Distances (m, …) of offsets (m, 3, …)."""
    # the sum in the order x, y, z, so that one run and a batch have the same bits
    return np.asarray(np.sqrt(offsets[:, 0] ** 2 + offsets[:, 1] ** 2 + offsets[:, 2] ** 2))


def settling_time(
    time: np.ndarray, offsets: np.ndarray, rates: np.ndarray | None, within: float, *, between: bool = True
) -> float | None:
    """When the point comes within the distance (m) for good, s; None if it is outside at the end of the run, or inside
    for so short that it may be passing through.

    The first time of the run if it never is outside. `rates` (m, 3) are those of the offsets, m/s; not `between`: the
    offsets go straight from sample to sample.
    """
    many = None if rates is None else rates[..., None]
    found = float(settling_times(time, offsets[..., None], many, within, between=between)[0])
    return None if np.isnan(found) else found


def settling_times(
    time: np.ndarray, offsets: np.ndarray, rates: np.ndarray | None, within: float, *, between: bool = True
) -> np.ndarray:
    """The same (n,) of a batch of runs (m, 3, n); NaN where a run has not settled or is not finite."""
    found = np.full(offsets.shape[2], np.nan)
    known = np.isfinite(offsets).all(axis=(0, 1))
    inside_at_end = known & (distances(offsets[-1:])[0] <= within)
    if len(time) == 1:
        return np.where(inside_at_end, time[0], np.nan)
    hull = _controls(time, offsets, rates, between)
    # a cubic stays within the convex hull of its control points: intervals whose hull is inside need no look
    size = np.sqrt(np.max(np.sum(hull**2, axis=2), axis=0))
    for k in np.flatnonzero(inside_at_end).tolist():
        found[k] = time[0]
        for j in np.flatnonzero(~(size[:, k] <= within))[::-1].tolist():
            a, b, c, d = hull[:, j, :, k].tolist()
            share = _last_outside((a, b, c, d), within * within, _HALVINGS)
            if share is not None:
                found[k] = time[j] + share * (time[j + 1] - time[j])
                speed = _speed(hull[:, j, :, k], share, time[j + 1] - time[j])
                if (time[-1] - found[k]) * speed < 2.0 * within:
                    found[k] = np.nan  # it may be passing through
                break
    return found


def greatest_distances(
    time: np.ndarray,
    offsets: np.ndarray,
    rates: np.ndarray | None = None,
    *,
    after: np.ndarray | None = None,
    between: bool = True,
) -> np.ndarray:
    """The greatest distances (n,), m, of a batch (m, 3, n), each from its own `after` (n,) s on; NaN if unknown."""
    size = distances(offsets)
    slopes = None
    if rates is not None:
        slopes = np.sum(offsets * rates, axis=1) / np.where(size > 0.0, size, 1.0)
    return extremes_of_batch(time, size, slopes, after=after, between=between)[1]


def greatest_distance(
    time: np.ndarray,
    offsets: np.ndarray,
    rates: np.ndarray | None = None,
    *,
    after: float | None = None,
    between: bool = True,
) -> float:
    """The greatest distance (m) of one run (m, 3) from a time (s) on; NaN if that is not known."""
    many = None if rates is None else rates[..., None]
    begin = None if after is None else np.array([after])
    return float(greatest_distances(time, offsets[..., None], many, after=begin, between=between)[0])


def _controls(time: np.ndarray, offsets: np.ndarray, rates: np.ndarray | None, between: bool) -> np.ndarray:
    """Control points (4, m − 1, 3, n) of the Bézier cubics from sample to sample."""
    h = np.diff(time)[:, None, None]
    begin, end = offsets[:-1], offsets[1:]
    if between:
        slopes = parabolic_slopes(time, offsets) if rates is None else rates
        leave, arrive = h * slopes[:-1], h * slopes[1:]
    else:
        leave = arrive = end - begin
    return np.stack([begin, begin + leave / 3.0, end - arrive / 3.0, end])


def _last_outside(points: Points, square: float, halvings: int) -> float | None:
    """The last share of the interval at which the cubic with these four control points is farther away than the root of
    `square`; None if it never is.
    """
    a, b, c, d = points
    if _square(d) > square:
        return 1.0
    if max(_square(a), _square(b), _square(c)) <= square:
        return None
    if halvings == 0:
        return 0.5 if _square(a) > square else None
    # de Casteljau: both halves of a cubic are cubics
    ab, bc, cd = _middle(a, b), _middle(b, c), _middle(c, d)
    abc, bcd = _middle(ab, bc), _middle(bc, cd)
    middle = _middle(abc, bcd)
    later = _last_outside((middle, bcd, cd, d), square, halvings - 1)
    if later is not None:
        return 0.5 + 0.5 * later
    earlier = _last_outside((a, ab, abc, middle), square, halvings - 1)
    return None if earlier is None else 0.5 * earlier


def _square(p: Point) -> float:
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2]


def _middle(p: Point, q: Point) -> Point:
    return 0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])


def _speed(points: np.ndarray, share: float, interval: float) -> float:
    """How fast (m/s) the cubic with these control points (4, 3) moves at a share of its interval (s)."""
    steps = np.diff(points, axis=0)
    u = min(share, 1.0)
    rate = 3.0 * ((1.0 - u) ** 2 * steps[0] + 2.0 * u * (1.0 - u) * steps[1] + u**2 * steps[2])
    return float(np.linalg.norm(rate)) / max(interval, 1e-300)
