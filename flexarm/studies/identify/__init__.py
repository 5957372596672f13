"""From measured records to a model with intervals."""
