"""Paths of a point: where the joints must go so that the bent arm has the point on its path."""
