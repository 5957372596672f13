"""A folder with an arm as C: header, text, a static and a shared library, an example."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from flexarm.analyses.export.literals import identifier
from flexarm.analyses.export.program import program_of
from flexarm.analyses.export.source import Source, written
from flexarm.analyses.export.toolchain import Toolchain, toolchain
from flexarm.core._object import levels, usual_level
from flexarm.errors import AnalysisError
from flexarm.files import write_whole
from flexarm.model import Arm
from flexarm.model.reading.messages import either, meant, shown

SHARED = ".dylib" if sys.platform == "darwin" else ".so"


def level_of(processor: str | None) -> str:
    """The level of processors that is asked for, or the usual one."""
    if processor is None:
        return usual_level()
    known = levels()
    if processor not in known:
        raise AnalysisError(f"processor is {shown(processor)}, must be {either(known)}{meant(processor, known)}")
    return processor


def compiled_parts(source: Source, tools: Toolchain, folder: Path, *flags: str) -> list[Path]:
    """The object files of a program, in a folder that is there."""
    found = []
    for part in source.parts:
        path = folder / f"{part.name}.o"
        path.write_bytes(part.code)
        found.append(path)
    (folder / f"{source.name}.h").write_text(source.header, encoding="utf-8")
    text = folder / f"{source.name}.c"
    text.write_text(source.text, encoding="utf-8")
    tools.compile(text, folder / f"{source.name}.o", *flags)
    return [folder / f"{source.name}.o", *found]


def write_library(
    arm: Arm,
    folder: Path,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    end: float | None = None,
    period: float | None = None,
    processor: str | None = None,
) -> str:
    """The header of the library written into the folder, which is made if it is not there."""
    made_for, tools = level_of(processor), toolchain()
    program = program_of(arm, inputs, outputs, end, period)
    source = written(program, identifier(folder.resolve().name), made_for)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        raise AnalysisError(f"{folder}: cannot be made: {(failed.strerror or str(failed)).lower()}") from None
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as making:
        room = Path(making)
        parts = compiled_parts(source, tools, room)
        static, shared = room / f"lib{source.name}.a", room / f"lib{source.name}{SHARED}"
        tools.archive(parts, static)
        tools.link_shared(parts, shared)
        for path in (static, shared):
            path.replace(folder / path.name)
    texts = {f"{source.name}.h": source.header, f"{source.name}.c": source.text, "example.c": source.example}
    for name, text in texts.items():
        write_whole(folder / name, text)
    return source.header
