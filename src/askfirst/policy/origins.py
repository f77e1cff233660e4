"""Layers and origins in words, the same everywhere: in reasons for the agent, in `explain`, in the log."""

from __future__ import annotations

from askfirst.model import Layer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Finding, Origin

__all__ = ["LAYERS", "of_origin", "sentence"]

LAYERS = {
    Layer.HARDCODED_BLOCK: "hardcoded block",
    Layer.ORG_BLOCK: "organisation block",
    Layer.ORG_ALLOW: "organisation allow",
    Layer.BUILTIN_ALLOW: "built-in rules",
    Layer.PROJECT_ALLOW: "project rules",
    Layer.GRANT: "a person's grant",
    Layer.NOTHING: "nothing matched",
}


def of_origin(origin: Origin) -> str:
    """`organisation block: npm, /etc/xdg/askfirst/config.yaml:5`."""
    words = LAYERS[Layer(origin.layer)]
    if origin.rule:
        words += f": {origin.rule}"
    if origin.source not in ("built-in", ""):
        words += f", {origin.source}" + (f":{origin.line}" if origin.line else "")
    return words


def sentence(finding: Finding) -> str:
    """What was found, which rule says so, and the way forward, in one line."""
    text = f"{finding.reason} ({of_origin(finding.origin)})"
    return f"{text}; {finding.advice}" if finding.advice else text
