"""Roles: what each may run (a table), approve, and how the log marks it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.policy.roles import CAPABILITIES, may_approve, role_of, severity
from askfirst.policy.rules import ROLES, Settings
from tests.policy.bench import RuleBench

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent.parent / "cases" / "policy_roles.yaml").read_text(encoding="utf-8")
)
USERS = {"ada": "dev", "bo": "sre", "cy": "release_manager", "di": "product_owner"}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["what"])
def test_roles(case: dict[str, Any], tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    role = case.get("role", "")
    org = dict(case.get("org", {})) | ({"roles": {"somebody": "sre"}} if role else {})
    layers = bench.with_rules(org=org, project=case.get("project"), role=role)
    wrong = bench.wrong(case["run"], layers)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("command", "may"),
    [
        ("frobnicate", {"ada", "bo", "cy"}),
        ("aws s3 rm s3://x", {"bo"}),
        ("frobnicate; aws s3 rm s3://x", {"bo"}),
        ("git push", {"cy"}),
        ("npm publish", {"cy"}),
        ("git push; aws s3 rm s3://x", set()),
        ('eval "$x"', {"ada", "bo", "cy"}),
    ],
)
def test_who_may_approve(command: str, may: set[str], tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    verdict = bench.verdict(command, bench.with_rules())
    settings = Settings(roles=USERS)
    assert {user for user in USERS if not may_approve(user, verdict, settings)} == may
    assert all(not may_approve(user, verdict, Settings()) for user in USERS)
    assert bool(may_approve("a stranger", verdict, settings)) == bool(may_approve("ada", verdict, settings))


def test_infrastructure_and_releases_are_critical_in_the_log(tmp_path: Path) -> None:
    bench = RuleBench(tmp_path)
    layers = bench.with_rules()
    settings = Settings(roles=USERS)
    assert severity(bench.verdict("terraform apply", layers), settings) == "critical"
    assert severity(bench.verdict("git push", layers), settings) == "critical"
    assert severity(bench.verdict("git status", layers), settings) == "routine"
    assert severity(bench.verdict("terraform apply", layers), Settings()) == "routine"


def test_every_role_is_described_and_who_is_not_listed_is_a_dev() -> None:
    assert set(CAPABILITIES) == set(ROLES)
    assert role_of("a stranger", Settings(roles=USERS)) == "dev"
    assert role_of("bo", Settings(roles=USERS)) == "sre"
    assert role_of("bo", Settings()) == ""
