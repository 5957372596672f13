"""The same arm through several formulations: the verb in `compare.py`."""
