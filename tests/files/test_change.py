"""NEW, MODIFY, REPLACE; what is deleted; the diff. The scenarios of the safe file write gate stand here by their
numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.files import facts_of_tool
from askfirst.files.change import classify, definitions, deleted_names, unified_diff
from askfirst.files.content import FileState
from askfirst.model import Change, Decision, Write
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Settings, WriteSettings

DEFAULTS = WriteSettings()


def module(functions: int, name: str = "f") -> str:
    """Three lines a function."""
    return "".join(f"def {name}{i}():\n    return {i}\n\n" for i in range(functions))


def looked(old: str | None, new: str, path: str = "/p/state.py", settings: WriteSettings = DEFAULTS) -> Change:
    found = FileState(False) if old is None else FileState(True, old.encode(), len(old), 0o644)
    return classify(path, found, new.encode(), settings)


def decision(project: Path, name: str, content: str, settings: WriteSettings = DEFAULTS) -> tuple[Decision, Change]:
    facts = facts_of_tool(
        "Write", {"file_path": name, "content": content}, project=str(project), cwd=str(project), settings=settings
    )
    verdict = judge(facts, Layers(str(project), home="/home/u", settings=Settings(writes=settings)))
    write = facts[0]
    assert isinstance(write, Write) and write.change is not None
    return verdict.decision, write.change


def test_010_a_new_file_needs_no_approval(project: Path) -> None:
    (project / "src").mkdir()
    found, change = decision(project, "src/new.py", module(90))
    assert (found, change.kind, change.lines, change.deleted, change.added) == (Decision.ALLOW, "NEW", 0, 0, 270)


def test_020_a_small_change_to_a_large_file(project: Path) -> None:
    old = module(67)  # 201 lines
    (project / "state.py").write_text(old)
    lines = old.split("\n")
    lines[10:20] = [f"# {x}" for x in lines[10:20]]
    found, change = decision(project, "state.py", "\n".join(lines))
    assert (found, change.kind) == (Decision.ALLOW, "MODIFY")
    assert change.ratio == pytest.approx(0.05, abs=0.02)


def test_030_a_270_line_module_replaced_by_56_lines(project: Path) -> None:
    (project / "state.py").write_text(module(90))
    found, change = decision(project, "state.py", module(18, "g") + "x = 1\ny = 2\n")
    assert (found, change.kind, change.lines) == (Decision.ASK, "REPLACE", 270)
    assert change.ratio > 0.6 and change.deleted > 170
    assert change.names[:2] == ("def f0", "def f1") and len(change.names) == 90


def test_040_any_change_to_a_small_file(project: Path) -> None:
    (project / "small.py").write_text("a = 1\n" * 50)
    found, change = decision(project, "small.py", "b = 2\n" * 50)
    assert (found, change.kind, change.ratio) == (Decision.ALLOW, "REPLACE", 1.0)


@pytest.mark.parametrize(
    ("lines", "kept", "asks"),
    [(100, 1, False), (101, 1, True), (200, 100, True), (200, 101, False), (101, 51, False), (102, 51, True)],
)
def test_the_limits_are_exact(project: Path, lines: int, kept: int, asks: bool) -> None:
    """More than 100 lines, and at least half of them."""
    (project / "a.txt").write_text("".join(f"{i}\n" for i in range(lines)))
    found, _ = decision(project, "a.txt", "".join(f"{i}\n" for i in range(kept)))
    assert (found == Decision.ASK) is asks


def test_the_limits_are_configurable(project: Path) -> None:
    (project / "a.txt").write_text("".join(f"{i}\n" for i in range(20)))
    assert decision(project, "a.txt", "x\n" * 20)[0] == Decision.ALLOW
    assert decision(project, "a.txt", "x\n" * 20, WriteSettings(replace_lines=10))[0] == Decision.ASK
    (project / "b.txt").write_text("".join(f"{i}\n" for i in range(200)))
    some = "".join(f"{i}\n" for i in range(150))
    assert decision(project, "b.txt", some)[0] == Decision.ALLOW
    assert decision(project, "b.txt", some, WriteSettings(replace_ratio=0.2))[0] == Decision.ASK


def test_the_reason_says_what_is_deleted_and_that_no_mode_may_do_it(project: Path) -> None:
    (project / "state.py").write_text(module(90))
    given = {"file_path": "state.py", "content": "x = 1\n"}
    facts = facts_of_tool("Write", given, project=str(project), cwd=str(project), settings=DEFAULTS)
    reason = judge(facts, Layers(str(project))).reason
    assert (
        "deletes 270 of 270 lines" in reason
        and "DELETED: def f0" in reason
        and "a person must see this in every mode" in reason
    )


def test_appending_much_is_no_replacement() -> None:
    assert looked(module(50), module(50) + module(300, "g")).kind == "MODIFY"


def test_unknown_content_takes_everything_away() -> None:
    change = classify("/p/a.py", FileState(True, module(50).encode(), 1, 0o644), None, DEFAULTS)
    assert (change.kind, change.deleted, change.lines, change.ratio) == ("REPLACE", 150, 150, 1.0)
    assert "def f0" in change.names


def test_line_ends_make_no_difference() -> None:
    unix = module(80)
    change = looked(unix, unix.replace("\n", "\r\n"))
    assert (change.kind, change.deleted, change.added) == ("MODIFY", 0, 0)
    diff = unified_diff("a.py", unix.encode(), unix.replace("\n", "\r\n").encode())
    assert diff == "\\ Line ends change from LF to CRLF\n"
    changed = unified_diff(
        "a.py", unix.replace("\n", "\r\n").encode(), unix.replace("return 3\n", "return 33\n").encode()
    )
    assert [x for x in changed.splitlines() if x[:1] in "+-" and x[:3] not in ("+++", "---")] == [
        "-    return 3",
        "+    return 33",
    ]


def test_binary_files_are_compared_all_the_same() -> None:
    data = bytes(range(256)) * 10
    change = classify("/p/a.bin", FileState(True, data, len(data), 0o644), data[::-1], DEFAULTS)
    assert change.kind == "REPLACE" and change.base != change.new


# --- what is deleted, by name

OLD = """
class State:
    def run(self): ...
    async def stop(self): ...
    class Inner:
        def deep(self): ...

