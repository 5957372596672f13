"""Laws in shared libraries, called by the compiled loop."""

from __future__ import annotations

import ctypes
from functools import cache

from flexarm.analyses.plant.sampled_law import FunctionLaw
from flexarm.core.numbers.addresses import law_address
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import quoted


@cache
def library_law(path: str, symbol: str, states: int) -> FunctionLaw:
    """The law void symbol(double t, const double *y, double *u, double *x) of a shared library."""
    try:
        function = getattr(ctypes.CDLL(path), symbol)
    except OSError as error:
        raise AnalysisError(f"the library {quoted(path)} cannot be loaded: {error}") from None
    except AttributeError:
        raise AnalysisError(f"the library {quoted(path)} has no function {quoted(symbol)}") from None
    function.argtypes = [ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    function.restype = None

    def law(t: float, y: Floats, u: Floats, x: Floats) -> None:
        function(t, y.ctypes, u.ctypes, x.ctypes)

    address, kernel = law_address(law)
    if address == 0:
        raise AnalysisError(f"the function {quoted(symbol)} of {quoted(path)} cannot be called by compiled code")
    return FunctionLaw(law, states, address, kernel)
