"""Readers of matrices, lists of names and of numbers, delays in samples, and names of files, for controllers."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flexarm.model.reading.messages import quoted, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, entries

_SAMPLES = re.compile(r"(\d+(?:\.\d*)?|\.\d+) samples?")
_NUMBER = {"anyOf": [{"type": "number"}, {"type": "string"}]}


class Names(Reader):
    """A list of names."""

    def __init__(self, *, optional: bool = False) -> None:
        self.optional = optional

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The names."""
        if value is None and self.optional:
            return None
        found = entries(value)
        if not found or not all(isinstance(each, str) and each and each.isprintable() for each in found):
            raise refusal(f"is {shown(value)}, must be a list of names")
        return tuple(found)

    def write(self, value: Any, owner: Any) -> Any:
        """The names."""
        return list(value)

    def schema(self) -> dict[str, Any]:
        """A list of texts."""
        return {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1}


class Numbers(Reader):
    """A list of numbers, or a table of names to numbers."""

    def __init__(self, unit: str | Mapping[str, str], *, table: bool = False, optional: bool = False) -> None:
        self.table, self.optional = table, optional
        self.one = Quantity(unit) if isinstance(unit, str) else Quantity(unit, by="")

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The numbers in SI units."""
        from flexarm.model.parts.part import Catalogue

        if value is None and self.optional:
            return None
        unit = self.one.units.get("")
        if self.table:
            if not isinstance(value, Mapping) or not all(isinstance(name, str) and name for name in value):
                raise refusal(f"is {shown(value)}, must be a table of names to numbers")
            return Catalogue({name: self.one.read_one(each, unit, f"[{quoted(name)}]") for name, each in value.items()})
        found = entries(value)
        if not found:
            raise refusal(f"is {shown(value)}, must be a list of numbers")
        return tuple(self.one.read_one(each, unit, f"[{k}]") for k, each in enumerate(found))

    def write(self, value: Any, owner: Any) -> Any:
        """The numbers."""
        return dict(value) if self.table else list(value)

    def schema(self) -> dict[str, Any]:
        """A list or a table."""
        if self.table:
            return {"type": "object", "additionalProperties": _NUMBER}
        return {"type": "array", "items": _NUMBER, "minItems": 1}


class Matrix(Reader):
    """A matrix of plain numbers as a list of rows; a list of numbers is one row."""

    def __init__(self, *, optional: bool = False) -> None:
        self.optional = optional

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The rows."""
        if value is None and self.optional:
            return None
        rows = entries(value.tolist() if hasattr(value, "tolist") else value)
        if not rows:
            raise refusal(f"is {shown(value)}, must be a matrix: a list of rows of numbers")
        nested = [entries(row) for row in rows]
        if all(row is None for row in nested):
            nested = [rows]
        plain, found = Quantity(""), []
        for i, row in enumerate(nested):
            if row is None or len(row) != len(nested[0] or ()):
                raise refusal(f"is {shown(value)}, must be a matrix: rows of equally many numbers")
            found.append(tuple(plain.read_one(each, "", f"[{i}][{j}]") for j, each in enumerate(row)))
        return tuple(found)

    def write(self, value: Any, owner: Any) -> Any:
        """Rows of numbers."""
        return [list(row) for row in value]

    def schema(self) -> dict[str, Any]:
        """Rows, or one row."""
        row = {"type": "array", "items": _NUMBER}
        return {"anyOf": [{"type": "array", "items": row, "minItems": 1}, row]}


class Delay(Reader):
    """A time, or a number of samples such as "1 sample"."""

    _time = Quantity("s", least=0)

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The time (s), or the text."""
        if isinstance(value, str) and "sample" in value:
            text = " ".join(value.split())
            if not _SAMPLES.fullmatch(text):
                raise refusal(f'is {shown(value)}, must be a number of samples such as "1 sample", or a time')
            return text
        return self._time.read(value, siblings)

    def write(self, value: Any, owner: Any) -> Any:
        """The text, or the time."""
        return value if isinstance(value, str) else self._time.write(value, owner)

    def schema(self) -> dict[str, Any]:
        """A number or a text."""
        return _NUMBER


class _OfFolder(Reader):
    """The name of a file, from the folder of the model file."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """What the name stands for."""
        return self.found(value, Path())

    def _called_by_pydantic(self, value: Any, info: Any) -> Any:
        folder = (info.context or {}).get("folder")
        return self.found(value, Path(folder) if folder is not None else Path())

    def found(self, value: Any, folder: Path) -> Any:
        """What the name stands for in this folder."""
        raise NotImplementedError

    def write(self, value: Any, owner: Any) -> Any:
        """What it is."""
        return value

    def schema(self) -> dict[str, Any]:
        """The name of a file."""
        return {"type": "string", "minLength": 1}


class MatrixFile(_OfFolder):
    """A NumPy file with matrices A, B, C and D; none of A, B and C where there are no states."""

    def found(self, value: Any, folder: Path) -> Any:
        """The matrices by their names."""
        if value is None or isinstance(value, dict):
            return value
        if not isinstance(value, str | Path) or not str(value).endswith(".npz"):
            raise refusal(f"is {shown(value)}, must be the name of a NumPy file such as lqg.npz")
        import numpy as np

        try:
            with np.load(folder / value, allow_pickle=False) as stored:
                held = {name: stored[name] for name in stored.files}
        except OSError as error:
            raise refusal(f"is {quoted(str(value))}, which cannot be read ({error.strerror or error})") from None
        except (ValueError, zipfile.BadZipFile):
            raise refusal(f"is {quoted(str(value))}, which is not a NumPy file of numbers") from None
        if "D" not in held:
            raise refusal(f"is {quoted(str(value))}, which has no D, must hold A, B, C and D")
        matrix = Matrix()
        return {name: matrix.read(held[name], {}) for name in "ABCD" if name in held and held[name].size}


class Library(_OfFolder):
    """The name of a shared library; one in the folder of the model file is found from everywhere."""

    def __init__(self, *, optional: bool = False) -> None:
        self.optional = optional

    def found(self, value: Any, folder: Path) -> Any:
        """The path of the library."""
        if value is None and self.optional:
            return None
        if not isinstance(value, str | Path) or not str(value) or not str(value).isprintable():
            raise refusal(f"is {shown(value)}, must be the name of a shared library")
        path = folder / value
        return str(path.resolve()) if path.is_file() else str(value)
