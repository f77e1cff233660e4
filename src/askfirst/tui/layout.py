"""A Question as lines. What a person decides on comes first, what the agent claims comes after it, marked as such.

Nothing here knows a terminal: a width goes in, rows of text come out, and the same question always gives the same rows,
so that "the last line was shown" has a meaning.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from rich.text import Text

from askfirst.approval.limits import TIMES
from askfirst.approval.question import Choice, Line, Question
from askfirst.knowledge.tools import WRITERS
from askfirst.model import Duration
from askfirst.text import visible
from askfirst.tui.diff import diff_lines, path_in
from askfirst.tui.wrap import exact_lines, fit, flow

MIN_PAGE_ROWS = 4  # fewer rows of a command at a time are no reading
AIR = Text("")  # a blank row that may be left out, known by identity
LABEL_CELLS = 9  # the label column ("deletes", "unclear")
MAX_ALLOWED_SHOWN = 3  # what rules allow anyway is counted beyond this; V shows all
MAX_FACT_CHARS = 400  # V shows all of it
MARKS = {"allow": ("✓", "green"), "ask": ("?", "yellow"), "deny": ("✗", "red")}
LABELS = {"run": "runs", "write": "writes", "read": "reads", "use": "uses", "unknown": "unclear"}

WAYS = (  # key, duration, words, what it means when the question does not say more
    ("S", Duration.SESSION, "this session", "until the session ends"),
    ("P", Duration.PERMANENT, "permanently", "in this project"),
    ("T", Duration.TIMED, "for a time", ""),
    ("O", Duration.ONCE, "once", "this request and nothing else"),
)
TYPED_WORDS = {  # in line mode
    Duration.SESSION: "session",
    Duration.PERMANENT: "permanent",
    Duration.TIMED: "/".join(TIMES),
    Duration.ONCE: "once",
}
TIME_KEYS = {"f": "15m", "h": "1h", "e": "8h"}  # fifteen, an hour, eight
LONG_TIMES = {"15m": "15 minutes", "1h": "1 hour", "8h": "8 hours"}

HELP = (
    ("S", "allow this for the agent's session"),
    ("P", "allow this permanently: adds the entry shown to the file shown"),
    ("T", "allow this for 15 minutes, an hour or eight, across sessions"),
    ("O", "allow this request only"),
    ("D", "deny, with a reason for the agent if you like"),
    ("W", "another scope for S, P and T, from the exact words to the program; shown first"),
    ("N", "next request; the others keep waiting"),
    ("V", "view every part, with the rule that decided it"),
    ("M", "for a file: choose how to merge the new content"),
    ("L", "all that waits, as a list: mark several and answer them at once"),
    ("Space", "next page; PgUp, ↑, ↓, Home, End and G move, too"),
    ("/", "search in what is shown; once more finds the next place"),
    ("Esc", "back to the question, from everywhere; it never answers"),
    ("?", "this help"),
    ("Ctrl-C", "quit; requests keep waiting and are denied when their time is up"),
)
ABOUT_READINESS = (
    "S, P, T, O and D answer only while the status says “ready”: after a second on screen and a moment without typing, "
    "and only if nothing is typed right after them. Esc, digits, function keys, pasted text and the mouse never answer."
)


@dataclass(frozen=True)
class Laid:
    """A question as rows: `rows` are paged, `pinned` stand below them on every page."""

    rows: list[Text]
    pinned: list[Text]
    free: frozenset[int] = frozenset()  # of `rows`: what rules allow anyway, which nobody has to read first


def body(question: Question, width: int, rows: int = 0, *, typed: bool = False) -> list[Text]:
    """The question itself, on one page where it fits.

    When it would not fit on `rows` rows, the blank rows that only give air are left out: one page is better than air.
    With `typed` the ways to answer are the words of the line mode, not keys.
    """
    airy = [*_told(question, width), *_allowed_facts(question, width), *_decisive(question, width, typed)]
    dense = [line for line in airy if line is not AIR]
    if len(dense) > rows:
        return dense
    while len(airy) > rows:
        air = [n for n, line in enumerate(airy) if line is AIR]
        del airy[air[0] if air[0] == 0 else air[-1]]  # the air around the command stays longest
    return airy


def laid_out(question: Question, width: int, rows: int) -> Laid:
    """The question for a window of `rows` rows. What does not fit on one page is paged, with the decisive part (what
    asks, why, and what each key remembers) below every page; in full, or in short rows where it is long itself."""
    whole = body(question, width, rows)
    if len(whole) <= rows:
        return Laid(whole, [])
    told = _without_air(_told(question, width))
    allowed = _without_air(_allowed_facts(question, width))
    decisive = _without_air(_decisive(question, width, typed=False))
    free = frozenset(range(len(told), len(told) + len(allowed)))
    for room in (max(MIN_PAGE_ROWS, rows // 3), MIN_PAGE_ROWS):
        if len(decisive) + 1 + room <= rows:
            return Laid([*told, *allowed], decisive, free)
    short = _in_short(question, width)
    pinned = short if len(short) + 1 + MIN_PAGE_ROWS <= rows else []
    return Laid([*told, *allowed, *decisive], pinned, free)


def _without_air(rows: list[Text]) -> list[Text]:
    return [row for row in rows if row is not AIR]


def _told(question: Question, width: int) -> list[Text]:
    """Who wants what."""
    rows = [AIR, *_who(question, width)]
    if question.flagged:
        rows += flow(
            [("this session is flagged for review: it was denied often in a short time", "bold red")],
            width,
            first="! ",
        )
    return [*rows, AIR, *_indented(_what(question, width - 2)), *_claim(question, width), AIR]


def _decisive(question: Question, width: int, typed: bool) -> list[Text]:
    """What asks, why, and the ways to answer."""
    rows = [*_danger(question, width), *_open_facts(question, width), *_row("why", [(question.why, "")], width)]
    for note in question.notes:
        rows += _row("note", [(note, "yellow")], width)
    return [*rows, AIR, *_ways(question, width, typed)]


def _in_short(question: Question, width: int) -> list[Text]:
    """The decisive part in a row each; in full it stands at the end of the pages."""
    rows = [Text(fit(f"DANGER: {question.danger}", width), "bold red")] if question.danger else []
    asks = [line.text for line in question.lines if line.decision != "allow"]
    if asks and len(question.lines) > 1:
        more = f" (and {len(asks) - 1} more)" if len(asks) > 1 else ""
        rows.append(Text(fit(f"? {asks[0]}", width - len(more)) + more, "yellow"))
    rows.append(Text(fit(f"why: {question.why}", width)))
    for key, duration, words, meaning in WAYS:
        choice = question.choice(duration)
        if choice is not None and not choice.refused and duration != Duration.ONCE:
            said = choice.entry.replace("\n", " ") if choice.entry else choice.scope or meaning
            rows.append(Text.assemble((f" {key} ", "reverse bold"), " ", fit(f"{words}: {said}", width - 4)))
    return rows


def details(question: Question, width: int, home: str = "") -> list[Text]:
    """Everything else: each part with the rule that decided it, and where the request comes from."""
    rows = [Text("")]
    if question.folds:
        rows += [*_indented(exact_lines(question.text, width - 2)), Text("")]
    for line in question.lines:
        rows += _fact(line, width, full=True)
    rows += [Text("")] if question.lines else []
    for label, value in (
        ("agent", question.agent + (f", {question.subagent}" if question.subagent else "")),
        ("session", question.session),
        ("tool", question.tool),
        ("project", _short(question.project, home)),
        ("in", _short(question.cwd, home)),
        ("id", question.id),
        ("digest", question.digest),
    ):
        if value:
            rows += _row(label, [(value, "")], width)
    for other in question.ids[1:]:
        rows += _row("also", [(other, "dim")], width)
    return rows


def help_lines(width: int) -> list[Text]:
    rows = [Text("")]
    for key, words in HELP:
        rows += _row(key, [(words, "")], width, style="bold")
    return [*rows, Text(""), *flow([(ABOUT_READINESS, "")], width)]


def _is_file(question: Question) -> bool:
    return bool(question.change or question.diff) and question.tool in WRITERS


def header(question: Question) -> str:
    """What the frame's title says on every page: which file would change, and how."""
    return f"{question.change or 'MODIFY'} {question.subject}" if _is_file(question) else ""


