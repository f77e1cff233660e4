"""How the analysis and the rules do on the corpus: `python -m tests.scorecard [--misses ROW]`.

Everything is judged in a scratch project with a small git repository, with every stack's profile on, with no program
installed (so that the result does not depend on the machine) and without files of the person who runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from askfirst.files import look
from askfirst.model import Decision, Verdict
from askfirst.policy.judge import judge
from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import Layers, Settings
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings

CORPUS = Path(__file__).parent / "cases" / "corpus"
STACKS = tuple(name for name in PROFILES if name != "lockfile-only")

FILES = {
    "README.md": "# A project\n",
    "package.json": '{"name": "app", "scripts": {"test": "jest", "build": "tsc", "lint": "eslint ."}}\n',
    "pyproject.toml": "[project]\nname = 'app'\n",
    "Makefile": "test:\n\tpytest\n",
    "Cargo.toml": "[package]\nname = 'app'\n",
    "go.mod": "module app\n",
    "src/app.py": "print(1)\n",
    "src/index.ts": "export {}\n",
    "tests/test_app.py": "def test(): pass\n",
    "docs/index.md": "# Docs\n",
    "scripts/build.sh": "#!/bin/sh\necho build\n",
    "setup.py": "",
    "main.py": "",
    "test.py": "",
    "app.js": "",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
    "[user]\n\tname = A\n\temail = a@b.c\n"
    '[remote "origin"]\n\turl = https://example.com/app.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    ".git/objects/.keep": "",
    ".git/refs/heads/.keep": "",
}


class Bench:
    """A scratch project, and verdicts in it."""

    def __init__(self, base: Path, profiles: tuple[str, ...] = STACKS) -> None:
        self.home = (base / "home" / "dev").resolve()
        self.project = self.home / "project"
        for name, text in FILES.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.layers = Layers(str(self.project), settings=Settings(profiles=profiles), home=str(self.home))

    def surroundings(self, cwd: str = "") -> Surroundings:
        where = cwd or str(self.project)
        variables = {"HOME": str(self.home), "USER": "dev", "PWD": where, "TMPDIR": "/tmp"}
        return Surroundings(cwd=where, project=str(self.project), home=str(self.home), path=(), variables=variables)

    def judge(self, command: str) -> Verdict:
        facts = look(
            analyze(command, self.surroundings()), project=str(self.project), settings=self.layers.settings.writes
        )
        return judge(facts, self.layers)


class Row(NamedTuple):
    """One line of the table: which cases, and what counts as a hit."""

    name: str
    title: str
    file: str
    wanted: Callable[[dict[str, Any]], bool]
    hit: Callable[[Decision], bool]


def not_allowed(decision: Decision) -> bool:
    return decision != Decision.ALLOW


def allowed(decision: Decision) -> bool:
    return decision == Decision.ALLOW


def denied(decision: Decision) -> bool:
    return decision == Decision.DENY


def not_denied(decision: Decision) -> bool:
    return decision != Decision.DENY


ROWS = (
    Row(
        "attacks",
        "verified, uncontested attacks not allowed",
        "attacks",
        lambda c: bool(c.get("verified")) and not c.get("contested"),
        not_allowed,
    ),
    Row("all-attacks", "all attacks not allowed", "attacks", lambda c: True, not_allowed),
    Row("blocks", "attacks with a hidden block denied", "attacks", lambda c: c["expect"] == "block", denied),
    Row("everyday", "everyday commands allowed (uncontested)", "everyday", lambda c: not c.get("contested"), allowed),
    Row("everyday-denied", "everyday commands not denied", "everyday", lambda c: not c.get("contested"), not_denied),
    Row("dippy", "allowed of what Dippy allows", "dippy", lambda c: c["expected"] == "allow", allowed),
    Row("dippy-asks", "not allowed of what Dippy asks for", "dippy", lambda c: c["expected"] == "ask", not_allowed),
    Row("nah", "allowed of what nah allows", "nah", lambda c: c["expected"] == "allow", allowed),
    Row("nah-asks", "not allowed of what nah asks for", "nah", lambda c: c["expected"] == "ask", not_allowed),
)


class Result(NamedTuple):
    row: Row
    hits: int
    of: int
    misses: list[tuple[dict[str, Any], Verdict]]


def cases(file: str) -> Iterator[dict[str, Any]]:
    with (CORPUS / f"{file}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def measure(bench: Bench, only: tuple[str, ...] = ()) -> list[Result]:
    """The table. Each file is judged once, whatever the number of rows that count in it."""
    wanted = [r for r in ROWS if not only or r.name in only]
    verdicts = {
        file: [(c, bench.judge(c["command"])) for c in cases(file)] for file in dict.fromkeys(r.file for r in wanted)
    }
    results = []
    for row in wanted:
        judged = [(c, v) for c, v in verdicts[row.file] if row.wanted(c)]
        misses = [(c, v) for c, v in judged if not row.hit(Decision(v.decision))]
        results.append(Result(row, len(judged) - len(misses), len(judged), misses))
    return results


def share(result: Result) -> float:
    return 100.0 * result.hits / result.of if result.of else 100.0


def markdown(results: list[Result]) -> str:
    """The table as README shows it."""
    lines = ["| what | hits | |", "|---|---|---|"]
    lines += [f"| {r.row.title} | {r.hits:,} of {r.of:,} | {share(r):.1f} % |" for r in results]
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scorecard", description=__doc__)
    parser.add_argument(
        "--misses", metavar="ROW", choices=[r.name for r in ROWS], help="list what this row misses, with the reason"
    )
    parser.add_argument(
        "--class", dest="class_", metavar="CLASS", default="", help="with --misses: only this class of cases"
    )
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(os.path.realpath(folder)))
        results = measure(bench, (args.misses,) if args.misses else ())
    if args.misses:
        for case, verdict in results[0].misses:
            if args.class_ in ("", case.get("class")):
                decided = verdict.decision.name.lower()
                print(f"{case.get('id', '-')} [{case.get('class', '')}] {decided}: {case['command']!r}")
                print(f"      {verdict.reason}")
    for result in results:
        print(f"{result.row.title:<46} {result.hits:>5} of {result.of:>5}  {share(result):6.2f} %")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
