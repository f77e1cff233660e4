"""A hostile script inside the box, with real programs. Every row is something that was tried to get out, or to make
something outside do it."""

from __future__ import annotations

import marshal
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from askfirst import contained
from askfirst.box import entering, runs, seccomp, session, worktree
from askfirst.errors import AskfirstError
from tests.box.conftest import SECONDS, Box
from tests.needs import needs
from tests.waiting import until


def python(code: str) -> str:
    return f"python3 - <<'PYTHON'\n{code}\nPYTHON"


def refused(box: Box, code: str) -> str:
    """Python code that must raise OSError inside; which one is given."""
    done = box.run(python(f"try:\n{_indented(code)}\nexcept OSError as error:\n    print('refused', error.errno)"))
    assert done.out.startswith("refused"), done.out + done.err
    return done.out.strip()


def _indented(code: str) -> str:
    return "\n".join("    " + line for line in code.strip().splitlines())


# --- the network -----------------------------------------------------------------------------------------------------


@pytest.fixture
def listening() -> Iterator[int]:
    """A server of this machine, outside."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_loopback_outside_is_not_reached(box: Box, listening: int) -> None:
    refused(box, f"import socket\nsocket.create_connection(('127.0.0.1', {listening}), 3)")


def test_no_other_machine_is_reached(box: Box) -> None:
    assert refused(box, "import socket\nsocket.create_connection(('192.0.2.1', 80), 3)") == "refused 101"
    assert box.run("getent hosts example.org").code != 0


@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
def test_datagrams_do_not_leave_either(box: Box, kind: str) -> None:
    refused(box, f"import socket\ns = socket.socket(socket.AF_INET, socket.{kind})\ns.connect(('192.0.2.1', 53))")
    refused(box, f"import socket\ns = socket.socket(socket.AF_INET6, socket.{kind})\ns.connect(('2001:db8::1', 53))")


# Every family that Linux has a number for, but unix, inet, inet6 and netlink.
@pytest.mark.parametrize("kind", [1, 2, 3, 5], ids=["stream", "dgram", "raw", "seqpacket"])
def test_every_other_family_is_refused(box: Box, kind: int) -> None:
    code = (
        f"import socket\nleft = []\nfor family in range(0, 64):\n    if family in (1, 2, 10, 16): continue\n"
        f"    try: socket.socket(family, {kind}); left.append(family)\n    except OSError as e:\n"
        "        if e.errno != 97: left.append((family, e.errno))\nprint(left)"
    )
    assert box.out(python(code)) == "[]\n"


def test_netlink_is_for_listing_interfaces_only(box: Box) -> None:
    code = (
        "import socket\nfor protocol in range(1, 23):\n    try: socket.socket(16, 3, protocol); print(protocol)\n"
        "    except OSError: pass\nsocket.socket(16, 3, 0)"
    )
    assert box.out(python(code)) == ""


def test_raw_sockets_are_refused(box: Box) -> None:
    refused(box, "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, 1)")


def test_the_network_cannot_be_changed(box: Box) -> None:
    for command in ("ip link add d0 type dummy", "ip addr add 10.0.0.1/8 dev lo", "ip link set lo down"):
        assert box.run(command).code != 0


# --- sockets by path -------------------------------------------------------------------------------------------------


PLACES = [
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/user/0/bus",
    "/run/dbus/system_bus_socket",
    "/run/snapd.socket",
]


@pytest.mark.parametrize("path", PLACES)
def test_the_systems_sockets_are_not_there(box: Box, path: str) -> None:
    refused(box, f"import socket\nsocket.socket(socket.AF_UNIX).connect({path!r})")
    assert box.out("ls /run").split() == ["askfirst", "user"]


def _connects(box: Box, path: str) -> str:
    return refused(box, f"import socket\nsocket.socket(socket.AF_UNIX).connect({path!r})")


@pytest.fixture
def outside_socket() -> Iterator[tuple[str, ...]]:
    """A world-readable directory in /tmp with a daemon's socket, one directly there, and one where X11 has its own."""
    folder = f"/tmp/askfirst-test-sockets-{os.getpid()}"
    os.mkdir(folder, 0o755)
    os.makedirs("/tmp/.X11-unix", 0o1777, exist_ok=True)
    paths = (f"{folder}/agent", f"/tmp/askfirst-test-{os.getpid()}.sock", f"/tmp/.X11-unix/X{os.getpid()}")
    servers = [socket.socket(socket.AF_UNIX) for _ in paths]
    for server, path in zip(servers, paths, strict=True):
        server.bind(path)
        server.listen()
    yield paths
    for server in servers:
        server.close()
    shutil.rmtree(folder)
    for path in paths[1:]:
        os.unlink(path)


def test_sockets_in_the_real_tmp_are_not_reached(box: Box, outside_socket: tuple[str, ...]) -> None:
    """An overlay shows the names, and nobody is behind them."""
    for path in outside_socket:
        _connects(box, path)


