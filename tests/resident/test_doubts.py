"""Whatever is odd ends in the cold hook or a deny: one answer, one record, never an allow for what nobody allows."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from askfirst.audit.verify import verify_chain
from askfirst.box import runs
from askfirst.resident import protocol, start
from askfirst.resident import socket_place as places
from askfirst.resident.thin import Exchange
from askfirst.store import alerts
from tests.disks import fill, mounted
from tests.hook.process import Result, event
from tests.needs import needs
from tests.resident.warm import COLD, Warm, called, verdicts, warm_process
from tests.waiting import until

UNKNOWN = "some-unknown-program"


@pytest.fixture
def nobody(client: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warm]:
    """A place where no process is yet."""
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    with warm_process(client, idle_s=0.0) as found:
        yield found


def bash(command: str, project: Path, **more: Any) -> dict[str, Any]:
    return event(cwd=project, command=command, **more)


def is_right(found: Result, command: str) -> bool:
    """One answer, and the strict one where nobody allows the command."""
    return found.decision == ("deny" if command == UNKNOWN else "allow")


# -- the process ------------------------------------------------------------------------------------------------------


def test_a_cold_call_starts_it_and_does_not_wait(nobody: Warm, project: Path) -> None:
    assert is_right(nobody.call(bash("ls", project), cwd=project), "ls")
    until(lambda: start.ask(nobody.place, protocol.STATUS), "the warm process")
    assert is_right(nobody.call(bash("ls", project), cwd=project), "ls")
    assert nobody.answered == 1 and len(verdicts()) == 2
    environ = Path(f"/proc/{nobody.pid}/environ").read_bytes()
    assert b"XDG_STATE_HOME" not in environ  # nothing of the call that started it stays in it


@pytest.mark.parametrize("number", [60])
def test_many_at_once_start_one_process(number: int, nobody: Warm, project: Path) -> None:
    for turn in range(2):
        with ThreadPoolExecutor(number) as pool:
            found = list(
                pool.map(
                    lambda n: nobody.call(bash((UNKNOWN, "ls")[n % 2], project, session=f"s{n}"), cwd=project),
                    range(number),
                )
            )
        assert all(is_right(f, (UNKNOWN, "ls")[n % 2]) for n, f in enumerate(found))
        assert len(verdicts()) == number * (turn + 1)
        until(lambda: start.ask(nobody.place, protocol.STATUS), "the warm process")
    ours = [
        pid
        for pid in filter(str.isdigit, os.listdir("/proc"))
        if nobody.place.encode() in _words(pid) and b"resident" in _words(pid)
    ]
    assert ours == [str(nobody.pid)] and verify_chain().good


def _words(pid: str) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def test_a_stopped_process(warm: Warm, project: Path) -> None:
    pid = warm.pid
    os.kill(pid, signal.SIGSTOP)
    for command in ("ls", UNKNOWN):
        assert is_right(warm.call(bash(command, project), cwd=project), command)
    os.kill(pid, signal.SIGCONT)
    assert is_right(warm.call(bash("ls", project), cwd=project), "ls")
    assert [r["decision"] for r in verdicts()] == ["allow", "deny", "allow"]


def test_killed_and_started_anew(warm: Warm, project: Path) -> None:
    for _ in range(3):
        os.kill(warm.pid, signal.SIGKILL)
        assert start.wait_until_gone(warm.place, 20)
        assert is_right(warm.call(bash("ls", project), cwd=project), "ls")
        Path(places.lock_path(warm.place)).write_bytes(b"")  # as if some seconds had passed
        assert is_right(warm.call(bash(UNKNOWN, project), cwd=project), UNKNOWN)
        until(lambda: start.ask(warm.place, protocol.STATUS), "the warm process")
    assert len(verdicts()) == 6


def test_it_ends_when_nobody_calls(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    with warm_process(client, idle_s=0.5) as found:
        assert start.wait_until_gone(found.place, 30)
        assert not os.path.exists(places.socket_path(found.place))


@pytest.mark.parametrize("is_replaced", [False, True])
def test_it_ends_when_its_name_leads_elsewhere(is_replaced: bool, warm: Warm) -> None:
    """Or a call would find neither it nor, because of its lock, another. What has taken its name stays."""
    path = places.socket_path(warm.place)
    with socket.socket(socket.AF_UNIX) as open_line:
        open_line.connect(path)  # it looks every second while somebody is there, else every ten
        os.unlink(path)
        if is_replaced:
            Path(path).write_text("another's")
        assert start.wait_until_gone(warm.place, 30) and os.path.exists(path) == is_replaced


def test_stop_also_when_it_does_not_answer(warm: Warm) -> None:
    os.kill(warm.pid, signal.SIGSTOP)
    assert start.stop(warm.place) and not start.stop(warm.place)


def test_it_ends_when_the_package_changes(client: str, tmp_path: Path, project: Path) -> None:
    """A copy of the package, upgraded under the process that runs it."""
    import askfirst

    copy = tmp_path / "lib/askfirst"
    shutil.copytree(Path(askfirst.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    place = Path(tempfile.mkdtemp(prefix="af-", dir="/tmp"))
    command = [sys.executable, "-I", "-S", str(copy / "launch.py"), "resident", "run", "--place", str(place)]
    process = subprocess.Popen(command, cwd="/")
    try:
        until(lambda: [n for n in os.listdir(place) if n.endswith(".sock")], "the socket")
        with (copy / "model.py").open("a") as file:
            file.write("\n# another version\n")
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(place)


def test_memory_and_descriptors(warm: Warm, project: Path) -> None:
    grows(warm, project, calls=600)


@pytest.mark.soak
def test_memory_and_descriptors_over_ten_thousand_calls(warm: Warm, project: Path) -> None:
    grows(warm, project, calls=10_000)


def grows(warm: Warm, project: Path, *, calls: int) -> None:
    """No growth over 5 % once it has seen a few calls; each is another command."""

    def some(first: int, last: int) -> None:
        for number in range(first, last):
            command = f"git log --oneline -n {number} | head -{number % 7} > out-{number}.txt; echo 'a {number}'"
            words = ["hook"]
            asked = Exchange(warm.place, os.urandom(16))
            os.chdir(project)
            assert asked.ask(words[1:], json.dumps(bash(command, project, session=f"s{number % 50}")).encode())

    back = os.getcwd()
    try:
        some(0, calls // 3)
        before = resident_kib(warm.pid), len(os.listdir(f"/proc/{warm.pid}/fd"))
        some(calls // 3, calls)
    finally:
        os.chdir(back)
    after = resident_kib(warm.pid)
    assert after <= before[0] * 1.05, (before, after)
    # The line of the last call is closed when its client is seen to be gone.
    until(lambda: len(os.listdir(f"/proc/{warm.pid}/fd")) <= before[1], f"no more than {before[1]} descriptors")


def resident_kib(pid: int) -> int:
    return int(
        next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmRSS" in line).split()[1]
    )


# -- the place --------------------------------------------------------------------------------------------------------


def spoiled_link(place: Path) -> None:
    shutil.move(place, f"{place}-moved")
    place.symlink_to(f"{place}-moved")


def spoiled_socket(place: Path) -> None:
    socket_path = Path(places.socket_path(str(place)))
    socket_path.unlink()
    socket_path.write_text("")


SPOILED: dict[str, Callable[[Path], None]] = {
    "the place is a link": spoiled_link,
    "others may enter it": lambda place: place.chmod(0o755),
    "it belongs to somebody else": lambda place: os.chown(place, 65534, 65534),
    "it is missing": lambda place: shutil.rmtree(place),
    "the socket is a file": spoiled_socket,
}


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_place_that_is_not_ours_alone(spoil: str, warm: Warm, project: Path) -> None:
    pid = warm.pid
    try:
        SPOILED[spoil](Path(warm.place))
        for command in ("ls", UNKNOWN):
            assert is_right(warm.call(bash(command, project), cwd=project), command)
        assert len(verdicts()) == 2
    finally:
        os.kill(pid, signal.SIGKILL)
        if os.path.islink(warm.place):
            os.unlink(warm.place)
            shutil.rmtree(f"{warm.place}-moved")


def test_another_user_is_not_answered(warm: Warm, project: Path) -> None:
    """Even one who gets to the socket."""
    os.chmod(warm.place, 0o755)
    os.chmod(places.socket_path(warm.place), 0o777)
    code = (
        "import os, socket, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(b'AFQ1'); print(s.recv(10))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, places.socket_path(warm.place)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() in ("b''", "") and warm.status["calls"] == 0, done.stderr


def test_a_path_that_is_too_long_for_a_socket(client: str, project: Path, tmp_path: Path) -> None:
    place = tmp_path / ("x" * 120)
    place.mkdir(mode=0o700)
    found = called([client, "--place", str(place), "hook"], bash("ls", project), cwd=project)
    assert is_right(found, "ls") and os.listdir(place) == []


def test_a_full_disk_below_the_socket(
    client: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")
    with warm_process(client, idle_s=0.0) as found:
        shutil.rmtree(found.place)
        with mounted(Path(found.place), size="64k") as place:
            found.start()
            fill(place)
            for command in ("ls", UNKNOWN):
                assert is_right(found.call(bash(command, project), cwd=project), command)
            assert found.answered == 2 and len(verdicts()) == 2
            found.stop()


# -- what a false process may say -------------------------------------------------------------------------------------


@contextmanager
def impostor(place: str, behave: Callable[[socket.socket, bytes], None]) -> Iterator[None]:
    """Sits on the socket's place, with the right user and the right Python, and does not take the token."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(places.socket_path(place))
    listener.listen(8)
    listener.settimeout(0.2)
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            try:
                line, _ = listener.accept()
            except OSError:
                continue
            with line:
                line.settimeout(5)
                read = bytearray()
                try:
                    while not read or len(read) < protocol.size_of(read, protocol.REQUEST, 1 << 30):
                        read += line.recv(1 << 16)
                    behave(line, protocol.call_in(bytes(read)).key)
                except OSError:
                    continue

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        listener.close()


