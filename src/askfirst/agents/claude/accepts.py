"""What Claude Code takes in a settings file. For anything else it drops the whole file, hooks included, and in a
headless run without a word.

The rows were found by trying: `claude --init-only` with a SessionStart hook beside each wrong value shows whether the
file still counts; `tests/e2e/test_settings_rules.py` tries every row again. Where the versions differ, the stricter
counts: nobody knows which client will read the file. A key that is not listed may hold anything (the client ignores it,
or drops only that entry).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SEEN_IN = ("2.1.197", "2.1.325")
MAX_BYTES = 2 << 20  # a larger file is dropped
LARGEST_INT = (1 << 53) - 1

# kind -> the keys that must be of it, where they are there at all. `a.b` is a member, `a.*` every member, `a.[]` every
# item. Kinds: a type; a literal in quotes; [kind] and {kind} for what lists and objects hold; `|` between alternatives.
ROWS = {
    "string": """
$schema apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh processWrapper attributionProject
model prUrlTemplate otelHeadersHelper outputStyle language advisorModel agent minimumVersion requiredMinimumVersion
requiredMaximumVersion plansDirectory timeFormat timeZone autoMemoryDirectory claudeMd pluginTrustMessage
attribution.commit attribution.pr breakReminder.message remote.defaultEnvironmentId statusLine.command
fileSuggestion.command sandbox.ripgrep.command sshConfigs.[].id sshConfigs.[].name sshConfigs.[].sshHost
sshConfigs.[].sshIdentityFile sshConfigs.[].startDirectory allowedChannelPlugins.[].marketplace
allowedChannelPlugins.[].plugin
""",
    "bool": """
respectGitignore wslInheritsWindowsSettings includeCoAuthoredBy includeGitInstructions disableAllHooks disableReplyCheck
workflowKeywordTriggerEnabled bashEditDiffEnabled respondToBashCommands allowAllClaudeAiMcps
allowClaudeInChromeWithManagedMcp forceRemoteSettingsRefresh spinnerTipsEnabled clawdFileProgressEnabled
syntaxHighlightingDisabled terminalTitleFromRename alwaysThinkingEnabled fastMode promptSuggestionEnabled
emojiCompletionEnabled awaySummaryEnabled showClearContextOnPlanAccept prefersReducedMotion doneMeansMerged
totalTokensReminderAfterUserTurn autoMemoryEnabled autoDreamEnabled showThinkingSummaries verbose autoCompactEnabled
precomputeCompactionEnabled idleCompaction switchModelsOnFlag autoScrollEnabled wheelScrollAccelerationEnabled
fileCheckpointingEnabled showTurnDuration showMessageTimestamps terminalProgressBarEnabled todoFeatureEnabled
inputNeededNotifEnabled agentPushNotifEnabled voiceEnabled axScreenReader
syncClaudeAiSkills syncClaudeAiPlugins enforceAvailableModels enableAllProjectMcpServers disableClaudeAiConnectors
disableBundledSkills disableAgentView disableRemoteControl disableWorkflows disableArtifact enableArtifact
enableWorkflows disableSkillShellExecution disableWindowsBashCommandSplit allowManagedHooksOnly
allowManagedPermissionRulesOnly allowManagedMcpServersOnly disableCommandPluginSources disableSideloadFlags
skipWebFetchPreflight fastModePerSessionOptIn responseComparisonEnabled channelsEnabled
skipDangerousModePermissionPrompt skipWorkflowUsageWarning autoContinueAtUsageLimit remoteControlAtStartup
isolatePeerMachines autoUploadSessions skipAutoPermissionPrompt useAutoModeDuringPlan
permissions.blockReadsOutsideWorkingDirectories permissions.blockFileToolReadsOutsideWorkingDirectories
permissions.blockWritesOutsideWorkingDirectories permissions.denyInsteadOfPrompting attribution.sessionUrl
breakReminder.enabled quietHours.enabled voice.enabled voice.autoSubmit remoteTools.allowUnattendedServing
statusLine.hideVimModeIndicator autoMode.classifyAllShell sandbox.enabled sandbox.failIfUnavailable
sandbox.autoAllowBashIfSandboxed sandbox.allowUnsandboxedCommands sandbox.enableWeakerNestedSandbox
sandbox.allowNestedUserNamespaces sandbox.enableWeakerNetworkIsolation sandbox.allowAppleEvents
sandbox.network.strictAllowlist sandbox.network.allowManagedDomainsOnly sandbox.network.allowAllUnixSockets
sandbox.network.allowLocalBinding sandbox.filesystem.allowManagedReadPathsOnly sandbox.filesystem.disabled
sandbox.credentials.allowPlaintextInject
""",
    "number": "statusLine.padding sandbox.network.httpProxyPort sandbox.network.socksProxyPort",
    "int": "sshConfigs.[].sshPort",
    "int >0": """
