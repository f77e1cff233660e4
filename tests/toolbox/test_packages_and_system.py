"""install_dependencies with the real npm, and the tools of the role sre with stand-ins for what would change a
machine."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.audit.read import read_records
from askfirst.knowledge.own_tools import SERVER, TOOLS, refused_for
from askfirst.model import Decision
from askfirst.policy.rules import ROLES
from askfirst.store import paths
from askfirst.store.trust import trust
from askfirst.toolbox.config_migration import migrate_config
from askfirst.toolbox.dependencies import install_dependencies
from askfirst.toolbox.system_tools import install_package, system_ctl, verify_binary
from tests.toolbox.support import called, data, error, git, organisation, person, repository, role


def package(path: Path, name: str, version: str, script: str = "") -> None:
    scripts = {"install": script} if script else {}
    manifest = json.dumps({"name": name, "version": version, "scripts": scripts}).encode()
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(manifest)
        archive.addfile(entry, io.BytesIO(manifest))


@pytest.fixture
def node_project(project: Path) -> Path:
    organisation("profiles: [node-dev]")
    package(project / "dep.tgz", "dep", "1.0.0", script="touch ../../script-ran")
    manifest = {"name": "app", "version": "1.0.0", "dependencies": {"dep": "file:dep.tgz"}}
    (project / "package.json").write_text(json.dumps(manifest))
    lock = {
        "name": "app",
        "version": "1.0.0",
        "lockfileVersion": 3,
        "packages": {
            "": {"name": "app", "version": "1.0.0", "dependencies": {"dep": "file:dep.tgz"}},
            "node_modules/dep": {"version": "1.0.0", "resolved": "file:dep.tgz", "hasInstallScript": True},
        },
    }
    (project / "package-lock.json").write_text(json.dumps(lock, indent=1))
    (project / ".gitignore").write_text("node_modules\nscript-ran\n")
    return repository(project)


@pytest.mark.needs("npm")
def test_what_the_lock_file_says_and_no_script(node_project: Path) -> None:
    """The profile allows it, and nobody is asked: the lock file is the one in git's HEAD."""
    found = data(called(install_dependencies, node_project, "npm"))
    assert found["added"] == {"dep": "1.0.0"} and found["removed"] == {} and found["scripts"] == "not run"
    assert "--ignore-scripts" in found["command"] and not (node_project / "script-ran").exists()


@pytest.mark.needs("npm")
def test_scripts_run_after_a_yes(node_project: Path) -> None:
    with person(Decision.ALLOW) as asked:
        found = data(called(install_dependencies, node_project, "npm", True))
    assert found["scripts"] == "run" and (node_project / "script-ran").exists()
    assert any("install scripts" in note for note in asked[0].notes)


def test_a_changed_lock_file_is_shown(node_project: Path) -> None:
    lock = node_project / "package-lock.json"
    lock.write_text(lock.read_text().replace('"1.0.0",\n   "resolved"', '"9.9.9",\n   "resolved"'))
    with person(Decision.DENY) as asked:
        code, _ = error(called(install_dependencies, node_project, "npm"))
    assert code == "Denied" and any("9.9.9" in note for note in asked[0].notes)
    assert any("package-lock.json is not the one in git's HEAD" in line.reason for line in asked[0].lines)


@pytest.mark.parametrize(
    "manager, code",
    [("npm-g", "InvalidArgument"), ("yarn", "NoLockFile"), ("cargo", "NoLockFile"), ("pip", "NoLockFile")],
)
def test_what_installs_nothing(node_project: Path, manager: str, code: str) -> None:
    assert error(called(install_dependencies, node_project, manager))[0] == code


def test_pip_wants_hashes(project: Path) -> None:
    (project / "requirements.txt").write_text("# pinned\nrequests==2.0\n")
    code, said = error(called(install_dependencies, project, "pip"))
    assert code == "NoHashes" and "`requests`" in said


# -- roles and tools


