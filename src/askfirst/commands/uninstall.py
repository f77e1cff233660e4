"""`askfirst uninstall`: settings as they were before `askfirst init`, byte for byte. Rules, grants and the log stay."""

from __future__ import annotations

import argparse

from askfirst import audit
from askfirst.approval.person import user_name
from askfirst.cli.installing import add_scope, chosen_scope
from askfirst.cli.where import directory
from askfirst.install.git_ignored import take_back
from askfirst.install.installer import installer_of
from askfirst.install.undo import ABSENT, CLEANED, REMOVED, RESTORED
from askfirst.resident import socket_place as place
from askfirst.resident import start
from askfirst.text import console, visible

EXAMPLES = """\
examples:
  askfirst uninstall             undoes `askfirst init`
  askfirst uninstall --user      undoes `askfirst init --user`

In a file that someone changed since, only askfirst's hooks are removed. A running session keeps the gate until it ends.
"""

SAID = {
    RESTORED: "restored byte for byte",
    REMOVED: "removed; it did not exist before",
    CLEANED: "changed by someone else since, so only askfirst's hooks were removed",
    ABSENT: "has no hooks of askfirst's",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scope(parser, "the agent to remove the gate from")


def run(args: argparse.Namespace) -> int:
    agent, project, scope = installer_of(args.agent), directory(args.dir), chosen_scope(args)
    results = [agent.uninstall(scope, project), *agent.uninstall_mcp(scope, project)]
    out = console()
    start.stop(place.default())
    for done in results:
        take_back(done.path)
        if done.did != ABSENT:
            record = {"what": "hooks taken out of", "file": done.path, "project": project, "by": user_name()}
            audit.append("config", record, durable=True)
        out.print(visible(f"{done.path}: {SAID[done.did]}"), soft_wrap=True)
    return 0 if any(done.did != ABSENT for done in results) else 1
