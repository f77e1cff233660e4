"""Whatever goes wrong, the call does not run: every row of the fail-closed table, with the installed command."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.approval.presence import announce
from askfirst.audit.read import read_records
from askfirst.audit.verify import verify_chain
from askfirst.errors import StoreError
from askfirst.install.command import LAUNCHER
from askfirst.store.pending import FilePending
from tests.disks import fill, mounted
from tests.hook.process import COMMAND, Result, cold_only, event, run, run_bash, start
from tests.waiting import until

GOOD = {
    "hook_event_name": "PreToolUse",
    "session_id": "s",
    "cwd": "/tmp",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
}


def _with(**changes: Any) -> bytes:
    value: dict[str, Any] = {**GOOD, **changes}
    return json.dumps({k: v for k, v in value.items() if v is not ...}).encode()


RAW = {
    "empty": b"",
    "blank": b" \n",
    "not JSON": b"hello",
    "cut off": json.dumps(GOOD).encode()[:-2],
    "text behind it": json.dumps(GOOD).encode() + b" and more",
    "two objects": json.dumps(GOOD).encode() * 2,
    "array": b"[1]",
    "null": b"null",
    "string": b'"PreToolUse"',
    "NaN": b'{"hook_event_name": NaN}',
    "a key twice": json.dumps(GOOD).encode().replace(b'"command": "ls"', b'"command": "ls", "command": "sudo ls"'),
    "invalid UTF-8": json.dumps(GOOD).encode().replace(b"ls", b"l\xff\xfes"),
    "UTF-16": json.dumps(GOOD).encode("utf-16"),
    "nested 100,000 deep": b"[" * 100_000,
    "objects 50,000 deep": b'{"a":' * 50_000,
    "a number of 10,000 digits": b'{"hook_event_name": ' + b"9" * 10_000 + b"}",
    "half a surrogate pair": json.dumps(GOOD).encode().replace(b'"ls"', b'"ls \\ud800"'),
    "no tool name": _with(tool_name=...),
    "no input": _with(tool_input=...),
    "no session": _with(session_id=...),
    "no directory": _with(cwd=...),
    "no event": _with(hook_event_name=...),
    "tool name is a number": _with(tool_name=1),
    "tool name is a list": _with(tool_name=["Bash"]),
    "input is a text": _with(tool_input="ls"),
    "input is a list": _with(tool_input=["ls"]),
    "command is missing": _with(tool_input={}),
    "command is a list": _with(tool_input={"command": ["ls"]}),
    "command is a number": _with(tool_input={"command": 7}),
    "command is null": _with(tool_input={"command": None}),
    "session is a number": _with(session_id=5),
    "event is a list": _with(hook_event_name=[]),
    "directory is relative": _with(cwd="here"),
    "directory is a number": _with(cwd=3),
    "subagent is a number": _with(agent_id=3),
    "unknown tool": _with(tool_name="NoSuchTool"),
    "unknown tool with spaces": _with(tool_name="No Such Tool"),
    "a tool of another server": _with(tool_name="mcp__files__write_file", tool_input={"path": "/etc/passwd"}),
    "a case that differs": _with(tool_name="bash"),
    "Write without a path": _with(tool_name="Write", tool_input={"content": "x"}),
    "Write with a number as content": _with(tool_name="Write", tool_input={"file_path": "/tmp/x", "content": 5}),
    "Edit without strings": _with(tool_name="Edit", tool_input={"file_path": "/tmp/x"}),
    "Skill with a number": _with(tool_name="Skill", tool_input={"skill": 9}),
}


@pytest.mark.parametrize("name", RAW)
def test_input_that_is_no_tool_call(name: str, project: Path) -> None:
    result = run(RAW[name], cwd=project)
    assert result.returncode == 0
    assert result.decision == "deny", result.reason
    assert "askfirst" in result.reason and "Traceback" not in result.reason
    assert b"Traceback" not in result.stderr


def test_the_same_input_unspoilt_is_allowed(project: Path) -> None:
    assert run(_with(), cwd=project).decision == "allow"
    assert run(b"\xef\xbb\xbf" + _with() + b"\n", cwd=project).decision == "allow"


def test_50_megabytes(project: Path) -> None:
    huge = event(cwd=project, command="echo " + "x" * 50_000_000)
    result = run(huge, cwd=project)
    assert result.decision == "deny" and "larger than" in result.reason


def test_a_long_command_that_fits_is_answered(project: Path) -> None:
    result = run_bash("echo " + "x" * 300_000, cwd=project)
    assert result.decision in ("allow", "deny")


# Streams


def test_a_closed_stdout_is_exit_code_2(project: Path) -> None:
    raw = json.dumps(event(cwd=project, command="ls")).encode()
    for redirection in (">&-", ">&- 2>&-", ">/dev/full"):
        done = subprocess.run(
            ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *COMMAND],
            input=raw,
            cwd=project,
            capture_output=True,
            timeout=120,
        )
        assert done.returncode == 2, redirection
    reader, writer = os.pipe()
    os.close(reader)
    result = run(raw, cwd=project, stdout=writer)
    os.close(writer)
    assert result.returncode == 2


def test_a_closed_stdin_or_stderr_is_a_deny_or_harmless(project: Path) -> None:
    raw = json.dumps(event(cwd=project, command="ls")).encode()
    done = subprocess.run(["/bin/sh", "-c", '"$@" <&-', "sh", *COMMAND], cwd=project, capture_output=True, timeout=120)
    assert Result(done.returncode, done.stdout, done.stderr).is_closed
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" 2>&-', "sh", *COMMAND], input=raw, cwd=project, capture_output=True, timeout=120
    )
    assert Result(done.returncode, done.stdout, b"").decision == "allow"


PATCHED = """
import os, sys
sys.argv = ["askfirst"]
{patch}
from askfirst.hook import main
sys.exit(main([]))
"""


def run_patched(patch: str, project: Path, command: str = "ls", words: str = "[]") -> Result:
    """The hook with one function replaced: the way to see a defect that is not there."""
    code = PATCHED.format(patch=patch).replace("main([])", f"main({words})")
    raw = json.dumps(event(cwd=project, command=command)).encode()
    done = subprocess.run([sys.executable, "-I", "-c", code], input=raw, cwd=project, capture_output=True, timeout=120)
    return Result(done.returncode, done.stdout, done.stderr)


PLACES = {
    "analysis": "import askfirst.shell as m; m.analyze = broken",
    "judgement": "import askfirst.gate as m; m.judge = broken",
    "rule files": "import askfirst.store.layers as m; m.load_layers = broken",
    "audit log": "import askfirst.audit as m; m.append = broken",
    "redaction": "import askfirst.redact as m; m.redact = broken",
    "wire format, answering": "import askfirst.agents.claude.wire as m; type(m.WIRE).answer = broken",
    "wire format, reading": "import askfirst.agents.claude.wire as m; type(m.WIRE).read = broken",
    "wire format, refusing": "import askfirst.agents.claude.wire as m; "
    "type(m.WIRE).refuse = broken; type(m.WIRE).read = broken",
}
ERRORS = (
    "ValueError('x')",
    "RecursionError()",
    "MemoryError()",
    "OSError(5, 'I/O error')",
    "KeyboardInterrupt()",
    "SystemExit(0)",
    "ImportError('no module')",
)


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_inside(place: str, project: Path) -> None:
    errors = ERRORS if place == "analysis" else ERRORS[:1]
    for error in errors:
        patch = f"def broken(*a, **k): raise {error}\n{PLACES[place]}"
        result = run_patched(patch, project, "ls" if place != "redaction" else "sudo ls password=hunter22")
        assert result.is_closed, (error, result.stdout, result.stderr)
        assert "askfirst" in result.reason


def test_an_import_that_fails(project: Path) -> None:
    result = run_patched("sys.modules['askfirst.shell'] = None", project)
    assert result.decision == "deny"
    result = run_patched("sys.modules['askfirst.agents'] = None", project)
    assert result.is_closed
    # Not even the hook's own module: the launcher's last word.
    code = "import runpy, sys; sys.modules['askfirst.hook'] = None; sys.argv = ['launch.py', 'hook']; "
    code += f"runpy.run_path({LAUNCHER!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], input=b"{}", cwd=project, capture_output=True, timeout=120
    )
    assert done.returncode == 2 and done.stdout == b""


def test_a_stray_print_of_a_dependency_harms_nothing(project: Path) -> None:
    patch = """
