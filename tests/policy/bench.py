"""Rules from plain values, and verdicts with them in a scratch project: what the tables of this directory run on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from askfirst.model import Verdict
from askfirst.policy.config import parse_org, parse_project
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers
from askfirst.shell import analyze
from askfirst.store import rulefiles
from askfirst.store.layers import _counted, settings_of
from askfirst.wording import for_person
from tests.scorecard import Bench

NOW = 1_800_000_000.0


class RuleBench(Bench):
    def __init__(self, base: Path) -> None:
        super().__init__(base, ())

    def with_rules(
        self, *, org: dict[str, Any] | None = None, project: dict[str, Any] | None = None, role: str = ""
    ) -> Layers:
        files = [parse_org(yaml.safe_dump({"version": 1, **(org or {})}), "org.yaml")]
        settings = settings_of(files)
        layers = Layers(
            str(self.project),
            org_block=files[0].blocked,
            org_allow=files[0].allowed,
            dangerous=files[0].dangerous,
            settings=replace(settings, role=role),
            home=str(self.home),
            now=NOW,
        )
        file = parse_project(yaml.safe_dump({"version": 1, **(project or {})}), "project.yaml")
        return _counted(layers, replace(file, rules=tuple(rulefiles.placed(r, str(self.project)) for r in file.rules)))

    def verdict(self, command: str, layers: Layers) -> Verdict:
        return judge(analyze(command, self.surroundings()), layers)

    def wrong(self, rows: dict[str, str], layers: Layers) -> list[str]:
        """The rows `command: "decision: words"` that come out otherwise, each in one line."""
        found = []
        for command, wanted in rows.items():
            decision, _, words = wanted.partition(": ")
            verdict = self.verdict(command, layers)
            said = for_person(verdict) + (f" {verdict.deciding.advice}" if verdict.deciding is not None else "")
            if verdict.decision.name.lower() != decision or words not in said:
                found.append(f"{command!r}: wanted {wanted!r}, got {verdict.decision.name.lower()}: {said}")
        return found
