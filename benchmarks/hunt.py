"""Hunt for faults: mutated model files under every verb with options at random, by as many workers as there are cores.

    python -m benchmarks.hunt --files 100000 --out hunt

A case is a function of its number and the seed alone: `--only 4711` runs one again and prints what it says. What counts
as a fault: an internal error or a traceback, more time than allowed, a process that dies,
JSON with numbers that are none, and silent nonsense: a complete run whose energy balance is open without warning, whose
error is not reported, or whose numbers are not finite. Faults are kept as folders with the file, the command and the
reason; the last line counts them, and the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import multiprocessing as mp
import os
import random
import signal
import sys
import tempfile
import tomllib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCES = [*sorted((ROOT / "examples").glob("*.toml")), ROOT / "tests/model/every_key.toml"]
# Of the energy exchanged a book may be open by this without a warning: a run says so from a tenth on at the latest.
OPEN = 0.11
WORDS = ("x", "-z", "0", "1 m", "-1 m", "90 deg", "1 kg", "5 rad/s", "50 %", "1 furlong", "nan m", "steel", "", "\n")
FORMULATIONS = ("rigid-fe", "hencky", "hermite", "timoshenko", "isoparametric", "modes")
VERBS: dict[str, tuple[tuple[str, ...], ...]] = {
    "check": ((), ("--json",)),
    "modes": ((), ("--json",), ("--count", "3")),
    "statics": ((), ("--json",)),
    "torques": ((), ("--json",)),
    "linearise": ((), ("--json",)),
    "campbell": (("--json",), ("--to", "20 rad/s", "--points", "5")),
    "brake": (("--points", "5", "--json"),),
    "shape": (("--json",),),
    "compare": (("--elements", "2,4", "--json"),),
}
SIMULATE = (
    ("--stepper", ("esdirk4", "newmark", "alpha")),
    ("--tolerance", ("1 m", "1 mm", "1 um", "1e-3 um", "-1", "0")),
    ("--step", ("0.25 s", "1 ms", "1 us", "0 s")),
    ("--end", ("0.1 s", "1 s", "1e-9 s", "-1 s", "0.01 s")),
    ("--start", ("rest", "static", "steady", "sideways")),
    ("--analysis", ("linear", "quasi-static", "nonlinear")),
    ("--output", ("1 ms", "10 ms", "1 s")),
    ("--max-steps", ("10", "100000")),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a nested table."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        found += places(entry, (*path, key))
    return found


def changed(value: Any, chance: random.Random) -> Any:
    """A value in the place of another: mostly one of its kind, so that most files are still sound."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str) and value[:1] in "+-.0123456789":
        number, _, unit = value.partition(" ")
        with contextlib.suppress(ValueError):
            return f"{changed(float(number), chance)!r} {unit}".strip()
    if isinstance(value, int | float):
        factor = chance.choice((10.0 ** chance.uniform(-6, 6), 10.0 ** chance.uniform(-1, 1), -1.0, 0.0, 2.0, 1.0001))
        return chance.choice((value * factor, value * factor, value * factor, chance.choice((0, 1, -1, 1e30, 5e-324))))
    if isinstance(value, str):
        return chance.choice((*WORDS, *FORMULATIONS))
    return chance.choice((0, 1.0, "1 m", [], {}))


def mutant(number: int, seed: int) -> tuple[str, list[str]]:
    """The text of a mutated file and the words of the command that is tried on it."""
    from flexarm.model.reading.text import toml_text

    chance = random.Random(f"{seed}:{number}")
    model = tomllib.loads(chance.choice(SOURCES).read_text(encoding="utf-8"))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        everywhere = places(model)
        path = chance.choice(everywhere)
        holder: Any = model
        for key in path[:-1]:
            holder = holder[key]
        action = chance.random()
        if action < 0.8:
            leaves = [p for p in everywhere if not isinstance(_at(model, p), dict | list)]
            path = chance.choice(leaves or [path])
            holder = _at(model, path[:-1])
            holder[path[-1]] = changed(holder[path[-1]], chance)
        elif action < 0.9:
            del holder[path[-1]]
        else:
            other = chance.choice(everywhere)
            holder[path[-1]] = json.loads(json.dumps(_at(model, other), default=str))
    words = _command(chance)
    return toml_text(model), words


def _at(model: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        model = model[key]
    return model


def _command(chance: random.Random) -> list[str]:
    """A verb with some of its options."""
    if chance.random() < 0.4:
        verb = chance.choice(list(VERBS))
        return [verb, "model.toml", *chance.choice(VERBS[verb])]
    words = ["simulate", "model.toml", "--json"]
    for option, values in SIMULATE:
        if chance.random() < (0.5 if option == "--end" else 0.12):
            words += [option, chance.choice(values)]
    return words


def fault(words: list[str], text: str, seconds: int) -> str | None:
    """Why what the command line answers is a fault; None if it is not."""
    from flexarm.cli import main

    Path("model.toml").write_text(text, encoding="utf-8")
    sys.argv = ["flexarm", *words]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of this process alone: other people's work does not count
    code: Any = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as left:
        code = left.code or 0
    except TimeoutError:
        return f"took more than {seconds} s of CPU time"
    except BaseException:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    printed, said = _read(out), _read(err)
    if "took too long" in said:
        return f"took more than {seconds} s of CPU time"
    if "internal error" in said or "Traceback" in said or "Traceback" in printed:
        return said or printed
    if code not in (0, 2, 3):
        return f"exit code {code}: {said}"
    if code == 0 and "--json" in words:
        return nonsense(words[0], printed)
    if code != 0 and not said.strip():
        return f"exit code {code} without a word"
    return None


def _read(stream: io.TextIOWrapper) -> str:
    """What was written to it."""
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]


