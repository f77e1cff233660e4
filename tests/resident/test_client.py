"""The compiled client: no warnings, no undefined behaviour on any bytes, and where it is put."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from askfirst.install.command import gate_words
from askfirst.resident import build, protocol
from askfirst.resident import socket_place as places
from tests.disks import mounted
from tests.hook.process import event
from tests.needs import needs

HARNESS = Path(__file__).parent / "fuzz_client.c"
NAMES = ("PYTHON", "EXECUTABLE", "LAUNCH", "BUILD")
DEFINED = [f'-D{name}="x"' for name in NAMES]


@pytest.fixture(autouse=True)
def a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("cc")
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_no_warnings(compiler: str, tmp_path: Path) -> None:
    if compiler == "clang" and not Path("/usr/bin/clang").exists():
        pytest.skip("clang compiles what gcc has compiled before")
    needs(compiler)
    strict = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wshadow", "-std=c11", "-O2"]
    command = [compiler, *strict, *DEFINED, build.SOURCE, "-o", str(tmp_path / "client")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_fits_one_sitting() -> None:
    assert len(Path(build.SOURCE).read_text().splitlines()) <= 500


def harness(tmp_path: Path, compiler: str, *flags: str) -> str:
    target = str(tmp_path / "fuzz")
    include = f'-DCLIENT="{build.SOURCE}"'
    command = [compiler, "-g", "-O1", "-std=c11", *flags, *DEFINED, include, str(HARNESS), "-o", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def test_any_bytes_under_sanitizers(tmp_path: Path) -> None:
    program = harness(tmp_path, "cc", "-DALONE", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    for seed in ("1", "2"):
        done = subprocess.run([program, seed, "5000"], capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.needs("clang")
def test_any_bytes_with_libfuzzer(tmp_path: Path) -> None:
    program = harness(tmp_path, "clang", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all")
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    good = protocol.Answered(bytes(16), stdout=b'{"a":1}\n').packed()
    for number, seed in enumerate((b"w" + good, b"w" + good[:30], b"rPATH=/bin", b"w")):
        (seeds / str(number)).write_bytes(seed)
    seconds = os.environ.get("FUZZ_SECONDS", "300")
    command = [
        program,
        f"-max_total_time={seconds}",
        "-print_final_stats=1",
        "-artifact_prefix=" + str(tmp_path) + "/",
        str(seeds),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def test_a_request_reads_the_same_on_both_sides(client: str, project: Path, tmp_path: Path) -> None:
    """What the compiled client sends is what the process reads, byte for byte."""
    import socket

    place = tmp_path / "p"
    place.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    os.chdir(place)  # the address of a socket is short
    listener.bind(os.path.basename(places.socket_path("p")))
    os.chdir("/")
    listener.listen(1)
    raw = json.dumps(event(cwd=project, command="echo \u00fc\n")).encode()
    environ = {"A": "1", "B": "", "ODD": "\udcff=\n", "HOME": "/nowhere"}
    process = subprocess.Popen(
        [client, "--place", str(place), "hook", "--agent", "claude"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=project,
        env=environ,
        umask=0o027,
    )
    assert process.stdin is not None
    process.stdin.write(raw)
    process.stdin.close()
    if len(str(place)) + 40 > places.MAX_ADDRESS:
        process.wait(60)
        listener.close()
        pytest.skip("the directory of this test is too long for a socket")
    line, _ = listener.accept()
    read = b""
    while not read or len(read) < protocol.size_of(read, protocol.REQUEST, 1 << 30):
        read += line.recv(1 << 16)
    call = protocol.call_in(read)
    line.close()
    listener.close()
    assert process.stdout is not None
    process.stdout.close()
    process.wait(60)
    assert call.build.decode() == places.build() and call.kind == protocol.HOOK and call.umask == 0o027
    assert call.words == (b"hook", b"--agent", b"claude") and call.input == raw and call.cwd == os.fsencode(project)
    assert set(call.environ) == {os.fsencode(f"{k}={v}") for k, v in environ.items()}
    found = project.stat()
    assert call.here == (found.st_dev, found.st_ino)


# -- where it is put --------------------------------------------------------------------------------------------------


def test_building_it_and_what_doctor_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gate_words("claude")
    assert before[0] == sys.executable and build.present() is None
    built = build.build()
    assert gate_words("claude") == [built.path, "hook"] and build.trouble(built) == ""
    assert stat.S_IMODE(os.stat(built.path).st_mode) == 0o700
    monkeypatch.setattr(places, "PROTOCOL", 99)
    assert "another version" in build.trouble(built) and gate_words("claude")[0] == sys.executable
    build.refresh()
    assert build.client_path() == built.path
    monkeypatch.undo()
    monkeypatch.setenv("ASKFIRST_RESIDENT", "")


def test_one_that_was_changed_is_not_used() -> None:
    built = build.build()
    with open(built.path, "ab") as file:
        file.write(b"x")
    assert build.trouble(built) == "it is not what was built" and build.client_path() == ""
    os.chmod(built.path, 0o777)
    assert "others can write it" in build.trouble(built)
    os.unlink(built.path)
    assert "cannot be read" in build.trouble(built)


def test_a_home_where_nothing_can_be_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mounted(tmp_path / "noexec") as place:
        subprocess.run(["mount", "-o", "remount,noexec", str(place)], check=True)
        monkeypatch.setenv("XDG_STATE_HOME", str(place))
        with pytest.raises(build.NoClient, match="cannot be run there"):
            build.build()
        assert build.client_path() == "" and "cannot be run" in build.ensure()
        assert gate_words("claude")[0] == sys.executable


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "COMPILERS", ("no-such-compiler",))
    assert "no C compiler was found" in build.ensure() and gate_words("claude")[0] == sys.executable
