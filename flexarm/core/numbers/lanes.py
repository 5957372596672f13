"""Eight numbers in one: a type for compiled code that computes with eight samples at once.

A kernel written for numbers is compiled anew for lanes: every number becomes a vector of eight, one per sample, every
array of numbers an array of such vectors, and the instructions of the processor's vector unit do the rest. So there is
one source of the physics, and what is proved of it for one arm holds for eight.

Lanes have no truth: `if x > 0` on lanes does not compile. What depends on a number is written with `select`, which
takes numbers and lanes alike; a kernel that compiles for lanes therefore treats each lane by itself, and its bits do
not depend on what stands in the other lanes.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, extending, types
from numba.core.extending import (
    lower_builtin,
    lower_cast,
    models,
    overload,
    register_model,
)
from numba.core.typeconv import Conversion
from numba.core.types.containers import BaseNamedTuple, NamedTuple
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np import arrayobj

intrinsic: Any = extending.intrinsic  # compiled code calls such functions otherwise than their types tell

LANES = 8
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_BITS = ir.VectorType(ir.IntType(1), LANES)
_INDEX = ir.IntType(32)


class LaneType(types.Type):
    """The type of eight numbers side by side."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{LANES}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A plain number stands for eight equal ones."""
        if isinstance(other, types.Float | types.Integer):
            return Conversion.safe
        return None


class MaskType(types.Type):
    """The type of eight truths side by side."""

    def __init__(self) -> None:
        super().__init__(name=f"Mask{LANES}")


lane = LaneType()
mask = MaskType()


@register_model(LaneType)
class _LaneModel(models.PrimitiveModel):
    """Lanes lie in a vector register."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    """Truths lie in a mask register."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _BITS)


def _filled(builder: Any, value: Any, vector: Any) -> Any:
    """The value in every lane."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(
        first, ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES)
    )


@lower_cast(types.Float, LaneType)
@lower_cast(types.Integer, LaneType)
def _cast(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    value = context.cast(builder, value, fromty, types.float64)
    return _filled(builder, value, _VECTOR)


def _number(ty: Any) -> bool:
    return isinstance(ty, LaneType | types.Float | types.Integer)


def _binary(op: Any, instruction: str) -> None:
    class Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and lane in args and all(_number(ty) for ty in args):
                return signature(lane, lane, lane)
            return None

    infer_global(op)(Operation)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(args[0], args[1], flags=("contract",))

    lower_builtin(op, LaneType, LaneType)(lowered)


for _ops, _name in (
    ((operator.add, operator.iadd), "fadd"),
    ((operator.sub, operator.isub), "fsub"),
    ((operator.mul, operator.imul), "fmul"),
    ((operator.truediv, operator.itruediv), "fdiv"),
):
    for _op in _ops:
        _binary(_op, _name)


def _compare(op: Any, symbol: str) -> None:
    class Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and lane in args and all(_number(ty) for ty in args):
                return signature(mask, lane, lane)
            return None

    infer_global(op)(Operation)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fcmp_ordered(symbol, args[0], args[1])

    lower_builtin(op, LaneType, LaneType)(lowered)


for _op, _name in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
):
    _compare(_op, _name)


def _logic(op: Any, instruction: str) -> None:
    class Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and all(ty == mask for ty in args):
                return signature(mask, mask, mask)
            return None

    infer_global(op)(Operation)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(args[0], args[1])

    lower_builtin(op, MaskType, MaskType)(lowered)


_logic(operator.and_, "and_")
_logic(operator.or_, "or_")


@infer_global(operator.neg)
class _Negative(AbstractTemplate):
    """−x."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Lanes of lanes."""
        return signature(lane, lane) if args == (lane,) else None


@lower_builtin(operator.neg, LaneType)
def _negative(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0])


@infer_global(operator.invert)
class _Not(AbstractTemplate):
    """~truths."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Truths of truths."""
        return signature(mask, mask) if args == (mask,) else None


