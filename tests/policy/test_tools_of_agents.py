"""Tools of agents: what each would do, what rules make of it, and that a yes covers exactly what it says."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.approval.make_question import make_question_and_offers
from askfirst.gate import judged
from askfirst.knowledge import addresses
from askfirst.knowledge.tools import KNOWN, runs_its_input, words_of
from askfirst.model import Decision, Duration, Grant, Request
from askfirst.policy.case import Case
from askfirst.policy.config import parse_org, parse_project
from askfirst.policy.rules import Layers
from askfirst.policy.tool_entries import is_tool_name
from askfirst.store.allowlist import rules_of

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "tools_of_agents.yaml").read_text(encoding="utf-8")
)


class Desk:
    """A project and a home with secrets in them, and a session's rules."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project, self.home = str(place / "p"), str(place / "h")
        for folder in (f"{self.project}/src", f"{self.project}/.git/hooks", f"{self.home}/.ssh", f"{self.home}/far/a"):
            os.makedirs(folder)
        Path(self.home, ".ssh/id_rsa").write_text("key")
        Path(self.project, ".env").write_text("A=1")
        Path(self.project, "src/private.txt").write_text("x")
        for name in ("link", "odd\u00a0link", "it\u2019s"):
            os.symlink(f"{self.home}/.ssh/id_rsa", f"{self.project}/{name}")
        # To a client that takes `..` out of the text, deep/../.env is the project's .env; to the system it is not.
        os.symlink(f"{self.home}/far/a", f"{self.project}/deep")
        monkeypatch.setenv("HOME", self.home)
        self.layers = Layers(self.project, home=self.home, session="s", agent="claude")

    def judged(self, tool: str, given: dict[str, Any], layers: Layers | None = None) -> Case:
        return judged(Request("claude", "s", self.project, self.project, tool, given), layers or self.layers)

    def filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("{P}", self.project).replace("{H}", self.home)
        if isinstance(value, list):
            return [self.filled(v) for v in value]
        return {k: self.filled(v) for k, v in value.items()} if isinstance(value, dict) else value


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path.resolve(), monkeypatch)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["what"])
def test_tools(case: dict[str, Any], desk: Desk) -> None:
    org = parse_org(yaml.safe_dump({"version": 1, **desk.filled(case.get("org", {}))}), "org.yaml")
    project = parse_project(yaml.safe_dump({"version": 1, "commands": case.get("project", [])}), "project.yaml")
    assert (org.problems, project.problems) == ((), ())
    layers = replace(
        desk.layers, org_block=org.blocked, org_allow=org.allowed, dangerous=org.dangerous, project_allow=project.rules
    )
    wrong = []
    for tool, given, wanted in case["use"]:
        verdict = desk.judged(tool, desk.filled(given), layers).verdict
        decision, _, reason = wanted.partition(": ")
        reasons = [f.reason for f in verdict.findings if f.decision == verdict.decision]
        if verdict.decision.name.lower() != decision or not any(reason in r for r in reasons):
            wrong.append(f"{tool} {given}: wanted {wanted}, got {verdict.decision.name.lower()}: {reasons}")
    assert not wrong, "\n".join(wrong)


# A call that asks; inputs that its yes covers; inputs that it does not.
OFFERS: list[tuple[str, dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]] = [
    (
        "WebFetch",
        {"url": "https://example.com/a", "prompt": "p"},
        [{"url": "https://example.com/b?c=d", "prompt": "q"}, {"url": "https://example.com"}],
        [
            {"url": "http://example.com/a"},
            {"url": "https://www.example.com/a"},
            {"url": "https://example.com:444/a"},
            {"url": "https://example.com.evil.example/a"},
            {"url": "https://example.com@evil.example/a"},
            {"url": "https://example.com/?next=https://evil.example"},
            {"urls": ["https://example.com/a", "https://evil.example/"]},
        ],
    ),
    (
        "WebFetch",
        {"url": "http://localhost:3000/a"},
        [{"url": "http://localhost:3000/b"}],
        [{"url": "http://localhost:3001/a"}, {"url": "http://localhost/a"}],
    ),
    (
        "WebFetch",
        {"url": "http://wiki.example:8080/a"},
        [{"url": "http://wiki.example:8080/b"}],
        [{"url": "https://wiki.example:8080/a"}, {"url": "http://wiki.example/a"}],
    ),
    (
        "mcp__github__create_issue",
        {"owner": "me", "repo": "app", "title": "t", "body": "b"},
        [{"owner": "me", "repo": "app", "title": "other", "body": "x"}, {"owner": "me", "repo": "app"}],
        [
            {"owner": "me", "repo": "other", "title": "t", "body": "b"},
            {"owner": "me", "repo": "app", "title": "t", "body": "b", "force": True},
            {"owner": "me", "title": "t", "body": "b"},
            {"owner": "me", "repo": ["app"], "title": "t"},
            {"owner": "me", "repo": "app", "title": "t", "page": 3},
            {"owner": "me", "repo": "app", "title": "t", "comment": "not free in this call"},
            {"owner": "me", "repo": "app", "title": {"repo": "other"}},
            {"owner": "me", "repo": "app", "title": [{"repo": "other"}]},
            {"owner": "me", "repo": "app", "title": "t", "cursor": {"repo": "other"}},
        ],
    ),
    ("mcp__x__list_projects", {}, [{}, {"page": 2}], [{"team": "a"}, {"query": "x"}]),
    ("mcp__x__search_docs", {"query": "a", "lib": "b"}, [{"query": "c", "lib": "b"}], [{"query": "a", "lib": "c"}]),
    ("mcp__x__rows", {"query": "select 1"}, [{"query": "select 1"}], [{"query": "drop table x"}]),
    ("mcp__x__get", {"id": 12, "deep": True}, [{"id": 12, "deep": True}], [{"id": 13, "deep": True}, {"id": 12}]),
    ("mcp__x__item", {"op": "get", "id": "a"}, [{"op": "get", "id": "a"}], [{"op": "delete", "id": "a"}]),
    (
        "ReadMcpResource",
        {"server": "s", "uri": "db://a"},
        [{"server": "s", "uri": "db://a"}],
        [{"server": "s", "uri": "db://b"}, {"server": "t", "uri": "db://a"}],
    ),
    ("Skill", {"skill": "nowhere", "args": "a"}, [{"skill": "nowhere", "args": "b"}], [{"skill": "elsewhere"}]),
]


