"""Robots described by others: URDF and MJCF read, and made into arms with the help of an elasticity table."""
