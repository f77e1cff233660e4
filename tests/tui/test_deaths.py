"""However the dialog ends, the terminal is as it was, and nothing was approved."""

from __future__ import annotations

import os
import select
import signal
import termios
from pathlib import Path
from typing import Any

import pytest

from askfirst.tui.terminal import Terminal
from tests.tui.driver import Person
from tests.tui.questions import question


def raw(person: Person) -> None:
    """The dialog is on screen and the terminal is in its mode."""
    person.sees("○ not ready")
    person.rounds()
    assert not person.restored()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT, signal.SIGKILL])
def test_a_signal_to_the_drawing_process(tmp_path: Path, number: int) -> None:
    with Person(tmp_path, question()) as person:
        raw(person)
        os.kill(person.drawing_pid(), number)
        assert person.ended() == 128 + number
        person.until(person.restored, "the terminal to be restored")
        assert person.answers() == []
        if number == signal.SIGKILL:
            assert "nothing was approved" in person.screen.history()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL])
def test_a_signal_to_the_guardian(tmp_path: Path, number: int) -> None:
    with Person(tmp_path, question()) as person:
        raw(person)
        os.kill(person.guardian_pid(), number)
        assert person.ended() == 128 + number
        person.until(person.restored, "the terminal to be restored")
        assert person.answers() == []


def test_ctrl_c(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        raw(person)
        os.write(person.master, b"\x03")
        assert person.ended() == 130
        assert person.restored() and person.answers() == []


def test_an_exception(tmp_path: Path) -> None:
    with Person(tmp_path, question(), how="raise") as person:
        person.press("s")
        assert person.ended() == 1
        assert person.restored()
        assert "broken on purpose" in person.screen.history() and "Traceback" not in person.screen.history()


def test_the_terminal_goes_away(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        raw(person)
        os.close(person.slave)
        os.close(person.master)
        person.master = -1
        person.slave = os.open("/dev/null", os.O_RDONLY)
        assert person.ended() in (1, 128 + signal.SIGHUP, -signal.SIGHUP)
        assert person.answers() == []


def test_what_was_typed_into_the_dialog_does_not_reach_the_shell(tmp_path: Path) -> None:
    with Person(tmp_path, question()) as person:
        raw(person)
        for pid in (person.guardian_pid(), person.drawing_pid()):
            os.kill(pid, signal.SIGSTOP)  # so that the keys stay unread
        os.write(person.master, b"rm -rf /\n")
        os.kill(person.drawing_pid(), signal.SIGKILL)
        os.kill(person.guardian_pid(), signal.SIGCONT)
        person.ended()
        os.set_blocking(person.slave, False)
        with pytest.raises(BlockingIOError):
            os.read(person.slave, 100)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
@pytest.mark.parametrize("how", ["SIGSTOP", "Ctrl-Z"])
def test_a_stop_gives_the_terminal_back_and_starts_from_zero(tmp_path: Path, how: str) -> None:
    with Person(tmp_path, question()) as person:
        raw(person)
        person.later(1.4)
        person.ready()
        drawn = len(person.screen.raw)
        if how == "SIGSTOP":
            os.kill(person.drawing_pid(), signal.SIGSTOP)
        else:
            os.write(person.master, b"\x1a")
        person.until(person.restored, "the terminal to be given back")
        person.until(lambda: _is_stopped(person.guardian_pid()) and _is_stopped(person.drawing_pid()), "both to stop")
        os.write(person.master, b"s")  # typed meanwhile, at whatever is in front now
        os.killpg(os.getpgid(person.guardian_pid()), signal.SIGCONT)  # `fg`
        person.until(lambda: "○ not ready" in person.screen.raw[drawn:], "the readiness from zero")
        person.rounds()
        assert not person.restored()
        person.later(0.8)
        person.sees("○ not ready")
        assert person.answers() == []
        person.press("s")
        assert len(person.answered(1)) == 1


def test_a_key_that_is_flushed_before_it_is_read_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key typed as the dialog is continued: it can be read, the mode changes and drops it, a read would block."""
    master, slave = os.openpty()
    real = select.select

    def flushed(reading: list[int], *_: Any) -> Any:
        ready = real(reading, [], [], 60.0)
        termios.tcflush(slave, termios.TCIFLUSH)
        return ready

    monkeypatch.setattr("askfirst.tui.terminal.select.select", flushed)
    old = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("the read waits for a key"))
    signal.alarm(120)
    try:
        with Terminal(slave, slave) as terminal:
            os.write(master, b"s")
            assert terminal.read(0.0) == b""
        assert os.get_blocking(slave), "the shell's own input is left as it was"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
        os.close(master)
        os.close(slave)


def _is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
