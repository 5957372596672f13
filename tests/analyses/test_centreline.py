"""The centre line a run keeps is where the arm is."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.centreline import MOST_FRAMES, MOST_POINTS, frame_indices
from flexarm.model import Point

from .sleeves import LENGTH, telescope

ROD = """
name = "rod on a hub"
planar = true
gravity = [0, -9.81, 0]

[[link]]
name = "arm"
joint = { type = "revolute", motion = "swing", offset = ["0.1 m", "0.2 m", "0 m"] }
length = "0.8 m"
hub = { radius = "50 mm", inertia = "0.01 kg m^2" }
beam = { bending_stiffness = "20 N m^2", mass_per_length = "0.5 kg/m" }
model = { formulation = "rigid-fe", elements = 4 }
tip_offset = ["0 m", "30 mm", "0 m"]

[[link]]
name = "hand"
joint = { type = "revolute", at = "90 deg" }
length = "0.2 m"
rigid = { mass = "0.2 kg", inertia = "1e-3 kg m^2" }

[motion.swing]
kind = "cycloidal"
travel = "60 deg"
duration = "0.2 s"

[simulation]
end = "0.3 s"
"""
# Positions are kept in single precision.
CLOSE = 1e-6


def lines(run):
    """Bent and unbent points (frames, points, 3) of the run's centre line, and the samples the frames are."""
    corners, deflections = run.values("line_corner_position").astype(float), run.values("line_deflection")
    where, distances = np.flatnonzero(run.values("line_corner")), run.values("line_distance")
    links = np.array(run.labels("line_link"))
    unbent = np.zeros(deflections.shape)
    for j in range(len(distances)):
        mates = [k for k, corner in enumerate(where) if links[corner] == links[j]]
        for r in range(3):
            for frame in range(len(corners)):
                unbent[frame, j, r] = np.interp(distances[j], distances[where[mates]], corners[frame, mates, r])
    return unbent + deflections, unbent, np.searchsorted(run.time, run.values("frame_time"))


def test_points_of_the_line_are_points_of_the_arm():
    places = (0.0, 0.3, 0.8)
    points = tuple(Point(name=f"at {s}", link="arm", at=s) for s in places)
    run = fa.simulate(fa.parse_arm(ROD).changed(points=(*points, Point(name="tip", link="hand"))), output=3e-2)
    bent, unbent, samples = lines(run)
    links, distances = np.array(run.labels("line_link")), run.values("line_distance")
    for s in places:
        (j,) = np.flatnonzero((links == "arm") & np.isclose(distances, s))
        seen = run.values("point_position")[samples, run.labels("point").index(f"at {s}")]
        rigid = seen - run.values("point_deflection")[samples, run.labels("point").index(f"at {s}")]
        assert np.abs(bent[:, j] - seen).max() < CLOSE
        assert np.abs(unbent[:, j] - rigid).max() < CLOSE
    assert np.abs(bent[:, -1] - run.values("point_position")[samples, -1]).max() < CLOSE


def test_the_line_begins_at_the_base_and_stays_together():
    run = fa.simulate(fa.parse_arm(ROD), output=3e-2)
    bent, unbent, _ = lines(run)
    links = run.labels("line_link")
    for line in (bent, unbent):
        assert np.abs(line[:, 0]).max() == 0.0
        assert np.abs(line[:, 1] - [0.1, 0.2, 0.0]).max() < CLOSE
        hand = links.index("hand")
        assert np.abs(line[:, hand] - line[:, hand - 1]).max() < CLOSE


def test_a_beam_in_a_sleeve_is_drawn_from_the_mouth_to_the_tip():
    run = fa.simulate(telescope(joint='motion = "extend"'), output=0.1)
    bent, unbent, samples = lines(run)
    distances = run.values("line_distance")
    boom = [j for j, name in enumerate(run.labels("line_link")) if name == run.labels("line_link")[-1]]
    assert (distances[boom][0], distances[boom][-1]) == (0.0, LENGTH)
    assert np.abs(bent[:, boom[-1]] - run.values("point_position")[samples, 0]).max() < CLOSE
    out = np.linalg.norm(unbent[:, boom[-1]] - unbent[:, boom[0]], axis=1)
    assert out == pytest.approx(run.values("joint_position")[samples, -1], abs=CLOSE)


@pytest.mark.parametrize("samples", [1, 2, 999, 1001, 100_001])
@pytest.mark.parametrize("points", [2, 50, 300])
def test_frames_are_few_rising_and_hold_both_ends(samples, points):
    frames = frame_indices(samples, points)
    assert (frames[0], frames[-1]) == (0, samples - 1)
    assert (np.diff(frames) > 0).all()
    assert len(frames) <= min(MOST_FRAMES, MOST_POINTS // points) + 1
