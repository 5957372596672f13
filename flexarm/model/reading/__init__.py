"""Model files read and written: quantities with units, hints, messages, paths."""