def top(): ...
if True:
    def behind_if(): ...
try:
    import x
except ImportError:
    def fallback(): ...
"""


def test_names_of_functions_and_classes() -> None:
    inner = ["class State.Inner", "def State.Inner.deep"]
    outer = ["def top", "def behind_if", "def fallback"]
    assert list(definitions(OLD) or {}) == ["class State", "def State.run", "def State.stop", *inner, *outer]
    new = "class State:\n    def run(self): ...\ndef top(): ...\n"
    assert deleted_names("a.py", OLD, new) == ("def State.stop", *inner, "def behind_if", "def fallback")


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("a.txt", OLD, "", ()),
        ("a.py", "def (", "", ()),
        ("a.py", "def a(): ...\ndef b(): ...\n", "def a(: broken", ("def b",)),
        ("a.pyi", "def a(): ...\n", "", ("def a",)),
        ("a.py", "def a(): ...\n", "def a(): return 1\n", ()),
        ("a.py", "x = '\0'", "", ()),
        ("a.py", "(" * 5000, "", ()),
    ],
)
def test_names_when_a_text_is_odd(path: str, old: str, new: str, expected: tuple[str, ...]) -> None:
    assert deleted_names(path, old, new) == expected


# --- the diff


def test_070_the_diff_shows_deletions_with_three_lines_of_context() -> None:
    old = "".join(f"line {i}\n" for i in range(20))
    diff = unified_diff("src/a.txt", old.encode(), old.replace("line 10\n", "").encode())
    assert diff == (
        "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -8,7 +8,6 @@\n"
        " line 7\n line 8\n line 9\n-line 10\n line 11\n line 12\n line 13\n"
    )


def test_the_diff_of_a_new_file_comes_from_dev_null() -> None:
    assert unified_diff("a.txt", None, b"x\ny\n") == "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n"


def test_the_end_of_a_file() -> None:
    assert "No newline at end of file" in unified_diff("a", b"x\ny\n", b"x\ny")
    assert unified_diff("a", b"x\n", b"x\n") == ""


@pytest.mark.parametrize("seed", range(12))
def test_patch_can_apply_the_diff(tmp_path: Path, seed: int) -> None:
    """The format is the one that other tools read."""
    import random

    dice = random.Random(seed)
    old = [f"{dice.randrange(30)}\n" for _ in range(dice.randrange(1, 60))]
    new = [x if dice.random() < 0.7 else f"new {dice.randrange(9)}\n" for x in old if dice.random() < 0.9] or ["only\n"]
    (tmp_path / "f").write_text("".join(old))
    diff = unified_diff("f", "".join(old).encode(), "".join(new).encode())
    if diff:
        done = subprocess.run(
            ["git", "apply", "--unsafe-paths", "-p1", "-"], input=diff, text=True, cwd=tmp_path, capture_output=True
        )
        assert done.returncode == 0, done.stderr + diff
    assert (tmp_path / "f").read_text() == "".join(new)


# --- 160: large files

MEASURE = """
import sys
from askfirst.files.big import compare
old, new = sys.argv[1:3]
steps = []
counts = compare(old, new, lambda done, total: steps.append(done))
assert steps == sorted(steps) and len(steps) > 1, "progress goes forward"
# Not ru_maxrss: across exec it keeps the peak of the process that started this one.
with open("/proc/self/status") as status:
    peak = next(int(x.split()[1]) for x in status if x.startswith("VmHWM:")) / 1024