@pytest.mark.parametrize("who", ["", *ROLES])
def test_roles_and_tools(who: str) -> None:
    """The whole table: what each role may call."""
    refused = {name for name in TOOLS if refused_for(SERVER + name, who)}
    system = {"verify_binary", "system_ctl", "install_package", "migrate_config"}
    works = {"run_test", "run_lint", "git_add", "git_commit", "git_checkout", "install_dependencies"}
    writes = {"write_file", "apply_patch", "edit_file", "delete_file"}
    assert (
        refused
        == {
            "": system | {"git_push"},
            "dev": system | {"git_push"},
            "sre": {"git_push"},
            "release_manager": system,
            "product_owner": system | works | writes | {"git_push"},
        }[who]
    )


SYSTEM: dict[Callable[..., dict[str, Any]], tuple[Any, ...]] = {
    verify_binary: ("sh",),
    system_ctl: ("nginx", "status"),
    install_package: ("apt", "curl"),
    migrate_config: ("2",),
}


@pytest.mark.parametrize("tool", SYSTEM)
def test_only_an_sre_and_every_call_is_critical(project: Path, tool: Callable[..., dict[str, Any]]) -> None:
    for who in ("dev", "release_manager", "product_owner"):
        role(who)
        assert error(called(tool, project, *SYSTEM[tool]))[0] == "PermissionDenied"
    role("sre")
    called(tool, project, *SYSTEM[tool])
    mine = [r for r in read_records() if r["kind"] == "verdict" and r["tool"] == SERVER + tool.__name__]
    assert len(mine) == 4 and all(r["severity"] == "critical" for r in mine)


