"""OpenCode: a plugin of askfirst's own (plugin.js), which calls the hook and throws to block."""

from __future__ import annotations

import os

from askfirst import jsontext
from askfirst.install.command import gate_words, mcp_words
from askfirst.install.installer import Installer, Trouble
from askfirst.install.owned_file import OwnedFileInstaller

TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.js")


class OpenCodeInstaller(OwnedFileInstaller):
    name = "opencode"

    def settings_path(self, scope: str, project: str) -> str:
        config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        base = os.path.join(config, "opencode") if scope == "user" else os.path.join(project, ".opencode")
        return os.path.join(base, "plugins", "askfirst.js")

    def content(self, scope: str) -> bytes:
        with open(TEMPLATE, encoding="utf-8") as file:
            return file.read().replace("__GATE__", jsontext.dumps(gate_words(self.name, scope))).encode()

    def install_mcp(self, scope: str, project: str) -> str:
        server = jsontext.dumps({"askfirst": {"type": "local", "command": mcp_words(scope)}})
        return f"add this to `mcp` in opencode.json: {server}"

    def troubles(self, scope: str, project: str) -> tuple[Trouble, ...]:
        if not os.environ.get("OPENCODE_PURE"):
            return ()
        return (Trouble("OPENCODE_PURE is set, so OpenCode runs without plugins", "unset OPENCODE_PURE"),)


INSTALLER: Installer = OpenCodeInstaller()
