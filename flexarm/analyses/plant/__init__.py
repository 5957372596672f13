"""Arms whose drives are in other hands: plants that step by a period, and loops closed by sampled controllers."""
