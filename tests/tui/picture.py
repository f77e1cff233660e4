"""The picture of a dialog in the README, drawn by its own code: `python -m tests.tui.picture` writes it anew."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from askfirst.approval.question import Choice, Line, Question
from askfirst.model import Duration
from askfirst.tui.card import Card
from askfirst.tui.draw import frame, room

PLACE = Path(__file__).parents[2] / ".github"
CALM = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [
        (72, 79, 88),
        (255, 123, 114),
        (63, 185, 80),
        (210, 153, 34),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (177, 186, 196),
    ],
    [
        (110, 118, 129),
        (255, 161, 152),
        (86, 211, 100),
        (227, 179, 65),
        (121, 192, 255),
        (210, 168, 255),
        (86, 212, 221),
        (240, 246, 252),
    ],
)
PROJECT = os.path.expanduser("~/src/shop")


def unknown() -> Question:
    command = "hugo build --minify | tee build.log"
    return Question(
        id="k7m2w9q4r8t3v6x2z5b7d4f9h2",
        digest="",
        tool="Bash",
        text=command,
        why="no rule allows `hugo`",
        agent="claude",
        session="5e55101c",
        project=PROJECT,
        cwd=f"{PROJECT}/site",
        created=0,
        deadline=0,
        said="Build the site to see whether the new page is there",
        count=2,
        agents=2,
        lines=(
            Line("run", "hugo build --minify", "ask", "", "nothing matched"),
            Line("run", "tee build.log", "allow", "", "built-in allow: tee"),
            Line("write", f"create {PROJECT}/site/build.log", "allow", "", "inside the project"),
        ),
        choices=(
            Choice(Duration.ONCE, scope="this one call"),
            Choice(Duration.SESSION, scope="exactly `hugo build --minify`"),
            Choice(
                Duration.PERMANENT,
                scope="exactly `hugo build --minify`",
                entry='- name: hugo\n  args: ["build --minify"]\n',
                file=f"{PROJECT}/.askfirst/allowed_commands.yaml",
            ),
        ),
    )


def dangerous() -> Question:
    asked = unknown()
    return replace(
        asked,
        text="kubectl delete namespace staging",
        lines=(),
        count=1,
        agents=1,
        said="Remove the old staging environment",
        why="`kubectl` is not in any list of allowed commands",
        confirm=True,
        danger="acts on a cluster: it can stop or change what runs in production; what is deleted does not come back",
        choices=(
            Choice(Duration.ONCE, scope="this one call"),
            Choice(Duration.SESSION, scope="exactly `kubectl delete namespace staging`"),
            Choice(Duration.PERMANENT, refused="a dangerous command is not made permanent"),
        ),
    )


def picture(question: Question, title: str, *, typed: str = "") -> str:
    columns, rows = 84, 30
    card = Card(question, *room(columns, rows), 0.0)
    card.drawn()
    card.typed, card.others = typed, 2
    console = Console(
        file=io.StringIO(),
        width=columns,
        record=True,
        force_terminal=True,
        color_system="truecolor",
        markup=False,
        highlight=False,
        emoji=False,
    )
    for line in frame(card, columns, rows, place="1 of 3", clock="waiting 0:12 · 4:48 left", now=5.0):
        console.print(line, no_wrap=True, overflow="crop")
    return console.export_svg(title=title, theme=CALM, unique_id="askfirst")


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    (PLACE / "danger.svg").write_text(picture(dangerous(), "askfirst watch", typed="CONF"), encoding="utf-8")


if __name__ == "__main__":
    main()
