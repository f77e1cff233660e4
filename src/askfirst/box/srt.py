"""srt (npm `@anthropic-ai/sandbox-runtime`): lets a command reach named hosts through a proxy, and no others. For
installs from lock files with `box: {hosts: [...]}`. It starts in half a second and has no layers: it writes to the
project directly, but not to what git, agents and editors obey. So the project is copied before, and what differs
afterwards is taken back, judged and applied (box/mirror.py); what package managers fill is written directly."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from askfirst.box import mirror
from askfirst.box.bubblewrap import is_systems_own
from askfirst.box.engine import HOSTS, LIVE, BoxError, Probe
from askfirst.box.inside import Inside
from askfirst.box.plan import READ_ONLY, Plan
from askfirst.knowledge.places import OBEYED_NAMES
from askfirst.store import paths

PLACES = ("/usr/local/bin/srt", "/usr/bin/srt", "/opt/homebrew/bin/srt")
TRY_S = 30.0
_HOST = re.compile(r"(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE)
NEEDS = "on Linux it needs the packages `bubblewrap`, `socat` and `ripgrep`"
# To try it with: it starts its proxies only where a host is named.
NOTHING = {
    "network": {"allowedDomains": ["example.org"], "deniedDomains": []},
    "filesystem": {"denyRead": [], "allowRead": [], "allowWrite": [], "denyWrite": []},
}


class Srt:
    name = "srt"

    def program(self) -> str:
        return next((p for p in PLACES if os.access(p, os.X_OK) and is_systems_own(p)), "")

    def probe(self) -> Probe:
        program = self.program()
        if not program:
            return Probe(False, "srt is not installed; `npm install -g @anthropic-ai/sandbox-runtime` as root")
        try:
            version = _run(program, "--version")
            with tempfile.NamedTemporaryFile("w", suffix=".json", dir=paths.private_dir("box")) as file:
                json.dump(NOTHING, file)
                file.flush()
                tried = _run(program, "--settings", file.name, "-c", "true")
        except (OSError, subprocess.SubprocessError) as error:
            return Probe(False, f"srt does not start: {error}")
        said = (tried.stderr.strip() or tried.stdout.strip())[:200]
        why_not = f"srt does not work here ({said}); {NEEDS}" if tried.returncode else ""
        return Probe(not why_not, why_not, version.stdout.strip(), frozenset({HOSTS}))

    def spec(self, plan: Plan, inside: Inside, place: str, probe: Probe) -> Mapping[str, Any]:
        if plan.access != READ_ONLY:
            mirror.refuse_large(plan.project)
        scratch = os.path.join(place, "tmp")
        os.mkdir(scratch, 0o700)
        path = os.path.join(place, "srt.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(settings(plan, inside, place, scratch), file)
        return {
            "engine": self.name,
            "program": self.program(),
            "words": ["--settings", path],
            "mode": LIVE,
            "kept": plan.access != READ_ONLY,
            "has_namespaces": False,
            "session": False,
            "layered_tmp": False,
            # Only inside: srt's own sockets would have names that are too long for one.
            "variables": {},
            "inner": ["/usr/bin/env", f"TMPDIR={scratch}"],
        }


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=TRY_S, check=False, stdin=subprocess.DEVNULL)


def settings(plan: Plan, inside: Inside, place: str, scratch: str) -> dict[str, Any]:
    wrong = [host for host in plan.hosts if not _HOST.fullmatch(host)]
    if wrong or not plan.hosts:
        raise BoxError(f"`{', '.join(wrong)}` is not the name of a host")
    own = [os.path.join(plan.project, name) for name in sorted(OBEYED_NAMES)]
    private = [source for source, _ in inside.private]
    writable = [] if plan.access == READ_ONLY else [plan.project]
    return {
        "network": {"allowedDomains": list(plan.hosts), "deniedDomains": []},
        "filesystem": {
            # Its reading is a list of what is hidden: the home as a whole, but for toolchains and caches.
            "denyRead": [inside.home, *inside.hidden, *inside.system_secrets],
            "allowRead": [plan.project, *inside.read, *private, place],
            "allowWrite": [*writable, *private, scratch, os.path.join(place, "where")],
            "denyWrite": [*own, *inside.locked, *inside.obeyed, *inside.hidden],
        },
    }
