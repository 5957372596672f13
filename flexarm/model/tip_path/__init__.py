"""A path of a point: its curve, its course over time, and the joints that lead the rigid arm along it."""
