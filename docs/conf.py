"""Sphinx: how the pages in this folder become a site. `make docs` builds it; every warning is an error."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
# Small matrices in many processes: threads of the linear algebra would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from flexarm import __version__  # noqa: E402

project = "flexarm"
author = "The flexarm authors"
copyright = f"2026, {author}"
version = release = __version__
language = "en_GB"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docs.making.directives",
    "docs.making.mathematics",
]
autodoc_typehints = "none"  # signatures have them, with what they are called in the code
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
root_doc = "index"
exclude_patterns = ["making", "look"]
source_suffix = {".md": "markdown"}

# On GitHub the same: dollars and ```math, headings as anchors of their words.
myst_enable_extensions = ["dollarmath", "deflist"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 5

html_theme = "furo"
html_title = f"flexarm {version}"
html_math_renderer = "mathml"
html_static_path = ["look"]
html_css_files = ["guide.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0068a8",
        "color-brand-content": "#0068a8",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
        "font-stack--monospace": "ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', 'Liberation Mono', monospace",
    },
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"
