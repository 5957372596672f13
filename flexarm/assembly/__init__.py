"""From the drawing to the engine: an Arm becomes a tree of bodies with names for everything in it."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import Any

import numpy as np

from flexarm.assembly.arm_damping import damped_as_a_whole, with_retardation, without_arm_damping
from flexarm.assembly.bodies import Assembly, AttachedFrame, StationPlace
from flexarm.assembly.closures import GROUND, assembled, refuse_closures
from flexarm.assembly.compiled_arm import CompiledArm, ObservedPoint
from flexarm.assembly.contacts import contacts_of
from flexarm.assembly.refinement import refined
from flexarm.batched import array, filled, larger, real, snapped
from flexarm.core.tree.build import build_tree
from flexarm.core.tree.types import (
    G_WIDTH,
    S_D,
    S_GAIN,
    S_K,
    S_LEVER,
    S_RATE_GAIN,
    Commands,
    Floats,
    Ints,
    Laws,
    Loads,
    Tree,
)
from flexarm.model import Arm, Joint, Link, Pieces, Point, Servo, Support
from flexarm.model.parts.closure import Closure, closures_of
from flexarm.model.reading.references import BASE

# Switches of different laws closer than this (s) are one.
SAME_SWITCH = 1e-12


def without_servos(compiled: CompiledArm) -> CompiledArm:
    """The same arm with the gains of its servos taken out of its joints."""
    spring = compiled.tree.spring.copy()
    spring[:, S_K] -= spring[:, S_GAIN]
    spring[:, S_D] -= spring[:, S_RATE_GAIN]
    spring[:, [S_GAIN, S_RATE_GAIN]] = 0.0
    return replace(
        compiled, tree=compiled.tree._replace(spring=spring), spatial=compiled.spatial._replace(spring=spring)
    )


def with_motions(compiled: CompiledArm, motions: Mapping[str, Pieces]) -> CompiledArm:
    """The same arm with other motions of some of its joints, by name; its `arm` is left as it was."""
    pieces, commands = list(compiled.pieces), compiled.commands
    start, start_rate = compiled.start, compiled.start_rate
    for name, law in motions.items():
        c = compiled.coordinate_names.index(name)
        prescribed = commands.motion_law[commands.motion_coordinate == c]
        if len(prescribed):
            pieces[int(prescribed[0])] = law
            continue
        pieces[int(commands.servo_law[commands.servo_coordinate == c][0])] = law
        begin, rate, _ = law.evaluate(0.0)
        start, start_rate = start.copy(), start_rate.copy()
        start[c], start_rate[c] = begin, rate
    switches = _switches(pieces)
    return _with_feedforward(
        replace(
            compiled,
            pieces=tuple(pieces),
            laws=_packed(pieces, switches),
            commands=commands._replace(switches=switches),
            start=start,
            start_rate=start_rate,
        )
    )


def with_settings(compiled: CompiledArm, settings: Mapping[str, Any]) -> CompiledArm:
    """The same arm with other settings of its simulation, which are checked; nothing is compiled for it."""
    if not settings:
        return compiled
    simulation = compiled.arm.simulation.changed(**settings)
    # the settings are checked by themselves: no other part of an arm depends on them
    arm = compiled.arm.model_copy(update={"simulation": simulation})
    other = replace(compiled, arm=arm)
    return other if simulation.end == compiled.arm.simulation.end else _with_feedforward(other)


def _switches(laws: Sequence[Pieces]) -> Floats:
    """When any law switches (s), rising; switches of several laws that differ by rounding are one."""
    times = np.unique(np.concatenate([law.switch_times for law in laws])) if laws else np.zeros(0)
    return times[np.append(True, np.diff(times) > SAME_SWITCH)] if len(times) else times


def packed_laws(laws: Sequence[Pieces]) -> Laws:
    """Laws in the engine's form, as they are."""
    return _packed(laws, np.zeros(0))


def _packed(laws: Sequence[Pieces], switches: Floats) -> Laws:
    """Laws in the engine's form; starts that differ from a switch by rounding are put on it."""
    width = max((law.poly.shape[1] for law in laws), default=1)
    first = np.zeros(len(laws) + 1, np.int64)
    rows = []
    for j, law in enumerate(laws):
        parts = [
            (np.s_[:, 0], snapped(law.start, switches, SAME_SWITCH)),
            (np.s_[:, 1:4], law.harmonic),
            (np.s_[:, 4 : 4 + law.poly.shape[1]], law.poly),
        ]
        block = filled((len(law.start), 4 + width), parts)
        rows.append(block)
        first[j + 1] = first[j] + len(block)
    return Laws(first, np.concatenate(rows) if rows else np.zeros((0, 4 + width)))


