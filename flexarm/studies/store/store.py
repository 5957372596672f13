"""A study on disk: its complete input, and its samples in parts that are there whole or not at all.

    input.toml                the model with its distributions, and its requirements
    study.json                seed, method, outputs, times, versions, processor
    part-BEGIN-END-DIGEST.parquet    samples BEGIN … END − 1, see `parts`
    lock                      held by the one process that writes

A part is written under another name, flushed to the disk and renamed. Which samples are there is a listing of parts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from flexarm.files import flush_folder, write_whole
from flexarm.studies.execution.machine import cpu_class
from flexarm.studies.store.parts import TEMPORARY as _TEMPORARY
from flexarm.studies.store.parts import (
    DamagedPart,
    Part,
    damaged_parts,
    list_parts,
    read_part,
    seal,
    write_part,
)
from flexarm.studies.store.parts import StudyError as StudyError
from flexarm.studies.store.parts import ranges as ranges_of
from flexarm.studies.store.rows import Rows

if TYPE_CHECKING:
    from filelock import BaseFileLock

INPUT, STUDY_JSON, LOCK = "input.toml", "study.json", "lock"
_SHORT = 60  # characters of a value in a message
# Facts that may differ between the runs that fill one study: what is in the table does not depend on them.
_OF_THE_RUN = ("samples", "versions", "cpu")


@final
class StudyDirectory:
    """A study directory held open for writing by this process alone; close it, or use it in a with statement.

    `study_json` holds everything that determines the table, including the hash of the model's text. `samples` may grow
    from run to run unless the method needs their number.
    """

    def __init__(
        self, folder: str | os.PathLike[str], text: str, study_json: Mapping[str, Any], *, resume: bool
    ) -> None:
        self.folder = Path(folder)
        self.remarks: list[str] = []
        self._known: dict[tuple[int, int], Path] = {}  # parts that a new one of the same samples takes the place of
        self._lock = self._locked()
        try:
            # as they will be read again, so that they can be compared
            self._begun(text, json.loads(json.dumps(study_json)), resume)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> StudyDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the lock; closing twice does no harm."""
        self._lock.release()

    def missing(self, samples: int) -> list[tuple[int, int]]:
        """Ranges of samples below `samples` that are in no part, in order."""
        gaps, at = [], 0
        for begin, end, *_ in self._parts():
            if begin >= samples:
                break
            if begin > at:
                gaps.append((at, begin))
            at = max(at, end)
        return [*gaps, (at, samples)] if at < samples else gaps

    def write(self, rows: Rows, *, cpu: str | None = None) -> None:
        """Put the rows into a part of their own: on return they are on the disk. `cpu` is what they were run on."""
        part = write_part(self.folder, rows, cpu or cpu_class())
        before = self._known.get((rows.begin, rows.end))
        self._known[rows.begin, rows.end] = part.path
        if before is not None and before != part.path:
            with suppress(OSError):
                before.unlink(missing_ok=True)

    def stored(self) -> StoredStudy:
        """The samples that are there."""
        return StoredStudy(self.folder)

    # --- Beginning ---------------------------------------------------------------------------------------------------

    def _locked(self) -> BaseFileLock:
        """The lock of the folder, held until it is released or the process ends; a second process is refused."""
        from filelock import FileLock, Timeout

        place = self.folder / LOCK
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            place.touch()  # the lock itself would wait for a folder that cannot be written
        except FileExistsError:
            raise StudyError(f"{self.folder}: is a file, a study is kept in a folder") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise StudyError(f"{self.folder}: no study can be kept there: {reason}") from None
        lock = FileLock(place, thread_local=False)  # any thread of the study may close it
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise StudyError(f"{self.folder}: another process is working on this study, must end first") from None
        return lock

    def _begun(self, text: str, study_json: dict[str, Any], resume: bool) -> None:
        """Take up the study that is there, or begin one."""
        for left in self.folder.glob(f"{_TEMPORARY}*"):
            left.unlink(missing_ok=True)
        if (self.folder / STUDY_JSON).exists():
            kept = _read_study_json(self.folder)
            if not resume:
                raise StudyError(f"{self.folder}: holds a study already, must be resumed (--resume) or empty")
            _same_study(self.folder, study_json, kept)
            if kept.get("cpu") != study_json.get("cpu"):
                self.remarks.append(f"begun on another processor, {kept.get('cpu')}: last digits of rows may differ")
            self._drop_damaged()
            study_json["samples"] = max(int(study_json["samples"]), int(kept["samples"]))
            study_json["versions"], study_json["cpu"] = kept["versions"], kept["cpu"]
            if study_json == kept and (self.folder / INPUT).read_text(encoding="utf-8") == text:
                return
        elif any(self._parts()):
            raise StudyError(
                f"{self.folder}: holds parts of a study without its {STUDY_JSON}, must be a study or empty"
            )
        # study.json comes last: a study that has it has its input
        described = json.dumps(study_json, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        for name, contents in ((INPUT, text), (STUDY_JSON, described)):
            write_whole(self.folder / name, contents, error=StudyError, temporary=_TEMPORARY)

    def _drop_damaged(self) -> None:
        """Remove parts that cannot be read whole, whose samples are then computed anew."""
        parts, sealed = self._parts(), 0
        damaged = damaged_parts(parts)
        for part in damaged:
            part.path.unlink(missing_ok=True)
        for part in parts:
            if part not in damaged:
                sealed += part.digest is None
                self._known[part.begin, part.end] = seal(part).path
        if damaged:
            self.remarks.append(f"{ranges_of(damaged)} were damaged on the disk and are computed anew")
        if sealed:
            flush_folder(self.folder)
            self.remarks.append(f"{sealed} parts of an earlier version had no checksum of their files and have one now")

    def _parts(self) -> list[Part]:
        return list_parts(self.folder)


@final
class StoredStudy:
    """The samples of a study directory, read part by part in the order of their numbers.

    `temporary` is what removes the folder when nobody holds it any more.
    """

    def __init__(self, folder: str | os.PathLike[str], *, temporary: Any = None) -> None:
        self.folder = Path(folder)
        self.temporary = temporary
        self.study_json = _read_study_json(self.folder)
        self.text = (self.folder / INPUT).read_text(encoding="utf-8")

    def blocks(self, columns: Sequence[str] | None = None, *, samples: int | None = None) -> Iterator[Rows]:
        """The rows of every part, each sample once, in order; only the named columns if they are named."""
        at = 0
        for part in list_parts(self.folder):
            begin, end = part.begin, part.end
            if end <= at:
                continue
            if samples is not None and begin >= samples:
                return
            try:
                rows = read_part(part, columns)
            except DamagedPart as error:
                raise self._damage(damaged_parts(list_parts(self.folder)), error) from None
            first, last = max(at - begin, 0), (end if samples is None else min(end, samples)) - begin
            yield rows if (first, last) == (0, end - begin) else rows.some(first, last)
            at = end

    def check(self) -> None:
        """Refuse the study where any of its parts is damaged, with all samples that are to be run again."""
        if damaged := damaged_parts(list_parts(self.folder)):
            raise self._damage(damaged)

    @property
    def unsealed(self) -> int:
        """Number of parts of an earlier version, which have no checksum of their files."""
        return sum(part.digest is None for part in list_parts(self.folder))

    def _damage(self, damaged: Sequence[Part], error: StudyError | None = None) -> StudyError:
        """The error that reports damaged parts; `error` itself where a second look finds none."""
        if not damaged:
            return error or StudyError(f"{self.folder}: a part is damaged")
        more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        return StudyError(
            f"{damaged[0].path}{more}: damaged on the disk; {ranges_of(damaged)} must be run again, the command of the "
            "study with --resume runs these and no others"
        )

    def table(self, columns: Sequence[str] | None = None) -> Rows:
        """All rows at once."""
        return Rows.joined(list(self.blocks(columns)))


def keep_summary(folder: str | os.PathLike[str], name: str, found: Mapping[str, Any]) -> None:
    """Put a study's merged statistics beside its parts."""
    write_whole(
        Path(folder) / f"{name}.json",
        json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1) + "\n",
        error=StudyError,
    )


