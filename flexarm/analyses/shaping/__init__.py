"""Commands that leave no residual vibration: the verb in `shape.py`, shapers, smooth laws and the direct optimum."""