ALLOW = b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}\n'


def reply(key: bytes, **more: Any) -> bytes:
    return protocol.Answered(key, **{"stdout": ALLOW, **more}).packed()


MALFORMED: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda key: b"",
    "one byte": lambda key: b"A",
    "another protocol": lambda key: b"HTTP/1.1 200 OK\r\n\r\n{}\n",
    "cut off": lambda key: reply(key)[:-3],
    "cut off in the header": lambda key: reply(key)[:6],
    "more behind it": lambda key: reply(key) + b"x",
    "to another call": lambda key: reply(bytes(16)),
    "no kind": lambda key: reply(key, kind=b""),
    "another kind": lambda key: reply(key, kind=b"maybe!"),
    "exit code 1": lambda key: reply(key, exit_code=1),
    "half an object": lambda key: reply(key, stdout=ALLOW[:-3]),
    "plain text": lambda key: reply(key, stdout=b"allow\n"),
    "two lines before it": lambda key: reply(key, stdout=b"\n" + ALLOW),
    "a length of 4 GiB": lambda key: b"AFR1\xff\xff\xff\xff" + reply(key)[8:],
    "a part longer than all": lambda key: reply(key)[:8] + b"\xff\xff\xff\xff" + reply(key)[12:],
    "a part is missing": lambda key: protocol._packed(protocol.REPLY, key, b"answer", b"\0", ALLOW),
    "a part too many": lambda key: protocol._packed(protocol.REPLY, key, b"answer", b"\0", ALLOW, b"", b""),
}


