"""A program written as C: its header, its tables, and the functions that hand them to the kernels."""

from __future__ import annotations

import hashlib
import platform
import re
import struct
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analyses.export.layout import Layout, arrays_of
from flexarm.analyses.export.literals import (
    doubles,
    integers,
    names_table,
    numbered,
    prototype,
    quoted,
    record_tables,
)
from flexarm.analyses.export.outputs import DEFLECTION, FROM_RIGID, KINDS, OF_DRIVE, OF_POINT, SPEED
from flexarm.analyses.export.program import Program
from flexarm.analyses.points import Seen
from flexarm.analyses.run.integrate import GREATEST_SHARE, REASONS, STEP_SHARE
from flexarm.analyses.versions import versions
from flexarm.core._cache import level
from flexarm.core._object import NATIVE, Part, object_of
from flexarm.core.numbers.addresses import kinds_of
from flexarm.core.sweeps.dynamics import kernel_of
from flexarm.core.time.commands import command
from flexarm.core.time.drives import drive_torques
from flexarm.core.time.follow import TIME_PASSED, Followed, follow_of
from flexarm.core.time.hold import NOT_A_NUMBER, hold_of
from flexarm.core.time.loop import advance_of
from flexarm.core.time.mechanism import mechanism_of, sweeps_of
from flexarm.core.time.memory import Clock, Count, Esdirk4, State
from flexarm.core.tree.types import PlanarFlexTree, PlanarTree

NO_PROCESSOR, OTHER_ARM = -4, -5
_OWN_MESSAGES = {
    NOT_A_NUMBER: "a number is none, or out of its range",
    TIME_PASSED: "the time asked for has passed",
    NO_PROCESSOR: "this processor lacks what the library was made for, must be made for another level",
    OTHER_ARM: "the state is of another arm",
}