def _who(question: Question, width: int) -> list[Text]:
    verb = f"wants to write ({question.change or 'MODIFY'})" if _is_file(question) else "wants to run"
    parts = [(question.agent or "an agent", "bold"), (f" {verb}", "")]
    if question.count > 1:
        parts.append((f"  x{question.count} from {question.agents} agent{'s' * (question.agents != 1)}", "bold"))
    rows = flow(parts, width)
    place = _short(question.cwd or question.project, os.path.expanduser("~"))
    project = os.path.basename(question.project.rstrip("/")) or question.project
    session = f" · session {question.session[:8]}" if question.session else ""
    return rows + flow([(f"in {place} · project {project}{session}", "dim")], width)


def _what(question: Question, width: int) -> list[Text]:
    if not question.diff and not question.deleted:
        return _folded(question, width)
    rows = []
    if question.deleted:
        *names, lines = question.deleted  # how much comes first, then what it was
        more = f": {', '.join(names)}" if names else ""
        rows = [*flow([("DELETES ", "bold red"), (lines, "bold"), (more, "")], width), Text("")]
    rows += exact_lines(question.subject, width, style="bold")
    path = path_in(question.diff) or question.text
    if question.diff and question.tool not in WRITERS:  # of a command, the file that it would change
        rows += [Text(""), *exact_lines(path, width, style="bold")]
    return rows + diff_lines(question.diff, path, width)


