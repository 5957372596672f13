"""What a browser's controls do to its scene, and to nobody else's."""

import threading

import numpy as np
import pytest

import flexarm as fa
from flexarm.viewer.arm_view import joint_range, payload_range
from flexarm.viewer.look import OVERLAID
from flexarm.viewer.playing import Played
from flexarm.viewer.posing import Poser
from flexarm.viewer.session import Session
from tests.viewer.standin import Client, Wall


def opened(*shown):
    """A browser, the wall clock of its session, and the session after its first picture."""
    client, wall = Client(), Wall()
    session = Session(client, shown, now=wall)
    session.step()
    return client, wall, session


def end_of(client, name="0"):
    """The middle of the last beam's end on the scene."""
    return client.scene.nodes[f"/{name}/beams"].vertices[-1]


@pytest.fixture
def played(run):
    return Played(run)


def test_a_run_is_played_paused_and_scrubbed(played):
    client, wall, session = opened(("run", played))
    controls = client.gui.controls
    controls["speed ×"].touch("1")
    assert session.step() is None  # nothing moves until it is let go
    controls["play"].touch()
    assert session.step() > 0.0
    wall.now += 0.1
    session.step()
    assert session.time == pytest.approx(0.1)
    assert controls["t [s]"].value == pytest.approx(0.1)
    assert controls["play"].label == "pause"
    controls["play"].touch()
    wall.now += 5.0
    assert session.step() is None and session.time == pytest.approx(0.1)
    controls["play"].touch()
    controls["t [s]"].touch(0.3)  # whoever takes the slider stops the clock
    wall.now += 5.0
    assert session.step() is None and session.time == 0.3
    assert "t = 0.3000 s" in client.gui.texts[1].content


def test_the_tip_on_the_scene_is_the_tip_of_the_data_at_any_time_and_scale(played, run):
    client, _, session = opened(("run", played))
    controls = client.gui.controls
    tip = run.labels("point").index("tip")
    for sample in (0, 37, 100):
        controls["t [s]"].touch(float(run.time[sample]))
        for word, scale in (("× 1", 1.0), ("× 50", 50.0), ("× 0", 0.0)):
            controls["bending"].touch(word)
            session.step()
            deflection = run.values("point_deflection")[sample, tip]
            wanted = run.values("point_position")[sample, tip] + (scale - 1.0) * deflection
            # corners are sent in single precision, deflections kept in it
            assert np.allclose(end_of(client), wanted, rtol=0.0, atol=2e-7 * max(scale, 1.0))
    trace = client.scene.nodes["/0/trace"].points
    assert np.allclose(trace[-1, 1], end_of(client), atol=1e-6)


def test_ghost_and_trace_come_and_go(played):
    client, _, session = opened(("run", played))
    nodes, controls = client.scene.nodes, client.gui.controls
    assert nodes["/0/ghost"].visible and nodes["/0/trace"].visible
    for label in ("rigid arm", "trace of the tip"):
        controls[label].touch(False)
    session.step()
    assert not nodes["/0/ghost"].visible and not nodes["/0/trace"].visible and not nodes["/0/path"].visible


def test_two_runs_go_by_one_clock_and_stand_apart_or_together(played):
    client, _, session = opened(("one", played), ("two", played))
    assert [client.scene.nodes[f"/{name}/title"].text for name in "01"] == ["one", "two"]
    client.gui.controls["t [s]"].touch(0.25)
    session.step()
    assert np.array_equal(end_of(client, "0"), end_of(client, "1"))
    assert client.scene.nodes["/1"].position[0] > played.drawing.reach
    client.gui.controls["arms"].touch(OVERLAID)
    session.step()
    assert client.scene.nodes["/1"].position == (0.0, 0.0, 0.0)


def test_one_browser_does_not_disturb_another(played, arm):
    first, wall, one = opened(("run", played), ("arm", arm))
    second, _, two = opened(("run", played), ("arm", arm))
    before = [end_of(second, name).copy() for name in ("0", "1")]
    first.gui.controls["play"].touch()
    first.gui.controls["rod [°]"].touch(50.0)
    first.gui.controls["rod [kg]"].touch(0.7)
    first.gui.controls["rigid arm"].touch(False)
    wall.now += 0.2
    one.step()
    two.step()
    assert one.time > 0.0 and two.time == 0.0
    assert second.gui.controls["rod [°]"].value == pytest.approx(-40.0)
    assert second.scene.nodes["/0/ghost"].visible
    for name, old in zip(("0", "1"), before, strict=True):
        assert np.array_equal(end_of(second, name), old)


