"""Switching the box on: in the user's own file, for every project."""

from __future__ import annotations

from pathlib import Path

from askfirst import audit
from askfirst.approval.person import user_name
from askfirst.box import engines, health
from askfirst.errors import ConfigError
from askfirst.policy.keys import BOX_MODES, VERSIONS
from askfirst.store import atomic, paths, rulefiles
from askfirst.store.layers import org_files, settings_of

__all__ = ["EXPLAINED", "is_decided", "switch", "why_no_engine"]

EXPLAINED = (
    "A box runs what would otherwise be asked and needs nothing beyond the project: no network, no other files, and",
    "what it changes is judged before it reaches the disk, and can be taken back (`askfirst undo`).",
)


def why_no_engine() -> str:
    """Why nothing can run contained here, with the way out; "" where it can."""
    if engines.available() is not None:
        return ""
    found = health.doctor()
    return "; ".join(f"{h.subject}: {h.text}{f' ({h.way_out})' if h.way_out else ''}" for h in found)


def is_decided() -> bool:
    """Whether a file of the organisation or the user says something about the box already."""
    return any(key == "box" for file in org_files() for key, _ in file.settings)


def switch(mode: str) -> str:
    """Write the mode into the user's file. What a stronger file says stays. Returns what was done."""
    assert mode in BOX_MODES
    path = paths.org_files()[-1]
    text = _with_mode(_text_of(path), mode, path)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    atomic.write_atomic(path, text.encode())
    rulefiles.org_file(path, fresh=True)  # raises where the file is not what it should be
    audit.append("config", {"what": f"box: {mode}", "file": path, "by": user_name()}, durable=True)
    in_force = settings_of(org_files()).box
    if (in_force.unknown, in_force.allowed) != (mode != "off", mode == "all"):
        return f"{path}: `box: {mode}` written; the organisation's file says otherwise, and counts"
    return f"{path}: `box: {mode}`"


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except FileNotFoundError:
        return f"version: {VERSIONS[-1]}\n"
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", file=path, hint=f"write the mode into {path} by hand") from None


def _with_mode(text: str, mode: str, path: str) -> str:
    """The text with its one line `box: …` changed, or one added. A mapping is the person's to change."""
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if line.startswith("box:")), -1)
    if at < 0:
        return "\n".join((*lines, f"box: {mode}", ""))
    if lines[at].partition("#")[0].strip() not in {f"box: {known}" for known in BOX_MODES}:
        raise ConfigError("`box` has more than a mode", file=path, hint=f"write `mode: {mode}` there by hand")
    lines[at] = f"box: {mode}"
    return "\n".join((*lines, ""))