@pytest.mark.parametrize(
    ("tool", "first", "covered", "others"), OFFERS, ids=[f"{o[0]}-{i}" for i, o in enumerate(OFFERS)]
)
def test_a_yes_covers_what_its_words_say(
    tool: str, first: dict[str, Any], covered: list[dict[str, Any]], others: list[dict[str, Any]], desk: Desk
) -> None:
    """Session and Permanent alike: the grant and the stored entry are one value."""
    case = desk.judged(tool, first)
    assert case.verdict.decision == Decision.ASK
    question, found = make_question_and_offers(case)
    session, permanent = question.choice(Duration.SESSION), question.choice(Duration.PERMANENT)
    assert session is not None and permanent is not None and not session.refused and not permanent.refused
    assert permanent.scope == f"for this project: {session.scope}" and tool in session.scope
    grant = Grant("g", found[0].scopes, Duration.SESSION, desk.project, session="s")
    for layers in (
        replace(desk.layers, grants=(grant,)),
        replace(desk.layers, project_allow=rules_of(found[0].entries, desk.project)),
    ):
        for given in (first, *covered):
            assert desk.judged(tool, given, layers).verdict.decision == Decision.ALLOW, given
        for given in others:
            assert desk.judged(tool, given, layers).verdict.decision == Decision.ASK, given
        assert desk.judged(f"{tool}x", first, layers).verdict.decision == Decision.ASK


@pytest.mark.parametrize(
    ("tool", "given", "wanted"),
    [
        ("opencode:github_delete_repo", {}, Decision.DENY),
        ("copilot:github-mcp-server-delete_repo", {}, Decision.DENY),
        ("gemini:mcp_github_delete_repo", {}, Decision.DENY),
        ("cline:github__delete_repo", {}, Decision.DENY),
        ("MCP:delete_repo", {"server": "npx @x/server-github"}, Decision.DENY),
        ("MCP:delete_repo", {"server": ""}, Decision.DENY),
        ("MCP:delete_repo", {"server": "npx @x/server-files"}, Decision.ASK),
        ("opencode:github_get_repo", {}, Decision.ASK),
        ("opencode:githubs_delete", {}, Decision.ASK),
        ("opencode:db_run", {"op": "drop"}, Decision.DENY),
        ("opencode:db_run", {"op": "get"}, Decision.ASK),
        ("opencode:db_runner", {"op": "drop"}, Decision.ASK),
        ("copilot:mail-send", {}, Decision.DENY),
        ("copilot:mailbox-send", {}, Decision.ASK),
        ("cline:mailer_send", {}, Decision.DENY),
    ],
)
def test_a_block_of_a_servers_tool_counts_in_every_agent(
    tool: str, given: dict[str, Any], wanted: Decision, desk: Desk
) -> None:
    rules = """version: 1
blocked_commands:
  - tool: mcp__github__delete*
  - {tool: mcp__db__run, input: {op: drop}}
  - tool: mcp__mail__*
  - tool: mcp__mailer*
"""
    layers = replace(desk.layers, org_block=parse_org(rules, "org.yaml").blocked)
    assert desk.judged(tool, given, layers).verdict.decision == wanted


