"""A result as a notebook shows it, without knowing who draws it."""

from importlib import import_module
from typing import Any


def displayed(result: Any) -> str:
    """HTML of the result, for notebooks: results take it for their `_repr_html_`."""
    # Results lie below the package that draws them: it is imported by name, when one is shown.
    shown: str = import_module("flexarm.report.notebook").html_of(result)
    return shown
