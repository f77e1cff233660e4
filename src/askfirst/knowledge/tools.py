"""The tools of agents, in Claude Code's names: which run commands, which write files, and which do neither."""

from __future__ import annotations

RUNNERS = frozenset(("Bash", "Monitor"))
# Tool -> the key of its input that names the file.
PATH_KEYS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
DELETE_FILE = "DeleteFile"  # askfirst's own, over MCP
WRITERS = frozenset((*PATH_KEYS, DELETE_FILE))
# As askfirst's own server calls them.
READERS = frozenset(("Read", "Grep", "LS"))
# These change a part of what is there; the others are handed the whole content.
EDITORS = frozenset(("Edit", "MultiEdit", "NotebookEdit"))
# What limits for file tools count for: `propose` is askfirst's own, a write that waits for a person.
FILE_TOOLS = frozenset((*PATH_KEYS, "propose"))
# Tools that write text files; a notebook is no scratch file.
WHOLE_FILE_WRITERS = FILE_TOOLS - {"NotebookEdit", "propose"}
# What other agents have and Claude Code has not: a patch over several files, a deletion, several commands in one call.
PATCH, DELETE, COMMANDS = "ApplyPatch", "Delete", "Commands"
FOREIGN = frozenset((PATCH, DELETE, COMMANDS))
# Tools that run nothing and write nothing here; what their subagents and schedules do later comes through the gate
# itself. A tool that stands in no table is asked for by its name.
PASSING = frozenset(
    """
    Read Grep Glob LS NotebookRead LSP TodoRead TodoWrite Task Agent ListAgents SendMessage TaskCreate TaskGet TaskList
    TaskUpdate
    TaskOutput TaskStop BashOutput KillShell KillBash WebFetch WebSearch AskUserQuestion EnterPlanMode ExitPlanMode
    ToolSearch
    DeferredToolPlaceholder ListMcpResources ListMcpResourcesTool ReadMcpResource ReadMcpResourceTool StructuredOutput
    ReportFindings
    ScheduleWakeup CronCreate CronDelete CronList SendUserMessage PushNotification Brief Sleep TeamCreate TeamDelete
    EnterWorktree
    ExitWorktree Workflow
    """.split()
)
# Of those, what starts a subagent: the skills that it loads may hold `!` blocks, which the client runs with no hook of
# their own.
STARTERS = frozenset(("Task", "Agent"))
# askfirst's own introspection: nothing there can answer a request. By name: a server that calls itself askfirst gets no
# more than these.
OWN_TOOLS = frozenset(
    f"mcp__askfirst__{name}"
    for name in """
    list_allowed_commands check_command request_approval pending_requests read_file write_file apply_patch edit_file
    search_file
    count_matches list_files delete_file
    """.split()
)