def _read_study_json(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / STUDY_JSON).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StudyError(f"{folder}: is no study, must hold {STUDY_JSON}") from None
    except (OSError, ValueError) as error:
        raise StudyError(f"{folder / STUDY_JSON}: cannot be read: {' '.join(str(error).split())[:120]}") from None
    if not isinstance(found, dict) or "samples" not in found:
        raise StudyError(f"{folder / STUDY_JSON}: is not what a study keeps there")
    return found


def _same_study(folder: Path, study_json: dict[str, Any], kept: dict[str, Any]) -> None:
    """Refuse another input than the one the study was begun with."""
    if kept.get("model") != study_json.get("model"):
        raise StudyError(f"{folder}: was begun with another model, see its {INPUT}; choose another folder")
    free = _OF_THE_RUN if study_json.get("method") != "lhs" else _OF_THE_RUN[1:]
    for key in [*kept, *study_json]:
        if key not in free and kept.get(key) != study_json.get(key):
            place, was, now = _differing(key, kept.get(key), study_json.get(key))
            raise StudyError(f"{folder}: was begun with {place} = {was}, not {now}; choose another folder")
    was, now = (each.get("versions", {}).get("flexarm") for each in (kept, study_json))
    if was != now:
        raise StudyError(f"{folder}: was begun by flexarm {was}, this is {now}; choose another folder")


def _differing(place: str, was: Any, now: Any) -> tuple[str, str, str]:
    """The innermost key at which two values first differ, and a short text of each value there."""
    if isinstance(was, dict) and isinstance(now, dict):
        key = next(key for key in [*was, *now] if key not in was or key not in now or was[key] != now[key])
        return _differing(f"{place}.{key}", was.get(key), now.get(key))
    if isinstance(was, list) and isinstance(now, list):
        if len(was) == len(now):
            k = next(k for k in range(len(was)) if was[k] != now[k])
            return _differing(f"{place}[{k}]", was[k], now[k])
        if max(len(json.dumps(each)) for each in (was, now)) > _SHORT:
            return place, f"{len(was)} entries", str(len(now))
    texts = [json.dumps(each, ensure_ascii=False) for each in (was, now)]
    if max(map(len, texts)) > _SHORT:
        same = next((k for k, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), 0)
        begin = max(same - 10, 0)
        texts = [("..." * bool(begin) + text[begin:]) for text in texts]
    first, second = (text if len(text) <= _SHORT else text[: _SHORT - 3] + "..." for text in texts)
    return place, first, second
