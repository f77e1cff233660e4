"""The tools of agents, in Claude Code's names: which run commands, which write files, and which do neither."""

from __future__ import annotations

RUNNERS = frozenset(("Bash", "Monitor"))
WRITERS = frozenset(
    ("Write", "Edit", "MultiEdit", "NotebookEdit", "DeleteFile")
)  # DeleteFile: askfirst's own, over MCP
READERS = frozenset(("Read", "Grep", "LS"))  # as askfirst's own server calls them
# What other agents have and Claude Code has not: a patch over several files, a deletion, several commands in one call.
PATCH, DELETE, COMMANDS = "ApplyPatch", "Delete", "Commands"
FOREIGN = frozenset((PATCH, DELETE, COMMANDS))
# Tools that run nothing and write nothing here; what their subagents and schedules do later comes through the gate itself.
# A tool that stands in no table is asked for by its name.
PASSING = frozenset(
    """
    Read Grep Glob LS NotebookRead LSP TodoRead TodoWrite Task Agent ListAgents SendMessage TaskCreate TaskGet TaskList TaskUpdate
    TaskOutput TaskStop BashOutput KillShell KillBash WebFetch WebSearch AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch
    DeferredToolPlaceholder ListMcpResources ListMcpResourcesTool ReadMcpResource ReadMcpResourceTool StructuredOutput ReportFindings
    ScheduleWakeup CronCreate CronDelete CronList SendUserMessage PushNotification Brief Sleep TeamCreate TeamDelete EnterWorktree
    ExitWorktree Workflow
    """.split()
)
# Of those, what starts a subagent: the skills that it loads may hold `!` blocks, which the client runs with no hook of their own.
STARTERS = frozenset(("Task", "Agent"))
# askfirst's own introspection: nothing there can answer a request. By name: a server that calls itself askfirst gets no more than these.
OWN_TOOLS = frozenset(
    f"mcp__askfirst__{name}"
    for name in """
    list_allowed_commands check_command request_approval pending_requests read_file write_file apply_patch edit_file search_file
    count_matches list_files delete_file
    """.split()
)