def _too_long(*_: Any) -> None:
    raise TimeoutError("took too long")


def nonsense(verb: str, text: str) -> str | None:
    """What is wrong with the JSON of a verb that ended well, None if nothing is."""
    try:
        found = json.loads(text, parse_constant=lambda word: float("nan"))
    except ValueError as error:
        return f"no JSON: {error}"
    for path, value in _numbers(found):
        if not math.isfinite(value):
            return f"{path} is {value}"
    if verb != "simulate" or found.get("status") != "ok" or found["integrator"]["analysis"] != "nonlinear":
        return None
    errors, warnings = found["errors"], found["warnings"]
    if errors["tip_m"] is None and not errors.get("tip_remark"):
        return "the error at the tip is neither known nor said to be unknown"
    book = errors["energy_balance_j"]
    exchanged = errors.get("energy_exchanged_j")
    if book and exchanged and book > OPEN * exchanged and not warnings:
        return f"{book} J of {exchanged} J appear or vanish without a warning"
    return None


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        yield from _numbers(entry, f"{path}.{key}")
    if isinstance(value, float):
        yield path, value


def _work(numbers: range, seed: int, seconds: int, faults: Any, at: Any) -> None:
    """Run the cases of a worker; what is wrong goes into the queue, the number under way into shared memory."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number in numbers:
            at.value = number
            try:
                text, words = mutant(number, seed)
            except (ValueError, TypeError, KeyError, IndexError):
                continue  # a mutation that is no table any more
            reason = fault(words, text, seconds)
            if reason is not None:
                faults.put((number, words, text, reason))
        at.value = numbers.stop


def _kept(out: Path, number: int, words: list[str], text: str, reason: str) -> None:
    folder = out / f"case-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.toml").write_text(text, encoding="utf-8")
    (folder / "command.txt").write_text("flexarm " + " ".join(words) + "\n", encoding="utf-8")
    (folder / "reason.txt").write_text(reason + "\n", encoding="utf-8")
    print(f"case {number}: flexarm {' '.join(words)}: {reason.strip().splitlines()[-1][:160]}", flush=True)


def main() -> int:
    """The exit code: 0 if there was no fault."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.hunt", description=__doc__.split("\n")[0])
    options.add_argument("--files", type=int, default=1000, help="how many cases (default: %(default)s)")
    options.add_argument("--first", type=int, default=0, help="number of the first case")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=int, default=120, help="CPU time allowed for a case (default: %(default)s)")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--out", type=Path, default=Path("hunt"), help="where faults are kept (default: %(default)s)")
    options.add_argument("--only", type=int, help="run one case and print it")
    chosen = options.parse_args()
    if chosen.only is not None:
        text, words = mutant(chosen.only, chosen.seed)
        print(text, "$ flexarm", " ".join(words))
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            print(fault(words, text, chosen.seconds) or "no fault")
        return 0
    last = chosen.first + chosen.files
    queue: Any = mp.SimpleQueue()
    share = -(-chosen.files // chosen.workers)
    found = 0
    crew = []
    for k in range(chosen.workers):
        numbers = range(chosen.first + k * share, min(chosen.first + (k + 1) * share, last))
        at = mp.Value("q", numbers.start)
        crew.append([_started(numbers, chosen, queue, at), numbers, at])
    out = chosen.out.resolve()
    while crew:
        for one in list(crew):
            worker, numbers, at = one
            worker.join(0.2)
            while not queue.empty():
                _kept(out, *queue.get())
                found += 1
            if worker.is_alive():
                continue
            if worker.exitcode != 0:
                # a worker that died takes its case with it; another goes on behind it
                text, words = mutant(at.value, chosen.seed)
                _kept(out, at.value, words, text, f"the process died with {worker.exitcode}")
                found += 1
                rest = range(at.value + 1, numbers.stop)
                if len(rest):
                    one[:] = [_started(rest, chosen, queue, at), rest, at]
                    continue
            crew.remove(one)
    while not queue.empty():
        _kept(out, *queue.get())
        found += 1
    print(f"{chosen.files} cases, {found} faults" + (f", kept in {out}" if found else ""))
    return 1 if found else 0


def _started(numbers: range, chosen: Any, queue: Any, at: Any) -> Any:
    worker = mp.Process(target=_work, args=(numbers, chosen.seed, chosen.seconds, queue, at), daemon=True)
    worker.start()
    return worker


if __name__ == "__main__":
    sys.exit(main())
