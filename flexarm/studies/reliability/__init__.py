"""Requirements, how often they are met, and methods for rare failures."""
