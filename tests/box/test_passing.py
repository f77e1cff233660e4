"""Nothing else changes for the agent: output, exit code, directory, input, signals, background."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from askfirst.agents import wire_of
from askfirst.agents.table import AGENTS, ROWS
from askfirst.box import runs, session
from tests.box.conftest import SECONDS, Box
from tests.needs import needs
from tests.waiting import until

EXITS = [("true", 0), ("exit 7", 7), ("false", 1), ("kill -9 $$", 137), ("(exit 3)", 3), ("no-such-program", 127)]


@pytest.mark.parametrize(("command", "code"), EXITS)
def test_the_exit_code_is_the_commands(box: Box, command: str, code: int) -> None:
    assert box.run(command).code == code


def test_output_and_errors_keep_their_streams(box: Box) -> None:
    done = box.run("echo out; echo err >&2; printf 'no end'")
    assert (done.out, done.err) == ("out\nno end", "err\n")


def test_binary_and_large_output_arrive_unchanged(box: Box) -> None:
    run = runs.prepare(box.plan("head -c 20000000 /dev/zero | tr '\\0' '\\377'; printf '\\000\\001'"))
    out, _ = box.start(run).communicate(timeout=SECONDS)
    assert len(out) == 20_000_002 and out.endswith(b"\xff\x00\x01")


def test_output_comes_as_it_is_written(box: Box) -> None:
    """The second half is written only once the first has been read."""
    box.ignores("dist")
    run = runs.prepare(box.plan("echo first; until [ -e dist/go ]; do sleep 0.05; done; echo second"))
    process = box.start(run)
    assert process.stdout is not None
    assert process.stdout.readline() == b"first\n"
    (box.project / "dist/go").touch()
    assert process.communicate(timeout=SECONDS)[0] == b"second\n"


def test_input_arrives(box: Box) -> None:
    data = os.urandom(300_000).hex().encode()
    done = box.run("wc -c", stdin=data)
    assert done.out.strip() == str(len(data))


def test_a_command_that_reads_nothing_does_not_wait_for_input(box: Box) -> None:
    reading, writing = os.pipe()
    run = runs.prepare(box.plan("echo done"))
    process = subprocess.Popen(["/bin/bash", "-c", run.command_line], stdin=reading, stdout=subprocess.PIPE)
    assert process.communicate(timeout=SECONDS)[0] == b"done\n"
    os.close(writing)


def test_a_large_command_runs(box: Box) -> None:
    text = "x" * 300_000
    done = box.run(f"cat <<'EOF' | wc -c\n{text}\nEOF")
    assert done.out.strip() == "300001"
    assert len(done.run.command_line) < 800


@pytest.mark.parametrize("name", ["plain", "with space", "with'quote", 'with"double', "näme", "a$b;c"])
def test_where_the_shell_ended_up_comes_back(box: Box, name: str) -> None:
    (box.project / name).mkdir()
    quoted = "'" + name.replace("'", "'\\''") + "'"
    assert box.run(f"cd {quoted}").where == str(box.project / name)


def test_a_new_directory_can_be_entered(box: Box) -> None:
    assert box.run("mkdir -p a/b && cd a/b").where == str(box.project / "a/b")


@pytest.mark.parametrize("command", ["cd /tmp", "cd /", "cd ~", "cd .. && cd ..", "cd nowhere; false"])
def test_outside_the_project_nobody_is_led(box: Box, command: str) -> None:
    assert box.run(command).where == str(box.project)


def test_a_run_is_used_once(box: Box) -> None:
    done = box.run("echo once")
    again = subprocess.run(["/bin/bash", "-c", done.run.command_line], capture_output=True, text=True)
    assert again.returncode == 126
    assert "used before" in again.stderr and "Nothing was run" in again.stderr


def test_the_line_leads_back_to_the_plan(box: Box) -> None:
    plan = box.plan("echo 'it''s' \"$HOME\"", input={"command": "echo", "timeout": 5}, action=("echo",))
    run = runs.prepare(plan)
    assert runs.original_of(run.command_line) == plan
    assert runs.original_of("echo hi") is None


@pytest.mark.parametrize("agent", [row.name for row in ROWS if wire_of(row.name).changes_commands])
def test_only_a_client_whose_shell_moves_is_led_anywhere(agent: str, box: Box) -> None:
    """For the others the line is plain words: some refuse a command with a substitution."""
    (box.project / "sub").mkdir()
    done = box.run("cd sub; echo out; echo err >&2", agent=agent)
    assert (done.code, done.out, done.err) == (0, "out\n", "err\n")
    assert runs.original_of(done.run.command_line) == done.run.plan
    assert (done.where == f"{box.project}/sub") == AGENTS[agent].keeps_cwd
    assert AGENTS[agent].keeps_cwd or not set("$(){};|&<>") & set(done.run.command_line)


def test_zsh_and_its_snapshot_are_the_clients(box: Box) -> None:
    needs("zsh")
    snapshot = box.home / ".claude/shell-snapshots/snapshot.sh"
    snapshot.parent.mkdir(parents=True)
    snapshot.write_text("greet() { print -r -- \"hello $1 from $ZSH_NAME\" }\nalias gg='greet alias'\n")
    run = runs.prepare(box.plan("greet you; gg; setopt | grep -c nobareglobqual", shell="/bin/zsh"))
    quoted = run.command_line.replace("'", "'\"'\"'")
    prefix = f"source {snapshot} 2>/dev/null || true && \\builtin setopt NO_BARE_GLOB_QUAL 2>/dev/null || true"
    words = ["/bin/zsh", "-c", f"{prefix} && eval '{quoted}' && pwd -P >| {run.place}/cwd"]
    done = subprocess.run(words, cwd=box.project, capture_output=True, text=True, timeout=SECONDS)
    assert done.stdout == "hello you from zsh\nhello alias from zsh\n1\n", done.stderr
    assert Path(run.place, "cwd").read_text().strip() == str(box.project)


def _processes(marker: str) -> list[int]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if marker.encode() in Path("/proc", pid, "cmdline").read_bytes():
                found.append(int(pid))
        except OSError:
            continue
    return [pid for pid in found if session.started(pid)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_survives_an_interrupt(box: Box, number: signal.Signals) -> None:
    marker = f"98{int(number)}{os.getpid()}"
    run = runs.prepare(box.plan(f"trap '' TERM INT; sleep {marker} & setsid sleep {marker} & echo up; wait; wait"))
    process = box.start(run, start_new_session=True)
    assert process.stdout is not None and process.stdout.readline() == b"up\n"
    until(lambda: len(_processes(f"sleep\0{marker}")) == 2, "both sleeps")
    os.killpg(process.pid, number)
    process.wait(timeout=SECONDS)
    until(lambda: not _processes(f"sleep\0{marker}"), "the end of every process of the box")


def test_what_an_interrupted_command_wrote_is_judged_all_the_same(box: Box) -> None:
    run = runs.prepare(
        box.plan("echo half > half.txt; mkdir .claude; echo x > .claude/settings.json; echo up; sleep 60")
    )
    process = box.start(run, start_new_session=True)
    assert process.stdout is not None and process.stdout.readline() == b"up\n"
    os.killpg(process.pid, signal.SIGKILL)
    until(lambda: runs.load(run.id).finished, "the report")
    assert (box.project / "half.txt").read_text() == "half\n"
    assert not (box.project / ".claude/settings.json").exists()


def test_a_server_of_one_call_is_reached_by_the_next(box: Box) -> None:
    (box.project / "page.txt").write_text("served\n")
    serve = "python3 -m http.server 8765 --bind 127.0.0.1 > /tmp/log 2>&1 &"
    done = box.run(serve)
    assert done.code == 0
    assert "a person reaches it with `askfirst box forward " in done.err
    fetch = "for i in $(seq 100); do curl -sf http://127.0.0.1:8765/page.txt && exit 0; sleep 0.1; done; exit 1"
    assert box.run(fetch).out == "served\n"
    assert not box.run("sleep 0.5 & true").err, "it is not this one that listens"
    place = runs.session_place(done.run.plan)
    until(lambda: [name for name, _ in session.active(place)] == [done.run.id], "the end of all but the server")
    session.end(place)
    until(lambda: not session.active(place), "the end of the server")
    assert box.run(fetch.replace("seq 100", "seq 2")).code == 1


def test_a_server_in_the_background_is_told_of_at_once(box: Box) -> None:
    run = runs.prepare(box.plan("python3 -m http.server 8766", background=True))
    process = box.start(run)
    assert process.stderr is not None
    assert b"`askfirst box forward PORT`" in process.stderr.readline()
    process.terminate()
    process.wait()


def test_tmp_is_the_sessions(box: Box) -> None:
    box.out("echo kept > /tmp/askfirst-kept-by-session")
    assert box.out("cat /tmp/askfirst-kept-by-session") == "kept\n"
    assert box.run("cat /tmp/askfirst-kept-by-session", session="other").code == 1
    assert not Path("/tmp/askfirst-kept-by-session").exists()


def test_the_real_tmp_is_below(box: Box) -> None:
    with open(f"/tmp/askfirst-test-{os.getpid()}.txt", "w") as file:
        file.write("from outside\n")
    try:
        assert box.run(f"cat {file.name}").out == "from outside\n"
        box.out(f"echo changed > {file.name}; rm -f {file.name}")
        assert Path(file.name).read_text() == "from outside\n"
        os.chmod(file.name, 0o600)
        assert box.run(f"cat {file.name}", session="other").code == 1, "what its owner keeps private is not shown"
    finally:
        os.unlink(file.name)


def test_what_is_private_in_tmp_is_hidden_without_a_mount_for_each(box: Box) -> None:
    before = [tempfile.mkdtemp(prefix="askfirst-private-", dir="/tmp") for _ in range(201)]
    try:
        Path(before[0], "secret").write_text("hidden\n")
        assert box.out(f"ls {before[0]}; grep -c askfirst-private- /proc/self/mountinfo || true") == "0\n"
        assert box.out(f"echo own > {before[0]}/own; cat {before[0]}/*") == "own\n", "it is the session's own"
        after = tempfile.mkdtemp(prefix="askfirst-private-", dir="/tmp")
        before.append(after)
        Path(after, "secret").write_text("hidden\n")
        assert box.out(f"ls {after}; grep -c askfirst-private- /proc/self/mountinfo || true") == "1\n"
        session.end(runs.session_place(box.plan("true")))
        assert box.out(f"cat {before[0]}/own; ls {after}; cat {after}/secret 2>/dev/null || true") == "own\n"
    finally:
        for path in before:
            shutil.rmtree(path)


def test_calls_of_one_session_run_at_once(box: Box) -> None:
    outputs: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: outputs.append(box.out(f"sleep 0.2; echo {n} > f{n}; cat f{n}")))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outputs) == [f"{n}\n" for n in range(4)]
    assert sorted(p.name for p in box.project.iterdir()) == [f"f{n}" for n in range(4)]


def test_the_holder_ends_with_its_client(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    client = subprocess.Popen(["sleep", "600"])
    monkeypatch.setenv("CLAUDE_PID", str(client.pid))
    done = box.run("sleep 500 & true")
    place = runs.session_place(done.run.plan)
    holder = session.named_process(os.path.join(place, "holder"))
    assert holder
    client.kill()
    client.wait()
    until(lambda: not session.started(holder) and not session.active(place), "the end of the session")
