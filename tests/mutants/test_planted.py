"""Every error that is planted can still be planted: its text stands where it is looked for, its tests are there."""

import pytest

from tests.mutants.planted import MUTANTS, ROOT, Mutant


def test_every_text_stands_once_and_becomes_another():
    for mutant in MUTANTS:
        assert mutant.file().is_file()
        assert mutant.before != mutant.after


def test_every_error_is_planted_once_and_its_tests_are_there():
    assert len(set(MUTANTS)) == len(MUTANTS) >= 40
    for mutant in MUTANTS:
        assert all((ROOT / word.partition("::")[0]).is_file() for word in mutant.tests.split()), mutant.tests


def test_a_text_that_is_gone_is_reported_with_what_to_do():
    with pytest.raises(LookupError, match=r"must stand once below flexarm/core and stands nowhere: look for"):
        Mutant("core", "no such formula", "", "").file()
