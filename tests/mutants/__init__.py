"""Small errors planted in the sources one by one; the tests named for each must fail: `python -m tests.mutants`."""