def compile_arm(arm: Arm, *, known: CompiledArm | None = None, closed: bool = False) -> CompiledArm:
    """The arm as the engine sees it; refuses, in one sentence, what no formulation can model.

    `closed`: supports, loops and springs between points are taken, and not refused. `known`: the arm its drives were
    designed for, where that is another of the same build: its torques are fed forward. The last few arms are kept: one
    that is asked about again and again is compiled once.
    """
    if not closed:
        refuse_closures(arm)
    if known is not None:
        return _compiled(arm, without_servos(known).tree)
    with _KEEPING:
        for kept, compiled in _KEPT:
            if kept is arm:
                return compiled
    compiled = _compiled(arm, None)
    with _KEEPING:
        _KEPT.append((arm, compiled))
    return compiled


def compile_with_points(arm: Arm, points: Sequence[ObservedPoint]) -> tuple[CompiledArm, CompiledArm]:
    """The arm compiled once: as it is, and observed at these points in place of its own; both have one tree."""
    whole, own = _compiled(arm, None, points), len(arm.observed)
    return _at_points(whole, slice(own)), _at_points(whole, slice(own, None))


def _at_points(compiled: CompiledArm, chosen: slice) -> CompiledArm:
    """The same arm observed at some of its points."""
    return replace(
        compiled,
        point_names=compiled.point_names[chosen],
        point_body=compiled.point_body[chosen],
        point_frame=compiled.point_frame[chosen],
        point_place=compiled.point_place[chosen],
        point_in_plane=compiled.point_in_plane[chosen],
    )


def _announce() -> None:
    """Report on stderr that kernels are compiled: half a minute of silence in a notebook looks like a fault."""
    print("flexarm compiles its kernels, once per machine and kind of arm; this takes 15 to 60 s …", file=sys.stderr)


# The command line announces it in its own way.
if hasattr(sys, "ps1") or "IPython" in sys.modules:
    from flexarm.core._jit import on_first_compile

    on_first_compile(_announce)

# Arms are frozen and so is what is compiled from them: the very same arm has the very same result.
_KEPT: deque[tuple[Arm, CompiledArm]] = deque(maxlen=4)
_KEEPING = threading.Lock()


