"""The MCP server as a process, called by the SDK's own client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra askfirst[mcp]")
pytest.importorskip("re2", reason="needs the extra askfirst[mcp]")

from askfirst.approval.manager import file_manager
from askfirst.approval.person import user_name
from askfirst.approval.presence import announce
from askfirst.approval.question import Question
from askfirst.audit.read import read_records
from askfirst.digest import sha256_hex
from askfirst.knowledge.own_tools import LOOKS, TOOLS
from askfirst.knowledge.tools import OWN_TOOLS
from askfirst.mcp.server import DESCRIPTIONS
from askfirst.model import Answer, Decision, Duration
from askfirst.store import alerts, pause, proposal_files
from askfirst.toolbox import asking
from askfirst.toolbox.place import Place
from askfirst.toolbox.tool_result import run
from tests.hook.process import run_bash
from tests.waiting import until


@pytest.fixture
def work(project: Path) -> Path:
    (project / "src").mkdir()
    (project / "src" / "app.py").write_text("import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n")
    (project / "notes.txt").write_text("".join(f"line {n}\n" for n in range(1, 501)))
    (project / "data.bin").write_bytes(b"\0\1\2" * 100)
    (project / ".env").write_text("API_KEY=abc123def456\n")
    (project / "link").symlink_to("/etc")
    (project / "alias").symlink_to("notes.txt")
    (project / "page.txt").write_text("one\x0cstill one\ntwo\u2028still two")  # no newline at its end
    (project / "letters.txt").write_text("abcdefgh" * 20_000)
    (project / ".git" / "hooks").mkdir(parents=True)
    (project / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\n")
    return project


def session(work: Path, use: Callable[[Any], Awaitable[Any]]) -> Any:
    """One server process, one client session."""
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {k: v for k, v in os.environ.items() if k.startswith("XDG_") or k in ("HOME", "PATH")}
    environment |= {"CLAUDE_PROJECT_DIR": str(work), "CLAUDE_CODE_SESSION_ID": "session-1"}
    server = StdioServerParameters(
        command=sys.executable, args=["-I", "-m", "askfirst", "mcp"], env=environment, cwd=str(work)
    )

    async def main() -> Any:
        async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as client:
            await client.initialize()
            return await use(client)

    return anyio.run(main)


async def call(client: Any, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    value = json.loads(result.content[0].text)
    assert isinstance(value, dict) and set(value) <= {"status", "data", "error", "metadata"}
    assert result.is_error is (value["status"] == "error"), "clients go by this"
    assert value["metadata"]["duration_ms"] >= 0
    return value


def calls(work: Path, *wanted: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    async def use(client: Any) -> list[dict[str, Any]]:
        return [await call(client, name, **arguments) for name, arguments in wanted]

    return session(work, use)  # type: ignore[no-any-return]


def test_the_tools_are_these_and_none_can_answer(work: Path) -> None:
    async def use(client: Any) -> dict[str, Any]:
        return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}

    names = session(work, use)
    assert list(names) == [f.__name__ for f in DESCRIPTIONS] and set(names) == set(TOOLS), "one row a tool"
    assert {n for n, kind in names.items() if kind.read_only_hint} == {n for n, r in TOOLS.items() if r.effect == LOOKS}
    assert {n for n, kind in names.items() if kind.destructive_hint} == {"delete_file"}
    assert {f"mcp__askfirst__{n}" for n in names} == OWN_TOOLS
    assert not any(
        word in name for name in names for word in ("respond", "answer", "approve_", "deny", "grant", "trust")
    )


def test_introspection(work: Path) -> None:
    listed, allowed, denied, unknown, waiting = calls(
        work,
        ("list_allowed_commands", {}),
        ("check_command", {"command": "git status"}),
        ("check_command", {"command": "sudo id"}),
        ("check_command", {"command": "frobnicate --all"}),
        ("pending_requests", {}),
    )
    assert {"commands", "also", "can_request_approval", "somebody_there"} < set(listed["data"])
    assert listed["data"]["can_request_approval"] is False, "nobody is there"
    assert {"name", "subcommands", "source"} == set(listed["data"]["commands"][0])
    assert len(json.dumps(listed)) < 20_000
    assert [r["data"]["decision"] for r in (allowed, denied, unknown)] == ["allow", "deny", "ask"]
    assert unknown["data"]["reason"] == "no rule allows `frobnicate`"
    assert waiting["data"] == {"pending": []}


WRONG_ARGUMENTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "missing": ("read_file", {}, "`path`"),
    "not a text": ("read_file", {"path": 5}, "`path`"),
    "not a list": ("edit_file", {"path": "notes.txt", "edits": "x"}, "`edits`"),
    "not an object": ("edit_file", {"path": "notes.txt", "edits": ["x"]}, "`edits.0`"),
    "unknown operation": ("edit_file", {"path": "notes.txt", "edits": [{"spec": "a", "operation": "x"}]}, "operation"),
    "no such tool": ("no_such_tool", {}, "no_such_tool"),
}


def test_wrong_arguments_are_answered_like_every_other_error(work: Path) -> None:
    found = calls(work, *((name, arguments) for name, arguments, _ in WRONG_ARGUMENTS.values()))
    for answer, (_, _, says) in zip(found, WRONG_ARGUMENTS.values(), strict=True):
        assert answer["error"]["code"] == "InvalidArgument" and says in answer["error"]["message"], answer


def test_edits_have_a_schema(work: Path) -> None:
    async def use(client: Any) -> dict[str, Any]:
        return {t.name: t.input_schema for t in (await client.list_tools()).tools}

    edits = session(work, use)["edit_file"]["properties"]["edits"]
    assert (
        edits["items"]["required"] == ["spec"] and "append_after" in edits["items"]["properties"]["operation"]["enum"]
    )


def test_what_belongs_to_git_and_to_packages_is_not_shown(work: Path) -> None:
    (work / "node_modules" / "x").mkdir(parents=True)
    (work / "node_modules" / "x" / "index.js").write_text("token\n")
    names = (".git/hooks/pre-commit", "node_modules/x/index.js", "src/../.git/hooks/pre-commit")
    reads: list[tuple[str, dict[str, Any]]] = [("read_file", {"path": name}) for name in names]
    looks: list[tuple[str, dict[str, Any]]] = [
        ("list_files", {"path": ".git"}),
        ("search_file", {"path": "node_modules", "regex": "t", "recursive": True}),
    ]
    for answer in calls(work, *reads, *looks, ("count_matches", {"path": ".git/hooks/pre-commit", "regex": "s"})):
        assert answer["error"]["code"] == "Denied" and "not open to these tools" in answer["error"]["message"]


def test_a_mask_does_not_come_back_as_content(work: Path) -> None:
    """read_file masks a secret; writing what was read would put the mask in the secret's place."""
    config = work / "src" / "config.py"
    config.write_text('name = "x"\npassword = "hunter2-correct-horse-battery"\n')
    (read,) = calls(work, ("read_file", {"path": "src/config.py"}))
    content = read["data"]["data"]["content"]
    assert "<redacted:" in content
    whole, edit = calls(
        work,
        ("write_file", {"path": "src/config.py", "content": content.replace('"x"', '"y"')}),
        ("edit_file", {"path": "src/config.py", "edits": [{"spec": '"x"', "content": '"y"'}]}),
    )
    assert "the secret would be lost" in whole["error"]["message"] and "edit_file" in whole["error"]["suggestion"]
    assert edit["status"] == "success"
    (proposal,) = proposal_files.waiting()
    assert b"hunter2" in proposal_files.new_content(proposal)


