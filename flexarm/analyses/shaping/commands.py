"""Commands for one move: as it is, through shapers, along smooth laws; each an arm that can be saved and simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flexarm.analyses.shaping.move import Move, end_of, moved_links
from flexarm.analyses.shaping.shapers import Mode, Shaper, cascaded, ei, simultaneous, zv, zvd, zvdd
from flexarm.assembly import SAME_SWITCH
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Link, Pieces
from flexarm.model.reading.messages import either, meant, quoted

SHAPERS = ("zv", "zvd", "zvdd", "ei", "zv-simultaneous", "zvd-simultaneous")
# Modes whose frequencies differ by less than this part share a shaper, as the two bendings of a round rod do.
ALIKE = 0.02


@dataclass(frozen=True, eq=False)
class Command:
    """One command: the arm that has it, its joints' motions (rad or m), and when it stops (s)."""

    name: str
    kind: str  # "unshaped", "shaper", "law" or "optimum"
    arm: Arm
    laws: Mapping[str, Pieces]
    stop: float
    shaper: Shaper | None = None


def command_of(arm: Arm, move: Move, name: str, kind: str, shaper: Shaper | None = None) -> Command:
    """The command an arm has for its part in the move."""
    laws = {link.name: law for link in moved_links(arm, move) if (law := arm.motion_of(link)) is not None}
    return Command(name, kind, arm, laws, end_of(list(laws.values())), shaper)


def distinct(modes: Sequence[Mode]) -> list[Mode]:
    """The modes, those of nearly the same frequency as one, in the order given."""
    kept: list[Mode] = []
    for frequency, ratio in modes:
        if all(abs(frequency - other) > ALIKE * other for other, _ in kept):
            kept.append((frequency, ratio))
    return kept


def design(word: str, modes: Sequence[Mode], vibration: float) -> Shaper:
    """The shaper of that name for all the modes: in a row, or at once."""
    if word.endswith("-simultaneous"):
        return simultaneous(modes, robust=1 if word.startswith("zvd") else 0)
    makers = {"zv": zv, "zvd": zvd, "zvdd": zvdd, "ei": lambda f, ratio: ei(f, ratio, vibration)}
    return cascaded([makers[word](*mode) for mode in modes])


def check_words(words: Sequence[str], known: Sequence[str], what: str) -> None:
    """Refuse a word that is not known."""
    for word in words:
        if word not in known:
            raise AnalysisError(f"{what} holds {quoted(str(word))}, must be {either(known)}{meant(word, known)}")


def through_shaper(arm: Arm, move: Move, name: str, shaper: Shaper) -> Command:
    """The move through a shaper, the same for all joints: a mode does not ring whichever joints it couples to.

    A move that begins at a rate keeps its line: the impulses are put earlier by their mean, so that braking begins
    earlier, and the travel stays.
    """
    if not move.from_rest:
        shaper = shaper.advanced(shaper.delay)
        for joint, law in move.laws.items():
            earliest = float(law.break_times[0]) + shaper.times[0]
            if earliest < -SAME_SWITCH:
                raise AnalysisError(
                    f'joint "{joint}" would have to leave its rate {-earliest:.4g} s before the start, must travel '
                    "longer before it brakes"
                )
    renamed: dict[str, str] = {}
    motions: dict[str, Any] = dict(arm.motions)
    for link in moved_links(arm, move):
        old = link.joint.motion or ""
        if old not in renamed:
            renamed[old] = _free_name(f"{old} {name}", motions)
            motions[renamed[old]] = {"kind": "shaped", "of": old, "impulses": shaper.impulses()}
    links = [
        link.changed(joint=link.joint.changed(motion=renamed[link.joint.motion or ""]))
        if link.name in move.laws
        else link
        for link in arm.links
    ]
    return command_of(arm.changed(links=tuple(links), motions=motions), move, name, "shaper", shaper)


