"""What makes two requests the same: a digest over what will run, where. An answer is bound to it."""

from __future__ import annotations

from typing import Any

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.model import Request

# What an agent says about its call, and how long it would wait for it: neither changes what runs.
_SAID = {"description", "timeout"}


def digest_of(request: Request) -> str:
    """SHA-256 of tool, input, directory and project. The agent and its session are not part of it: they may ask the
    same."""
    what = {k: v for k, v in request.input.items() if not (request.tool == "Bash" and k in _SAID)}
    return sha256_hex(
        "askfirst-request-1\n" + jsontext.dumps([request.tool, _sorted(what), request.cwd, request.project])
    )


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _sorted(value[k]) for k in sorted(value, key=str)}
    if isinstance(value, (list, tuple)):
        return [_sorted(v) for v in value]
    return value
