"""How well search_knowledge finds places in code that it was not written for: 30 questions, three public packages.

    python -m tests.toolbox.retrieval DIRECTORY     with the unpacked sources of click 8.1, httpx 0.27 and express 4.19

Each question has a known place (a file, and the name of a function, class or heading in it); it is found where that
stands among the first five. Floor: 80 % (`-m soak` downloads the packages and checks it).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from askfirst.toolbox.place import Place
from askfirst.toolbox.searching import index_of, search_knowledge

FIRST = 5
MIN_SHARE = 0.8
# package -> (question, end of the path, name or "" for any of that file)
QUESTIONS: dict[str, list[tuple[str, str, str]]] = {
    "click": [
        ("How is the user prompted for input with hidden characters for a password?", "termui.py", ""),
        ("Where is a progress bar drawn?", "_termui_impl.py", "ProgressBar"),
        ("How do I parse a date and time from an argument?", "types.py", "DateTime"),
        ("Where are ANSI styles added to text?", "termui.py", "style"),
        ("Where does shell completion for bash and zsh happen?", "shell_completion.py", ""),
        ("How is a parameter converted to an integer range?", "types.py", ""),
        ("Where is the usage text of a command wrapped and formatted?", "formatting.py", ""),
        ("How do tests invoke a command in isolation and capture its output?", "testing.py", ""),
        ("Which exception is raised when an option does not exist?", "exceptions.py", "NoSuchOption"),
        ("Where is an editor opened for the user to edit a file?", "_termui_impl.py", "Editor"),
    ],
    "httpx": [
        ("How are redirects followed and the method changed?", "_client.py", ""),
        ("Where is digest authentication implemented?", "_auth.py", "DigestAuth"),
        ("How are timeouts configured for connect read write and pool?", "_config.py", "Timeout"),
        ("Where are gzip and deflate responses decoded?", "_decoders.py", ""),
        ("How is a multipart form file upload encoded?", "_multipart.py", ""),
        ("Where are cookies extracted from a response?", "_models.py", ""),
        ("How are requests mocked in tests with a transport?", "mock.py", "MockTransport"),
        ("Where does the WSGI transport call an application?", "wsgi.py", ""),
        ("How is a URL parsed and percent encoded?", "_urlparse.py", ""),
        ("Which exceptions are raised for invalid status codes?", "_exceptions.py", ""),
    ],
    "express": [
        ("Where are views looked up on the disk?", "lib/view.js", ""),
        ("How is a cookie set on the response?", "lib/response.js", "cookie"),
        ("Where does the router match a path with its layers?", "lib/router/index.js", ""),
        ("How is the response redirected to another address?", "lib/response.js", "redirect"),
        ("Where is the etag generated?", "lib/utils.js", ""),
        ("How does a request check whether a content type is accepted?", "lib/request.js", ""),
        ("Where is the default configuration of an application set up?", "lib/application.js", "defaultConfiguration"),
        ("How is JSONP sent?", "lib/response.js", "jsonp"),
        ("Where is the query string parsed by middleware?", "lib/middleware/query.js", ""),
        ("How is a file sent as a download attachment?", "lib/response.js", ""),
    ],
}


def found(project: Path, question: str, path: str, name: str) -> bool:
    place = Place(str(project), str(project), "retrieval")
    results = search_knowledge(place, question, FIRST)["results"]
    return any(r["path"].endswith(path) and (not name or r["name"].split(".")[-1] == name) for r in results)


def share(directory: Path) -> float:
    good = asked = 0
    for package, questions in QUESTIONS.items():
        project = next(p for p in sorted(directory.iterdir()) if p.is_dir() and p.name.startswith(package))
        index = index_of(Place(str(project), str(project), "retrieval"))
        began = time.monotonic()
        index.refresh(600)
        files, parts, size = index.size()
        seconds = time.monotonic() - began
        print(f"{package}: {files} files, {parts} parts, {size / 1e6:.1f} MB, {seconds:.1f} s")
        for question, path, name in questions:
            hit = found(project, question, path, name)
            asked, good = asked + 1, good + hit
            print(f"  {'found ' if hit else 'MISSED'} {question}")
    print(f"{good} of {asked} in the first {FIRST}")
    return good / asked


if __name__ == "__main__":
    sys.exit(0 if share(Path(sys.argv[1])) >= MIN_SHARE else 1)
