"""The recorded session in the README: `python -m tests.tui.recording` makes it anew.

    scripted agent + `askfirst watch`, in real tmux -> .github/session.cast (asciicast v2) -> .github/session.svg

A scratch repository with a remote of its own; the agent's calls go through the real hook, the box and the dialog, and
what is allowed really runs. `--draw` makes only the picture, from the recording that is there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from html import escape
from pathlib import Path

from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from tests.tui.picture import CALM

PLACE = Path(__file__).parents[2] / ".github"
CAST, PICTURE = PLACE / "session.cast", PLACE / "session.svg"
COLUMNS, ROWS, AGENT_ROWS = 92, 36, 13
CELL, LINE, EDGE, BAR = 8.4, 19.0, 14.0, 30.0  # of the picture
PATIENCE_S, LOOK_S, REST_S, END_S = 60.0, 0.12, 2.5, 4.0
SHOWN_STILL = "● ready"  # the frame that is shown where nothing moves

CLEAR = "\x1b[H\x1b[2J"

AGENT = """
import json, os, subprocess, sys, time
CALLS = (
    "git status --short && git diff --stat",
    "./scripts/build.sh --fast",
    "git push origin main",
    "git push origin main --quiet",
    "sudo make install",
)
SIGNS = {"allow": "\\033[32m✓ runs\\033[0m", "deny": "\\033[31m✗ blocked\\033[0m"}
print("\\033[1magent\\033[0m  (its hook is askfirst)", flush=True)
for number, command in enumerate(CALLS):
    time.sleep(1.4)
    print(f"\\033[36m❯ {command}\\033[0m", flush=True)
    event = {
        "session_id": "5e55101c", "cwd": os.getcwd(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": f"t{number}", "permission_mode": "default", "tool_input": {"command": command},
    }
    known = {**os.environ, "CLAUDE_PID": str(os.getpid())}
    done = subprocess.run([sys.executable, "-m", "askfirst", "hook"], input=json.dumps(event), text=True,
                          capture_output=True, env=known)
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    decision = answer["permissionDecision"]
    boxed = "updatedInput" in answer
    sign = "\\033[36m▣ runs contained\\033[0m" if boxed else SIGNS[decision]
    if decision == "allow":
        ran = answer.get("updatedInput", event["tool_input"])["command"]
        out = subprocess.run(["bash", "-c", ran], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        said = " · ".join(" ".join(line.split()) for line in out.splitlines()[-2:] if line.strip())
    else:
        said = answer["permissionDecisionReason"].split(": ", 1)[-1].split(". ")[0].split(" [")[0]
    print(f"  {sign}  \\033[2m{said[:66]}\\033[0m", flush=True)
print("\\033[2mdone\\033[0m", flush=True)
time.sleep(60)
"""


class Stage:
    """A window of two panes, seen through a second tmux, whose screen is what a person sees."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home, self.project = folder, folder / "home", folder / "home" / "shop"
        self._environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "PS1": "$ ",
            **{f"XDG_{name}_HOME": str(self.home / name.lower()) for name in ("STATE", "CONFIG", "CACHE")},
            "XDG_CONFIG_DIRS": str(self.home / "site"),
        }
        self._lay_out()
        agent = f"{sys.executable} {folder / 'agent.py'}"
        watch = f"{sys.executable} -m askfirst watch --no-bell"
        self.tmux("inner", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", str(self.project), watch)
        for option in ("status off", "pane-border-style fg=brightblack", "pane-active-border-style fg=brightblack"):
            self.tmux("inner", "set", "-g", *option.split())
        self.until(lambda: "no requests" in self.pane("0"), "watch")
        self.tmux("inner", "split-window", "-b", "-l", str(AGENT_ROWS), "-c", str(self.project), agent)
        attach = f"tmux -S {folder / 'inner'} -f /dev/null attach"
        self.tmux("outer", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), f"env -u TMUX {attach}")
        self.tmux("outer", "set", "-g", "status", "off")

    def _lay_out(self) -> None:
        (self.folder / "agent.py").write_text(AGENT)
        (self.project / "scripts").mkdir(parents=True)
        (self.home / "config" / "askfirst").mkdir(parents=True)
        (self.home / "config" / "askfirst" / "config.yaml").write_text("version: 2\nbox: unknown\nresident: off\n")
        script = self.project / "scripts" / "build.sh"
        script.write_text("#!/bin/sh\nmkdir -p out\necho ok > out/index.html\necho built 14 pages into out/\n")
        script.chmod(0o755)
        (self.project / "prices.txt").write_text("apples 3\n")
        (self.project / ".gitignore").write_text("out/\n")
        self._git("init", "-q", "-b", "main", ".")
        for name, value in (("user.name", "ann"), ("user.email", "ann@example.com")):
            self._git("config", name, value)
        self._git("add", "-A")
        self._git("commit", "-qm", "A small shop")
        self._git("init", "-q", "--bare", str(self.home / "origin.git"))
        self._git("remote", "add", "origin", "../origin.git")
        (self.project / "prices.txt").write_text("apples 3\nbread 4\n")

    def _git(self, *words: str) -> None:
        subprocess.run(("git", *words), cwd=self.project, env=self._environment, check=True, capture_output=True)

    def tmux(self, server: str, *words: str) -> str:
        command = ["tmux", "-S", str(self.folder / server), "-f", "/dev/null", *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True).stdout

    def pane(self, number: str) -> str:
        return self.tmux("inner", "capture-pane", "-p", "-t", f":.{number}")

    def screen(self) -> str:
        return self.tmux("outer", "capture-pane", "-p", "-e")

    def until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain for {what}:\n{self.pane('0')}"
            time.sleep(0.05)

    def close(self) -> None:
        for server in ("outer", "inner"):
            self.tmux(server, "kill-server")


def record(stage: Stage) -> list[tuple[float, str]]:
    """Screens with their times, while a person reads the question and presses S."""
    frames: list[tuple[float, str]] = []
    began, pressed, ready, over = time.monotonic(), False, 0.0, 0.0
    while not over or time.monotonic() - over < REST_S:
        now, screen = time.monotonic(), stage.screen()
        if not frames or frames[-1][1] != screen:
            frames.append((now - began, screen))
        if "● ready" in screen and not pressed:
            ready = ready or now
            if now - ready > REST_S:
                stage.tmux("inner", "send-keys", "-t", ":.1", "s")
                pressed = True
        over = over or (now if "done" in screen.split("─")[0] else 0.0)
        assert now - began < PATIENCE_S, screen
        time.sleep(LOOK_S)
    return frames


def write_cast(frames: list[tuple[float, str]]) -> None:
    head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "askfirst: an agent, and a person who answers"}
    events = [[round(at, 2), "o", CLEAR + screen.rstrip("\n").replace("\n", "\r\n")] for at, screen in frames]
    CAST.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in (head, *events)))