def _bits(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


# What the levels ask of a processor: bits of cpuid 1 (ecx) and 7 (ebx), and the number of the level.
_WORDS = {
    "x86-64": (0, 0, 1),
    "x86-64-v3": (_bits(12, 27, 28), _bits(3, 5, 8), 3),
    "x86-64-v4": (_bits(12, 27, 28), _bits(3, 5, 8, 16, 17, 28, 30, 31), 4),
}


@dataclass(frozen=True)
class Source:
    """A program as text and object code."""

    name: str  # an identifier of C
    header: str
    text: str
    example: str
    parts: tuple[Part, ...]
    mark: str  # tells states of this arm from those of others


@cache
def glue(name: str) -> str:
    """A text of C that is the same for every arm but for its words in @…@."""
    return (Path(__file__).parent / "glue" / name).read_text(encoding="utf-8")


def filled(text: str, **words: Any) -> str:
    """The text with its words in @…@ filled in."""
    return re.sub(r"@(\w+)@", lambda found: str(words[found[1]]), text)


class _Writer:
    """Writes one program; offsets of the struct are found on the way."""

    def __init__(self, program: Program, name: str, made_for: str) -> None:
        self.program, self.name, self.made_for = program, name, made_for
        self.compiled = program.compiled
        self.nq = len(self.compiled.coordinate_names)
        self.points = len(self.compiled.point_names)
        self.servos = len(self.compiled.commands.servo_coordinate)
        kinds = {look.kind for look in program.looks}
        self.observes = bool(kinds & {OF_POINT, SPEED, FROM_RIGID, DEFLECTION})
        self.rigid = bool(kinds & {FROM_RIGID, DEFLECTION})
        drives = {look.where for look in program.looks if look.kind == OF_DRIVE}
        self.pushes, self.served = any(k < self.nq for k in drives), any(k >= self.nq for k in drives)
        self.parts: list[Part] = []
        self._observed = self._what_is_observed()
        held = program.held
        self.local = (held.tree, held.sweeps, held.advance)
        arrays = arrays_of((program.run, program.tree, self._observed))
        tables = [x for x in arrays if not any(x is y for y in self.local)]
        self.layout = Layout([*tables, *arrays_of(self.compiled.commands)], program.mutable, 2 + len(program.inputs))

    def _what_is_observed(self) -> Any:
        compiled = self.compiled
        tree = compiled.tree
        place = compiled.point_in_plane if isinstance(tree, PlanarTree | PlanarFlexTree) else compiled.point_place
        return tree, compiled.loads, self.program.held.laws, (compiled.point_body, compiled.point_frame, place)

    def part(self, kernel: Any, arguments: tuple[Any, ...], word: str) -> None:
        """Take in the object code of a kernel."""
        self.parts.append(object_of(kernel, arguments, self.name, word, self.made_for))

    def compile(self) -> list[str]:
        """Take in all kernels; the words that stand for the addresses of the sweeps."""
        program, held = self.program, self.program.held
        control = Esdirk4(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1, 1)
        mechanism = mechanism_of(program.tree, held.loads)
        loop = (mechanism, held.loads, held.laws, held.commands, control, held.memory, held.output, 1)
        self.part(advance_of(Esdirk4), kinds_of(loop), "advance")
        sweeps = sweeps_of(program.tree, held.loads)
        for name, found in sweeps.items():
            if found is not None:
                self.part(*found, name)
        y = np.zeros(1)
        if isinstance(program.run, Followed):
            kernel, record = follow_of(program.run)
            self.part(kernel, kinds_of((record, 0.0, 0.0, y)), "follow")
        else:
            kernel, record = hold_of(program.run)
            self.part(kernel, kinds_of((record, y, 0.0, y)), "hold")
        states = np.zeros((1, self.nq))
        if self.observes:
            tree, loads, laws, points = self._observed
            vectors, turns = np.zeros((1, self.points, 3)), np.zeros((1, self.points, 4))
            seen = Seen(vectors, vectors, vectors, turns, states, states)
            given = (tree, loads, laws, y, states, states, states, *points, *seen, program.work, True)
            self.part(kernel_of("observe", type(tree)), kinds_of(given), "observe")
        row = states[0]
        if self.pushes:
            given = (held.laws, held.commands, 0.0, True, row, row, row, row)
            self.part(command, kinds_of(given), "command")
        if self.served:
            given = (held.laws, held.commands, y, states, states, states, states)
            self.part(drive_torques, kinds_of(given), "drive_torques")
        return [f"ADDRESS(KERNEL({name}))" if found else "0" for name, found in sweeps.items()]

    def offsets(self) -> dict[str, int]:
        """Where the C text finds what it asks for; rooms that no kernel's record has are made."""
        program, layout, held = self.program, self.layout, self.program.held
        state = layout.place(held.memory.state).offset
        outputs = len(program.outputs)
        seen = 13 * self.points + self.nq + 3
        clock, counter = layout.place(held.memory.clock).offset, layout.place(held.memory.counter).offset
        at = {
            "END": 0,
            "LENGTH": 1,
            "INPUT": 2,
            "STATE": state,
            "CLOCK": clock + Clock._fields.index("time"),
            "BEGUN": counter + Count._fields.index("begun"),
            "SETTINGS": layout.place(held.settings).offset,
            "SEEN": layout.place(program.run.now).offset if isinstance(program.run, Followed) else state,
            "X": layout.place(program.run.seen.x).offset if isinstance(program.run, Followed) else 0,
        }
        rooms = {
            "LINEAR": outputs,
            "OUTPUT": outputs,
            "PERIOD": 2,
            "TIME": 1,
            "POINTS": seen if self.observes else 0,
            "RIGID": seen if self.rigid else 0,
            "FLAT": 3 * self.nq if self.rigid else 0,
            "TORQUE": 4 * self.nq + 2 * self.servos if self.pushes or self.served else 0,
            "WORK": program.work.size if self.observes else 0,
        }
        for name, size in rooms.items():
            at[name] = layout.room(size)
        for name in ("STALE", "STATUS", "PERIODS", "MARK"):
            at[name] = layout.room(1, kind="COUNT")
        return at

    def source(self) -> Source:
        """The program as text and object code."""
        program, layout, held = self.program, self.layout, self.program.held
        sweeps = self.compile()
        at = self.offsets()
        record = layout.places(program.run, self.local)
        tree = layout.places(program.tree)
        words = sum(5 + 2 * len(each.shape) for each in tree)
        numbers, counts = self._fresh(at)
        mark = self._mark(at)
        counts[at["MARK"]] = mark
        observed = [layout.arguments(each) for each in self._observed] if self.observes else [""] * 4
        first, seventh, number = _WORDS.get(self.made_for if self.made_for != NATIVE else level(), (0, 0, 1))
        macros: dict[str, Any] = {
            "COORDINATES": self.nq,
            "INPUTS": len(program.inputs),
            "OUTPUTS": len(program.outputs),
            "POINTS": self.points,
            "SERVOS": self.servos if self.served else 0,
            "PUSHES": int(self.pushes),
            "OBSERVES": int(self.observes),
            "RIGID": int(self.rigid),
            "LEVEL": number,
            "FIRST_WORD": f"{first}u",
            "SEVENTH_WORD": f"{seventh}u",
            "STEP_SHARE": float(STEP_SHARE).hex(),
            "GREATEST_SHARE": float(GREATEST_SHARE).hex(),
            "REACH": float(self.compiled.reach).hex(),
            "MARK": f"INT64_C({mark})",
            "NOT_A_NUMBER": NOT_A_NUMBER,
            "TIME_PASSED": TIME_PASSED,
            "NO_PROCESSOR": NO_PROCESSOR,
            "OTHER_ARM": OTHER_ARM,
            "TREE_WORDS": words,
            "TREE_PLACES": len(tree),
            "RECORD_PLACES": len(record),
            "RECORD_WORDS": sum(5 + 2 * len(each.shape) for each in record),
            "SWEEP_ADDRESSES": ", ".join(sweeps),
            "WORK_ROWS": program.work.shape[0],
            "WORK_COLUMNS": program.work.shape[1],
            "OBSERVED_TREE": observed[0],
            "OBSERVED_LOADS": observed[1],
            "OBSERVED_LAWS": observed[2],
            "OBSERVED_POINTS": observed[3],
            "RUN_LAWS": layout.arguments(held.laws),
            "RUN_COMMANDS": layout.arguments(held.commands),
            **{f"AT_{name}": offset for name, offset in at.items()},
            **{kind: k for k, kind in enumerate(KINDS)},
        }
        tables = [
            doubles("constants", layout.constants),
            integers("int64_t", "wholes", layout.wholes),
            doubles("fresh_numbers", numbers),
            integers("int64_t", "fresh_counts", counts),
            record_tables("record", record),
            record_tables("tree", tree),
            integers("unsigned char", "output_kind", [look.kind for look in program.looks]),
            integers("int", "output_index", [look.where for look in program.looks]),
            integers("unsigned char", "driven", self.compiled.driven.astype(int).tolist()),
            self._elastic(),
            names_table(f"{self.name}_input_names", program.inputs),
            names_table(f"{self.name}_input_units", program.input_units),
            names_table(f"{self.name}_output_names", program.outputs),
            names_table(f"{self.name}_output_units", program.output_units),
            names_table(f"{self.name}_coordinate_names", self.compiled.coordinate_names),
            self._integrators(),
        ]
        version = versions()["flexarm"]
        text = "\n".join(
            [
                f"/* {_commented(self.compiled.arm.name)}: tables, and what reads them; by flexarm {version} */",
                f'#include "{self.name}.h"',
                *(f"#include <{name}.h>" for name in ("float", "math", "stddef", "string")),
                "#if defined(__x86_64__)\n#include <cpuid.h>\n#endif",
                "",
                f"typedef {self.name} arm;",
                f"#define FUNCTION(name) {self.name}_##name",
                f"#define KERNEL(name) {self.name}_kernel_##name",
                *(f"#define {name} {value}" for name, value in macros.items()),
                "enum { CONSTANT, WHOLE, NUMBER, COUNT, TREE, SWEEPS, ADVANCE, KINDS };",
                "typedef struct place { int word, kind; } place;",
                "",
                *(prototype(part) for part in self.parts),
                "",
                *tables,
                "",
                glue("arm.c").replace("MESSAGES\n", _messages()),
            ]
        )
        return Source(
            self.name, self._header(layout.sizes), text, self._example(), tuple(self.parts), f"{mark % 2**64:016x}"
        )

    def _elastic(self) -> str:
        elastic = np.zeros(self.nq, int)
        elastic[self.compiled.elastic_coordinates] = 1
        return integers("unsigned char", "elastic", elastic.tolist()) if self.rigid else ""

    def _integrators(self) -> str:
        """The function that gives the integrators of the servos."""
        if not self.served:
            return ""
        if isinstance(self.program.run, Followed):
            return "#define integrators(self, room) ((self)->numbers + AT_X)"
        rows = [State._fields.index("x") * self.nq + int(c) for c in self.compiled.commands.servo_coordinate]
        room = "room[3 * COORDINATES + {}] = self->numbers[AT_STATE + {}];"
        filling = " ".join(room.format(j, row) for j, row in enumerate(rows))
        head = "static double *integrators(const arm *self, double *room)"
        return f"{head} {{ {filling} return room + 3 * COORDINATES; }}"

    def _fresh(self, at: dict[str, int]) -> tuple[list[float], list[int]]:
        """Numbers and counts at the start, up to the last that is not zero."""
        program, layout = self.program, self.layout
        sizes = layout.sizes
        numbers, counts = np.zeros(sizes[0]), np.zeros(sizes[1], np.int64)
        numbers[: len(layout.numbers)], counts[: len(layout.counts)] = layout.numbers, layout.counts
        numbers[at["INPUT"] : at["INPUT"] + len(program.inputs)] = program.input_start
        numbers[at["END"]] = numbers[at["LENGTH"]] = program.end
        last = int(np.flatnonzero(numbers)[-1]) + 1 if numbers.any() else 1
        return numbers[:last].tolist(), counts.tolist()

    def _mark(self, at: dict[str, int]) -> int:
        """A number that tells states of this arm from those of others."""
        digest = hashlib.sha256(repr((self.layout.wholes, self.layout.sizes, self.program.outputs)).encode())
        digest.update(np.array(self.layout.constants).tobytes())
        return int(struct.unpack("<q", digest.digest()[:8])[0])

    def _header(self, sizes: tuple[int, int]) -> str:
        program = self.program
        groups = (
            ("input", program.inputs, program.input_units),
            ("output", program.outputs, program.output_units),
            ("coordinate", self.compiled.coordinate_names, self.compiled.coordinate_units),
        )
        tables = []
        for word, names, units in groups:
            known = dict.fromkeys(numbered(f"{self.name}_{word}", names))
            rows = [f"    {each}, /* {name} {unit} */" for each, name, unit in zip(known, names, units, strict=True)]
            if rows:
                tables += ["enum {", *rows, "};"]
            tables.append(f"extern {self.name.upper()}_API const char *const {self.name}_{word}_names[];")
            if word != "coordinate":
                tables.append(f"extern {self.name.upper()}_API const char *const {self.name}_{word}_units[];")
            tables.append("")
        return filled(
            glue("arm.h"),
            title=_commented(self.compiled.arm.name),
            version=versions()["flexarm"],
            platform=f"{sys.platform} {platform.machine()}, {self.made_for}",
            id=self.name,
            ID=self.name.upper(),
            coordinates=self.nq,
            inputs=len(program.inputs),
            outputs=len(program.outputs),
            period=repr(program.period),
            end=repr(program.end),
            numbers=sizes[0],
            counts=sizes[1],
            tables="\n".join(tables),
        )

    def _example(self) -> str:
        program = self.program
        seconds = program.end or 1000 * program.period
        setting = "" if not program.inputs else f"        {self.name}_set(&arm, 0, 0.0); /* {program.inputs[0]} */\n"
        periods = max(round(seconds / program.period), 1)
        words = {"id": self.name, "ID": self.name.upper(), "periods": periods, "setting": setting}
        return filled(glue("example.c"), seconds=f"{periods * program.period:.6g}", **words)


def written(program: Program, name: str, made_for: str) -> Source:
    """The program as text and object code, made for a level of processors."""
    return _Writer(program, name, made_for).source()


def _commented(name: str) -> str:
    """A name within a comment of C."""
    return name.replace("*/", "* /")


def _messages() -> str:
    found = {status: message for status, (_, message, _) in REASONS.items() if status > 0}
    rows = {0: "all is well", **_OWN_MESSAGES, **found}
    return "".join(f"    case {status}: return {quoted(message)};\n" for status, message in rows.items())
