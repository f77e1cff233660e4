"""Other ways to hold a command: a copy where there is no overlay, Landlock where there are no namespaces, and engines
that are told apart by what they can do."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst import contained as changes
from askfirst.box import engines, health, kernel, mirror, runs, srt
from askfirst.box.bubblewrap import Bubblewrap, is_server, is_systems_own
from askfirst.box.engine import HOSTS, NEW_TOP_FILES, BoxError, Engine, Probe
from askfirst.box.landlock import MIN_ABI, Landlock
from askfirst.box.plan import READ_ONLY
from tests.box.conftest import SECONDS, Box, Done
from tests.waiting import until


@pytest.fixture
def only_bubblewrap(box: Box, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    """As where AppArmor lets only bubblewrap have namespaces: no overlay, no network of the session's."""
    known = engines.probed
    limited = Probe(True, "", "0.8.0", frozenset({NEW_TOP_FILES}))
    monkeypatch.setattr(engines, "probed", lambda e, **more: limited if e.name == "bubblewrap" else known(e, **more))
    yield box


def test_a_copy_stands_in_for_the_overlay(only_bubblewrap: Box) -> None:
    box = only_bubblewrap
    (box.project / ".claude").mkdir()
    (box.project / ".claude/settings.json").write_text("{}")
    (box.project / "sub").mkdir()
    (box.project / "sub/gone.txt").write_text("gone\n")
    (box.project / "a.txt").write_text("one\n")
    (box.project / ".env").write_text("hunter2")
    (box.project / "node_modules").mkdir()
    (box.project / "node_modules/m").write_text("module\n")
    command = (
        "cat node_modules/m; cat .env; echo two > a.txt; echo new > new.txt; rm -r sub; mv .claude c2; mkdir .claude;"
        " echo evil > .claude/settings.json; ln -s a.txt link; cd c2"
    )
    done = box.run(command)
    assert done.out == "module\n"
    assert (box.project / "a.txt").read_text() == "two\n"
    assert (box.project / "new.txt").read_text() == "new\n"
    assert os.readlink(box.project / "link") == "a.txt"
    assert not (box.project / "sub").exists()
    assert (box.project / ".claude/settings.json").read_text() == "{}"
    assert [k.path for k in done.finished.kept] == [".claude/settings.json"]
    assert done.where == str(box.project / "c2")
    assert box.out("cat a.txt new.txt; ls .claude") == "two\nnew\nsettings.json\n", "the next copy is as the disk is"


def test_what_is_too_large_to_be_copied_is_asked_about(only_bubblewrap: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "MAX_FILES", 3)
    for number in range(6):
        (only_bubblewrap.project / f"{number}").write_text("x")
    with pytest.raises(BoxError, match="too large to be copied"):
        runs.prepare(only_bubblewrap.plan("true"))
    assert runs.prepare(only_bubblewrap.plan("ls", access=READ_ONLY)), "what only looks needs no copy"


FAKE_SRT = """#!/bin/sh
[ "$1" = --version ] && echo 1.0 && exit
exec /bin/sh -c "$4"
"""


@pytest.fixture
def with_srt(box: Box, monkeypatch: pytest.MonkeyPatch) -> Box:
    """A program in its place that holds nothing: what becomes of the changes is none of its work."""
    program = box.base / "srt"
    program.write_text(FAKE_SRT)
    program.chmod(0o755)
    monkeypatch.setattr(srt, "PLACES", (str(program),))
    monkeypatch.setattr(srt, "is_systems_own", lambda _: True)
    return box


def test_what_srt_writes_directly_is_judged_all_the_same(with_srt: Box) -> None:
    box = with_srt
    for name, text in {"a.txt": "one\n", "gone.txt": "gone\n", "sub/b.txt": "b\n", ".npmrc": "mine\n"}.items():
        (box.project / name).parent.mkdir(exist_ok=True)
        (box.project / name).write_text(text)
    (box.project / "keep.txt").write_text("kept\n")
    inode = (box.project / "keep.txt").stat().st_ino
    command = (
        "echo two > a.txt; rm gone.txt; rm -r sub; mkdir -p new/deep node_modules/m; echo n > new/deep/n.txt;"
        " echo evil > .npmrc; echo evil > conftest.py; echo m > node_modules/m/i.js; ln -s ../../../etc out; exit 4"
    )
    done = box.run(command, hosts=("packages.example.org",))
    assert (done.code, done.run.engine) == (4, "srt"), done.err
    assert (box.project / "a.txt").read_text() == "two\n" and (box.project / "new/deep/n.txt").exists()
    assert not (box.project / "gone.txt").exists() and not (box.project / "sub").exists()
    assert (box.project / "node_modules/m/i.js").exists(), "what package managers fill is written directly"
    assert (box.project / ".npmrc").read_text() == "mine\n" and not (box.project / "conftest.py").exists()
    assert not (box.project / "out").is_symlink() and (box.project / "keep.txt").stat().st_ino == inode
    assert {k.path for k in done.finished.kept} == {".npmrc", "conftest.py", "out"}
    assert "3 changes did not reach the disk" in done.err
    changes.apply_by_person(done.run, "me")
    assert (box.project / ".npmrc").read_text() == "evil\n"
    changes.undo_by_person(done.run, "me")
    assert (box.project / "a.txt").read_text() == "one\n" and (box.project / "gone.txt").read_text() == "gone\n"
    assert (box.project / "sub/b.txt").read_text() == "b\n" and (box.project / ".npmrc").read_text() == "mine\n"