cleanupPeriodDays skillListingMaxDescChars totalTokensReminderBudget breakReminder.intervalMinutes
breakReminder.breakThresholdMinutes
""",
    "int >=0": "desktopSessionCleanupPeriodDays",
    "number >0 <=1": "skillListingBudgetFraction",
    "number >=0 <=1": "feedbackSurveyRate",
    "[string]": """
fallbackModel availableModels allowedHttpHookUrls httpHookAllowedEnvVars pluginSuggestionMarketplaces
companyAnnouncements claudeMdExcludes enabledMcpjsonServers disabledMcpjsonServers permissions.additionalDirectories
worktree.symlinkDirectories worktree.sparsePaths autoMode.allow autoMode.soft_deny autoMode.hard_deny
autoMode.environment spinnerVerbs.verbs sandbox.excludedCommands sandbox.ripgrep.args sandbox.network.allowedDomains
sandbox.network.deniedDomains sandbox.network.allowUnixSockets sandbox.network.allowMachLookup
sandbox.filesystem.allowWrite sandbox.filesystem.denyWrite sandbox.filesystem.denyRead sandbox.filesystem.allowRead
""",
    "[any]": "permissions.allow permissions.deny permissions.ask",
    "[object]": "sshConfigs allowedChannelPlugins sandbox.credentials.files sandbox.credentials.envVars",
    "{string}": "modelOverrides",
    "{any}": "env",
    "{[string]}": "sandbox.ignoreViolations",
    "{object}": "pluginConfigs",
    "{bool|[string]}": "enabledPlugins",
    "{string|number|bool|[string]}": "pluginConfigs.*.options pluginConfigs.*.mcpServers.*",
    "object": """
breakReminder quietHours permissions worktree sandbox remote voice remoteTools autoMode statusLine fileSuggestion
spinnerVerbs sandbox.network sandbox.filesystem sandbox.credentials sandbox.ripgrep sandbox.network.tlsTerminate
pluginConfigs.*.mcpServers hooks
""",
    "bool|object": "attribution",  # 2.1.197 took an object only
    "string|[string]": "forceLoginOrgUUID",
    '"command"': "statusLine.type fileSuggestion.type",
    '"disable"': """