def read_cast() -> list[tuple[float, list[Text]]]:
    _, *events = map(json.loads, CAST.read_text().splitlines())
    return [(at, list(AnsiDecoder().decode(data.removeprefix(CLEAR).replace("\r\n", "\n")))) for at, _, data in events]


# The picture


def picture(frames: list[tuple[float, list[Text]]]) -> str:
    """A strip of all screens that moves behind a window; each row is drawn once, however often it is on screen."""
    known: dict[str, str] = {}
    height = ROWS * LINE
    strip: list[str] = []
    for number, (_, rows) in enumerate(frames):
        for place, row in enumerate(rows):
            drawn = _row(row)
            if drawn:
                name = known.setdefault(drawn, f"r{len(known)}")
                strip.append(f'<use href="#{name}" y="{number * height + place * LINE:g}"/>')
    total = frames[-1][0] + END_S
    stops = "".join(
        f"{100 * at / total:.2f}%{{transform:translateY({-number * height:g}px)}}"
        for number, (at, _) in enumerate(frames)
    )
    still = max(n for n, (_, rows) in enumerate(frames) if any(SHOWN_STILL in row.plain for row in rows))
    width, tall = COLUMNS * CELL + 2 * EDGE, height + BAR + EDGE
    rows_drawn = "".join(f'<g id="{name}">{drawn}</g>' for drawn, name in known.items())
    dots = "".join(f'<circle cx="{20 + 18 * n}" cy="17" r="5.5" fill="#484f58"/>' for n in range(3))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {tall:g}" role="img" \
aria-label="A recorded session: what is known runs, what needs nothing beyond the project runs contained, a push asks, \
and after S it runs; sudo is blocked">
<style>
text{{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:14px;\
white-space:pre;dominant-baseline:hanging}}
#strip{{transform:translateY({-still * height:g}px)}}
@media (prefers-reduced-motion:no-preference){{#strip{{animation:play {total:.2f}s step-end infinite}}}}
@keyframes play{{{stops}}}
</style>
<rect width="100%" height="100%" rx="8" fill="{CALM.background_color.hex}"/>{dots}
<defs>{rows_drawn}</defs>
<svg x="{EDGE:g}" y="{BAR:g}" width="{COLUMNS * CELL:g}" height="{height:g}"><g id="strip">{"".join(strip)}</g></svg>
</svg>
"""


def _row(row: Text) -> str:
    drawn, at = "", 0
    for piece in row.divide(sorted({offset for span in row.spans for offset in (span.start, span.end)})):
        style = Style.combine([Style(), *(s.style for s in piece.spans if isinstance(s.style, Style))])
        drawn += _piece(piece.plain, style, at)
        at += cell_len(piece.plain)
    return drawn


def _piece(text: str, style: Style, at: int) -> str:
    cells = cell_len(text)
    colour = (style.color.get_truecolor(CALM).hex if style.color else "") or CALM.foreground_color.hex
    back = style.bgcolor.get_truecolor(CALM, foreground=False).hex if style.bgcolor else ""
    if style.reverse:
        colour, back = back or CALM.background_color.hex, colour
    x = f'x="{at * CELL:g}"'
    box = f'<rect {x} width="{cells * CELL:g}" height="{LINE:g}" fill="{back}"/>' if back else ""
    if not text.strip():
        return box
    more = (' font-weight="bold"' if style.bold else "") + (' fill-opacity=".65"' if style.dim else "")
    more += ' font-style="italic"' if style.italic else ""
    lead = len(text) - len(text.lstrip(" "))
    shown = text.strip(" ")
    place = f'x="{(at + lead) * CELL:g}" y="2" textLength="{cell_len(shown) * CELL:g}"'
    return f'{box}<text {place} fill="{colour}"{more}>{escape(shown)}</text>'


def main() -> None:
    if "--draw" not in sys.argv:
        folder = Path(tempfile.mkdtemp(prefix="af-"))
        stage = Stage(folder)
        try:
            write_cast(record(stage))
        finally:
            stage.close()
            shutil.rmtree(folder, ignore_errors=True)
    PICTURE.write_text(picture(read_cast()), encoding="utf-8")


if __name__ == "__main__":
    main()