@pytest.mark.parametrize("how", ["compiled", "in Python"])
def test_replies_that_are_none(how: str, nobody: Warm, project: Path) -> None:
    for name, made in MALFORMED.items():
        with impostor(nobody.place, lambda line, key, made=made: line.sendall(made(key))):  # type: ignore[misc]
            if how == "compiled":
                found = called(nobody.words, bash(UNKNOWN, project), cwd=project)
                assert is_right(found, UNKNOWN), name
            else:
                asked = Exchange(nobody.place, os.urandom(16))
                assert asked.ask([], json.dumps(bash(UNKNOWN, project)).encode()) is None and asked.how == [], name
        os.unlink(places.socket_path(nobody.place))


def test_a_reply_in_drops_and_one_that_never_ends(nobody: Warm, project: Path) -> None:
    def in_drops(line: socket.socket, key: bytes) -> None:
        deny = ALLOW.replace(b"allow", b"deny")
        for byte in reply(key, stdout=deny):
            line.sendall(bytes([byte]))

    with impostor(nobody.place, in_drops):
        assert nobody.call(bash("ls", project), cwd=project).decision == "deny" and verdicts() == []
    os.unlink(places.socket_path(nobody.place))

    def for_ever(line: socket.socket, key: bytes) -> None:
        line.sendall(reply(key)[:20])
        time.sleep(3)

    with impostor(nobody.place, for_ever):
        assert is_right(nobody.call(bash(UNKNOWN, project), cwd=project), UNKNOWN)


