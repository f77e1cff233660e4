"""The tools of agents, in Claude Code's names: which run commands, write files, read, fetch, or do none of it."""

from __future__ import annotations

from askfirst.knowledge.own_tools import SERVER, TOOLS

RUNNERS = frozenset(("Bash", "Monitor"))
# Tool -> the key of its input that names the file.
PATH_KEYS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
DELETE_FILE = "DeleteFile"  # askfirst's own, over MCP
WRITERS = frozenset((*PATH_KEYS, DELETE_FILE))
# Tools that show what files hold -> the key that names the file, or the directory that is searched.
READERS = {"Read": "file_path", "NotebookRead": "notebook_path", "LSP": "filePath", "Grep": "path"}
SEARCH = "Grep"
# These show names of files, and nothing of what they hold.
LISTERS = frozenset(("Glob", "LS"))
FETCH, WEB_SEARCH = "WebFetch", "WebSearch"
ADDRESS_KEYS = frozenset(("url", "urls", "uri"))  # of what fetches, in plain spelling
READ_RESOURCE = frozenset(("ReadMcpResource", "ReadMcpResourceTool"))
# These change a part of what is there; the others are handed the whole content.
EDITORS = frozenset(("Edit", "MultiEdit", "NotebookEdit"))
# What limits for file tools count for: `propose` is askfirst's own, a write that waits for a person.
FILE_TOOLS = frozenset((*PATH_KEYS, "propose"))
# Tools that write text files; a notebook is no scratch file.
WHOLE_FILE_WRITERS = FILE_TOOLS - {"NotebookEdit", "propose"}
# What other agents have and Claude Code has not: a patch over several files, a deletion, several commands in one call,
# several files read in one call.
PATCH, DELETE, COMMANDS, READ_FILES = "ApplyPatch", "Delete", "Commands", "ReadFiles"
FOREIGN = frozenset((PATCH, DELETE, COMMANDS, READ_FILES))
# askfirst's own: a step of one of its tools that a person is asked about each time, whatever the rules allow.
STEP = "ToolboxStep"
PROPOSE = "Propose"  # askfirst's own: a file's new content that a person applies
# What starts a subagent, or loads a skill: the files of a skill may hold `!` blocks, which the client runs with no hook
# of their own.
STARTERS = frozenset(("Task", "Agent"))
SKILLS = frozenset(("Skill", "SlashCommand"))
# What other agents' tools are called that only keep the agent's own notes and have no counterpart here.
HOUSEKEEPING = "Housekeeping"
# Tools that run nothing and write nothing here; what their subagents and schedules do later comes through the gate
# itself. A web search goes to the company that reads the whole conversation anyway.
PASSING = LISTERS | frozenset(
    """
    WebSearch TodoRead TodoWrite ListAgents SendMessage TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop
    BashOutput KillShell KillBash AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch DeferredToolPlaceholder
    ListMcpResources ListMcpResourcesTool StructuredOutput ReportFindings ScheduleWakeup CronCreate CronDelete CronList
    SendUserMessage PushNotification Brief Sleep TeamCreate TeamDelete EnterWorktree ExitWorktree Workflow Housekeeping
    """.split()
)
# Where the built-in rules allow these, the client goes on as if there were no hook: a plan, a question to the person
# and a file outside the project stay for its own dialog.
LEFT_TO_CLIENT = PASSING | STARTERS | READERS.keys() | {READ_FILES}
# Every tool that has a name of its own here. One that stands in no table is asked for by its name.
KNOWN = PASSING | RUNNERS | WRITERS | READERS.keys() | READ_RESOURCE | STARTERS | SKILLS | FOREIGN | {FETCH, STEP}
# A rule for one of these is a rule for the others: the client has renamed its tools, and other agents do with one tool
# what it does with two.
MEANS_ALSO = {
    "Bash": ("Monitor", COMMANDS),
    "Read": (READ_FILES,),
    "Edit": ("MultiEdit", PATCH),
    "Write": (PATCH, DELETE, DELETE_FILE),
    "Task": ("Agent",),
    "Agent": ("Task",),
    "Skill": ("SlashCommand",),
    "SlashCommand": ("Skill",),
    "KillShell": ("KillBash",),
    "ReadMcpResource": ("ReadMcpResourceTool",),
    "ReadMcpResourceTool": ("ReadMcpResource",),
    "ListMcpResources": ("ListMcpResourcesTool",),
    "ListMcpResourcesTool": ("ListMcpResources",),
}
# What says in one text what a call is about.
SUBJECTS = {
    **dict.fromkeys((*RUNNERS, PATCH, COMMANDS, STEP), "command"),
    **dict.fromkeys((*WRITERS, DELETE, PROPOSE), "file_path"),
    **READERS,
    **PATH_KEYS,
}
# askfirst's own, each judged again where it runs: nothing there can answer a request. By name: a server that calls
# itself askfirst gets no more than these.
OWN_TOOLS = frozenset(SERVER + name for name in TOOLS)

