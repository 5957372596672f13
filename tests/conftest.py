"""Settings every test shares."""

from hypothesis import settings

# Shared machines are slow at times and a check must give the same answer twice.
settings.register_profile("flexarm", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("flexarm")
