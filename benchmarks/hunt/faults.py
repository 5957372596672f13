"""What is wrong with how a file is read and with what a command answers."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Of the energy exchanged a balance may be open by this without a warning: a run says so from a tenth on at the latest.
OPEN = 0.11
# J: where less is exchanged, the balance is of rounding.
NOTHING = 1e-12
OPEN_WARNING = "energy balance does not close"
# fine, bad input, stopped early, nothing found
EXIT_CODES = (0, 2, 3, 5)
NOT_A_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf)(?![\w.])", re.IGNORECASE)
# What has no number in an answer that is sound, by verb; numbers that are not finite are printed as null, too.
PART = r"beams\.\d+\.left_out\.\d+\.part"
MAY_BE_NULL = {
    "campbell": re.compile(PART),
    "linearise": re.compile(PART),
    "modes": re.compile(PART),
    "montecarlo": re.compile(rf"(effects\.\d+\.study\.)?({PART}|folder)"),
    "statics": re.compile(PART),
    "torques": re.compile(PART),
    "workspace": re.compile("first_failure"),
}
MACHINERY = ("internal error", "Traceback", "pydantic", "<class", "numpy", "array(")


def reading_fault(text: str, name: str) -> tuple[bool, str | None]:
    """Whether the text of a model file is sound, and why the way it is read is a fault; None if it is not."""
    from flexarm.errors import ModelError
    from flexarm.model import HasDistributions, format_arm, parse_arm

    try:
        arm = parse_arm(text, name)
        if parse_arm(format_arm(arm)) != arm:
            return True, "what was read is not what comes back when it is written and read again"
    except HasDistributions:
        return _study_fault(text, name)
    except ModelError as error:
        return False, _unreadable(str(error), name)
    except Exception:
        return False, traceback.format_exc()
    return True, None


def _study_fault(text: str, name: str) -> tuple[bool, str | None]:
    """The same of a file with distributions."""
    from flexarm.errors import FlexarmError
    from flexarm.studies.parameters.study_model import parse_study

    try:
        parse_study(text, name)
    except FlexarmError as error:
        return False, _unreadable(str(error), name)
    except Exception:
        return False, traceback.format_exc()
    return True, None


def _unreadable(message: str, name: str) -> str | None:
    """Why a message does not read well."""
    for line in message.split("\n"):
        if not line.startswith(f"{name}: ") or not line.isprintable() or any(word in line for word in MACHINERY):
            return f"a message does not read well: {line}"
    return None


def fault(words: list[str], text: str, seconds: float) -> str | None:
    """Why what the command line answers in this folder is a fault; None if it is not."""
    from flexarm.cli import main

    Path(words[1]).write_text(text, encoding="utf-8")
    sys.argv = ["flexarm", *words]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: Any = 0
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of this process alone: other people's work does not count
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as left:
        code = left.code or 0
    except BaseException:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    return answer_fault(words, text, int(code), _read(out), _read(err))


def answer_fault(words: list[str], text: str, code: int, printed: str, said: str) -> str | None:
    """Why an answer with this exit code, on stdout and stderr, is a fault; None if it is not."""
    if _TOO_LONG in said:
        return _TOO_LONG
    for word in MACHINERY:
        if word in said or word in printed:
            return said.strip() or printed
    if code not in EXIT_CODES:
        return f"exit code {code}: {said}"
    if code != 0 and not said.strip() and not printed.strip():
        return f"exit code {code} without a word"
    if code == 0 and "--json" in words:
        return nonsense(words[0], printed)
    if code == 0 and "--json" not in words and not NOT_A_NUMBER.search(f"{text} {words}"):
        found = NOT_A_NUMBER.search(printed)
        if found:
            line = printed[: found.end()].splitlines()[-1]
            return f"what is printed is no number: {line}"
    return None


_TOO_LONG = "the case took longer than allowed"


def _too_long(*_: Any) -> None:
    raise TimeoutError(_TOO_LONG)


def _read(stream: io.TextIOWrapper) -> str:
    """What was written to it."""
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]


def nonsense(verb: str, text: str) -> str | None:
    """What is wrong with the JSON of a verb that ended well, None if nothing is."""
    try:
        found = json.loads(text, parse_constant=lambda word: float("nan"))
    except ValueError as error:
        return f"no JSON: {error}"
    for path, value in _leaves(found):
        if isinstance(value, float) and not math.isfinite(value):
            return f"{path} is {value}"
        if value is None and verb in MAY_BE_NULL and not MAY_BE_NULL[verb].fullmatch(path):
            return f"{path} is null"
    if verb != "simulate" or found.get("status") != "ok":
        return None
    errors, warnings = found["errors"], found["warnings"]
    if found["tip"] is not None and None in found["tip"].values():
        return "the tip of a complete run is nowhere"
    if found["integrator"]["analysis"] != "nonlinear":
        return None
    if errors["tip_m"] is None and not errors.get("tip_remark"):
        return "the error at the tip is neither known nor said to be unknown"
    book = errors["energy_balance_j"]
    exchanged = errors.get("energy_exchanged_j")
    warned = any(OPEN_WARNING in warning for warning in warnings)
    if book and exchanged and book > max(OPEN * exchanged, NOTHING) and not warned:
        return f"{book} J of {exchanged} J appear or vanish without a warning"
    return None


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in inner:
            yield from _leaves(entry, f"{path}.{key}".lstrip("."))
    else:
        yield path, value
