"""Numbers in a nest of dicts and lists, such as a manifest."""

from collections.abc import Iterator
from typing import Any


def numbers(value: Any) -> Iterator[tuple[list[Any], float]]:
    """Yield the path and value of every number in a nest of dicts and lists."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if isinstance(part, int | float) and not isinstance(part, bool):
            yield [key], part
        yield from (([key, *path], number) for path, number in numbers(part))
