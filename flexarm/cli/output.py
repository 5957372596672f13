"""Output of a verb: data on stdout, messages on stderr, and an exit code that means something."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_origin

import typer

from flexarm.cli.spelling import spelt
from flexarm.errors import FlexarmError

DONE = 0
INTERNAL_ERROR = 1
BAD_INPUT = 2
STOPPED_EARLY = 3
NOT_REPRODUCED = 4
NOTHING_FOUND = 5
INTERRUPTED = 130
READER_GONE = 141  # what a shell reports for a program ended by a closed pipe

DEBUG: ContextVar[bool] = ContextVar("debug", default=False)
QUIET: ContextVar[bool] = ContextVar("quiet", default=False)

_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the result and errors only: no progress, curves or remarks.")
]


class Ended(Exception):
    """A command has ended, and what there was to report is reported: its exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def say(sentence: str) -> None:
    """A line for the reader, on stderr."""
    print(spelt(sentence, sys.stderr.encoding), file=sys.stderr, flush=True)


def remark(sentence: str) -> None:
    """A line on stderr, left out with --quiet."""
    if not QUIET.get():
        say(sentence)


def show_remark(text: str) -> None:
    """A line on stdout below the result, left out with --quiet."""
    if not QUIET.get():
        show(text)


def show(text: str) -> None:
    """A block of text on stdout."""
    print(spelt(text, sys.stdout.encoding), flush=True)


def show_json(value: Any, *, lines: bool = False) -> None:
    """One JSON value on stdout and nothing else; with `lines`, a list with every entry on a line of its own."""
    from flexarm.results.jsonable import jsonable

    # A name with an umlaut must come through a pipe that is not UTF-8.
    escaped = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    value = jsonable(value)
    if lines:
        rows = [json.dumps(row, ensure_ascii=escaped, allow_nan=False) for row in value]
        show("[" + ",\n ".join(rows) + "]")
    else:
        show(json.dumps(value, ensure_ascii=escaped, allow_nan=False, indent=2))


def with_exit_code(command: Callable[..., int | None]) -> Callable[..., None]:
    """The command with --quiet, its outcome turned into an exit code, and whatever goes wrong into sentences."""

    # What the command asks for, an option for each of the settings it asks for, and --quiet: added here, once.
    parameters, settings = [], {}
    for each in signature(command, eval_str=True).parameters.values():
        named = each.annotation.__metadata__[0] if get_origin(each.annotation) is Annotated else None
        if isinstance(named, dict):
            settings[each.name] = tuple(named)
            parameters += [
                each.replace(name=name, default=_default(word), annotation=word) for name, word in named.items()
            ]
        else:
            parameters.append(each)
    parameters.append(Parameter("quiet", Parameter.KEYWORD_ONLY, default=False, annotation=_Quiet))

    @wraps(command)
    def answered(*words: Any, quiet: bool = False, **options: Any) -> None:
        for gathered, names in settings.items():
            options[gathered] = {name: options.pop(name) for name in names}
        before = QUIET.set(quiet)
        try:
            code = _outcome(command, words, options)
        finally:
            QUIET.reset(before)
        raise typer.Exit(code)

    answered.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    answered.__annotations__ = {each.name: each.annotation for each in parameters}
    return answered


def _default(annotation: Any) -> bool | None:
    """The value of an option that is not given: a flag is off."""
    return False if annotation.__origin__ is bool else None


def _outcome(command: Callable[..., int | None], words: tuple[Any, ...], options: dict[str, Any]) -> int:
    """The exit code of the command."""
    try:
        with warnings.catch_warnings():
            if not DEBUG.get():
                # Libraries warn with file names and source lines, which is a traceback to a stranger.
                warnings.simplefilter("ignore")
            return command(*words, **options) or DONE
    except Ended as ended:
        return ended.code
    except FlexarmError as error:
        say(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at exit; the remainder is discarded.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except MemoryError:
        say("there is not enough memory for this: try fewer elements, a shorter end or a longer --output interval")
        return BAD_INPUT
    except Exception as error:
        if DEBUG.get():
            raise
        reason = " ".join(str(error).split())[:200]
        say(f"internal error, the fault is flexarm's and not yours: {type(error).__name__}: {reason}")
        say("please report it with the model file and the command; --debug shows where it happened")
        return INTERNAL_ERROR
