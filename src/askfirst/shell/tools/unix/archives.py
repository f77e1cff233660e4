"""Archives: listing is reading; packing writes the archive; unpacking writes a whole tree; several options run
programs.
"""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Action, Fact, Kind, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, call_after, directories, facts_of, read_fact, unknown, write_fact
from askfirst.shell.tools.options import Parsed, options_of, parse
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Reading, Tool, asking

_TAR_MODES = ("-t", "-d", "-x", "-c", "-r", "-u", "-A", "--delete")


def _tar(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = _dashed(tool, call.words[1:])
    parsed = parse(tool, words)
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    facts += _checkpoints(parsed, call, analyst)
    modes = [m for m in _TAR_MODES if parsed.has(m)]
    archives = parsed.values("-f")
    if any(w.value is None or ":" in w.value for w in archives) and not parsed.has("--force-local"):
        why = "an archive whose name holds a `:` is fetched from another machine"
        facts.append(unknown("option", why, call, archives[0].text))
    action = action_of(tool)
    if len(modes) != 1:
        return Outcome(replace(action, allowed=False), tuple(facts))
    if modes[0] in ("-t", "-d", "-x"):
        return _tar_reads(tool, words, parsed, modes[0], call, analyst, facts)
    facts += [f for w in archives for f in write_fact(w, call, analyst, "tar", "overwrite")]
    facts += _packed(parsed, call, analyst)
    action = replace(action, key=("tar", modes[0]), kind=Kind.EDIT, allowed=modes[0] != "--delete")
    return Outcome(replace(action, description="packs an archive"), tuple(facts))


def _packed(parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    facts: list[Fact] = []
    for place in directories(parsed, call, analyst):
        inside = call_after(call, (), place)
        facts += [f for w in parsed.operands for f in read_fact(w, inside, analyst, "tar")]
    facts += [
        unknown("operands", "`@FILE` is an archive, or a list of names, to the tar of BSD", call, w.text)
        for w in parsed.operands
        if (w.value or w.prefix).startswith("@")
    ]
    return facts


def _tar_reads(
    tool: Tool,
    words: tuple[Word, ...],
    parsed: Parsed,
    mode: str,
    call: Call,
    analyst: Analyst,
    facts: list[Fact],
) -> Outcome:
    """Lists, compares, prints or unpacks."""
    # The tar of BSD and macOS reads no option behind an operand: there, `-O` is the name of a member.
    prints = parse(tool, words, stop_at_operand=True).has("-t", "-d", "-O", "--to-command")
    if parsed.has("-O"):
        facts += [f for w in parsed.operands for f in read_fact(w, call, analyst, "tar")]
    if not prints:
        places = directories(parsed, call, analyst)
        facts += [Write(place, "the archive's files", "extract", "tar -x", below=True) for place in places]
    elif mode != "-x":
        return Outcome(replace(action_of(tool), key=("tar", mode)), tuple(facts))
    action = replace(action_of(tool), key=("tar", "-x"), kind=Kind.EDIT, description="unpacks an archive")
    return Outcome(action, tuple(facts))


def _dashed(tool: Tool, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`tar xzf a.tgz -C d` in the form `tar -x -z -f a.tgz -C d`: the old style takes the values in the order of its
    letters.
    """
    first = words[0].value if words else None
    if not first or first.startswith("-"):
        return words
    table = options_of(tool)
    rest = list(words[1:])
    made: list[Word] = []
    for letter in first:
        option = table.get("-" + letter)
        made.append(Word("-" + letter, "-" + letter))
        if option is not None and option.takes == 1 and rest:
            made.append(rest.pop(0))
    return (*made, *rest)


def _checkpoints(parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    facts: list[Fact] = []
    for word in parsed.values("--checkpoint-action"):
        text = word.value
        if text is None or not text.startswith(("dot", ".", "echo", "bell", "ttyout=", "sleep=", "totals")):
            facts.append(unknown("hidden command", "`tar --checkpoint-action` runs a command", call, word.text))
            if text is not None and text.startswith("exec="):
                facts += analyst.script(text[5:], call, "tar --checkpoint-action", "sh")
    return facts


def _unzip(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Options stand before the archive; behind it only `-x NAMES…` and `-d DIRECTORY` are any."""
    words = call.words[1:]
    before = parse(tool, words, stop_at_operand=True)
    facts: list[Fact] = list(facts_of(tool, call, before, analyst))
    behind = words[before.stopped_at + 1 :] if before.stopped_at >= 0 else ()
    if before.has("-l", "-t", "-v", "-Z", "-z", "-p", "-c", "-h", "-hh", "-Z1") or before.stopped_at < 0:
        if before.has("-p", "-c"):
            facts += [f for w in behind for f in read_fact(w, call, analyst, "unzip -p")]
        return Outcome(replace(action_of(tool), description="lists an archive"), tuple(facts))
    targets = [*before.values("-d"), *_behind_d(behind)] or [Word(".", ".")]
    facts += [f for w in targets for f in write_fact(w, call, analyst, "unzip", "extract", below=True)]
    return Outcome(
        replace(action_of(tool), key=("unzip", "x"), kind=Kind.EDIT, description="unpacks an archive"), tuple(facts)
    )


def _behind_d(words: tuple[Word, ...]) -> list[Word]:
    """`-d DIRECTORY` and `-dDIRECTORY`; a word that is not known may be one."""
    found = [words[i + 1] for i, w in enumerate(words[:-1]) if w.value == "-d"]
    found += [
        Word(w.value[2:], w.value[2:]) for w in words if w.value and w.value.startswith("-d") and len(w.value) > 2
    ]
    return found + [Word(w.text, None) for w in words if w.value is None and not w.prefix]


def _zip(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if parsed.operands:
        archive = parsed.operands[0]
        facts += write_fact(archive, call, analyst, "zip", "overwrite")
        if archive.value is not None and "." not in archive.value.rsplit("/", 1)[-1]:
            facts += write_fact(Word(archive.text, archive.value + ".zip"), call, analyst, "zip", "overwrite")
    # `-r . -i .env` packs the one file.
    packed = (*parsed.operands[1:], *parsed.values("-i"))
    facts += [f for w in packed for f in read_fact(w, call, analyst, "zip")]
    return Outcome(action_of(tool), tuple(facts))


_SUFFIX = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}
# What each of them takes off a name, and what it puts there instead; a name without any of these becomes FILE.out.
_ENDINGS = {
    **dict.fromkeys((".gz", "-gz", ".z", "-z", "_z", ".Z", ".bz2", ".bz", ".xz", ".lzma", ".lz", ".zst", ".lz4"), ""),
    **dict.fromkeys((".tgz", ".taz", ".tbz", ".tbz2", ".txz", ".tlz", ".tzst"), ".tar"),
}


def _made(tool: Tool, word: Word, parsed: Parsed, unpacks: bool, call: Call, analyst: Analyst) -> list[Fact]:
    """The file that is written: FILE.gz, or FILE without its ending, or a name that only the archive knows."""
    how = "extract" if unpacks else "create"
    if word.value is None:
        return write_fact(word, call, analyst, tool.name, how)
    folder, slash, name = word.value.rpartition("/")
    given = [w.value for w in parsed.values("-S")]
    if unpacks and parsed.has("-r"):
        return write_fact(word, call, analyst, tool.name, how, below=True)
    if None in given or (unpacks and parsed.has("-N")):  # a suffix nobody knows, or the name that the archive stores
        return write_fact(Word(word.text, folder + slash or "."), call, analyst, tool.name, "extract", below=True)
    paths = [folder + slash + each for each in _names_made(tool, name, [str(suffix) for suffix in given], unpacks)]
    return [f for path in paths for f in write_fact(Word(path, path), call, analyst, tool.name, "create")]


def _names_made(tool: Tool, name: str, suffixes: list[str], unpacks: bool) -> list[str]:
    return _unpacked_names(name, suffixes) if unpacks else [name + (suffixes or [_SUFFIX.get(tool.name, "")])[-1]]


def _unpacked_names(name: str, suffixes: list[str]) -> list[str]:
    endings = _ENDINGS | {suffix: "" for suffix in suffixes if suffix}
    found = [name[: -len(e)] + put for e, put in endings.items() if name.lower().endswith(e.lower()) and name != e]
    return found or [name + ".out"]


def _compress(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """gzip and its kin write FILE.gz beside FILE and delete FILE, unless told to keep it or to print."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if parsed.has("-c", "-l", "-t") or not parsed.operands:
        facts += [f for w in parsed.operands for f in read_fact(w, call, analyst, tool.name)]
        return Outcome(
            replace(action_of(tool), kind=Kind.READ, description="prints or tests compressed files"), tuple(facts)
        )
    unpacks = tool.name in ("gunzip", "bunzip2", "unxz", "unzstd") or parsed.has("-d")
    for word in parsed.operands:
        facts += read_fact(word, call, analyst, tool.name)
        facts += write_fact(word, call, analyst, tool.name, "move", below=parsed.has("-r"))
        facts += _made(tool, word, parsed, unpacks, call, analyst)
    return Outcome(action_of(tool), tuple(facts))


# A switch of 7z is known by its beginning; these change what is shown, and nothing else.
_SEVEN_SHOWS = (
    "-slt",
    "-ba",
    "-bd",
    "-bb",
    "-bs",
    "-bt",
    "-y",
    "-r",
    "-p",
    "-scrc",
    "-scc",
    "-mm",
    "-t",
    "-ssc",
    "-spd",
)


def _seven(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    first = words[0].value if words else ""
    if first in ("l", "t", "h", "b") or (first in ("i", "-h", "--help", "-?", "") and len(words) < 2):
        rest = words[1:]
        dashed = [w for w in rest if (w.value or w.prefix or "-").startswith(("-", "@"))]
        facts: list[Fact] = [
            unknown("option", f"`{w.text}` is not an option of `{tool.name}` that the built-in rules know", call)
            for w in dashed
            if not (w.value or "").startswith(_SEVEN_SHOWS)
        ]
        facts += [f for w in rest if w not in dashed for f in read_fact(w, call, analyst, tool.name)]
        return Outcome(replace(action_of(tool), key=(tool.name, str(first))), tuple(facts))
    action = Action((tool.name, str(first)), Kind.EDIT, description="packs or unpacks an archive")
    return Outcome(action, (_unpacked(tool, words, call, analyst),))


def _unpacked(tool: Tool, words: tuple[Word, ...], call: Call, analyst: Analyst) -> Fact:
    """`-oDIR` says where; otherwise it is the directory itself."""
    where = next((w for w in words if (w.value or w.prefix).startswith("-o")), Word(".", "-o."))
    path = analyst.path(where.value[2:], call.cwd) if where.value else None
    return Write(path, where.text, "extract", tool.name, below=True)


_COMPRESS = """
    flag    -c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -h,--help -k,--keep -q,--quiet -t,--test
    flag    -v,--verbose -V,--version -z,--compress --fast --best -1 -2 -3 -4 -5 -6 -7 -8 -9
"""
# Which of these take the next word differs: behind `xz -T` it is a number, behind `zstd -T` a file.
_GZIP = """
    flag    -a,--ascii -l,--list -L,--license -n,--no-name -N,--name -r,--recursive --rsyncable --synchronous
    value   -b,--bits -S,--suffix
"""
_BZIP2 = "flag -s,--small -L,--license --repetitive-fast --repetitive-best"
_XZ = """
    flag    -0 -e,--extreme -l,--list -Q,--no-warn --single-stream --no-sparse --ignore-check --robot
    value   -T,--threads -M,--memlimit,--memory -C,--check -F,--format -S,--suffix
    asks    --files --files0: reads names from a file
"""
_ZSTD = """
    flag    -l,--list -n,--no-name -r --rsyncable --ultra --no-progress --progress --no-check --sparse --no-sparse
    flag    -10 -11 -12 -13 -14 -15 -16 -17 -18 -19 -20 -21 -22
    maybe   -T,--threads -M,--memory -B --long --adapt --format
    writes  -o
    asks    --rm: deletes the originals
    asks    -D: loads a dictionary
    asks    --filelist --output-dir-flat --output-dir-mirror --patch-from --train: reads or writes other files
"""
_MANUALS: dict[str, str] = {
    "7z": "p7zip-full 16.02+really26.02+dfsg",
    "7za": "p7zip-full 16.02+really26.02+dfsg",
    "7zz": "7zip 22.01+really26.02+dfsg",
    "bunzip2": "bunzip2 1.0.8",
    "bzip2": "bzip2 1.0.8",
    "gunzip": "gzip 1.12",
    "gzip": "gzip 1.12",
    "unxz": "XZ Utils 5.4.1",
    "unzstd": "Zstandard CLI 1.5.4",
    "xz": "XZ Utils 5.4.1",
    "zstd": "Zstandard CLI 1.5.4",
}


def _gzip_row(name: str, options: str) -> Tool:
    return Tool(
        name,
        Kind.EDIT,
        "compresses files",
        options=_COMPRESS + options,
        manual=_MANUALS.get(name, ""),
        special=_compress,
    )


_TAR = Tool(
    "tar",
    description="packs, lists and unpacks archives",
    options="""
        flag    -c,--create -x,--extract,--get -t,--list -r,--append -u,--update -d,--diff,--compare
        flag    -A,--catenate,--concatenate --delete -z --gzip --gunzip --ungzip -j --bzip2 -J --xz
        flag    --lzma --zstd --lzip --lzop -Z --compress -a,--auto-compress --no-auto-compress -v
        flag    -k,--keep-old-files --keep-newer-files --skip-old-files --overwrite --overwrite-dir
        flag    --no-overwrite-dir -m --touch -p,--preserve-permissions --same-permissions
        flag    --no-same-permissions --no-same-owner -o --same-owner -h --dereference
        flag    --hard-dereference -l --check-links --one-file-system -O,--to-stdout --wildcards
        flag    --no-wildcards --anchored --no-anchored --ignore-case --no-recursion --recursion
        flag    --numeric-owner -S,--sparse --verify --null --utc --full-time -w --confirmation
        flag    --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --force-local
        flag    -R --block-number -i,--ignore-zeros -n --seek -B --read-full-records --posix
        flag    --old-archive --portability --no-xattrs --no-acls --xattrs --acls --selinux
        flag    --no-selinux --preserve-order --show-transformed-names --show-omitted-dirs
        flag    --show-defaults --restrict --no-mac-metadata --delay-directory-restore
        flag    --ignore-failed-read --clamp-mtime
        value   -f,--file -b,--blocking-factor --strip-components --exclude --exclude-ignore
        value   --exclude-tag --owner --group --mode --mtime -N,--newer --after-date --newer-mtime
        value   -H --format -V --label -K --starting-file --sort --level
        value   --checkpoint-action --pax-option --record-size
        value   --quoting-style --warning
        maybe   --checkpoint --occurrence --totals --atime-preserve
        maybe   --verbose
        directory -C,--directory
        runs    -I,--use-compress-program --to-command -F,--info-script,--new-volume-script
        runs    --rsh-command --rmt-command
        reads   -X,--exclude-from --owner-map --group-map
        writes  -g,--listed-incremental --index-file --volno-file
        asks    -P --absolute-names: writes outside the directory
        asks    -W: names any long option in bsdtar, which is the `tar` of macOS
        asks    -s --transform --xform --one-top-level --backup --suffix: gives files other names
        asks    -T --files-from: reads names and options from a file
        asks    --remove-files: deletes what it packs
        asks    -U,--unlink-first --recursive-unlink: deletes before it writes
        asks    -M,--multi-volume -L --tape-length: asks at a terminal
        asks    --exclude-ignore-recursive --keep-directory-symlink: follows links
    """,
    manual="GNU tar 1.34",
    examples=("tar tvf a.tar", "tar -tzf a.tgz", "tar -czf dist.tgz dist"),
    counter_examples=(
        "tar cf /x.tar a",
        "tar -xf a.tar -C /x",
        "tar xf a.tar --to-com='touch /x'",
        "tar tf a.tar -I 'touch /x'",
        "tar cf a.tar b --checkpoint-act=exec='touch /x'",
        "tar -tf h:x",
    ),
    special=_tar,
)

_ROWS = (
    _TAR,
    replace(_TAR, name="bsdtar", allowed=False, manual="", examples=(), counter_examples=()),
    Tool(
        "unzip",
        description="lists and unpacks archives",
        options="""
            flag    -l -t -v -Z -z -p -c -f -u -o -n -q -qq -a -aa -b -j -C -L -V -X -h -hh -D -DD -M
            flag    -U -UU -W -1 -2 -s -m -Z1
            value   -d -P -O -I
            asks    -:: writes outside the directory
            asks    -^: writes control characters in names
            asks    -K: keeps set-uid bits
            asks    -T: changes the archive's time
        """,
        reading=Reading(stops_at_operand=True),
        manual="unzip 6.0",
        examples=("unzip -l a.zip", "unzip -p a.zip x.txt"),
        counter_examples=("unzip -o x.zip -l '*' -d ~", "unzip x.zip -dout", "unzip -l --l x.zip", "unzip -p a .env"),
        special=_unzip,
    ),
    Tool(
        "zip",
        Kind.EDIT,
        "packs archives",
        options="""
            flag    -r,--recurse-paths -q,--quiet -v -j,--junk-paths -u,--update -f,--freshen -g,--grow
            flag    -y --symlinks -9 -8 -7 -6 -5 -4 -3 -2 -1 -0 -D -X -l -k -o -T -FS -R
            value   -x --exclude -i,--include -t -tt -n -s -P -Z
            asks    -TT --unzip-command: runs a program
            asks    -m,--move: deletes what it packs
            asks    -@ --names-stdin: reads names from its input
            asks    -d,--delete: deletes from the archive
            asks    -O,--out --output-file -b --temp-path -lf --logfile-path: writes elsewhere
            asks    -e: asks
        """,
        manual="Zip 3.0",
        special=_zip,
    ),
    *(
        _gzip_row(name, options)
        for names, options in (
            ("gzip gunzip", _GZIP),
            ("bzip2 bunzip2", _BZIP2),
            ("xz unxz", _XZ),
            ("zstd unzstd", _ZSTD),
        )
        for name in names.split()
    ),
    *(
        Tool(
            name,
            description="packs, lists and unpacks archives",
            reading=ANY_OPTIONS,
            manual=_MANUALS.get(name, ""),
            special=_seven,
        )
        for name in ("7z", "7zz", "7za")
    ),
    Tool("ar", description="lists and changes archives", allowed=False, operands=(INERT, ...), reading=ANY_OPTIONS),
    asking(
        "cpio",
        "packs and unpacks archives",
        options="""
            runs    --rsh-command --rmt-command
            writes  -O
        """,
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
