"""The verbs: one question about one arm per file."""
