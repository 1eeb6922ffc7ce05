"""Texts of others on our page: what is shown is exactly the text, whatever Markdown or HTML would make of it."""

import html
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cards.markdown import escape, shorten

PAGE = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def shown(markdown: str) -> str:
    """Return the text that a reader sees of a table cell."""
    rendered = PAGE.render(f"| head |\n| --- |\n| x {markdown} x |\n")
    cells = re.findall(r"<td>(.*)</td>", rendered)
    assert len(cells) == 1, rendered
    assert "<" not in cells[0], rendered
    return html.unescape(cells[0]).removeprefix("x").removesuffix("x").strip()


@pytest.mark.parametrize(
    "text",
    [
        "a | b || c",
        "*bold* _it_ `code` ~~gone~~ [link](http://x.org) ![p](q.png)",
        "<script>alert(1)</script> <!-- no --> &amp; &lt;",
        "back\\slash \\| pipe",
        "# not a head, 1. not a list, $x^2$ $$y$$",
        "{{ braces }} {% block %}",
        "https://example.org and www.example.org",
    ],
)
def test_markup_is_shown_as_it_is_written(text: str) -> None:
    assert shown(escape(text)) == text


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_any_text_is_shown_on_one_line_without_what_cannot_be_seen(text: str) -> None:
    kept = "".join(" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in text)
    seen = "".join(one for one in kept if unicodedata.category(one) not in ("Cf", "Cs"))
    assert shown(escape(text)).split() == seen.split()


def test_nothing_becomes_a_link_or_a_mention_by_itself() -> None:
    found = escape("see http://a.org, WWW.b.org and @someone")
    assert re.search(r"://|www\.|@", found, re.IGNORECASE) is None


def test_a_text_is_cut_after_a_whole_word() -> None:
    assert shorten("one two three", 13) == "one two three"
    assert shorten("one two three", 12) == "one two …"
    assert shorten("one two, three", 9) == "one two …"
    assert shorten("onetwothree", 6) == "onetwo …"
    assert shorten(" one\n\ttwo ", 7) == "one two"
