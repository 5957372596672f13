"""Which equation of NOTATION is being computed: generated statements carry its number."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_current: list[str] = [""]


def current() -> str:
    """The number of the equation that is being computed, empty outside of formulas."""
    return _current[-1]


def equation(number: str) -> Callable[[F], F]:
    """A decorator: what the function computes is this equation of NOTATION."""

    def named(function: F) -> F:
        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            _current.append(number)
            try:
                return function(*args, **options)
            finally:
                _current.pop()

        return call  # type: ignore[return-value]

    return named