def test_refused_calls_are_recorded_and_counted(work: Path) -> None:
    """A secret that is asked for again and again through these tools flags the session, as it does in the shell."""
    protected = ("write_file", {"path": ".git/hooks/pre-commit", "content": "x"})
    calls(work, ("read_file", {"path": ".env"}), *[protected] * 7)
    denied = [r for r in read_records() if r["kind"] == "verdict" and r["decision"] == "deny"]
    assert [r["tool"] for r in denied] == ["Read", *["Propose"] * 7]
    assert all(r["session"] == "session-1" and r["reason"] for r in denied)
    assert alerts.is_flagged("session-1")


def test_reading_is_recorded_like_a_command(work: Path) -> None:
    calls(
        work, ("read_file", {"path": "notes.txt"}), ("list_files", {}), ("count_matches", {"path": ".", "regex": "x"})
    )
    found = [(r["tool"], r["decision"]) for r in read_records() if r["kind"] == "verdict"]
    assert found == [("Read", "allow"), ("LS", "allow"), ("Grep", "allow")]


@pytest.mark.parametrize("closed", ["a pause", "a broken organisation file"])
def test_nothing_is_open_while_everything_is_denied(work: Path, closed: str) -> None:
    if closed == "a pause":
        pause.pause(0.0, "ada", "lunch")
    else:
        config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text("version: 1\nblocked_comands: [npm]\n")
    told = calls(
        work,
        ("read_file", {"path": "notes.txt"}),
        ("list_files", {}),
        ("search_file", {"path": ".", "regex": "line"}),
        ("write_file", {"path": "new.txt", "content": "x"}),
        ("check_command", {"command": "git status"}),
    )
    assert [r.get("error", {}).get("code") for r in told[:4]] == ["Denied"] * 4
    assert told[4]["data"]["decision"] == "deny"
    assert not alerts.is_flagged("session-1"), "the agent has done nothing wrong"


