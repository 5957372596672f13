"""The parts a study's samples are kept in: Parquet files whose name bears the digest of all their bytes.

    part-BEGIN-END-DIGEST.parquet     samples BEGIN … END − 1; DIGEST: the first 16 hexadecimal digits of SHA-256

A part gets its name, and with it its digest, in the one rename that makes it a part, so that the two belong together
whenever the writer is killed. Whoever reads a part reads all of its bytes and compares: any flipped bit is found, also
one that no column depends on. Parts without a digest in their name, of earlier versions, have a checksum over their
contents alone.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.files import write_whole
from flexarm.studies.store.rows import OK, Rows

TEMPORARY = ".unfinished-"
_PART = re.compile(r"part-(\d{12})-(\d{12})(?:-([0-9a-f]{16}))?\.parquet")


class StudyError(FlexarmError):
    """A study directory that cannot be used as asked; the message says why."""


class DamagedPart(StudyError):
    """A part that is not what was written."""


class Part(NamedTuple):
    """A file of samples: its range, where it is, and the digest in its name (none: of an earlier version)."""

    begin: int
    end: int
    path: Path
    digest: str | None


def list_parts(folder: Path) -> list[Part]:
    """Every part of a folder, by begin."""
    found = []
    for path in folder.glob("part-*.parquet"):
        if match := _PART.fullmatch(path.name):
            found.append(Part(int(match[1]), int(match[2]), path, match[3]))
    return sorted(found, key=lambda part: part[:3])


def ranges(parts: Sequence[Part]) -> str:
    """The samples of the parts in words: "samples 0 to 63, 128 to 191"."""
    joined: list[list[int]] = []
    for part in parts:
        if joined and part.begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], part.end)
        else:
            joined.append([part.begin, part.end])
    return "samples " + ", ".join(f"{begin} to {end - 1}" for begin, end in joined)


def write_part(folder: Path, rows: Rows, cpu: str) -> Part:
    """The part the rows are put into, on the disk when this returns; `cpu` is what they were run on."""
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    sink = arrow.BufferOutputStream()
    table = _arrow(rows, cpu)
    parquet.write_table(table, sink, use_dictionary=False, compression="zstd", write_page_checksum=True)
    data = sink.getvalue()
    digest = _digest(data)
    target = folder / f"part-{rows.begin:012d}-{rows.end:012d}-{digest}.parquet"
    write_whole(target, [data], error=StudyError, temporary=TEMPORARY)
    return Part(rows.begin, rows.end, target, digest)


def seal(part: Part) -> Part:
    """The part under a name with the digest of its bytes; its contents have been read and are whole."""
    if part.digest is not None:
        return part
    digest = _digest(_bytes(part))
    target = part.path.with_name(f"{part.path.stem}-{digest}.parquet")
    os.replace(part.path, target)
    return Part(part.begin, part.end, target, digest)


def read_part(part: Part, columns: Sequence[str] | None = None) -> Rows:
    """The rows of one part, only the named columns if they are named; a damaged part is refused."""
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    data = _bytes(part)
    if part.digest is not None and _digest(data) != part.digest:
        raise DamagedPart(f"{part.path}: is damaged: its bytes do not fit the checksum in its name")
    # without a digest only all columns together have a checksum
    wanted = None if columns is None or part.digest is None else ["sample", *columns, "status", "reason"]
    try:
        with parquet.ParquetFile(arrow.BufferReader(data), page_checksum_verification=True) as file:
            table = file.read(wanted, use_threads=False)
        kept = table.schema.metadata or {}
        index = table.column("sample").to_numpy()
        names = [name for name in table.column_names if name not in ("sample", "status", "reason")]
        rows = Rows(
            int(index[0]),
            {name: table.column(name).to_numpy() for name in names},
            _texts(table.column("status")),
            _texts(table.column("reason")),
        )
        whole = part.digest is not None or kept.get(b"sha256", b"").decode() == _checksum(rows)
    except (OSError, ValueError, KeyError, IndexError, TypeError, arrow.ArrowException) as error:
        raise DamagedPart(f"{part.path}: is damaged: {' '.join(str(error).split())[:120]}") from None
    if not whole:
        raise DamagedPart(f"{part.path}: is damaged: its checksum does not fit its contents")
    if (rows.begin, rows.end) != (part.begin, part.end):
        raise DamagedPart(f"{part.path}: is damaged: it does not hold the samples of its name")
    if columns is not None and part.digest is None:
        rows = Rows(rows.begin, {name: rows.columns[name] for name in columns}, rows.status, rows.reason)
    return rows


def damaged_parts(parts: Sequence[Part]) -> list[Part]:
    """Those of the parts that are not what was written."""
    found = []
    for part in parts:
        try:
            read_part(part, [])
        except DamagedPart:
            found.append(part)
    return found


def _bytes(part: Part) -> bytes:
    try:
        return part.path.read_bytes()
    except OSError as error:
        raise DamagedPart(f"{part.path}: cannot be read: {(error.strerror or str(error)).lower()}") from None


def _digest(data: Any) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _texts(column: Any) -> list[str]:
    """The texts of a column, most of which are the first."""
    encoded = column.combine_chunks().dictionary_encode()
    words, which = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    found = words[:1] * len(which)
    for k in np.flatnonzero(which).tolist():
        found[k] = words[which[k]]
    return found


def _arrow(rows: Rows, cpu: str) -> Any:
    import pyarrow as arrow

    columns: dict[str, Any] = {"sample": np.arange(rows.begin, rows.end, dtype=np.int64)}
    columns |= {name: arrow.array(values) for name, values in rows.columns.items()}
    columns |= {"status": arrow.array(rows.status), "reason": arrow.array(rows.reason, arrow.string())}
    return arrow.table(columns).replace_schema_metadata({"sha256": _checksum(rows), "cpu": cpu})


def _checksum(rows: Rows) -> str:
    """Hash of everything in the rows, by bits."""
    digest = hashlib.sha256(f"{rows.begin} {rows.end}".encode())
    for name, values in rows.columns.items():
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(values))  # type: ignore[arg-type]
    lines = [f"{OK}\0\n"] * len(rows)
    for k in np.flatnonzero(~rows.valid | np.fromiter(map(bool, rows.reason), bool, len(rows))).tolist():
        lines[k] = f"{rows.status[k]}\0{rows.reason[k]}\n"
    digest.update("".join(lines).encode())
    return digest.hexdigest()