def along_law(arm: Arm, move: Move, name: str, kind: str, fields: Mapping[str, Any]) -> Command:
    """The move with every joint along a smooth law of its own travel, all in step."""
    if not move.from_rest:
        raise AnalysisError("the move begins at a rate, must begin at rest for a law from rest to rest")
    motions: dict[str, Any] = dict(arm.motions)
    links: list[Link] = []
    for link in arm.links:
        if link.name in move.laws:
            law, joint = move.laws[link.name], link.joint
            travel = float(law.evaluate(move.end + 1.0)[0]) - joint.at
            reach = float(abs(law.evaluate(0.5 * (law.break_times[0] + move.end))[0] - joint.at))
            if abs(travel) <= 1e-9 * max(reach, 1e-300):
                raise AnalysisError(f'joint "{link.name}" returns to where it starts, must travel for a smooth law')
            made = {
                "kind": kind,
                "unit": joint.unit,
                "travel": travel / joint.scale,
                "begin": move.begin - joint.delay,
                **fields,
            }
            named = _alike(motions, f"{joint.motion} {name}", made)
            motions[named] = made
            link = link.changed(joint=joint.changed(motion=named))
        links.append(link)
    return command_of(arm.changed(links=tuple(links), motions=motions), move, name, "law")


def corrected(arm: Arm, move: Move, name: str, base: Command, knots: Mapping[str, Mapping[str, Any]]) -> Command:
    """A command with an acceleration through knots (times of the run, rad/s² or m/s²) added to every joint's motion."""
    motions: dict[str, Any] = dict(base.arm.motions)
    links: list[Link] = []
    for link in base.arm.links:
        if link.name in knots:
            joint, old = link.joint, link.joint.motion
            origin = arm.link(link.name).joint.motion
            own = _free_name(f"{origin} {name} of {link.name}, knots", motions)
            motions[own] = {
                "kind": "acceleration",
                "unit": joint.unit,
                "times": [time - joint.delay for time in knots[link.name]["times"]],
                "values": [value / joint.scale for value in knots[link.name]["values"]],
            }
            whole = _free_name(f"{origin} {name} of {link.name}", motions)
            motions[whole] = {"kind": "sum", "of": [old, own]}
            link = link.changed(joint=joint.changed(motion=whole))
        links.append(link)
    return command_of(base.arm.changed(links=tuple(links), motions=motions), move, name, "optimum")


def replaced(arm: Arm, move: Move, name: str, base: Command, laws: Mapping[str, Mapping[str, Any]]) -> Command:
    """A command whose joints have accelerations of their own (times of the run, SI) in place of what they had."""
    motions: dict[str, Any] = dict(base.arm.motions)
    links: list[Link] = []
    for link in base.arm.links:
        if link.name in laws:
            joint, law = link.joint, laws[link.name]
            own = _free_name(f"{arm.link(link.name).joint.motion} {name} of {link.name}", motions)
            motions[own] = {
                **law,
                "kind": "acceleration",
                "unit": joint.unit,
                "times": [time - joint.delay for time in law["times"]],
                "values": [value / joint.scale for value in law["values"]],
                "rate": law["rate"] / joint.scale,
            }
            link = link.changed(joint=joint.changed(motion=own, rate=None))
        links.append(link)
    return command_of(base.arm.changed(links=tuple(links), motions=motions), move, name, "optimum")


def lasting(arm: Arm, end: float) -> Arm:
    """The arm with a simulation that lasts until this time (s) at least."""
    if arm.simulation.end is not None and arm.simulation.end >= end:
        return arm
    return arm.changed(simulation=arm.simulation.changed(end=end))


def _free_name(wanted: str, taken: Mapping[str, Any]) -> str:
    """The name, or the name with a number that is not taken."""
    name, count = wanted, 1
    while name in taken:
        count += 1
        name = f"{wanted} {count}"
    return name


def _alike(motions: Mapping[str, Any], wanted: str, made: Mapping[str, Any]) -> str:
    """A name that this very law has or may have."""
    name, count = wanted, 1
    while name in motions and motions[name] != made:
        count += 1
        name = f"{wanted} {count}"
    return name
