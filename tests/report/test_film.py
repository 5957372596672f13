"""Films: triangles come to lie on the pixels they cover, and encoders are given what was drawn."""

import os
import shutil
import stat

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.report.arm.stress import line_stress
from flexarm.report.film.camera import Camera
from flexarm.report.film.encode import check_film, write_film
from flexarm.report.film.film import film, pictures, speed_of
from flexarm.report.film.raster import rasterised

Z = np.array([0.0, 0.0, 1.0])


def test_a_triangle_covers_as_many_pixels_as_its_area_and_its_shares_give_back_its_places():
    corners = np.array([[10.2, 20.7, 1.0], [180.3, 60.1, 1.0], [70.9, 190.4, 1.0]])
    seen = rasterised(corners, np.array([[0, 2, 1]]), 200, 200)
    a, b, c = corners[:, :2]
    area = 0.5 * abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
    # the pixels along its edges count or do not: about half of each
    assert len(seen.pixels) == pytest.approx(area, rel=0.01)
    centres = np.column_stack([seen.pixels % 200 + 0.5, seen.pixels // 200 + 0.5])
    assert seen.shares @ corners[[0, 2, 1], :2] == pytest.approx(centres)
    # seen from behind it is not there
    assert not len(rasterised(corners, np.array([[0, 1, 2]]), 200, 200).pixels)


def test_the_nearer_of_two_triangles_hides_the_other():
    square = np.array([[0.0, 0.0], [0.0, 50.0], [50.0, 0.0]])
    corners = np.concatenate([np.column_stack([square, np.full(3, near)]) for near in (2.0, 3.0, 1.0)])
    seen = rasterised(corners, np.arange(9).reshape(3, 3), 40, 40)
    assert set(seen.faces.tolist()) == {1}


@pytest.mark.parametrize(("up", "planar"), [(Z, False), (Z, True), (np.array([0.0, 1.0, 0.0]), True)])
def test_a_camera_shows_all_it_is_to_show(up, planar):
    points = np.random.default_rng(4).normal(size=(50, 3)) * np.array([1.0, 2.0, 0.0 if planar else 1.0])
    camera = Camera(points, 0.1, up, planar, (640, 360))
    seen = camera.projected(points)
    assert (seen[:, :2] > 0).all() and (seen[:, 0] < 640).all() and (seen[:, 1] < 360).all()
    if planar:
        # straight on: x to the right, y upward
        assert np.corrcoef(points[:, 0], seen[:, 0])[0, 1] == pytest.approx(1.0)
        assert np.corrcoef(points[:, 1], seen[:, 1])[0, 1] == pytest.approx(-1.0)
    # the ray through a pixel meets the plane at what that pixel shows
    place = camera.on_plane(up, float(points.min()) - 1.0)[200, 300]
    if np.isfinite(place).all():
        assert camera.projected(place[None])[0, :2] == pytest.approx([300.5, 200.5], abs=1e-6)


def test_pictures_show_an_arm_that_moves(planar):
    found = list(pictures(planar, 0.5, (160, 90)))
    assert len(found) >= 3 and all(picture.shape == (90, 160, 3) for picture in found)
    assert not np.array_equal(found[0], found[1])
    # the base stands still
    darkest = np.argmin(found[0].sum(axis=2))
    assert found[0].reshape(-1, 3)[darkest].sum() < 400


def test_a_gif_holds_every_picture_at_its_rate(tmp_path):
    image = pytest.importorskip("PIL.Image")
    shots = [np.full((20, 30, 3), shade, np.uint8) for shade in (0, 100, 200, 250)]
    path = write_film(iter(shots), tmp_path / "a.gif", 20.0)
    with image.open(path) as found:
        assert found.n_frames == 4 and found.size == (30, 20) and found.info["duration"] == 50
    assert [each.name for each in tmp_path.iterdir()] == ["a.gif"]


def test_an_mp4_is_what_ffmpeg_makes_of_the_raw_pictures(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" > "$(dirname "$0")/said"\ncat > "$last"\n')
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    shots = [np.full((20, 30, 3), shade, np.uint8) for shade in (1, 2)]
    path = write_film(iter(shots), tmp_path / "a.mp4", 30.0)
    assert path.read_bytes() == b"".join(shot.tobytes() for shot in shots)
    said = (program.parent / "said").read_text().split()
    assert said[said.index("-s") + 1] == "30x20" and said[said.index("-r") + 1] == "30"


def test_films_without_an_encoder_and_of_another_kind_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(FlexarmError, match=r"a\.mp4: MP4 is written by ffmpeg, which is not on the PATH"):
        check_film(tmp_path / "a.mp4")
    with pytest.raises(FlexarmError, match=r"the kind of film is \.avi, must be \.gif or \.mp4"):
        check_film(tmp_path / "a.avi")
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(FlexarmError, match=r"GIF is written by Pillow.*flexarm\[video\]"):
        check_film(tmp_path / "a.gif")


def test_the_command_writes_a_film_beside_the_page(planar, tmp_path, monkeypatch):
    pytest.importorskip("PIL.Image")
    from typer.testing import CliRunner

    from flexarm.cli.app import application
    from flexarm.report.film import film as films

    monkeypatch.setattr(films, "SIZE", (80, 45))
    monkeypatch.setattr(films, "_RATES", {".gif": 1.0})
    run = planar.save(tmp_path / "run.nc")
    target = tmp_path / "run.gif"
    done = CliRunner().invoke(application(), ["report", str(run), "--video", str(target)])
    assert done.exit_code == 0, done.output
    assert target.read_bytes().startswith(b"GIF89a") and "run.gif" in done.output.replace("\n", "")
    refused = CliRunner().invoke(application(), ["report", str(run), "--video", str(tmp_path / "run.avi")])
    assert refused.exit_code != 0


def test_a_run_without_a_line_is_refused_in_one_sentence(tmp_path):
    pytest.importorskip("PIL.Image")
    empty = fa.Trajectory.from_arrays({}, {"time": np.zeros(1)}, arm_text="", info={"name": "nothing"})
    with pytest.raises(FlexarmError, match="nothing: the run holds no centre line or no model"):
        film(empty, tmp_path / "a.gif")


@pytest.mark.parametrize(("duration", "speed"), [(8.0, 1.0), (5.0, 1.0), (0.6, 0.1), (2.0, 0.2), (100.0, 10.0)])
def test_a_film_takes_about_eight_seconds_at_a_round_speed(duration, speed):
    assert speed_of(duration) == speed


def test_the_stress_of_a_cantilever_is_that_of_the_text_book():
    run = fa.simulate(
        fa.parse_arm("""
planar = true
gravity = [0, 0, 0]

[[link]]
name = "bar"
joint = { type = "fixed" }
length = "1 m"
beam = { section = { shape = "rectangle", width = "20 mm", height = "30 mm" }, material = "steel" }
model = { formulation = "rigid-fe", elements = 20 }

[[load]]
link = "bar"
force = [0, "10 N", 0]

[simulation]
end = "1 ms"
output = "1 ms"
start = "static"
""")
    )
    stress = line_stress(run, run.arm)[0]
    along = run.values("line_distance")
    inner = (along > 0.1) & (along < 0.9)
    # σ = F (L - x) c / I; a chain of rigid elements has its springs between the elements: curvatures go straight there
    wanted = 10.0 * (1.0 - along) * 0.015 / (0.02 * 0.03**3 / 12.0)
    assert stress[inner] == pytest.approx(wanted[inner], rel=1e-3)
