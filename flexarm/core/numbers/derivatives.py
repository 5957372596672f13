"""A number and its derivatives in seven directions: a type for compiled code, in one vector register.

A kernel written for numbers is compiled anew for this type and then carries seven exact derivatives along (NOTATION,
section 19). The first entry of the vector is the value. Comparisons are of values, so that branches fall as they do for
numbers; where a kernel asks whether work with a number may be left out (`questions.is_zero`), a number that is zero but
changes may not.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, extending, types
from numba.core.extending import lower_builtin, lower_cast, models, register_model
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from .lanes import LANES, as_vectors, vectors_type

intrinsic: Any = extending.intrinsic  # compiled code calls such functions otherwise than their types tell

DIRECTIONS = LANES - 1
_DOUBLE, _INDEX = ir.DoubleType(), ir.IntType(32)
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_FLAGS = ("contract",)


class DerivedType(types.Type):
    """The type of a number with its derivatives."""

    def __init__(self) -> None:
        super().__init__(name=f"Derived{DIRECTIONS}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A plain number does not change."""
        if isinstance(other, types.Float | types.Integer):
            return Conversion.safe
        return None


derived_number = DerivedType()


@register_model(DerivedType)
class _DerivedModel(models.PrimitiveModel):
    """Value and derivatives lie in a vector register."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _everywhere(builder: Any, x: Any) -> Any:
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), x, ir.Constant(_INDEX, 0))
    return _value_everywhere(builder, first)


def _value_everywhere(builder: Any, x: Any) -> Any:
    zeros = ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES)
    return builder.shuffle_vector(x, ir.Constant(_VECTOR, ir.Undefined), zeros)


def _changes(builder: Any, x: Any) -> Any:
    """The derivatives alone: zero in place of the value."""
    order = ir.Constant(ir.VectorType(_INDEX, LANES), [LANES, *range(1, LANES)])
    return builder.shuffle_vector(x, ir.Constant(_VECTOR, [0.0] * LANES), order)


def _value(builder: Any, x: Any) -> Any:
    return builder.extract_element(x, ir.Constant(_INDEX, 0))


def _with_value(builder: Any, x: Any, value: Any) -> Any:
    return builder.insert_element(x, value, ir.Constant(_INDEX, 0))


def _constant(builder: Any, value: Any) -> Any:
    return _with_value(builder, ir.Constant(_VECTOR, [0.0] * LANES), value)


@lower_cast(types.Float, DerivedType)
@lower_cast(types.Integer, DerivedType)
def _cast(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return _constant(builder, context.cast(builder, value, fromty, types.float64))


def _plain(ty: Any) -> bool:
    return isinstance(ty, types.Float | types.Integer)


Lowered = Callable[[Any, Any, Any], Any]


def _binary(ops: tuple[Any, ...], both: Lowered, left: Lowered, right: Lowered) -> None:
    """Operations of two numbers: both with derivatives, only the left one, only the right one."""
    for op in ops:

        class Operation(AbstractTemplate):
            def generic(self, args: Any, kws: Any) -> Any:
                if len(args) != 2 or derived_number not in args:
                    return None
                if not all(ty == derived_number or _plain(ty) for ty in args):
                    return None
                return signature(derived_number, *(types.float64 if _plain(ty) else ty for ty in args))

        infer_global(op)(Operation)
        for kinds, how in (
            ((DerivedType, DerivedType), both),
            ((DerivedType, types.Float), left),
            ((types.Float, DerivedType), right),
        ):

            def lowered(context: Any, builder: Any, sig: Any, args: Any, how: Lowered = how) -> Any:
                return how(builder, args[0], args[1])

            lower_builtin(op, *kinds)(lowered)


def _times(b: Any, x: Any, y: Any) -> Any:
    # (xy)' = x'y + y'x
    whole = b.fmul(x, _value_everywhere(b, y), flags=_FLAGS)
    return b.fadd(whole, b.fmul(_changes(b, y), _value_everywhere(b, x), flags=_FLAGS), flags=_FLAGS)


def _over(b: Any, x: Any, y: Any) -> Any:
    # (x/y)' = (x' − y' x/y)/y
    y0 = _value(b, y)
    quotient, inverse = b.fdiv(_value(b, x), y0), b.fdiv(ir.Constant(_DOUBLE, 1.0), y0)
    rest = b.fsub(x, b.fmul(_changes(b, y), _everywhere(b, quotient), flags=_FLAGS), flags=_FLAGS)
    return _with_value(b, b.fmul(rest, _everywhere(b, inverse), flags=_FLAGS), quotient)


def _plain_over(b: Any, x: Any, y: Any) -> Any:
    y0 = _value(b, y)
    quotient = b.fdiv(x, y0)
    slope = b.fneg(b.fdiv(quotient, y0))
    return _with_value(b, b.fmul(y, _everywhere(b, slope), flags=_FLAGS), quotient)


_binary(
    (operator.add, operator.iadd),
    lambda b, x, y: b.fadd(x, y, flags=_FLAGS),
    lambda b, x, y: b.fadd(x, _constant(b, y), flags=_FLAGS),
    lambda b, x, y: b.fadd(_constant(b, x), y, flags=_FLAGS),
)
_binary(
    (operator.sub, operator.isub),
    lambda b, x, y: b.fsub(x, y, flags=_FLAGS),
    lambda b, x, y: b.fsub(x, _constant(b, y), flags=_FLAGS),
    lambda b, x, y: b.fsub(_constant(b, x), y, flags=_FLAGS),
)
_binary(
    (operator.mul, operator.imul),
    _times,
    lambda b, x, y: b.fmul(x, _everywhere(b, y), flags=_FLAGS),
    lambda b, x, y: b.fmul(_everywhere(b, x), y, flags=_FLAGS),
)
_binary(
    (operator.truediv, operator.itruediv),
    _over,
    lambda b, x, y: b.fdiv(x, _everywhere(b, y), flags=_FLAGS),
    _plain_over,
)


def _compare(op: Any, lower: Callable[[Any, Any, Any], Any]) -> None:
    class Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 2 or derived_number not in args:
                return None
            if not all(ty == derived_number or _plain(ty) for ty in args):
                return None
            return signature(types.boolean, *(types.float64 if _plain(ty) else ty for ty in args))

    infer_global(op)(Operation)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        given = zip(sig.args, args, strict=True)
        return lower(builder, *(_value(builder, x) if ty == derived_number else x for ty, x in given))

    for kinds in ((DerivedType, DerivedType), (DerivedType, types.Float), (types.Float, DerivedType)):
        lower_builtin(op, *kinds)(lowered)


for _op, _symbol in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
):
    _compare(_op, lambda b, x, y, symbol=_symbol: b.fcmp_ordered(symbol, x, y))  # type: ignore[misc]
_compare(operator.ne, lambda b, x, y: b.fcmp_unordered("!=", x, y))


def _unary(function: Any, lower: Callable[[Any, Any], Any]) -> None:
    class Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(derived_number, derived_number) if args == (derived_number,) else None

    infer_global(function)(Operation)
    lower_builtin(function, DerivedType)(lambda context, builder, sig, args: lower(builder, args[0]))


def _size(b: Any, x: Any) -> Any:
    negative = b.fcmp_ordered("<", _value(b, x), ir.Constant(_DOUBLE, 0.0))
    return b.select(negative, b.fneg(x), x)


def _called(b: Any, name: str, x: Any) -> Any:
    kind = ir.FunctionType(_DOUBLE, [_DOUBLE])
    return b.call(cgutils.get_or_insert_function(b.module, kind, name), [x])


def _root(b: Any, x: Any) -> Any:
    root = _called(b, "llvm.sqrt.f64", _value(b, x))
    slope = b.fdiv(ir.Constant(_DOUBLE, 0.5), root)
    return _with_value(b, b.fmul(x, _everywhere(b, slope), flags=_FLAGS), root)


def _sine(b: Any, x: Any) -> Any:
    x0 = _value(b, x)
    slope = _called(b, "cos", x0)
    return _with_value(b, b.fmul(x, _everywhere(b, slope), flags=_FLAGS), _called(b, "sin", x0))


def _cosine(b: Any, x: Any) -> Any:
    x0 = _value(b, x)
    slope = b.fneg(_called(b, "sin", x0))
    return _with_value(b, b.fmul(x, _everywhere(b, slope), flags=_FLAGS), _called(b, "cos", x0))


_unary(operator.neg, lambda b, x: b.fneg(x))
_unary(abs, _size)
_unary(math.sqrt, _root)
_unary(math.sin, _sine)
_unary(math.cos, _cosine)


# --- what kernels call by name --------------------------------------------------------------------------------------


@intrinsic
def value(typingctx: Any, x: Any) -> Any:
    """The value of a number with or without derivatives."""
    if x == derived_number:
        return types.float64(x), lambda context, builder, sig, args: _value(builder, args[0])
    return types.float64(types.float64), lambda context, builder, sig, args: args[0]


@intrinsic
def is_nothing(typingctx: Any, x: Any) -> Any:
    """True if the value and all derivatives are zero."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        differs = builder.fcmp_unordered("!=", args[0], ir.Constant(_VECTOR, [0.0] * LANES))
        bits = builder.bitcast(differs, ir.IntType(LANES))
        return builder.icmp_unsigned("==", bits, ir.Constant(ir.IntType(LANES), 0))

    return types.boolean(derived_number), lowered


