"""Words as they stand on a page."""

from __future__ import annotations

import re
from html import escape

# Between a number and its unit, and inside units such as N m, no line ends.
_INSIDE = re.compile(
    r"""(?<=\d)[ ](?=(?:[nµmkMG]?(?:m|s|rad|N|J|W|Hz|Pa|g)|rpm|deg|[%°×])(?![\w-]))
    |(?<=N)[ ](?=m(?![a-z]))""",
    re.VERBOSE,
)


def text_html(text: str) -> str:
    """The text as HTML that never breaks a line between a number and its unit."""
    return escape(_INSIDE.sub("\u00a0", text))
