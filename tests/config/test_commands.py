"""explain, check, allowed, trust, schema and completion as people and programs use them."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.approval.presence import announce
from askfirst.cli import main
from askfirst.cli.registry import COMMANDS
from askfirst.digest import sha256_hex
from askfirst.store import paths, trust
from tests.needs import needs


def run(*words: str, stdin: str = "", cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    where = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1", "PYTHONUTF8": "1", **environment}
    command = [sys.executable, "-m", "askfirst", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, env=where, check=False)


def rules(project: Path, text: str, *, trusted: bool = False) -> Path:
    path = project / ".askfirst" / "allowed_commands.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o644)
    if trusted:
        trust.trust(str(path), path.read_bytes())
    return path


# -- explain


def test_explain_batch_answers_every_line_and_keeps_the_order(project: Path) -> None:
    commands = ["git status", "sudo id", "frobnicate", "", 'echo "unterminated', "ls\u202e", "echo \U0001f600"]
    lines = [json.dumps({"command": c}) for c in commands]
    lines += ["", json.dumps({"command": "cat x", "cwd": "src"}), json.dumps({"command": "ls", "id": 7})]
    ran = run("explain", "--batch", "--project", str(project), stdin="\n".join(lines) + "\n")
    assert ran.returncode == 0 and not ran.stderr
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [a["command"] for a in answers] == [*commands, "cat x", "ls"]
    assert [a["decision"] for a in answers[:3]] == ["allow", "deny", "ask"]
    for answer in answers:
        assert (
            answer["decision"] in ("allow", "ask", "deny") and answer["reason"] and isinstance(answer["findings"], list)
        )
    assert answers[7]["findings"][0]["fact"]["cwd"] == str(project / "src")


def test_explain_batch_takes_thousands_in_one_process(project: Path) -> None:
    stdin = "".join(json.dumps({"command": f"git log -{n} | head -{n}"}) + "\n" for n in range(1, 2001))
    ran = run("explain", "--batch", "--project", str(project), stdin=stdin)
    assert ran.returncode == 0 and ran.stdout.count("\n") == 2000 and '"decision":"deny"' not in ran.stdout


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "standard input:1: not a line of JSON"),
        ("[]", 'standard input:1: expected {"command": "…"}'),
        ('{"command": 5}', "expected"),
        ('{"command": "ls", "cwd": 5}', "`cwd` must be a string"),
        ('{"cmd": "ls"}', "expected"),
    ],
)
def test_explain_batch_says_what_is_wrong_with_a_line(project: Path, line: str, says: str) -> None:
    ran = run("explain", "--batch", "--project", str(project), stdin=line + "\n")
    assert ran.returncode == 2 and says in ran.stderr and "Traceback" not in ran.stderr


def test_explain_answers_one_line_at_a_time(project: Path) -> None:
    """A program that asks line by line gets its answer before it asks again."""
    process = subprocess.Popen(
        [sys.executable, "-m", "askfirst", "explain", "--batch", "--project", str(project)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    assert process.stdin is not None and process.stdout is not None
    for command in ("git status", "sudo id"):
        process.stdin.write(json.dumps({"command": command}) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["command"] == command
    process.stdin.close()
    assert process.wait(60) == 0


def test_explain_into_a_reader_that_stops_is_no_failure(project: Path) -> None:
    lines = "".join(json.dumps({"command": f"echo {n}"}) + "\n" for n in range(3000))
    command = f"{sys.executable} -m askfirst explain --batch --project {project} | head -1"
    shell = ["bash", "-o", "pipefail", "-c", command]
    ran = subprocess.run(shell, input=lines, capture_output=True, text=True, env={**os.environ}, check=False)
    assert ran.returncode == 0 and not ran.stderr and ran.stdout.count("\n") == 1


@pytest.mark.parametrize(("command", "code"), [("git status", 0), ("frobnicate", 1), ("sudo id", 1)])
def test_explain_exit_codes_and_json(project: Path, command: str, code: int) -> None:
    ran = run("explain", "--json", "--project", str(project), command)
    answer = json.loads(ran.stdout)
    assert ran.returncode == code and answer["command"] == command
    finding = answer["findings"][0]
    assert {"fact", "decision", "reason", "layer", "rule", "file", "line"} <= set(finding)


def test_explain_says_where_the_repositorys_settings_close_the_gate(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").write_text('{"env": {"BASH_ENV": "./evil.sh"}}')
    ran = run("explain", "--project", str(project), "git status")
    assert ran.returncode == 1 and "denied" in ran.stdout and "BASH_ENV" in ran.stdout


def test_explain_shows_the_tree_and_nothing_that_drives_a_terminal(project: Path) -> None:
    ran = run("explain", "--project", str(project), "git log | head; echo '[bold]x[/bold]' > out.txt")
    assert "[bold]x[/bold]" in ran.stdout
    assert (
        "✓ run git log" in ran.stdout and "overwrite out.txt" in ran.stdout and "built-in rules: git log" in ran.stdout
    )
    ran = run("explain", "--project", str(project), "echo '\x1b[31m'")
    assert "\x1b" not in ran.stdout and "⟨U+001B⟩" in ran.stdout


def test_explain_masks_secrets(project: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for words in (("explain",), ("explain", "--json")):
        ran = run(*words, "--project", str(project), f"frobnicate --token {token}")
        assert token not in ran.stdout


def test_explain_tries_a_profile(project: Path) -> None:
    assert run("explain", "--project", str(project), "pytest").returncode == 1
    assert run("explain", "--project", str(project), "--profile", "python-dev", "pytest").returncode == 0
    ran = run("explain", "--profile", "pyton-dev", "pytest")
    assert ran.returncode == 2 and "did you mean `python-dev`?" in ran.stderr


@pytest.mark.parametrize(
    "words", [("explain",), ("explain", "--batch", "ls"), ("explain", "--project", "/nowhere/at/all", "ls")]
)
def test_explain_wrong_use(words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert ran.returncode == 2 and ran.stderr.startswith("askfirst explain: ") and "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["aprove"], "did you mean `askfirst approve`?"),
        (["zzz\x1b[2J"], "`askfirst --help` lists the commands"),
        (["watch", "--josn"], "askfirst watch: unknown arguments: --josn; see `askfirst watch --help`"),
        (["log", "-n", "x"], "see `askfirst log --help`"),
        (["--nothing"], "see `askfirst --help`"),
        *(
            ([name, "--project", "/no/such"], "/no/such: no such directory")
            for name in ("allowed", "check", "suggest", "explain")
        ),
    ],
)
def test_wrong_use_says_the_way_out(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(words)
    except SystemExit as wrong:  # what the parser itself refuses
        code = wrong.code
    shown = capsys.readouterr()
    assert code == 2 and says in shown.err and "\x1b" not in shown.err and not shown.out


def test_help_lists_every_command_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", shown, re.M), name
    assert max(map(len, shown.splitlines())) <= 100


def test_explain_says_that_a_file_is_not_trusted(project: Path) -> None:
    rules(project, "version: 1\ncommands: [frobnicate]\n")
    ran = run("explain", "--project", str(project), "frobnicate")
    assert "note: the project's rule file is not trusted" in ran.stdout
    assert "to always allow this" not in ran.stdout, "it may stand in that file already"


# -- check, allowed, schema


def test_check_lists_what_became_narrower_since_version_1(project: Path) -> None:
    entries = '  - {name: frob, args: ["build"], match: ["STAGE=dev frob build x"]}\n  - mytool\n'
    entries += "  - {name: other, decision: deny}\n  - {tool: WebFetch}\n"
    rules(project, f"version: 1\ncommands:\n{entries}")
    ran = run("check", cwd=project)
    assert ran.returncode == 0 and "allows less than in version 1: `frob build` and nothing behind it" in ran.stdout
    assert "(`STAGE=prod`): `frob` (line 3), `mytool` (line 4); name the variable in `env`" in ran.stdout
    rules(project, f"version: 2\ncommands:\n{entries}".replace(", match: ['STAGE=dev frob build x']", ""))
    assert "less than in version 1" not in run("check", cwd=project).stdout


def test_check(project: Path, tmp_path: Path) -> None:
    ran = run("check", cwd=project)
    assert ran.returncode == 0 and ran.stdout.count("does not exist, which is fine") == 3
    rules(project, "version: 1\ncommands:\n  - {name: frob, match: [frob x], expires: 2001-01-01}\n")
    ran = run("check", cwd=project)
    assert (
        ran.returncode == 0
        and "1 entry, 1 example" in ran.stdout
        and "not trusted yet" in ran.stdout
        and "has expired" in ran.stdout
    )
    rules(project, "version: 1\ncommands:\n  - nmae: x\n")
    ran = run("check", cwd=project)
    assert ran.returncode == 1 and "unknown key `nmae`; did you mean `name`?" in ran.stdout
    assert "\n    3 |   - nmae: x\n      |     ^^^^\n" in ran.stdout
    answer = json.loads(run("check", "--json", cwd=project).stdout.splitlines()[-1])
    assert [(e["line"], e["column"]) for e in answer["left_out"]] == [(3, 5)] and answer["problem"] == ""
    new = tmp_path / "new.yaml"
    new.write_text("version: 1\nblocked_commands: [terraform]\n")
    new.chmod(0o644)
    assert run("check", "--org", str(new), cwd=project).returncode == 0
    new.write_text("version: 1\nblocked_comands: [terraform]\n")
    ran = run("check", "--org", str(new), cwd=project)
    assert ran.returncode == 1 and "everything is denied until this file is fixed" in ran.stdout
    ran = run("check", "/nowhere/at/all.yaml")
    assert ran.returncode == 1 and "/nowhere/at/all.yaml: no such file" in ran.stdout


def test_check_reads_a_file_in_the_projects_root(project: Path) -> None:
    """A file beside `.askfirst` is behind no symbolic link."""
    path = project / "new.yaml"
    path.write_text("version: 1\ncommands: [frob]\n")
    path.chmod(0o644)
    ran = run("check", "new.yaml", cwd=project)
    assert ran.returncode == 0 and "1 entry" in ran.stdout, ran.stdout


def test_allowed_json_has_exactly_the_agreed_fields(project: Path) -> None:
    rules(
        project,
        "version: 2\ncommands: [frobnicate, {name: cut, args: ['-f *']}, {name: gone, expires: 2001-01-01}, "
        "{name: nope, decision: deny}, {name: ssh, action: ssh, target: web}, {name: mytool, deny_args: [deploy], "
        "env: [STAGE=dev]}, {tool: WebFetch, domains: [example.com]}, {tool: mcp__a__b, input: {op: [get]}}]\n",
        trusted=True,
    )
    config = Path(paths.user_config_dir())
    config.mkdir(parents=True)
    (config / "config.yaml").write_text(
        "version: 1\nallowed_commands: [jq]\nblocked_commands: [terraform]\napproval_timeout_minutes: 7\n"
    )
    before = json.loads(run("allowed", "--json", "--project", str(project)).stdout)
    keys = "commands also note blocked_count can_request_approval somebody_there approval_timeout_minutes"
    assert set(before) == set(keys.split())
    shapes = {"org": {"name", "source"}, "global": {"name", "subcommands", "source"}}
    assert all(set(c) == shapes[c["source"]] for c in before["commands"] if c["source"] != "project")
    for entry in (
        {"name": "ssh", "action": "ssh", "target": "web"},
        {"name": "mytool", "deny_args": ["deploy"], "env": ["STAGE=dev"]},
        {"name": "WebFetch", "domains": ["example.com"]},
        {"name": "mcp__a__b", "input": {"op": ["get"]}},
    ):
        assert {**entry, "source": "project"} in before["commands"], "what it is not for must be told as well"
    assert {"name": "cut", "args": ["-f *"], "source": "project"} in before["commands"]
    assert "log" in next(c for c in before["commands"] if c["name"] == "git")["subcommands"].split()
    assert {"cat", "ls"} <= set(before["also"].split()) and not {"sudo", "bash"} & set(before["also"].split())
    sources = {c["name"]: c["source"] for c in before["commands"]}
    assert sources["frobnicate"] == "project" and sources["jq"] == "org" and sources["git"] == "global"
    assert not {"gone", "nope", "sudo", "bash", "terraform"} & set(sources)
    assert (
        before["approval_timeout_minutes"] == 7
        and before["can_request_approval"] is before["somebody_there"] is False
        and before["blocked_count"] > 50
    )
    with announce("test"):
        after = json.loads(run("allowed", "--json", "--project", str(project)).stdout)
    assert after["can_request_approval"] is after["somebody_there"] is True
    shown = run("allowed", "--project", str(project)).stdout
    assert "frobnicate" in shown and ".askfirst/allowed_commands.yaml:2" in shown and "does not count: expired" in shown


@pytest.mark.parametrize("which", ["org", "project"])
def test_the_schema_knows_every_key_and_the_examples_fit_it(which: str) -> None:
    import yaml

    schema = json.loads(run("schema", which).stdout)
    assert schema["additionalProperties"] is False and schema["required"] == ["version"]
    name = "org_config.yaml" if which == "org" else "project_allowed_commands.yaml"
    text = (Path(__file__).parent.parent.parent / "examples" / name).read_text(encoding="utf-8")
    document = yaml.load(text, Loader=yaml.BaseLoader)
    assert _misfits(document, schema, name) == []


def _misfits(value: Any, schema: dict[str, Any], place: str) -> list[str]:
    """As much of JSON Schema as these files use, on values that are all texts."""
    if "anyOf" in schema:
        tries = [_misfits(value, s, place) for s in schema["anyOf"]]
        return [] if [] in tries else tries[-1]
    if "enum" in schema:
        return [] if value in map(str, schema["enum"]) else [f"{place}: {value}"]
    if schema.get("type") == "object":
        if not isinstance(value, dict):
            return [f"{place}: not an object"]
        known = schema.get("properties", {})
        found = [f"{place}: {k}" for k in value if k not in known and schema.get("additionalProperties") is False]
        return found + [m for k, v in value.items() if k in known for m in _misfits(v, known[k], f"{place}.{k}")]
    if schema.get("type") == "array":
        return (
            [m for v in value for m in _misfits(v, schema["items"], place)]
            if isinstance(value, list)
            else [f"{place}: not a list"]
        )
    if "pattern" in schema and not re.search(schema["pattern"], str(value)):
        return [f"{place}: {value}"]
    return []


# -- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_made_from_the_parser(shell: str) -> None:
    script = run("completion", shell).stdout
    for command in COMMANDS:
        assert command in script
    assert "batch" in script and "lockfile" not in script


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_valid_in_its_shell(shell: str, tmp_path: Path) -> None:
    needs(shell)
    file = tmp_path / "completion"
    file.write_text(run("completion", shell).stdout)
    ran = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_bash_completes(tmp_path: Path) -> None:
    file = tmp_path / "completion"
    file.write_text(run("completion", "bash").stdout)
    code = (
        f'source {file}; COMP_WORDS=(askfirst exp); COMP_CWORD=1; _askfirst; echo "${{COMPREPLY[*]}}"; '
        'COMP_WORDS=(askfirst explain --ba); COMP_CWORD=2; _askfirst; echo "${COMPREPLY[*]}"; '
        'COMP_WORDS=(askfirst schema o); COMP_CWORD=2; _askfirst; echo "${COMPREPLY[*]}"'
    )
    ran = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.split("\n")[:3] == ["explain", "--batch", "org"], ran.stderr


# -- trust


def at_a_terminal(words: list[str], answer: str, cwd: Path) -> tuple[int, str]:
    """Run the command on a pty of its own, type `answer` whenever it asks, and give back its exit code and screen."""
    pid, fd = pty.fork()
    if pid == 0:
        try:
            os.chdir(cwd)
            os.environ["NO_COLOR"] = "1"
            os.environ["TERM"] = "dumb"
            # The person who runs the tests may themselves sit below an agent; that check has its own tests.
            code = (
                "import sys; from askfirst.approval import person; person.ancestors = lambda: ()\n"
                "from askfirst.cli import main; sys.exit(main())"
            )
            os.execv(sys.executable, [sys.executable, "-c", code, *words])
        finally:
            os._exit(99)
    screen, typed, deadline = "", 0, time.monotonic() + 120
    while time.monotonic() < deadline:
        if not select.select([fd], [], [], 1.0)[0]:
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        screen += data.decode("utf-8", "replace")
        if screen.count(" to leave it: ") > typed:
            os.write(fd, answer.encode() + b"\n")
            typed += 1
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), screen


def test_trust_shows_asks_and_remembers(project: Path) -> None:
    path = rules(project, "version: 1\ncommands: [frobnicate]  # \\o/\n")
    code, screen = at_a_terminal(["trust"], "no", project)
    assert code == 1 and "commands: [frobnicate]" in screen and "nothing changed" in screen
    assert not trust.is_trusted(str(path), path.read_bytes())
    code, screen = at_a_terminal(["trust"], "trust", project)
    assert code == 0 and trust.is_trusted(str(path), path.read_bytes())
    assert run("trust", "--list", cwd=project).returncode == 0
    path.write_text(path.read_text() + "profiles: [node-dev]\n")
    assert run("trust", "--list", cwd=project).returncode == 1
    code, screen = at_a_terminal(["trust"], "trust", project)
    assert code == 0 and "changes since you trusted it" in screen and "+profiles: [node-dev]" in screen


def test_trust_without_a_terminal_refuses(project: Path) -> None:
    path = rules(project, "version: 1\ncommands: [frobnicate]\n")
    ran = run("trust", cwd=project)
    assert ran.returncode == 1 and "refused" in ran.stderr
    assert not trust.is_trusted(str(path), path.read_bytes())


def test_trust_for_automation_takes_the_digest(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("askfirst.approval.person.ancestors", lambda: ())
    path = rules(project, "version: 1\ncommands: [frobnicate]\n")
    assert main(["trust", str(project), "--accept", "0" * 64]) == 1
    assert not trust.is_trusted(str(path), path.read_bytes())
    assert main(["trust", str(project), "--accept", sha256_hex(path.read_bytes())]) == 0
    assert trust.is_trusted(str(path), path.read_bytes())
    assert any("trust" in json.dumps(r) for r in audit_records())
    monkeypatch.setenv("CLAUDECODE", "1")
    path.write_text("version: 1\ncommands: [other]\n")
    assert main(["trust", str(project), "--accept", sha256_hex(path.read_bytes())]) == 1
    assert "CLAUDECODE is set" in capsys.readouterr().err
    assert not trust.is_trusted(str(path), path.read_bytes())


def test_what_is_trusted_can_be_forgotten(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("askfirst.approval.person.ancestors", lambda: ())

    def said(*words: str) -> tuple[int, Any]:
        code = main(["trust", str(project), "--json", *words])
        return code, json.loads(capsys.readouterr().out)

    other = rules(project.parent, "version: 1\ncommands: [frobnicate]\n", trusted=True)
    old = rules(project, "version: 1\ncommands: [frobnicate]\n", trusted=True).read_bytes()
    path = rules(project, "version: 1\ncommands: [frobnicate, other]\n", trusted=True)
    assert run("explain", "--project", str(project), "frobnicate").returncode == 0
    assert said("--list") == (0, {"file": str(path), "sha256": sha256_hex(path.read_bytes()), "trusted": True})
    assert said("--forget") == (0, {"file": str(path), "forgotten": 2})
    assert said("--list")[0] == 1 and said("--forget") == (1, {"file": str(path), "forgotten": 0})
    assert run("explain", "--project", str(project), "frobnicate").returncode == 1
    path.write_bytes(old)
    assert said("--list")[0] == 1, "an older content that comes back does not count either"
    assert trust.diff_since(str(path), old) is None and trust.is_trusted(str(other), other.read_bytes())
    assert [r["file"] for r in audit_records() if r.get("what") == "trust-forgotten"] == [str(path)]
    assert said("--accept", sha256_hex(old)) == (0, {"file": str(path), "sha256": sha256_hex(old), "trusted": True})
    shutil.rmtree(project)
    assert said("--forget")[1]["forgotten"] == 1, "also when the project is gone"


@pytest.mark.parametrize(
    ("words", "code"), [(["--json"], 2), (["--forget", "--list"], 2), (["--forget", "--accept", "0" * 64], 2)]
)
def test_forgetting_is_not_mixed_with_other_wishes(project: Path, words: list[str], code: int) -> None:
    rules(project, "version: 1\ncommands: [frobnicate]\n", trusted=True)
    assert run("trust", str(project), *words).returncode == code


def test_an_agent_makes_nobody_forget(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("askfirst.approval.person.ancestors", lambda: ())
    path = rules(project, "version: 1\ncommands: [frobnicate]\n", trusted=True)
    monkeypatch.setenv("CLAUDECODE", "1")
    assert main(["trust", str(project), "--forget"]) == 1 and "CLAUDECODE is set" in capsys.readouterr().err
    assert trust.is_trusted(str(path), path.read_bytes())


def audit_records() -> list[dict[str, Any]]:
    folder = Path(paths.state_dir()) / "audit"
    assert audit.append is not None
    return [
        json.loads(line)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        for line in file.read_text(errors="replace").splitlines()
        if line.startswith("{")
    ]


def test_a_broken_file_cannot_be_trusted(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("askfirst.approval.person.ancestors", lambda: ())
    path = rules(project, "version: 1\ncomands: [make-it]\n")
    assert main(["trust", str(project), "--accept", sha256_hex(path.read_bytes())]) == 1
    assert "unknown key `comands`" in capsys.readouterr().err
    path = rules(project, "version: 1\ncommands: [sudo, make-it]\n")
    assert main(["trust", str(project), "--accept", sha256_hex(path.read_bytes())]) == 0
    told = capsys.readouterr().err
    assert "always blocked" in told and "this entry will not count; the others will" in told
    assert main(["trust", str(project.parent)]) == 1


def test_git_configuration_is_trusted_by_content(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.scorecard import FILES

    monkeypatch.setattr("askfirst.approval.person.ancestors", lambda: ())
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    assert main(["trust", str(project), "--git"]) == 0
    config = project / ".git" / "config"
    config.write_text(config.read_text() + "[core]\n\tfsmonitor = ./watch.sh\n")
    assert run("explain", "--project", str(project), "git status").returncode == 1
    assert main(["trust", str(project), "--git", "--list"]) == 1
    assert main(["trust", str(project), "--git", "--accept", sha256_hex(config.read_bytes())]) == 0
    assert run("explain", "--project", str(project), "git status").returncode == 0
    assert main(["trust", str(project), "--git", "--forget"]) == 0
    assert run("explain", "--project", str(project), "git status").returncode == 1
    assert main(["trust", str(project), "--git", "--forget"]) == 1
    assert main(["trust", str(project), "--git", "--accept", sha256_hex(config.read_bytes())]) == 0
    config.write_text(config.read_text() + "[diff]\n\texternal = ./x.sh\n")
    assert run("explain", "--project", str(project), "git status").returncode == 1


@pytest.mark.parametrize("words", [["ls", "-la"], ["git", "log", "--oneline", "-5"], ["--json", "ls", "-la", "src"]])
def test_explain_takes_a_command_without_quotes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *words]) == 0
    assert "allow" in capsys.readouterr().out.lower()
