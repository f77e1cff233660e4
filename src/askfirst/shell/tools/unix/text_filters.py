"""Filters over text that can also write or run: sort, uniq, iconv, base64, xxd, split and their kin."""

from __future__ import annotations

from askfirst.model import Kind, Write
from askfirst.shell.call import Outcome
from askfirst.shell.tools.engine import action_of, facts_of, finish, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Word
    from askfirst.shell.call import Analyst, Call

INERT, READS, WRITES, RUNS = Effect.INERT, Effect.READS, Effect.WRITES, Effect.RUNS


def _sort(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Temporary files have names that nobody knows beforehand, and are gone afterwards: the scratch directory is the place for them."""
    parsed = parse(tool, call.words[1:])
    more = [
        f
        for w in parsed.values("-T")
        if w.value not in ("/tmp", "/var/tmp", "/tmp/", "/dev/shm")
        for f in write_fact(w, call, analyst, "sort -T", "create", below=True)
    ]
    return finish(tool, call, parsed, analyst, more=tuple(more))


def _prefix(word: Word | None, default: str, call: Call, analyst: Analyst, by: str) -> Write:
    """The pieces `PREFIXaa`, `PREFIXab` … lie in the prefix's directory."""
    text = default if word is None else word.value
    if text is None:
        return Write(None, word.text if word else "", "create", by, below=True)
    folder = text.rpartition("/")[0] if "/" in text else "."
    return Write(analyst.path(folder or "/", call.cwd), text, "create", by, below=True)


def _split(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    prefix = parsed.operands[1] if len(parsed.operands) > 1 else None
    piece = _prefix(prefix, "x", call, analyst, tool.name)
    reads = parsed.replace(operands=parsed.operands[:1])
    return Outcome(action_of(tool), (*facts_of(tool, call, reads, analyst), piece))


def _csplit(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    given = parsed.values("-f")
    piece = _prefix(given[-1] if given else None, "xx", call, analyst, tool.name)
    return finish(tool, call, parsed, analyst, more=(piece,))


def _dos2unix(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    writes = [f for w in parsed.operands for f in write_fact(w, call, analyst, tool.name, "overwrite")]
    return finish(tool, call, parsed, analyst, more=tuple(writes))


_ROWS = (
    Tool(
        "sort",
        description="sorts lines",
        special=_sort,
        flags="-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting "
        "-M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse -V --version-sort -c -C -m --merge "
        "-s --stable -u --unique -z --zero-terminated --debug --help --version",
        values="-k --key -t --field-separator -S --buffer-size --parallel --sort --batch-size",
        optional="--check",
        effects={
            "-o --output": WRITES,
            "--compress-program": RUNS,
            "-T --temporary-directory": INERT,
            "--files0-from": READS,
            "--random-source": READS,
        },
        operands=READS,
        examples=("sort -t, -k2,2n data.csv", "sort -rn", "sort --rev src/app.py"),
        counter_examples=("sort --comp=/x/evil a", "sort -uo /etc/x a", "sort --compress-program sh a"),
    ),
    Tool(
        "uniq",
        description="drops repeated lines",
        any_options=True,
        values="-f --skip-fields -s --skip-chars -w --check-chars",
        optional="--all-repeated --group",
        first=READS,
        operands=WRITES,
        most=2,
        examples=("uniq -c", "uniq -c a.txt"),
    ),
    Tool(
        "shuf",
        description="shuffles lines",
        flags="-e --echo -r --repeat -z --zero-terminated",
        values="-i --input-range -n --head-count",
        effects={"-o --output": WRITES, "--random-source": READS},
        examples=("shuf -n 5 a.txt",),
    ),
    Tool(
        "iconv",
        description="converts encodings",
        flags="-c -l --list -s --silent --verbose -i",
        values="-f --from-code -t --to-code --unicode-subst --byte-subst --widechar-subst",
        effects={"-o --output": WRITES},
        examples=("iconv -f latin1 -t utf8 a.txt",),
    ),
    Tool(
        "base64",
        description="encodes or decodes base64",
        flags="-d --decode -D -e --encode -u -i --ignore-garbage",
        values="-w --wrap -b --break",
        effects={"-o --output": WRITES, "--input": READS},
        examples=("base64 -w0 a.bin", "base64 --decode a.txt"),
    ),
    Tool(
        "base32", description="encodes or decodes base32", flags="-d --decode -i --ignore-garbage", values="-w --wrap"
    ),
    Tool(
        "basenc",
        description="encodes or decodes",
        flags="-d --decode -i --ignore-garbage --base64 --base64url --base32 --base32hex "
        "--base16 --z85 "
        "--base2msbf --base2lsbf",
        values="-w --wrap",
    ),
    Tool(
        "xxd",
        description="shows bytes",
        single_dash_long=True,
        first=READS,
        operands=WRITES,
        most=2,
        flags="-a -autoskip -b -bits -C -capitalize -E -EBCDIC -e -i -include -p -ps -postscript -plain -r -revert -u -v -version -h "
        "-d -x",
        values="-c -cols -g -groupsize -l -len -o -n -name -R -s -seek -skip -color",
        examples=("xxd -cols 10 a.bin", "xxd -l 32 a.bin"),
    ),
    Tool(
        "split",
        kind=Kind.EDIT,
        description="writes a file in pieces",
        special=_split,
        flags="-d -x -e --elide-empty-files -u --unbuffered --verbose --numeric-suffixes --hex-suffixes",
        values="-a --suffix-length --additional-suffix -b --bytes -C --line-bytes -l --lines -n --number -t --separator -p",
        effects={"--filter": RUNS},
        numbers=True,
        most=1,
        examples=("split -l 100 big.txt part_",),
    ),
    Tool(
        "csplit",
        kind=Kind.EDIT,
        description="writes a file in pieces",
        special=_csplit,
        first=READS,
        operands=INERT,
        flags="-k --keep-files -s --quiet --silent -z --elide-empty-files --suppress-matched",
        values="-f|--prefix -n --digits",
    ),
    Tool(
        "dos2unix",
        kind=Kind.EDIT,
        description="changes line ends in place",
        special=_dos2unix,
        flags="-k -q -f -s -v --keepdate --quiet --force",
    ),
    Tool(
        "unix2dos",
        kind=Kind.EDIT,
        description="changes line ends in place",
        special=_dos2unix,
        flags="-k -q -f -s -v --keepdate --quiet --force",
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
