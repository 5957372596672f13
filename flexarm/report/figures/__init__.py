"""Figures several pages share."""