def test_ssh_agent_and_tmux_are_not_reached(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("tmux")
    name = f"askfirst-test-{os.getpid()}"
    subprocess.run(["tmux", "-L", name, "new-session", "-d", "sleep 100"], check=True)
    path = f"/tmp/tmux-{os.getuid()}/{name}"
    try:
        monkeypatch.setenv("TMUX", f"{path},1,0")
        monkeypatch.setenv("SSH_AUTH_SOCK", path)
        assert os.path.exists(path)
        assert box.run(f"tmux -S {path} ls").code != 0
        assert box.out("echo [$TMUX$SSH_AUTH_SOCK]") == "[]\n"
        _connects(box, path)
    finally:
        subprocess.run(["tmux", "-L", name, "kill-server"], check=False)


def test_abstract_sockets_end_at_the_network(box: Box) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0askfirst-test-{os.getpid()}")
        server.listen()
        refused(box, f"import socket\nsocket.socket(socket.AF_UNIX).connect('\\0askfirst-test-{os.getpid()}')")


def test_askfirsts_own_state_is_not_there(box: Box) -> None:
    state = box.base / "state"
    done = box.run(f"ls {state} {box.home}/.claude {box.home}/.config; find {box.base} -name 'plan.json'")
    assert done.out == "", done.out


def test_a_socket_in_the_project_is_not_a_way_out(box: Box) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(box.project / "s"))
        server.listen()
        _connects(box, str(box.project / "s"))


# --- what a repository names -----------------------------------------------------------------------------------------


