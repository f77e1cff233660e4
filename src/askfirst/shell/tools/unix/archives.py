"""Archives: listing is reading; packing writes the archive; unpacking writes a whole tree; several options run
programs.
"""

from __future__ import annotations

from askfirst.model import Action, Kind, Word, Write
from askfirst.shell.call import Outcome
from askfirst.shell.tools.engine import action_of, call_after, directories, facts_of, read_fact, unknown, write_fact
from askfirst.shell.tools.options import options_of, parse
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact
    from askfirst.shell.call import Analyst, Call
    from askfirst.shell.tools.options import Parsed


def _tar(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = _dashed(tool, call.words[1:])
    parsed = parse(tool, words)
    facts: list[Fact] = list(facts_of(tool, call, parsed.replace(operands=()), analyst))
    facts += _checkpoints(parsed, call, analyst)
    mode = next((m for m in ("-t", "-d", "-x", "-c", "-r", "-u", "-A", "--delete") if parsed.has(m)), "")
    archive = next(iter(parsed.values("-f")), None)
    if archive is not None and (archive.value is None or ":" in archive.value) and not parsed.has("--force-local"):
        facts.append(
            unknown("option", "an archive whose name holds a `:` is fetched from another machine", call, archive.text)
        )
    # Each `-C` counts for the names behind it: every name is looked for in every directory.
    places = [call_after(call, (), cwd) for cwd in directories(parsed, call, analyst)]
    action = action_of(tool)
    if mode in ("-t", "-d"):
        return Outcome(action.replace(key=("tar", mode)), tuple(facts))
    if mode == "-x":
        if not parsed.has("-O", "--to-command"):
            entered = places[1:] or places
            facts += [Write(p.cwd, "the archive's files", "extract", "tar -x", below=True) for p in entered]
        return Outcome(
            action.replace(key=("tar", "-x"), kind=Kind.EDIT, description="unpacks an archive"), tuple(facts)
        )
    if mode in ("-c", "-r", "-u", "-A"):
        facts += write_fact(archive, call, analyst, "tar", "overwrite") if archive is not None else []
        facts += [f for p in places for w in parsed.operands for f in read_fact(w, p, analyst, "tar")]
        return Outcome(action.replace(key=("tar", mode), kind=Kind.EDIT, description="packs an archive"), tuple(facts))
    return Outcome(action.replace(allowed=False), tuple(facts))


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
                facts += analyst.script(text[5:], call, "tar --checkpoint-action")
    return facts


def _unzip(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, parsed.replace(operands=()), analyst))
    if parsed.has("-l", "-t", "-v", "-Z", "-z", "-p", "-c", "-h", "-hh", "-Z1"):
        return Outcome(action_of(tool).replace(description="lists an archive"), tuple(facts))
    target = next(iter(parsed.values("-d")), Word(".", "."))
    for fact in write_fact(target, call, analyst, "unzip", "extract", below=True):
        facts.append(fact)
    return Outcome(
        action_of(tool).replace(key=("unzip", "x"), kind=Kind.EDIT, description="unpacks an archive"), tuple(facts)
    )


def _zip(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, parsed.replace(operands=()), analyst))
    if parsed.operands:
        archive = parsed.operands[0]
        facts += write_fact(archive, call, analyst, "zip", "overwrite")
        if archive.value is not None and "." not in archive.value.rsplit("/", 1)[-1]:
            facts += write_fact(Word(archive.text, archive.value + ".zip"), call, analyst, "zip", "overwrite")
    facts += [f for w in parsed.operands[1:] for f in read_fact(w, call, analyst, "zip")]
    return Outcome(action_of(tool), tuple(facts))


_SUFFIX = {
    "gzip": ".gz",
    "bzip2": ".bz2",
    "xz": ".xz",
    "zstd": ".zst",
    "lzma": ".lzma",
    "pigz": ".gz",
    "brotli": ".br",
    "lz4": ".lz4",
}


def _made(tool: Tool, word: Word, unpacks: bool, stored_name: bool, call: Call, analyst: Analyst) -> list[Fact]:
    """The file that is written: FILE.gz, or FILE without its ending, or a name that only the archive knows."""
    if word.value is None:
        return write_fact(word, call, analyst, tool.name, "create")
    folder, slash, name = word.value.rpartition("/")
    if stored_name:
        return write_fact(Word(word.text, folder + slash or "."), call, analyst, tool.name, "create", below=True)
    made = name.rpartition(".")[0] or name if unpacks else name + _SUFFIX.get(tool.name, "")
    return write_fact(Word(word.text, folder + slash + made), call, analyst, tool.name, "create")