def _folded(question: Question, width: int) -> list[Text]:
    """The command, with its inert bulk as line counts."""
    lines, rows, at = question.subject.split("\n"), list[Text](), 0
    for fold in question.folds:
        rows += exact_lines("\n".join(lines[at : fold.first]), width, style="bold")
        rows += flow([(f"⋮ {fold.lines} lines into {fold.into} (V shows them)", "dim")], width)
        at = fold.first + fold.lines
    return [*rows, *exact_lines("\n".join(lines[at:]), width, style="bold")]


def _claim(question: Question, width: int) -> list[Text]:
    """What the agent says about it: quoted, dimmed, below the real thing."""
    if not question.said.strip():
        return []
    said = " ".join(question.said.split())
    return flow([("the agent says: ", "dim"), (f"“{said}”", "dim italic")], width - 2, first="  ")


def _danger(question: Question, width: int) -> list[Text]:
    if not question.danger:
        return []
    rows = flow([("This could have SERIOUS consequences:", "bold red")], width)
    for part in question.danger.replace("; ", "\n").split("\n"):
        if part.strip():
            rows += flow([(part.strip(), "")], width, first="  • ")
    return [*rows, AIR]


def _open_facts(question: Question, width: int) -> list[Text]:
    """What asks."""
    lines = question.lines
    if len(lines) == 1 and _is_whole(lines[0], question.text.strip()):
        return []  # the command is its only part: the row below says why
    rows: list[Text] = []
    label = ""
    for line in lines:
        if line.decision == "allow":
            continue
        # The reason of the first open part is the `why` below: said once is enough.
        line = replace(line, reason="") if line.reason and question.why.startswith(line.reason) else line
        rows += _fact(line, width, project=question.project, same=line.kind == label)
        label = line.kind
    return rows


def _allowed_facts(question: Question, width: int) -> list[Text]:
    """What rules allow anyway."""
    allowed = [line for line in question.lines if line.decision == "allow"]
    if len(question.lines) == 1:
        return []
    rows: list[Text] = []
    label = ""
    for line in allowed[:MAX_ALLOWED_SHOWN]:
        rows += _fact(line, width, project=question.project, same=line.kind == label)
        label = line.kind
    if len(allowed) > MAX_ALLOWED_SHOWN:
        rows += _row("", [(f"✓ {len(allowed) - MAX_ALLOWED_SHOWN} more allowed by rules (V shows them)", "dim")], width)
    return rows


def _is_whole(line: Line, text: str) -> bool:
    part = line.text.strip()
    return part == text or (line.kind == "unknown" and part.endswith(f": {text}"))


def _fact(line: Line, width: int, *, full: bool = False, project: str = "", same: bool = False) -> list[Text]:
    mark, colour = MARKS.get(line.decision, ("?", "yellow"))
    reason = line.origin if line.decision == "allow" else line.reason
    if full and line.origin and line.origin not in reason:
        reason = f"{reason} ({line.origin})"
    text = line.text.replace("\n", " ")
    if len(text) > MAX_FACT_CHARS and not full:
        text = text[:MAX_FACT_CHARS] + "…"
    if project.strip("/") and line.kind in ("write", "read"):
        text = text.replace(project.rstrip("/") + "/", "", 1)  # paths of the project are shown as the person knows them
    parts = [(f"{mark} ", colour), (text, ""), (f"  {reason}" if reason else "", "dim")]
    rows = _row("" if same else LABELS.get(line.kind, line.kind), parts, width, hang=2)
    if line.danger and full:
        rows += _row("", [(line.danger, "red")], width)
    return rows


