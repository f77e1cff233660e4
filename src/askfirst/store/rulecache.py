"""Compiled rules: plain tuples, stored with marshal, keyed by all they depend on. A hit needs no YAML and no schema.

The cache can only be lost, never believed wrongly: a file carries the digest of its own content, and what does not fit
is recomputed.
"""

from __future__ import annotations

import marshal
import os
from typing import Any

from askfirst import __version__
from askfirst.digest import sha256_hex
from askfirst.errors import StoreError
from askfirst.model import Decision, Layer, Origin
from askfirst.policy.rules import Rule
from askfirst.store import paths
from askfirst.store.atomic import write_atomic

__all__ = ["get", "key_of", "pack", "put", "unpack"]

# Raised whenever the compiled form or its meaning changes.
SCHEMA = 5
_MAX_FILES = 200
_DIGEST = 64
_FIELDS = tuple(vars(Rule("")))


def key_of(kind: str, path: str, content: bytes, *more: str) -> str:
    parts = (__version__, str(SCHEMA), str(marshal.version), kind, path, *more)
    return sha256_hex("\0".join(parts).encode("utf-8", "surrogateescape") + b"\0" + content)


def get(key: str) -> Any:
    """The stored value, or None."""
    try:
        with open(os.path.join(paths.state_dir(), "rules", key), "rb") as file:
            data = file.read()
        if sha256_hex(key.encode() + data[_DIGEST:]).encode() != data[:_DIGEST]:
            return None
        return marshal.loads(data[_DIGEST:])
    except (OSError, ValueError, EOFError, TypeError, MemoryError):
        return None


def put(key: str, value: Any) -> None:
    """Store a plain value. A full disk or a read-only home costs time, nothing else."""
    try:
        data = marshal.dumps(value)
        folder = paths.private_dir("rules")
        write_atomic(os.path.join(folder, key), sha256_hex(key.encode() + data).encode() + data)
        _prune(folder)
    except (OSError, StoreError, ValueError):
        return


def _prune(folder: str) -> None:
    files = os.listdir(folder)
    if len(files) <= _MAX_FILES:
        return
    by_age = sorted((os.stat(os.path.join(folder, name)).st_mtime, name) for name in files)
    for _, name in by_age[: len(files) // 2]:
        os.unlink(os.path.join(folder, name))


def pack(rule: Rule) -> tuple[Any, ...]:
    values: list[Any] = []
    for name, value in vars(rule).items():
        if name == "origin":
            values.append((int(value.layer), value.rule, value.source, value.line))
        else:
            values.append(int(value) if name == "decision" else value)
    return tuple(values)


def unpack(values: tuple[Any, ...]) -> Rule:
    fields: dict[str, Any] = dict(zip(_FIELDS, values, strict=True))
    layer, name, source, line = fields["origin"]
    return Rule(
        **{**fields, "decision": Decision(fields["decision"]), "origin": Origin(Layer(layer), name, source, line)}
    )
