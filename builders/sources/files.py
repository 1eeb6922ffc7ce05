"""A source file as lines of text: checksum, compression found by content, UTF-8 checked line by line."""

import bz2
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from loaders.errors import InputError, MissingExtraError


def sha256(path: Path) -> str:
    """Return the checksum of a file's bytes as they lie (compressed ones stay compressed), as 64 hex digits."""
    check_file(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def file_identity(path: Path) -> str:
    """Return what names a table of ours in a recipe: another one makes other items."""
    return f"{path.name}@{sha256(path)[:12]}"


def check_file(path: Path) -> None:
    """Raise InputError for a path that is a directory or does not exist."""
    if not path.is_file():
        raise InputError(path, None, f"expected a file, found {'a directory' if path.is_dir() else 'nothing'}")


def is_parquet(path: Path) -> bool:
    """Whether a file starts as Parquet does."""
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def read_lines(path: Path) -> Iterator[str]:
    """Yield a file's lines with their ends, decoded; only a line feed ends a line, since JSON text may hold U+2028."""
    number = 0
    try:
        with open_bytes(path) as file:
            for number, raw in enumerate(file, 1):
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(path, number, f"expected UTF-8 text, found byte 0x{error.object[error.start]:02x}") from None
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(path, number + 1, f"expected a whole, readable file: {error}") from None


def open_bytes(path: Path) -> BinaryIO:
    """Open a plain, gz, bz2 or zst file for reading what is in it; raises OSError, or MissingExtraError for zst."""
    with path.open("rb") as file:
        magic = file.read(4)
    if magic[:2] == b"\x1f\x8b":
        return cast(BinaryIO, gzip.open(path, "rb"))
    if magic == b"\x28\xb5\x2f\xfd":
        return _open_zst(path)
    return cast(BinaryIO, bz2.open(path, "rb")) if magic[:3] == b"BZh" else path.open("rb")


def _open_zst(path: Path) -> BinaryIO:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("zstandard", "pip install 'decoyqa[graph]'") from None
    # Dumps are often packed by several threads, each into a frame of its own.
    return cast(BinaryIO, zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True))