# -- what the input of somebody else's tool says

# Free text, and how much of an answer is wanted: a yes for this target is a yes for others of these. Every key that is
# not listed is part of the target: `repo`, `channel`, `op`, and what nobody here has heard of.
FREE_INPUT = frozenset(
    """
    title body content contents text message description comment summary subject caption note notes markdown html
    prompt reason explanation thought
    """.split()
)
# The same where the tool only looks. Else they say which, and how many: `delete_messages {search: spam, limit: 1}`.
SELECTING_INPUT = frozenset("search keyword keywords question limit maxresults sort sortby orderby".split())
# Free text where the tool only searches; to a database it is code.
QUERY_INPUT = frozenset(("query", "q"))
SEARCHES = frozenset("search find lookup browse suggest web docs documentation library resolve".split())
# Which page of an answer, where the tool only looks: a yes never depends on it. (`delete_page {page: x}`)
PAGING = frozenset("page perpage pagesize pagetoken cursor offset".split())
# Says what is done, whatever else the tool is told: a wider yes keeps it.
ACTION_INPUT = frozenset("op operation action method mode verb command type kind".split())
# A tool with such a word in its name takes code, or another tool's name, for a text: no input of it is free.
RUNS_INPUT = frozenset(
    """
    exec execute eval evaluate run sql query graphql script shell bash powershell python code command terminal invoke
    call dispatch mutate mutation raw request http api proxy cypher sparql cql lua js javascript expression statement
    pipeline aggregate
    """.split()
)
RUNS_INPUT_PARTS = ("sql", "exec", "eval", "shell", "script")
# With such a word it takes something away, or makes it everybody's: never allowed whatever its target.
TAKES_AWAY = frozenset(
    """
    delete remove drop destroy purge truncate revoke cancel close reset wipe erase merge publish deploy release transfer
    pay send force rollback terminate kill stop disable
    """.split()
)
# With such a word it only looks.
LOOKS = frozenset(
    "read get list search find view show describe stat info tree head tail count query fetch status lookup".split()
)
# With such a word it changes or adds something.
WRITES = frozenset(
    """
    write create update add edit set put post push insert upload comment reply submit append save move copy rename
    assign label star fork upsert patch import notify email mail message tweet share invite
    """.split()
)
# With such a word it shows of a directory the names in it.
LISTS = frozenset("list ls stat info tree exists".split())
# A key with such a word names a file or a directory of this machine...
PATH_WORDS = frozenset("path paths file files filename filepath dir directory folder uri source destination".split())
# ...unless two of these say that it belongs to something far away. (One may be what a server of files passes over.)
REMOTE_KEYS = frozenset("owner repo repository branch ref bucket project projectid workspace url host".split())


def server_of(tool: str) -> str:
    """`mcp__github__get_issue` -> github; "" for what is no tool of a server."""
    return tool.split("__")[1] if tool.startswith("mcp__") and tool.count("__") >= 2 else ""


def only_looks(tool: str) -> bool:
    """By its own name: nothing is written wherever its server is."""
    words = own_words(tool)
    return not words.isdisjoint(LOOKS | LISTS) and words.isdisjoint(TAKES_AWAY | WRITES) and not runs_its_input(tool)


def words_of(name: str) -> frozenset[str]:
    """`create_or_update-File` -> create, or, update, file."""
    found, word, before = [], "", ""
    for char in name:
        if not char.isalnum() or (char.isupper() and not before.isupper()):
            found.append(word)
            word = ""
        if char.isalnum():
            word += char.lower()
        before = char
    return frozenset((*found, word)) - {""}


def plain_key(key: str) -> str:
    """`per_page`, `perPage` and `PER-PAGE` are one key."""
    return "".join(c for c in key.lower() if c.isalnum())


def own_words(tool: str) -> frozenset[str]:
    """The words of a tool's own name: `mcp__sql__list_tables` is called list_tables."""
    return words_of(tool.rpartition("__")[2] if tool.startswith("mcp__") else tool)


def is_free(tool: str, key: str) -> bool:
    """Whether an input is no part of what a call is aimed at."""
    if runs_its_input(tool):
        return False
    plain = plain_key(key)
    return (
        plain in FREE_INPUT
        or (plain in SELECTING_INPUT and only_looks(tool))
        or (plain in QUERY_INPUT and not own_words(tool).isdisjoint(SEARCHES))
    )


def is_paging(tool: str, key: str) -> bool:
    """Whether an input only says which page of an answer is wanted."""
    return plain_key(key) in PAGING and only_looks(tool)


def runs_its_input(tool: str) -> bool:
    last = tool.rpartition("__")[2].lower()
    return not own_words(tool).isdisjoint(RUNS_INPUT) or any(part in last for part in RUNS_INPUT_PARTS)
