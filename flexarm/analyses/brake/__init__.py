"""The stop that leaves no residual vibration: the verb in `brake.py`, a step of its search per file."""
