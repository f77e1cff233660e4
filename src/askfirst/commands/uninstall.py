"""`askfirst uninstall`: settings as they were before `askfirst init`, byte for byte. Rules, grants and the log stay."""

from __future__ import annotations

import argparse

from askfirst.cli.where import directory
from askfirst.commands.init import add_scope, chosen_scope
from askfirst.install.agents import installer

EXAMPLES = """\
examples:
  askfirst uninstall             undoes `askfirst init`
  askfirst uninstall --user      undoes `askfirst init --user`

A file that somebody changed since keeps those changes; only what askfirst wrote goes. A session that is running keeps the gate
until it ends.
"""

WORDS = {
    "restored": "as it was before, byte for byte",
    "removed": "removed; it was not there before",
    "edited": "changed since by somebody else, so only askfirst's hooks were taken out",
    "not there": "no hooks of askfirst's",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scope(parser, "out of which agent")


def run(args: argparse.Namespace) -> int:
    from askfirst import audit
    from askfirst.approval.person import user_name
    from askfirst.text import console, visible

    agent, project, scope = installer(args.agent), directory(args.dir), chosen_scope(args)
    changes = [agent.uninstall(scope, project), *agent.uninstall_mcp(scope, project)]
    out = console()
    for change in changes:
        if change.did != "not there":
            record = {"what": "hooks taken out of", "file": change.path, "project": project, "by": user_name()}
            audit.append("config", record, durable=True)
        out.print(visible(f"{change.path}: {WORDS[change.did]}"), soft_wrap=True)
    return 0 if any(c.did != "not there" for c in changes) else 1