def _compress(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """gzip and its kin write FILE.gz beside FILE and delete FILE, unless told to keep it or to print."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, parsed.replace(operands=()), analyst))
    if parsed.has("-c", "-l", "-t") or not parsed.operands:
        facts += [f for w in parsed.operands for f in read_fact(w, call, analyst, tool.name)]
        return Outcome(
            action_of(tool).replace(kind=Kind.READ, description="prints or tests compressed files"), tuple(facts)
        )
    unpacks = (
        tool.name.startswith("un")
        or tool.name in ("gunzip", "bunzip2")
        or parsed.has("-d", "--decompress", "--uncompress")
    )
    for word in parsed.operands:
        facts += read_fact(word, call, analyst, tool.name)
        facts += write_fact(word, call, analyst, tool.name, "move", below=parsed.has("-r", "--recursive"))
        facts += _made(tool, word, unpacks, parsed.has("-N", "--name"), call, analyst)
    return Outcome(action_of(tool), tuple(facts))


def _seven(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words[1:]
    first = words[0].value if words else ""
    if first in ("l", "t", "h", "b", "i") or (first in ("-h", "--help", "-?", "") and len(words) < 2):
        if any((w.value or "").startswith(("-w", "-o", "-sfx")) or "@" in (w.value or "@") for w in words[1:]):
            return Outcome(action_of(tool), (unknown("option", "writes files or reads names from a file", call),))
        named = [w for w in words[1:] if not (w.value or "-").startswith("-")]
        facts = [f for w in named for f in read_fact(w, call, analyst, tool.name)]
        return Outcome(action_of(tool).replace(key=(tool.name, str(first))), tuple(facts))
    action = Action((tool.name, str(first)), Kind.EDIT, description="packs or unpacks an archive")
    return Outcome(action, (_unpacked(tool, words, call, analyst),))


def _unpacked(tool: Tool, words: tuple[Word, ...], call: Call, analyst: Analyst) -> Fact:
    """`-oDIR` says where; otherwise it is the directory itself."""
    where = next((w for w in words if (w.value or w.prefix).startswith("-o")), Word(".", "-o."))
    path = analyst.path(where.value[2:], call.cwd) if where.value else None
    return Write(path, where.text, "extract", tool.name, below=True)


# Which of these take the next word differs: behind `xz -T` it is a number, behind `zstd -T` a file.
_XZ, _ZSTD = "value -T,--threads -M,--memlimit -C,--check -F,--format", "maybe -T,--threads -M,--memory -B"
_COMPRESS_MORE = {
    "xz": _XZ,
    "unxz": _XZ,
    "lzma": _XZ,
    "unlzma": _XZ,
    "pigz": "value -p,--processes -b,--blocksize",
    "gzip": "value -b",
    "gunzip": "value -b",
    "zstd": _ZSTD,
    "unzstd": _ZSTD,
    "lz4": "maybe -T -B",
}
_COMPRESS = """
    flag    -c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -h -k,--keep -l,--list -L,--license
    flag    -n,--no-name -N,--name -q,--quiet -r,--recursive -t,--test -v,--verbose -V -a -z,--compress -e,--extreme
    flag    -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -19 --fast --best --ultra --synchronous --rsyncable --no-progress
    maybe   --long
    asks    -S,--suffix: names the file otherwise
    asks    --files --files0: reads names from a file
    asks    --rm: deletes the originals
    asks    -o,--output: writes a file
    asks    -D: loads a dictionary
"""


def _gzip_row(name: str) -> Tool:
    return Tool(
        name,
        Kind.EDIT,
        "compresses files",
        options=_COMPRESS + _COMPRESS_MORE.get(name, ""),
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
        flag    --numeric-owner -S,--sparse -W --verify --null --utc --full-time -w --confirmation
        flag    --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --force-local
        flag    -R --block-number -i,--ignore-zeros -n --seek -B --read-full-records --posix
        flag    --old-archive --portability --no-xattrs --no-acls --xattrs --acls --selinux
        flag    --no-selinux -s --preserve-order --show-transformed-names --show-omitted-dirs
        flag    --show-defaults --restrict --no-mac-metadata --delay-directory-restore
        flag    --ignore-failed-read --clamp-mtime
        value   -f,--file -b,--blocking-factor --strip-components --exclude --exclude-ignore
        value   --exclude-tag --owner --group --mode --mtime -N,--newer --after-date --newer-mtime
        value   -H --format -V --label --xform --transform -K --starting-file --sort --level
        value   --checkpoint-action --pax-option --owner-map --group-map --record-size --suffix
        value   --quoting-style --warning
        maybe   --checkpoint --backup --occurrence --totals --atime-preserve --one-top-level
        maybe   --verbose
        directory -C,--directory
        runs    -I,--use-compress-program --to-command -F,--info-script,--new-volume-script
        runs    --rsh-command --rmt-command
        reads   -X,--exclude-from
        writes  -g,--listed-incremental --index-file --volno-file
        asks    -P --absolute-names: writes outside the directory
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
    _TAR.replace(name="gtar", examples=(), counter_examples=()),
    _TAR.replace(name="bsdtar", manual="", examples=(), counter_examples=()),
    Tool(
        "unzip",
        description="lists and unpacks archives",
        options="""
            flag    -l -t -v -Z -z -p -c -f -u -o -n -q -qq -a -aa -b -j -C -L -V -X -h -hh -D -DD -K -M
            flag    -U -W -1 -2 -s -m -T -Z1
            value   -d -x -P -O -I
            asks    -:: writes outside the directory
            asks    -^: writes control characters in names
        """,
        examples=("unzip -l a.zip", "unzip -p a.zip x.txt"),
        special=_unzip,
    ),
    Tool("zipinfo", description="lists archives", reading=ANY_OPTIONS),
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
        _gzip_row(name)
        for name in (
            "gzip",
            "gunzip",
            "bzip2",
            "bunzip2",
            "xz",
            "unxz",
            "zstd",
            "unzstd",
            "lzma",
            "unlzma",
            "pigz",
            "lz4",
            "brotli",
        )
    ),
    *(
        Tool(name, description="packs, lists and unpacks archives", reading=ANY_OPTIONS, special=_seven)
        for name in ("7z", "7zz", "7za", "7zr")
    ),
    Tool("ar", description="lists and changes archives", allowed=False, operands=(INERT, ...), reading=ANY_OPTIONS),
    Tool(
        "cpio",
        Kind.OTHER,
        "packs and unpacks archives",
        allowed=False,
        options="""
            runs    --rsh-command --rmt-command
            writes  -O
        """,
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
