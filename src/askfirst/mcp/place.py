"""Where the agent works: its project, its session, and which files its tools may look at."""

from __future__ import annotations

import os
import time

from askfirst._record import Record
from askfirst.files import real_path
from askfirst.mcp.matching import BINARY_BYTES, MAX_FILE_BYTES
from askfirst.mcp.result import Failure
from askfirst.model import Decision, Read
from askfirst.policy.reads import judge_read
from askfirst.policy.rules import Layers
from askfirst.store.layers import load_layers


class Place(Record):
    project: str
    cwd: str
    session: str
    agent: str = "claude"

    def now(self) -> Place:
        """The same, in the session of this moment: the client goes on to another one with `/clear`, and the server stays."""
        from askfirst.store.sessions import session_of_client

        return self.replace(session=session_of_client(os.getppid()) or self.session)

    def layers(self) -> Layers:
        return load_layers(self.project, session=self.session, agent=self.agent, now=time.time())


def place_here() -> Place:
    """From the environment that the agent's client gives its servers."""
    from askfirst.agents.claude.wire import project_of

    cwd = os.getcwd()
    project = project_of(cwd, os.environ.get("CLAUDE_PROJECT_DIR", ""))
    return Place(project, cwd, os.environ.get("CLAUDE_CODE_SESSION_ID", "") or f"mcp-{os.getpid()}")


def inside(place: Place, path: str) -> str:
    """The real path of a file in the project. Failure when it lies elsewhere, however it is spelled."""
    if not path or "\0" in path:
        raise Failure("InvalidPath", "the path is empty or not a path", "give a path relative to the project")
    real = real_path(path, place.project if not os.path.isabs(path) else "/")
    if real is None:
        raise Failure("InvalidPath", f"`{path}` cannot be resolved")
    if real != place.project and not real.startswith(place.project.rstrip("/") + "/"):
        raise Failure(
            "OutsideProject", f"`{path}` lies outside the project", "only files of the project are open to these tools"
        )
    return real


def readable(place: Place, path: str, layers: Layers) -> str:
    """The real path of a file that the agent may read without asking."""
    real = inside(place, path)
    finding = judge_read(Read(real, path, "read_file"), layers)
    if finding.decision != Decision.ALLOW:
        raise Failure(
            "Denied", f"`{path}`: {finding.reason}", finding.advice or "a person can show you what you need of it"
        )
    return real


def text_of(real: str, shown: str) -> tuple[bytes, str]:
    """Content of a file, as bytes and as text. Binary files and very large ones are refused."""
    try:
        if not os.path.isfile(real):
            raise FileNotFoundError
        if os.path.getsize(real) > MAX_FILE_BYTES:
            raise Failure(
                "TooLarge",
                f"`{shown}` is larger than {MAX_FILE_BYTES >> 20} MiB",
                "look at a part with `sed -n 1,200p`",
            )
        with open(real, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise Failure(
            "FileNotFound", f"`{shown}` does not exist or is not a file", "use list_files to see what is there"
        ) from None
    except OSError as error:
        raise Failure("Unreadable", f"`{shown}`: {error.strerror}") from None
    if b"\0" in data[:BINARY_BYTES]:
        raise Failure("BinaryFile", f"`{shown}` is a binary file", "only text is shown")
    try:
        return data, data.decode("utf-8")
    except UnicodeDecodeError:
        raise Failure("BinaryFile", f"`{shown}` is not UTF-8 text", "only UTF-8 text is shown") from None


def lines_of(text: str) -> list[str]:
    """Lines with their ends, as editors and diffs count them: `splitlines` would also break at form feeds and the like."""
    *lines, last = text.split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])
