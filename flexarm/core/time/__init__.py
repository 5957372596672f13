"""Time: the laws of commands and drives, the steppers, and the one loop for one sample and for lanes."""