import askfirst.shell as m
real = m.analyze
def chatty(*a):
    print("a stray line"); os.write(1, b"and another\\n"); sys.stdout.flush(); os.system("echo and a child")
    return real(*a)
m.analyze = chatty
"""
    assert run_patched(patch, project, "ls").decision == "allow"
    assert run_patched(patch, project, "sudo ls").decision == "deny"


def test_the_hook_answers_by_its_own_deadline(project: Path) -> None:
    patch = "import time, askfirst.shell as m\ndef slow(*a): time.sleep(600)\nm.analyze = slow"
    result = run_patched(patch, project, words="['--deadline', '1']")
    assert result.decision == "deny" and "deadline" in result.reason


# What Python does with an exception in a destructor, where a signal may strike: told on stderr, and dropped.
DROPPED = """
import os, signal, time
import askfirst.hook as hook
hook.AGAIN_S = 0.3
class Trap:
    def __init__(self, number): self.number = number
    def __del__(self):
        if self.number: os.kill(os.getpid(), self.number)
        time.sleep(600)
"""


def test_an_alarm_that_was_dropped_comes_again(project: Path) -> None:
    patch = DROPPED + "import askfirst.shell as m\ndef slow(*a): Trap(0); time.sleep(600)\nm.analyze = slow"
    result = run_patched(patch, project, words="['--deadline', '1']")
    assert result.decision == "deny" and "deadline" in result.reason


def test_a_withdrawal_that_was_dropped_is_seen_by_the_waiting_hook(project: Path) -> None:
    patch = (
        DROPPED
        + """