def _ways(question: Question, width: int, typed: bool) -> list[Text]:
    """The ways to say yes. With `typed` each begins with the word to type, else with its key."""
    rows: list[Text] = []
    said = refused = ""
    for key, duration, words, meaning in WAYS:
        choice = question.choice(duration)
        if choice is None:
            continue
        key, words = ("", TYPED_WORDS[duration]) if typed else (key, words)
        if duration == Duration.TIMED:
            rows += _timed_way(key, words, choice, width)
            continue
        is_repeated = bool(choice.refused) and choice.refused == refused
        shown = replace(choice, refused="for the same reason") if is_repeated else choice
        rows += _way(key, words, meaning, shown, width, said)
        said, refused = said if choice.refused else choice.scope, choice.refused
    return rows + _also(question, width) + _widening(question, width, typed)


def _timed_way(key: str, words: str, choice: Choice, width: int) -> list[Text]:
    """One row: it covers what the session's yes covers, and is refused with it."""
    return [] if choice.refused else _key_row(key, words, "15 minutes, 1 hour or 8 hours, in every session", width)


def time_rows(question: Question, width: int) -> list[Text]:
    """What T offers: the shown scope, for how long."""
    choice = question.choice(Duration.TIMED)
    scope = choice.scope if choice is not None else ""
    rows = [Text(""), *flow([(scope, "bold")], width), *flow([("in every session of this project, for", "")], width)]
    rows.append(Text(""))
    for key, name in TIME_KEYS.items():
        rows += _key_row(key.upper(), LONG_TIMES[name], "", width)
    return rows


def _also(question: Question, width: int) -> list[Text]:
    """What else in this project's log the shown scope would have allowed."""
    choice = question.choice(Duration.SESSION)
    if choice is None or choice.refused or not choice.also:
        return []
    return _key_row("", "also", "would have allowed " + "; ".join(choice.also), width, style="dim")


def _widening(question: Question, width: int, typed: bool) -> list[Text]:
    if not question.can_widen():
        return []
    step = question.next_step()
    choice = question.at(step).choice(Duration.SESSION)
    words = "wide" if typed else "wider" if step > question.step else "narrower"
    return _key_row("" if typed else "W", words, choice.scope if choice is not None else "", width)


def _way(key: str, words: str, meaning: str, choice: Choice, width: int, said: str) -> list[Text]:
    """One way to say yes. For P the exact entry and its file; the scope only where the row above did not say it."""
    if choice.refused:
        return _key_row("–", f"{words}", f"not offered: {choice.refused}", width, style="dim")
    scope, entry = choice.scope or meaning, choice.entry
    # Two parts name it: the card's head says which project, and a long path pushed the keys to a second page.
    into = f"adds to {'/'.join(choice.file.split('/')[-2:])}:" if entry else ""
    known = bool(said) and choice.scope.endswith(said)  # the row above said it
    rows = _key_row(key, words, into if entry and known else scope, width)
    if entry:
        column = _key_column(width)
        if not known:
            rows += flow([(into, "dim")], width, first=" " * column)
        rows += [
            Text.assemble(" " * column, row) for row in exact_lines(entry.rstrip("\n"), width - column, style="cyan")
        ]
    return rows


def _key_column(width: int) -> int:
    return 18 if width >= 56 else 4


def _key_row(key: str, words: str, meaning: str, width: int, *, style: str = "") -> list[Text]:
    column = _key_column(width)
    head = Text.assemble((f" {key} " if key else "", style or "reverse bold"), " ", (words, style or "bold"))
    if column > 4:
        rows = flow([(meaning, style)], width - column)
        head.pad_right(max(0, column - head.cell_len))
        return [Text.assemble(head, rows[0]), *(Text.assemble(" " * column, r) for r in rows[1:])]
    return [head, *flow([(meaning, style or "dim")], width, first=" " * column)]


def _row(label: str, parts: list[tuple[str, str]], width: int, *, hang: int = 0, style: str = "dim") -> list[Text]:
    """A labelled row; on a narrow screen the label stands above its text."""
    if width < 44:
        head = [Text(visible(label), style)] if label else []
        return head + flow(parts, width, first="  ", hang=2 + hang)
    rows = flow(parts, width - LABEL_CELLS, hang=hang)
    return [
        Text.assemble((visible(label if n == 0 else "").ljust(LABEL_CELLS), style), row) for n, row in enumerate(rows)
    ]


def _indented(rows: list[Text]) -> list[Text]:
    return [Text.assemble("  ", row) for row in rows]


def _short(path: str, home: str) -> str:
    inside = home and home != "/" and (path == home or path.startswith(home + "/"))
    return "~" + path[len(home) :] if inside else path
