"""Rows of an array under names: compiled code reads `state.q[c]` where the first row has the coordinates."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, extending, types
from numba.core.extending import models, register_model
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.np import arrayobj


class RowsType(types.Type):
    """The type of an array whose rows have the names of the fields of a named tuple."""

    def __init__(self, kind: Any, array: Any) -> None:
        self.fields: tuple[str, ...] = kind._fields
        self.array = array
        self.row = types.Array(array.dtype, array.ndim - 1, "C", readonly=not array.mutable, aligned=array.aligned)
        super().__init__(name=f"Rows({kind.__name__}, {array})")


@register_model(RowsType)
class _RowsModel(models.ProxyModel):
    """It is the array."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type)
        self._proxied_model = dmm.lookup(fe_type.array)


@infer_getattr
class _RowsAttribute(AttributeTemplate):
    """rows.name."""

    key = RowsType

    def generic_resolve(self, rows: Any, name: str) -> Any:
        """A row."""
        return rows.row if name in rows.fields else None


@lower_getattr_generic(RowsType)
def _row(context: Any, builder: Any, rows: Any, value: Any, name: str) -> Any:
    whole = arrayobj.make_array(rows.array)(context, builder, value)
    strides = cgutils.unpack_tuple(builder, whole.strides)
    row = arrayobj.make_array(rows.row)(context, builder)
    offset = builder.mul(strides[0], ir.Constant(strides[0].type, rows.fields.index(name)))
    arrayobj.populate_array(
        row,
        data=cgutils.pointer_add(builder, whole.data, offset, whole.data.type),
        shape=cgutils.unpack_tuple(builder, whole.shape)[1:],
        strides=strides[1:],
        itemsize=whole.itemsize,
        meminfo=whole.meminfo,
        parent=whole.parent,
    )
    return row._getvalue()


def rows_of(kind: type) -> Any:
    """A function for compiled code: a C-contiguous array whose rows have the names of this named tuple's fields."""

    def rows(typingctx: Any, array: Any) -> Any:
        if not isinstance(array, types.Array) or array.layout != "C" or array.ndim < 2:
            return None
        return RowsType(kind, array)(array), lambda context, builder, sig, args: args[0]

    rows.__name__ = f"rows_of_{kind.__name__}"
    return extending.intrinsic(rows)
