"""Small motion about an equilibrium: matrices, poles, modes."""