def test_a_repository_shows_nothing_that_it_only_names(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """A virtual environment's base, a worktree's git data and a toolchain's directory lie outside, and are shown."""
    keys, other = box.home / ".config/gh", box.base / "other"
    keys.mkdir(parents=True)
    (keys / "hosts.yml").write_text("a-token")
    commit = "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m of-another"
    other.mkdir()
    subprocess.run(["bash", "-c", commit], cwd=other, check=True)
    (box.project / ".venv").mkdir()
    (box.project / ".venv/pyvenv.cfg").write_text(f"home = {keys}/bin\n")
    (box.project / ".git").write_text(f"gitdir: {other}/.git\n")
    monkeypatch.setenv("NVM_DIR", str(keys))
    monkeypatch.setenv("JAVA_HOME", str(other))
    done = box.run(f"cat {keys}/hosts.yml; git log; ls {other}")
    assert "a-token" not in done.out and "of-another" not in done.out and done.err.count("No such file") == 2, done.err


def test_a_submodules_git_data_is_shown(box: Box) -> None:
    made = """git init -q . && git init -q ../sub && git -C ../sub -c user.name=a -c user.email=a@b commit -q \
        --allow-empty -m of-the-submodule && git -c protocol.file.allow=always submodule --quiet add ../sub sub"""
    subprocess.run(["bash", "-c", made], cwd=box.project, check=True, capture_output=True)
    inside = str(box.project / "sub")
    assert box.out("git log --format=%s", project=inside, cwd=inside) == "of-the-submodule\n"


# --- sizes and names -------------------------------------------------------------------------------------------------


def test_a_hole_in_a_file_stays_one(box: Box) -> None:
    box.out("truncate -s 100M large; echo end >> large")
    assert (box.project / "large").stat().st_size == (100 << 20) + 4
    assert (box.project / "large").stat().st_blocks * 512 < 4 << 20
    assert (box.project / "large").read_bytes().endswith(b"\0end\n")


def test_more_than_anybody_would_read_stays_in_the_box(box: Box) -> None:
    done = box.run("truncate -s 9G endless; echo small > small")
    assert not done.finished.changed and "GB changed" in done.err and "askfirst apply" not in done.err
    with pytest.raises(AskfirstError, match="GB changed"):
        contained.apply_by_person(done.run, "test")


def test_names_of_files_draw_nothing(box: Box) -> None:
    done = box.run("mkdir .claude; echo x > $'.claude/\\033[2Ja\\nAgreed'")
    assert done.finished.kept and "\033" not in done.err and "\nAgreed" not in done.err


def test_directories_without_end_stay_in_the_box(box: Box) -> None:
    deep = "import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"
    done = box.run(f'python3 -c "{deep}"')
    assert done.code == 0 and "deep" in done.err and not done.finished.changed
    runs._remove(done.run.place)
    assert not os.path.exists(done.run.place)


def test_what_cannot_be_judged_is_said_to_have_run(box: Box) -> None:
    run = runs.prepare(box.plan("echo x > made; rm -f nothing"))
    record = Path(run.place, "plan.json")
    record.write_text(record.read_text().replace('"created"', '"made"'))  # nobody can load it any more
    done = box.finish(run, box.start(run).communicate(timeout=SECONDS))
    assert done.code == 0 and "could not be judged" in done.err and "Nothing was run" not in done.err
    assert not (box.project / "made").exists()


# --- processes -------------------------------------------------------------------------------------------------------


def test_no_process_outside_is_seen(box: Box) -> None:
    names = [p for p in box.out("ls /proc").split() if p.isdigit()]
    assert len(names) < 6, names
    assert box.run(f"kill -0 {os.getpid()}").code != 0
    assert box.run(f"ls /proc/{os.getpid()}/root").code != 0 or os.getpid() < 6


def test_the_first_process_gives_nothing_away(box: Box) -> None:
    """It was outside a moment ago: its root, memory, environment and words are looked at."""
    (box.project / ".env").write_text("PASSWORD=hunter2\n")
    done = box.run("cat /proc/1/root/etc/shadow; tr '\\0' ' ' < /proc/1/cmdline; cat /proc/1/mountinfo | grep -c state")
    assert str(box.base / "state") not in done.out and ".env" not in done.out, done.out
    refused(box, "open('/proc/1/mem', 'rb+').seek(4096)\nopen('/proc/1/mem', 'rb').read(1)")
    assert "/" not in box.out("readlink /proc/1/fd/* | grep -v -e pipe: -e anon_inode: -e /dev/null || true")


def test_ptrace_reaches_nobody_outside(box: Box) -> None:
    code = (
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        f"print([p for p in ({os.getpid()}, {os.getppid()}) if p > 50 and libc.ptrace(16, p, 0, 0) == 0])"
    )
    assert box.out(python(code)) == "[]\n"


def test_no_descriptor_is_inherited(box: Box, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    fd = os.open(secret, os.O_RDWR)
    os.set_inheritable(fd, True)
    os.dup2(fd, 57, inheritable=True)
    try:
        run = runs.prepare(box.plan("ls -l /proc/self/fd | tail -n +2"))
        process = box.start(run, pass_fds=(fd, 57))
        done = box.finish(run, process.communicate(timeout=SECONDS))
    finally:
        os.close(fd)
        os.close(57)
    kinds = {line.split(" -> ")[1].partition(":")[0] for line in done.out.splitlines() if " -> " in line}
    assert kinds <= {"pipe", "/proc/" + done.out.rsplit("/proc/", 1)[1].split()[0]}, done.out


def test_output_is_no_way_to_the_clients_file(box: Box, tmp_path: Path) -> None:
    """The client hands its shell a file of its own: only what is written may arrive there."""
    target = tmp_path / "out"
    target.write_text("earlier\n")
    run = runs.prepare(box.plan("cat /proc/self/fd/1 & echo later; : > /proc/self/fd/1; echo end; sleep 0.2"))
    with target.open("ab") as file:
        subprocess.run(["/bin/bash", "-c", run.command_line], stdout=file, stdin=subprocess.DEVNULL, timeout=SECONDS)
    # What `cat` takes out of the pipe it puts back at the end.
    assert sorted(target.read_text().splitlines()) == ["earlier", "end", "later"]


def test_nothing_survives_in_the_background(box: Box) -> None:
    marker = f"77{os.getpid()}"
    done = box.run(f"setsid nohup sleep {marker} >/dev/null 2>&1 < /dev/null & disown; (sleep {marker} &) ; true")
    place = runs.session_place(done.run.plan)
    until(lambda: session.active(place), "the run that goes on")
    session.end(place)
    until(lambda: not _sleeping(marker), "the end of all")


def _sleeping(marker: str) -> bool:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", pid, "cmdline").read_bytes()
        except OSError:
            continue
        if words == f"sleep\0{marker}\0".encode():
            return True
    return False


def test_a_fork_bomb_ends(box: Box) -> None:
    """A slow one, and a low limit: the machine that runs the tests is not to notice."""
    run = runs.prepare(box.plan("for i in $(seq 400); do sleep 300 & sleep 0.02; done; wait"))
    path = Path(run.place, "spec")
    path.write_bytes(marshal.dumps({**marshal.loads(path.read_bytes()), "max_processes": 40}))
    process = box.start(run)
    process.communicate(timeout=SECONDS)
    assert process.returncode == 137
    until(lambda: not session.active(runs.session_place(run.plan)), "the end of the bomb")


def test_processes_are_counted(box: Box) -> None:
    """Limits do not hold for root, so somebody counts."""
    assert box.out("ulimit -u").strip() == str(entering.MAX_PROCESSES)


# --- devices, terminals, limits --------------------------------------------------------------------------------------


def test_devices_are_the_harmless_ones(box: Box) -> None:
    found = set(box.out("find /dev -type b -o -type c").split())
    assert found <= {f"/dev/{n}" for n in ("null", "zero", "full", "random", "urandom", "tty", "pts/ptmx")}, found
    refused(box, "import os, stat\nos.mknod('/tmp/disk', 0o600 | stat.S_IFBLK, os.makedev(254, 0))\nopen('/tmp/disk')")


def test_nothing_is_typed_into_a_terminal(box: Box) -> None:
    """TIOCSTI on a terminal of the box's own, which would take it, and on one that was handed in."""
    code = "import fcntl, os, pty\na, b = pty.openpty()\nfcntl.ioctl(b, {request}, b'x')"
    assert refused(box, code.format(request="0x5412")) == "refused 1"
    assert refused(box, code.format(request="0x5412 | (1 << 32)")) == "refused 1"
    assert refused(box, code.format(request="0x541C")) == "refused 1"
    assert refused(box, "open('/dev/tty')") in ("refused 6", "refused 13")


def test_setuid_and_capabilities_do_nothing(box: Box) -> None:
    status = box.out("cat /proc/self/status")
    values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert values["NoNewPrivs"] == "1" and values["Seccomp"] == "2"
    assert all(int(values[name], 16) == 0 for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"))
    box.run("cp /usr/bin/id ./i && chmod 6755 i")
    assert (box.project / "i").stat().st_mode & 0o7000 == 0


SET_USER_ID = """
import os, stat
fd = os.open("dist/plain", os.O_CREAT | os.O_WRONLY, 0o755)
ways = {
    "chmod": lambda: os.chmod("dist/plain", 0o4755),
    "fchmod": lambda: os.fchmod(fd, 0o4755),
    "fchmodat": lambda: os.chmod("plain", 0o4755, dir_fd=os.open("dist", os.O_RDONLY)),
    "openat": lambda: os.open("dist/made", os.O_CREAT | os.O_WRONLY, 0o4755),
    "unnamed": lambda: os.open("dist", os.O_TMPFILE | os.O_WRONLY, 0o4755),
    "mknod": lambda: os.mknod("dist/node", stat.S_IFREG | 0o4755),
}
for name, way in ways.items():
    try:
        print(name, way())
    except PermissionError:
        pass
os.chmod("dist/plain", 0o2755)
os.open("dist/plain", os.O_RDONLY, 0o4755)
"""


def test_no_file_of_the_disk_gives_its_users_rights_away(box: Box) -> None:
    """A build directory is written directly."""
    box.ignores("dist")
    assert box.out(python(SET_USER_ID)) == ""
    assert [p.name for p in (box.project / "dist").iterdir() if p.stat().st_mode & 0o4000] == []


def test_the_kernels_settings_are_read_only(box: Box) -> None:
    """Each with the value that it has: a test that fails must not change the machine."""
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sys/kernel/printk"):
        assert box.run(f'value=$(cat {path}) && echo "$value" > {path}').code != 0, path
    assert box.run("(: >> /proc/sysrq-trigger) || head -c1 /proc/kcore || head -c1 /proc/kmsg").code != 0
    openable = (
        "cd /proc; for f in keys timer_list kpagecount slabinfo mtrr; do head -c1 $f > /dev/null && echo $f; done"
    )
    assert os.getuid() != 0 or box.run(openable).out == ""
    assert os.getuid() != 0 or box.out("ls -A /proc/acpi /proc/fs /proc/driver | grep -v : || true").strip() == ""
    assert box.out("ls /sys").split() == ["devices", "fs", "kernel"]
    assert box.out("find /sys -writable -not -type l 2>/dev/null | head -3") == ""


def test_shared_memory_is_the_sessions_own(box: Box) -> None:
    name = f"askfirst-test-{os.getpid()}"
    box.out(f"echo x > /dev/shm/{name}")
    assert not Path("/dev/shm", name).exists()


# --- mounts and namespaces -------------------------------------------------------------------------------------------

NAMESPACES = [
    "unshare -U true",
    "unshare -Urm true",
    "unshare -n true",
    "unshare -p -f true",
    "mount -t tmpfs none /tmp",
    "mount --bind /etc /tmp",
    "mount -o remount,rw /usr",
    "mount -o remount,rw /",
    "umount /etc/shadow",
    "umount -l .env",
    "nsenter -t 1 -m true",
    "chroot / true",
    "pivot_root . .",
    "bwrap --ro-bind / / true",
]


@pytest.mark.parametrize("command", NAMESPACES)
def test_no_mounts_and_no_namespaces_inside(box: Box, command: str) -> None:
    (box.project / ".env").write_text("PASSWORD=1\n")
    done = box.run(command)
    assert done.code != 0, done.out


CALLS = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
for name, number, want in {rows}:
    result = libc.syscall(number, {args})
    if result != -1 or ctypes.get_errno() != want:
        print(name, result, ctypes.get_errno())
"""


def test_refused_system_calls_are_refused(box: Box) -> None:
    """Each by its number, as a program would that does not go through the C library's checks."""
    machine = seccomp.machine()
    assert machine is not None
    rows = [(n, number, 1) for n, number in machine.refused.items()] + [
        (n, number, 38) for n, number in machine.missing.items()
    ]
    assert box.out(python(CALLS.format(rows=rows, args="0, 0, 0, 0, 0, 0"))) == ""
    flags = [("clone user", machine.clone, 1), ("unshare user", machine.unshare, 1)]
    assert box.out(python(CALLS.format(rows=flags, args="0x10000000, 0, 0, 0, 0"))) == ""
    assert box.out(python(CALLS.format(rows=[("unshare time", machine.unshare, 1)], args="0x80, 0"))) == ""


def test_calls_that_are_newer_than_the_filter_are_not_there(box: Box) -> None:
    """`open_tree_attr` (467) makes mounts as its refused kin does."""
    rows = [(str(number), number, 38) for number in (seccomp.UNKNOWN, seccomp.UNKNOWN + 1, 5000)]
    assert box.out(python(CALLS.format(rows=rows, args="0, 0, 0, 0, 0, 0"))) == ""


def test_a_crash_starts_nothing_outside(box: Box) -> None:
    """The host's handler of crashes may be a pipe, which only a limit of 1 keeps from being started."""
    assert box.out(python("import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))")) == "(1, 1)\n"
    assert box.run("bash -c 'kill -SEGV $$'; ls core*").out == ""


def test_other_architectures_are_killed(box: Box) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("looks at processes in /proc: x32 is x86's")
    code = "import ctypes\nctypes.CDLL(None).syscall(0x40000000 + 39)\nprint('alive')"
    done = box.run(python(code))
    assert "alive" not in done.out and done.code in (159, 137), done.code
    needs("gcc")
    source = 'int main(){int r; __asm__ volatile("int $0x80":"=a"(r):"a"(20)); __builtin_printf("alive %d",r);}'
    done = box.run(f"printf '%s' '{source}' > /tmp/x.c && gcc -o /tmp/x /tmp/x.c && /tmp/x")
    assert "alive" not in done.out and done.code != 0


# --- the home and the system -----------------------------------------------------------------------------------------


SECRETS = [
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".netrc",
    ".bash_history",
    ".claude.json",
    ".config/gh/hosts.yml",
    ".npmrc",
]


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_of_the_home_are_not_there(box: Box, name: str) -> None:
    path = box.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("//registry.example.org/:_authToken=hunter2\n")
    done = box.run(f"cat {path}; grep -r hunter2 {box.home} 2>/dev/null")
    assert "hunter2" not in done.out


def test_a_sibling_repository_is_not_there(box: Box) -> None:
    other = box.base / "other"
    other.mkdir()
    (other / ".env").write_text("hunter2")
    assert box.run(f"cat {other}/.env ../other/.env; ls ..").out.split() == ["home", "project"]


def test_the_systems_secrets_are_not_read(box: Box) -> None:
    done = box.run("cat /etc/shadow /etc/gshadow /etc/ssl/private/* /etc/ssh/* 2>/dev/null")
    assert done.out == ""


def test_the_system_is_not_written(box: Box) -> None:
    for path in ("/etc/x", "/usr/local/bin/x", "/opt/x", "/x", "/usr/lib/x", "/dev/x"):
        before = os.path.lexists(path)
        assert box.run(f"touch {path}").code != 0 or path == "/dev/x"
        assert os.path.lexists(path) == before


def test_credentials_are_not_in_the_environment(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "ANTHROPIC_API_KEY": "k",
        "GITHUB_TOKEN": "k",
        "MY_DB": "postgres://me:hunter2@db/x",
        "AWS_PROFILE": "prod",
        "CLAUDE_CODE_MESSAGING_SOCKET": "/tmp/cc-socks/1.sock",
        "CLAUDE_CODE_MESSAGING_TOKEN": "t",
        "WEIRD": "ghp_0123456789",
        "HTTPS_PROXY": "http://proxy:1",
        "LD_PRELOAD": "",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PROJECT_MODE", "fast")
    names = {line.partition("=")[0] for line in box.out("env").splitlines()}
    assert not names & (set(given) - {"LD_PRELOAD"})
    assert "PROJECT_MODE" in names


def test_the_loaders_variables_do_not_reach_the_engine(box: Box) -> None:
    """A library that is loaded into bubblewrap would run outside. (Whoever sets one for the client's shell has that
    shell, and the launcher, already.)"""
    needs("gcc")
    mark, source, library = (box.base / name for name in ("loaded", "p.c", "p.so"))
    source.write_text(
        "#include <fcntl.h>\n#include <string.h>\n#include <errno.h>\nextern char *program_invocation_short_name;\n"
        '__attribute__((constructor)) void f(void) { if (!strcmp(program_invocation_short_name, "bwrap"))'
        f' open("{mark}", O_CREAT | O_WRONLY, 0600); }}\n'
    )
    subprocess.run(["gcc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-o", library, source], check=True)
    run = runs.prepare(box.plan("echo [$LD_PRELOAD]"))
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    done = subprocess.run(["/bin/bash", "-c", run.command_line], env=environment, capture_output=True, timeout=SECONDS)
    assert done.stdout == f"[{library}]\n".encode(), done.stderr
    assert not mark.exists()


# --- the project's protected files -----------------------------------------------------------------------------------

TRICKS = {
    "write": "echo '{}' > .claude/settings.json",
    "replace the directory": "mv .claude c2; mkdir .claude; echo '{\"hooks\":{}}' > .claude/settings.json",
    "link the directory": "mv .claude c2; mkdir evil; echo '{}' > evil/settings.json; ln -s evil .claude",
    "hard link": "ln .claude/settings.json h; echo x > h",
    "symbolic link": "ln -sf .claude/settings.json h; echo x > h",
    "FIFO": "rm .claude/settings.json; mkfifo .claude/settings.json",
    "delete": "rm -rf .claude",
    "local settings": "echo '{\"disableAllHooks\":true}' > .claude/settings.local.json",
    "rename onto": "echo x > x.json; mv x.json .claude/settings.json",
    "case": "mkdir -p .Claude; echo x > .Claude/settings.json",
    "exchange": 'mkdir d; echo x > d/settings.json; python3 -c "import ctypes; '
    "ctypes.CDLL(None).renameat2(-100, b'd', -100, b'.claude', 2)\"",
    "git hook": "mkdir -p .git/hooks; echo 'touch /tmp/pwned' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    "git config": "git config core.fsmonitor 'touch pwned'; echo '[core]' >> .git/config",
    "git attributes": "echo '* filter=x' > .git/info/attributes",
    "git directory": "mv .git g2; cp -r g2 .git; echo '[core]\\nfsmonitor = x' >> .git/config",
    "git link": "rm -rf .git; mkdir g; echo 'gitdir: g' > .git",
    "envrc": "echo 'touch pwned' > .envrc",
    "rules": "mkdir -p .askfirst; echo 'version: 2' > .askfirst/allowed_commands.yaml",
    "nested": "mkdir -p sub/.claude; echo '{}' > sub/.claude/settings.json",
    "mode": "chmod 777 .claude/settings.json .git/hooks",
}


@pytest.mark.parametrize("trick", TRICKS, ids=list(TRICKS))
def test_protected_files_stay_as_they_are(box: Box, trick: str) -> None:
    settings = box.project / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"hooks": "ours"}\n')
    subprocess.run(["git", "init", "-q"], cwd=box.project, check=True)
    (box.project / ".git/hooks").mkdir(exist_ok=True)
    before = _protected(box.project)
    box.run(TRICKS[trick])
    assert _protected(box.project) == before


def _protected(project: Path) -> dict[str, tuple[int, bytes]]:
    """Everything that askfirst protects, with mode and content."""
    found = {}
    for folder, names, files in os.walk(project):
        for name in (*names, *files):
            path = Path(folder, name)
            parts = {p.lower() for p in path.relative_to(project).parts}
            if parts & {".claude", ".git", ".askfirst", ".envrc"}:
                status = path.lstat()
                content = (
                    path.read_bytes() if path.is_file() else os.readlink(path).encode() if path.is_symlink() else b""
                )
                found[str(path.relative_to(project))] = (status.st_mode, content)
    return found


def test_the_overlays_own_marks_cannot_be_made_by_hand(box: Box) -> None:
    """A whiteout or an opaque directory would delete what was never looked at; a redirect would lead elsewhere."""
    box.ignores("dist")
    for name in ("src/a", "src/b", "keep/c"):
        (box.project / name).parent.mkdir(exist_ok=True)
        (box.project / name).write_text(name)
    marks = ("opaque", "whiteout", "redirect", "metacopy", "origin", "overlay.opaque")
    code = f"""
import os, stat
for mark in {marks!r}:
    for path in ("src", "src/a", "keep", "dist", "/tmp"):
        try: os.setxattr(path, "user.overlay." + mark, b"y")
        except OSError: pass
for path in ("src/b", "keep/c", "new"):
    try: os.mknod(path + "~", stat.S_IFCHR, 0); os.rename(path + "~", path)
    except OSError: pass
"""
    done = box.run(python(code))
    assert done.code == 0 and done.finished.changed == (), done.err
    assert box.out("ls src keep; echo x > src/new").split() == ["keep:", "c", "src:", "a", "b"]
    assert sorted(p.name for p in (box.project / "src").iterdir()) == ["a", "b", "new"]


ARMS_GIT = {
    "hooks": "mkdir -p .git/hooks; echo id > .git/hooks/post-commit",
    "commondir": "cp -r .git .git/evil; echo '[core]' > .git/evil/config; echo evil > .git/commondir",
    "info": "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
    "config.worktree": "touch .git/config.worktree",
    "modules": "mkdir -p .git/modules/x/hooks; echo '[core]' > .git/modules/x/config",
    "alternates": "echo /etc > .git/objects/info/alternates",
    "index.lock": "touch .git/index.lock",
}


@pytest.mark.parametrize("judged", [True, False], ids=["judged", "unjudged"])
@pytest.mark.parametrize("name", ARMS_GIT)
def test_what_git_obeys_cannot_be_made_where_it_is_not(box: Box, name: str, judged: bool) -> None:
    """A runner that a profile allows runs the project's code: what git finds there later runs outside."""
    subprocess.run(("git", "init", "-q", "--template="), cwd=box.project, check=True)
    before = sorted((box.project / ".git").rglob("*"))
    box.run(ARMS_GIT[name], hide_secrets=not judged)
    assert sorted((box.project / ".git").rglob("*")) == before


def test_nothing_is_moved_between_the_project_and_what_is_written_directly(box: Box) -> None:
    box.ignores("dist")
    (box.project / "a").write_text("ours\n")
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for one, other in ((b"a", b"dist/a"), (b"dist", b"away"), (b"dist", b"a")):
    for flags in (0, 1, 2):
        if libc.renameat2(-100, one, -100, other, flags) == 0: print("moved", one, other, flags)
try: os.link("a", "dist/linked"); print("linked")
except OSError: pass
"""
    assert box.out(python(code)) == ""
    assert list((box.project / "dist").iterdir()) == []


def test_what_is_no_build_output_does_not_stay_in_a_build_directory(box: Box) -> None:
    """Builds write there directly: what the write gate stops elsewhere is taken out again."""
    box.ignores("dist")
    (box.project / "dist/bin").mkdir()
    (box.project / "dist/bin/mine").symlink_to("/var/tmp")
    (box.project / "dist/data").symlink_to("/var/tmp")
    tries = {
        ".claude/settings.json": "mkdir dist/.claude; echo '{}' > dist/.claude/settings.json",
        ".git/config": "git init -q dist; echo '[core]' >> dist/.git/config",
        "sub/.envrc": "mkdir dist/sub; echo x > dist/sub/.envrc",
        "out.js": "ln -s ../../home/.bashrc dist/out.js",
        "settings.js": "mkdir .claude; ln -s ../.claude/settings.json dist/settings.js",
        "HEAD": "mkdir -p dist/objects dist/refs; echo 'ref: refs/heads/x' > dist/HEAD; echo '[core]' > dist/config",
        "lib/HEAD": "mkdir -p dist/lib; cp dist/config dist/lib; echo 'ref: refs/heads/x' > dist/lib/HEAD",
        "lib/.exrc": "echo '!id' > dist/lib/.exrc",
        "lib/.env.fish": "echo id > dist/lib/.env.fish",
        "lib/.dir-locals.el": "echo x > dist/lib/.dir-locals.el",
        "hidden/x/l": "mkdir -p dist/hidden/x; ln -s /var/tmp dist/hidden/x/l; chmod 0 dist/hidden",
    }
    for name, command in tries.items():
        done = box.run(command)
        assert f"dist/{name}" in {k.path for k in done.finished.kept}, name
        assert not os.path.lexists(box.project / "dist" / name)
    # Two harmless steps: a link that leads elsewhere once its directory has moved, and one that was not seen before.
    box.run("mkdir -p dist/d1/d2; ln -s ../../../x dist/d1/d2/l")
    assert os.path.lexists(box.project / "dist/d1/d2/l")
    box.run("mv dist/d1/d2 dist/d2")
    assert not os.path.lexists(box.project / "dist/d2/l")
    done = box.run("echo x > dist/app.js; ln -s app.js dist/latest.js; mkdir -p dist/bin/d; ln -s ../src dist/src")
    assert done.err == "" and {"app.js", "latest.js", "src", "data"} < {
        p.name for p in (box.project / "dist").iterdir()
    }
    assert (box.project / "dist/bin/mine").is_symlink(), "what was there before is not this run's"


def test_what_was_taken_out_of_a_build_directory_can_be_applied(box: Box) -> None:
    box.ignores("dist")
    done = box.run("ln -s /var/tmp dist/out")
    assert done.finished.kept and contained.apply_by_person(done.run, "test") == ("dist/out",)
    assert os.readlink(box.project / "dist/out") == "/var/tmp"


def test_only_what_others_have_committed_as_ignored_is_written_directly(box: Box) -> None:
    """`build` may hold scripts that are committed, or another's work."""
    box.ignores("dist")
    for name in ("build", "target"):
        (box.project / name).mkdir()
        (box.project / name / "a.js").write_text("ours\n")
    box.bare("git add -f build && git -c user.name=a -c user.email=a@b.c commit -qm two")
    box.run("printf 'build\ntarget\n' >> .gitignore")
    assert worktree.ignored_builds(str(box.project)) == (str(box.project / "dist"),)
    (box.project / ".gitignore").write_text("dist\nbuild\n")
    box.bare("git add . && git -c user.name=a -c user.email=a@b.c commit -qm three")
    assert worktree.ignored_builds(str(box.project)) == (str(box.project / "dist"),), "HEAD holds files in build"


LINKS = {
    "lib/a.ts": "../.claude/settings.json",
    "hooks": ".git/hooks",
    "settings": ".git/config",
    "agent": ".claude",
    "again": "sub/../.claude/settings.json",
    "shown": ".env",
    "other": "known/settings.json",
    "out": "../home/.bashrc",
}


def test_no_link_is_left_to_what_is_protected(box: Box) -> None:
    """`cp -r src/. lib/` is allowed, and writes through what it finds in `lib`."""
    for name in (".claude/settings.json", ".git/hooks/x", ".env", "src/a.ts", "sub/b"):
        (box.project / name).parent.mkdir(parents=True, exist_ok=True)
        (box.project / name).write_text("ours\n")
    os.symlink(".claude", box.project / "known")
    made = "; ".join(f"mkdir -p $(dirname {name}); ln -s {target} {name}" for name, target in LINKS.items())
    done = box.run(f"{made}; ln -s src/a.ts plain; ln -s sub folder; ln -s missing none")
    assert {k.path for k in done.finished.kept} == set(LINKS)
    assert set(done.finished.changed) == {"plain", "folder", "none"}
    assert not any(os.path.lexists(box.project / name) for name in LINKS)


def test_secrets_of_the_project_are_hidden_and_stay(box: Box) -> None:
    for name in (".env", "sub/deploy.pem", "secrets/one.txt"):
        path = box.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("hunter2\n")
    tries = (
        "cat .env sub/deploy.pem secrets/*; grep -r hunter2 .; cp .env x; mv .env y; ln .env z; cat x y z;"
        " chmod 644 .env; rm -f .env; echo new > .env; tar c . | grep -a hunter2; git init -q; git add -f .env;"
        " cat .env; mv sub s2; cat s2/*"
    )
    done = box.run(tries)
    assert "hunter2" not in done.out + done.err
    assert (box.project / ".env").read_text() == "hunter2\n"
    assert box.out("cat .env", hide_secrets=False) == "hunter2\n"
    assert box.out("cat .env", show=(".env",)) == "hunter2\n"


def test_credentials_in_gits_configuration_are_not_shown(box: Box) -> None:
    subprocess.run(["git", "init", "-q"], cwd=box.project, check=True)
    config = box.project / ".git/config"
    config.write_text(config.read_text() + '[remote "o"]\n\turl = https://me:hunter2@example.org/x\n')
    assert "hunter2" not in box.out("cat .git/config; git config -l")
    assert box.out("git config remote.o.url") == "https://example.org/x\n"
    assert "hunter2" in config.read_text()


# --- what the launcher itself trusts ---------------------------------------------------------------------------------

WHERES = ["/etc", "/", "../..", "$(id)", "/nowhere", "sub\\n/etc", "link"]


@pytest.mark.parametrize("value", WHERES)
def test_the_directory_that_comes_back_is_checked(box: Box, value: str) -> None:
    """Whatever runs inside can write there; a link leads out on the real disk."""
    os.symlink("/etc", box.project / "link")
    value = value.replace("link", f"{box.project}/link")
    done = box.run(f"printf '{value}\\n' > /run/askfirst/where; mv /run/askfirst /run/x")
    assert done.where == str(box.project)


def test_a_flood_on_that_descriptor_does_no_harm(box: Box) -> None:
    done = box.run("timeout 1 sh -c 'while :; do echo /etc; done > /run/askfirst/where'; true")
    assert done.where == str(box.project)


def test_the_commands_text_cannot_be_changed_for_the_next_call(box: Box) -> None:
    box.run("mv /run/askfirst /run/x; mkdir /run/askfirst; ln -s /etc/passwd /run/askfirst/command; rm -rf /run/*")
    assert box.out("echo same") == "same\n"


def test_tmp_tricks_do_not_stop_the_next_call(box: Box) -> None:
    emptied = "timeout 10 rm -rf /tmp/* /tmp/.*"  # the real /tmp may hold hundreds of thousands of files
    box.run(f"{emptied}; ln -s /etc /tmp/claude-0; mkdir -p /tmp/x; chmod 000 /tmp/x")
    assert box.out("echo same") == "same\n"


def test_caches_of_judged_commands_are_not_poisoned(box: Box) -> None:
    box.out("mkdir -p ~/.cache/x; echo evil > ~/.cache/x/y; echo '[core]' > ~/.gitconfig; echo x > ~/.npm/y")
    assert box.run("cat ~/.cache/x/y ~/.npm/y ~/.gitconfig", hide_secrets=False).out == ""
    assert box.out("cat ~/.cache/x/y; ls -A ~/.gitconfig 2>/dev/null || true") == "evil\n", "kept for the same kind"


def test_shared_caches_and_toolchains_are_read_only(box: Box) -> None:
    for name in (".cargo/registry", ".m2/repository", ".npm/_cacache", ".local/bin", "go/pkg/mod"):
        path = box.home / name
        path.mkdir(parents=True)
        (path / "kept").write_text("kept\n")
        assert box.out(f"cat ~/{name}/kept") == "kept\n"
        assert box.run(f"echo evil > ~/{name}/kept; rm -f ~/{name}/kept; mv ~/{name} ~/x").code != 0
        assert (path / "kept").read_text() == "kept\n"


def test_compiled_files_are_not_taken(box: Box) -> None:
    """A poisoned one would run outside in place of a source that everybody has read."""
    (box.project / "m.py").write_text("print('clean')\n")
    box.out("mkdir -p __pycache__; echo evil > __pycache__/m.cpython-311.pyc; python3 -c 'import m'")
    assert not (box.project / "__pycache__").exists()


def test_a_build_directory_that_is_a_link_is_not_bound(box: Box) -> None:
    outside = box.base / "outside"
    outside.mkdir()
    box.ignores("build")
    os.symlink(outside, box.project / "dist")
    box.run("echo x > dist/x; mkdir -p build")
    assert list(outside.iterdir()) == []


def test_the_engine_is_the_systems(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = box.home / "bin/bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\ntouch " + str(box.base / "fooled"))
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    box.out("true")
    assert not (box.base / "fooled").exists()


@pytest.mark.parametrize("breaking", ["program", "shell", "project", "session_place"])
def test_what_cannot_start_is_never_run_bare(box: Box, breaking: str) -> None:
    run = runs.prepare(box.plan("touch /var/tmp/ran-bare-$$ ran"))
    path = Path(run.place, "spec")
    spec = marshal.loads(path.read_bytes())
    spec[breaking] = "/proc/nowhere"
    path.write_bytes(marshal.dumps(spec))
    done = subprocess.run(["/bin/bash", "-c", run.command_line], cwd=box.project, capture_output=True, text=True)
    assert done.returncode == 126 and "Nothing was run" in done.stderr, done.stderr
    assert not (box.project / "ran").exists()


def test_an_unprivileged_user_is_held_alike(box: Box) -> None:
    """Tests run as root, users do not: the same box, made by nobody."""
    if os.getuid() != 0:
        pytest.skip("looks at processes in /proc: this is an unprivileged user already")
    python_program = "/usr/bin/python3"
    needs(python_program, "setpriv")
    base = Path("/var/tmp", f"askfirst-nobody-{os.getpid()}")
    shutil.copytree(Path(runs.START).parents[1], base / "code/askfirst", ignore=shutil.ignore_patterns("__pycache__"))
    site = Path(str(yaml.__file__)).parents[1]
    for name in ("yaml", "bashlex"):
        shutil.copytree(site / name, base / "code" / name)
    for name in ("home", "project"):
        (base / name).mkdir(parents=True)
        os.chown(base / name, 65534, 65534)
    code = f"""
import os, subprocess, sys
from askfirst.box import entering, environ, runs, seccomp, session
from askfirst.box.plan import Plan
project = {str(base / "project")!r}
open(project + "/.env", "w").write("hunter2")
os.mkdir(project + "/.claude")
command = "id -u; cat .env; cat /etc/shadow; echo new > new.txt; echo x > .claude/settings.json; unshare -U true"
run = runs.prepare(Plan(command, "/bin/bash", project, project, "s", "claude"))
words = ["/bin/bash", "-c", run.command_line]
done = subprocess.run(words, cwd=project, capture_output=True, text=True, stdin=subprocess.DEVNULL)
print(done.stdout, done.stderr, runs.load(run.id).finished)
session.end(runs.session_place(run.plan))
"""
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python_program, "-c", code]
    environment = {"HOME": str(base / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(base / "code")}
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS, cwd="/")
        assert done.stdout.startswith("65534"), done.stdout + done.stderr
        assert "hunter2" not in done.stdout and "root:" not in done.stdout
        assert (base / "project/new.txt").read_text() == "new\n"
        assert not (base / "project/.claude/settings.json").exists()
        assert "protected" in done.stdout
    finally:
        shutil.rmtree(base, ignore_errors=True)
