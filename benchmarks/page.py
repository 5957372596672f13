"""The readable page of a set of results, in Markdown."""

HEADING = """# Benchmarks

CPU time, the least of several rounds, all contenders in each round of one run. `make bench` measures them anew.
"""


def page(results: dict, tables: dict[str, list[list[str]]]) -> str:
    """Markdown of the machine and of every table, the tables keyed by title."""
    where = results["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in where["versions"].items())
    facts = [
        f"- {where['date']}",
        f"- {where['processor']}, {where['cores']} cores, {where['system']}",
        f"- Python {where['python']}; {versions}",
    ]
    parts = [HEADING, "\n".join(facts) + "\n"]
    for title, rows in tables.items():
        parts.append(f"## {title}\n\n{_markdown(rows)}\n")
    return "\n".join(parts)


def _markdown(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in padded]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
