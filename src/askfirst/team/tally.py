"""What the team's requests tell: who asked, who answered, how long it took, what is asked most."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from askfirst.errors import AskfirstError
from askfirst.team.database import Connection, Row, briefly, rows
from askfirst.team.joined import ADMIN, APPROVER, AUDITOR, Joined
from askfirst.text import one_line, visible

MAX_ROWS = 10
LONG_S = 60.0


@dataclass(frozen=True)
class Share:
    """One row of a report."""

    name: str
    count: int
    allowed: int
    denied: int
    unanswered: int
    median_s: float  # until it was answered
    slowest_s: float


@dataclass(frozen=True)
class TeamFigures:
    """A report over a time."""

    days: int
    total: Share
    askers: tuple[Share, ...]
    answerers: tuple[Share, ...]
    texts: tuple[Share, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def figures(connection: Connection, days: int) -> TeamFigures:
    found = rows(
        connection,
        "SELECT r.asker, r.card, r.state, extract(epoch FROM r.ended - r.created)::float8 AS took_s, "
        "ARRAY(SELECT a.person FROM askfirst.answer a WHERE a.request = r.id) AS people "
        "FROM askfirst.request r WHERE r.created > clock_timestamp() - make_interval(days => %s)",
        days,
    )
    return TeamFigures(
        days,
        _line("all", found),
        _grouped(found, lambda r: [r["asker"]]),
        _grouped(found, lambda r: r["people"]),
        _grouped(found, lambda r: [_text(r["card"])]),
    )


def report(found: Joined, days: int) -> TeamFigures:
    """The figures, as whichever of the sides that may read them was joined."""
    dsn = found.best(AUDITOR, APPROVER, ADMIN)
    if not dsn:
        raise AskfirstError("not joined as auditor, approver or admin: `askfirst team join DSN --as auditor`")
    return briefly(dsn, lambda connection: figures(connection, days), limit_s=LONG_S)


def _grouped(found: list[Row], names: Any) -> tuple[Share, ...]:
    groups: dict[str, list[Row]] = {}
    for row in found:
        for name in names(row):
            groups.setdefault(str(name), []).append(row)
    lines = (_line(name, group) for name, group in groups.items())
    return tuple(sorted(lines, key=lambda line: (-line.count, line.name))[:MAX_ROWS])


def _line(name: str, group: list[Row]) -> Share:
    states = Counter(str(row["state"]) for row in group)
    took = sorted(
        float(r["took_s"]) for r in group if r["took_s"] is not None and r["state"] in ("allowed", "denied", "local")
    )
    allowed, denied = states["allowed"] + states["local"], states["denied"]
    return Share(
        name,
        len(group),
        allowed,
        denied,
        len(group) - allowed - denied,
        round(took[len(took) // 2], 1) if took else 0.0,
        round(took[-1], 1) if took else 0.0,
    )


def _text(card: str) -> str:
    try:
        return one_line(str(json.loads(card)["text"]), 80)
    except (ValueError, KeyError, TypeError):
        return "(not readable)"


def as_csv(found: TeamFigures) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("what", "name", "requests", "allowed", "denied", "unanswered", "median_s", "slowest_s"))
    for what, lines in (
        ("all", (found.total,)),
        ("asker", found.askers),
        ("answerer", found.answerers),
        ("text", found.texts),
    ):
        for line in lines:
            # A cell that begins so is a formula to spreadsheets.
            name = f"'{line.name}" if line.name[:1] in ("=", "+", "-", "@") else line.name
            writer.writerow((what, name, *list(asdict(line).values())[1:]))
    return out.getvalue()


def as_svg(found: TeamFigures) -> str:
    """Bars: how often each was allowed, denied, not answered."""
    groups = (("who asked", found.askers), ("who answered", found.answerers), ("what was asked most", found.texts))
    most = max((line.count for _, lines in groups for line in lines), default=1)
    parts: list[str] = []
    y = 34
    for title, lines in groups:
        parts.append(f'<text x="10" y="{y}" font-weight="bold">{title}</text>')
        y += 10
        for line in lines:
            parts.append(f'<text x="10" y="{y + 13}">{escape(visible(line.name)[:44])}</text>')
            x = 330.0
            for count, colour in ((line.allowed, "#2e7d32"), (line.denied, "#c62828"), (line.unanswered, "#9e9e9e")):
                width = 260 * count / most
                parts.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="14" fill="{colour}"/>')
                x += width
            words = f"{line.count} · median {line.median_s:.0f} s" if line.median_s else str(line.count)
            parts.append(f'<text x="{x + 6:.1f}" y="{y + 13}" fill="#555">{words}</text>')
            y += 20
        y += 24
    head = f"{found.total.count} requests in {found.days} days: {found.total.allowed} allowed (green), "
    head += f"{found.total.denied} denied (red), {found.total.unanswered} not answered (grey)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{y}" viewBox="0 0 760 {y}" '
        f'font-family="sans-serif" font-size="12"><title>askfirst team report</title>'
        f'<rect width="760" height="{y}" fill="#fff"/><text x="10" y="16">{escape(head)}</text>{"".join(parts)}</svg>\n'
    )