permissions.disableBypassPermissionsMode permissions.disableAutoMode disableAutoMode disableDeepLinkRegistration
""",
    '"acceptEdits"|"auto"|"bypassPermissions"|"default"|"dontAsk"|"plan"': "permissions.defaultMode",
    '"append"|"replace"': "spinnerVerbs.mode",
    '"bash"|"powershell"': "defaultShell",
    '"chat"|"transcript"': "defaultView",
    '"default"|"fullscreen"': "tui",
    '"first-wins"|"merge"': "parentSettingsBehavior managedSourcesBehavior",
    '"fresh"|"head"': "worktree.baseRef",
    '"hold"|"tap"': "voice.mode",
    '"latest"|"stable"|"rc"': "autoUpdatesChannel",
    '"notify"|"quiet"|"off"': "feedbackDrafts",
    '"off"|"infinite"|"fixed"|"countdown"|"padded-countdown"': "totalTokensReminder",
    '{"on"|"name-only"|"user-invocable-only"|"off"}': "skillOverrides",
    '"transient"|"ask"': "daemonColdStart",
    '"unrestricted"|"small"|"medium"|"large"': "workflowSizeGuideline",
    "clock": "quietHours.start quietHours.end",
}
# Members that must be there where their object is.
REQUIRED = """
statusLine.type statusLine.command fileSuggestion.type fileSuggestion.command spinnerVerbs.mode spinnerVerbs.verbs
sandbox.ripgrep.command sshConfigs.[].id sshConfigs.[].name sshConfigs.[].sshHost allowedChannelPlugins.[].marketplace
allowedChannelPlugins.[].plugin
""".split()

# What stands in `hooks.EVENT[].hooks[]`. One bad hook of any event drops the file in 2.1.197; in 2.1.325 one before a
# tool does (a bad hook of another event is dropped alone there).
HOOK = {
    "string": "command statusMessage if model prompt",
    "number >0": "timeout",
    "bool": "async asyncRewake once",
    "[string]": "args allowedEnvVars",
    "{string}": "headers",
    '"bash"|"powershell"': "shell",
    '"continue"|"block"': "onFailure",
    "url": "url",
}
HOOK_NEEDS = {
    "command": ("command",),
    "prompt": ("prompt",),
    "agent": ("prompt",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
}
# Only these keep a file from counting when they stand in the wrong place; below these keys anything may be called so.
GUARDS = ("PreToolUse", "PermissionRequest")
NOT_SEARCHED = frozenset(
    """
