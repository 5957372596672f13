"""Which link or gear of a robot costs most at its tip."""