def test_a_copy_has_no_network_either(only_bubblewrap: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 3)"
        assert only_bubblewrap.run(f'python3 -c "{code}"').code == 1


def test_a_copy_follows_the_project(only_bubblewrap: Box) -> None:
    box = only_bubblewrap
    (box.project / "f").write_text("1")
    assert box.out("cat f; echo lost > only-in-the-copy; rm only-in-the-copy") == "1"
    (box.project / "f").write_text("2")
    (box.project / "g").write_text("3")
    assert box.out("cat f g") == "23"
    (box.project / "g").unlink()
    assert box.out("ls") == "f\n"


@pytest.fixture
def landlocked(box: Box) -> Box:
    if kernel.landlock_abi() < MIN_ABI:
        pytest.skip("needs Landlock of Linux 6.12")
    assert Landlock().probe().works
    return box


def held(box: Box, command: str, **more: object) -> Done:
    run = runs.prepare(box.plan(command, **more), Landlock())
    return box.finish(run, box.start(run).communicate(timeout=SECONDS))


def test_landlock_shows_the_project_and_no_more(landlocked: Box) -> None:
    box = landlocked
    (box.project / "a.txt").write_text("one\n")
    (box.project / ".env").write_text("hunter2")
    (box.project / "deep").mkdir()
    (box.project / "deep/x.pem").write_text("hunter2")
    (box.home / ".ssh").mkdir()
    (box.home / ".ssh/id_rsa").write_text("hunter2")
    (box.base / "other").mkdir()
    (box.base / "other/f").write_text("hunter2")
    done = held(box, "cat a.txt; cat .env deep/x.pem ~/.ssh/id_rsa ../other/f /etc/shadow; ls -R ~; cd deep")
    assert done.out == "one\n" and "hunter2" not in done.err, done.out
    assert done.where == str(box.project / "deep")


def test_landlock_lets_only_build_directories_be_written(landlocked: Box) -> None:
    box = landlocked
    box.ignores("dist")
    (box.project / ".claude").mkdir()
    tries = "echo x > dist/x; echo x > new; echo x > .claude/settings.json; mv .claude c2; echo x > $TMPDIR/y"
    tries += "; cat $TMPDIR/y"
    done = held(
        box, f"{tries}; touch /var/tmp/askfirst-out-$$; rm -rf ~/.local; python3 -c 'import tempfile as t; t.mkdtemp()'"
    )
    assert done.code == 0, done.err
    assert done.out == "x\n"
    assert sorted(p.name for p in box.project.iterdir()) == [".claude", ".git", ".gitignore", "dist"]
    assert (box.project / "dist/x").read_text() == "x\n"
    assert not list((box.project / ".claude").iterdir())
    assert not list(Path("/var/tmp").glob("askfirst-out-*"))


FAMILIES = "import socket\nfor f in range(64):\n    try: socket.socket(f, 1); print(f)\n    except OSError: pass"


@pytest.mark.parametrize(
    "command",
    [
        "echo x > new",
        "touch new",
        'python3 -c \'open("new", "w")\'',
        "mkdir deep/new",
        "sed -i s/o/x/ deep/old",
        "echo x > new; echo and on",
    ],
)
def test_landlock_says_what_it_kept_from_being_written(landlocked: Box, command: str) -> None:
    (landlocked.project / "deep").mkdir()
    (landlocked.project / "deep/old").write_text("old\n")
    done = held(landlocked, command)
    assert "may write only to build directories of the project" in done.err, done.err
    assert done.err.splitlines()[-1].endswith(f"askfirst outside -- {command}")


def test_landlock_leaves_an_ordinary_failure_alone(landlocked: Box) -> None:
    (landlocked.project / "locked").mkdir(mode=0o555)
    for command in ("cat nowhere", "echo x > /proc/new", "kill 1", "false", "curl -sS https://example.org; true"):
        assert "askfirst" not in held(landlocked, command).err


def test_landlock_says_that_there_is_no_network(landlocked: Box) -> None:
    code = "import socket; socket.create_connection(('1.1.1.1', 80), 2)"
    assert "without the network" in held(landlocked, f'python3 -c "{code}"').err


