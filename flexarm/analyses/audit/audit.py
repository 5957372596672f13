"""Which link or gear of a robot costs most at the tip?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analyses.audit.candidates import GEAR_RATIO, Candidate, candidates_of
from flexarm.analyses.dynamics import Dynamics
from flexarm.analyses.modes.modes import modes
from flexarm.analyses.statics import statics
from flexarm.errors import AnalysisError
from flexarm.model import Arm, library_material, library_names
from flexarm.model.reading.file import arm_from_dict, text_of, toml_table
from flexarm.model.reading.given import Posture, quantity_of, read_posture
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.robot.description import Robot
from flexarm.model.robot.files import read_robot, robot_in
from flexarm.model.robot.table import ROBOT, table_of_robot
from flexarm.results.audit import Audit, Cost

# Postures tried for the one that reaches out farthest.
_TRIED = 500
# Two cubic elements have a first frequency within 1e-3 and the sag of end loads exactly.
_MODEL = {"formulation": "hermite", "elements": 2}


def audit(
    robot: str | os.PathLike[str],
    *,
    tip: str | None = None,
    posture: Posture | None = None,
    payload: float | str = 0.0,
    material: str = "aluminium",
    structure: float = 0.5,
) -> Audit:
    """What every link and gear of a robot would cost at its tip if it gave way alone: sag (m) and first frequency (Hz).

    Links become tubes as wide as their shapes, or as their inertia tells, with walls that weigh the structural part of
    the link's mass; gears have 200/rad times the greatest torque of their joint. Beams and gears of an elasticity table
    come before these estimates.

    Parameters
    ----------
    robot
        The path of a URDF or MJCF file, or of an elasticity table.
    tip
        The link at whose frame the cost counts. Default: the point "tip" of the table, or the farthest end.
    posture
        Joint coordinates by name (rad, m, or texts with a unit). Default: of 500 postures within the limits that which
        reaches out farthest.
    payload
        A mass at the tip, kg.
    material
        Of the links: a name of the library.
    structure
        The part of a link's mass that carries load; the rest are motors, gears and covers.

    Returns
    -------
    Audit
        The costs, the greatest sag first, and all of them together.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.audit("three_axes.urdf", payload="3 kg")
    >>> found.costs[0].name, found.costs[0].kind
    ('shoulder', 'gear')
    """
    described, given, source = _read(robot)
    own = library_material(material)
    if own is None:
        names = library_names()
        raise AnalysisError(f"material is {shown(material)}, must be {either(names)}{meant(material, names)}")
    if not 0.0 < structure <= 1.0:
        raise AnalysisError(f"structure is {shown(structure)}, must be from 0 to 1")
    load = quantity_of(payload, "kg", "payload", least=0)
    bare = {key: value for key, value in given.items() if key not in ("link", "joint")}
    bare["joint"] = {
        name: {key: value for key, value in table.items() if key in ("at",)}
        for name, table in given.get("joint", {}).items()
    }
    rigid = _arm(described, bare, source)
    end = _tip(rigid, tip)
    if load:
        bare["link"] = {end: {"payload": {"mass": load}}}
    bare["point"] = [{"name": "tip", "link": end}]
    rigid = _arm(described, bare, source)
    where = read_posture(rigid, posture) if posture is not None else _reaching(rigid, described)
    holding = statics(rigid, posture=where)
    held = _greatest(rigid, described)
    found, remarks = candidates_of(described, end, given, material, own, structure, held)
    if not found:
        raise AnalysisError(f"nothing on the way to {quoted(end)} can give way, must be links and joints")
    costs = [_cost(described, bare, source, [each], where) for each in found]
    order = np.argsort([-cost[0] for cost in costs], kind="stable")
    ranked = tuple(
        Cost(found[k].kind, found[k].name, found[k].words, found[k].source, *costs[k]) for k in order.tolist()
    )
    sag, frequency = _cost(described, bare, source, found, where)
    tables: dict[str, Any] = {"link": {}, "joint": {}}
    for each in found:
        tables["link" if each.kind == "link" else "joint"][each.name] = dict(each.table)
    return Audit(
        arm_name=rigid.name,
        tip=end,
        costs=ranked,
        sag=sag,
        frequency=frequency,
        posture={(link.joint.name or link.name): where.get(link.name, 0.0) for link in rigid.links if link.joint.unit},
        units={(link.joint.name or link.name): link.joint.unit for link in rigid.links if link.joint.unit},
        payload=load,
        assumed=f"{material} tubes of {100 * structure:.0f} % of each link's mass; gears of {GEAR_RATIO:.0f}/rad × the "
        "effort of their joint",
        tables=tables,
        remarks=tuple(remarks),
        arm=holding.arm,
    )


def _read(path: str | os.PathLike[str]) -> tuple[Robot, Mapping[str, Any], str]:
    text, source = text_of(path)
    if text.lstrip()[:1] == "<":
        return robot_in(text, source, Path(path).parent), {}, source
    table = toml_table(text, source)
    if ROBOT not in table:
        raise AnalysisError(f"{source}: is no robot, must be a URDF, an MJCF or an elasticity table that names one")
    return read_robot(Path(path).parent / str(table[ROBOT])), table, source


def _arm(robot: Robot, table: Mapping[str, Any], source: str) -> Arm:
    return arm_from_dict(table_of_robot(robot, table, source), source=source)


def _tip(arm: Arm, tip: str | None) -> str:
    if tip is None:
        point = next((point for point in arm.points if point.name == "tip"), None)
        return point.link if point is not None else arm.tip_links[0]
    return arm.link(tip).name


def _reaching(arm: Arm, robot: Robot) -> dict[str, float]:
    """The posture, of many, in which the tip is farthest from the root, across gravity if there is any."""
    dynamics = Dynamics(arm)
    low, high = _ranges(dynamics, robot)
    q = np.random.default_rng(0).uniform(low, high, (_TRIED, dynamics.size))
    q[0] = np.clip(dynamics.coordinates(), low, high)
    away = dynamics.place("tip", q).position - dynamics.place(robot.root, q).position
    down = np.array(arm.gravity)
    if np.any(down):
        down = down / np.linalg.norm(down)
        away = away - np.outer(away @ down, down)
    best = q[int(np.argmax(np.linalg.norm(away, axis=1)))]
    own = {link.joint.name or link.name: link.name for link in arm.links}
    return {own[name]: float(value) for name, value in zip(dynamics.names, best, strict=True)}


def _ranges(dynamics: Dynamics, robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Where the coordinates may be: within their limits, an angle within a turn, a slide without limits where it is."""
    start = dynamics.coordinates()
    low, high = start.copy(), start.copy()
    for k, (name, unit) in enumerate(zip(dynamics.names, dynamics.units, strict=True)):
        joint = robot.joints.get(name)
        if joint is None or joint.mimic is not None:
            continue
        free = np.pi if unit == "rad" else 0.0
        low[k] = max(-free, joint.lower) if joint.lower is not None and unit == "rad" else joint.lower or -free
        high[k] = min(free, joint.upper) if joint.upper is not None and unit == "rad" else joint.upper or free
        if low[k] > high[k]:
            low[k] = high[k] = start[k]
    return low, high