def test_a_role_that_only_reads_proposes_nothing(work: Path) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"version: 1\nroles: {{{user_name()}: product_owner}}\n")
    read, written = calls(
        work, ("read_file", {"path": "notes.txt"}), ("write_file", {"path": "new.txt", "content": "x"})
    )
    assert read["status"] == "success" and written["error"]["code"] == "PermissionDenied"
    assert "product_owner" in written["error"]["message"]


HOSTILE = "|".join(f"[a-z]{{0,{900 - n}}}{letter}{n}" for n, letter in enumerate("QWERTYUIOPASDFGHJKLZXCVBNM" * 2))
READS: list[tuple[str, dict[str, Any], str]] = [
    ("read_file", {"path": "../outside"}, "OutsideProject"),
    ("read_file", {"path": "link/passwd"}, "OutsideProject"),
    ("read_file", {"path": "/etc/passwd"}, "OutsideProject"),
    ("read_file", {"path": ".env"}, "Denied"),
    ("read_file", {"path": "data.bin"}, "BinaryFile"),
    ("read_file", {"path": "missing"}, "FileNotFound"),
    ("read_file", {"path": "notes.txt", "max_bytes": 200_000}, "InvalidArgument"),
    ("read_file", {"path": "notes.txt", "start_line": 900}, "InvalidRange"),
    ("search_file", {"path": ".", "regex": "(unclosed"}, "InvalidPattern"),
    ("search_file", {"path": ".", "regex": r"(a)\1"}, "InvalidPattern"),
    ("search_file", {"path": ".env", "regex": "KEY"}, "Denied"),
    ("list_files", {"path": ".."}, "OutsideProject"),
    ("write_file", {"path": ".claude/settings.json", "content": "{}"}, "Denied"),
    ("write_file", {"path": "../x", "content": ""}, "OutsideProject"),
    ("edit_file", {"path": "src/app.py", "edits": [{"spec": "return", "content": "x"}]}, "MatchCount"),
    (
        "edit_file",
        {"path": "src/app.py", "edits": [{"spec": "def one", "content": "x"}, {"spec": "one()", "content": "y"}]},
        "Overlap",
    ),
    ("edit_file", {"path": "src/app.py", "edits": []}, "InvalidArgument"),
    ("edit_file", {"path": "src/app.py", "edits": [{"spec": "one", "operation": "explode"}]}, "InvalidArgument"),
    ("apply_patch", {"path": "src/app.py", "patch": "@@ -1,1 +1,1 @@\n-import sys\n+import re\n"}, "PatchDoesNotApply"),
    ("apply_patch", {"path": "src/app.py", "patch": "hello"}, "InvalidPatch"),
    ("write_file", {"path": "notes.txt", "content": "x", "base_hash": "sha256:" + "0" * 64}, "BaseChanged"),
    # A count of matches, a line that does not fit and a diff would tell what is in a secret, letter by letter.
    (
        "edit_file",
        {"path": ".env", "edits": [{"spec": "API_KEY=a", "match_mode": "regex", "content": "", "count": 9}]},
        "Denied",
    ),
    ("apply_patch", {"path": ".env", "patch": "@@ -1,1 +1,1 @@\n-guess\n+x\n"}, "Denied"),
    ("write_file", {"path": ".env", "content": "API_KEY=\n"}, "Denied"),
    ("count_matches", {"path": ".env", "regex": "."}, "Denied"),
    # RE2 is linear, but in the text times the pattern: the time limit is what ends this one.
    ("count_matches", {"path": "letters.txt", "regex": HOSTILE}, "SecurityError"),
    ("edit_file", {"path": "letters.txt", "edits": [{"spec": HOSTILE, "match_mode": "regex"}]}, "SecurityError"),
    ("count_matches", {"path": "letters.txt", "regex": "."}, "TooManyMatches"),
    ("search_file", {"path": ".", "regex": ""}, "InvalidPattern"),
    ("search_file", {"path": "data.bin", "regex": "x"}, "BinaryFile"),
    (
        "apply_patch",
        {"path": "page.txt", "patch": "@@ -2,1 +2,2 @@\n two\u2028still two\n+three\n"},
        "PatchDoesNotApply",
    ),
    (
        "apply_patch",
        {"path": "src/app.py", "patch": "+++ a\n@@ -1 +1 @@\n-import os\n+x\n+++ b\n@@ -2 +2 @@\n-\n+y\n"},
        "InvalidPatch",
    ),
    (
        "apply_patch",
        {"path": "src/app.py", "patch": "--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-import os\n"},
        "InvalidPatch",
    ),
    ("delete_file", {"path": "alias"}, "InvalidPath"),
    ("delete_file", {"path": "src"}, "FileNotFound"),
    ("delete_file", {"path": "link/passwd"}, "OutsideProject"),
    ("delete_file", {"path": ".git/hooks/pre-commit"}, "Denied"),
    ("check_command", {"command": " "}, "InvalidArgument"),
]


