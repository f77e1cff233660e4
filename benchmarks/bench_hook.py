"""The installed hook beside bare `python -I -c pass`: the command line that `askfirst init` writes, one process a call.

    python benchmarks/bench_hook.py [--rounds 40] [--json]

All kinds of call take turns with the bare interpreter, so that a busy machine slows them alike; what counts is the
ratio of the medians. The last row is the same simple command by the launcher of a team's settings (`init --project`).
Project, home, configuration and state are new directories: nothing of this machine's own rules or log takes part.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from askfirst.agents.table import DEFAULT
from askfirst.install.command import gate_command

COMPLEX = """cd src && for f in *.py; do wc -l "$f"; done | sort -rn | head -5 && echo "$(git log --oneline | head -3)"
cat > notes.md <<'EOF'
# What was found
$(nothing here runs) and `neither does this`
EOF
grep -rn "def ${name:-main}" . --include='*.py' 2>/dev/null | tee found.txt | wc -l"""

# Name, the tool and its input, the decision that must come out ("": left to the client), and the ratio to aim at.
CALLS = (
    ("simple command", "Bash", {"command": "git status"}, "allow", 2.0),
    ("simple pipeline", "Bash", {"command": "git log --oneline -n 20 | head -5"}, "allow", 2.0),
    ("read", "Read", {"file_path": "src/old.py"}, "", 2.0),
    ("complex command", "Bash", {"command": COMPLEX}, "allow", 4.0),
    ("write", "Write", {"file_path": "src/new.py", "content": "print('hello')\n" * 50}, "allow", None),
    ("denied command", "Bash", {"command": "sudo rm -rf /"}, "deny", None),
)
LAUNCHED = "by the launcher"
PLACES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
WARM_UP = 3  # the first turns fill caches


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        medians = {
            name: statistics.median(times) for name, times in measure(os.path.realpath(place), options.rounds).items()
        }
    bare = medians["bare"]
    rows = [
        {"call": name, "ms": round(medians[name], 2), "ratio": round(medians[name] / bare, 2), "target": target}
        for name, _, _, _, target in CALLS
    ]
    launched = medians[LAUNCHED]
    rows.append({"call": LAUNCHED, "ms": round(launched, 2), "ratio": round(launched / bare, 2), "target": None})
    if options.json:
        print(
            json.dumps(
                {"bare_ms": round(bare, 2), "rounds": options.rounds, "python": sys.version.split()[0], "calls": rows},
                indent=2,
            )
        )
        return 0
    print(f"{'bare python -I -c pass':<24}{bare:8.2f} ms")
    for row in rows:
        print(
            f"{row['call']:<24}{row['ms']:8.2f} ms   ratio {row['ratio']:.2f}"
            + (f"   target {row['target']}" if row["target"] else "")
        )
    return 0


def measure(place: str, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every run, by the name of the call."""
    project = os.path.join(place, "project")
    os.makedirs(os.path.join(project, "src"))
    subprocess.run(["git", "init", "-q", project], check=True)
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "SHELL": "/bin/bash"}
    for name in PLACES:
        environment[name] = os.path.join(place, name)
        os.makedirs(environment[name], mode=0o700)
    hook, launcher = shlex.split(gate_command(DEFAULT)), shlex.split(gate_command(DEFAULT, "project"))
    environment["PATH"] = f"{os.path.dirname(sys.executable)}:{environment['PATH']}"
    times: dict[str, list[float]] = {name: [] for name in ("bare", LAUNCHED, *(call[0] for call in CALLS))}
    for turn in range(rounds + WARM_UP):
        took = {"bare": run([sys.executable, "-I", "-c", "pass"], "", environment, project)[0]}
        for name, tool, given, wanted, _ in CALLS:
            took[name], answer = run(hook, event(tool, given, project), environment, project)
            decision = json.loads(answer).get("hookSpecificOutput", {}).get("permissionDecision", "")
            if decision != wanted:
                raise SystemExit(f"{name}: {decision}, not {wanted}: {answer}")
        took[LAUNCHED] = run(launcher, event(*CALLS[0][1:3], project), environment, project)[0]
        if turn >= WARM_UP:
            for name, milliseconds in took.items():
                times[name].append(milliseconds)
    return times


def event(tool: str, given: dict[str, str], project: str) -> str:
    tool_input = {key: os.path.join(project, value) if key == "file_path" else value for key, value in given.items()}
    return json.dumps(
        {
            "hook_event_name": "PreToolUse",
            "session_id": "benchmark",
            "transcript_path": "",
            "cwd": project,
            "permission_mode": "default",
            "tool_name": tool,
            "tool_input": tool_input,
        }
    )


def run(command: list[str], given: str, environment: dict[str, str], directory: str) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run(
        command, input=given, env=environment, cwd=directory, capture_output=True, text=True, check=False
    )
    return (time.perf_counter() - start) * 1000, done.stdout


if __name__ == "__main__":
    sys.exit(main())