def test_who_could_change_a_program(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    role("sre")
    found = data(called(verify_binary, project, "sh"))
    assert found["owner"] == "root" and found["changeable_by"] == ["root"] and found["runnable"]
    loose = project / "bin"
    loose.mkdir(mode=0o777)
    loose.chmod(0o777)
    (loose / "tool").write_text("#!/bin/sh\ntouch ran\n")
    (loose / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", f"{loose}:{os.environ['PATH']}")
    found = data(called(verify_binary, project, "tool"))
    assert "everybody" in found["changeable_by"] and found["version"] == "" and not (project / "ran").exists()
    assert error(called(verify_binary, project, "no-such-program"))[0] == "NotFound"
    assert error(called(verify_binary, project, "../sh"))[0] == "InvalidArgument"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs that would change the machine only write down how they were called."""
    place = tmp_path / "sbin"
    place.mkdir()
    for name in ("systemctl", "apt-get", "sudo"):
        (place / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\n')
        (place / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    return tmp_path / "calls"


def test_a_restart_is_a_question_with_the_exact_command(project: Path, machine: Path, monkeypatch: Any) -> None:
    role("sre")
    monkeypatch.setattr("askfirst.toolbox.system_tools._is_root", lambda: True)
    assert error(called(system_ctl, project, "nginx", "restart"))[0] == "Denied", "nobody is there"
    with person(Decision.ALLOW) as asked:
        data(called(system_ctl, project, "nginx", "restart"))
    assert asked[0].text == "systemctl restart nginx"
    assert any("as root" in note for note in asked[0].notes)
    assert machine.read_text() == "systemctl restart nginx\n"


@pytest.mark.parametrize("named", [False, True])
def test_sudo_only_where_the_organisation_names_the_program(
    project: Path, machine: Path, monkeypatch: Any, named: bool
) -> None:
    program = machine.parent / "sbin/apt-get"
    role("sre", f"toolbox: {{sudo: [{program}]}}" if named else "")
    monkeypatch.setattr("askfirst.toolbox.system_tools._is_root", lambda: False)
    if not named:
        result = called(install_package, project, "apt", "curl", "7.88")
        assert error(result)[0] == "NeedsPerson"
        assert "sudo apt-get install -y --no-install-recommends curl=7.88" in result["error"]["suggestion"]
        return
    with person(Decision.ALLOW):
        data(called(install_package, project, "apt", "curl", "7.88"))
    assert machine.read_text() == f"sudo -n {program} install -y --no-install-recommends curl=7.88\n"


@pytest.mark.parametrize(
    "manager, name, code",
    [
        ("pip", "requests", "InvalidArgument"),
        ("npm", "left-pad", "InvalidArgument"),
        ("npm-g", "dep", "ProjectDependency"),
        ("apt", "curl; rm -rf /", "InvalidArgument"),
        ("apt", "--allow-unauthenticated", "InvalidArgument"),
        ("apt", "../x.deb", "InvalidArgument"),
    ],
)
def test_what_is_no_package_of_the_machine(node_project: Path, manager: str, name: str, code: str) -> None:
    role("sre")
    assert error(called(install_package, node_project, manager, name))[0] == code


@pytest.mark.parametrize("service, action", [("nginx", "stop"), ("--force", "status"), ("a b", "status")])
def test_what_is_no_service(project: Path, service: str, action: str) -> None:
    role("sre")
    assert error(called(system_ctl, project, service, action))[0] == "InvalidArgument"


def test_a_migration_is_shown_done_and_taken_back(project: Path) -> None:
    role("sre")
    file = Path(paths.project_file(str(project)))
    file.parent.mkdir(parents=True)
    old = 'version: 1\ncommands:\n  - {name: npm, args: ["run build"]}\n'
    file.write_text(old)
    trust(str(file), old.encode())
    with person(Decision.DENY):
        assert error(called(migrate_config, project))[0] == "Denied"
    assert file.read_text() == old
    with person(Decision.ALLOW) as asked:
        assert data(called(migrate_config, project))["changed"]
    assert "version: 2" in file.read_text() and any("+version: 2" in note for note in asked[0].notes)
    assert not data(called(migrate_config, project))["changed"]
    with person(Decision.ALLOW):
        data(called(migrate_config, project, undo=True))
    assert file.read_text() == old


def test_rules_of_another_tool_are_taken_over_and_back(project: Path) -> None:
    role("sre")
    other = project / ".autoforge/allowed_commands.yaml"
    other.parent.mkdir()
    other.write_text("version: 1\ncommands:\n  - {name: frobnicate}\n  - {name: sudo}\n")
    own = project / paths.PROJECT_FILE
    assert error(called(migrate_config, project, import_from="cron"))[0] == "InvalidArgument"
    with person(Decision.ALLOW) as asked:
        found = data(called(migrate_config, project, import_from="autoforge"))
    assert found["files"] == [str(own)] and any("frobnicate" in note for note in asked[0].notes)
    (left,) = found["left_out"]
    assert "sudo" in left["rule"] and "sudo" not in own.read_text()
    assert not data(called(migrate_config, project, import_from="autoforge"))["changed"]
    with person(Decision.ALLOW):
        data(called(migrate_config, project, undo=True))
    assert not own.exists() and other.exists()


def test_rules_of_claude_are_taken_over(project: Path) -> None:
    role("sre")
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").write_text('{"permissions": {"allow": ["Bash(frobnicate all)"]}}')
    with person(Decision.ALLOW, first=lambda: (project / ".askfirst").mkdir()):
        data(called(migrate_config, project, import_from="claude-permissions"))
    assert "frobnicate" in (project / paths.PROJECT_FILE).read_text()


def test_no_answer_to_something_else_settles_a_step(project: Path, machine: Path, monkeypatch: Any) -> None:
    """A rule that allows the command, and a yes to it in a shell, say nothing about the tool's step."""
    role("sre", "allowed_commands: [{name: systemctl}]")
    monkeypatch.setattr("askfirst.toolbox.system_tools._is_root", lambda: True)
    code, said = error(called(system_ctl, project, "nginx", "restart"))
    assert code == "Denied" and "askfirst watch" in said and not machine.exists()


def test_repositories_are_left_as_they_were(node_project: Path) -> None:
    assert git(node_project, "status", "--porcelain") == ""