def test_what_is_refused_says_so_with_a_code(work: Path) -> None:
    results = calls(work, *((name, arguments) for name, arguments, _ in READS))
    for (name, arguments, code), result in zip(READS, results, strict=True):
        assert result["status"] == "error" and result["error"]["code"] == code, (name, arguments, result)
        assert result["error"]["message"]


def test_reading(work: Path) -> None:
    whole, part, capped, found, counted, listed, second = calls(
        work,
        ("read_file", {"path": "src/app.py"}),
        ("read_file", {"path": "notes.txt", "start_line": 10, "end_line": 12}),
        ("read_file", {"path": "notes.txt", "max_bytes": 20}),
        ("search_file", {"path": ".", "regex": r"def \w+", "recursive": True}),
        ("count_matches", {"path": "notes.txt", "regex": "line 1"}),
        ("list_files", {"path": ".", "recursive": True}),
        ("read_file", {"path": "page.txt", "start_line": 2}),
    )
    data = (work / "src" / "app.py").read_bytes()
    envelope = whole["data"]
    assert envelope["schema_version"] == "1.0" and envelope["status"] == "allowed"
    assert envelope["op"] == {"method": "fs.read", "path": "src/app.py"}
    assert envelope["audit"]["event_hash"].startswith("sha256:") and envelope["audit"]["prev_hash"]
    assert (
        whole["data"]["data"]["content"] == data.decode()
        and whole["data"]["data"]["base_hash"] == f"sha256:{sha256_hex(data)}"
        and not whole["data"]["data"]["truncated"]
    )
    assert part["data"]["data"]["content"] == "line 10\nline 11\nline 12\n" and part["data"]["data"][
        "returned_range"
    ] == {
        "start_line": 10,
        "end_line": 12,
    }
    assert capped["data"]["data"]["truncated"] and len(capped["data"]["data"]["content"]) <= 20
    assert [(m["path"], m["line"]) for m in found["data"]["matches"]] == [("src/app.py", 4), ("src/app.py", 8)]
    assert counted["data"]["count"] == 111
    kinds = {e["path"]: e["type"] for e in listed["data"]["entries"]}
    assert (
        kinds["src/app.py"] == "file"
        and kinds["src"] == "directory"
        and kinds["alias"] == "link"
        and "link/passwd" not in kinds
    )
    # Lines are counted as editors and diffs count them.
    assert second["data"]["data"]["content"] == "two\u2028still two" and second["data"]["data"]["total_lines"] == 2