def _compiled(arm: Arm, known: Tree | None, more_points: Sequence[ObservedPoint] = ()) -> CompiledArm:
    if damped_as_a_whole(arm):
        refuse_closures(arm, 'damping = { of = "arm" }')
        undamped = _compiled(without_arm_damping(arm), None)
        return replace(_compiled(with_retardation(arm, undamped), known, more_points), arm=arm)
    points: list[Point | ObservedPoint] = [*arm.observed, *more_points]
    assembly = Assembly(arm)
    for index in arm.base_to_tip:
        assembly.add_link(index)
    assembly.check_massless()
    load_places = [assembly.frame_at(arm.link(load.link), load.at) for load in arm.loads]
    point_places = [assembly.frame_at(arm.link(point.link), point.at) for point in points]
    parts = closures_of(arm)
    closed = [_ends(assembly, arm, part) for _, part in parts]
    places = [*load_places, *point_places, *(end for both in closed for end in both)]
    frames = [place.attachment for place in places if place.attachment is not None]
    built = build_tree(assembly.bodies, gravity=array(arm.gravity), extents=assembly.extents, frames=frames)
    spatial, turns = built.spatial, built.turns
    # the planar kernel turns about +z only
    flat = arm.planar and all(link.joint.type != "revolute" or link.joint.axis[2] > 0.0 for link in arm.links)
    tree: Tree = built.planar if flat else spatial
    coordinate = {name: c for c, name in enumerate(assembly.names)}
    laws: list[Pieces] = []
    motion: list[tuple[int, int]] = []
    torque: list[tuple[int, int]] = []
    servo: list[tuple[int, int]] = []
    gains: list[tuple[float, ...]] = []
    more: list[tuple[int, int]] = []
    fed: list[Link] = []  # links with a servo
    starts: dict[int, tuple[float, float]] = {}
    for link in arm.links:
        if link.joint.type == "fixed":
            continue
        c = coordinate[link.name]
        starts[c] = (link.joint.at, link.joint.start_rate)
        for pieces, group in ((arm.motion_of(link), motion), (arm.torque_of(link), torque)):
            if pieces is not None:
                if group is motion and link.joint.drive == "servo":
                    group = servo
                    fed.append(link)
                    begin, rate, _ = pieces.evaluate(np.zeros(1))
                    starts[c] = (begin[0], rate[0])
                    gains.append(_servo_row(link.joint))
                    more.append((coordinate.get(f"{link.name}.gear", -1) if _sees_link(link.joint) else -1, -1))
                group.append((c, len(laws)))
                laws.append(pieces)
    begins = _begins(places, built.frames)
    count, points_end = len(load_places), len(load_places) + len(point_places)
    spatial_loads, load_laws = _loads(arm, load_places, begins[0][:count], turns, len(laws))
    drawn = np.broadcast_to(np.eye(3), turns.shape)
    loads = _loads(arm, load_places, begins[1][:count], drawn, len(laws))[0] if flat else spatial_loads
    laws += load_laws
    for j, link in enumerate(fed):
        if link.joint.servo is not None and _fed_forward(link.joint) in ("gravity", "rigid"):
            more[j] = (more[j][0], len(laws))
            laws.append(Pieces.constant(0.0))
    switches = _switches(laws)
    point_body, point_place, point_in_plane = _points(points, point_places, turns)
    elastic = [c for c, direction in enumerate(assembly.directions) if direction is not None]
    joints = [c for c, direction in enumerate(assembly.directions) if direction is None]
    levers = spatial.spring[:, S_LEVER]
    if not len(levers):
        reach = 1.0
    elif isinstance(levers, np.ndarray):
        reach = float(levers.max())
    else:
        reach = reduce(larger, (real(lever) for lever in levers))
    start, start_rate = (filled(len(assembly.names), [(c, both[k]) for c, both in starts.items()]) for k in (0, 1))
    closures = None
    if parts:
        q = np.array(start, float)
        for c, law in motion:
            q[c] = laws[law].evaluate(0.0)[0]
        at = begins[0][points_end:], begins[1 if flat else 0][points_end:]
        closures = assembled(parts, closed, at, turns, tree, q, reach)
    compiled = CompiledArm(
        arm=arm,
        tree=tree,
        spatial=spatial,
        loads=loads,
        spatial_loads=spatial_loads,
        laws=_packed(laws, switches),
        pieces=tuple(laws),
        commands=Commands(
            np.array([c for c, _ in motion], np.int64),
            np.array([law for _, law in motion], np.int64),
            np.array([c for c, _ in torque], np.int64),
            np.array([law for _, law in torque], np.int64),
            np.array([c for c, _ in servo], np.int64),
            np.array([law for _, law in servo], np.int64),
            array(gains).reshape(-1, G_WIDTH) if gains else np.zeros((0, G_WIDTH)),
            np.array(more, np.int64).reshape(-1, 2),
            switches,
            *contacts_of(arm, coordinate, dict(torque)),
        ),
        coordinate_names=tuple(assembly.names),
        coordinate_units=tuple(assembly.units),
        joint_names=tuple(assembly.names[c] for c in joints),
        joint_coordinates=np.array(joints, np.int64),
        elastic_coordinates=np.array(elastic, np.int64),
        elastic_directions=tuple(d for d in assembly.directions if d is not None),
        elastic_links=tuple(assembly.owner[c] for c in elastic),
        joint_bodies={name: body + 1 for name, body in assembly.joint_body.items()},
        point_names=tuple(point.name for point in points),
        point_body=point_body,
        point_frame=begins[1 if flat else 0][count:points_end],
        point_place=point_place,
        point_in_plane=point_in_plane,
        station_links=tuple(assembly.stations),
        read=cache(assembly.all_stations),
        spans=tuple(assembly.spans),
        start=start,
        start_rate=start_rate,
        reach=reach,
        closures=closures,
    )
    return _with_feedforward(replace(compiled, known=known))


def _ends(assembly: Assembly, arm: Arm, part: Closure) -> tuple[AttachedFrame, AttachedFrame]:
    """Where the two ends of a closure stand: the ground or the other link, and its own."""
    own = assembly.frame_at(arm.link(part.link), part.at)
    if isinstance(part, Support) or (part.to == BASE and not any(link.name == BASE for link in arm.links)):
        return GROUND, own
    return assembly.frame_at(arm.link(part.to), part.to_at), own


