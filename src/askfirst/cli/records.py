"""What the commands that read the audit log share: filters, and a progress bar for long logs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import Progress

from askfirst.audit.filter import Filter, moment
from askfirst.audit.read import read_records, total_bytes
from askfirst.errors import UsageError
from askfirst.model import Layer
from askfirst.text import console, visible

LONG_BYTES = 5_000_000  # from here on a bar shows the progress
LAYERS = tuple(layer.name.lower() for layer in Layer)


def add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", metavar="TIME", help="not older than `2h`, `7d`, `2026-11-16`, `2026-11-16T09:30`")
    parser.add_argument("--until", metavar="TIME", help="not newer than; the same forms")
    parser.add_argument("--project", metavar="DIR", help="only this project")
    parser.add_argument("--agent", metavar="NAME", help="only this agent, by the name that `init --agent` takes")
    parser.add_argument("--session", metavar="ID", help="only this session; the beginning of its id is enough")
    parser.add_argument("--kind", help="verdict, question, answer, grant, revoke, write, config, alert, violation, …")
    parser.add_argument(
        "--decision", choices=("allow", "contain", "ask", "deny"), help="only verdicts with this decision"
    )
    parser.add_argument("--layer", help=f"only verdicts of this layer: {', '.join(LAYERS)}")
    parser.add_argument("--text", help="only records with this text in the command, the reason or the rule")


def filter_of(args: argparse.Namespace) -> Filter:
    project = args.project or ""
    return Filter(
        since=moment(args.since) if args.since else 0.0,
        until=moment(args.until) if args.until else 0.0,
        project=os.path.realpath(project) if project and os.path.isdir(project) else project,
        agent=args.agent or "",
        session=args.session or "",
        kind=args.kind or "",
        decision=args.decision or "",
        layer=_layer(args.layer or ""),
        text=args.text or "",
    )


def _layer(named: str) -> str:
    """A layer's name in any spelling. A mistyped one would match nothing, and nothing found is an answer too."""
    name = named.lower().replace("-", "_").replace(" ", "_")
    if name and name not in LAYERS:
        raise UsageError(f"--layer: unknown layer `{visible(named)}`; the layers are {', '.join(LAYERS)}")
    return name


def read_with_progress(*, quiet: bool = False) -> Iterator[dict[str, Any]]:
    """All records; a progress bar on standard error where a long log meets a terminal."""
    with progress("reading the log", quiet=quiet) as advance:
        yield from read_records(progress=advance)


@contextmanager
def progress(words: str, *, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Something to call with the bytes that were read: a bar for long logs on a terminal, nothing otherwise."""
    total = total_bytes()
    if quiet or total < LONG_BYTES or not sys.stderr.isatty():
        yield None
        return
    read = shown = 0
    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total)

        def advance(count: int) -> None:
            nonlocal read, shown
            read += count
            if read - shown > total // 200:  # drawing at every record would take longer than reading them
                shown = read
                bar.update(task, completed=read)

        yield advance