@lower_builtin(operator.invert, MaskType)
def _not(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _by_intrinsic(function: Any, name: str) -> None:
    """Lower a function of one number to LLVM's own for vectors."""

    class Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(lane, lane) if args == (lane,) else None

    infer_global(function)(Operation)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        callee = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f64")
        return builder.call(callee, args)

    lower_builtin(function, LaneType)(lowered)


_by_intrinsic(math.sqrt, "sqrt")
_by_intrinsic(math.floor, "floor")
_by_intrinsic(abs, "fabs")


# --- what kernels call by name, for numbers and lanes alike ---------------------------------------------------------


def select(truth, yes, no):  # type: ignore[no-untyped-def]
    """`yes` where true, else `no`."""
    return yes if truth else no


@intrinsic
def _select_lanes(typingctx: Any, truth: Any, yes: Any, no: Any) -> Any:
    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(args[0], args[1], args[2])

    return lane(mask, lane, lane), lowered


@overload(select)
def _select(truth, yes, no):  # type: ignore[no-untyped-def]
    if truth == mask:
        return lambda truth, yes, no: _select_lanes(truth, yes, no)
    return lambda truth, yes, no: yes if truth else no


@intrinsic
def any_lane(typingctx: Any, truth: Any) -> Any:
    """True if any lane is: for leaving out work that no lane needs, never for what a lane's numbers become."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(LANES), 0))

    return types.boolean(mask), lowered


@intrinsic
def get_lane(typingctx: Any, x: Any, index: Any) -> Any:
    """The number in a lane."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = builder.trunc(context.cast(builder, args[1], sig.args[1], types.int64), _INDEX)
        return builder.extract_element(args[0], at)

    return types.float64(lane, types.int64), lowered


def vectors_type(ty: Any, number: Any) -> Any:
    """The type of an array of numbers, or of a named tuple of arrays, seen as vectors of the given type."""
    if isinstance(ty, BaseNamedTuple):
        return NamedTuple([vectors_type(each, number) for each in ty.types], ty.instance_class)
    if isinstance(ty, types.Array) and ty.dtype == types.float64 and ty.layout == "C":
        # unaligned: NumPy does not align its arrays to vectors
        return types.Array(number, ty.ndim - 1, "C", readonly=False, aligned=False)
    return ty


def as_vectors(context: Any, builder: Any, ty: Any, value: Any, number: Any) -> Any:
    """The value seen as vectors of the given type."""
    if isinstance(ty, BaseNamedTuple):
        parts = [
            as_vectors(context, builder, each, builder.extract_value(value, k), number)
            for k, each in enumerate(ty.types)
        ]
        return context.make_tuple(builder, vectors_type(ty, number), parts)
    seen = vectors_type(ty, number)
    if seen == ty:
        return value
    old = arrayobj.make_array(ty)(context, builder, value)
    new = arrayobj.make_array(seen)(context, builder)
    arrayobj.populate_array(
        new,
        data=builder.bitcast(old.data, new.data.type),
        shape=cgutils.unpack_tuple(builder, old.shape)[:-1],
        strides=cgutils.unpack_tuple(builder, old.strides)[:-1],
        itemsize=ir.Constant(ir.IntType(64), 8 * LANES),
        meminfo=old.meminfo,
        parent=old.parent,
    )
    return new._getvalue()


@intrinsic
def in_lanes(typingctx: Any, x: Any) -> Any:
    """An array of numbers (…, LANES) as an array (…) of lanes, in named tuples too; it must be C-contiguous. Whole
    numbers stay as they are.
    """

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return as_vectors(context, builder, sig.args[0], args[0], lane)

    return vectors_type(x, lane)(x), lowered


def _one_type(ty: Any) -> Any:
    """The type of the numbers of one lane."""
    if isinstance(ty, BaseNamedTuple):
        return NamedTuple([_one_type(each) for each in ty.types], ty.instance_class)
    if isinstance(ty, types.Array) and ty.dtype == types.float64:
        return types.Array(types.float64, ty.ndim - 1, "A", readonly=False)
    return ty


def _one(context: Any, builder: Any, ty: Any, value: Any, j: Any) -> Any:
    """The numbers of lane j."""
    one = _one_type(ty)
    if isinstance(ty, BaseNamedTuple):
        parts = [_one(context, builder, each, builder.extract_value(value, k), j) for k, each in enumerate(ty.types)]
        return context.make_tuple(builder, one, parts)
    if one == ty:
        return value
    old = arrayobj.make_array(ty)(context, builder, value)
    new = arrayobj.make_array(one)(context, builder)
    *strides, step = cgutils.unpack_tuple(builder, old.strides)
    arrayobj.populate_array(
        new,
        data=cgutils.pointer_add(builder, old.data, builder.mul(step, j), old.data.type),
        shape=cgutils.unpack_tuple(builder, old.shape)[:-1],
        strides=strides,
        itemsize=old.itemsize,
        meminfo=old.meminfo,
        parent=old.parent,
    )
    return new._getvalue()


@intrinsic
def lane_of(typingctx: Any, x: Any, j: Any) -> Any:
    """The numbers of lane j in an array of numbers (…, LANES), in named tuples too; whole numbers stay as they are."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _one(context, builder, sig.args[0], args[0], args[1])

    return _one_type(x)(x, types.int64), lowered


def lane_zeros(shape: tuple[int, ...]) -> np.ndarray:
    """Zeros whose last axis is the lanes, beginning where a line of the processor's cache does.

    NumPy's own arrays begin anywhere, and each vector that lies across two lines costs two accesses.
    """
    size = math.prod(shape)
    loose = np.zeros(size + LANES - 1)
    begin = -(loose.__array_interface__["data"][0] // loose.itemsize) % LANES
    return loose[begin : begin + size].reshape(shape)
