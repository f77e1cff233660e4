"""What an agent waits for: the command that `askfirst init` registered, through `sh -c` as agents run it.

    python benchmarks/bench_hook.py [--rounds 60] [--heavy] [--json] [--picture .github/speed.svg]
    python benchmarks/bench_hook.py --at-once 60

A project with a trusted rule file and two profiles, and an organisation's file, all made anew: nothing of this
machine's own takes part. Every kind of call takes turns with bare `python -I -c pass`, so that a busy machine slows
them alike; what counts is the ratio of medians in one run. `--heavy`: 5,000 grants, 1,000 entries in the organisation's
file, a log of 500 MB. Peers are measured where they are installed (cc-safety-net from npm, others on PATH).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPLEX = """cd src && for f in *.py; do wc -l "$f"; done | sort -rn | head -5 && echo "$(git log --oneline | head -3)"
cat > notes.md <<'EOF'
# What was found
$(nothing here runs) and `neither does this`
EOF
grep -rn "def ${name:-main}" . --include='*.py' 2>/dev/null | tee found.txt | wc -l"""
BARE, TRUE = "bare python -I -c pass", "/bin/true"
WARM_UP = 5
PLACES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_DIRS")
# Programs that judge a command before it runs, as they are called: found on PATH, or not measured.
PEERS = {"cc-safety-net": "cc-safety-net hook claude-code", "dcg": "dcg", "cc-allow": "cc-allow", "dippy": "dippy"}


@dataclass(frozen=True)
class Row:
    """One kind of call."""

    name: str
    command: str  # as `sh -c` gets it
    given: str
    wanted: str | None = None  # the decision that must come out; "": left to the client, None: not looked at
    target: float | None = None  # ratio to bare Python


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--heavy", action="store_true", help="with much state: grants, entries, log")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--picture", metavar="FILE", help="write the table as a picture (SVG)")
    parser.add_argument("--at-once", type=int, metavar="N", help="N calls at the same time, instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(os.path.realpath(place), heavy=options.heavy)
        try:
            if options.at_once:
                return bench.at_once(options.at_once)
            times = bench.measure(options.rounds)
        finally:
            bench.askfirst("resident", "stop")
    bare = statistics.median(times[BARE])
    found = [shown(row, times[row.name], bare) for row in bench.rows]
    if options.json:
        print(json.dumps({"bare_ms": round(bare, 2), "rounds": options.rounds, "calls": found}, indent=2))
    else:
        print(f"{'':<34}{'p50 ms':>9}{'ratio':>8}{'p95 ms':>9}{'ratio':>8}{'target':>9}")
        for one in found:
            target = "" if one["target"] is None else f"{one['target']:.2f}"
            print(
                f"{one['call']:<34}{one['p50_ms']:>9.2f}{one['p50']:>8.2f}{one['p95_ms']:>9.2f}{one['p95']:>8.2f}{target:>9}"
            )
    if options.picture:
        Path(options.picture).write_text(picture(found), encoding="utf-8")
    return 0


def shown(row: Row, times: list[float], bare: float) -> dict[str, Any]:
    p50, p95 = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
    return {
        "call": row.name,
        "p50_ms": round(p50, 2),
        "p50": round(p50 / bare, 3),
        "p95_ms": round(p95, 2),
        "p95": round(p95 / bare, 3),
        "target": row.target,
    }


class Bench:
    """A machine of its own: home, rules, an installed gate."""

    def __init__(self, place: str, *, heavy: bool) -> None:
        self.place, self.project = place, os.path.join(place, "project")
        os.makedirs(os.path.join(self.project, "src"))
        subprocess.run(["git", "init", "-q", self.project], check=True)
        path = f"{os.path.dirname(sys.executable)}:{os.environ.get('PATH', os.defpath)}"
        self.environment = {"PATH": path, "LC_ALL": "C.UTF-8", "SHELL": "/bin/bash"}
        for name in PLACES:
            self.environment[name] = os.path.join(place, name)
        self.environment["XDG_STATE_HOME"] = os.path.join(place, "HOME/.local/state")  # where the launcher looks
        for name in PLACES:
            os.makedirs(self.environment[name], mode=0o700)
        self.rules(1000 if heavy else 4)
        self.askfirst("init")
        self.trusted()
        if heavy:
            self.inside("fill")
        fast, cold = self.registered(), " ".join(map(shlex.quote, (sys.executable, "-I", "-S", launcher(), "hook")))
        self.rows = [Row(BARE, f"{shlex.quote(sys.executable)} -I -c pass", ""), Row(TRUE, "/bin/true", "")]
        grown = 1.3 if heavy else 1.0
        self.rows += self.calls("warm", fast, 0.4 * grown, 0.65 * grown, 0.35 * grown)
        self.rows += self.calls("cold", f"{cold} --cold", 4.0, 8.0, None)
        self.rows.append(Row("warm, client in Python: simple", cold, self.bash("git status"), "allow"))
        # What `init --project` and the plugin register: sh that looks for askfirst, here on the PATH.
        self.rows.append(Row("warm, a team's launcher: simple", shared(), self.bash("git status"), "allow"))
        for name, line in PEERS.items():
            if shutil.which(shlex.split(line)[0]):
                self.rows += [
                    Row(f"{name}: simple", line, self.bash("git status")),
                    Row(f"{name}: complex", line, self.bash(COMPLEX)),
                ]

    def calls(self, way: str, line: str, simple: float | None, hard: float | None, after: float | None) -> list[Row]:
        old = {"file_path": os.path.join(self.project, "src/old.py")}
        new = {"file_path": os.path.join(self.project, "src/new.py"), "content": "print('hello')\n" * 50}
        ran = {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "stderr": ""}}
        line += " || exit 2"
        return [
            Row(f"{way}: simple command", line, self.bash("git status"), "allow", simple),
            Row(f"{way}: complex command", line, self.bash(COMPLEX), "allow", hard),
            Row(f"{way}: read", line, self.event("Read", old), ""),
            Row(f"{way}: write", line, self.event("Write", new), "allow"),
            Row(f"{way}: denied command", line, self.bash("sudo rm -rf /"), "deny"),
            Row(f"{way}: after the tool", line, self.event("Bash", {"command": "git status"}, **ran), "", after),
        ]

    def rules(self, entries: int) -> None:
        """Half of them blocks, half of them allowed."""
        folder = os.path.join(self.environment["XDG_CONFIG_HOME"], "askfirst")
        os.makedirs(folder)
        half = entries // 2
        text = "version: 2\nblocked_commands:\n" + "".join(f"  - name: forbidden{n}\n" for n in range(half))
        text += "allowed_commands:\n" + "".join(f"  - name: tool{n}\n    args: [build]\n" for n in range(half))
        with open(os.path.join(folder, "config.yaml"), "w", encoding="utf-8") as file:
            file.write(text)

    def trusted(self) -> None:
        """As after `askfirst trust`, which wants a person at a terminal."""
        path = os.path.join(self.project, ".askfirst/allowed_commands.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("version: 2\nprofiles: [python, node]\ncommands:\n  - name: make\n    args: [test]\n")
        os.chmod(path, 0o644)
        self.inside("trust")

    def inside(self, what: str) -> None:
        """Prepare the state from a process that has this machine's environment."""
        code = f"import sys; sys.path[:0] = {sys.path!r}; import bench_hook as b; b.{what}({self.project!r})"
        folder = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r}); {code}"],
            env=self.environment,
            cwd=self.project,
            check=True,
        )

    def askfirst(self, *words: str) -> None:
        command = [sys.executable, "-I", "-m", "askfirst", *words]
        subprocess.run(command, env=self.environment, cwd=self.project, check=False, capture_output=True)

    def registered(self) -> str:
        with open(os.path.join(self.project, ".claude/settings.local.json"), encoding="utf-8") as file:
            line: str = json.load(file)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        return line.removesuffix(" || exit 2")

    def bash(self, command: str) -> str:
        return self.event("Bash", {"command": command})

    def event(self, tool: str, given: dict[str, str], **more: Any) -> str:
        return json.dumps(
            {
                "hook_event_name": "PreToolUse",
                "session_id": "benchmark",
                "transcript_path": "",
                "cwd": self.project,
                "permission_mode": "default",
                "tool_name": tool,
                "tool_input": given,
                "tool_use_id": "toolu_1",
                **more,
            }
        )

    def measure(self, rounds: int) -> dict[str, list[float]]:
        """Milliseconds of every run, by the name of the call."""
        times: dict[str, list[float]] = {row.name: [] for row in self.rows}
        self.warm_up()
        for turn in range(rounds + WARM_UP):
            for row in self.rows:
                took, answer = self.run(row)
                if row.wanted is not None:
                    decision = json.loads(answer or "{}").get("hookSpecificOutput", {}).get("permissionDecision", "")
                    if decision != row.wanted:
                        raise SystemExit(f"{row.name}: {decision}, not {row.wanted}: {answer}")
                if turn >= WARM_UP:
                    times[row.name].append(took)
        return times

    def warm_up(self) -> None:
        """The first call is cold, and starts the warm process."""
        self.run(self.rows[2])
        give_up = time.monotonic() + 60
        while time.monotonic() < give_up:
            command = [sys.executable, "-I", "-m", "askfirst", "resident", "--json"]
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
            if json.loads(done.stdout)["running"]:
                return
            time.sleep(0.1)
        raise SystemExit("the warm process does not answer")

    def run(self, row: Row) -> tuple[float, str]:
        start = time.perf_counter()
        done = subprocess.run(
            ["/bin/sh", "-c", row.command],
            input=row.given,
            env=self.environment,
            cwd=self.project,
            capture_output=True,
            text=True,
            check=False,
        )
        return (time.perf_counter() - start) * 1000, done.stdout

    def at_once(self, number: int) -> int:
        """Many hooks in one moment: how long the slowest waits, and that all are answered."""
        self.warm_up()
        row = self.rows[2]
        for _ in range(3):
            with ThreadPoolExecutor(number) as pool:
                found = list(pool.map(lambda _: self.run(row), range(number)))
            took = sorted(t for t, _ in found)
            failed = sum('"allow"' not in answer for _, answer in found)
            p50, p95 = statistics.median(took), took[int(number * 0.95)]
            print(f"{number} at once: {failed} failed, p50 {p50:.1f} ms, p95 {p95:.1f} ms, {p95 / p50:.1f} times p50")
        return 0