def test_what_an_engine_cannot_do_is_said_as_it_is(landlocked: Box) -> None:
    said = {h.subject: h.text for h in health.doctor()}
    assert "writes only to its build directories" in said["landlock"] and "copied" not in said["landlock"]
    assert "no sockets" in said["landlock"] and ";" not in said["bubblewrap"]
    assert engines.writes_only_builds(Landlock()) and not engines.writes_only_builds(Bubblewrap())


def test_landlock_has_no_sockets(landlocked: Box) -> None:
    assert (
        held(landlocked, f"python3 -c '{FAMILIES}'; python3 -c 'import socket; socket.socketpair()' && echo pair").out
        == "pair\n"
    )


def test_landlock_reaches_no_process_outside(landlocked: Box) -> None:
    other = subprocess.Popen(["sleep", "100"], env={"HUNTER": "hunter2"})
    done = held(
        landlocked,
        f"kill {other.pid}; cat /proc/{other.pid}/environ; ls /proc/{other.pid}/root/; ls /proc/{other.pid}/fd",
    )
    assert other.poll() is None and "hunter2" not in done.out and done.code != 0
    other.kill()
    other.wait()


def test_landlock_leaves_no_process_behind(landlocked: Box) -> None:
    marker = f"66{os.getpid()}"
    done = held(landlocked, f"setsid sleep {marker} > /dev/null 2>&1 & (sleep {marker} > /dev/null 2>&1 &); exit 3")
    assert done.code == 3
    words = f"sleep\0{marker}\0".encode()

    def left() -> list[str]:
        return [p for p in os.listdir("/proc") if p.isdigit() and _words(p) == words]

    until(lambda: not left(), "the end of both")


def _words(pid: str) -> bytes:
    try:
        return Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return b""


def test_landlock_holds_mounts_and_setuid(landlocked: Box) -> None:
    assert held(landlocked, "unshare -U true || mount -t tmpfs x /mnt || chroot / true").code != 0
    assert held(landlocked, "cat <(echo substitution); test -r /proc/meminfo").out == "substitution\n"


# --- which engine -----------------------------------------------------------------------------------------------------


class Pretended:
    """An engine that is whatever a test wants."""

    def __init__(self, name: str, probe: Probe) -> None:
        self.name, self.result, self.tried = name, probe, 0

    def program(self) -> str:
        return ""

    def probe(self) -> Probe:
        self.tried += 1
        return self.result

    def spec(self, *_: object) -> dict[str, object]:
        raise BoxError("only pretended")


def test_an_engine_is_tried_once(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Pretended("broken", Probe(False, "is not there; install it"))
    works = Pretended("works", Probe(True, "", "1"))
    hosts = Pretended("hosts", Probe(True, "", "1", frozenset({HOSTS})))
    found: tuple[Engine, ...] = (broken, works, hosts)
    monkeypatch.setattr(engines, "ENGINES", found)
    for _ in range(3):
        assert engines.available() is works
        assert engines.available(("example.org",)) is hosts
    assert (broken.tried, works.tried, hosts.tried) == (1, 1, 1)
    assert health.doctor()[0].way_out == "install it"
    engines.probed(works, anew=True)
    assert works.tried == 2


def test_without_an_engine_nothing_is_prepared(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", ())
    with pytest.raises(BoxError, match="askfirst doctor"):
        runs.prepare(box.plan("true"))
    assert os.listdir(runs.root()) == []


def test_the_engine_belongs_to_the_system(box: Box) -> None:
    own = box.home / "bwrap"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o777)
    assert not is_systems_own(str(own))
    assert is_systems_own(Bubblewrap().program())


@pytest.mark.parametrize("project", ["/", "/tmp", "/etc", "home", "state"])
def test_odd_projects_are_refused(box: Box, project: str) -> None:
    path = project if project.startswith("/") else str(box.base / project)
    with pytest.raises(BoxError):
        runs.prepare(box.plan("true", project=path, cwd=path))


SERVERS = {
    "npm run dev": True,
    "vite --port 3": True,
    "python -m http.server": True,
    "pytest -q": False,
    "tsc --watch": True,
}


@pytest.mark.parametrize(("command", "serves"), SERVERS.items())
def test_what_serves_and_watches_is_known_by_its_words(command: str, serves: bool) -> None:
    assert is_server(command) == serves


def test_a_server_sees_the_project_as_it_is(box: Box) -> None:
    """An overlay would show it the files of the time at which it started."""
    (box.project / "page").write_text("old")
    box.out("python3 -m http.server 8123 > /tmp/log 2>&1 &")
    fetch = "for i in $(seq 100); do curl -sf http://127.0.0.1:8123/page && exit 0; sleep 0.1; done; exit 1"
    assert box.out(fetch) == "old"
    new = box.project / "page.new"
    new.write_text("new")
    new.rename(box.project / "page")
    assert box.out(fetch) == "new"
