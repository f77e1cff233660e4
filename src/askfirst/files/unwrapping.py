"""What stands in a text behind escapes, encodings and compression, as far as these are common: `%73%6b`, `\\x73`,
base64, hex, gzip, zlib, bzip2, xz, zip and tar, and one in the other. Bounded in depth, in size and in time."""

from __future__ import annotations

import base64
import bz2
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

MAX_DEPTH = 3
MAX_BYTES = 4 << 20  # of all that comes out, and of each piece
MAX_PIECES = 5000
MAX_MEMBERS = 100
MAX_PARTS = 8
MIN_BASE64 = 24
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|\\+x([0-9A-Fa-f]{2})|\\+u00([0-9A-Fa-f]{2})|&#x([0-9A-Fa-f]{2});")
_DECIMAL = re.compile(r"&#(\d{2,3});|\\+([0-7]{3})")
_NUMBERS = re.compile(r"(?:\b(?:0x[0-9a-fA-F]{2}|\d{2,3})\b[\s,;:+]{1,3}){7,}(?:0x[0-9a-fA-F]{2}|\d{2,3})\b")
_NUMBER = re.compile(r"0x[0-9a-fA-F]{2}|\d{2,3}")
_STANDARD = str.maketrans("-_", "+/")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_WRAPPED = re.compile(r"(?:[A-Za-z0-9+/]{60,76}\r?\n){1,}[A-Za-z0-9+/]*={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){16,}")


def unwrapped(text: str) -> Iterator[str]:
    """Every text within this one; not the text itself."""
    left, todo, pieces = MAX_BYTES, [(text, 0)], 0
    while todo and left > 0:
        outer, depth = todo.pop(0)
        for inner in _within(outer):
            pieces += 1
            left -= len(inner)
            if left <= 0 or pieces > MAX_PIECES:
                return
            yield inner
            if depth + 1 < MAX_DEPTH:
                todo.append((inner, depth + 1))


def _within(text: str) -> Iterator[str]:
    plain = _DECIMAL.sub(_decimal, _ESCAPE.sub(lambda m: chr(int(m[m.lastindex or 1], 16)), text))
    if plain != text:
        yield plain
    for match in _NUMBERS.finditer(text):
        codes = (int(n, 16 if n.startswith("0x") else 10) for n in _NUMBER.findall(match.group()))
        yield "".join(chr(c) for c in codes if c < 256)
    for data in _decoded(text):
        if data.isascii() and b"\0" not in data:
            yield data.decode("ascii")
        else:
            yield from unpacked(data)


def _decimal(match: re.Match[str]) -> str:
    code = int(match[1]) if match[1] else int(match[2], 8)
    return chr(code) if code < 256 else match.group()


def _decoded(text: str) -> Iterator[bytes]:
    for match in _WRAPPED.finditer(text):
        yield from _of_base64("".join(match.group().split()))
    for match in _BASE64.finditer(text):
        # The part of an address before it looks like its beginning.
        parts = match.group().split("/", MAX_PARTS)
        for number in range(len(parts)):
            yield from _of_base64("/".join(parts[number:]))
    for match in _HEX.finditer(text):
        yield bytes.fromhex(match.group())


def _of_base64(text: str) -> Iterator[bytes]:
    plain = text.rstrip("=").translate(_STANDARD)
    if len(plain) >= MIN_BASE64 and len(plain) % 4 != 1:
        yield base64.b64decode(plain + "=" * (-len(plain) % 4))


def unpacked(data: bytes) -> Iterator[str]:
    """The texts that are packed in these bytes; none where they are packed in no way that is known."""
    try:
        if data[:2] == b"\x1f\x8b":
            yield from _texts(_inflated(data, 31))
        elif data[:1] == b"\x78":
            yield from _texts(_inflated(data, 15))
        elif data[:3] == b"BZh":
            yield from _texts(bz2.BZ2Decompressor().decompress(data, MAX_BYTES))
        elif data[:6] == b"\xfd7zXZ\0":
            yield from _texts(lzma.LZMADecompressor(memlimit=64 << 20).decompress(data, MAX_BYTES))
        elif data[:4] == b"PK\3\4":
            yield from _members_of_zip(data)
        elif data[257:262] == b"ustar":
            yield from _members_of_tar(data)
    except (
        OSError,
        EOFError,
        ValueError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        tarfile.TarError,
        RuntimeError,
    ):
        return


def _inflated(data: bytes, window: int) -> bytes:
    return zlib.decompressobj(window).decompress(data, MAX_BYTES)


def _texts(data: bytes) -> Iterator[str]:
    if data[257:262] == b"ustar":
        yield from _members_of_tar(data)
    else:
        yield data.decode("utf-8", "replace")


def _members_of_zip(data: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist()[:MAX_MEMBERS]:
            with archive.open(member) as file:
                yield file.read(MAX_BYTES).decode("utf-8", "replace")


def _members_of_tar(data: bytes) -> Iterator[str]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for number, member in enumerate(archive):
            file = archive.extractfile(member) if member.isfile() else None
            if file is None or number >= MAX_MEMBERS:
                return
            yield file.read(MAX_BYTES).decode("utf-8", "replace")
