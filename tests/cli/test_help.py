"""Help a stranger can live on: every verb and every option says what it does."""

import pytest

import flexarm
from flexarm.verbs import VERBS as TABLE

VERBS = sorted(verb.name for verb in TABLE)


def test_help_and_no_word_at_all_show_the_verbs(call):
    answer = call("--help")
    assert answer.code == 0
    assert call().out.split() == answer.out.split()
    assert all(f"\n  {verb} " in answer.out for verb in VERBS)


def test_the_version_is_reported(call):
    assert call("--version").out == f"flexarm {flexarm.__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_every_verb_has_a_description(call, verb):
    answer = call(verb, "--help")
    assert (answer.code, answer.err) == (0, "")
    options = answer.out.partition("Options:")[2].splitlines()
    for line, following in zip(options, [*options[1:], ""], strict=True):
        if line.startswith("  --"):
            reported = line.strip().partition("  ")[2] or following.strip()
            assert reported and not reported.startswith("--"), line