def _servo_row(joint: Joint) -> tuple[float, ...]:
    """A servo's row of the engine's table (G_WIDTH); of one whose gains are left open all gains are zero."""
    kp, kv, ki, loop, rate = joint.servo_loops() or (0.0, 0.0, 0.0, 0.0, 1.0)
    limit = joint.servo.torque_limit if isinstance(joint.servo, Servo) else None
    return kp, kv, joint.spring_rest, ki, loop, rate, np.inf if limit is None else limit


def _sees_link(joint: Joint) -> bool:
    return isinstance(joint.servo, Servo) and joint.servo.encoder == "link"


def _fed_forward(joint: Joint) -> str:
    """What is fed forward to a servo; nothing where its gains are left open."""
    return joint.servo.fed_forward if isinstance(joint.servo, Servo) and not joint.servo.automatic else "none"


def _with_feedforward(compiled: CompiledArm) -> CompiledArm:
    """The arm with the torques fed forward to its drives, along the motions it has."""
    fed_forward = compiled.commands.servo_more[:, 1]
    if not np.any(fed_forward >= 0):
        return compiled
    # an arm is compiled without the engine where nothing is fed forward
    from flexarm.assembly.feedforward import feedforward_laws

    by_coordinate = {
        compiled.coordinate_names.index(link.name): link for link in compiled.arm.links if link.joint.servo
    }
    kinds = [_fed_forward(by_coordinate[int(c)].joint) for c in compiled.commands.servo_coordinate]
    bare = without_servos(compiled).tree if compiled.known is None else compiled.known
    end = compiled.arm.simulation.end
    found = feedforward_laws(bare, compiled.commands, compiled.pieces, compiled.start, kinds, end)
    pieces = list(compiled.pieces)
    for law, torque in zip(fed_forward, found, strict=True):
        if law >= 0:
            pieces[law] = torque
    return replace(compiled, pieces=tuple(pieces), laws=_packed(pieces, compiled.commands.switches))


def _begins(places: Sequence[AttachedFrame], frames: tuple[Ints, Ints]) -> list[Ints]:
    """Where the frame of each place begins in the spatial and in the planar tree (−1: the body's own frame)."""
    flexible = np.array([place.attachment is not None for place in places], bool)
    begins = []
    for found in frames:
        whole = np.full(len(places), -1, np.int64)
        whole[flexible] = found
        begins.append(whole)
    return begins


def _loads(
    arm: Arm, places: Sequence[AttachedFrame], begins: Ints, turns: Floats, first_law: int
) -> tuple[Loads, list[Pieces]]:
    place = np.zeros((len(arm.loads), 4), np.int64)
    wrench: list[tuple[int, Floats]] = []
    laws: list[Pieces] = []
    for j, (load, stands) in enumerate(zip(arm.loads, places, strict=True)):
        follows = load.axes == "link"
        law = -1
        if load.law is not None:
            law = first_law + len(laws)
            laws.append(arm.factor_of(load))
        place[j] = (stands.body + 1, int(follows), law, begins[j])
        turn = turns[stands.body]
        axes = turn @ stands.rotation if follows else np.eye(3)
        parts = [turn @ stands.offset, axes @ array(load.force), axes @ array(load.moment)]
        wrench.append((j, np.concatenate(parts)))
    return Loads(place, filled((len(arm.loads), 9), wrench)), laws


def _points(
    points: Sequence[Point | ObservedPoint], standings: Sequence[AttachedFrame], turns: Floats
) -> tuple[Ints, Floats, Floats]:
    bodies = np.zeros(len(points), np.int64)
    places: list[tuple[object, object]] = []
    in_plane: list[tuple[object, object]] = []
    for j, (point, stands) in enumerate(zip(points, standings, strict=True)):
        offset = stands.offset + stands.rotation @ array(point.offset)
        turn, rotation = turns[stands.body], stands.rotation
        bodies[j] = stands.body + 1
        places += [(np.s_[j, :3], turn @ offset), (np.s_[j, 3:], (turn @ rotation).ravel())]
        in_plane.append((j, [offset[0], offset[1], np.arctan2(rotation[1, 0], rotation[0, 0])]))
    return bodies, filled((len(points), 12), places), filled((len(points), 3), in_plane)


__all__ = [
    "CompiledArm",
    "ObservedPoint",
    "StationPlace",
    "compile_arm",
    "compile_with_points",
    "packed_laws",
    "refined",
    "refuse_closures",
    "with_motions",
    "with_settings",
    "without_servos",
]
