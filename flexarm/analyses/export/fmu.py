"""An arm as a unit of co-simulation (FMU): the C library, the functions of the interface, and their description."""

from __future__ import annotations

import io
import platform
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from flexarm.analyses.export.description import VERSIONS, description, token_of
from flexarm.analyses.export.library import SHARED, compiled_parts, level_of
from flexarm.analyses.export.literals import identifier
from flexarm.analyses.export.program import coordinates_to_start, program_of
from flexarm.analyses.export.source import filled, glue, written
from flexarm.analyses.export.toolchain import toolchain
from flexarm.errors import AnalysisError
from flexarm.files import write_whole
from flexarm.model import Arm
from flexarm.model.reading.messages import either, meant, shown

# Names of this machine in both versions of the interface.
_SYSTEMS = {"linux": ("linux", "linux"), "darwin": ("darwin", "darwin"), "win32": ("win", "windows")}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def folder_of(version: str) -> str:
    """The folder of binaries for this machine."""
    machine = platform.machine().lower()
    machine = _MACHINES.get(machine, machine)
    old, new = _SYSTEMS.get(sys.platform, (sys.platform, sys.platform))
    if version == "2.0":
        return f"{old}64" if machine == "x86_64" else f"{machine}-{new}"
    return f"{machine}-{new}"


def write_fmu(
    arm: Arm,
    path: Path,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    end: float | None = None,
    period: float | None = None,
    processor: str | None = None,
    fmi: str = "2.0",
) -> str:
    """The description of the unit that is written."""
    if fmi not in VERSIONS:
        raise AnalysisError(f"fmi is {shown(fmi)}, must be {either(VERSIONS)}{meant(fmi, VERSIONS)}")
    made_for, tools = level_of(processor), toolchain()
    program = program_of(arm, inputs, outputs, end, period)
    name = identifier(path.stem)
    source = written(program, name, made_for)
    token = token_of(program, name, source.mark)
    joints = coordinates_to_start(program)
    words = {
        "id": name,
        "ID": name.upper(),
        "token": token,
        "tolerance": program.tolerance.hex(),
        "step": float(program.step).hex(),
        "starts": len(joints),
        "start_coordinates": ", ".join(str(c) for c in joints.values()) or "0",
    }
    text = description(program, name, token, fmi)
    with tempfile.TemporaryDirectory(prefix="flexarm-fmu-") as making:
        room = Path(making)
        # what is seen from outside are the functions of the interface alone
        hidden = f"-D{name.upper()}_API="
        parts = compiled_parts(source, tools, room, hidden)
        functions = room / f"{name}_fmi.c"
        functions.write_text(filled(glue("fmu.c") + glue(f"fmi{fmi[0]}.c"), **words), encoding="utf-8")
        tools.compile(functions, functions.with_suffix(".o"), hidden)
        shared = room / f"{name}{SHARED}"
        tools.link_shared([*parts, functions.with_suffix(".o")], shared)
        entries = {
            "modelDescription.xml": text.encode(),
            f"binaries/{folder_of(fmi)}/{shared.name}": shared.read_bytes(),
        }
    write_whole(path, [_zipped(entries)])
    return text


def _zipped(entries: dict[str, bytes]) -> bytes:
    """An archive that depends on its contents alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in entries.items():
            row = zipfile.ZipInfo(name)
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = 0o755 << 16
            archive.writestr(row, contents)
    return buffer.getvalue()
