"""Poles of an arm in loops closed by sampled controllers, delays included (NOTATION 41)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.linearise import linearise
from flexarm.analyses.plant.closed_loop import SAME
from flexarm.analyses.plant.controllers import Controller, bound_to
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.analyses.signals.names import canonical
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.given import ArmLike, Posture, arm_of
from flexarm.model.reading.messages import quoted


def sampled_poles(arm: ArmLike, controllers: Sequence[Controller], posture: Posture | None = None) -> np.ndarray:
    """Poles z of the sampled loop, largest first: it is stable where all are within the unit circle.

    The arm is linearised at rest at a posture and taken from sample to sample exactly, torques held, delays of any
    length included: eigenvalues of the map of arm, controllers and torques on their way over one sample. A pole z is
    the pole ln(z)/sample in continuous time. Limits of torques do not count.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    controllers
        Linear ones (StateFeedback, StateSpace, PID), all with the same sample.
    posture
        Joints by name (numbers or texts with a unit); default: where the arm starts.

    Returns
    -------
    numpy.ndarray
        Complex poles.

    Examples
    --------
    >>> import flexarm as fa
    >>> poles = fa.sampled_poles("flexible_link.toml", [fa.StateFeedback([[40, 5]], sample="2 ms", delay="1 sample")])
    >>> bool(abs(poles[0]) < 1)
    True
    """
    from scipy.linalg import expm

    given = arm_of(arm)
    loops = bound_to(given, controllers)
    sample = loops[0].sample
    if any(not each.linear for each in loops):
        raise AnalysisError("a controller is a function, must be linear for its poles: StateFeedback, StateSpace, PID")
    if any(abs(each.sample - sample) > SAME * sample for each in loops):
        raise AnalysisError("controllers have different samples, must have the same one for the poles of their loop")
    links = [link for each in loops for link in each.links]
    model = linearise(driven_by_torque(given, links), joints="driven", posture=posture)
    columns = [_input(model.input_names, link) for link in links]
    signals = [[model.output(canonical(name)) for name in _known(each.inputs, model.signal_names)] for each in loops]
    n, inputs = len(model.A), len(links)
    # torques on their way: a controller with a delay of d samples has ⌈d⌉ of them when a sample begins
    waiting = [int(np.ceil(each.delay - SAME)) for each in loops]
    on_their_way = [count * len(each.links) for count, each in zip(waiting, loops, strict=True)]
    sizes = [n, inputs, *(each.states for each in loops), *on_their_way]
    ends = np.cumsum(sizes)
    pick = [slice(int(end - size), int(end)) for end, size in zip(ends, sizes, strict=True)]
    first = np.concatenate([[0], np.cumsum([len(each.links) for each in loops])])

    def flow(x: Floats, u: Floats, span: float) -> Floats:
        # (41a): exact for torques that are held
        block = np.zeros((n + inputs, n + inputs))
        block[:n, :n], block[:n, n:] = model.A * span, model.B[:, columns] * span
        return np.asarray((expm(block) @ np.concatenate([x, u]))[:n])

    def over_a_sample(z: Floats) -> Floats:
        x, u = z[pick[0]], z[pick[1]].copy()
        states = [z[pick[2 + k]].copy() for k in range(len(loops))]
        queues = [list(z[pick[2 + len(loops) + k]].reshape(waiting[k], -1)) for k in range(len(loops))]
        events: list[tuple[float, int]] = []
        for k, each in enumerate(loops):
            e = model.C[signals[k]] @ x + model.D[np.ix_(signals[k], columns)] @ u
            whole = waiting[k] == round(each.delay) and abs(each.delay - round(each.delay)) <= SAME
            if waiting[k] and whole:
                # what was found whole samples ago acts from this instant on
                u[first[k] : first[k + 1]] = queues[k].pop(0)
            found, states[k] = each.update(0.0, e, states[k])
            queues[k].append(found)
            if not waiting[k]:
                u[first[k] : first[k + 1]] = queues[k].pop(0)
            elif not whole:
                events.append((each.delay - np.floor(each.delay), k))
        now = 0.0
        for when, k in sorted(events):
            x, now = flow(x, u, (when - now) * sample), when
            u[first[k] : first[k + 1]] = queues[k].pop(0)
        x = flow(x, u, (1.0 - now) * sample)
        return np.concatenate([x, u, *states, *(np.ravel(queue) for queue in queues)])

    zero = over_a_sample(np.zeros(ends[-1]))
    matrix = np.column_stack([over_a_sample(unit) - zero for unit in np.eye(ends[-1])])
    poles = np.linalg.eigvals(matrix)
    return np.asarray(poles[np.argsort(-np.abs(poles), kind="stable")])


def _input(names: Sequence[str], link: str) -> int:
    from flexarm.analyses.linear_signals import acceptable

    wanted = {acceptable([f"{link}.{what}"])[0] for what in ("torque", "force")}
    return next(k for k, name in enumerate(names) if name in wanted)


def _known(words: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    for word in words:
        if canonical(word) not in names:
            raise AnalysisError(f"the signal {quoted(word)} is not linear in small motion, so the loop has no poles")
    return words