from askfirst.approval.wake import Wake
first = [signal.SIGTERM]
def wait(self, timeout_s): Trap(first.pop()) if first else time.sleep(0.05)
Wake.wait = wait
"""
    )
    with announce("test"):
        result = run_patched(patch, project, "some-unknown-program", words="['--deadline', '600']")
    assert result.decision == "deny" and "withdrawn" in result.reason and FilePending().items() == ()


@pytest.mark.parametrize(
    "words", [("--agent", "nobody"), ("--no-such-option",), ("--deadline", "soon"), ("--deadline", "0"), ("--agent",)]
)
def test_wrong_arguments(words: tuple[str, ...], project: Path) -> None:
    assert run(event(cwd=project, command="ls"), cwd=project, words=words).is_closed


# Signals


def asking(project: Path) -> tuple[subprocess.Popen[bytes], FilePending]:
    """A hook whose question waits for an answer."""
    process = start(project)
    assert process.stdin is not None
    process.stdin.write(json.dumps(event(cwd=project, command="some-unknown-program")).encode())
    process.stdin.close()
    process.stdin = None
    store = FilePending()
    until(store.items, "the request")
    return process, store


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_withdraws_the_pending_request(number: signal.Signals, project: Path) -> None:
    with announce("test"):
        process, store = asking(project)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=120)
    assert Result(process.returncode, stdout, stderr).is_closed
    assert store.items() == ()


def test_a_client_that_dies_withdraws_the_pending_request(project: Path) -> None:
    with announce("test"):
        process, store = asking(project)
        assert process.stdout is not None
        process.stdout.close()  # what the kernel does with a killed client's end
        assert process.wait(timeout=120) == 2
        assert process.stderr is not None
        process.stderr.close()
    assert store.items() == ()


def test_sigkill_of_the_hook_leaves_no_request_behind(project: Path) -> None:
    with announce("test"):
        process, store = asking(project)
        process.kill()
        process.communicate(timeout=120)
    from askfirst.approval.manager import file_manager

    assert file_manager().pending() == ()


# Files


def _config(variable: str) -> Path:
    path = Path(os.environ[variable]) / "askfirst/config.yaml"
    path.parent.mkdir(parents=True)
    return path


BROKEN_ORG = {
    "not YAML": "version: [1\n",
    "a list": "- 1\n",
    "unknown key": "version: 1\nblocked_comands: [terraform]\n",
    "wrong type": "version: 1\nblocked_commands: terraform\n",
    "a tab": "version: 1\nblocked_commands:\n\t- terraform\n",
    "binary": "\x00\x01",
}


@pytest.mark.parametrize("name", BROKEN_ORG)
@pytest.mark.parametrize("level", ["XDG_CONFIG_DIRS", "XDG_CONFIG_HOME"])
def test_a_broken_organisation_file_closes_the_gate(level: str, name: str, project: Path) -> None:
    file = _config(level)
    file.write_text(BROKEN_ORG[name])
    result = run_bash("ls", cwd=project)
    assert result.decision == "deny"
    assert str(file) in result.reason


def test_a_broken_project_file_allows_nothing_and_takes_nothing_away(project: Path) -> None:
    from askfirst.store.trust import trust

    file = project / ".askfirst/allowed_commands.yaml"
    file.parent.mkdir()
    good = "version: 1\ncommands:\n  - name: some-unknown-program\n"
    file.write_text(good)
    trust(str(file), good.encode())
    assert run_bash("some-unknown-program", cwd=project).decision == "allow"
    for broken in (
        "version: 1\ncommands:\n  - name: [",
        "version: 1\ncommands:\n  - name: some-unknown-program\n  - {nmae: x, decision: deny}\n",
        "\x00",
    ):
        file.write_text(broken)
        trust(str(file), broken.encode())
        result = run_bash("some-unknown-program", cwd=project)
        assert result.decision == "deny"
        assert str(file) in result.reason
        assert run_bash("ls", cwd=project).decision == "allow"


@pytest.mark.parametrize("level", ["XDG_CONFIG_DIRS", "XDG_CONFIG_HOME"])
def test_an_organisation_file_that_cannot_be_read(level: str, project: Path) -> None:
    # A directory in its place: unreadable for root too.
    _config(level).mkdir()
    assert run_bash("ls", cwd=project).decision == "deny"


def test_a_project_file_that_cannot_be_read(project: Path) -> None:
    (project / ".askfirst/allowed_commands.yaml").mkdir(parents=True)
    assert run_bash("some-unknown-program", cwd=project).decision == "deny"


def _state() -> Path:
    path = Path(os.environ["XDG_STATE_HOME"])
    path.mkdir(exist_ok=True)
    return path / "askfirst"


@pytest.mark.parametrize(
    "spoil",
    [
        "state is a file",
        "state is a symlink",
        "audit is a file",
        "the log is a directory",
        "the log is nonsense",
        "the lock is a directory",
    ],
)
def test_state_that_cannot_be_used(spoil: str, project: Path, tmp_path: Path) -> None:
    state = _state()
    if spoil == "state is a file":
        state.write_text("")
    elif spoil == "state is a symlink":
        (tmp_path / "elsewhere").mkdir()
        state.symlink_to(tmp_path / "elsewhere")
    else:
        state.mkdir(mode=0o700)
        audit = state / "audit"
        if spoil == "audit is a file":
            audit.write_text("")
        else:
            audit.mkdir(mode=0o700)
            if spoil == "the log is nonsense":
                (audit / "current.jsonl").write_text("nonsense\n")
            else:
                (audit / ("lock" if "lock" in spoil else "current.jsonl")).mkdir()
    for command in ("ls", "sudo ls"):
        result = run_bash(command, cwd=project)
        assert result.decision == "deny", result.reason


@cold_only
def test_a_full_disk(project: Path) -> None:
    assert run_bash("ls", cwd=project).decision == "allow"

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    for command in ("ls", "sudo ls", "some-unknown-program"):
        result = run_bash(command, cwd=project, preexec_fn=no_space)
        assert result.decision == "deny", result.reason
    assert run_bash("ls", cwd=project).decision == "allow"  # nothing was torn


# The project must not get a word in


def test_modules_planted_in_the_project_are_not_imported(project: Path) -> None:
    marker = project / "IMPORTED"
    code = f"open({str(marker)!r}, 'a').write(__name__ + '\\n')\n"
    names = """yaml bashlex parsetab askfirst json re os site sitecustomize usercustomize _json typing signal rich
        filelock hashlib select
        fcntl encodings codecs""".split()
    for name in names:
        (project / f"{name}.py").write_text(code)
    (project / ".askfirst").mkdir()
    (project / ".askfirst/allowed_commands.yaml").write_text("version: 1\ncommands:\n  - name: frobnicate\n")
    env = {
        "PYTHONPATH": str(project),
        "PYTHONHOME": "",
        "PYTHONSTARTUP": str(project / "site.py"),
        "PYTHONUSERBASE": str(project),
        "PYTHONINSPECT": "1",
    }
    for command, decision in (
        ("ls", "allow"),
        ('for f in *.py; do wc -l "$f"; done', None),
        ("sudo ls", "deny"),
        ("frobnicate .", "deny"),
    ):
        result = run_bash(command, cwd=project, env=env)
        assert decision is None or result.decision == decision, result.reason
    for tool, input in (("Write", {"file_path": str(project / "a.txt"), "content": "x"}), ("Skill", {"skill": "x"})):
        run(event(tool, cwd=project, **input), cwd=project, env=env)
    assert not marker.exists(), marker.read_text()


def test_plain_reading_goes_on_while_the_disk_is_full(
    project: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks behind the log's end are its own. What needs more than a record is denied, and says why."""
    monkeypatch.setenv("XDG_STATE_HOME", str(small_disk))
    assert run_bash("ls", cwd=project).decision == "allow"
    fill(small_disk)
    assert run_bash("ls", cwd=project).decision == "allow"
    assert run_bash("sudo ls", cwd=project).decision == "deny"
    assert [r["text"] for r in read_records() if r["kind"] == "verdict"][:3] == ["ls", "ls", "sudo ls"]
    with pytest.raises(StoreError):
        while True:
            audit.append("verdict", {"text": "x"}, durable=False)
    found = run_bash("ls", cwd=project)
    assert found.is_closed and "free some space" in found.reason
    (small_disk / "filler").unlink()
    assert run_bash("ls", cwd=project).decision == "allow" and verify_chain().good


def test_a_home_that_cannot_be_written_is_said_with_the_way_out(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mounted(tmp_path / "read-only") as place:
        monkeypatch.setenv("XDG_STATE_HOME", str(place))
        assert run_bash("ls", cwd=project).decision == "allow"
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        found = run_bash("ls", cwd=project)
        assert found.is_closed and "Read-only file system" in found.reason and "XDG_STATE_HOME" in found.reason
        monkeypatch.setenv("XDG_STATE_HOME", str(place / "new"))
        command = [sys.executable, "-m", "askfirst", "doctor"]
        doctor = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        assert doctor.returncode == 1 and "XDG_STATE_HOME" in doctor.stderr
