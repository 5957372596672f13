"""Numbers for compiled code: plain ones, and lanes of eight samples."""
