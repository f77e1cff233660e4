"""Codex runs only hooks that a person has trusted, and calls none for what it types into a terminal: doctor says so."""

from __future__ import annotations

from pathlib import Path

from askfirst.agents.codex.install import INSTALLER


def test_codex_is_trusted_and_its_terminals_are_closed(project: Path, home: Path) -> None:
    INSTALLER.install("user", str(project))
    assert {check.level for check in INSTALLER.checks(str(project))} == {"fail", "warn"}
    key = f"{INSTALLER.settings_path('user', str(project))}:pre_tool_use:0:0"
    config = home / ".codex/config.toml"
    config.write_text(
        f'[features]\nunified_exec_tty = false\n[hooks.state."{key}"]\nenabled = true\ntrusted_hash = "sha256:0"\n'
    )
    assert {check.level for check in INSTALLER.checks(str(project))} == {"ok"}
    config.write_text("[features]\nhooks = false\n")
    assert any("turns every hook off" in check.text for check in INSTALLER.checks(str(project)))
    config.write_text("[features\n")
    assert any("cannot be read" in check.text for check in INSTALLER.checks(str(project)))
