"""The outputs of a sample: observables, settling times and the numbers compared with requirements."""
