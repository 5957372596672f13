"""A study on disk: rows, parts, statistics, and what pages show of it."""
