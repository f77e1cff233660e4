"""The MCP server: the toolbox on the official SDK. A tool's arguments and types are those of its function; what stands
here is what an agent reads about it."""

from __future__ import annotations

import inspect
import json
import threading
import warnings
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, get_type_hints

import anyio
import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, ValidationError, WithJsonSchema

from askfirst import __version__
from askfirst.knowledge.own_tools import CHANGES, DELETES, LOOKS, SENDS, TOOLS
from askfirst.toolbox import (
    asking,
    changing,
    config_migration,
    dependencies,
    file_views,
    git_changing,
    git_pushing,
    git_reading,
    linting,
    proposal_questions,
    relating,
    searching,
    system_map,
    system_tools,
    task_context,
    testing,
    tool_result,
    usages,
    working_context,
)
from askfirst.toolbox.place import Place

INSTRUCTIONS = """askfirst decides which commands and writes run without asking a person. Check here before you try:
check_command says what would happen and why, request_approval asks a person in advance. Prefer these tools to the
shell: run_test, run_lint and git_* give structure instead of text, find_usage and search_knowledge find places in the
code. The file tools propose changes: a person applies them, and proposal_status tells the outcome. Nothing here can
answer a request."""

MAX_ERRORS = 5  # named in one answer
# What an agent reads of each tool. The order is that of the list which a client shows.
DESCRIPTIONS: dict[Callable[..., dict[str, Any]], str] = {
    asking.list_allowed_commands: "Commands that run without asking, with the source of each rule, and whether a "
    "person can be asked for others.",
    asking.check_command: "What would happen to a bash command (allow, contain, ask or deny) and why. Runs nothing and "
    "asks nobody.",
    asking.request_approval: "Ask a person to allow a command before you run it. Waits for the answer; silence is a "
    "deny. Say in `reason` what it is for.",
    asking.pending_requests: "Requests of this session that wait for a person.",
    working_context.tool_context: "Where you work: the service's root, how strictly it is kept apart, your role, the "
    "toolchain, and which of these tools your role may call.",
    file_views.read_file: "A range of lines of a text file in the project, with the base_hash of the whole file.",
    changing.write_file: "Propose a file's new content. Nothing is written yet: a person is asked, and the answer has "
    "the diff and the id.",
    changing.apply_patch: "Propose a unified diff for one file. It must fit exactly. A person applies it.",
    changing.edit_file: "Propose edits, all or none: what each finds (`spec`, as often as `count` says; exact text, "
    "RE2, or an ast-grep pattern) is replaced, deleted, or gets `content` before or after it. Edits that overlap are "
    "refused. A person applies it.",
    proposal_questions.proposal_status: "What became of a proposal: pending, applied, discarded, expired, undone. "
    "wait_seconds waits for the answer.",
    file_views.search_file: "Lines that match a regular expression (RE2 syntax) in a file, or in the files of a "
    "directory.",
    file_views.count_matches: "How often a regular expression (RE2 syntax) matches: use it before edit_file.",
    file_views.list_files: "What a directory of the project holds.",
    asking.delete_file: "Delete a file of the project. A person is always asked, also when they have allowed it "
    "before.",
    testing.run_test: "Run the project's tests: counts, and the first lines of each failure. `target` is a file, a "
    "directory or a test's name; truncation_strategy is FAILURES, HEAD:n or TAIL:n.",
    linting.run_lint: "Run the project's linter: file, line, rule, message and whether it can be fixed. changed_only "
    "keeps what is on lines that differ from HEAD.",
    git_reading.git_status: "Branch, staged, changed and untracked files.",
    git_reading.git_diff: "Differences of the work tree, or of what is staged, file by file, with secrets masked.",
    git_changing.git_add: "Stage files, each by its name.",
    git_changing.git_commit: "Commit what is staged. Refused where it holds a secret or a protected file; the message "
    "has a short first line, a blank one, then why.",
    git_changing.git_checkout: "Switch to a branch; create_if_missing makes it.",
    git_pushing.git_push: "Which commits and files a push would send (dry_run); without dry_run a person is asked, and "
    "exactly those commits are pushed. For the role release_manager.",
    dependencies.install_dependencies: "Install what the lock file says (npm, pnpm, yarn, poetry, uv, cargo, pip), "
    "without the packages' own scripts unless a person agrees. Says what was added and removed.",
    system_tools.verify_binary: "Where a program is, its version, its owner, and who could change it. For the role "
    "sre.",
    system_tools.system_ctl: "The status of a service, or a restart that a person is asked about. For the role sre.",
    system_tools.install_package: "Install a package for the machine (apt, cargo, npm-g); a person is asked. Not for a "
    "project's dependencies. For the role sre.",
    config_migration.migrate_config: "Write askfirst's rule files in the present version, and take over another "
    "tool's rules (import_from: autoforge, claude-permissions), after a person has seen the difference; undo takes it "
    "back. For the role sre.",
    usages.find_usage: "Where a function, class or variable is defined, called, imported and used, by syntax.",
    relating.get_related_tests: "The tests of a source file: by name, by import, and by coverage where there is any.",
    system_map.get_system_map: "Services, entry points, tests, documents and infrastructure, from the manifests.",
    searching.search_knowledge: "Search code and documents with a question in words. Local; says when the index is "
    "still being built.",
    task_context.get_task_context: "Where a task stands in the status files, and what this session asked, got and was "
    "denied.",
}
_closing = threading.Event()  # the client has hung up: whoever waits for a person takes the question back