def test_changes_are_proposed_and_nothing_is_written(work: Path) -> None:
    before = {p: p.read_bytes() for p in work.rglob("*") if p.is_file() and not p.is_symlink()}
    patch = "--- a/src/app.py\n+++ b/src/app.py\n@@ -4,2 +4,2 @@\n def one():\n-    return 1\n+    return 11\n"
    edits = [
        {"spec": "return 1\n", "content": "return 10\n"},
        {"spec": r"return \d\n\z", "match_mode": "regex", "content": "return 20\n"},
    ]
    results = calls(
        work,
        ("write_file", {"path": "src/new.py", "content": "x = 1\n"}),
        ("apply_patch", {"path": "src/app.py", "patch": patch}),
        ("edit_file", {"path": "src/app.py", "edits": edits}),
    )
    for result in results:
        data = result["data"]
        assert (
            result["status"] == "success"
            and data["status"] == "hitl_required"
            and data["hitl"]["diff_preview"]
            and data["schema_version"] == "1.0"
        ), result
    assert {p: p.read_bytes() for p in before} == before and not (work / "src" / "new.py").exists()
    contents = {proposal_files.new_content(p).decode() for p in proposal_files.waiting()}
    app = before[work / "src" / "app.py"].decode()
    assert contents == {
        "x = 1\n",
        app.replace("return 1\n", "return 11\n"),
        app.replace("return 1\n", "return 10\n").replace("return 2\n", "return 20\n"),
    }


def answering(
    decision: Decision,
    duration: Duration = Duration.ONCE,
    *,
    asked: list[Question] | None = None,
    first: Callable[[], object] | None = None,
) -> threading.Thread:
    """A person who answers the first request that comes; `asked` gets it, `first` happens before."""

    def answer() -> None:
        manager = file_manager()
        (question, *_) = until(manager.pending, "a request")
        if asked is not None:
            asked.append(question)
        if first is not None:
            first()
        manager.respond(question.id, Answer(decision, duration, by="ann", digest=question.digest))

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    return thread