@intrinsic
def chained(typingctx: Any, x: Any, f: Any, slope: Any) -> Any:
    """A function of x by its value f and its slope there."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        changed = builder.fmul(args[0], _everywhere(builder, args[2]), flags=_FLAGS)
        return _with_value(builder, changed, args[1])

    return derived_number(derived_number, types.float64, types.float64), lowered


@intrinsic
def changes(typingctx: Any, x: Any) -> Any:
    """The derivatives of x, with zero in place of its value."""
    if x != derived_number:
        return None
    return x(x), lambda context, builder, sig, args: _changes(builder, args[0])


@intrinsic
def sizes(typingctx: Any, x: Any) -> Any:
    """The sizes of the value and of all derivatives, each in its place."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        callee = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fabs.v{LANES}f64")
        return builder.call(callee, [args[0]])

    return derived_number(derived_number), lowered


@intrinsic
def together(typingctx: Any, x: Any) -> Any:
    """The sum of the value and of all derivatives."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        total = _value(builder, args[0])
        for k in range(1, LANES):
            total = builder.fadd(total, builder.extract_element(args[0], ir.Constant(_INDEX, k)))
        return total

    return types.float64(derived_number), lowered


@intrinsic
def in_derivatives(typingctx: Any, x: Any) -> Any:
    """An array of numbers (…, LANES) as an array (…) of numbers with derivatives, in named tuples too; it must be
    C-contiguous. Whole numbers stay as they are.
    """

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return as_vectors(context, builder, sig.args[0], args[0], derived_number)

    return vectors_type(x, derived_number)(x), lowered