hooks mcpServers managedMcpServers lspServers pluginConfigs enabledPlugins extraKnownMarketplaces env skillOverrides
modelSettings
""".split()
)


def why_dropped(settings: Any) -> str:
    """The first thing for which a client would drop these settings, with its key; "" when they hold."""
    if not isinstance(settings, dict):
        return f"the file holds {_named(settings)}, not an object"
    return next(_problems(settings), "")


def _problems(settings: dict[str, Any]) -> Iterator[str]:
    for kind, keys in ROWS.items():
        for key in keys.split():
            for place, value in _at(settings, key.split("."), ""):
                if not fits(kind, value):
                    yield f"`{place}` is {_named(value)}, and must be {words(kind)}"
    for key in REQUIRED:
        *above, last = key.split(".")
        for place, value in _at(settings, above, ""):
            if isinstance(value, dict) and last not in value:
                yield f"`{place}` has no `{last}`"
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        yield from _hook_problems(event, groups)
    for key, value in settings.items():
        if key not in NOT_SEARCHED and _hides_guard(value, key):
            yield f"`{key}` holds hooks, which belong below `hooks`"


def _at(value: Any, path: list[str], place: str) -> Iterator[tuple[str, Any]]:
    """(place, value) of everything that a path leads to."""
    if not path:
        yield place, value
        return
    step, *rest = path
    if step == "[]":
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield from _at(item, rest, f"{place}[{number}]")
    elif isinstance(value, dict):
        for key in value if step == "*" else [step] if step in value else ():
            yield from _at(value[key], rest, f"{place}.{key}" if place else key)


def _hook_problems(event: str, groups: Any) -> Iterator[str]:
    place = f"hooks.{event}"
    if not isinstance(groups, list):
        # An event of that form is ignored, unless it is one that guards.
        if (event in GUARDS and groups is not None) or _hides_guard(groups, ""):
            yield f"`{place}` is {_named(groups)}, and must be a list"
        return
    for number, group in enumerate(groups):
        here = f"{place}[{number}]"
        if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
            yield f"`{here}` must be an object with a list `hooks`"
            continue
        if not isinstance(group.get("matcher", ""), str):
            yield f"`{here}.matcher` is {_named(group['matcher'])}, and must be a string"
        for index, hook in enumerate(group["hooks"]):
            yield from _entry_problems(f"{here}.hooks[{index}]", hook)


def _entry_problems(place: str, hook: Any) -> Iterator[str]:
    kind = hook.get("type") if isinstance(hook, dict) else None
    if not isinstance(kind, str) or kind not in HOOK_NEEDS:
        yield f"`{place}` has no known `type` (one of {', '.join(HOOK_NEEDS)})"
        return
    for name in HOOK_NEEDS[kind]:
        if name not in hook:
            yield f"`{place}` has no `{name}`"
    for wanted, names in HOOK.items():
        for name in names.split():
            if name in hook and not fits(wanted, hook[name]):
                yield f"`{place}.{name}` is {_named(hook[name])}, and must be {words(wanted)}"


def _hides_guard(value: Any, key: str, depth: int = 4) -> bool:
    """Hooks before a tool in a place where the client does not look for them: it would rather have no settings."""
    if key in GUARDS and value is not None and value != []:
        return True
    if depth == 0:
        return False
    if isinstance(value, list):
        return any(_hides_guard(item, "", depth - 1) for item in value)
    if not isinstance(value, dict):
        return False
    if "matcher" in value and isinstance(value.get("hooks"), (list, dict)) and value["hooks"]:
        return True
    return any(_hides_guard(item, name, depth - 1) for name, item in value.items())


# Kinds


def fits(kind: str, value: Any) -> bool:
    return any(_fits_one(one, value) for one in _alternatives(kind))


def _alternatives(kind: str) -> list[str]:
    """Split at `|`, but not inside brackets."""
    parts, depth = [""], 0
    for letter in kind:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _fits_one(kind: str, value: Any) -> bool:
    if kind[0] == "[":
        return isinstance(value, list) and all(fits(kind[1:-1], item) for item in value)
    if kind[0] == "{":
        return isinstance(value, dict) and all(fits(kind[1:-1], item) for item in value.values())
    if kind[0] == '"':
        return bool(value == kind[1:-1])
    name, *bounds = kind.split()
    return _is_a(name, value) and all(_within(bound, value) for bound in bounds)


def _is_a(name: str, value: Any) -> bool:
    if name == "any":
        return True
    if name in ("number", "int"):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and (name == "number" or (value == value // 1 and abs(value) <= LARGEST_INT))
    if name == "clock":
        return isinstance(value, str) and _is_time(value)
    if name == "url":
        return isinstance(value, str) and "://" in value[1:]
    return isinstance(value, {"string": str, "bool": bool, "object": dict}[name])


def _is_time(text: str) -> bool:
    hours, _, minutes = text.partition(":")
    return _is_below(hours, 24) and len(minutes) == 2 and _is_below(minutes, 60)


def _is_below(digits: str, limit: int) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) <= 2 and int(digits) < limit


def _within(bound: str, value: float) -> bool:
    if bound.startswith(">="):
        return value >= float(bound[2:])
    if bound.startswith("<="):
        return value <= float(bound[2:])
    return value > float(bound[1:])


NAMES = {"string": "a string", "bool": "true or false", "object": "an object", "number": "a number", "any": "anything"}


def words(kind: str) -> str:
    """A kind for people."""
    return " or ".join(_words_of_one(one) for one in _alternatives(kind))


def _words_of_one(kind: str) -> str:
    if kind[0] == "[":
        return f"a list of {words(kind[1:-1])}" if kind != "[any]" else "a list"
    if kind[0] == "{":
        return f"an object whose values are {words(kind[1:-1])}" if kind != "{any}" else "an object"
    if kind[0] == '"':
        return kind
    name, *bounds = kind.split()
    names = {**NAMES, "int": "a whole number", "clock": 'a time such as "22:00"', "url": "an address (https://…)"}
    return f"{names[name]} {' and '.join(map(_bound, bounds))}".rstrip()


def _bound(text: str) -> str:
    """`>0` is "above 0"."""
    sign = text.rstrip("0123456789.")
    named = {">": "above", ">=": "of at least", "<=": "of at most"}
    return f"{named[sign]} {text.removeprefix(sign)}"


def _named(value: Any) -> str:
    """What stands there, without showing it: it may be a secret."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return "a string" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
