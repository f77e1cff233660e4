"""Secrets in a text become placeholders: `<redacted:API_KEY#k7w2m4ad>`.

A placeholder is bound to the file it stands in, by a key that only this user has. Nothing is stored but the key: it is
computed from the file's name and the value, so whoever has the file can find the value again, and nobody else.
`Masker` masks the texts of one result; `Stream` masks output as it comes, which is what the start of a contained
command does. Imported there while the command begins, so it imports little.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from askfirst.digest import sha256
from askfirst.knowledge.variables import is_masked
from askfirst.redact import Secret, find_in_output, is_common, looks_random
from askfirst.store import atomic, paths

MAX_TEXT = 64 << 20  # characters of a result; what is longer is left out, with a word about it
MAX_FILE_BYTES = 1 << 20
MAX_VALUES = 500
PICTURES = frozenset("image audio video pdf blob document".split())
# Patterns are compiled when they are first needed: most output of contained commands needs none of them.
_BOUND = r"""(?m)^\s*(?:export\s+)?["']?([A-Za-z_][\w.-]{0,80})["']?\s*[:=]\s*["']?([^\s"'#]{8,4000})"""
_ENCODED = ("base64", "data", "blob")
_IS_BASE64 = r"(?:data:[a-z]+/[\w.+-]+;base64,)?[A-Za-z0-9+/_=\s-]*"
_URL_PASSWORD = r"://[^\s/:@]{0,64}:([^\s/@]{8,200})@"


@dataclass(frozen=True)
class Known:
    """Where a known secret stands."""

    name: str
    file: str  # "" for one of the environment


def known_in(files: Iterable[str], environ: Mapping[str, str]) -> dict[str, Known]:
    """Values of the environment and of these files -> their names."""
    found: dict[str, Known] = {}
    for name, value in environ.items():
        if is_masked(name) and is_worth_masking(value):
            found[value] = Known(name, "")
    for path in files:
        found.update(_values_in(path))
        if len(found) > MAX_VALUES:
            break
    return found


def is_worth_masking(value: str) -> bool:
    return len(value) >= 8 and not is_common(value) and not value.startswith(("/", "http://", "https://", "$"))


def _values_in(path: str) -> dict[str, Known]:
    """`NAME=value`, `name: value` and their like, where the name says secret or the value looks random."""
    text = text_of(path)
    real = os.path.realpath(path)
    found = {}
    for match in re.finditer(_BOUND, text):
        name, value = match.groups()
        value = value.rstrip(",;")
        inner = re.search(_URL_PASSWORD, value)
        if inner is not None:
            value = inner.group(1)
        if is_worth_masking(value) and (inner is not None or is_masked(name) or looks_random(value)):
            found[value] = Known(name[:60], real)
    return found


def text_of(path: str) -> str:
    data = data_of(path)
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def data_of(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, "rb") as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return b""


def own_key() -> bytes:
    """This user's own; made when it is first needed."""
    path = os.path.join(paths.private_dir("flow"), "key")
    try:
        found = atomic.read_private(path, 64)
        if len(found) == 32:
            return found
    except FileNotFoundError:
        pass
    atomic.create_once(path, os.urandom(32))
    return atomic.read_private(path, 64)


def placeholder(name: str, file: str, value: str, key: bytes) -> str:
    digest = sha256(key + os.fsencode(file) + b"\0" + value.encode("utf-8", "surrogatepass")).digest()
    plain = re.sub(r"[^A-Za-z0-9_.-]", "-", name)[:60] or "secret"
    return f"<redacted:{plain}#{base64.b32encode(digest)[:8].decode().lower()}>"


class Masker:
    """Masks the texts of one result. `file`: the one whose content is shown, where there is exactly one."""

    def __init__(self, known: Mapping[str, Known], patterns: tuple[str, ...] = (), file: str = "") -> None:
        self.known = known
        self.names = {value: about.name for value, about in known.items()}
        self.patterns, self.file, self.key = patterns, file, own_key()
        self.found = self.size = 0
        self.marks: dict[str, None] = {}  # what stands for each value, in order

    def text(self, text: str) -> str:
        self.size += len(text)
        if self.size > MAX_TEXT:
            return f"[{len(text)} characters were left out: more than {MAX_TEXT >> 20} MB are not looked through]"
        return self.masked(text, self.secrets_in(text))

    def secrets_in(self, text: str) -> tuple[Secret, ...]:
        return find_in_output(text, values=self.names, patterns=self.patterns)

    def masked(self, text: str, secrets: tuple[Secret, ...]) -> str:
        if not secrets:
            return text
        self.found += len(secrets)
        parts: list[str] = []
        at = 0
        for secret in secrets:
            parts += (text[at : secret.start], self.placeholder(secret.name, text[secret.start : secret.end]))
            at = secret.end
        return "".join((*parts, text[at:]))

    def placeholder(self, name: str, value: str) -> str:
        known = self.known.get(value)
        file = known.file if known is not None and known.file else self.file
        ends = "\n" * value.count("\n")  # the lines behind a key of twenty lines keep their numbers
        mark = placeholder(known.name if known is not None else name, file, value, self.key)
        self.marks[mark] = None
        return mark + ends

    def value(self, value: Any) -> Any:
        """The same shape, which is what the client takes. Pictures stay as they are."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (list, tuple)):
            return [self.value(one) for one in value]
        if not isinstance(value, dict):
            return value
        encoded = _ENCODED if value.get("type") in PICTURES else ("base64",)
        return {key: one if _is_picture(key, one, encoded, value) else self.value(one) for key, one in value.items()}


def _is_picture(key: str, value: Any, encoded: tuple[str, ...], around: Mapping[str, Any]) -> bool:
    """Whatever is called a picture must look like one: a result may call itself anything."""
    if not isinstance(value, str) or (key not in encoded and around.get("isImage") is not True):
        return False
    return re.fullmatch(_IS_BASE64, value) is not None
