"""The audit log's chain: many writers, torn tails, rotation, and every way to tamper with it."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from askfirst import audit
from askfirst.audit.anchor import anchor
from askfirst.audit.read import Tail, log_paths, read_backwards, read_records
from askfirst.audit.upkeep import remove_older, repair
from askfirst.audit.verify import verify_chain
from askfirst.errors import StoreError
from askfirst.store import paths
from tests.disks import fill


def write(count: int, *, text: str = "git status") -> list[str]:
    return [audit.append("verdict", {"text": f"{text} {i}", "decision": "allow"}, durable=False) for i in range(count)]


def current() -> Path:
    return Path(audit.directory()) / audit.CURRENT


def test_an_empty_log_is_good() -> None:
    report = verify_chain()
    assert report.good and report.records == 0 and audit.head() == (0, audit.ZERO)


def test_records_follow_each_other_and_the_head_is_the_last_hash() -> None:
    heads = write(5)
    report = verify_chain()
    assert report.good and report.records == 5 and report.head == heads[-1] and audit.head() == (5, heads[-1])
    assert [r["seq"] for r in read_records()] == [1, 2, 3, 4, 5]
    assert current().stat().st_mode & 0o777 == 0o600


def test_a_record_cannot_set_its_own_number_or_hash() -> None:
    audit.append("verdict", {"seq": 99, "prev_hash": "f" * 64, "kind": "answer", "event_hash": "x"}, durable=True)
    (record,) = read_records()
    assert record["seq"] == 1 and record["prev_hash"] == audit.ZERO and record["kind"] == "verdict"


def test_rotation_goes_on_from_the_last_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ROTATE_BYTES", 2000)
    heads = write(40)
    assert len(log_paths()) > 3
    report = verify_chain()
    assert report.good and report.records == 40 and report.head == heads[-1]


def test_a_reader_sees_one_moment_while_others_write_and_rotate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ROTATE_BYTES", 2000)
    write(10)
    walking = read_records()
    seen = [next(walking)["seq"]]
    write(60)  # rotates the file that is being read, more than once
    seen += [r["seq"] for r in walking]
    assert seen == list(range(1, 11))
    assert [r["seq"] for r in read_backwards()] == list(range(70, 0, -1))


def test_a_tail_gives_every_record_once_over_rotations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ROTATE_BYTES", 2000)
    write(5)
    tail = Tail(3)
    seen = [r["seq"] for r in tail.look()]
    for _ in range(12):
        write(4)
        seen += [r["seq"] for r in tail.look()]
    assert seen == list(range(4, 54)) and tail.look() == []


def test_a_copy_that_cannot_be_written_is_verified_too(tmp_path: Path) -> None:
    write(3)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / audit.CURRENT).write_bytes(current().read_bytes())
    copy.chmod(0o500)
    try:
        assert verify_chain(str(copy)).records == 3
    finally:
        copy.chmod(0o700)


def test_a_missing_segment_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ROTATE_BYTES", 2000)
    write(40)
    os.unlink(log_paths()[1])
    assert any("does not follow" in p.what for p in verify_chain().problems)


def test_a_torn_tail_is_sealed_and_named() -> None:
    write(3)
    with current().open("ab") as file:
        file.write(b'{"seq":4,"time":1')
    assert not verify_chain().good
    write(1)
    report = verify_chain()
    assert report.good and report.sealed == 1 and report.records == 5  # three, the seal, one


def test_a_torn_line_that_was_changed_after_the_seal_is_found() -> None:
    write(2)
    with current().open("ab") as file:
        file.write(b'{"seq":3,"ti')
    write(1)
    data = current().read_bytes()
    current().write_bytes(data.replace(b'{"seq":3,"ti\n', b'{"seq":3,"tx\n'))
    assert not verify_chain().good


def test_truncation_is_found_only_with_an_expected_head() -> None:
    heads = write(6)
    lines = current().read_bytes().splitlines(keepends=True)
    current().write_bytes(b"".join(lines[:4]))
    assert verify_chain().good
    report = verify_chain(expect_head=heads[-1])
    assert not report.good and "cut off" in report.problems[-1].what
    assert verify_chain(expect_head=heads[3]).good
    assert verify_chain(expect_head=heads[3][:12]).good


def mutate(lines: list[bytes], how: str, choose: random.Random) -> list[bytes]:
    at = choose.randrange(
        len(lines) - 1
    )  # the last record is not touched: cutting the end off is what an anchor is for
    line = lines[at]
    if how == "flip":
        place = choose.randrange(len(line) - 1)
        changed = line[:place] + bytes([line[place] ^ (1 << choose.randrange(7))]) + line[place + 1 :]
        return [*lines[:at], changed, *lines[at + 1 :]]
    if how == "delete":
        return [*lines[:at], *lines[at + 1 :]]
    if how == "swap":
        return [*lines[:at], lines[at + 1], line, *lines[at + 2 :]]
    if how == "insert":
        return [*lines[:at], line, *lines[at:]]
    if how == "forge":
        forged = line.replace(b'"decision":"allow"', b'"decision":"deny"')
        return [*lines, forged]
    raise AssertionError(how)


def check_mutations(count: int, seed: int) -> None:
    write(30)
    lines = current().read_bytes().splitlines(keepends=True)
    choose = random.Random(seed)
    for _ in range(count):
        how = choose.choice(("flip", "delete", "swap", "insert", "forge"))
        changed = mutate(lines, how, choose)
        current().write_bytes(b"".join(changed))
        assert not verify_chain().good, how


def test_every_mutation_is_found() -> None:
    check_mutations(2000, seed=1)


@pytest.mark.soak
def test_every_mutation_is_found_over_and_over() -> None:
    check_mutations(100_000, seed=2)


def test_one_change_is_one_problem_and_the_rest_still_counts() -> None:
    write(10)
    current().write_bytes(current().read_bytes().replace(b"git status 4", b"git status X"))
    report = verify_chain()
    assert len(report.problems) == 1 and report.records == 9 and "record 5 was changed" in report.problems[0].what
    assert report.spans == ((1, 4), (6, 10))


def test_a_line_that_is_no_record_is_not_called_one() -> None:
    *_, head = write(2)
    with current().open("ab") as file:
        file.write(b'{"bad": 1}\n')
    report = verify_chain()
    assert (report.records, report.last, report.head) == (2, 2, head)
    assert [p.what for p in report.problems] == ["this line is not a record"]


def test_the_head_goes_to_the_system_log_at_most_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr("syslog.syslog", lambda level, text: sent.append(text))
    (head,) = write(1)
    assert not anchor(head, enabled=False, now=1000.0)
    assert [anchor(head, enabled=True, now=at) for at in (1000.0, 1030.0, 1061.0)] == [True, False, True]
    assert len(sent) == 2 and f"audit head {head}" in sent[0]


WRITER = """
import sys
from askfirst import audit
for i in range(int(sys.argv[1])):
    head = audit.append("verdict", {"text": f"{sys.argv[2]} {i}"}, durable=False)
    print(i, head, flush=True)
