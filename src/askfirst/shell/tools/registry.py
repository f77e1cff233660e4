"""Which module of shell/tools holds the rows of a program. Explicit, so that one command imports one small table."""

from __future__ import annotations

__all__ = ["REGISTRY"]

# Topic -> the programs it knows. A test checks that every module's TOOLS and this table say the same.
_TOPICS: dict[str, str] = {
    # development tools
    "git": "git",
}

REGISTRY: dict[str, str] = {name: topic for topic, names in _TOPICS.items() for name in names.split()}
