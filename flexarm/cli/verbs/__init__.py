"""The commands, one verb per file with a function `command`."""