print(counts.lines, counts.deleted, counts.added, len(counts.diff), peak)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_160_a_15_mb_file_in_less_than_50_mb(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    with open(old, "w") as a, open(new, "w") as b:
        for i in range(250_000):
            line = f"line {i} " + "x" * 50 + "\n"
            a.write(line)
            if i % 1000 == 0:
                b.write("inserted\n")
            if i % 5000 != 7:
                b.write(line)
    assert old.stat().st_size > 14_500_000
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(old), str(new)], capture_output=True, text=True, check=True
    )
    lines, deleted, added, shown, megabytes = map(float, done.stdout.split())
    assert (lines, deleted, added) == (250_000, 50, 250)
    assert 0 < shown < 100_000 and megabytes < 50


def test_a_large_file_replaced_by_a_small_one(project: Path) -> None:
    (project / "big.txt").write_text("some line of text\n" * 700_000)
    found, change = decision(project, "big.txt", "small\n")
    assert (found, change.kind, change.lines, change.deleted) == (Decision.ASK, "REPLACE", 700_000, 700_000)


def test_one_endless_line_is_compared_in_pieces(tmp_path: Path) -> None:
    from askfirst.files.big import compare

    path = tmp_path / "one"
    path.write_bytes(b"x" * 2_000_000)
    counts = compare(str(path), b"x" * 2_000_000 + b"y")
    assert counts.deleted <= 1 and counts.added <= 1 and counts.base


def test_large_files_agree_with_small_ones(tmp_path: Path) -> None:
    """Window by window gives the same counts as all at once."""
    import random

    from askfirst.files import big
    from askfirst.files.content import lines_of
    from askfirst.files.lines import changed

    dice = random.Random(11)
    for _ in range(30):
        old = [f"{dice.randrange(10**6)}" for _ in range(200)]
        new = [x for x in old if dice.random() < 0.95]
        new.insert(dice.randrange(len(new)), "one more")
        path = tmp_path / "f"
        path.write_text("\n".join(old) + "\n")
        counts = big.compare(str(path), ("\n".join(new) + "\n").encode())
        hunks = changed(old, new)
        assert (counts.deleted, counts.added) == (
            sum(b - a for a, b, _, _ in hunks),
            sum(d - c for _, _, c, d in hunks),
        )
        assert counts.lines == len(lines_of(path.read_text()))
