"""macOS's sandbox and srt. The texts that they are given are looked at everywhere; what Seatbelt does, on macOS."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from askfirst.box import srt, voice
from askfirst.box.engine import BoxError
from askfirst.box.engines import probed
from askfirst.box.inside import Inside
from askfirst.box.plan import READ_ONLY, Plan
from askfirst.box.seatbelt import Seatbelt, profile, quoted
from askfirst.box.srt import Srt, settings
from tests.box.conftest import Box
from tests.box.test_compat import REAL_HOME
from tests.needs import needs

PROJECT = "/Users/ann/app"


def inside() -> Inside:
    return Inside(
        home="/Users/ann",
        system=("/usr",),
        system_secrets=("/etc/master.passwd",),
        read=("/Users/ann/.cargo/bin",),
        private=(("/state/caches/.cache", "/Users/ann/.cache"),),
        write=(f"{PROJECT}/dist",),
        locked=(f"{PROJECT}/.git",),
        obeyed=(f"{PROJECT}/.claude",),
        hidden=(f"{PROJECT}/.env",),
        replaced=(),
    )


def plan(**more: object) -> Plan:
    return Plan("make", "/bin/zsh", PROJECT, PROJECT, "s", "claude", **more)  # type: ignore[arg-type]


def test_the_profile_denies_by_default_and_hides_last() -> None:
    text = profile(plan(), inside(), "/state/run", "/state/run/tmp")
    lines = text.splitlines()
    assert lines[:2] == ["(version 1)", "(deny default)"]
    assert f'(subpath "{PROJECT}")' in text and '(subpath "/Users/ann/.cargo/bin")' in text
    hidden = next(n for n, line in enumerate(lines) if f'"{PROJECT}/.env"' in line)
    shown = next(n for n, line in enumerate(lines) if f'(subpath "{PROJECT}")' in line)
    assert lines[hidden].startswith("(deny file-read* file-write*") and hidden > shown
    locked = next(n for n, line in enumerate(lines) if f'"{PROJECT}/.claude"' in line)
    assert lines[locked].startswith("(deny file-write*") and f'"{PROJECT}/.git"' in lines[locked]
    writing = [line for line in lines if line.startswith("(allow") and "file-write*" in line]
    assert not any(f'(subpath "{PROJECT}")' in line or '"/Users/ann"' in line for line in writing)
    assert "network*" not in text and "(allow default)" not in text
    assert text.count("(") == text.count(")")


def test_nothing_is_written_where_a_plan_only_reads() -> None:
    text = profile(plan(access=READ_ONLY), inside(), "/state/run", "/state/run/tmp")
    assert f"{PROJECT}/dist" not in text


@pytest.mark.parametrize("name", ['a"b', "a\\b", '") (allow default) ("'])
def test_names_cannot_end_a_string(name: str) -> None:
    text = quoted(f"/x/{name}")
    inner = text[1:-1].replace("\\\\", "").replace('\\"', "")
    assert '"' not in inner and "\\" not in inner


def test_a_name_that_no_profile_can_hold_is_refused() -> None:
    with pytest.raises(BoxError):
        quoted("/x/a\nb")


def test_srt_is_told_the_hosts_and_what_is_protected() -> None:
    found = settings(plan(hosts=("registry.example.org", "*.example.com")), inside(), "/state/run", "/state/run/tmp")
    assert found["network"]["allowedDomains"] == ["registry.example.org", "*.example.com"]
    files = found["filesystem"]
    assert "/Users/ann" in files["denyRead"] and PROJECT in files["allowRead"]
    assert {f"{PROJECT}/.claude", f"{PROJECT}/.git", f"{PROJECT}/.env"} <= set(files["denyWrite"])
    assert files["allowWrite"][0] == PROJECT


@pytest.mark.parametrize("host", ["*", "", "a b.org", "https://x.org", "*.org/..", "x"])
def test_srt_gets_names_of_hosts_only(host: str) -> None:
    with pytest.raises(BoxError):
        settings(plan(hosts=(host,)), inside(), "/state/run", "/state/run/tmp")


@pytest.mark.skipif(sys.platform != "darwin", reason="Seatbelt is macOS's, and the macOS jobs run it")
def test_seatbelt_holds(box_on_macos: Path) -> None:
    assert Seatbelt().probe().works


@pytest.fixture
def box_on_macos(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize(
    "line", ["Connection blocked by network allowlist", "curl: (56) CONNECT tunnel failed, response 403"]
)
def test_a_host_that_srt_refuses_is_told_as_such(line: str) -> None:
    (found,) = voice.signs([line], {"engine": "srt"})
    assert voice.words(found) == "and reaches only the machines that `box: {hosts: […]}` names"
    assert not [*voice.signs([line], {"engine": "bubblewrap"})], "a proxy of the person's says the same"


@pytest.mark.parametrize(("code", "works"), [(0, True), (1, False)])
def test_srt_works_where_it_has_run_something(
    code: int, works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers `--version` also where the programs that it needs are missing."""
    program = tmp_path / "srt"
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo 1.2 && exit\n'
        f'grep -q example.org "$2" || exit 9\necho "socat not installed" >&2; exit {code}\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(srt, "PLACES", (str(program),))
    monkeypatch.setattr(srt, "is_systems_own", lambda _: True)
    found = Srt().probe()
    assert (found.works, found.version) == (works, "1.2")
    assert works or (
        found.why_not.startswith("srt does not work here (socat not installed); ") and "ripgrep" in found.why_not
    )


@pytest.mark.soak
def test_an_install_from_a_lock_file_reaches_the_named_host_and_no_other(box: Box) -> None:
    """With the real one, where root has installed it."""
    if not probed(Srt(), anew=True).works:
        pytest.skip(f"needs srt that works: {Srt().probe().why_not}")
    needs("npm")
    registry = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True).stdout
    host = urlsplit(registry.strip()).hostname or ""
    (box.project / "package.json").write_text(
        '{"name": "x", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"}}'
    )
    words = ["npm", "install", "--package-lock-only", "--silent"]
    subprocess.run(words, cwd=box.project, check=True, env={**os.environ, "HOME": REAL_HOME})
    done = box.run("npm ci --no-audit --no-fund", hosts=(host,))
    assert (done.code, done.run.engine) == (0, "srt"), done.out + done.err
    assert (box.project / "node_modules/left-pad").is_dir()
    secrets = "cat .env ~/x; echo x >> ~/x; echo x > .npmrc; curl -sS --max-time 20 https://example.org"
    (box.project / ".env").write_text("hunter2\n")
    (box.home / "x").write_text("hunter2\n")
    done = box.run(secrets, hosts=(host,))
    assert done.code != 0 and "hunter2" not in done.out + done.err and (box.home / "x").read_text() == "hunter2\n"
    assert not (box.project / ".npmrc").exists() and "machines that `box: {hosts: […]}` names" in done.err


def test_without_srt_there_is_a_way_out() -> None:
    if shutil.which("srt"):
        assert Srt().program()
    else:
        assert "npm install" in Srt().probe().why_not