def launcher() -> str:
    from askfirst.install.command import LAUNCHER

    return LAUNCHER


def shared() -> str:
    from askfirst.install.command import gate_command

    return gate_command("claude", "project")


# What `Bench.inside` calls, in the environment of the benchmark


def trust(project: str) -> None:
    from askfirst.store.trust import trust as trusted

    path = os.path.join(project, ".askfirst/allowed_commands.yaml")
    with open(path, "rb") as file:
        trusted(path, file.read())


def fill(project: str) -> None:
    from askfirst import audit
    from askfirst.model import Duration, Grant, Scope
    from askfirst.store import atomic
    from askfirst.store.grants import FileGrants, grant_to

    now = time.time()
    store = FileGrants()
    for path, timed in ((store._project_file(project), True), (store._session_file("benchmark"), False)):
        grants = [
            Grant(
                f"{n:06}",
                (Scope("command", f"own{n}"),),
                Duration.TIMED if timed else Duration.SESSION,
                created=now,
                until=now + 86400,
                project=project,
                session="benchmark",
                by="ada",
            )
            for n in range(2500)
        ]
        atomic.write_atomic(path, json.dumps([grant_to(g) for g in grants]).encode())
    home = audit.directory()
    audit.append("verdict", {"text": "x"}, durable=False)
    with open(os.path.join(home, audit.CURRENT), "rb") as file:
        line = file.read()
    for number in range(1, 51):  # old segments; only their number and size matter to an append
        with open(os.path.join(home, f"{number:012d}.jsonl"), "wb") as out:
            out.write(line * (10_000_000 // len(line)))


# The picture

WIDTH, LEFT, STEP = 760, 250, 26


def picture(found: list[dict[str, Any]]) -> str:
    """Bars for the medians, in units of bare Python; a mark where the target is."""
    rows = [one for one in found if one["p50"] <= 8]
    most: float = max(one["p50"] for one in rows)

    def scale(ratio: float) -> float:
        return ratio / most * (WIDTH - LEFT - 70)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{STEP * len(rows) + 50}" '
        'font-family="sans-serif" font-size="13" fill="#24292f">',
        f'<rect width="{WIDTH}" height="{STEP * len(rows) + 50}" fill="#ffffff"/>',
        '<text x="12" y="22" font-weight="bold">One call of the hook, in units of bare `python -I -c pass`</text>',
    ]
    for number, one in enumerate(rows):
        y = 40 + STEP * number
        name = str(one["call"])
        color = "#1a7f37" if name.startswith("warm") else "#8c959f" if name in (BARE, TRUE) else "#0969da"
        parts.append(f'<text x="{LEFT - 10}" y="{y + 13}" text-anchor="end">{name}</text>')
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{scale(one["p50"]):.1f}" height="17" fill="{color}"/>')
        parts.append(f'<text x="{LEFT + scale(one["p50"]) + 8:.1f}" y="{y + 13}">{one["p50"]:.2f}</text>')
        if one["target"] is not None and one["target"] <= most:
            at = LEFT + scale(one["target"])
            parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y - 2}" y2="{y + 19}" stroke="#cf222e"/>')
    return "\n".join((*parts, "</svg>")) + "\n"


if __name__ == "__main__":
    sys.exit(main())
