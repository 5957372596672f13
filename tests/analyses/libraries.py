"""Exported C libraries as Python calls them: through their shared library, as any program would."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np

SHARED = ".so"


class Library:
    """One arm of a library in a folder."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.library = ctypes.CDLL(str(folder / f"lib{self.name}{SHARED}"))
        header = (folder / f"{self.name}.h").read_text()
        self.sizes = {
            word: int(re.search(rf"{word} (\d+)", header)[1]) for word in ("_INPUTS", "_OUTPUTS", "_COORDINATES")
        }
        for word in ("read", "get", "time", "start_position"):
            self._function(word).restype = ctypes.c_double
        self._function("size").restype = ctypes.c_size_t
        self._function("message").restype = ctypes.c_char_p
        self.own = self.another()
        self.inputs = self._names("input", self.sizes["_INPUTS"])
        self.outputs = self._names("output", self.sizes["_OUTPUTS"])

    def another(self):
        """Room for one more arm."""
        return ctypes.create_string_buffer(self._function("size")())

    def _function(self, word: str):
        return getattr(self.library, f"{self.name}_{word}")

    def _names(self, word: str, count: int) -> list[str]:
        table = (ctypes.c_char_p * count).in_dll(self.library, f"{self.name}_{word}_names")
        return [each.decode() for each in table]

    def call(self, word: str, *given, arm=None):
        """What a function of the header returns."""
        words = [ctypes.c_double(each) if isinstance(each, float) else each for each in given]
        return self._function(word)(self.own if arm is None else arm, *words)

    def message(self, status: int) -> str:
        """What a status means."""
        return self._function("message")(status).decode()

    def read(self, arm=None) -> np.ndarray:
        """All outputs."""
        y = np.empty(self.sizes["_OUTPUTS"])
        self.call("read_all", y.ctypes.data_as(ctypes.c_void_p), arm=arm)
        return y

    def followed(self, times, arm=None) -> np.ndarray:
        """All outputs (times, outputs) of a run under the arm's own commands."""
        assert self.call("reset", arm=arm) == 0
        found = []
        for time in times:
            assert self.call("advance_to", float(time), arm=arm) == 0
            found.append(self.read(arm))
        return np.array(found)