"""


def check_kills(kills: int, writers: int, seed: int) -> None:
    """Writers are killed at random moments; what they had reported as written is in the log, and the chain holds."""
    choose = random.Random(seed)
    acknowledged: set[str] = set()
    done = 0
    while done < kills:
        running = [
            subprocess.Popen(
                [sys.executable, "-I", "-c", WRITER, "1000000", f"w{n}"], stdout=subprocess.PIPE, text=True
            )
            for n in range(writers)
        ]
        for process in running:
            assert process.stdout is not None
            for _ in range(choose.randrange(1, 40)):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            done += 1
        for process in running:
            assert process.stdout is not None
            acknowledged |= {
                line.split()[1]
                for line in process.stdout.read().splitlines()
                if len(line.split()) == 2 and len(line.split()[1]) == 64
            }
            process.wait()
    audit.append("verdict", {"text": "after"}, durable=True)
    report = verify_chain()
    assert report.good, report.problems[:3]
    written = {r["event_hash"] for r in read_records()}
    assert acknowledged and acknowledged <= written


def test_killed_writers_lose_nothing_they_acknowledged() -> None:
    check_kills(204, writers=12, seed=3)


@pytest.mark.soak
def test_killed_writers_lose_nothing_ten_thousand_times() -> None:
    check_kills(10_000, writers=12, seed=4)


def test_forty_parallel_writers_make_one_chain() -> None:
    running = [
        subprocess.Popen([sys.executable, "-I", "-c", WRITER, "5", f"w{n}"], stdout=subprocess.DEVNULL)
        for n in range(40)
    ]
    assert [p.wait() for p in running] == [0] * 40
    report = verify_chain()
    assert report.good and report.records == 200


def test_a_full_disk_is_an_error_and_leaves_the_log_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    write(3)
    before = current().read_bytes()
    real = os.write

    def half(handle: int, data: bytes) -> int:
        return real(handle, data[: len(data) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        with pytest.raises(StoreError, match="no space left"):
            write(1)
    assert current().read_bytes() == before


@pytest.mark.parametrize("name", ["fdatasync", "close"])
def test_a_record_that_could_not_be_stored_is_taken_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its call is denied, so the log must not say that it was allowed."""
    write(3)
    before = current().read_bytes()
    real = getattr(os, name)

    def failing(handle: int) -> None:
        is_log = os.path.samestat(os.fstat(handle), os.stat(current()))
        if name == "close":
            real(handle)
        if is_log:
            raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, name, failing)
        with pytest.raises(StoreError, match="Input/output error"):
            audit.append("verdict", {"text": "git status", "decision": "allow"}, durable=True)
    assert current().read_bytes() == before and write(1) and verify_chain().good


