"""A model file with a few numbers replaced describes the new arm to the bit, and keeps what its author wrote."""

import pytest

import flexarm as fa
from flexarm.cli.verbs.new import starter
from flexarm.model.reading.edited import edited_text
from tests.cli.conftest import EXAMPLES

TEXT = starter("planar")
CHANGES = {
    "link[forearm].length": "1.1 m",
    "link[1].beam.section.thickness": 2e-3,
    "motion.turn.braking_time": "0.24 s",
    "simulation.end": 3.0,
    "link[0].joint.rate": "1 rad/s",
}


@pytest.mark.parametrize("place", CHANGES)
def test_one_change_leaves_every_other_line_as_it_was(place):
    before = fa.parse_arm(TEXT)
    after = before.with_(place, CHANGES[place])
    text = edited_text(TEXT, before, after)
    assert fa.parse_arm(text) == after
    old, new = TEXT.splitlines(), text.splitlines()
    assert len(old) == len(new)
    assert sum(one != two for one, two in zip(old, new, strict=True)) == 1


def test_a_table_that_is_new_is_added_and_one_that_is_gone_is_removed():
    before = fa.parse_arm(TEXT)
    links = [link.changed(joint=link.joint.changed(motion="other", rate=None)) for link in before.links]
    other = {"other": {"kind": "cycloidal", "travel": 1.0, "duration": 0.5}}
    text = edited_text(TEXT, before, after := before.changed(links=links, motions=other, name="renamed"))
    assert fa.parse_arm(text) == after
    assert "[motion.other]" in text and "[motion.turn]" not in text
    assert "# the elbow's drive" in text and 'length  = "0.9 m"' in text


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_example_can_be_edited(path):
    text = path.read_text(encoding="utf-8")
    try:
        before = fa.parse_arm(text, folder=EXAMPLES)
    except fa.FlexarmError:  # it has distributions
        before = fa.parse_study(text).nominal
    after = before.with_("simulation.end", 0.123)
    assert fa.parse_arm(edited_text(text, before, after)) == after


def test_a_text_that_does_not_describe_the_arm_is_written_anew():
    before = fa.parse_arm(TEXT)
    assert edited_text("not a model", before, before) == fa.format_arm(before)
    assert edited_text(TEXT.replace("0.3 kg", "0.4 kg"), before, before) == fa.format_arm(before)


def test_shape_keeps_the_comments_of_the_file(tmp_path, monkeypatch):
    import sys

    from flexarm.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.toml").write_text(TEXT, encoding="utf-8")
    words = ["shape", "arm.toml", "--shapers", "zv", "--laws", "none", "--no-sensitivity", "--take", "zv"]
    monkeypatch.setattr(sys, "argv", ["flexarm", *words, "--out", "shaped.toml", "--quiet"])
    with pytest.raises(SystemExit):
        main()
    text = (tmp_path / "shaped.toml").read_text("utf-8")
    assert 'motion = "turn zv"' in text and "# relative to the upper arm" in text and '"80 deg/s"' in text
    assert fa.read_arm("shaped.toml").motions.keys() == {"turn", "turn zv"}