class ErrorForm(BaseModel):
    code: str
    message: str
    suggestion: str


class Metadata(BaseModel):
    duration_ms: int
    security_checks: str


class ResultForm(BaseModel):
    """What every tool gives back."""

    status: Literal["success", "error"]
    data: dict[str, Any] | None = None  # on success
    error: ErrorForm | None = None
    metadata: Metadata


def _told(result: dict[str, Any]) -> CallToolResult:
    """An error is marked as one in the protocol too: a client that shows or counts failures goes by that."""
    text = TextContent(type="text", text=json.dumps(result, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=result, is_error=result["status"] == "error")


async def _run(work: Callable[[], dict[str, Any]], project: str) -> CallToolResult:
    """In a thread: a search may take a while, and the other tools must go on."""
    return _told(await anyio.to_thread.run_sync(partial(tool_result.run, work, project), abandon_on_cancel=True))


async def _ask(work: Callable[..., dict[str, Any]], project: str) -> CallToolResult:
    """The same for what may ask a person, which may take minutes: a call that the client gives up takes its question
    with it."""
    given_up = threading.Event()
    job = partial(tool_result.run, partial(work, gone=lambda: given_up.is_set() or _closing.is_set()), project)
    try:
        # A limiter of its own: many waiting questions must not use up the threads of the other tools.
        return _told(await anyio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)))
    finally:
        given_up.set()


def _wrong_arguments(errors: list[Any]) -> str:
    """Which arguments are wrong, and how; not their values."""
    return "; ".join(f"`{'.'.join(map(str, e['loc']))}`: {e['msg']}" for e in errors[:MAX_ERRORS])


def _refuse(why: str) -> dict[str, Any]:
    raise tool_result.Failure("InvalidArgument", why, "look at the tool's schema")


_ARGUMENTS = {
    function.__name__: frozenset(inspect.signature(function).parameters) - {"place", "gone"}
    for function in DESCRIPTIONS
}


class Server(MCPServer):
    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        # The SDK drops what a tool does not take: who meant `dry_run` and wrote another word would get the default.
        unknown = sorted(set(arguments) - _ARGUMENTS.get(name, set(arguments)))
        if unknown:
            takes = ", ".join(sorted(_ARGUMENTS[name])) or "nothing"
            return _told(tool_result.run(partial(_refuse, f"`{unknown[0][:100]}` is unknown; {name} takes {takes}")))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            wrong = _wrong_arguments(cause.errors()) if isinstance(cause, ValidationError) else str(error)
            return _told(tool_result.run(partial(_refuse, wrong)))


def serve(server: Any) -> None:
    warnings.simplefilter("ignore", SyntaxWarning)  # what Python has to say to the project's code while it is indexed
    try:
        server.run("stdio")
    finally:
        _closing.set()
        proposal_questions.end_questions()


def build(place: Place) -> Server:
    server = Server("askfirst", instructions=INSTRUCTIONS, version=__version__)
    for function, description in DESCRIPTIONS.items():
        name = function.__name__
        server.add_tool(
            _tool(function, place), name, description=description, annotations=_annotations(TOOLS[name].effect)
        )
    return server


def _annotations(effect: str) -> ToolAnnotations:
    """For clients that ask a person by kind."""
    return ToolAnnotations(
        read_only_hint=effect == LOOKS,
        destructive_hint=effect == DELETES,
        open_world_hint=effect == SENDS,
        idempotent_hint=effect not in (CHANGES, DELETES, SENDS),
    )


def _tool(function: Callable[..., dict[str, Any]], place: Place) -> Callable[..., Any]:
    """The function as the SDK takes it: without the place, which the server knows, and with the one form of result."""
    signature = inspect.signature(function)
    hints = get_type_hints(function)
    waits = "gone" in signature.parameters
    own = [p for p in signature.parameters.values() if p.name not in ("place", "gone")]

    async def call(**given: Any) -> Any:
        work = partial(function, place.now(), **given)
        return await (_ask(work, place.project) if waits else _run(work, place.project))

    if function is changing.edit_file:
        hints["edits"] = Annotated[list[dict[str, Any]], WithJsonSchema(changing.EDITS_SCHEMA)]
    returned = Annotated[CallToolResult, ResultForm]
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [p.replace(annotation=hints[p.name]) for p in own], return_annotation=returned
    )
    call.__annotations__ = {p.name: hints[p.name] for p in own} | {"return": returned}
    call.__name__ = function.__name__
    return call
