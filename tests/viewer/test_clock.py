"""The clock of a run goes, stops, jumps and hurries as commanded."""

import pytest

from flexarm.viewer.clock import Clock
from flexarm.viewer.playback import fitting_speed


def test_a_clock_stands_until_it_is_let_go_and_keeps_its_place_when_it_is_stopped():
    clock = Clock(2.0)
    assert clock.time(50.0) == 0.0
    clock.play(50.0)
    assert clock.time(50.5) == 0.5
    clock.pause(51.0)
    assert clock.time(99.0) == 1.0
    clock.play(100.0)
    assert clock.time(100.25) == 1.25


def test_a_clock_begins_anew_at_the_end_or_stops_there():
    clock = Clock(2.0)
    clock.play(0.0)
    assert clock.time(5.0) == pytest.approx(1.0)
    clock.repeats = False
    assert clock.time(5.0) == 2.0 and not clock.playing
    clock.play(6.0)
    assert clock.time(6.5) == 0.5


def test_a_change_of_speed_does_not_jump():
    clock = Clock(10.0)
    clock.play(0.0)
    clock.hurry(0.1, 3.0)
    assert clock.time(3.0) == 3.0
    assert clock.time(4.0) == pytest.approx(3.1)


def test_a_clock_is_set_within_the_run_only():
    clock = Clock(2.0)
    for wanted, shown in ((1.5, 1.5), (9.0, 2.0), (-1.0, 0.0)):
        clock.seek(wanted, 0.0)
        assert clock.time(1.0) == shown


def test_a_short_run_is_played_slowly_enough_to_be_followed():
    assert [fitting_speed(end) for end in (0.01, 0.5, 2.0, 3.0, 60.0)] == ["1/100", "1/10", "1/2", "1", "1"]
