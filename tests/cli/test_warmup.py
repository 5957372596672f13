"""`flexarm warmup`: tiny arms through everything that is compiled."""

from flexarm.cli.verbs.warmup import _KINDS, _WORK


def test_every_kind_of_arm_goes_through_every_piece_of_work_and_leaves_nothing_to_compile(call):
    answer = call("warmup")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert len(lines) == len(_KINDS) * len(_WORK) + 1
    assert "they are kept in" in lines[-1]
    assert call("warmup").out.splitlines()[-1].startswith("all kernels were there already")