def test_a_lock_that_cannot_be_closed_undoes_nothing_and_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    write(1)
    place = os.stat(Path(audit.directory()) / "lock")
    real = os.close

    def failing(handle: int) -> None:
        if os.path.samestat(os.fstat(handle), place):
            raise OSError(errno.EIO, "Input/output error")
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "close", failing)
        write(2)
    assert verify_chain().records == 3


def test_a_log_that_is_not_ours_is_refused(home: Path) -> None:
    audit.directory()
    current().symlink_to("/dev/null")
    with pytest.raises(StoreError):
        write(1)


def test_a_damaged_last_line_stops_new_records_with_the_way_out() -> None:
    write(2)
    with current().open("ab") as file:
        file.write(b"hello\n")
    with pytest.raises(StoreError, match="audit repair"):
        write(1)


DAMAGED = {
    "a line of text": b"hello\n",
    "JSON that is no record": b'{"a": 1}\n',
    "a record that was changed": None,
    "several lines": b"hello\n\x00\x00\n{}\nworld\n",
    "several lines, the last torn": b'hello\n{"a": 1}\n{"seq"',
    "empty lines": b"\n\n",
}


@pytest.mark.parametrize("damage", DAMAGED)
@pytest.mark.parametrize("segments", [False, True])
def test_a_damaged_end_is_sealed_by_a_person_and_the_log_goes_on(
    damage: str, segments: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(3)
    if segments:  # the damage is all that the current file holds
        monkeypatch.setattr(audit, "ROTATE_BYTES", 1)
        write(1)
        current().unlink()
    bad = DAMAGED[damage]
    with current().open("ab") as file:
        file.write(b'{"seq":4,"x":1}\n' if bad is None else bad)
    if not (damage.endswith("torn") and not segments):
        with pytest.raises(StoreError):
            write(1)
    assert not verify_chain().good
    done = repair("ada")
    assert done is not None and done.after == 3
    write(2)
    report = verify_chain()
    assert report.good and report.repaired == 1 and report.records == 6, report.problems
    assert repair("ada") is None
    (record,) = (r for r in read_records() if r.get("kind") == "sealed")
    assert record["by"] == "ada"


def test_what_was_sealed_by_a_repair_cannot_be_changed_afterwards() -> None:
    write(2)
    with current().open("ab") as file:
        file.write(b"hello\nworld\n")
    repair("ada")
    current().write_bytes(current().read_bytes().replace(b"world", b"w0rld"))
    assert not verify_chain().good


@pytest.mark.parametrize("size", [10, 200_000, 400_000])
@pytest.mark.parametrize("segments", [False, True])
def test_zeros_at_the_end_do_not_hide_the_last_record(
    size: int, segments: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that loses power may leave any number of them; the chain went on from the segment before."""
    if segments:
        with monkeypatch.context() as patch:
            patch.setattr(audit, "ROTATE_BYTES", 1)
            write(2)
    heads = write(3)
    last = audit.head()
    with current().open("ab") as file:
        file.write(b"\0" * size)
    assert audit.head() == last and last[1] == heads[-1]
    write(1)
    report = verify_chain()
    assert report.good and report.sealed == 1 and report.last == last[0] + 2


def test_old_records_are_removed_and_the_chain_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    day = 86400.0
    now = 1_800_000_000.0
    for age in (500, 450, 410, 390, 100, 20, 1):
        monkeypatch.setattr("time.time", lambda age=age: now - age * day)
        write(2)
        remove_older(400 * day)
    report = verify_chain()
    assert report.good and report.first > 1 and report.removed == report.first - 1, report.problems
    assert all(r["time"] > now - 431 * day for r in read_records())
    assert sum(r.get("text") == "git status 1" for r in read_records()) >= 4
    os.unlink(log_paths()[0])
    assert not verify_chain().good


def test_a_log_of_which_every_record_was_old_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a long holiday the record of what was removed is the first that is left."""
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0)
    write(3)
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0 + 100 * 86400.0)
    assert remove_older(30 * 86400.0) == 3
    report = verify_chain()
    assert report.good and (report.first, report.removed) == (4, 3), report.problems
    write(1)
    assert verify_chain().good


def test_a_reserve_keeps_the_log_going_on_a_full_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(small_disk))
    write(1)
    fill(small_disk)
    before = audit.head()[0]
    with pytest.raises(OSError):
        (small_disk / "more").write_bytes(b"x" * 8192)
    with pytest.raises(StoreError, match="[Nn]o space left"):
        for _ in range(100_000):
            write(1, text="x" * 600)
    written = audit.head()[0] - before
    assert written > 500 and verify_chain().good
    (small_disk / "filler").unlink()
    write(1)
    assert verify_chain().good


def test_the_state_directory_must_be_private_and_ours(home: Path, tmp_path: Path) -> None:
    base = Path(paths.state_dir())
    base.parent.mkdir(parents=True)
    base.symlink_to(tmp_path)
    with pytest.raises(StoreError, match="symbolic link"):
        write(1)
