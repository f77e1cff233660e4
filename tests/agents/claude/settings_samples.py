"""Settings that Claude Code drops or takes, for the table of agents/claude/accepts.py and for the real client."""

from __future__ import annotations

from typing import Any

HOOK = {"type": "command", "command": "true"}
GROUP = {"hooks": [HOOK]}


def before_tool(**more: Any) -> dict[str, Any]:
    return {"hooks": {"PreToolUse": [{"hooks": [{**HOOK, **more}]}]}}


# (settings, the key that has to be named)
DROPPED: list[tuple[dict[str, Any], str]] = [
    ({"model": 5}, "model"),
    ({"model": None}, "model"),
    ({"permissions": {"allow": "x"}}, "permissions.allow"),
    ({"permissions": []}, "permissions"),
    ({"permissions": {"defaultMode": "yolo"}}, "permissions.defaultMode"),
    ({"permissions": {"additionalDirectories": [5]}}, "permissions.additionalDirectories"),
    ({"disableAllHooks": "true"}, "disableAllHooks"),
    ({"env": "A=1"}, "env"),
    ({"env": ["A=1"]}, "env"),
    ({"cleanupPeriodDays": 0}, "cleanupPeriodDays"),
    ({"cleanupPeriodDays": 1.5}, "cleanupPeriodDays"),
    ({"cleanupPeriodDays": 1 << 60}, "cleanupPeriodDays"),
    ({"feedbackSurveyRate": 2}, "feedbackSurveyRate"),
    ({"statusLine": {"type": "command"}}, "statusLine"),
    ({"statusLine": {"type": "text", "command": "x"}}, "statusLine.type"),
    ({"statusLine": "x"}, "statusLine"),
    ({"fallbackModel": "opus"}, "fallbackModel"),
    ({"modelOverrides": {"a": 5}}, "modelOverrides"),
    ({"enabledPlugins": {"a@b": "yes"}}, "enabledPlugins"),
    ({"skillOverrides": {"a": "maybe"}}, "skillOverrides"),
    ({"sandbox": {"network": {"allowedDomains": "x"}}}, "sandbox.network.allowedDomains"),
    ({"sandbox": {"ripgrep": {}}}, "sandbox.ripgrep"),
    ({"quietHours": {"start": "25:00"}}, "quietHours.start"),
    ({"sshConfigs": [{"id": "a", "name": "b"}]}, "sshConfigs[0]"),
    ({"pluginConfigs": {"a": {"options": {"b": {}}}}}, "pluginConfigs.a.options"),
    ({"tui": "big"}, "tui"),
    (before_tool(timeout="5"), "hooks.PreToolUse[0].hooks[0].timeout"),
    (before_tool(timeout=0), "hooks.PreToolUse[0].hooks[0].timeout"),
    (before_tool(onFailure="ask"), "hooks.PreToolUse[0].hooks[0].onFailure"),
    (before_tool(type="shell"), "hooks.PreToolUse[0].hooks[0]"),
    (before_tool(args="x"), "hooks.PreToolUse[0].hooks[0].args"),
    ({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x"}]}]}}, "hooks.PreToolUse[0].hooks[0].url"),
    ({"hooks": {"PreToolUse": [{"matcher": 5, "hooks": [HOOK]}]}}, "hooks.PreToolUse[0].matcher"),
    ({"hooks": {"PreToolUse": [{"matcher": "Bash"}]}}, "hooks.PreToolUse[0]"),
    ({"hooks": {"PreToolUse": GROUP}}, "hooks.PreToolUse"),
    ({"hooks": {"PostToolUse": [{"PreToolUse": [GROUP]}]}}, "hooks.PostToolUse[0]"),
    ({"PreToolUse": [GROUP]}, "PreToolUse"),
    ({"other": {"a": [{"matcher": "Bash", "hooks": [HOOK]}]}}, "other"),
]
# Dropped by 2.1.197 only: the newer client drops that one hook.
DROPPED_BEFORE: list[tuple[dict[str, Any], str]] = [
    ({"hooks": {"PostToolUse": [{"hooks": [{**HOOK, "timeout": "5"}]}]}}, "hooks.PostToolUse[0].hooks[0].timeout"),
    ({"enableWorkflows": None}, "enableWorkflows"),
]
TAKEN: list[dict[str, Any]] = [
    {},
    {"model": "opus", "nobodyKnows": 5, "effortLevel": 5, "theme": []},
    {"permissions": {"allow": ["Bash(ls)", 5, "Bash("], "defaultMode": "plan", "other": 5}},
    {"env": {"A": 5, "PreToolUse": "x"}},
    {"cleanupPeriodDays": 30, "feedbackSurveyRate": 0},
    {"statusLine": {"type": "command", "command": "x", "padding": 0}},
    {"attribution": {"commit": ""}, "enabledPlugins": {"a@b": ["1.0"]}, "quietHours": {"start": "7:30"}},
    {"hooks": {"NoSuchEvent": 5, "PreToolUse": [{"matcher": "(", "hooks": [{**HOOK, "timeout": 0.5, "new": 5}]}]}},
    {"hooks": {"PreToolUse": None, "Stop": "x"}, "PostToolUse": [GROUP], "PreToolUse": []},
    {"pluginConfigs": {"a": {"PreToolUse": [GROUP]}}},
]
