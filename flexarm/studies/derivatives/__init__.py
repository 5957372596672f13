"""Derivatives of whole runs with respect to numbers of the model file, and what is built on them."""
