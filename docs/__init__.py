"""The guide: pages in Markdown, and what makes their figures, tables and outputs."""
