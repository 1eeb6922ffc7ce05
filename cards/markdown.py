"""Texts of others on a page of ours: escaped, on one line, cut to a length."""

import re
import unicodedata

# What CommonMark, GitHub's tables and strike-through, HTML and the Hub's formulas and mentions take for markup.
_MARKUP = re.compile(r"[\\`*_{}\[\]()#|~$!^&<>@]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
# A scheme or `www.` at the start of a word becomes a link by itself.
_LINK = re.compile(r"\b(https?|ftp)://|\bwww\.", re.IGNORECASE)


def escape(text: str) -> str:
    """Return a text as Markdown that shows exactly it, on one line, without characters that cannot be seen."""
    spaced = "".join(" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in text)
    line = " ".join("".join(one for one in spaced if unicodedata.category(one) not in ("Cf", "Cs")).split())
    marked = _MARKUP.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), line)
    return _LINK.sub(lambda found: re.sub(r"[:.]", lambda sign: f"&#{ord(sign[0])};", found[0]), marked)


def shorten(text: str, length: int) -> str:
    """Return a text cut after the last whole word within `length` code points, with an ellipsis for the rest."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    whole, _, _ = line[: length + 1].rpartition(" ")
    return f"{(whole or line[:length]).rstrip(' ,;:')} …"
