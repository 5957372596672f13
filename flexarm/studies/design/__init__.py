"""The search for the best arm that meets its requirements."""
