"""Numbers in lanes, under the name the sweeps know them by."""

from __future__ import annotations

from .numbers.lanes import LANES, select

__all__ = ["LANES", "select"]
