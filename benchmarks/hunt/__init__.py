"""Hunt for faults: mutated model files, read all of them, a share run through a verb with options at random.

    python -m benchmarks.hunt --files 100000 --out hunt

A case is a function of its number and the seed alone: `--only 4711` runs one again and prints it.

- `mutants` makes the files: the repository's own, with values changed, removed, exchanged or taken from other files;
- `commands` draws a verb and some of its options, found from the command line itself;
- `faults` says what is wrong with an answer: an internal error, a death, more time than allowed, silent nonsense;
- `workers` runs the cases in long-lived processes, whose kernels are loaded once; one that dies is replaced.

Faults are kept as folders with the file, the command and the reason; the last line counts cases, sound files, runs and
faults, and the exit code is 1 if there are faults.
"""
