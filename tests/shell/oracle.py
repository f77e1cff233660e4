"""Real bash as the judge of the analysis, real zsh where the agent's shell is zsh, and for text that goes to `sh` real
dash, busybox's ash and bash under that name.

Every generated script runs three times in a private directory (all commands succeed, all fail, mixed). PATH is empty,
so that every program ends in `command_not_found_handle`, which reports its exact words, its directory and what the
script did to the environment. What ran or was written must be in the reported facts, with the directory, unless the
analysis said Unknown.

A shell without such a handler finds programs of these names on PATH, which report the same.

    python -m tests.shell.oracle --seeds 0:100000 --workers 2 [--shell zsh|dash|ash|sh]
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askfirst.model import Command, Decision, Layer, Origin, Unknown, Word, Write
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Rule
from askfirst.shell import analyze, common, reading
from askfirst.shell.reading.plain import plain_script
from askfirst.shell.surroundings import Surroundings
from tests.shell.generator import scripts

if TYPE_CHECKING:
    from askfirst.model import Fact

RUNNER = r"""
exec 9>&1 >/dev/null 2>/dev/null </dev/null
PATH=/nonexistent
command_not_found_handle() {
  set +u -- "${@//$'\n'/$'\1'}"  # bash flushes at newlines, and parts of two reports would mix
  builtin cd -P .
  AF_ENV=
  [[ ${x@a}${y@a}${z@a} == *x* ]] && AF_ENV+=' exported'
  [[ $PATH == /nonexistent ]] || AF_ENV+=' PATH'
  [[ -z ${IFS-} || $IFS == $' \t\n' ]] || AF_ENV+=' IFS'
  printf '%s\0' "$AF_ID" "$PWD" "$AF_ENV" "$#" "$@" >&9
  if [[ $1 == cat && $# == 1 ]]; then  # the analysis knows what `$(cat <<'E'` stands for
    while IFS= read -r AF_LINE; do printf '%s\n' "$AF_LINE"; done
  else printf 'c5'; fi
  case $AF_MODE in 0) return 0;; 1) return 1;; esac
  AF_ODD=0
  [[ $1 == *[13579]* ]] && AF_ODD=1  # never evaluate the name: it may be `a[$(c6)]`
  (( (${#*} + AF_ODD + AF_ID) % 2 ))
}
while IFS= read -r -d '' -u 8 AF_ID && IFS= read -r -d '' -u 8 AF_DIR && IFS= read -r -d '' -u 8 AF_TEXT; do
  for AF_MODE in 0 1 2; do
    ( ulimit -t 2; cd "$AF_DIR" || exit; unset AF_DIR; exec 8<&-; eval "$AF_TEXT" )
  done
  printf '%s\0' "$AF_ID" '' ended 0 >&9
done
"""
# The same for zsh: bash's words where zsh has others.
ZSH_RUNNER = r"""
exec 9>&1 >/dev/null 2>/dev/null </dev/null
PATH=/nonexistent
command_not_found_handler() {
  setopt localoptions nounset; unsetopt nounset
  AF_NEWLINE=$'\n' AF_MARK=$'\1'
  AF_WORDS=("${@//$AF_NEWLINE/$AF_MARK}")
  builtin cd -P .
  AF_ENV=
  [[ ${(t)x}${(t)y}${(t)z} == *export* ]] && AF_ENV+=' exported'
  [[ $PATH == /nonexistent ]] || AF_ENV+=' PATH'
  builtin printf '%s\0' "$AF_ID" "$PWD" "$AF_ENV" "$#" "${AF_WORDS[@]}" >&9
  if [[ $1 == cat && $# == 1 ]]; then
    while IFS= builtin read -r AF_LINE; do builtin printf '%s\n' "$AF_LINE"; done
  else builtin printf 'c5'; fi
  case $AF_MODE in 0) return 0;; 1) return 1;; esac
  AF_ODD=0
  [[ $1 == *[13579]* ]] && AF_ODD=1
  (( ($# + AF_ODD + AF_ID) % 2 ))
}
while IFS= read -r -d $'\0' -u 8 AF_ID && IFS= read -r -d $'\0' -u 8 AF_DIR && IFS= read -r -d $'\0' -u 8 AF_TEXT; do
  for AF_MODE in 0 1 2; do
    ( ulimit -t 2; cd "$AF_DIR" || exit; unset AF_DIR; exec 8<&-; eval "$AF_TEXT" )
  done
  builtin printf '%s\0' "$AF_ID" '' ended 0 >&9
done
"""
# Every script in a shell of its own, which finds only REPORTER on its PATH.
SH_RUNNER = r"""
exec 9>&1 >/dev/null 2>/dev/null </dev/null
export AF_ID AF_MODE
while IFS= read -r -d '' -u 8 AF_ID && IFS= read -r -d '' -u 8 AF_DIR && IFS= read -r -d '' -u 8 AF_TEXT; do
  for AF_MODE in 0 1 2; do
    ( ulimit -t 2; cd "$AF_DIR" || exit; unset AF_DIR; exec 8<&-; PATH=$AF_PATH; exec SHELL -c "$AF_TEXT" )
  done
  printf '%s\0' "$AF_ID" '' ended 0 >&9
done
"""
REPORTER = r"""#!/bin/sh
AF_ENV=
[ -z "${x+x}${y+x}${z+x}" ] || AF_ENV=' exported'
[ "$PATH" = "$AF_PATH" ] || AF_ENV="$AF_ENV PATH"
cd -P .
printf '%s\0' "$AF_ID" "$PWD" "$AF_ENV" "$(($# + 1))" "${0##*/}" "$@" >&9
case ${0##*/}$# in
  cat0) while IFS= read -r AF_LINE; do printf '%s\n' "$AF_LINE"; done;;
  *) printf c5;;
esac
case $AF_MODE in 0) exit 0;; 1) exit 1;; esac
case ${0##*/} in *[13579]*) AF_ODD=1;; *) AF_ODD=0;; esac
exit $((($# + 1 + AF_ODD + AF_ID) % 2))
"""
REPORTING = (
    *(f"c{n}" for n in range(10)),
    *("%c1 +c1 -c1 ,c1 @c1 ^c1 c1: c1@ cat".split()),
    *common.OTHERS,  # builtins and reserved words of one shell, which another looks for on PATH
)
SHELLS = {
    "bash": ("bash", "-c", RUNNER),
    "zsh": ("zsh", "-f", "-c", ZSH_RUNNER),
    **{
        name: ("bash", "-c", SH_RUNNER.replace("SHELL", shell))
        for name, shell in {
            "dash": shutil.which("dash") or "dash",
            "ash": f"{shutil.which('busybox') or 'busybox'} sh",
            "sh": f"-a sh {shutil.which('bash') or 'bash'}",
        }.items()
    },
}
FOR_SH = ("dash", "ash", "sh")
HOME = "/nonexistent-home"
NEWLINE = "\x01"  # how the runners report it
BATCH = 100
BATCH_SECONDS = 30
CHILD_SECONDS = 0.3


@dataclass
class Result:
    run: int = 0
    plain: int = 0  # read by plain.py, without the parser
    accepted: int = 0  # nothing in the script was Unknown
    allowed: int = 0  # and the policy would let it run
    stopped: int = 0  # of the accepted, those that waited for ever and were stopped
    violations: list[tuple[int, str, str]] = field(default_factory=list)


def surroundings(directory: str, shell: str = "bash") -> Surroundings:
    return Surroundings(directory, directory, HOME, ("/nonexistent",), "sh" if shell in FOR_SH else shell)


ALLOWED = frozenset(
    ("c0", "c1", "c2", "c3", "c4", "c7", "c8", "cat")
)  # and the shell's own commands, by the built-in rules


def is_allowed(facts: tuple[Fact, ...], project: str) -> bool:
    """Whether the policy would let the script run, where a project's file allows some of its programs."""
    rules = tuple(Rule(name, origin=Origin(Layer.PROJECT_ALLOW, name)) for name in sorted(ALLOWED - {"cat"}))
    return judge(facts, Layers(project, project_allow=rules)).decision == Decision.ALLOW


@dataclass(frozen=True, order=True)
class Ran:
    """One program that bash would have started."""

    argv: tuple[str, ...]
    cwd: str
    environment: str  # what a script may not change unnoticed


ENDED = Ran((), "", "ended")


def run_all(rows: list[tuple[int, str, str]], shell: str, programs: str) -> dict[int, set[Ran]]:
    """What the shell ran for each (id, directory, text). A script that never ends is stopped, and the next ones run."""
    ran: dict[int, set[Ran]] = {}
    while rows:
        found = run(rows, shell, programs)
        for row in rows:
            ran.setdefault(row[0], set()).update(found.get(row[0], set()))
        left = [k for k, row in enumerate(rows) if ENDED not in ran[row[0]]]
        rows = [rows[k] for k in left[1:]]
    return ran


def run(rows: list[tuple[int, str, str]], shell: str, programs: str) -> dict[int, set[Ran]]:
    """What the shell ran. What it did before it was stopped counts as well."""
    with tempfile.TemporaryFile() as feed, tempfile.TemporaryFile("ab+") as log:
        feed.write("".join(f"{i}\0{d}\0{t}\0" for i, d, t in rows).encode())
        feed.seek(0)
        *command, runner = SHELLS[shell]
        process = subprocess.Popen(
            [*command, 'exec 8<&0; eval "$0"', runner],
            stdin=feed,
            stdout=log,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", ""), "HOME": HOME, "AF_PATH": programs},
        )
        try:
            process.wait(BATCH_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        let_children_end(process.pid)
        process.wait()
        log.seek(0)
        output = log.read()
    ran: dict[int, set[Ran]] = {}
    fields = output.decode("utf-8", "surrogateescape").split("\0")
    i = 0
    while i + 3 < len(fields):
        end = i + 4 + int(fields[i + 3])
        argv = tuple(one.replace("\n", NEWLINE) for one in fields[i + 4 : end])
        # A script that writes into the report's own descriptor leaves what its programs print (`c5`) before the number.
        number = int(fields[i].replace("c5", "") if fields[i].startswith("c5") else fields[i])
        ran.setdefault(number, set()).add(Ran(argv, fields[i + 1], fields[i + 2].strip()))
        i = end
    return ran


def let_children_end(group: int) -> None:
    """Substitutions and co-processes may run on for a moment; some wait for ever, and are stopped."""
    deadline = time.monotonic() + CHILD_SECONDS
    try:
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.01)
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def check(seeds: tuple[int, int], directory: str, shell: str = "bash") -> Result:
    """Runs and judges the scripts of a seed range."""
    result = Result()
    rows = []
    programs = make_programs(os.path.join(directory, "programs"))
    for seed, text in scripts(*seeds, sh=True) if shell in FOR_SH else scripts(*seeds):
        place = os.path.join(directory, str(seed))
        os.makedirs(os.path.join(place, "d1", "d1"))
        os.mkdir(os.path.join(place, "d2"))
        for name in ("in1", "in2.t"):
            with open(os.path.join(place, name), "w") as file:
                file.write("c5\n")
        rows.append((seed, place, text))
    # The facts come first: the analysis must see the directory as the script will find it.
    facts = {seed: analyze(text, surroundings(place, shell)) for seed, place, text in rows}
    result.run = len(rows)
    for seed, place, text in rows:
        if any(isinstance(f, Unknown) for f in facts[seed]) and is_allowed(facts[seed], place):
            result.violations.append((seed, text, "allowed, although something in it is not understood"))
        if plain_script(text) is not None:
            result.plain += 1
            if facts[seed] != parsed_facts(text, surroundings(place, shell)):
                result.violations.append((seed, text, "the short way and the parser give different facts"))
    accepted = [row for row in rows if not any(isinstance(f, Unknown) for f in facts[row[0]])]
    for start in range(0, len(accepted), BATCH):
        part = accepted[start : start + BATCH]
        ran = run_all(part, shell, programs)
        result.accepted += len(part)
        for seed, place, text in part:
            result.stopped += ENDED not in ran[seed]
            ran[seed].discard(ENDED)
            allowed = is_allowed(facts[seed], place)
            result.allowed += allowed
            if allowed and not all(is_expected(one.argv, place) for one in ran[seed]):
                result.violations.append((seed, text, "allowed, although it ran a program that no rule allows"))
            for why in violations(facts[seed], ran[seed], place):
                result.violations.append((seed, text, why))
    return result


def make_programs(directory: str) -> str:
    """A directory for PATH, whose programs report that they were started."""
    os.makedirs(directory)
    reporter = os.path.join(directory, "reporter")
    with open(reporter, "w") as file:
        file.write(REPORTER)
    os.chmod(reporter, 0o755)
    for name in REPORTING:
        os.symlink(reporter, os.path.join(directory, name))
    return directory


def parsed_facts(text: str, around: Surroundings) -> tuple[Fact, ...]:
    """The facts of a text that needs no parser, with the parser."""
    short = reading.plain_script
    reading.plain_script = lambda text: None
    try:
        return analyze(text, around)
    finally:
        reading.plain_script = short


def is_expected(argv: tuple[str, ...], place: str) -> bool:
    """Whether the rules in force allow a program that ran, taken alone."""
    text = shlex.join(argv).replace(NEWLINE, "\n")
    return argv[0] in ALLOWED or is_allowed(analyze("''" + text, surroundings(place)), place)


def violations(facts: tuple[Fact, ...], ran: set[Ran], place: str) -> list[str]:
    out = []
    commands = [f for f in facts if isinstance(f, Command)]
    for one in sorted(ran):
        found = [c for c in commands if matches(c.argv, one.argv)]
        if not found:
            out.append(f"ran {one.argv!r}, which is not in the facts")
        elif not any(c.cwd is None or os.path.realpath(c.cwd) == one.cwd for c in found):
            out.append(
                f"ran {one.argv!r} in {os.path.relpath(one.cwd, place)!r}, which is not the directory in the facts"
            )
        if one.environment:
            out.append(f"ran {one.argv!r} with another environment: {one.environment}")
    writes = {f.path for f in facts if isinstance(f, Write)}
    if None not in writes:
        for written in files_below(place):
            if written not in writes:
                out.append(f"wrote {os.path.relpath(written, place)!r}, which is not in the facts")
    return out


def matches(words: tuple[Word, ...], argv: tuple[str, ...]) -> bool:
    if not words:
        return not argv
    word, rest = words[0], words[1:]
    if word.value is not None:
        return bool(argv) and argv[0] == word.value.replace("\n", NEWLINE) and matches(rest, argv[1:])
    if word.many:
        return any(matches(rest, argv[k:]) for k in range(len(argv) + 1))
    return bool(argv) and argv[0].startswith(word.prefix.replace("\n", NEWLINE)) and matches(rest, argv[1:])


def files_below(place: str) -> list[str]:
    found: list[str] = []
    for base, _, names in os.walk(place):
        found.extend(os.path.join(base, n) for n in names)
    return [os.path.realpath(f) for f in found if os.path.relpath(f, place) not in ("in1", "in2.t")]


def check_range(seeds: tuple[int, int], shell: str) -> Result:
    with tempfile.TemporaryDirectory(prefix="oracle") as directory:
        return check(seeds, os.path.realpath(directory), shell)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.shell.oracle", description="compare the analysis with real bash"
    )
    parser.add_argument("--seeds", default="0:5000", help="FIRST:LAST")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=500)
    parser.add_argument("--shell", choices=sorted(SHELLS), default="bash")
    options = parser.parse_args(arguments)
    first, last = (int(n) for n in options.seeds.split(":"))
    chunks = [(a, min(a + options.chunk, last)) for a in range(first, last, options.chunk)]
    total = Result()
    with ProcessPoolExecutor(options.workers) as pool:
        for result in pool.map(check_range, chunks, [options.shell] * len(chunks)):
            total.run += result.run
            total.plain += result.plain
            total.accepted += result.accepted
            total.allowed += result.allowed
            total.stopped += result.stopped
            for seed, text, why in result.violations:
                total.violations.append((seed, text, why))
                print(f"seed {seed}: {why}\n    {text!r}", flush=True)
    share = 100 * total.accepted / max(1, total.run)
    print(
        f"seeds {first}:{last}: {total.run} scripts, {total.plain} plain, {total.accepted} accepted ({share:.1f} %), "
        f"{total.allowed} allowed, {total.stopped} stopped, {len(total.violations)} violations"
    )
    return 1 if total.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
