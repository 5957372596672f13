"""Mutated model files: sound ones with a few values changed, removed, exchanged or taken from other files."""

from __future__ import annotations

import contextlib
import copy
import random
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SOURCES = [
    *sorted((ROOT / "examples").glob("*.toml")),
    *sorted((ROOT / "flexarm/papers").glob("*.toml")),
    *sorted((ROOT / "benchmarks/arms").glob("*.toml")),
    ROOT / "tests/model/every_key.toml",
]
WORDS = ("x", "-z", "0", "1 m", "-1 m", "90 deg", "1 kg", "5 rad/s", "50 %", "1 furlong", "nan m", "steel", "", "\n")
# A mutated command may ask for any number of steps; the hunt is not for patience.
MAX_STEPS = 20_000

Path_ = tuple[Any, ...]


@cache
def sources() -> tuple[dict[str, Any], ...]:
    """The tables of all model files; a robot's description is named by its whole path."""
    tables = [(path.parent, tomllib.loads(path.read_text(encoding="utf-8"))) for path in SOURCES]
    return tuple(
        {**table, **({"robot": str(folder / table["robot"])} if "robot" in table else {})} for folder, table in tables
    )


def mutant(number: int, seed: int) -> dict[str, Any]:
    """The table of a mutated model file, a function of its number and the seed."""
    chance = random.Random(f"{seed}:{number}")
    model = copy.deepcopy(chance.choice(sources()))
    model.setdefault("simulation", {}).setdefault("max_steps", MAX_STEPS)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        _mutate(model, chance)
    return model


def _mutate(model: dict[str, Any], chance: random.Random) -> None:
    """Change one thing."""
    everywhere = places(model)
    if not everywhere:
        return
    action = chance.random()
    if action < 0.65:
        leaves = [path for path in everywhere if not isinstance(at(model, path), dict | list)]
        path = chance.choice(leaves or everywhere)
        at(model, path[:-1])[path[-1]] = changed(at(model, path), chance, _kind(path))
        return
    path = chance.choice(everywhere)
    holder = at(model, path[:-1])
    if action < 0.75:
        del holder[path[-1]]
    elif action < 0.8:
        holder[path[-1]] = copy.deepcopy(at(model, chance.choice(everywhere)))
    elif action < 0.85 and isinstance(holder, list):
        holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))
    else:
        tables = [(), *(path for path in everywhere if isinstance(at(model, path), dict))]
        path = chance.choice(tables)
        entries = grafts().get(_kind(path))
        if entries:
            key, value = chance.choice(entries)
            at(model, path)[key] = copy.deepcopy(value)


def changed(value: Any, chance: random.Random, kind: Path_ = ()) -> Any:
    """A value in the place of another: mostly one of its kind, so that most files are still sound."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str) and value[:1] in "+-.0123456789":
        number, _, unit = value.partition(" ")
        with contextlib.suppress(ValueError):
            return f"{changed(float(number), chance)!r} {unit}".strip()
    if isinstance(value, int | float):
        factor = chance.choice((10.0 ** chance.uniform(-6, 6), 10.0 ** chance.uniform(-1, 1), -1.0, 0.0, 2.0, 1.0001))
        product = value * factor
        if isinstance(value, int) and chance.random() < 0.7 and abs(product) < 1e9:
            product = round(product)
        return chance.choice((product, product, product, chance.choice((0, 1, -1, 1e30, 5e-324))))
    if isinstance(value, str):
        return chance.choice((*WORDS, *words_at(kind)))
    return chance.choice((0, 1.0, "1 m", [], {}))


def places(value: Any, path: Path_ = ()) -> list[Path_]:
    """Every path into a nested table."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        found += places(entry, (*path, key))
    return found


def at(model: Any, path: Path_) -> Any:
    """What stands at a path."""
    for key in path:
        model = model[key]
    return model


def _kind(path: Path_) -> Path_:
    """The path without numbers and without the names the user gives: what stands there is of one kind in all files."""
    named = len(path) > 1 and path[0] in ("motion", "torque", "material")
    return tuple("*" if isinstance(key, int) or (named and k == 1) else key for k, key in enumerate(path))


@cache
def grafts() -> dict[Path_, list[tuple[str, Any]]]:
    """Keys with their values, by the kind of table they stand in, from all files."""
    found: dict[Path_, list[tuple[str, Any]]] = defaultdict(list)
    for model in sources():
        for path in [(), *places(model)]:
            table = at(model, path)
            if isinstance(table, dict):
                found[_kind(path)] += table.items()
    return found


@cache
def words_at(kind: Path_) -> tuple[str, ...]:
    """The words that stand at this place in any of the files, and those the schema allows for the key."""
    if not kind:
        return ()
    found = {value for key, value in grafts().get(kind[:-1], ()) if key == kind[-1] and isinstance(value, str)}
    return tuple(sorted(found | _allowed().get(kind[-1], set())))


@cache
def _allowed() -> dict[str, set[str]]:
    """The words of the schema by the key they are allowed for, at any depth."""
    from flexarm.model import arm_schema

    found: dict[str, set[str]] = defaultdict(set)

    def look(schema: Any) -> None:
        if isinstance(schema, dict):
            for key, entry in schema.get("properties", {}).items():
                found[key] |= set(_words(entry))
            for inner in schema.values():
                look(inner)
        elif isinstance(schema, list):
            for inner in schema:
                look(inner)

    look(arm_schema())
    return found


def _words(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [word for entry in schema for word in _words(entry)]
    if not isinstance(schema, dict):
        return []
    here = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]
    return [word for word in here if isinstance(word, str)] + [
        word for key in ("anyOf", "oneOf", "items") for word in _words(schema.get(key))
    ]
