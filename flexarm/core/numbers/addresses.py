"""Compiled code called by its address, and trees read from records: so one time loop serves every kind of tree.

Numba compiles a caller anew for every type it is given. A time loop that is handed a record of numbers in place of a
tree, and the addresses of the tree's sweeps, is compiled once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, typeof
from numba.core import callconv, cgutils, extending, types
from numba.core.errors import TypingError
from numba.core.types.containers import BaseNamedTuple, BaseTuple, NamedTuple
from numba.np import arrayobj

from flexarm.core.tree.types import Ints

intrinsic: Any = extending.intrinsic  # compiled code calls such functions otherwise than their types tell


def record_of(parts: Any) -> Ints:
    """A named tuple of arrays as the compiled code sees it; valid as long as its arrays are."""
    words: list[int] = []
    _write(parts, words)
    return np.array(words, np.int64)


def _write(part: Any, words: list[int]) -> None:
    if isinstance(part, tuple):
        for each in part:
            _write(each, words)
        return
    if not part.flags.c_contiguous:
        raise ValueError("compiled code takes arrays without gaps only")
    # numba's own order: who owns it (nobody has to), size, bytes of an entry, where it lies, shape, strides
    words += (0, 0, part.size, part.itemsize, part.__array_interface__["data"][0], *part.shape, *part.strides)


def layout_of(parts: Any) -> Any:
    """The type of what a record of this named tuple of arrays stands for."""
    return _canonical(typeof(parts))


def _canonical(ty: Any) -> Any:
    if isinstance(ty, BaseNamedTuple):
        return NamedTuple([_canonical(each) for each in ty.types], ty.instance_class)
    return types.Array(ty.dtype, ty.ndim, "C")


def kinds_of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The types of the arguments of a kernel as Python would hand them over."""
    return tuple(typeof(each) for each in arguments)


nothing = types.none  # what a kernel returns that only fills arrays


def read_as(layout: Any, name: str) -> Any:
    """A function for compiled code: what the record at hand stands for, which must be of this type."""

    def read(typingctx: Any, record: Any) -> Any:
        def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = arrayobj.make_array(sig.args[0])(context, builder, args[0]).data
            kind = context.get_value_type(layout)
            return builder.load(builder.bitcast(data, kind.as_pointer()))

        return layout(record), lowered

    read.__name__ = f"read_{name}"
    return intrinsic(read)


def caller(name: str, result: Any, *, outcome: bool = False) -> Any:
    """A function for compiled code that calls a kernel by its address with a tuple of arguments; `result`: the type of
    what comes back, from the types of the arguments. With `outcome` that is 0, or 1 if an exception was raised, of a
    kernel that only fills arrays.
    """

    def call(typingctx: Any, address: Any, given: Any) -> Any:
        if not isinstance(given, BaseTuple):
            return None
        for ty in given.types:
            if isinstance(ty, types.Array) and ty.layout != "C":
                raise TypingError(f"{name} takes arrays without gaps only, not {ty}")
        back = result(given.types)

        def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            convention = context.call_conv
            kinds = tuple(sig.args[1].types)
            parts = cgutils.unpack_tuple(builder, args[1], len(kinds))
            function = convention.get_function_type(back, kinds)
            pointer = builder.inttoptr(args[0], function.as_pointer())
            room = cgutils.alloca_once(builder, convention.get_return_type(back).pointee)
            builder.store(cgutils.get_null_value(room.type.pointee), room)
            # kernels raise nothing, laws of users may: what they would say of an exception is not looked at
            raised = cgutils.alloca_once(builder, function.args[1].pointee)
            packed = convention._get_arg_packer(kinds).as_arguments(builder, parts)
            code = builder.call(pointer, [room, raised, *packed])
            if outcome:
                fine = [builder.icmp_signed("==", code, each) for each in (callconv.RETCODE_OK, callconv.RETCODE_NONE)]
                return builder.zext(builder.not_(builder.or_(*fine)), context.get_value_type(types.int64))
            return context.get_returned_value(builder, back, builder.load(room))

        return (types.int64 if outcome else back)(types.int64, given), lowered

    call.__name__ = f"call_{name}"
    return intrinsic(call)


def address_of(kernel: Any, arguments: tuple[Any, ...]) -> int:
    """Where the machine code of a kernel lies; it is compiled for these types, or taken from the cache."""
    kernel.compile(arguments)
    compiled = kernel.overloads[arguments]
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    if address == 0:
        raise RuntimeError(f"{kernel.__name__} has no machine code")
    return address


def law_address(function: Any) -> tuple[int, Any]:
    """Where the machine code of a law(t, y, u, x) lies that was written by a user, and what keeps it there; 0 if it
    cannot be compiled. Unlike kernels it may allocate, and places beyond an array's end raise.
    """
    vector = types.Array(types.float64, 1, "C")
    arguments = (types.float64, vector, vector, vector)
    try:
        kernel = njit(function, error_model="numpy", boundscheck=True)
        address = address_of(kernel, arguments)
    except Exception:  # whatever numba raises of Python that it does not know
        return 0, None
    return (address, kernel) if kernel.overloads[arguments].signature.return_type == types.none else (0, None)
