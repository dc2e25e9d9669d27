"""Named arrays in one file, in the layout of safetensors, mapped into memory when it is opened.

Eight bytes say how long the header is. The header is JSON: for each array its type, its shape and
where its bytes are, and a dictionary of texts besides. Then come the bytes. No code is in such a
file, so a damaged or hostile one can only be wrong.
"""

import hashlib
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.files import replacing

Array = npt.NDArray[Any]
MAX_HEADER = 10_000_000  # bytes
_LENGTH = struct.Struct("<Q")
_METADATA = "__metadata__"
_DIGEST = "sha256"
_TYPES = {
    name: np.dtype(text)
    for name, text in {"I64": "<i8", "U16": "<u2", "I8": "i1", "U8": "u1"}.items()
}


class MappedArrays(NamedTuple):
    """Texts and arrays of a file, by name; arrays are read-only."""

    texts: dict[str, str]
    arrays: dict[str, Array]


def write_arrays(path: Path, texts: Mapping[str, str], arrays: Mapping[str, Array]) -> None:
    """Replace a file atomically. Arrays of large numbers come first, so that all are aligned."""
    names = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    digest = hashlib.sha256()
    for name in names:
        digest.update(np.ascontiguousarray(arrays[name]).data)
    header: dict[str, Any] = {_METADATA: {**texts, _DIGEST: digest.hexdigest()}}
    end = 0
    for name in names:
        array = arrays[name]
        begin, end = end, end + array.nbytes
        (kind,) = (name for name, kind in _TYPES.items() if kind == array.dtype)
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": (begin, end)}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with replacing(path) as file:
        file.write(_LENGTH.pack(len(text)) + text)
        for name in names:
            file.write(np.ascontiguousarray(arrays[name]).data)


def map_arrays(path: Path) -> MappedArrays:
    """Open a file; a UsageError says what is wrong with one that is damaged."""
    try:
        mapped = np.asarray(np.memmap(path, np.uint8, "r"))  # kernels want the plain type
        (length,) = _LENGTH.unpack(mapped[: _LENGTH.size].tobytes())
        begin = _LENGTH.size + length
        if length > MAX_HEADER or begin > len(mapped):
            raise ValueError
        header = json.loads(mapped[_LENGTH.size : begin].tobytes())
        texts = {str(key): str(value) for key, value in header.pop(_METADATA).items()}
        data = mapped[begin:]
        arrays = {name: _array_of(data, **entry) for name, entry in header.items()}
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error):
        raise UsageError(f"{path} is not a file of packed games, or only part of one") from None
    if texts.pop(_DIGEST, None) != hashlib.sha256(data.data).hexdigest():
        raise UsageError(f"{path} is damaged: its bytes do not have the digest in its header")
    return MappedArrays(texts, arrays)


def _array_of(data: Array, dtype: str, shape: list[int], data_offsets: list[int]) -> Array:
    begin, end = data_offsets
    return np.frombuffer(data[begin:end], _TYPES[dtype]).reshape(shape)  # or a ValueError
