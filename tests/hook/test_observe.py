"""`askfirst init --observe`: the real hook judges and logs, and leaves every call to the client."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askfirst.agents.wire import PROBE_SESSION
from askfirst.audit.read import read_records
from askfirst.cli import main
from askfirst.commands import init, observe
from askfirst.errors import ConfigError
from askfirst.store import pause
from askfirst.store.observe import enforce, observing_since
from askfirst.store.observe import observe as begin
from tests.hook.process import event, run

COMMANDS = ("git status", "pytest -q", "frobnicate build", "sudo id")


def answer(project: Path, command: str, session: str = "s") -> dict[str, object]:
    return run(event(cwd=project, session=session, command=command), cwd=project).value


def test_nothing_is_enforced_and_the_log_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text("[project]\nname = 'a'\n")
    begin("ann")
    assert [answer(project, c) for c in COMMANDS] == [{}] * 4
    kinds = [(r["kind"], r["decision"]) for r in read_records() if r.get("tool") == "Bash"]
    assert kinds == [("observed", "allow"), ("observed", "ask"), ("observed", "ask"), ("observed", "deny")]
    assert answer(project, "true", session=PROBE_SESSION) == {}  # what `init` and `doctor` try is no agent's call
    assert main(["observe", "report", "--project", str(project), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["decisions"] == {"allow": 1, "ask": 2, "deny": 1}
    assert said["profiles"][0] == {"name": "python-dev", "fits": "pyproject.toml", "saves": 1}
    assert "frobnicate" in said["rules"][0]["entry"]
    assert main(["observe", "report", "--project", str(project)]) == 0
    shown = capsys.readouterr().out
    assert "4 calls observed: 1 would run, 2 would ask, 1 would be denied" in shown
    assert "profiles: [python-dev] saves 1 prompt, and pyproject.toml is here" in shown
    assert main(["status"]) == 0 and "nothing is enforced" in capsys.readouterr().out


def test_the_switch_to_enforcing(project: Path) -> None:
    begin("ann")
    assert answer(project, "sudo id") == {}
    assert enforce() and not enforce()
    assert "deny" in json.dumps(answer(project, "sudo id"))


def test_a_pause_holds_while_observing(project: Path) -> None:
    begin("ann")
    pause.pause(0.0, "ann")
    assert "deny" in json.dumps(answer(project, "git status"))


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"since": "x"}', b'{"since": -1, "by": "a"}'])
def test_what_cannot_be_read_is_no_observing(damage: bytes, project: Path) -> None:
    begin("ann")
    from askfirst.store.observe import _path

    Path(_path()).write_bytes(damage)
    assert observing_since() == 0.0
    assert "deny" in json.dumps(answer(project, "sudo id"))


def test_input_that_is_no_call_is_refused_all_the_same(project: Path) -> None:
    begin("ann")
    assert "deny" in run(b"this is not JSON", cwd=project).stdout.decode()


def test_an_organisation_is_not_suspended(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin("ann")
    site = tmp_path / "etc" / "askfirst"
    site.mkdir(parents=True)
    (site / "config.yaml").write_text("version: 1\n")
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    assert observing_since() == 0.0
    with pytest.raises(ConfigError, match="organisation"):
        begin("ann")


def test_a_repository_does_not_switch_to_observing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its settings name a state directory of its own, which holds the file: the client hands the variable on."""
    state = project / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    begin("ann")
    assert observing_since() > 0
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text(json.dumps({"env": {"XDG_STATE_HOME": str(state)}}))
    assert "deny" in json.dumps(answer(project, "git status"))


def test_init_and_stop_need_a_person(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No terminal here."""
    assert main(["init", "--observe", "--dir", str(project)]) != 0 and observing_since() == 0.0
    begin("ann")
    assert main(["observe", "stop"]) != 0 and observing_since() > 0
    assert "refused" in capsys.readouterr().err


def test_init_says_what_it_is(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(init, "require_person", lambda _: None)
    monkeypatch.setattr(observe, "require_person", lambda _: None)
    assert main(["init", "--observe", "--dir", str(project)]) == 0
    assert "NOTHING is enforced" in capsys.readouterr().out
    assert main(["observe", "stop"]) == 0 and "the gate decides from now on" in capsys.readouterr().out
