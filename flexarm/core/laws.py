"""Laws of commands, under the name the sweeps know them by."""

from __future__ import annotations

from .time.commands import command
from .time.laws import law_value

__all__ = ["command", "law_value"]
