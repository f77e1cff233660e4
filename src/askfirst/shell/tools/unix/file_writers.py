"""Programs that create, copy, move, link and delete files.

Each file they touch is a `Write` fact; the policy judges the paths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from askfirst.model import Fact, Kind, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, finish, read_fact, unknown, write_fact
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.patches import bound, patch_facts, patch_texts
from askfirst.shell.tools.table import ANY_OPTIONS, DELETES, INERT, READS, WRITES, Tool


def _transfer(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """cp, mv, install, ln: sources and one destination, which may be a directory that is only known at run time."""
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    facts += _given_mode(parsed, call)
    if tool.name == "install" and parsed.has("-d"):
        return _makes("create")(tool, call, analyst)
    sources, targets = _sides(parsed)
    if not targets or any(w.value is None and w.many and not w.glob for w in parsed.operands):
        facts.append(unknown("operands", f"it is not known what `{tool.name}` writes", call))
    written = _overwritten(tool, sources, targets, parsed, call, analyst)
    inside = [f for source in sources for f in _source_facts(tool, source, targets, parsed, call, analyst)]
    # What is a directory now is hardly written itself: people read first what happens.
    facts += (*inside, *written) if any(_is_directory(w, call, analyst) for w in targets) else (*written, *inside)
    facts += _backups(tool, facts, parsed, call, analyst)
    return Outcome(action_of(tool), tuple(facts))


def _overwritten(
    tool: Tool, sources: tuple[Word, ...], targets: tuple[Word, ...], parsed: Parsed, call: Call, analyst: Analyst
) -> list[Fact]:
    tree = parsed.has("-r", "-R", "-a")
    written = [f for w in targets for f in write_fact(w, call, analyst, tool.name, "overwrite", below=tree)]
    return _emptied(written) if [w.value for w in sources] == ["/dev/null"] else written


def _is_directory(word: Word, call: Call, analyst: Analyst) -> bool:
    path = analyst.path(word.value, call.cwd) if word.value is not None else None
    return path is not None and analyst.exists(path) and analyst.names_in(path) is not None


def _backups(tool: Tool, facts: list[Fact], parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    """`cp -b -S .json a .mcp` keeps the old file as `.mcp.json`; -S alone keeps it too."""
    suffixes = parsed.values("-S")
    if not suffixes and not parsed.has("-b", "--backup"):
        return []
    if any(w.value is None for w in suffixes):
        return [unknown("option", f"the name of the copy that `{tool.name}` keeps is not known", call)]
    # The numbered kind is `FILE.~1~`, which no program loads.
    suffix = str(suffixes[-1].value) if suffixes else "~"
    written = [f for f in facts if isinstance(f, Write) and f.how == "overwrite" and f.path is not None]
    return [replace(f, path=f"{f.path}{suffix}", text=f"{f.text}{suffix}") for f in written]


def _emptied(facts: list[Fact]) -> list[Fact]:
    return [replace(f, content=b"") if isinstance(f, Write) else f for f in facts]


def _sides(parsed: Parsed) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    directory = parsed.values("-t")
    if directory:
        return parsed.operands, directory
    if len(parsed.operands) > 1:
        return parsed.operands[:-1], parsed.operands[-1:]
    return parsed.operands, ()


def _source_facts(
    tool: Tool, source: Word, targets: tuple[Word, ...], parsed: Parsed, call: Call, analyst: Analyst
) -> list[Fact]:
    facts: list[Fact] = []
    if tool.name == "mv":
        facts += write_fact(source, call, analyst, "mv", "move")
    if tool.name != "mv":
        facts += read_fact(source, call, analyst, tool.name)
    for target in targets:
        facts += _inside(tool, source, target, parsed, call, analyst)
        if tool.name in ("ln", "link") or parsed.has("-l"):
            facts += _linked(tool, source, target, parsed, call, analyst)
    if tool.name == "ln" and not targets:
        facts += _linked(tool, source, source, parsed, call, analyst)
        facts += _inside(tool, source, Word(".", "."), parsed, call, analyst)
    return facts


def _inside(tool: Tool, source: Word, target: Word, parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    """When the destination is a directory, the file that is written is DIRECTORY/NAME (`cp evil/.envrc .`), or
    DIRECTORY/WHOLE/NAME (`cp --parents`).
    """
    if target.value is None or target.value in ("/dev/null", "-"):
        return []
    if source.value is None:
        return [Write(analyst.path(target.value, call.cwd), target.text, "overwrite", tool.name, below=True)]
    name = source.value.rstrip("/").rsplit("/", 1)[-1]
    if name in ("", ".", ".."):
        return [Write(analyst.path(target.value, call.cwd), target.text, "overwrite", tool.name, below=True)]
    if parsed.has("--parents"):
        name = source.value.rstrip("/").lstrip("/")
    inner = f"{target.value.rstrip('/')}/{name}"
    return [Write(analyst.path(inner, call.cwd), inner, "overwrite", tool.name)]


def _given_mode(parsed: Parsed, call: Call) -> list[Fact]:
    """`install -m 4755`, `mkdir -m 777`: as `chmod` with that mode."""
    return [
        unknown("option", _RIGHTS, call, w.text)
        for w in parsed.values("-m")
        if w.value is None or _gives_rights(w.value)
    ]


def _linked(tool: Tool, source: Word, target: Word, parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    """What a link points to can be written through it later, so it counts as written now; `cp -l` makes links too."""
    if source.value is None:
        return [Write(None, source.text, "link", tool.name, below=True)]
    base = call.cwd
    if not parsed.has("-s"):
        return [
            Write(analyst.path(source.value, base), source.text, "link", tool.name, below=True),
            unknown("operands", _SECOND_NAME, call),
        ]
    if target is not source and target.value is not None and not source.value.startswith("/"):
        path = analyst.path(target.value, call.cwd)
        folder = path.rpartition("/")[0] if path else None
        # The link may be made inside TARGET when that is a directory: both readings count.
        return [
            Write(
                analyst.path(source.value, folder or "/") if path else None, source.text, "link", tool.name, below=True
            ),
            Write(analyst.path(source.value, path), source.text, "link", tool.name, below=True),
        ]
    return [Write(analyst.path(source.value, base), source.text, "link", tool.name, below=True)]


# No path says so afterwards: a build directory that a box writes directly would be a way to any file of the project.
_SECOND_NAME = "a hard link is one file with two names: whoever writes one later, writes the other as well"
_RIGHTS = "the mode lets others run or write it as its owner"


def _tee(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    content = call.stdin.text.encode() if call.stdin.text is not None else None
    how = "append" if parsed.has("-a") else "overwrite"
    for word in parsed.operands:
        for fact in write_fact(word, call, analyst, "tee", how):
            facts.append(replace(fact, content=content) if isinstance(fact, Write) else fact)
    return Outcome(action_of(tool), tuple(facts))


def _makes(how: str) -> Callable[[Tool, Call, Analyst], Outcome]:
    def special(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
        parsed = parse(tool, call.words[1:])
        facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
        facts += _given_mode(parsed, call) if tool.name != "touch" else []
        for word in parsed.operands:
            facts += write_fact(word, call, analyst, tool.name, how, below=parsed.has("-r", "-R"))
        return Outcome(action_of(tool), tuple(facts))

    return special


def _mode(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """chmod MODE FILE…: modes that give rights of the owner to everybody who runs the file ask."""
    words = list(call.words[1:])
    # A mode such as `-x` or `-w` looks like an option and is not.
    mode = next((w for w in words if w.value is not None and _is_mode(w.value)), None)
    rest = [w for w in words if w is not mode]
    parsed = parse(tool, rest)
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    operands = parsed.operands
    if mode is None and not parsed.has("--reference"):
        facts.append(unknown("operands", "`chmod` with a mode that is not known", call))
    elif mode is not None and _gives_rights(mode.value or ""):
        facts.append(unknown("option", _RIGHTS, call, mode.text))
    for word in operands:
        facts += write_fact(word, call, analyst, tool.name, "mode", below=parsed.has("-R"))
    return Outcome(action_of(tool), tuple(facts))


def _is_mode(text: str) -> bool:
    if text.isdigit():
        return len(text) <= 5 and all(c in "01234567" for c in text)
    if text in ("-R", "-v", "-c", "-f", "-h", "-H", "-L", "-P"):
        return False
    body = text.replace(",", "")
    return (
        bool(body)
        and all(c in "ugoa+-=rwxXstugo" for c in body)
        and any(c in "+-=" for c in body)
        and not body.startswith("--")
    )


def _gives_rights(mode: str) -> bool:
    if mode.isdigit():
        padded = mode.rjust(4, "0")
        return padded[-4] not in "01" or len(mode) > 4 or padded[-1] in "2367"
    return any(
        "s" in part or (part[:1] in "oa" and "w" in part) for part in mode.split(",") if "+" in part or "=" in part
    )


def _rm(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    tree = parsed.has("-r", "-R", "-d")
    for word in parsed.operands:
        facts += write_fact(word, call, analyst, tool.name, "delete", below=tree)
    return Outcome(action_of(tool), tuple(facts))


def _dd(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    facts: list[Fact] = []
    for word in call.words[1:]:
        known = word.value if word.value is not None else word.prefix
        if known.startswith("of="):
            path = analyst.path(word.value[3:], call.cwd) if word.value is not None else None
            facts.append(Write(path, word.text, "overwrite", "dd"))
    return Outcome(action_of(tool), tuple(facts))


def _truncate(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    written = [f for w in parsed.operands for f in write_fact(w, call, analyst, tool.name, "overwrite")]
    facts += _emptied(written) if any(v.value == "0" for v in parsed.values("-s")) else written
    return Outcome(action_of(tool), tuple(facts))


def _patch(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What is written stands in the patch, unless a file is named; `--dry-run` writes nothing."""
    parsed = parse(tool, call.words[1:])
    if parsed.has("--dry-run"):
        return replace(
            finish(replace(tool, operands=(READS, READS)), call, parsed, analyst),
            action=replace(
                action_of(tool),
                key=("patch", "--dry-run"),
                kind=Kind.READ,
                allowed=True,
                description="tells whether a patch fits",
            ),
        )
    outcome = finish(tool, call, parsed, analyst)
    if parsed.operands:
        return outcome  # it names the file
    texts = patch_texts(parsed.values("-i"), call, analyst)
    strip = 0 if parsed.has("-p0") else 1 if parsed.has("-p1") and not parsed.has("-d") else None
    facts = patch_facts(texts, strip, call, analyst, tool.name)
    return replace(outcome, action=replace(outcome.action, target=bound(texts)), facts=(*outcome.facts, *facts))


