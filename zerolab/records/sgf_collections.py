"""The games of an SGF collection, cut out of a stream in bounded memory and linear time."""

import re
from collections.abc import Iterator
from typing import BinaryIO

_BLOCK = 2**16
_BEGINNING = re.compile(rb"\(\s*;")
_ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|CA|AP|SZ)\[")
# A value in square brackets, in which a backslash protects what follows, or a round bracket. A
# value that does not end extends to the end of the data, so that no part of it is looked at twice.
_TOKEN = re.compile(rb"\[[^\]\\]*(?:\\.[^\]\\]*)*(?P<end>\]|\\?\Z)|[()]", re.DOTALL)


def split_collection(stream: BinaryIO, longest: int) -> Iterator[bytes]:
    """The texts of games; what stands between them is passed over.

    A game that does not end is cut off where the next one begins, which is recognised by the first
    property of its root, so that one broken game does not swallow the others. One of which more
    than `longest` bytes were read is cut off there.
    """
    data, is_complete = b"", False
    while not is_complete:
        block = stream.read(max(_BLOCK, len(data)))
        data, is_complete = data + block, not block
        place = 0
        while (begun := _BEGINNING.search(data, place)) is not None:
            end = _find_end(data, begun.start())
            if end is None:
                if not is_complete and len(data) - begun.start() <= longest:
                    break
                end = len(data)
            yield data[begun.start() : end]
            place = end
        data = data[_first_needed(data, place) if begun is None else begun.start() :]


def _find_end(data: bytes, begin: int) -> int | None:
    """Where a game ends: after its last bracket or before the next root; None if nowhere."""
    depth = 0
    for token in _TOKEN.finditer(data, begin):
        if token["end"] is not None:
            if token["end"] != b"]":
                return None
        elif token[0] == b")":
            depth -= 1
            if depth == 0:
                return token.end()
        elif depth > 0 and _ROOT.match(data, token.start()):
            return token.start()
        else:
            depth += 1
    return None


def _first_needed(data: bytes, place: int) -> int:
    """Where a game could begin whose semicolon is not read yet."""
    bracket = data.rfind(b"(", max(place, len(data) - _BLOCK))
    return len(data) if bracket < 0 else bracket
