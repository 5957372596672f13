"""Kernels as object code for programs without Python: the very instructions the compiler made for this process.

What numba keeps of a compiled kernel holds everything it calls. Of that the kernel alone is left, under a name for C,
and turned into machine code that may lie anywhere; it needs nothing but the functions of libm.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from llvmlite import binding

from flexarm.core._cache import LEVELS, level

PORTABLE = "x86-64"
NATIVE = "native"


class Part(NamedTuple):
    """Object code of one kernel, and how C calls it."""

    name: str
    code: bytes
    arguments: tuple[str, ...]  # types of C behind the result and the exception, one after the other


def levels() -> tuple[str, ...]:
    """The levels of processors that object code can be made for on this machine, from the one that runs anywhere on;
    a machine that is no x86-64 knows its own processor alone.
    """
    if not binding.get_process_triple().startswith("x86_64"):
        return (NATIVE,)
    return (PORTABLE, *reversed(LEVELS), NATIVE)


def usual_level() -> str:
    """The level that is taken if none is asked for: x86-64-v3, which gives the bits of `simulate`, where this machine
    has it.
    """
    known = levels()
    return known[-1] if len(known) == 1 else "x86-64-v3" if level() else PORTABLE


def _machine(made_for: str) -> Any:
    """What turns instructions into machine code of a level."""
    target = binding.Target.from_default_triple()
    own = made_for == NATIVE
    chosen = binding.get_host_cpu_name() if own else made_for
    features = binding.get_host_cpu_features().flatten() if own else ""
    return target.create_target_machine(cpu=chosen, features=features, opt=3, reloc="pic", codemodel="default")


# What kernels ask of numba's own library, and the words for it in C: another shape for numbers that lie without gaps.
ASKED_FOR = {"numba_attempt_nocopy_reshape": "reshape"}
_C_TYPES = {"i64": "int64_t", "double": "double", "i8": "uint8_t", "i32": "int32_t", "ptr": "void *"}


@cache
def object_of(kernel: Any, arguments: tuple[Any, ...], prefix: str, name: str, made_for: str) -> Part:
    """The object code of a kernel for these types of arguments, compiled or taken from the cache, as the function
    PREFIX_kernel_NAME of C, which only what it is linked with sees.
    """
    kernel.compile(arguments)
    compiled = kernel.overloads[arguments]
    own = compiled.fndesc.llvm_func_name
    module = compiled.library._get_module_for_linking().clone()
    for k, each in enumerate([each for each in module.functions if not each.is_declaration and each.name != own]):
        # C has no use for their long names
        each.linkage, each.name = "internal", f"{prefix}_{name}_part_{k}"
    for each in module.functions:
        if each.is_declaration and each.name in ASKED_FOR:
            each.name, each.visibility = f"{prefix}_{ASKED_FOR[each.name]}", "hidden"
    for each in module.global_variables:
        if not each.is_declaration:
            each.linkage = "internal"
    entry = module.get_function(own)
    entry.linkage, entry.visibility = "external", "hidden"
    kinds = _argument_types(str(entry))
    entry.name = f"{prefix}_kernel_{name}"
    machine = _machine(made_for)
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options())
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
    return Part(f"{prefix}_kernel_{name}", machine.emit_object(module), kinds)


def _argument_types(text: str) -> tuple[str, ...]:
    """The types of a function's arguments in words of C, from its text, but for the first two: result and exception."""
    head = re.search(r"define [^@]*@(?:\"[^\"]*\"|[^\s(]+)\((.*)\)", text[: text.index("{\n")])
    assert head is not None
    words = [each.split()[0] for each in _parted(head[1])]
    return tuple(_C_TYPES["ptr" if each.endswith("*") else each] for each in words[2:])


def _parted(text: str) -> list[str]:
    """The parts of a list of arguments; commas within braces and brackets part nothing."""
    found, depth, begin = [], 0, 0
    for k, sign in enumerate(text):
        depth += (sign in "{[(<") - (sign in "}])>")
        if sign == "," and depth == 0:
            found.append(text[begin:k].strip())
            begin = k + 1
    return [*found, text[begin:].strip()]
