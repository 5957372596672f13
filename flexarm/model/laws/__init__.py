"""Command laws: motions, torques and the pieces of polynomial they all become."""
