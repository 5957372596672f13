"""A study that is killed anywhere, again and again, ends in the table of one that never was."""

import flexarm as fa
from flexarm.studies.store.store import StoredStudy
from tests.studies.killed import kill_often, start
from tests.studies.swings import swing

SAMPLES, KILLS = 12_000, 3  # many more than the three can do


def test_a_study_killed_three_times_ends_in_the_same_table(tmp_path):
    model, folder = tmp_path / "model.toml", tmp_path / "study"
    model.write_text(swing(name="killed").text, encoding="utf-8")
    whole = fa.montecarlo(fa.read_study(model), samples=SAMPLES, times=3, workers=1)
    # chunks and workers differ from life to life, which must not matter either
    lives = [(20, 1), (31, 2), (40, 1)]
    killed = kill_often(lambda k: start(model, folder, SAMPLES, *lives[k]), folder, KILLS)
    assert killed >= KILLS - 1
    kept = sum(len(rows) for rows in StoredStudy(folder).blocks())
    assert 0 < kept < SAMPLES
    again = fa.montecarlo(fa.read_study(model), samples=SAMPLES, times=3, folder=folder, resume=True, workers=1)
    assert again.table().same_bits(whole.table())
    assert {**again.to_dict(), "folder": ""} == {**whole.to_dict(), "folder": ""}
