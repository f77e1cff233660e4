"""What a test needs of the machine. Missing on a person's machine: skipped, with the way to get it. In CI: failed.

    needs("tmux")                            in a test, a fixture or a helper
    pytestmark = pytest.mark.needs("tmux")   for every test of a file

A skipped test proves nothing, so where CI is set every skip fails whose reason is not in `MAY_SKIP_IN_CI`, however the
test asked for it (`tests/conftest.py` sees to that).
"""

from __future__ import annotations

import os
import shutil

import pytest

# Other names and places of a program.
ALSO_KNOWN_AS = {
    "chromium": (
        "chromium",
        "chromium-browser",
        "google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "pgbouncer": ("pgbouncer", "/usr/sbin/pgbouncer"),
}
DEBIAN_PACKAGE = {"cc": "gcc", "chromedriver": "chromium-driver"}
SECOND = "a second program of its class is not installed"
# A reason, or its beginning or end -> why it is no hole that the test is skipped in CI.
MAY_SKIP_IN_CI = {
    "run .ci/install-agents": "the real agents other than Claude Code: 1.5 GB; run by hand before a release",
    "needs the right to mount": "managed settings stand in /etc; only root may lay another directory over it",
    "looks at processes in /proc": "Linux only, and the Linux jobs run it",
    "the peak is read from /proc": "Linux only, and the Linux jobs run it",
    "a file that cannot be read although it can be opened": "Linux only (/proc/self/mem), and the Linux jobs run it",
    "Seatbelt is macOS's, and the macOS jobs run it": "macOS only",
    "needs Landlock of Linux 6.12": "older kernels have no engine of that kind, and say so",
    "clang compiles what gcc has compiled before": "a second opinion where clang is installed",
    "about the cold process itself": "tests/resident runs the hook's tests a second time, without these",
    "the directory of this test is too long for a socket": "a socket's address is short; the Linux jobs run it",
    "pgbouncer is not installed": "one pooler of several; without it the same code runs against the server itself",
    "inotify is Linux's": "Linux only, and the Linux jobs run it",
    "no patterns are stored for this version of Python": "nothing to compare: this Python compiles its patterns itself",
    "needs the extra askfirst[embeddings]": "a model and its libraries; run by hand with the extra installed",
    SECOND: "the class has rows that are always run",
    "stored by Python": "only the release that stored the patterns must find them unchanged",
}


def program(name: str) -> str | None:
    """Where a program is, under any of its names."""
    return next((found for other in ALSO_KNOWN_AS.get(name, (name,)) if (found := shutil.which(other))), None)


def needs(*names: str) -> None:
    """Go on only if all these programs are installed."""
    for name in names:
        if program(name) is None:
            pytest.skip(f"{name} is not installed (Debian: apt-get install {DEBIAN_PACKAGE.get(name, name)})")


def may_skip(reason: str) -> bool:
    """Whether a skip for this reason is fine here."""
    in_ci = bool(os.environ.get("CI"))
    return not in_ci or any(reason.startswith(known) or reason.endswith(known) for known in MAY_SKIP_IN_CI)
