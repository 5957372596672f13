"""Long pages fold what is minor, and nothing is lost of them."""

from flexarm.report.page import Axis, Figure, Line, Page, Section
from flexarm.report.rendering import page_text


def figures(count):
    return [Figure(f"figure {k}", Axis("x"), Axis("y"), [Line("line", [0, 1], [k, 0])]) for k in range(count)]


def test_minor_sections_are_folded_on_long_pages_only():
    for count, folded in ((2, 0), (8, 1)):
        page = Page("arm", "flexarm", [Section("All", figures(count)), Section("More", figures(count), minor=True)])
        text = page_text(page)
        assert text.count('<details class="fold">') == folded
        assert text.count("data-drawn=") == 2 * count


def test_a_section_shows_its_first_figures():
    text = page_text(Page("arm", "flexarm", [Section("All", figures(14))]))
    assert "6 more parts" in text and text.count("data-drawn=") == 14
