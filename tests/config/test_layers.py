"""Files on disk become layers: site and user together, trust, the cache, and what a broken file does."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst.errors import ConfigError
from askfirst.model import Action, Command, Decision, Kind, Layer, Word
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers
from askfirst.policy.yamltext import parse
from askfirst.store import paths, rulecache, rulefiles, trust
from askfirst.store.layers import load_layers
from askfirst.wording import for_agent


def command(*words: str, foreign: str = "", program: str | None = None, cwd: str = "/p") -> Command:
    argv = tuple(Word(w, w) for w in words)
    return Command(
        words[0], argv, " ".join(words), cwd, program, action=Action((words[0],), Kind.OTHER), foreign=foreign
    )


def write(path: Path, text: str, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def site(text: str) -> Path:
    return write(Path(paths.org_files()[0]), text)


def user(text: str) -> Path:
    return write(Path(paths.user_config_dir()) / "config.yaml", text)


def rules(project: Path, text: str, *, trusted: bool = True) -> Path:
    path = write(project / ".askfirst" / "allowed_commands.yaml", text)
    if trusted:
        trust.trust(str(path), path.read_bytes())
    return path


def layers(project: Path) -> Layers:
    return load_layers(str(project), session="s", agent="claude", now=1_800_000_000.0)


def decision(project: Path, *words: str) -> str:
    return judge((command(*words),), layers(project)).decision.name


def test_without_files_the_defaults_hold(project: Path) -> None:
    found = layers(project)
    assert (found.org_block, found.org_allow, found.project_allow, found.notes, found.closed) == ((), (), (), (), "")
    assert (
        found.settings.approval_timeout_minutes == 5
        and found.settings.approval_enabled
        and found.settings.confirm_danger
    )
    assert found.settings.max_project_commands == 100


def test_blocks_of_site_and_user_add_up_and_a_user_file_cannot_lift_one(project: Path) -> None:
    site("version: 1\nblocked_commands: [terraform]\n")
    user("version: 1\nblocked_commands: [flyctl]\nallowed_commands: [terraform, jq]\n")
    rules(project, "version: 1\ncommands: [terraform, flyctl, make-it]\n")
    assert decision(project, "terraform", "plan") == "DENY"
    assert decision(project, "flyctl", "deploy") == "DENY"
    assert decision(project, "jq", ".") == "ALLOW"
    assert decision(project, "make-it") == "ALLOW"


def test_what_the_site_sets_the_user_cannot_change_and_lists_add_up(project: Path) -> None:
    site(
        "version: 1\napproval_enabled: false\napproval_timeout_minutes: 3\n"
        "profiles: [lockfile-only]\nprotected_paths: [infra/**]\n"
        "writes: {max_kib: 10, deny: ['**/*.key']}\nroles: {nobody-here: sre}\n"
    )
    user(
        "version: 1\napproval_enabled: true\napproval_timeout_minutes: 30\nprofiles: [python-dev]\n"
        "protected_paths: [deploy/**]\n"
        "writes: {max_kib: 999, deny: ['**/*.jks'], replace_lines: 7}\nroles: {nobody-here: product_owner}\n"
        "dangerous_command_requires_confirmation: false\n"
    )
    settings = layers(project).settings
    assert not settings.approval_enabled and settings.approval_timeout_minutes == 3 and not settings.confirm_danger
    assert settings.profiles == ("lockfile-only", "python-dev") and settings.protected_paths == (
        "infra/**",
        "deploy/**",
    )
    assert settings.writes.max_kib == 10 and settings.writes.replace_lines == 7
    assert {"**/*.key", "**/*.jks", "**/.env"} <= set(settings.writes.deny)
    assert settings.roles == {"nobody-here": "sre"} and settings.role == "dev"


def test_a_project_narrows_writes_and_never_widens_them(project: Path) -> None:
    user("version: 1\nwrites: {max_kib: 10, own: [a, b], create_in: [src]}\n")
    rules(
        project,
        "version: 1\n"
        "writes: {max_kib: 500, replace_lines: 5, own: [b, c], create_in: [src, lib], read_only: [shared]}\n",
    )
    writes = layers(project).settings.writes
    assert (writes.max_kib, writes.replace_lines, writes.own, writes.create_in, writes.read_only) == (
        10,
        5,
        ("b",),
        ("src",),
        ("shared",),
    )
    assert not writes.create_anywhere


@pytest.mark.parametrize(
    ("organisation", "in_project", "expected"),
    [
        ("", "", (False, True, "src")),
        ("", "create_anywhere: true", (True, False, "src")),
        ("", "create_anywhere: false", (False, False, "src")),
        ("", "create_in: [app]", (False, False, "app")),
        ("create_anywhere: true", "", (True, False, "src")),
        ("create_anywhere: true", "create_in: [app]", (False, False, "app")),
        ("create_anywhere: false", "create_anywhere: true", (False, False, "src")),
        ("create_in: [src, lib]", "create_anywhere: true", (False, False, "src")),
        ("create_in: [src, lib]", "create_in: [app, lib]", (False, False, "lib")),
    ],
)
def test_who_says_where_new_files_go(
    project: Path, organisation: str, in_project: str, expected: tuple[bool, bool, str]
) -> None:
    user(f"version: 1\nwrites: {{{organisation}}}\n")
    rules(project, f"version: 1\nwrites: {{{in_project}}}\n")
    writes = layers(project).settings.writes
    assert (writes.create_anywhere, writes.create_in_known, writes.create_in[0]) == expected


@pytest.mark.parametrize(
    "break_it", ["unknown key", "unreadable", "symlink", "others can write", "directory", "binary"]
)
@pytest.mark.parametrize("which", ["site", "user"])
def test_a_broken_block_list_closes_the_gate(project: Path, which: str, break_it: str, tmp_path: Path) -> None:
    path = (site if which == "site" else user)("version: 1\nblocked_commands: [terraform]\n")
    if break_it == "unknown key":
        path.write_text("version: 1\nblocked_comands: [terraform]\n")
    elif break_it == "unreadable":
        if os.geteuid() == 0:
            path.unlink()
            path.mkdir()
        else:
            path.chmod(0)
    elif break_it == "symlink":
        path.rename(tmp_path / "real.yaml")
        path.symlink_to(tmp_path / "real.yaml")
    elif break_it == "others can write":
        path.chmod(0o666)
    elif break_it == "directory":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(b"\x80\x81")
    verdict = judge((command("git", "status"),), layers(project))
    assert verdict.decision == Decision.DENY
    assert (
        str(path) in verdict.reason
        and "Everything is denied until this file is fixed; run `askfirst check`" in verdict.reason
    )


def test_a_broken_project_file_allows_nothing_and_is_said(project: Path) -> None:
    path = rules(project, "version: 1\ncommands:\n  - name: make-it\nprofils: [x]\n")
    verdict = judge((command("make-it"),), layers(project))
    assert verdict.decision == Decision.ASK
    assert f"{path}:4:1: unknown key `profils`; did you mean `profiles`?" in verdict.notes[0]
    assert judge((command("sudo"),), layers(project)).decision == Decision.DENY


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("nmae: x", "unknown key `nmae`; did you mean `name`?"),
        ("name: python3", "`python3` is an interpreter"),
        ("name: sudo", "`sudo` is always blocked"),
        ('{name: other, match: ["another"]}', "is not covered by the entry"),
        ("[x]", "an entry must be a name or a mapping"),
    ],
)
@pytest.mark.parametrize("which", ["user", "project"])
def test_one_bad_allowing_entry_does_not_void_the_others(project: Path, which: str, bad: str, says: str) -> None:
    if which == "user":
        path = user(f"version: 1\nallowed_commands:\n  - {bad}\n  - name: make-it\nblocked_commands: [terraform]")
    else:
        path = rules(project, f"version: 1\ncommands:\n  - {bad}\n  - name: make-it\n")
    found = layers(project)
    assert judge((command("make-it"),), found).decision == Decision.ALLOW
    asked = judge((command("other"),), found)
    assert asked.decision == Decision.ASK and f"{path}:3:" in asked.notes[0] and says in asked.notes[0]
    assert "This entry does not count until it is fixed; run `askfirst check`" in asked.notes[0]


@pytest.mark.parametrize(
    "bad", ["{name: rm, decison: deny}", "{name: 'a b', decision: ask}", "{name: make, decision: deny, match: [x]}"]
)
def test_a_bad_entry_that_may_forbid_something_is_not_passed_over(project: Path, bad: str) -> None:
    """In the organisation's file it closes the gate, in a project's no entry counts."""
    rules(project, f"version: 1\ncommands:\n  - {bad}\n  - name: make-it\n")
    assert judge((command("make-it"),), layers(project)).decision == Decision.ASK
    user(f"version: 1\nallowed_commands:\n  - {bad}\n  - name: make-it")
    assert "Everything is denied until this file is fixed" in layers(project).closed


def test_profiles_of_the_organisations_own(project: Path) -> None:
    site(
        "version: 1\n"
        "own_profiles: {acme: {description: ours, include: [python-dev], commands: [{name: acme, args: [build]}]}}"
    )
    assert judge((command("acme", "build"),), layers(project)).decision == Decision.ASK
    rules(project, "version: 1\nprofiles: [acme]\n")
    found = layers(project)
    allowed = judge((command("acme", "build"),), found)
    assert allowed.decision == Decision.ALLOW and allowed.findings[0].origin.layer == Layer.ORG_ALLOW
    assert judge((command("acme", "drop"),), found).decision == Decision.ASK
    assert found.settings.profiles == ("acme", "python-dev")
    rules(project, "version: 1\nprofiles: [acne]\n")
    assert "did you mean `acme`?" in layers(project).notes[0]
    user("version: 1\nprofiles: [acme]")
    assert judge((command("acme", "build"),), layers(project)).decision == Decision.ALLOW


DEEP = {
    "flow": "[" * 2000,
    "flow over lines": "[\n" * 2000,
    "mappings": "{a: " * 2000,
    "block": "\n".join("  " * i + "a:" for i in range(200)),
    "sequences": "- " * 2000 + "x",
    "keys": "? " * 2000 + "x",
}


@pytest.mark.parametrize("shape", DEEP)
def test_nesting_is_refused_before_the_parser_meets_it(project: Path, shape: str) -> None:
    with pytest.raises(ConfigError, match="nested too deeply"):
        parse(DEEP[shape], "f.yaml")


def test_what_nobody_trusts_is_not_parsed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askfirst.policy.config.parse", lambda *_: pytest.fail("parsed"))
    rules(project, "version: 1\ncommands: [make-it]\n", trusted=False)
    assert judge((command("make-it"),), layers(project)).decision == Decision.ASK


def test_a_broken_file_is_read_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules(project, "version: 1\ncomands: [make-it]\n")
    user("version: 1\nblocked_comands: [x]")
    first = layers(project)
    assert "unknown key `blocked_comands`" in first.closed
    monkeypatch.setattr("askfirst.policy.config.parse", lambda *_: pytest.fail("parsed again"))
    assert layers(project).closed == first.closed


def test_a_dangling_link_is_refused_not_taken_for_a_missing_file(project: Path) -> None:
    folder = project / ".askfirst"
    folder.mkdir()
    (folder / "allowed_commands.yaml").symlink_to(project / "nowhere")
    assert "symbolic link" in layers(project).notes[0]


def test_a_linked_directory_is_refused(project: Path, tmp_path: Path) -> None:
    write(tmp_path / "elsewhere" / "allowed_commands.yaml", "version: 1\ncommands: [make-it]\n")
    (project / ".askfirst").symlink_to(tmp_path / "elsewhere")
    assert "behind a symbolic link" in layers(project).notes[0]


def test_files_of_autocoder_are_read_where_there_is_no_own(project: Path, home: Path) -> None:
    path = write(
        project / ".autocoder" / "allowed_commands.yaml",
        "version: 1\ncommands:\n  - name: make-it\n    description: builds\n",
    )
    trust.trust(str(path), path.read_bytes())
    write(home / ".autocoder" / "config.yaml", "version: 1\nblocked_commands: [aws]\n")
    assert decision(project, "make-it") == "ALLOW" and decision(project, "aws") == "DENY"
    rules(project, "version: 1\n")
    user("version: 1\n")
    assert decision(project, "make-it") == "ASK" and decision(project, "aws") == "ASK"


# -- trust


def test_an_untrusted_file_does_not_count_and_is_said_where_it_matters(project: Path) -> None:
    path = rules(project, "version: 1\ncommands: [make-it]\nprofiles: [python-dev]\n", trusted=False)
    found = layers(project)
    verdict = judge((command("make-it"),), found)
    assert verdict.decision == Decision.ASK
    (note,) = verdict.notes
    assert note.startswith("the project's rule file is not trusted, so its entries do not count")
    assert path.name not in note, "the agent hears it, and the file is not the agent's to write"
    assert judge((command("sudo"),), found).notes == ()
    action = Action(("pytest",), Kind.BUILD, profile="python-dev")
    pytest_run = Command("pytest", (Word("pytest", "pytest"),), "pytest", "/p", action=action)
    assert judge((pytest_run,), found).notes == verdict.notes
    trust.trust(str(path), path.read_bytes())
    assert judge((command("make-it"),), layers(project)).decision == Decision.ALLOW
    assert judge((pytest_run,), layers(project)).decision == Decision.ALLOW


def test_trust_is_for_one_content_at_one_place(project: Path, tmp_path: Path) -> None:
    path = rules(project, "version: 1\ncommands: [make-it]\n")
    copy = tmp_path / "copy"
    other = rules(copy, path.read_text(), trusted=False)
    assert not trust.is_trusted(str(other), other.read_bytes())
    path.write_text(path.read_text() + "# more\n")
    assert not trust.is_trusted(str(path), path.read_bytes())
    changes = ["--- trusted", "+++ now", "@@ -1,2 +1,3 @@", " version: 1", " commands: [make-it]", "+# more"]
    assert trust.diff_since(str(path), path.read_bytes()) == changes
    path.write_text("version: 1\ncommands: [make-it]\n")
    assert trust.is_trusted(str(path), path.read_bytes())


def test_trusted_git_configuration_is_replaced_by_its_next_content() -> None:
    trust.trust_git(("/r/.git/config sha256:aa", "/r/.git/hooks/pre-commit sha256:bb"))
    trust.trust_git(("/r/.git/config sha256:cc",))
    assert trust.trusted_git() == {"/r/.git/config sha256:cc", "/r/.git/hooks/pre-commit sha256:bb"}


# -- scripts


def test_a_script_is_meant_by_its_real_path(project: Path) -> None:
    script = write(project / "scripts" / "build.sh", "#!/bin/sh\n", 0o755)
    rules(project, "version: 1\ncommands: [./scripts/build.sh]\n")
    found = layers(project)
    inside = "inside the project"
    assert (
        judge((command("./scripts/build.sh", foreign=inside, program=str(script)),), found).decision == Decision.ALLOW
    )
    assert (
        judge((command("scripts/../scripts/build.sh", foreign=inside, program=str(script)),), found).decision
        == Decision.ALLOW
    )
    assert (
        judge((command("./other/build.sh", foreign=inside, program=str(project / "other/build.sh")),), found).decision
        == Decision.ASK
    )
    assert (
        judge((command("build.sh", foreign=inside, program=str(project / "build.sh")),), found).decision == Decision.ASK
    )


def test_a_script_that_leads_out_of_the_project_does_not_count(project: Path, tmp_path: Path) -> None:
    target = write(tmp_path / "evil.sh", "#!/bin/sh\n", 0o755)
    (project / "build.sh").symlink_to(target)
    rules(project, "version: 1\ncommands: [./build.sh]\n")
    verdict = judge((command("./build.sh", program=str(target)),), layers(project))
    assert verdict.decision == Decision.ASK and "leads out of the project" in verdict.reason


def test_a_pinned_script_asks_again_when_it_changes(project: Path) -> None:
    from askfirst.digest import sha256_hex

    script = write(project / "build.sh", "#!/bin/sh\necho 1\n", 0o755)
    rules(project, f"version: 1\ncommands:\n  - name: ./build.sh\n    sha256: {sha256_hex(script.read_bytes())}\n")
    run = command("./build.sh", program=str(script), foreign="inside the project")
    assert judge((run,), layers(project)).decision == Decision.ALLOW
    script.write_text("#!/bin/sh\necho 2\n")
    verdict = judge((run,), layers(project))
    assert verdict.decision == Decision.ASK and "sha256" in verdict.reason


# -- examples


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ('{name: make-it, args: ["all"], match: ["make-it all"], not_match: ["make-it other", "other all"]}', ""),
        (
            '{name: make-it, args: ["all"], match: ["make-it other"]}',
            "the example `make-it other` is not covered by the entry `make-it`",
        ),
        (
            '{name: make-it, match: ["make-it $(other)"]}',
            "the example `make-it $(other)` is not covered by the entry `make-it`",
        ),
        (
            '{name: make-it, not_match: ["make-it x"]}',
            "the example `make-it x` is covered by the entry `make-it`, and must not be",
        ),
        ('{name: make-it, decision: deny, match: ["make-it x"], not_match: ["other"]}', ""),
        ('{name: make-it, match: ["echo make-it"]}', "the example `echo make-it` is not covered"),
        ('{name: make-it, match: [""]}', "`match` is empty"),
        ('{name: make-it, expires: 2001-01-01, roles: [sre], match: ["make-it"]}', ""),
    ],
)
def test_entries_prove_themselves(project: Path, entry: str, says: str) -> None:
    path = rules(project, f"version: 1\ncommands:\n  - {entry}\n")
    if not says:
        assert layers(project).notes == ()
        return
    assert says in layers(project).notes[0] and f"{path}:3:" in layers(project).notes[0]
    (problem,) = rulefiles.project_rules(str(path), path.read_bytes(), str(project), most=100).problems
    error = ConfigError.of(problem)
    assert error.line == 3 and error.excerpt.startswith("    3 |") and "^" in error.excerpt


# -- the cache


def test_a_cache_hit_is_the_same_and_needs_no_yaml(project: Path) -> None:
    user(
        "version: 1\nblocked_commands: [{name: npm, args: [publish], reason: CI}]\n"
        "roles: {a: sre}\nwrites: {deny: ['*.x']}\n"
    )
    rules(
        project,
        "version: 1\ncommands:\n"
        "  - {name: make-it, expires: 2030-01-01, env: [A], match: ['make-it']}\nprofiles: [node-dev]\n",
    )
    first = layers(project)
    code = (
        "import sys, time; from askfirst.store.layers import load_layers\n"
        "found = load_layers(sys.argv[1], session='s', agent='claude', now=1800000000.0)\n"
        "slow = 'yaml datetime askfirst.policy.config'.split()\n"
        "slow = [m for m in slow if m in sys.modules]\n"
        "print(slow, len(found.org_block), found.project_allow[0].name, found.settings.profiles)"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}", str(project)],
        capture_output=True,
        text=True,
        env={**os.environ},
        check=False,
    )
    assert ran.stdout.strip() == "[] 1 make-it ('node-dev',)", ran.stderr
    again = layers(project)
    assert replace(again, grants=()) == replace(first, grants=())


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 100, None])
def test_a_broken_cache_is_recomputed(project: Path, damage: bytes | None) -> None:
    user("version: 1\nblocked_commands: [terraform]\n")
    assert decision(project, "terraform") == "DENY"
    folder = Path(paths.state_dir()) / "rules"
    for file in folder.iterdir():
        data = file.read_bytes()
        file.write_bytes(damage if damage is not None else data[:-1] + bytes([data[-1] ^ 1]))
    assert decision(project, "terraform") == "DENY"


def test_a_state_directory_that_cannot_be_written_costs_only_time(project: Path) -> None:
    user("version: 1\nblocked_commands: [terraform]\n")
    state = Path(paths.state_dir())
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text("a file where the directory should be")
    assert rulefiles.org_file(str(Path(paths.user_config_dir()) / "config.yaml")) is not None


def test_the_cache_is_pruned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulecache, "_MAX_FILES", 10)
    for number in range(25):
        rulecache.put(f"{number:064}", (number,))
    assert len(list((Path(paths.state_dir()) / "rules").iterdir())) <= 11


def test_every_decision_names_its_file_and_line(project: Path) -> None:
    path = user(
        "version: 1\n\nblocked_commands:\n  - jq\n  - name: npm\n    args: [publish]\n"
        "    reason: releases go through CI\n"
    )
    verdict = judge((command("npm", "publish"),), layers(project))
    finding = verdict.findings[0]
    assert (finding.origin.layer, finding.origin.rule, finding.origin.source, finding.origin.line) == (
        Layer.ORG_BLOCK,
        "npm",
        str(path),
        5,
    )
    assert "releases go through CI" in verdict.reason and f"{path}:5" in for_agent(verdict)