def _greatest(arm: Arm, robot: Robot) -> dict[str, float]:
    """The greatest torques and forces that hold the robot in some postures, by joint."""
    dynamics = Dynamics(arm)
    q = np.random.default_rng(1).uniform(*_ranges(dynamics, robot), (_TRIED, dynamics.size))
    most = np.max(np.abs(dynamics.inverse(q, np.zeros_like(q), np.zeros_like(q))), axis=0)
    return dict(zip(dynamics.names, most.tolist(), strict=True))


def _cost(
    robot: Robot, bare: Mapping[str, Any], source: str, giving: list[Candidate], where: Mapping[str, float]
) -> tuple[float, float]:
    """Sag of the tip (m) and first frequency (Hz) where these give way and nothing else does."""
    table = {**bare, "link": dict(bare.get("link", {})), "joint": dict(bare.get("joint", {}))}
    for each in giving:
        key = "link" if each.kind == "link" else "joint"
        own = {"model": _MODEL} if key == "link" else {}
        table[key][each.name] = {**table[key].get(each.name, {}), **own, **each.table}
    arm = _arm(robot, table, source)
    sag = float(np.linalg.norm(statics(arm, posture=where).tip_sag["tip"]))
    return sag, float(modes(arm, posture=where, joints="locked", count=1).frequencies_hz[0])