def test_asking_ahead(work: Path) -> None:
    """The reason is quoted as the agent's; a yes for once is kept for the call that follows, and for that one alone."""
    with announce("watch"):
        asked: list[Question] = []
        thread = answering(Decision.ALLOW, asked=asked)
        wanted = {"command": "frobnicate", "reason": "to see"}
        answer, checked, waiting = calls(
            work, ("request_approval", wanted), ("check_command", {"command": "frobnicate"}), ("pending_requests", {})
        )
        thread.join(60)
    assert answer["data"]["decision"] == "allow" and answer["data"]["answer"] == "once"
    assert asked[0].said == "to see" and asked[0].session == "session-1"
    assert checked["data"]["decision"] == "ask" and waiting["data"] == {"pending": []}  # looking does not use it up
    told = run_bash("frobnicate", cwd=work), run_bash("frobnicate", cwd=work)
    assert [t.decision for t in told] == ["allow", "deny"], told[0].reason
    (nobody,) = calls(work, ("request_approval", wanted))
    assert nobody["data"]["decision"] == "deny" and "askfirst watch" in nobody["data"]["reason"]


def test_a_call_that_is_given_up_takes_its_question_with_it(work: Path) -> None:
    """Each session sees its own requests, and a client that goes away leaves none behind."""
    manager = file_manager()

    async def use(client: Any) -> None:
        import anyio

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(call, client, "request_approval", command="frobnicate 1", reason=""))
            with anyio.fail_after(60):
                while not manager.pending():
                    await anyio.sleep(0.02)
            mine = (await call(client, "pending_requests"))["data"]["pending"]
            assert [(m["command"], m["id"]) for m in mine] == [("frobnicate 1", manager.pending()[0].id[:6])]
            tasks.cancel_scope.cancel()
        with anyio.fail_after(60):
            while manager.pending():
                await anyio.sleep(0.02)

    async def leave(client: Any) -> None:
        import anyio

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(call, client, "request_approval", command="frobnicate 2", reason=""))
            with anyio.fail_after(60):
                while not manager.pending():
                    await anyio.sleep(0.02)
            others = Place(str(work), str(work), "another session")
            assert asking.pending_requests(others) == {"pending": []}
            tasks.cancel_scope.cancel()

    with announce("watch"):
        session(work, use)
        session(work, leave)
        until(lambda: not manager.pending(), "the question to be taken back")


def delete(work: Path, path: str) -> dict[str, Any]:
    """The tool without its process."""
    return run(lambda: asking.delete_file(Place(str(work), str(work), "session-1"), path))


def test_deleting_always_asks(work: Path) -> None:
    (nobody,) = calls(work, ("delete_file", {"path": "notes.txt"}))
    assert nobody["error"]["code"] == "Denied" and (work / "notes.txt").exists()
    with announce("watch"):
        for name in (
            "notes.txt",
            "notes.txt",
            "data.bin",
        ):  # once more after a yes for the session, and what is not text
            (work / name).touch()
            asked: list[Question] = []
            thread = answering(Decision.ALLOW, Duration.SESSION, asked=asked)
            assert delete(work, name)["data"] == {"deleted": name} and not (work / name).exists() and asked
            thread.join(60)
        thread = answering(Decision.DENY, asked=asked)
        denied, again = delete(work, "page.txt"), delete(work, "page.txt")
        thread.join(60)
    assert (
        denied["error"]["code"] == again["error"]["code"] == "Denied"
        and "denied exactly this" in again["error"]["message"]
    )
    assert (work / "page.txt").exists()


def test_a_file_that_changed_after_the_yes_stays(work: Path) -> None:
    with announce("watch"):
        thread = answering(Decision.ALLOW, first=lambda: (work / "notes.txt").write_text("new work\n"))
        kept = delete(work, "notes.txt")
        thread.join(60)
    assert kept["error"]["code"] == "BaseChanged" and (work / "notes.txt").exists()


def test_whatever_goes_wrong_is_a_result(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> dict[str, Any]:
        raise RuntimeError("token ghp_" + "a" * 36)

    result = run(broken)
    assert (
        result["status"] == "error"
        and result["error"]["code"] == "InternalError"
        and "aaaa" not in result["error"]["message"]
    )


def test_without_the_extra_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; from askfirst.__main__ import main; "
        "sys.argv = ['askfirst', 'mcp']; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "pip install 'askfirst[mcp]'" in done.stderr, done
