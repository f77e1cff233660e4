"""What is known of the code: usages, related tests, the map, the search, a task's context."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from askfirst.toolbox.relating import get_related_tests
from askfirst.toolbox.search_index import SearchIndex
from askfirst.toolbox.searching import index_of, search_knowledge
from askfirst.toolbox.system_map import get_system_map
from askfirst.toolbox.task_context import get_task_context
from askfirst.toolbox.usages import find_usage
from tests.toolbox.support import called, data, error, organisation, place_of

FILES = {
    "src/gate.py": '"""The pipeline."""\nfrom src.audit import append\n\n\nclass Gate:\n    """Decides."""\n\n'
    "    def decide(self) -> int:\n        return append('decide')  # decide is a word here\n\n\n"
    "def decide() -> None:\n    Gate().decide()\n",
    "src/audit.py": 'def append(text: str) -> int:\n    """Write a record to the tamper-evident log."""\n'
    "    return len(text)\n",
    "tests/test_gate.py": "from src.gate import Gate\n\n\ndef test_it() -> None:\n    Gate().decide()\n",
    "tests/test_more.py": "from src import gate\n\n\ndef test_more() -> None:\n    gate.decide()\n",
    "web/app.ts": "export function loadUser(id: string) { return fetchUser(id); }\nfunction fetchUser(id: string) {}\n",
    "web/app.test.ts": "import { loadUser } from './app';\nloadUser('1');\n",
    "web/package.json": '{"name": "site", "scripts": {"start": "node app.js"}, "main": "app.js"}',
    "pyproject.toml": '[project]\nname = "gatekeeper"\n[project.scripts]\ngk = "src.gate:decide"\n',
    "Dockerfile": "FROM scratch\n",
    "docs/guide.md": "# Guide\n\nHow to begin.\n\n## Rotating the log\n\nSegments are named by their last record.\n",
    "status.md": "# Phase 1\n\n## Gate\n\n- [ ] T-12 Ask a person\n  - wait for silence\n- [x] T-1 Read input\n",
    ".env": "API_KEY=correct-horse-battery-staple\n",
    "secrets/notes.md": "# Rotating secrets\n\nThe master password.\n",
}


@pytest.fixture
def work(project: Path) -> Path:
    for name, text in FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def test_uses_by_syntax(work: Path) -> None:
    pytest.importorskip("jedi", reason="needs the extra askfirst[tools]")
    found = data(called(find_usage, work, "decide"))
    kinds = [(u["kind"], u["path"], u["line"]) for u in found["uses"]]
    assert ("definition", "src/gate.py", 8) in kinds and ("definition", "src/gate.py", 12) in kinds
    assert ("call", "src/gate.py", 13) in kinds and ("call", "tests/test_gate.py", 5) in kinds
    assert not any(line == 9 for _, path, line in kinds if path == "src/gate.py"), "a word in a text or a comment"
    assert found["counts"]["call"] == 3


def test_a_method_of_one_class(work: Path) -> None:
    pytest.importorskip("jedi", reason="needs the extra askfirst[tools]")
    found = data(called(find_usage, work, "Gate.decide"))
    assert [(u["line"]) for u in found["uses"] if u["kind"] == "definition"] == [8]


def test_uses_in_other_languages(work: Path) -> None:
    pytest.importorskip("ast_grep_py", reason="needs the extra askfirst[tools]")
    uses = data(called(find_usage, work, "loadUser"))["uses"]
    assert [(u["kind"], u["path"]) for u in uses] == [
        ("definition", "web/app.ts"),
        ("call", "web/app.test.ts"),
        ("import", "web/app.test.ts"),
    ]
    assert {(u["kind"], u["line"]) for u in data(called(find_usage, work, "fetchUser"))["uses"]} == {
        ("call", 1),
        ("definition", 2),
    }


@pytest.mark.parametrize("symbol", ["", "a b", "a-b", "1a", "../x"])
def test_what_is_no_name(work: Path, symbol: str) -> None:
    assert error(called(find_usage, work, symbol))[0] == "InvalidArgument"


def test_tests_of_a_file(work: Path) -> None:
    found = data(called(get_related_tests, work, "src/gate.py"))["tests"]
    assert found == [{"path": "tests/test_gate.py", "why": "name"}, {"path": "tests/test_more.py", "why": "import"}]
    (typescript,) = data(called(get_related_tests, work, "web/app.ts"))["tests"]
    assert typescript["path"] == "web/app.test.ts"


def test_tests_that_coverage_has_seen(work: Path) -> None:
    base = sqlite3.connect(work / ".coverage")
    base.executescript(
        "create table file (id integer, path text); create table context (id integer, context text);"
        "create table line_bits (file_id integer, context_id integer, numbits blob);"
    )
    base.execute("insert into file values (1, ?)", (str(work / "src/audit.py"),))
    base.execute("insert into context values (1, 'tests/test_gate.py::test_it|run')")
    base.execute("insert into line_bits values (1, 1, x'01')")
    base.commit()
    assert {"path": "tests/test_gate.py", "why": "coverage"} in data(called(get_related_tests, work, "src/audit.py"))[
        "tests"
    ]


def test_the_map(work: Path) -> None:
    found = data(called(get_system_map, work))
    services = {s["path"]: s for s in found["services"]}
    assert services["."]["name"] == "gatekeeper" and services["web"]["name"] == "site"
    assert "gk: src.gate:decide" in services["."]["entry_points"] and "main: app.js" in services["web"]["entry_points"]
    assert services["."]["tests"]["files"] == 2 and found["infrastructure"] == ["Dockerfile"]
    assert "docs/guide.md" in found["documents"]
    assert [s["path"] for s in data(called(get_system_map, work, "web"))["services"]] == ["web"]
    assert error(called(get_system_map, work, "../x"))[0] == "OutsideProject"


def search(work: Path, query: str) -> list[tuple[str, str]]:
    found = data(called(search_knowledge, work, query))
    return [(r["path"], r["name"]) for r in found["results"]]


def test_a_question_in_words(work: Path) -> None:
    assert index_of(place_of(work)).refresh(60).state == "ready"
    assert search(work, "how do I rotate the log?")[0] == ("docs/guide.md", "Rotating the log")
    assert search(work, "where is a record written to the log")[0] == ("src/audit.py", "append")
    assert search(work, "load a user")[0] == ("web/app.ts", "loadUser")


def test_what_may_not_be_read_is_not_in_the_index(work: Path) -> None:
    index = index_of(place_of(work))
    index.refresh(60)
    assert all(not path.startswith((".env", "secrets/")) for path, _ in search(work, "master password API key staple"))
    assert b"correct-horse" not in Path(index.file).read_bytes()


def test_what_changes_is_looked_at_anew_and_only_that(work: Path) -> None:
    index = SearchIndex(str(work), lambda: place_of(work).layers())
    index.refresh(60)
    with sqlite3.connect(index.file) as base:
        before = dict(base.execute("select path, id from files"))
    (work / "src/audit.py").write_text('def forget() -> None:\n    """Remove old segments."""\n')
    (work / "docs/guide.md").unlink()
    index.refresh(60)
    with sqlite3.connect(index.file) as base:
        after = dict(base.execute("select path, id from files"))
    assert {p for p in after if after[p] != before.get(p)} == {"src/audit.py"} and "docs/guide.md" not in after
    assert [h.name for h in index.search(["segment"], 5)] == ["forget"]


def test_rules_that_change_take_files_out(work: Path) -> None:
    index = index_of(place_of(work))
    index.refresh(60)
    organisation("writes: {own: [web]}")
    assert all(path.startswith("web/") or path.count("/") == 0 for path, _ in search(work, "decide gate append"))


def test_a_damaged_index_is_built_anew(work: Path) -> None:
    index = index_of(place_of(work))
    index.refresh(60)
    Path(index.file).write_bytes(b"not a database" * 1000)
    index.refresh(60)
    assert index.refresh(60).state == "ready" and search(work, "load user")


def test_a_task_in_its_context(work: Path) -> None:
    found = data(called(get_task_context, work, "T-12"))
    (task,) = found["tasks"]
    assert task["context"] == ["Phase 1", "Gate"] and task["state"] == "open"
    assert task["details"] == ["  - wait for silence"] and found["session"]["id"] == "session-1"
    assert error(called(get_task_context, work, "T-99"))[0] == "TaskNotFound"


def test_what_the_session_was_denied(work: Path) -> None:
    from askfirst.toolbox.file_views import read_file

    called(read_file, work, ".env")
    session = data(called(get_task_context, work))["session"]
    assert session["decisions"]["deny"] == 1 and session["asked_or_denied"][0]["tool"] == "Read"
