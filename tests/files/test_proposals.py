"""Propose, read, apply once, undo: the file broker's test plan, its fields, and what may come in between."""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.approval import person
from askfirst.audit.read import read_records
from askfirst.cli import main
from askfirst.model import Decision
from askfirst.store import clock, proposal_files
from tests.files.proposing import leftovers, no_objection, proposed
from tests.toolbox.support import person as somebody

Run = Callable[..., tuple[int, str]]
OLD, NEW = "a = 1\n", "a = 1\n\n\ndef fresh():\n    return 2\n"


@pytest.fixture(autouse=True)
def a_person(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.setattr(person, "ancestors", lambda: ())
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.chdir(project)
    (project / ".git").mkdir()
    (project / "src").mkdir()
    (project / "src/app.py").write_text(OLD)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def typed(*words: str, stdin: str | bytes = "") -> tuple[int, str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(list(words))
        found = capsys.readouterr()
        return code, found.out if "--json" in words else found.out + found.err

    return typed


def said(run: Run, *words: str, stdin: str | bytes = "") -> dict[str, Any]:
    code, out = run(*words, "--json", stdin=stdin)
    value: dict[str, Any] = json.loads(out)
    assert value["schema_version"] == "1.0" and (code == 0) == (value["status"] in ("allowed", "hitl_required"))
    return value


def propose(run: Run, path: str = "src/app.py", content: str = NEW, *words: str) -> str:
    return str(said(run, "propose", path, *words, stdin=content)["hitl"]["hitl_id"])


# --- the broker's fields


def test_proposing_writes_nothing_and_answers_with_the_brokers_fields(run: Run, project: Path) -> None:
    answer = said(run, "propose", "src/app.py", "--session", "s-1", "--tool-call", "tc-1", stdin=NEW)
    assert (project / "src/app.py").read_text() == OLD
    assert answer["status"] == "hitl_required" and answer["op"] == {"method": "fs.propose_patch", "path": "src/app.py"}
    hitl, data = answer["hitl"], answer["data"]
    assert set(hitl) == {"hitl_id", "ttl_seconds", "summary", "diff_preview"}
    assert (hitl["ttl_seconds"], hitl["summary"]) == (120, "MODIFY src/app.py") and "+def fresh():" in hitl[
        "diff_preview"
    ]
    assert set(data) == {"path", "created", "base_hash", "patch_hash", "patch_format"} and data["created"] is False
    assert all(data[k].startswith("sha256:") and len(data[k]) == 71 for k in ("base_hash", "patch_hash"))
    assert answer["audit"]["event_hash"].startswith("sha256:") and answer["audit"]["prev_hash"]
    (record,) = proposal_files.waiting()
    assert (record.tool_call_id, record.session, record.path, record.created) == ("tc-1", "s-1", "src/app.py", False)
    assert record.expires_at == pytest.approx(record.created_at + 120)


def test_a_new_file_comes_from_dev_null(run: Run, project: Path) -> None:
    answer = said(run, "propose", "docs/plan.md", stdin="one\n")
    assert answer["hitl"]["summary"] == "CREATE FILE docs/plan.md" and answer["data"]["created"] is True
    assert answer["hitl"]["diff_preview"].startswith("--- /dev/null\n+++ b/docs/plan.md\n")
    assert said(run, "apply", answer["hitl"]["hitl_id"], "--yes")["data"]["created"] is True
    assert (project / "docs/plan.md").read_text() == "one\n"
    assert said(run, "undo", answer["hitl"]["hitl_id"])["status"] == "allowed"
    assert not (project / "docs").exists()  # the directory came with the file


def test_a_long_diff_is_cut_in_the_response_only(run: Run) -> None:
    answer = said(run, "propose", "src/app.py", stdin="x = 1\n" * 5000)
    assert len(answer["hitl"]["diff_preview"]) < 8100 and "truncated" in answer["hitl"]["diff_preview"]
    assert len(proposal_files.waiting()[0].diff) > 30_000


def test_the_whole_way_with_a_person(run: Run, project: Path) -> None:
    id = propose(run)
    assert "src/app.py" in run("proposals")[1]
    assert "+def fresh():" in run("proposals", id[:6])[1]
    code, out = run("apply", id[:6], stdin="n\n")
    assert code == 1 and "nothing was written" in out and (project / "src/app.py").read_text() == OLD
    code, out = run("apply", id[:6], stdin="y\n")
    assert code == 0 and "askfirst undo" in out and (project / "src/app.py").read_text() == NEW
    code, out = run("apply", id[:6], stdin="y\n")
    assert code == 1 and "already applied" in out
    assert run("undo", id[:6])[0] == 0 and (project / "src/app.py").read_text() == OLD
    assert run("undo", id[:6])[0] == 1
    kinds = [r["kind"] for r in read_records()]
    assert [k for k in kinds if k in ("propose", "apply", "undo")] == [
        "propose",
        "apply",
        "apply",
        "apply",
        "undo",
        "undo",
    ]
    assert not leftovers(str(project))


def test_applying_says_what_was_before_and_after(run: Run) -> None:
    id = propose(run)
    (record,) = proposal_files.waiting()
    answer = said(run, "apply", id, "--yes")
    assert (
        answer["status"] == "allowed" and answer["op"]["method"] == "fs.apply_patch" and answer["data"]["hitl_id"] == id
    )
    before, after = answer["data"]["before_hash"], answer["data"]["after_hash"]
    assert (before, after) == (f"sha256:{record.base_hash}", f"sha256:{record.new_hash}")


def test_the_question_says_first_what_is_deleted(run: Run, project: Path) -> None:
    (project / "src/big.py").write_text("".join(f"def f{i}():\n    return {i}\n\n" for i in range(90)))
    id = propose(run, "src/big.py", "x = 1\n")
    code, out = run("apply", id, stdin="\n")
    assert code == 1 and out.startswith("REPLACE src/big.py\nDELETES 270 of 270 lines: def f0, def f1, ")
    assert out.index("DELETES") < out.index("a person must see this in every mode") < out.index("-def f0():")


@pytest.mark.parametrize("files", [1, 3, 40])
def test_above_the_question_stands_what_is_deleted_however_long_the_diff(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("COLUMNS", "80")
    for n in range(files):
        (project / f"src/big{n}.py").write_text("".join(f"def f{i}():\n    return {i}\n\n" for i in range(90)))
        propose(run, f"src/big{n}.py", "x = 1\n", "--batch", "all")
    code, out = run("apply", "--batch", "all", stdin="\n")
    screen = out[: out.index("write this?")].splitlines()[-23:]
    assert code == 1 and all(len(row) < 80 for row in screen) and "-    return 89" in out
    found = [row for row in screen if row.startswith("DELETES 270 of 270 lines") and "def f0, " in row]
    assert len(found) == min(files, 20)
    assert ("1 file" in out, f"\n{files} files\n" in out, "and 20 more like these" in out) == (
        False,
        files > 1,
        files == 40,
    )


def test_a_short_diff_says_it_once(run: Run, project: Path) -> None:
    _, out = run("apply", propose(run, content="b = 2\n"), stdin="\n")
    assert out.count("DELETES") == 1


def test_the_warning_of_a_merge_is_part_of_the_question(run: Run, project: Path) -> None:
    id = propose(run, content="this is no python\n")
    code, out = run("apply", id, "--strategy", "extend", stdin="\n")
    assert code == 1 and out.startswith("NOTE appended instead: ")


def test_throwing_away(run: Run, project: Path) -> None:
    id = propose(run)
    assert run("discard", id)[0] == 0 and not proposal_files.waiting()
    assert said(run, "apply", id, "--yes")["status"] == "denied"
    assert said(run, "discard", id)["status"] == "error"
    assert (project / "src/app.py").read_text() == OLD


@pytest.mark.parametrize(
    "words", [("apply", "zzzz"), ("undo", "zzzz"), ("discard", "zzzz"), ("apply",), ("propose", "x", "--ttl", "0")]
)
def test_what_goes_wrong_is_a_response_too(run: Run, words: tuple[str, ...]) -> None:
    answer = said(run, *words)
    assert answer["status"] == "error" and answer["error"]["message"] and answer["op"]["method"].startswith("fs.")
    assert run(*words)[0] in (1, 2)


# --- what is denied


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "config/.env",
        "src/key.pem",
        "src/my_id_rsa.old",
        "secrets/x.txt",
        "a/secrets/deep/x",
        "../outside.txt",
        "/etc/hosts",
        "src/../../x",
        ".claude/settings.json",
        ".git/hooks/pre-commit",
        ".git/config",
        ".askfirst/allowed_commands.yaml",
        "src",
        "inside/x",
        "link.txt",
        "hard.txt",
    ],
)
def test_paths_that_are_not_proposed_for(run: Run, project: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "file").write_text("x\n")
    os.symlink(tmp_path / "elsewhere", project / "inside")
    os.symlink(tmp_path / "file", project / "link.txt")
    os.link(tmp_path / "file", project / "hard.txt")
    answer = said(run, "propose", path, stdin="x\n")
    assert answer["status"] in ("denied", "error") and not proposal_files.waiting()


def test_the_largest_content(run: Run) -> None:
    answer = said(run, "propose", "src/x.txt", stdin="x" * (512 * 1024 + 1))
    assert answer["status"] == "denied" and "limit of 512 KiB" in answer["error"]["message"]
    assert said(run, "propose", "src/x.txt", stdin="x" * 512 * 1024)["status"] == "hitl_required"


def test_a_secret_is_masked_wherever_a_person_reads(run: Run) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    id = propose(run, "src/t.py", f"T = '{token}'\n")
    shown = run("proposals", id)[1] + run("apply", id, stdin="\n")[1] + json.dumps(list(read_records()))
    assert token not in shown and "puts a secret into" in shown


def test_an_agent_applies_nothing(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    id = propose(run)
    monkeypatch.setenv("CLAUDECODE", "1")
    for words in (("apply", id, "--yes"), ("undo", id)):
        code, out = run(*words)
        assert code == 1 and "refused" in out
    assert (project / "src/app.py").read_text() == OLD


# --- what happens in between


def edited(path: Path) -> None:
    path.write_text("somebody's\n")


def deleted(path: Path) -> None:
    path.unlink()


def other_mode(path: Path) -> None:
    path.chmod(0o755)


def became_a_link(path: Path) -> None:
    path.rename(path.with_suffix(".real"))
    os.symlink("app.real", path)


def parent_became_a_link(path: Path) -> None:
    path.parent.rename(path.parent.with_name("real"))
    os.symlink("real", path.parent)


def became_a_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def became_a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "between", [edited, deleted, other_mode, became_a_link, parent_became_a_link, became_a_fifo, became_a_directory]
)
def test_a_file_that_is_not_the_one_that_was_proposed_against(
    run: Run, project: Path, between: Callable[[Path], None]
) -> None:
    id = propose(run)
    between(project / "src/app.py")
    answer = said(run, "apply", id, "--yes")
    assert answer["status"] == "denied"
    assert "changed since you approved, propose again" in answer["error"]["message"]
    assert not leftovers(str(project)) and NEW not in {p.read_text() for p in project.rglob("*") if p.is_file()}


def test_an_expired_proposal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    id = propose(run, "src/app.py", NEW, "--ttl", "5")
    later = clock.steady() + 6
    monkeypatch.setattr(clock, "steady", lambda: later)
    answer = said(run, "apply", id, "--yes")
    assert answer["status"] == "denied" and "expired after 5 s" in answer["error"]["message"]
    assert "no proposal waits" in run("proposals")[1]


def test_a_proposal_for_another_path(run: Run, project: Path) -> None:
    id = propose(run)
    answer = said(run, "apply", id, "--yes", "--path", "src/other.py")
    assert answer["status"] == "denied" and "is not `src/other.py`" in answer["error"]["message"]
    assert said(run, "apply", id, "--yes", "--path", "src/app.py")["status"] == "allowed"
    assert (project / "src/app.py").read_text() == NEW


def test_rules_that_came_meanwhile(run: Run, home: Path, project: Path) -> None:
    id = propose(run)
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("version: 1\nwrites: {deny: ['**/app.py']}\n")
    assert said(run, "apply", id, "--yes")["status"] == "denied"
    config.write_text("version: 1\nnonsense\n")
    assert said(run, "apply", id, "--yes")["status"] == "denied"
    assert (project / "src/app.py").read_text() == OLD


def test_a_stored_content_that_was_tampered_with(run: Run, project: Path) -> None:
    id = propose(run)
    Path(proposal_files.root(), f"{id}.new").write_text("evil\n")
    code, _ = run("apply", id, "--yes")
    assert code == 1 and (project / "src/app.py").read_text() == OLD


def test_undo_only_if_nothing_changed_since(run: Run, project: Path) -> None:
    id = propose(run)
    assert run("apply", id, "--yes")[0] == 0
    (project / "src/app.py").write_text(NEW + "# more\n")
    answer = said(run, "undo", id)
    assert answer["status"] == "denied" and "changed since it was applied" in answer["error"]["message"]
    assert (project / "src/app.py").read_text() == NEW + "# more\n"


def test_two_proposals_for_one_file_are_applied_in_order(run: Run, project: Path) -> None:
    """The second was made against what the first replaced: it has to be proposed again."""
    first, second = propose(run, content="x = 1\n"), propose(run, content="y = 2\n")
    assert said(run, "apply", first, second, "--yes")["status"] == "denied"
    assert said(run, "apply", first, "--yes")["status"] == "allowed"
    assert "propose again" in said(run, "apply", second, "--yes")["error"]["message"]
    assert (project / "src/app.py").read_text() == "x = 1\n"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_permissions_are_kept(run: Run, project: Path, mode: int) -> None:
    (project / "src/app.py").chmod(mode)
    id = propose(run)
    assert run("apply", id, "--yes")[0] == 0
    assert stat.S_IMODE((project / "src/app.py").stat().st_mode) == mode
    assert run("undo", id)[0] == 0
    assert stat.S_IMODE((project / "src/app.py").stat().st_mode) == mode


# --- batches and merges


def test_a_batch_is_applied_whole_or_not_at_all(run: Run, project: Path) -> None:
    propose(run, "src/app.py", NEW, "--batch", "both")
    propose(run, "src/other.py", "o = 1\n", "--batch", "both")
    (project / "src/app.py").write_text("edited\n")
    assert run("apply", "--batch", "both", "--yes")[0] == 1
    assert not (project / "src/other.py").exists() and (project / "src/app.py").read_text() == "edited\n"
    (project / "src/app.py").write_text(OLD)
    assert run("apply", "--batch", "both", "--yes")[0] == 0
    assert (project / "src/other.py").read_text() == "o = 1\n" and (project / "src/app.py").read_text() == NEW


def test_a_batch_that_fails_in_its_middle_is_taken_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = proposed(str(project), "src/app.py", NEW.encode()), proposed(str(project), "src/b.py", b"b\n")
    real = proposal_files._swap

    def saved_meanwhile(proposal: proposal_files.Proposal, data: bytes) -> None:
        if proposal.id == second.id:
            (project / "src/b.py").write_text("somebody was faster\n")
        real(proposal, data)

    monkeypatch.setattr(proposal_files, "_swap", saved_meanwhile)
    with pytest.raises(proposal_files.NotApplied, match="exists now"):
        proposal_files.apply([first, second], check=no_objection, by="test")
    assert (project / "src/app.py").read_text() == OLD and (project / "src/b.py").read_text() == "somebody was faster\n"
    assert {p.state for p in proposal_files.everything()} == {"pending"} and not leftovers(str(project))


@pytest.mark.parametrize(
    ("words", "typed", "expected"),
    [
        (("--strategy", "append", "--yes"), "", OLD + "b = 2\n"),
        (("--strategy", "insert", "--line", "0", "--yes"), "", "b = 2\n" + OLD),
        (("--strategy", "insert", "--yes"), "9\nx\n1\n", OLD + "b = 2\n"),
        (("--strategy", "insert", "--yes"), "9\n9\n9\n0\n", OLD),
        (("--strategy", "insert", "--yes"), "\n", OLD),
        (("--strategy", "extend", "--yes"), "", OLD),
        (("--strategy", "insert", "--line", "7", "--yes"), "", OLD),
    ],
)
def test_merging_a_proposal(run: Run, project: Path, words: tuple[str, ...], typed: str, expected: str) -> None:
    id = propose(run, content="b = 2\n")
    run("apply", id, *words, stdin=typed)
    assert (project / "src/app.py").read_text() == expected


def test_the_response_of_a_refusal_names_every_proposal(run: Run, project: Path) -> None:
    ids = [propose(run), propose(run, "src/x.py", "x\n")]
    (project / "src/app.py").write_text("edited\n")
    (project / "src/x.py").write_text("there now\n")
    _, out = run("apply", *ids, "--yes", "--json")
    assert [json.loads(line)["op"]["path"] for line in out.splitlines()] == ["src/app.py", "src/x.py"]


def test_a_proposal_against_a_large_file(run: Run, project: Path) -> None:
    big = project / "src/data.txt"
    big.write_bytes(b"".join(b"line %d of a large file, which is not read whole\n" % i for i in range(300_000)))
    before = big.read_bytes()
    id = propose(run, "src/data.txt", "small\n")
    (record,) = proposal_files.waiting()
    assert "the diff is cut here: 300000 lines are deleted" in record.diff
    assert said(run, "apply", id, "--yes")["status"] == "allowed" and big.read_text() == "small\n"
    assert said(run, "undo", id)["status"] == "allowed" and big.read_bytes() == before


# --- proposals as questions


@pytest.mark.parametrize("decision, state, text", [(Decision.ALLOW, "applied", NEW), (Decision.DENY, "discarded", OLD)])
def test_waiting_for_the_answer(run: Run, project: Path, decision: Decision, state: str, text: str) -> None:
    with somebody(decision, reason="not today") as asked:
        found = said(run, "propose", "src/app.py", "--wait", stdin=NEW)
    assert found["data"]["state"] == state and (project / "src/app.py").read_text() == text
    assert "+def fresh():" in asked[0].diff
    assert found["data"]["said"] == "not today"


def test_pending_shows_what_a_command_has_proposed(run: Run, project: Path) -> None:
    (project / "tests").mkdir()
    (project / "tests/test_app.py").write_text("from src import app\n")
    assert run("pending")[1] == "nothing waits\n"
    id = propose(run)
    code, table = run("pending")
    assert code == 0 and "MODIFY src/app.py" in table and "askfirst apply ID" in table
    whole = run("pending", id[:6])[1]
    assert "+def fresh():" in whole and "tested by tests/test_app.py" in whole
    assert json.loads(run("pending", "--json")[1])["proposal"] == id
    run("discard", id)
    assert run("pending")[1] == "nothing waits\n"
