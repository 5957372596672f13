"""The state a run begins with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from flexarm.analyses.closures import closed_start
from flexarm.analyses.equilibrium import State, commanded
from flexarm.analyses.sticking import at_rest
from flexarm.assembly import CompiledArm
from flexarm.errors import AnalysisError
from flexarm.model.parts.closure import closure_words


def initial_state(compiled: CompiledArm, start: str | Mapping[str, float]) -> State:
    """The state at t = 0: undeformed, in static or steady equilibrium, or as given by coordinate names; closures are
    closed.
    """
    if compiled.closures is None:
        return _initial_state(compiled, start)
    if start == "steady":
        raise AnalysisError(
            f'start is "steady", must be "rest", "static" or a table: an arm with {closure_words(compiled.arm)} has no '
            "steady start here"
        )
    return closed_start(compiled, _initial_state(compiled, start))


def _initial_state(compiled: CompiledArm, start: str | Mapping[str, float]) -> State:
    state = commanded(compiled)
    if isinstance(start, Mapping):
        return _given_state(compiled, state, start)
    if start == "rest":
        return state
    q, v, a, tau = state.q, state.v.copy(), state.a.copy(), state.tau
    # a servo's joint moves as commanded too, but for what the servo lets it err
    moving = compiled.driven.copy()
    moving[compiled.commands.servo_coordinate] = True
    v[~moving], a[compiled.free] = 0.0, 0.0
    if start == "static":
        v[:], a[:] = 0.0, 0.0
    found = at_rest(compiled, State(q, v, a, tau)).state
    rates = np.where(compiled.driven if start == "static" else moving, state.v, 0.0)
    return State(found.q, rates, state.a, tau, found.integral)


def _given_state(compiled: CompiledArm, state: State, given: Mapping[str, float]) -> State:
    q, v = state.q.copy(), state.v.copy()
    for (coordinate, rate), value in zip(given_coordinates(compiled, given), given.values(), strict=True):
        (v if rate else q)[coordinate] = value
    return State(q, v, state.a, state.tau)


def given_coordinates(compiled: CompiledArm, given: Iterable[str]) -> list[tuple[int, bool]]:
    """The coordinates that the names of a table `start` denote, each with True if its rate is meant."""
    found = []
    for name in given:
        rate, key = name.endswith(".rate"), name.removesuffix(".rate").removesuffix(".position")
        if key not in compiled.coordinate_names:
            raise AnalysisError(
                f'start: there is no coordinate "{key}", the arm has {_listed(compiled.coordinate_names)}'
            )
        c = compiled.coordinate_names.index(key)
        if compiled.driven[c]:
            raise AnalysisError(f'start: "{key}" is driven by its command, must be a free coordinate')
        found.append((c, rate))
    return found


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"
