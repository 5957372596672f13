"""Rigid dynamics of robots against Pinocchio: random ones, and all descriptions of the package example-robot-data.

    python -m benchmarks.robots --random 100

Needs `pin` and `example-robot-data`. Errors are relative to the largest entry of what is compared. A description is
left out where Pinocchio cannot read it or where the forward dynamics of either is singular.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pinocchio as pin

import flexarm as fa
from benchmarks.random_robot import random_urdf

STATES = 8


class Errors(NamedTuple):
    """The largest relative errors of one robot."""

    forward: float
    inverse: float
    mass: float
    places: float
    jacobian: float

    @property
    def worst(self) -> float:
        """The largest of all."""
        return max(self)


def compare(path: Path, seed: int = 0) -> Errors:
    """The errors of one robot in some random states."""
    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    dynamics = fa.Dynamics(path)
    names = list(model.names)[1:]
    order = [dynamics.names.index(name) for name in names]
    if len(order) != dynamics.size or model.nv != dynamics.size:
        raise ValueError(f"{dynamics.size} coordinates, Pinocchio has {model.nv}")
    rng = np.random.default_rng(seed)
    worst = np.zeros(5)
    links = [link.name for link in dynamics.arm.links]
    for _ in range(STATES):
        mine = {key: rng.uniform(-1.0, 1.0, dynamics.size) for key in ("q", "v", "a", "tau")}
        q = pin.neutral(model)
        for name, c in zip(names, order, strict=True):
            joint = model.joints[model.getJointId(name)]
            angle = mine["q"][c]
            if joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = np.cos(angle), np.sin(angle)
            else:
                q[joint.idx_q] = angle
        v, a, tau = (mine[key][order] for key in ("v", "a", "tau"))
        for k, (own, theirs) in enumerate(
            (
                (dynamics.forward(mine["q"], mine["v"], mine["tau"])[order], pin.aba(model, data, q, v, tau)),
                (dynamics.inverse(mine["q"], mine["v"], mine["a"])[order], pin.rnea(model, data, q, v, a)),
                (dynamics.mass_matrix(mine["q"])[np.ix_(order, order)], _symmetric(pin.crba(model, data, q))),
            )
        ):
            worst[k] = max(worst[k], _relative(own, theirs))
        pin.computeJointJacobians(model, data, q)
        pin.framesForwardKinematics(model, data, q)
        for link in links[:: max(1, len(links) // 6)]:
            frame = model.getFrameId(link, pin.FrameType.BODY)
            placed, theirs = dynamics.place(link, mine["q"]), data.oMf[frame]
            worst[3] = max(
                worst[3],
                float(np.max(np.abs(placed.position - theirs.translation))),
                float(np.max(np.abs(placed.rotation - theirs.rotation))),
            )
            jacobian = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
            own = dynamics.jacobian(link, mine["q"])[:, order]
            worst[4] = max(worst[4], float(np.max(np.abs(own - jacobian), initial=0.0)))
    return Errors(*worst.tolist())


def _symmetric(upper: np.ndarray) -> np.ndarray:
    return np.triu(upper) + np.triu(upper, 1).T


def _relative(own: np.ndarray, theirs: np.ndarray) -> float:
    if not theirs.size:
        return 0.0
    return float(np.max(np.abs(own - theirs)) / max(float(np.max(np.abs(theirs))), 1e-30))


def descriptions() -> list[Path]:
    """All URDF files of the package example-robot-data."""
    import cmeel

    folders = [Path(place).parent / "cmeel.prefix" for place in cmeel.__path__]
    return sorted(path for folder in folders for path in folder.rglob("share/example-robot-data/robots/**/*.urdf"))


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=100, help="number of random robots")
    chosen = parser.parse_args()
    worst = np.zeros(5)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(chosen.random):
            path = Path(folder) / f"{seed}.urdf"
            path.write_text(random_urdf(seed, 3 + seed % 30))
            found = compare(path, seed)
            worst = np.maximum(worst, found)
            if found.worst > 1e-9:
                print(f"random {seed}: {found}")
    print(f"{chosen.random} random robots: {Errors(*worst.tolist())}")
    print(
        f"\n{'description':<36} {'links':>5} {'read ms':>8} {'aba':>8} {'rnea':>8} {'crba':>8} {'places':>8} {'J':>8}"
    )
    agreed = 0
    for path in descriptions():
        begin = time.process_time()
        try:
            arm = fa.read_arm(path)
            took = 1e3 * (time.process_time() - begin)
            errors = compare(path)
        except (fa.FlexarmError, ValueError, RuntimeError) as error:
            print(f"{path.name:<36} left out: {' '.join(str(error).split())[-100:]}")
            continue
        agreed += errors.worst < 1e-10
        numbers = " ".join(f"{each:8.1e}" for each in errors)
        print(f"{path.name:<36} {len(arm.links):>5} {took:>8.1f} {numbers}{'' if errors.worst < 1e-10 else '  !'}")
    print(f"{agreed} descriptions agree to 1e-10")


if __name__ == "__main__":
    main()