def _mktemp(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Without a template of its own: a fresh, empty file in the temporary directory, which nothing else can name
    beforehand.
    """
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    facts += [
        f for w in parsed.values("--tmpdir") for f in write_fact(w, call, analyst, tool.name, "create", below=True)
    ]
    for word in parsed.operands:
        if word.value is None or "/" in word.value or not parsed.has("-t", "--tmpdir", "-p"):
            facts += write_fact(word, call, analyst, tool.name, "create")
    return Outcome(action_of(tool), tuple(facts))


_ROWS = (
    Tool(
        "tee",
        Kind.EDIT,
        "copies its input into files",
        options="""
            flag    -a,--append -i,--ignore-interrupts -p
            maybe   --output-error
        """,
        manual="GNU coreutils 9.1",
        special=_tee,
    ),
    Tool(
        "touch",
        Kind.EDIT,
        "creates files or changes their times",
        options="""
            flag    -a -c --no-create -f -h --no-dereference -m
            value   -d,--date -t --time -A -r,--reference
        """,
        manual="GNU coreutils 9.1",
        special=_makes("create"),
    ),
    Tool(
        "mkdir",
        Kind.EDIT,
        "creates directories",
        options="""
            flag    -p,--parents -v,--verbose
            value   -m,--mode
            maybe   -Z --context
        """,
        manual="GNU coreutils 9.1",
        special=_makes("create"),
    ),
    Tool(
        "rmdir",
        Kind.EDIT,
        "removes empty directories",
        options="flag -p,--parents -v,--verbose --ignore-fail-on-non-empty",
        manual="GNU coreutils 9.1",
        special=_makes("delete"),
    ),
    Tool(
        "cp",
        Kind.EDIT,
        "copies files",
        options="""
            flag    -a,--archive -b -d -f,--force -i,--interactive -H -l,--link -L --dereference
            flag    -n,--no-clobber -P --no-dereference -p --attributes-only --parents -R,-r,--recursive
            flag    --remove-destination --strip-trailing-slashes -T --no-target-directory -u
            flag    -v,--verbose -x --one-file-system -c -X --debug
            value   -S,--suffix -t,--target-directory
            flag    --copy-contents
            value   --no-preserve --sparse
            maybe   --backup --preserve --reflink --update
            asks    -s,--symbolic-link: makes links instead of copies
        """,
        manual="GNU coreutils 9.1",
        examples=("cp src/a.ts src/b.ts", "cp -r c4_sample c4_sample_backup"),
        counter_examples=(
            "cp -s a b",
            "cp -l ~/.bashrc x",
            "cp -b -S .json notes.txt .mcp",
            "cp --suffix=.json notes.txt .mcp",
            "cp --parents ../../.bash_aliases ../../x",
        ),
        special=_transfer,
    ),
    Tool(
        "mv",
        Kind.EDIT,
        "moves files",
        options="""
            flag    -b -f,--force -i,--interactive -n,--no-clobber --strip-trailing-slashes -T
            flag    --no-target-directory -u -v,--verbose --debug --exchange -h
            value   -S,--suffix -t,--target-directory
            maybe   --backup --update
        """,
        manual="GNU coreutils 9.1",
        examples=("mv a.txt b.txt",),
        special=_transfer,
    ),
    Tool(
        "ln",
        Kind.EDIT,
        "links files",
        options="""
            flag    -b -d -F -f,--force -i,--interactive -L,--logical -n,--no-dereference -P,--physical
            flag    -r,--relative -s,--symbolic -T --no-target-directory -v,--verbose -h
            value   -S,--suffix -t,--target-directory
            maybe   --backup
        """,
        manual="GNU coreutils 9.1",
        special=_transfer,
    ),
    Tool("link", Kind.EDIT, "links a file", manual="GNU coreutils 9.1", special=_transfer),
    Tool(
        "mkfifo",
        Kind.EDIT,
        "creates a pipe",
        options="value -m,--mode",
        manual="GNU coreutils 9.1",
        special=_makes("create"),
    ),
    Tool(
        "patch",
        Kind.EDIT,
        "applies a patch to files that the patch names",
        allowed=False,
        options="""
            flag    -p0 -p1 -p2 -p3 -b -c -e -E -f -l -N -R -s -t -u -v --dry-run --verbose --backup
            flag    --forward --reverse --silent --quiet --force --batch --binary --posix --merge
            value   -p,--strip -F,--fuzz -V -z --suffix -B --prefix -Y -D --ifdef
            asks    -g,--get: runs the programs of a version control
            reads   -i,--input
            writes  -o,--output -r,--reject-file
            directory -d,--directory
        """,
        operands=(WRITES, READS),
        examples=("patch --dry-run -p1 -i x.patch",),
        counter_examples=("patch -p1 -i x.patch",),
        special=_patch,
    ),
    Tool(
        "install",
        Kind.EDIT,
        "copies files and sets modes",
        options="""
            flag    -b -c -C,--compare -d,--directory -D -p,--preserve-timestamps -T
            flag    --no-target-directory -v,--verbose
            value   -m,--mode -S,--suffix -t,--target-directory
            maybe   --backup
            asks    -s,--strip --strip-program: runs a program
            asks    -o,--owner -g,--group: changes the owner
        """,
        manual="GNU coreutils 9.1",
        special=_transfer,
    ),
    Tool(
        "chmod",
        Kind.EDIT,
        "changes modes",
        options="""
            flag    -c,--changes -f --silent --quiet -v,--verbose --no-preserve-root --preserve-root
            flag    -R,--recursive -h -H -L -P
            asks    --reference: takes the mode of another file, which may let others run it as its owner
        """,
        manual="GNU coreutils 9.1",
        examples=("chmod +x scripts/build.sh", "chmod 644 a.txt"),
        counter_examples=("chmod u+s a", "chmod 4755 a", "chmod 777 a", "chmod --reference=/usr/bin/sudo a"),
        special=_mode,
    ),
    Tool("chown", Kind.OTHER, "changes the owner", allowed=False, operands=(INERT, WRITES, ...), reading=ANY_OPTIONS),
    Tool("chgrp", Kind.OTHER, "changes the group", allowed=False, operands=(INERT, WRITES, ...), reading=ANY_OPTIONS),
    Tool(
        "rm",
        Kind.DESTRUCTIVE,
        "deletes files",
        options="""
            flag    -f,--force -i -I --one-file-system --no-preserve-root -r,-R,--recursive -d,--dir
            flag    -v,--verbose -P -W -x
            maybe   --interactive --preserve-root
        """,
        manual="GNU coreutils 9.1",
        examples=("rm --version",),
        counter_examples=("rm src/app.py", "rm -rf docs", "rm *.py"),
        special=_rm,
    ),
    Tool("unlink", Kind.DESTRUCTIVE, "deletes a file", allowed=False, operands=(DELETES, ...)),
    Tool(
        "shred",
        Kind.DESTRUCTIVE,
        "overwrites files so that they cannot be recovered",
        allowed=False,
        options="value -n --iterations -s,--size",
        operands=(DELETES, ...),
        reading=ANY_OPTIONS,
    ),
    Tool(
        "trash",
        Kind.DESTRUCTIVE,
        "moves files to the trash",
        allowed=False,
        operands=(DELETES, ...),
        reading=ANY_OPTIONS,
    ),
    Tool(
        "truncate",
        Kind.EDIT,
        "changes the size of files",
        options="""
            flag    -c --no-create -o --io-blocks
            value   -s,--size -r,--reference
        """,
        manual="GNU coreutils 9.1",
        special=_truncate,
    ),
    Tool(
        "dd",
        Kind.DESTRUCTIVE,
        "copies raw data",
        allowed=False,
        blocked="raw copies overwrite disks; use `cp`, `head -c` or `truncate`",
        reading=ANY_OPTIONS,
        special=_dd,
    ),
    Tool(
        "mktemp",
        Kind.EDIT,
        "creates a temporary file",
        options="""
            flag    -d,--directory -q,--quiet -t -u --dry-run
            value   --suffix
            maybe   --tmpdir
            below   -p
        """,
        manual="GNU coreutils 9.1",
        special=_mktemp,
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