@pytest.mark.parametrize(
    ("tool", "given", "plain"),
    [
        ("Read", {"file_path": ".git/config"}, False),
        ("Grep", {"pattern": "x", "path": ".git"}, False),
        ("Grep", {"pattern": "x", "glob": ".git/**"}, False),
        ("ReadFiles", {"paths": [".git/*"]}, False),
        ("Bash", {"command": "grep -r url .git"}, False),
        ("Bash", {"command": "find .git -name config -exec cat {} +"}, False),
        ("Grep", {"pattern": "x"}, True),
        ("Grep", {"pattern": "x", "path": "src"}, True),
    ],
)
def test_a_password_in_gits_settings_is_shown_by_no_search_in_them(
    tool: str, given: dict[str, Any], plain: bool, desk: Desk
) -> None:
    settings = Path(desk.project, ".git/config")
    settings.write_text("[core]\n")
    assert desk.judged(tool, given).verdict.decision == Decision.ALLOW
    settings.write_text('[remote "o"]\n\turl = https://me:ghp_abcdefghijklmnopqrstuvwxyz0123456789@github.com/a/b\n')
    assert (desk.judged(tool, given).verdict.decision == Decision.ALLOW) == plain


def test_a_wider_yes_keeps_what_is_done(desk: Desk) -> None:
    case = desk.judged("mcp__x__item", {"op": "get", "id": "a"})
    question, found = make_question_and_offers(case)
    session = question.at(1).choice(Duration.SESSION)
    assert session is not None and session.scope == "`mcp__x__item` with op = get and any other input"
    layers = replace(desk.layers, project_allow=rules_of(found[1].entries, desk.project))
    assert desk.judged("mcp__x__item", {"op": "get", "id": "b", "x": 1}, layers).verdict.decision == Decision.ALLOW
    assert desk.judged("mcp__x__item", {"op": "delete", "id": "a"}, layers).verdict.decision == Decision.ASK
    for tool in ("mcp__x__delete_item", "mcp__x__run_query"):
        question, _ = make_question_and_offers(desk.judged(tool, {"id": "a"}))
        assert not question.can_widen()


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__db__execute_sql", {"query": "select 1"}),
        ("mcp__x__runScript", {"content": "x"}),
        ("mcp__x__write_cypher", {"query": "x"}),
        ("PowerShell", {"command": "ls"}),
    ],
)
def test_what_takes_code_is_remembered_word_by_word(tool: str, given: dict[str, Any], desk: Desk) -> None:
    question, found = make_question_and_offers(desk.judged(tool, given))
    assert not question.offers(Duration.PERMANENT) and question.offers(Duration.SESSION)
    layers = replace(desk.layers, grants=(Grant("g", found[0].scopes, Duration.SESSION, desk.project, session="s"),))
    assert desk.judged(tool, given, layers).verdict.decision == Decision.ALLOW
    other = {key: f"{value} x" for key, value in given.items()}
    assert desk.judged(tool, other, layers).verdict.decision == Decision.ASK


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("WebFetch", {"url": "https://u:p@example.com/"}),
        ("WebFetch", {"url": "https://example.com/?url=x"}),
        ("mcp__x__get", {"ids": ["a", "b"]}),
        ("mcp__x__get", {"id": "a*"}),
        ("mcp__x__get", {"id": "x" * 300}),
        ("mcp__x__get", {"id": "a\nb"}),
        ("mcp__x__get", {"token": "ghp_" + "a1B2" * 9}),
    ],
)
def test_what_no_entry_can_say_is_remembered_as_this_very_call(tool: str, given: dict[str, Any], desk: Desk) -> None:
    question, found = make_question_and_offers(desk.judged(tool, given))
    assert [scope.kind for scope in found[0].scopes] == ["text"]
    assert not question.offers(Duration.PERMANENT) and question.offers(Duration.SESSION)


def test_the_question_shows_the_whole_input(desk: Desk) -> None:
    """Of somebody else's tool, not only the part that is called `command` or `url`."""
    question, _ = make_question_and_offers(desk.judged("mcp__x__do", {"command": "ls", "url": "u", "as": "root"}))
    assert question.text == 'mcp__x__do {"command":"ls","url":"u","as":"root"}'


def test_names() -> None:
    assert words_of("create_or_update-FileNow") == {"create", "or", "update", "file", "now"}
    assert (
        runs_its_input("mcp__a__executeSQL")
        and runs_its_input("mcp__a__mysql")
        and not runs_its_input("mcp__sql__list")
    )
    assert all(map(is_tool_name, KNOWN)) and not any(map(is_tool_name, ("task", "read", "write", "bash", "git", "mcp")))


def test_documentation_is_named_by_plain_hosts() -> None:
    for host in addresses.DOCUMENTATION:
        found = addresses.address_of(f"https://{host}/")
        assert addresses.problem_of(host) is None and found is not None and found.pattern == host
