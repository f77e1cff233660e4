"""The MCP server: names, descriptions and argument types of the tools, on the official SDK. The work is done in the
modules beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from askfirst import __version__, jsontext
from askfirst.mcp import asking, changing, file_views, tool_result
from askfirst.mcp.place import Place

INSTRUCTIONS = """askfirst decides which commands and writes run without asking a person. Check here before you try:
check_command says what would happen and why, list_allowed_commands lists what is allowed, request_approval asks a
person in advance. The file tools only propose changes; a person applies them. Nothing here can answer a request."""


MAX_ERRORS = 5  # named in one answer
_closing = threading.Event()  # the client has hung up: whoever waits for a person takes the question back


def _told(result: dict[str, Any]) -> Any:
    """An error is marked as one in the protocol too: a client that shows or counts failures goes by that."""
    if result["status"] != "error":
        return result
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=jsontext.dumps(result))], is_error=True)


async def _run(work: Callable[[], dict[str, Any]]) -> Any:
    """In a thread: a search may take a while, and the other tools must go on."""
    import anyio.to_thread

    return _told(await anyio.to_thread.run_sync(partial(tool_result.run, work), abandon_on_cancel=True))


async def _ask(work: Callable[[asking.Gone], dict[str, Any]]) -> Any:
    """The same for what asks a person, which may take minutes: a call that the client gives up takes its question with
    it."""
    import anyio
    import anyio.to_thread

    given_up = threading.Event()
    job = partial(tool_result.run, partial(work, lambda: given_up.is_set() or _closing.is_set()))
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


def serve(server: Any) -> None:
    try:
        server.run("stdio")
    finally:
        _closing.set()


def build(place: Place) -> Any:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
    from pydantic import ValidationError, WithJsonSchema

    class Server(MCPServer):
        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            try:
                return await super().call_tool(name, arguments, context)
            except ToolError as error:
                cause = error.__cause__
                wrong = _wrong_arguments(cause.errors()) if isinstance(cause, ValidationError) else str(error)
                return _told(tool_result.run(partial(_refuse, wrong)))

    # For clients that ask a person by kind: what only looks, what only proposes or asks, and what takes something away.
    looks = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    asks = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    deletes = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
    server = Server("askfirst", instructions=INSTRUCTIONS, version=__version__)

    @server.tool(structured_output=False, annotations=looks)
    async def list_allowed_commands() -> Any:
        """Commands that run without asking, with the source of each rule, and whether a person can be asked for
        others."""
        return await _run(lambda: asking.list_allowed_commands(place.now()))

    @server.tool(structured_output=False, annotations=looks)
    async def check_command(command: str, cwd: str = "") -> Any:
        """What would happen to a bash command (allow, ask or deny) and why. Runs nothing and asks nobody."""
        return await _run(lambda: asking.check_command(place.now(), command, cwd))

    @server.tool(structured_output=False, annotations=asks)
    async def request_approval(command: str, reason: str, cwd: str = "") -> Any:
        """Ask a person to allow a command before you run it. Waits for the answer; silence is a deny. Say in `reason`
        what it is for."""
        return await _ask(lambda gone: asking.request_approval(place.now(), command, reason, cwd, gone=gone))

    @server.tool(structured_output=False, annotations=looks)
    async def pending_requests() -> Any:
        """Requests of this session that wait for a person."""
        return await _run(lambda: asking.pending_requests(place.now()))

    @server.tool(structured_output=False, annotations=looks)
    async def read_file(
        path: str, start_line: int = 1, end_line: int = 0, max_bytes: int = file_views.DEFAULT_BYTES
    ) -> Any:
        """A range of lines of a text file in the project, with the base_hash of the whole file. At most 131,072
        bytes."""
        return await _run(lambda: file_views.read_file(place.now(), path, start_line, end_line, max_bytes))

    @server.tool(structured_output=False, annotations=asks)
    async def write_file(path: str, content: str, base_hash: str = "") -> Any:
        """Propose a file's new content. Nothing is written: the answer has the diff and the id that a person
        applies."""
        return await _run(lambda: changing.write_file(place.now(), path, content, base_hash))

    @server.tool(structured_output=False, annotations=asks)
    async def apply_patch(path: str, patch: str, base_hash: str = "") -> Any:
        """Propose a unified diff for one file. It must fit exactly. Nothing is written: a person applies it."""
        return await _run(lambda: changing.apply_patch(place.now(), path, patch, base_hash))

    async def edit_file(path: str, edits: list[dict[str, Any]]) -> Any:
        """Propose edits, all or none: what each finds (`spec`, as often as `count` says) is replaced, deleted, or gets
        `content` before or after it. Edits that overlap are refused. A person applies it."""
        return await _run(lambda: changing.edit_file(place.now(), path, edits))

    # As a value and not as text: the SDK reads annotations where the names of this function are not known.
    edit_file.__annotations__["edits"] = Annotated[list[dict[str, Any]], WithJsonSchema(changing.EDITS_SCHEMA)]
    server.tool(structured_output=False, annotations=asks)(edit_file)

    @server.tool(structured_output=False, annotations=looks)
    async def search_file(path: str, regex: str, recursive: bool = False) -> Any:
        """Lines that match a regular expression (RE2 syntax) in a file, or in the files of a directory."""
        return await _run(lambda: file_views.search_file(place.now(), path, regex, recursive))

    @server.tool(structured_output=False, annotations=looks)
    async def count_matches(path: str, regex: str, recursive: bool = False) -> Any:
        """How often a regular expression (RE2 syntax) matches: use it before edit_file."""
        return await _run(lambda: file_views.count_matches(place.now(), path, regex, recursive))

    @server.tool(structured_output=False, annotations=looks)
    async def list_files(path: str = ".", recursive: bool = False) -> Any:
        """What a directory of the project holds."""
        return await _run(lambda: file_views.list_files(place.now(), path, recursive))

    @server.tool(structured_output=False, annotations=deletes)
    async def delete_file(path: str) -> Any:
        """Delete a file of the project. A person is always asked, also when they have allowed it before."""
        return await _ask(lambda gone: asking.delete_file(place.now(), path, gone=gone))

    return server
