"""The MCP server as a process, called by the SDK's own client."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra askfirst[mcp]")
pytest.importorskip("re2", reason="needs the extra askfirst[mcp]")

from askfirst.approval.manager import file_manager
from askfirst.approval.presence import announce
from askfirst.digest import sha256_hex
from askfirst.model import Answer, Decision, Duration
from askfirst.store import proposals
from tests.web.conftest import until

TOOLS = {
    "list_allowed_commands", "check_command", "request_approval", "pending_requests", "read_file", "write_file", "apply_patch", "edit_file",
    "search_file", "count_matches", "list_files", "delete_file",
}  # fmt: skip


@pytest.fixture
def work(project: Path) -> Path:
    (project / "src").mkdir()
    (project / "src" / "app.py").write_text("import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n")
    (project / "notes.txt").write_text("".join(f"line {n}\n" for n in range(1, 501)))
    (project / "data.bin").write_bytes(b"\0\1\2" * 100)
    (project / ".env").write_text("API_KEY=abc123def456\n")
    (project / "link").symlink_to("/etc")
    return project


def session(work: Path, use: Callable[[Any], Awaitable[Any]]) -> Any:
    """One server process, one client session."""
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    environment = {k: v for k, v in os.environ.items() if k.startswith("XDG_") or k in ("HOME", "PATH")}
    environment |= {"CLAUDE_PROJECT_DIR": str(work), "CLAUDE_CODE_SESSION_ID": "session-1"}
    server = StdioServerParameters(command=sys.executable, args=["-I", "-m", "askfirst", "mcp"], env=environment, cwd=str(work))

    async def main() -> Any:
        async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as client:
            await client.initialize()
            return await use(client)

    return anyio.run(main)


async def call(client: Any, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    value = json.loads(result.content[0].text)
    assert isinstance(value, dict) and set(value) <= {"status", "data", "error", "metadata"}
    assert value["metadata"]["duration_ms"] >= 0
    return value


def calls(work: Path, *wanted: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    async def use(client: Any) -> list[dict[str, Any]]:
        return [await call(client, name, **arguments) for name, arguments in wanted]

    return session(work, use)  # type: ignore[no-any-return]


def test_the_tools_are_these_and_none_can_answer(work: Path) -> None:
    async def use(client: Any) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    names = session(work, use)
    assert names == TOOLS
    assert not any(word in name for name in names for word in ("respond", "answer", "approve_", "deny", "grant", "trust"))


def test_introspection(work: Path) -> None:
    listed, allowed, denied, unknown, waiting = calls(
        work,
        ("list_allowed_commands", {}),
        ("check_command", {"command": "git status"}),
        ("check_command", {"command": "sudo id"}),
        ("check_command", {"command": "frobnicate --all"}),
        ("pending_requests", {}),
    )
    assert set(listed["data"]) == {"commands", "blocked_count", "can_request_approval", "approval_timeout_minutes"}
    assert {"name", "source"} == set(listed["data"]["commands"][0])
    assert [r["data"]["decision"] for r in (allowed, denied, unknown)] == ["allow", "deny", "ask"]
    assert unknown["data"]["findings"][0]["advice"]
    assert waiting["data"] == {"pending": []}


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
    ("edit_file", {"path": "src/app.py", "edits": [{"spec": "def one", "content": "x"}, {"spec": "one()", "content": "y"}]}, "Overlap"),
    ("edit_file", {"path": "src/app.py", "edits": []}, "InvalidArgument"),
    ("edit_file", {"path": "src/app.py", "edits": [{"spec": "one", "operation": "explode"}]}, "InvalidArgument"),
    ("apply_patch", {"path": "src/app.py", "patch": "@@ -1,1 +1,1 @@\n-import sys\n+import re\n"}, "PatchDoesNotApply"),
    ("apply_patch", {"path": "src/app.py", "patch": "hello"}, "InvalidPatch"),
    ("write_file", {"path": "notes.txt", "content": "x", "base_hash": "sha256:" + "0" * 64}, "BaseChanged"),
]


def test_what_is_refused_says_so_with_a_code(work: Path) -> None:
    results = calls(work, *((name, arguments) for name, arguments, _ in READS))
    for (name, arguments, code), result in zip(READS, results, strict=True):
        assert result["status"] == "error" and result["error"]["code"] == code, (name, arguments, result)
        assert result["error"]["message"]


def test_reading(work: Path) -> None:
    whole, part, capped, found, counted, listed = calls(
        work,
        ("read_file", {"path": "src/app.py"}),
        ("read_file", {"path": "notes.txt", "start_line": 10, "end_line": 12}),
        ("read_file", {"path": "notes.txt", "max_bytes": 20}),
        ("search_file", {"path": ".", "regex": r"def \w+", "recursive": True}),
        ("count_matches", {"path": "notes.txt", "regex": "line 1"}),
        ("list_files", {"path": ".", "recursive": True}),
    )
    data = (work / "src" / "app.py").read_bytes()
    assert (
        whole["data"]["content"] == data.decode()
        and whole["data"]["base_hash"] == f"sha256:{sha256_hex(data)}"
        and not whole["data"]["truncated"]
    )
    assert part["data"]["content"] == "line 10\nline 11\nline 12\n" and part["data"]["returned_range"] == {"start_line": 10, "end_line": 12}
    assert capped["data"]["truncated"] and len(capped["data"]["content"]) <= 20
    assert [(m["path"], m["line"]) for m in found["data"]["matches"]] == [("src/app.py", 4), ("src/app.py", 8)]
    assert counted["data"]["count"] == 111
    assert {"src/app.py", "notes.txt"} <= {e["path"] for e in listed["data"]["entries"]}


def test_changes_are_proposed_and_nothing_is_written(work: Path) -> None:
    before = {p: p.read_bytes() for p in work.rglob("*") if p.is_file() and not p.is_symlink()}
    patch = "--- a/src/app.py\n+++ b/src/app.py\n@@ -4,2 +4,2 @@\n def one():\n-    return 1\n+    return 11\n"
    edits = [{"spec": "return 1\n", "content": "return 10\n"}, {"spec": r"return \d\n\z", "match_mode": "regex", "content": "return 20\n"}]
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
    contents = {proposals.new_content(p).decode() for p in proposals.waiting()}
    app = before[work / "src" / "app.py"].decode()
    assert contents == {
        "x = 1\n",
        app.replace("return 1\n", "return 11\n"),
        app.replace("return 1\n", "return 10\n").replace("return 2\n", "return 20\n"),
    }


def answering(decision: Decision, duration: Duration = Duration.ONCE) -> threading.Thread:
    """A person who answers the first request that comes."""

    def answer() -> None:
        manager = file_manager()
        (question, *_) = until(manager.pending, "a request")
        manager.respond(question.id, Answer(decision, duration, by="ann", digest=question.digest))

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    return thread


def test_asking_ahead(work: Path) -> None:
    (nobody,) = calls(work, ("request_approval", {"command": "frobnicate", "reason": "to see"}))
    assert nobody["data"]["decision"] == "deny" and "askfirst watch" in nobody["data"]["reason"]
    with announce("watch"):
        thread = answering(Decision.ALLOW)
        (asked,) = calls(work, ("request_approval", {"command": "frobnicate", "reason": "to see"}))
        thread.join(60)
    assert asked["data"]["decision"] == "allow" and asked["data"]["answer"] == "once"


def test_deleting_always_asks(work: Path) -> None:
    (nobody,) = calls(work, ("delete_file", {"path": "notes.txt"}))
    assert nobody["error"]["code"] == "Denied" and (work / "notes.txt").exists()
    with announce("watch"):
        thread = answering(Decision.ALLOW)
        (gone,) = calls(work, ("delete_file", {"path": "notes.txt"}))
        thread.join(60)
    assert gone["data"] == {"deleted": "notes.txt"} and not (work / "notes.txt").exists()


def test_a_hostile_pattern_ends(work: Path) -> None:
    (work / "a.txt").write_text("a" * 200_000 + "b\n")
    (result,) = calls(work, ("count_matches", {"path": "a.txt", "regex": "(a+)+$|(a|a)*c|(.*a){20}"}))
    assert result["status"] in ("success", "error")
