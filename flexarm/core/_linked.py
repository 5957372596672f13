"""Functions that only other kernels call: linked into those, and neither optimised nor turned into machine code alone.

Numba makes a finished library of every function it compiles, with machine code and a C entry. What calls the function
holds its instructions and is optimised as a whole, so all of that is done in vain: a fifth of the time of compiling.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.targetconfig import TargetConfig


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Instructions to be linked into other libraries, of which the processor sees nothing."""

    @property
    def codegen(self) -> Any:
        """The code generator, which keeps no environment of a function that is not in memory."""
        return _NoEnvironment(self._codegen)

    def _optimize_final_module(self) -> None:
        """Nothing: the libraries it is linked into are optimised."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is no machine code."""
        return 0


class _LibraryApart(_Library):
    """The same, of a function that is called and never written into its callers."""

    def add_ir_module(self, ir_module: Any) -> None:
        """The function's own instructions, marked."""
        for function in ir_module.functions:
            if not function.is_declaration:
                function.attributes.add("noinline")
        super().add_ir_module(ir_module)


class _NoEnvironment:
    """A code generator that is asked to remember the Python environment of a function and does not."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """Nothing: kernels never turn to Python."""


class LinkedOnly(Compiler):  # type: ignore[misc]
    """Numba's pipeline, ending in a library that is only linked."""

    def compile_extra(self, func: Any) -> Any:
        """What numba keeps of a compiled function."""
        self.state.library = _Library(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class LinkedApart(Compiler):  # type: ignore[misc]
    """The same pipeline, for functions that are not written into their callers."""

    def compile_extra(self, func: Any) -> Any:
        """What numba keeps of a compiled function."""
        self.state.library = _LibraryApart(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


def _names_hash(self: TargetConfig) -> int:
    """The hash of the names of all options, as numba has it: it depends on the class alone."""
    kind = type(self)
    if kind not in _HASHES:
        _HASHES[kind] = hash(tuple(sorted(kind.options)))
    return _HASHES[kind]


def _same_values(self: TargetConfig, other: object) -> Any:
    """True if all options agree."""
    if not isinstance(other, TargetConfig):
        return NotImplemented
    if type(self) is type(other) and self._values == other._values:
        return True
    return self.values() == other.values()


_HASHES: dict[type, int] = {}
# The flags of a compilation are part of every key numba looks up; as it stands they cost a sixth of the compiling.
TargetConfig.__hash__ = _names_hash
TargetConfig.__eq__ = _same_values
