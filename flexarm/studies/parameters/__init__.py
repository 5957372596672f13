"""The random parameters of a study: their distributions, how they depend on one another, and the arm of a sample."""
