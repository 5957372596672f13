"""`flexarm doctor`: what is installed here, and does anything stand in the way?"""

from __future__ import annotations

from typing import Any

from flexarm.cli import options as opt
from flexarm.cli.output import BAD_INPUT, DONE, say, show_json
from flexarm.cli.terminal import show_result


def command(json: opt.Json = False) -> int:
    """What is installed on this machine, and does anything stand in the way?

    Reports the versions of flexarm and its packages, the processor, the folder of compiled kernels, the browser, which
    extras are installed and whether folders can be written. Ends with 2 if something is missing.
    """
    from flexarm.cli.installation import installation

    found = installation()
    if json:
        show_json(found)
    else:
        show_result(_text(found))
    for problem in found["problems"]:
        say(problem)
    return BAD_INPUT if found["problems"] else DONE


def _text(found: dict[str, Any]) -> str:
    """The report in plain text."""
    kernels, processor = found["kernels"], found["processor"]
    rows = {
        "folder": found["flexarm"]["folder"],
        "python": f"{found['python']['version']}, {found['python']['executable']}",
        "system": found["system"],
        "processor": f"{processor['name']}; {processor['cores']} cores may be used",
        "kernels": _kernels(kernels),
        "browser": found["browser"] or "none found: open pages by hand",
        "writable": ", ".join(f"{path} {'yes' if fine else 'no'}" for path, fine in found["writable"].items()),
    }
    lines = [f"flexarm {found['flexarm']['version']}", *(f"  {name:<9}   {text}" for name, text in rows.items())]
    if found["packages"]:
        lines += ["", *_table("package", "installed", "required", *_package_rows(found))]
        lines += ["", *_table("extra", "installed", "serves", *_extra_rows(found))]
    else:
        lines += ["", "flexarm is run from its sources and not installed: the packages it needs are not known"]
    count = len(found["problems"])
    verdict = f"{count} problem{'s' if count > 1 else ''}, see below" if count else "nothing stands in the way"
    return "\n".join([*lines, "", verdict])


def _kernels(kernels: dict[str, Any]) -> str:
    if kernels["folder"] is None:
        return "cannot be kept"
    text = f"{kernels['folder']}: {kernels['count']} compiled, {_megabytes(kernels['bytes'])}"
    if kernels["other_versions"]:
        text += f"; those of other versions beside it, {_megabytes(kernels['other_bytes'])}, may be deleted"
    return text


def _package_rows(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each["name"], each["installed"] or "missing", each["required"]) for each in found["packages"]]


def _extra_rows(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    rows = []
    for each in found["extras"]:
        have = ", ".join(f"{one['name']} {one['installed']}" for one in each["packages"])
        missing = f'no: pip install "flexarm[{each["name"]}]"'
        rows.append((each["name"], have if each["installed"] else missing, each["for"]))
    return rows


def _table(*cells: Any) -> list[str]:
    """Rows of three cells in columns, two blanks in from the left, the first row the names of the columns."""
    rows = [cells[:3], *cells[3:]]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        ("  " + "   ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