def test_a_slider_moves_the_arm_and_reports_its_new_numbers(arm):
    client, _, session = opened(("arm", arm))
    assert set(client.gui.controls) >= {"upper [°]", "rod [°]", "rod [kg]"}
    reported = [text.content for text in client.gui.texts]
    client.gui.controls["rod [°]"].touch(75.0)
    client.gui.controls["bending"].touch("× 1")
    session.step()
    poser = Poser(arm)
    wanted = poser.posed({"upper": np.deg2rad(30.0), "rod": np.deg2rad(75.0)}, poser.masses())
    assert np.allclose(end_of(client), (wanted.rest + wanted.sag)[-1], atol=1e-6)
    assert [text.content for text in client.gui.texts] != reported
    assert "75.0°" in client.gui.texts[1].content
    client.gui.controls["back to the start"].touch()
    session.step()
    assert [text.content for text in client.gui.texts] == reported


def test_many_moves_of_a_slider_cost_one_analysis(arm, monkeypatch):
    client, _, session = opened(("arm", arm))
    asked = []
    find = Poser.posed
    monkeypatch.setattr(Poser, "posed", lambda *words, **more: asked.append(words[1]) or find(*words, **more))
    for degrees in range(50):
        client.gui.controls["rod [°]"].touch(float(degrees))
    session.step()
    session.step()
    assert len(asked) == 1 and asked[0]["rod"] == pytest.approx(np.deg2rad(49.0))


def test_a_mode_swings_about_the_sagging_arm_and_stops(arm):
    client, wall, session = opened(("arm", arm))
    still = end_of(client).copy()
    client.gui.controls["swing"].touch("mode 1")
    places = []
    for _ in range(8):
        assert session.step() > 0.0
        places.append(end_of(client).copy())
        wall.now += 0.2  # an eighth of the swing that is shown
    reach = session.arms[0].drawing.reach
    assert np.linalg.norm(np.mean(places, axis=0) - still) < 1e-6
    assert max(np.linalg.norm(place - still) for place in places) == pytest.approx(0.06 * reach, rel=0.1)
    client.gui.controls["swing"].touch("none")
    assert session.step() is None
    assert np.array_equal(end_of(client), still)


def test_names_cannot_bring_markup_into_the_page(arm):
    evil = arm.changed(links=(arm.links[0].changed(name="<img src=x>"), arm.links[1]))
    client, _, _ = opened(("arm", evil))
    assert "&lt;img src=x&gt;" in client.gui.texts[1].content
    assert not any("<img" in text.content for text in client.gui.texts)


def test_sliders_cover_what_makes_sense(arm):
    rod = arm.link("rod")
    assert joint_range(rod, 7.0, 1.0) == pytest.approx((np.pi, 3.0 * np.pi))
    assert payload_range(rod, 0.2) == 1.0
    assert payload_range(rod, 0.0) == pytest.approx(2.0 * rod.beam.properties(0.5).mass_per_length, rel=0.5)
    sleeved = rod.changed(joint={"type": "prismatic", "axis": "x", "sleeve": True}, hub=None)
    assert joint_range(sleeved, 0.0, 9.0) == (0.0, 1.0)


def test_the_thread_draws_what_is_asked_for_waits_for_the_browser_and_ends(played):
    client = Client()
    session = Session(client, [("run", played)])
    session.begin()
    drawn = threading.Event()
    client.gui.controls["t [s]"].on_update(lambda _: drawn.set())
    client.gui.controls["play"].touch()
    assert drawn.wait(10.0)
    session.close()
    assert client.asked >= 1
    assert not any(thread.name == "flexarm view" and thread.is_alive() for thread in threading.enumerate())


def test_what_goes_wrong_while_drawing_is_reported_in_the_page_once(played, monkeypatch):
    client = Client()
    session = Session(client, [("run", played)])
    reported = threading.Event()
    notify = client.add_notification
    client.add_notification = lambda *words, **more: (notify(*words, **more), reported.set())
    monkeypatch.setattr(Session, "step", lambda self: 1 / 0)
    session.begin()
    assert reported.wait(10.0)
    session.wake()
    session.close()
    assert client.notices == ["ZeroDivisionError: division by zero"]


def test_the_plot_of_the_tip_reaches_as_high_as_the_tip_did_in_any_sample(run, monkeypatch):
    fine = fa.simulate(run.arm, output=1e-4)
    away = np.linalg.norm(fine.values("point_deflection")[:, fine.labels("point").index("tip")], axis=1)
    client, plots = Client(), []
    drawn = client.gui.add_uplot
    monkeypatch.setattr(
        client.gui, "add_uplot", lambda data, series, **props: plots.append(data) or drawn(data, series)
    )
    Session(client, [("run", Played(fine))], now=Wall()).step()
    (times, values, _), *_ = plots
    assert len(away) > 2000 and len(times) < 600
    assert values.max() == 1e3 * away.max()
    assert times[values.argmax()] == fine.time[away.argmax()]
