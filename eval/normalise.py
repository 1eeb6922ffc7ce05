"""What a token is: our Unicode-aware rule, in order; each line has a test in `tests/eval/test_normalise.py`.

1. Compatibility forms are unfolded (NFKD), case is folded, accents and vowel points are dropped (`é`, `ø`, `ł`, Arabic
   and Hebrew points); vowel signs and voicing marks of Indic, Thai and Japanese script stay, they make other words.
2. Zero-width, direction and soft-hyphen marks vanish; every kind of white space, no-break ones too, is one space.
3. Punctuation and symbols separate, hyphens too (`Jean-Luc` is `jean luc`), except: an apostrophe inside a word
   vanishes (`O'Neill` is `oneill`), a possessive `'s` vanishes (`Scott's` is `scott`; `1970's` is `1970s`), dotted
   initials are one token (`U.S.`, `J. R. R.`), a comma between thousands vanishes (`1,000`), a decimal point stays.
   Superscripts and fractions stand apart (`10²` is `10 2`), subscripts do not (`CO₂` is `co2`).
4. Han, kana, Hangul, Thai, Lao, Khmer, Burmese and Tibetan are written without spaces between words (Korean: with
   particles attached), so each character there, or syllable of Hangul, is a token of its own.
5. `the` is dropped everywhere, `a` and `an` only in front: `Serie A` and `Vitamin A` keep theirs.
"""

import re
import unicodedata
from functools import lru_cache

_APOSTROPHES = frozenset("'`´‘’‛ʹʻʼʽʾʿ′׳ꞌ")
_TRADE_MARKS = frozenset("™℠")
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_PLAIN = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ı": "i", "ŧ": "t"}
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\ud7b0-\ud7ff"
)
_END = r" \n'.,"  # after folding a text holds these, letters, digits and marks, and nothing else
_W = rf"[^{_END}{_UNSPACED}]"
_L = rf"[^{_END}{_UNSPACED}\d]"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_POSSESSIVE = re.compile(rf"'(?<!0')s(?!{_W})")  # begins with a plain character, which is searched for faster
_TOKEN = re.compile(
    rf"{_L}{_W}+(?:'{_W}+)*"  # a word, apostrophes inside
    rf"|\d+(?:,\d{{3}}(?!\d))*(?:\.\d+)*(?:'s|{_W}*)"  # 1,000  1.5  70s  1970's  2nd
    rf"|{_L}\.(?: ?{_L}\.)+|{_L}(?:\.{_L})+(?!{_W})"  # J. R. R.  U.S.  U.S
    rf"|{_W}(?:'{_W}+)*"  # a word of one letter, or o'neill
    rf"|[\u1100-\u115f\ua960-\ua97f][\u1160-\u11ff\ud7b0-\ud7ff]*"  # a syllable of Hangul, decomposed
    rf"|[{_UNSPACED}][^\w{_END}]*"  # one character with its marks
)
_KEPT_LENGTH = 2000  # code points: a passage is asked about again and again, and a whole book would fill the memory
_INSIDE = str.maketrans("", "", "'., ")
_INSIDE_NUMBER = str.maketrans("", "", "',")


def _is_dropped(char: str) -> bool:
    """Marks that do not tell words apart: accents, overlays, Hebrew and Arabic points, invisible characters."""
    mark_class = unicodedata.combining(char)
    invisible = unicodedata.category(char) in ("Cf", "Me") or "\ufe00" <= char <= "\ufe0f" or char == "\u0640"
    return mark_class >= 200 or mark_class == 1 or 10 <= mark_class <= 36 or invisible


def _fold_plain(char: str) -> str:
    """Fold one character that has no compatibility form any more; what separates becomes a space or a line break."""
    if _is_dropped(char):
        return ""
    if char in _APOSTROPHES:
        return "'"
    if char.isalnum() or unicodedata.category(char)[0] == "M":
        return _PLAIN.get(char, char)
    if char in ".,":
        return char
    return " " if char.isspace() and char not in _LINE_ENDS else "\n"


def _fold(char: str) -> str:
    """Fold one character of a text to none, one or more plain ones."""
    if char in _APOSTROPHES or char in _TRADE_MARKS:
        return _fold_plain(char)
    unfolded = unicodedata.normalize("NFKD", char).casefold()
    folded = "".join(map(_fold_plain, unicodedata.normalize("NFKD", unfolded)))
    # 3½ is 3 1/2, not 31/2; 10² is 10 2, not 102; a note mark ¹ is no part of the name before it.
    apart = "\u2044" in unfolded or unicodedata.decomposition(char).startswith("<super>")
    return f"\n{folded}" if apart else folded


class _Folds(dict[int, str]):
    """Code point to folded text, worked out when a character is first seen: a table for `str.translate`."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


_FOLDS = _Folds()


def _clean(token: str) -> str:
    """Drop what may stand inside a token; compose it again, so that equal tokens have equal code points."""
    inside = token.translate(_INSIDE_NUMBER if token[0].isdigit() else _INSIDE)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", inside))


def _prepare(text: str) -> str:
    """Fold a text and blank out possessives, so that only tokens and what separates them are left."""
    # Twice, since ASCII alone is folded ten times faster; folding a folded character changes nothing.
    folded = _NOT_ASCII.sub(lambda match: match.group().translate(_FOLDS), text).translate(_FOLDS)
    return _POSSESSIVE.sub("\n\n", folded)


def _tokens(text: str) -> tuple[str, ...]:
    found = [t if t.isascii() and t.isalnum() else _clean(t) for t in _TOKEN.findall(_prepare(text)) if t != "the"]
    start = 0
    while start < len(found) and found[start] in ("a", "an"):
        start += 1
    return tuple(found[start:])


_kept_tokens = lru_cache(maxsize=4096)(_tokens)


def tokens(text: str) -> tuple[str, ...]:
    """The normalised tokens of a text, in order, without articles; see the module's rule."""
    return _kept_tokens(text) if len(text) <= _KEPT_LENGTH else _tokens(text)


def normalise(text: str) -> str:
    """The tokens of a text joined by single spaces; idempotent, empty if the text holds no token."""
    return " ".join(tokens(text))


def token_spans(text: str) -> list[tuple[str, int, int]]:
    """Every token with the half-open code-point range that it covers in the text itself, articles included.

    A possessive `'s` lies outside the range of its word.
    """
    origins = [i for i, char in enumerate(text) for _ in char.translate(_FOLDS)]
    found = ((match.group(), *match.span()) for match in _TOKEN.finditer(_prepare(text)))
    return [(_clean(token), origins[start], origins[end - 1] + 1) for token, start, end in found]