def test_another_program_on_the_socket_is_not_asked(nobody: Warm, project: Path) -> None:
    """The uid is right, the executable is not."""
    python = shutil.which("perl")
    if python is None:
        pytest.skip("perl is not installed (Debian: apt-get install perl)")
    code = (
        "use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])); listen(S, 5);"
        "$| = 1; print qq(ready\\n); while (accept(C, S)) { print qq(asked\\n); while (sysread(C, $b, 65536)) {"
        " print qq(told\\n) } }"
    )
    process = subprocess.Popen(
        ["perl", "-e", code, places.socket_path(nobody.place)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        assert is_right(nobody.call(bash(UNKNOWN, project), cwd=project), UNKNOWN)
    finally:
        process.kill()
        assert "told" not in process.communicate()[0]


def test_another_version(warm: Warm, project: Path) -> None:
    """A client of another build finds no socket; one that asks this one all the same is sent to the cold hook."""
    key = os.urandom(16)
    line = socket.socket(socket.AF_UNIX)
    line.connect(places.socket_path(warm.place))
    line.sendall(protocol.HookCall(b"0.0.1-0", key, protocol.HOOK, input=b"{}").packed())
    data = b""
    while chunk := line.recv(1 << 16):
        data += chunk
    line.close()
    assert protocol.answer_in(data, key).kind == protocol.COLD


# -- what clients may send --------------------------------------------------------------------------------------------


def test_clients_that_are_slow_or_send_nonsense(warm: Warm, project: Path) -> None:
    path = places.socket_path(warm.place)
    good = protocol.HookCall(places.build().encode(), os.urandom(16), protocol.HOOK, cwd=b"/", input=b"{}").packed()
    lines = []
    for start_of in (
        b"",
        b"A",
        b"AFQ1",
        good[:10],
        good[:-1],
        b"AFQ1\xff\xff\xff\xff",
        b"GET / HTTP/1.1\r\n",
        good + b"x",
    ):
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        line.sendall(start_of)
        lines.append(line)
    for command in ("ls", UNKNOWN):
        assert is_right(warm.call(bash(command, project), cwd=project), command)
    assert warm.answered == 2
    for line in lines:
        line.close()


def test_descriptors_that_nobody_wants_are_closed(warm: Warm) -> None:
    before = len(os.listdir(f"/proc/{warm.pid}/fd"))
    pid = warm.pid
    for count in (1, 2, 50):
        line = socket.socket(socket.AF_UNIX)
        line.connect(places.socket_path(warm.place))
        socket.send_fds(line, [b"AFQ1"], [0] * count)
        line.close()
    until(lambda: len(os.listdir(f"/proc/{pid}/fd")) <= before, "the descriptors to be closed")


def test_random_requests(warm: Warm, project: Path) -> None:
    import random

    rng = random.Random(7)
    good = protocol.HookCall(
        places.build().encode(), bytes(16), protocol.HOOK, cwd=b"/", words=(b"hook",), environ=(b"A=B",), input=b"{}"
    ).packed()
    for _ in range(300):
        data = bytearray(good)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(places.socket_path(warm.place))
            line.settimeout(5)
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            try:
                said = line.recv(1 << 16)
            except OSError:
                said = b""
        assert b"allow" not in said
    assert is_right(warm.call(bash("ls", project), cwd=project), "ls")


def test_input_that_is_too_long_goes_the_cold_way(warm: Warm, project: Path) -> None:
    found = warm.call(bash("echo " + "x" * (17 << 20), project), cwd=project)
    assert found.decision == "deny" and "larger than" in found.reason
    long = warm.call(bash("echo " + "x" * 300_000, project), cwd=project)
    cold = called(COLD, bash("echo " + "x" * 300_000, project), cwd=project)
    assert long.stdout == cold.stdout


def test_a_long_input_for_the_cold_hook_arrives_whole(nobody: Warm, project: Path) -> None:
    sent = bash("echo " + "x" * 1_000_000, project)
    assert nobody.call(sent, cwd=project).stdout == called(COLD, sent, cwd=project).stdout


def test_a_closed_stdout_is_exit_code_2(warm: Warm, project: Path) -> None:
    raw = json.dumps(bash("ls", project)).encode()
    for redirection in (">&-", ">/dev/full"):
        done = subprocess.run(
            ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *warm.words], input=raw, cwd=project, capture_output=True
        )
        assert done.returncode == 2, redirection


# -- a reply that was lost --------------------------------------------------------------------------------------------


def lost_call(warm: Warm, value: dict[str, Any], project: Path) -> tuple[Exchange, bytes]:
    """The process judges the call, and nobody reads its reply."""
    raw = json.dumps(value).encode()
    asked = Exchange(warm.place, os.urandom(16))
    os.chdir(project)
    token = protocol.token_pipe()
    line = socket.socket(socket.AF_UNIX)
    line.connect(places.socket_path(warm.place))
    socket.send_fds(line, [asked._call([], raw)], [token])
    until(lambda: verdicts(), "the record")
    until(lambda: not protocol.take(token), "the token to be taken")
    line.close()
    return asked, raw


def after_loss(warm: Warm, asked: Exchange, pid: int, raw: bytes, project: Path) -> Result:
    lost = f"{asked.key.hex()}:{pid}:{asked._began:.6f}"
    return called(
        [*COLD[:-1], "--place", warm.place, "--lost", lost], raw, cwd=project, env={"ASKFIRST_RESIDENT": "off"}
    )


@pytest.mark.parametrize("dies", [False, True])
@pytest.mark.parametrize("command", ["ls", UNKNOWN, "sudo ls"])
def test_a_lost_reply_is_found_again(
    command: str, dies: bool, warm: Warm, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    pid = warm.pid
    asked, raw = lost_call(warm, bash(command, project), project)
    if dies:
        os.kill(pid, signal.SIGKILL)
    found = after_loss(warm, asked, pid, raw, project)
    assert found.decision == ("allow" if command == "ls" else "deny")
    assert len(verdicts()) == 1 and verdicts()[0]["decision"] == found.decision


@pytest.mark.parametrize("command", ["ls", UNKNOWN, "sudo ls"])
def test_a_process_that_died_between_record_and_reply(
    command: str, warm: Warm, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call is judged again, and recorded once."""
    monkeypatch.chdir(project)
    pid = warm.pid
    asked, raw = lost_call(warm, bash(command, project), project)
    os.kill(pid, signal.SIGKILL)
    start.wait_until_gone(warm.place, 20)
    shutil.rmtree(places.replies_path(warm.place), ignore_errors=True)
    found = after_loss(warm, asked, pid, raw, project)
    assert found.decision == ("allow" if command == "ls" else "deny")
    assert [r["decision"] for r in verdicts()] == [found.decision]
    assert all(a.violations == 1 for a in alerts.alerts())


def test_a_call_whose_process_hangs_with_it_is_judged_once(
    warm: Warm, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has taken the call and recorded nothing: it is ended, so that it does not go on later."""
    monkeypatch.chdir(project)
    pid = warm.pid
    os.kill(pid, signal.SIGSTOP)
    asked = Exchange(warm.place, os.urandom(16))
    raw = json.dumps(bash("ls", project)).encode()
    found = after_loss(warm, asked, pid, raw, project)
    assert found.decision == "allow" and len(verdicts()) == 1
    assert not start.is_running(warm.place)


# -- a sample is judged cold as well ----------------------------------------------------------------------------------


def sampled(place: str, value: dict[str, Any], project: Path, env: dict[str, str] | None = None) -> Result:
    return called([*COLD[:-1], "--place", place, "--sample"], value, cwd=project, env=env)


@pytest.mark.parametrize("command", ["ls", UNKNOWN, "sudo ls", "touch a; rm a", "git status"])
def test_a_sample_that_agrees(command: str, warm: Warm, project: Path) -> None:
    cold = called(COLD, bash(command, project, session="another"), cwd=project)
    assert sampled(warm.place, bash(command, project), project).stdout == cold.stdout
    assert len(verdicts()) == 2 and alerts.alerts() == () and start.is_running(warm.place)


def test_a_sample_that_runs_contained(warm: Warm, project: Path) -> None:
    """Each run has an id of its own, which is no difference; and judging to compare prepares no run."""
    needs("bwrap")
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("version: 2\nbox: unknown\n")
    found = sampled(warm.place, bash(UNKNOWN, project), project, env={"CLAUDE_PID": str(os.getpid())})
    if found.decision != "allow":
        pytest.skip("needs an engine that can run something contained")
    assert [r["decision"] for r in verdicts()] == ["contain"] and len(os.listdir(runs.root())) == 1
    assert alerts.alerts() == () and start.is_running(warm.place)


def test_a_sample_that_differs_is_an_alert(nobody: Warm, project: Path) -> None:
    """Somebody else sits on the socket's place, and allows everything."""
    with impostor(nobody.place, lambda line, key: line.sendall(reply(key))):
        found = sampled(nobody.place, bash("sudo ls", project), project)
    assert found.decision == "deny"
    assert [a.last for a in alerts.alerts()] == ["the warm gate answered otherwise than the cold hook"]
    assert start.why_not(nobody.place).startswith("it answered otherwise")
    assert not start.start_behind(nobody.place, at_once=True)
