"""Which parameter makes which part of an output's variance."""
