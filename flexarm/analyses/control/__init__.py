"""Controllers set side by side: what each makes of the same move."""
