"""Filters over text that can also write or run: sort, uniq, iconv, base64, xxd, split and their kin."""

from __future__ import annotations

import re
from dataclasses import replace

from askfirst.knowledge.places import DATA_ENDINGS
from askfirst.model import Kind, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, finish, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import ANY_OPTIONS, READS, WRITES, Reading, Tool


def _sort(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Temporary files have names that nobody knows beforehand, and are gone afterwards: the scratch directory is the
    place for them.
    """
    parsed = parse(tool, call.words[1:])
    more = [
        f
        for w in parsed.values("-T")
        if w.value not in ("/tmp", "/var/tmp", "/tmp/", "/dev/shm")
        for f in write_fact(w, call, analyst, "sort -T", "create", below=True)
    ]
    return finish(tool, call, parsed, analyst, more=tuple(more))


# What a piece is called before its letters, so that no letters make it a name that tools obey. `conftes` is none.
_PLAIN_PREFIX = re.compile(r"(?:[\w-]*[_-]|x+|part|chunk|piece|shard|segment|split|out)\d*")


def _split(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """The pieces `PREFIXaa`, `PREFIXab` … lie in the prefix's directory."""
    parsed = parse(tool, call.words[1:])
    reads = facts_of(tool, call, replace(parsed, operands=parsed.operands[:1]), analyst)
    prefix = parsed.operands[1] if len(parsed.operands) > 1 else Word("x", "x")
    ends = parsed.values("--additional-suffix")
    if prefix.value is None or any(w.value is None for w in ends):
        return Outcome(action_of(tool), (*reads, Write(None, prefix.text, "create", tool.name, below=True)))
    folder, slash, begin = prefix.value.rpartition("/")
    end = (ends[-1].value or "") if ends else ""
    plain = _PLAIN_PREFIX.fullmatch(begin) and end.lower() in ("", ".txt", ".log", *DATA_ENDINGS)
    how = "create" if plain else "extract"
    place = Write(analyst.path(folder + slash or ".", call.cwd), prefix.text, how, tool.name, below=True)
    piece = prefix.value + "aa" + end
    return Outcome(
        action_of(tool), (*reads, place, *write_fact(Word(piece, piece), call, analyst, tool.name, "create"))
    )


def _dos2unix(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    writes = [f for w in parsed.operands for f in write_fact(w, call, analyst, tool.name, "overwrite")]
    return finish(tool, call, parsed, analyst, more=tuple(writes))


_ROWS = (
    Tool(
        "sort",
        description="sorts lines",
        options="""
            flag    -b --ignore-leading-blanks -d,--dictionary-order -f --ignore-case
            flag    -g,--general-numeric-sort -i,--ignore-nonprinting -M,--month-sort
            flag    -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse
            flag    -V,--version-sort -c -C -m,--merge -s,--stable -u,--unique -z,--zero-terminated
            flag    --debug
            value   -k,--key -t --field-separator -S --buffer-size --parallel --sort --batch-size
            value   -T,--temporary-directory
            maybe   --check
            writes  -o,--output
            runs    --compress-program
            reads   --random-source
            asks    --files0-from: reads files whose names stand in a file
        """,
        operands=(READS, ...),
        manual="GNU coreutils 9.1",
        examples=("sort -t, -k2,2n data.csv", "sort -rn", "sort --reverse src/app.py"),
        counter_examples=("sort --comp=/x/evil a", "sort -uo /etc/x a", "sort --compress-program sh a"),
        special=_sort,
    ),
    Tool(
        "uniq",
        description="drops repeated lines",
        options="""
            flag    -c,--count -d,--repeated -D -i,--ignore-case -u,--unique -z,--zero-terminated
            value   -f,--skip-fields -s,--skip-chars -w,--check-chars
            maybe   --all-repeated --group
        """,
        operands=(READS, WRITES),
        reading=ANY_OPTIONS,
        manual="GNU coreutils 9.1",
        examples=("uniq -c", "uniq -c a.txt"),
    ),
    Tool(
        "shuf",
        description="shuffles lines",
        options="""
            flag    -e,--echo -r,--repeat -z,--zero-terminated
            value   -i,--input-range -n --head-count
            writes  -o,--output
            reads   --random-source
        """,
        manual="GNU coreutils 9.1",
        examples=("shuf -n 5 a.txt",),
    ),
    Tool(
        "iconv",
        description="converts encodings",
        options="""
            flag    -c -l,--list -s,--silent --verbose -i
            value   -f,--from-code -t,--to-code --unicode-subst --byte-subst --widechar-subst
            writes  -o,--output
        """,
        manual="GLIBC 2.36",
        examples=("iconv -f latin1 -t utf8 a.txt",),
    ),
    Tool(
        "base64",
        description="encodes or decodes base64",
        options="""
            flag    -d,--decode -D -e,--encode -u -i,--ignore-garbage
            value   -w,--wrap -b,--break
            writes  -o,--output
            reads   --input
        """,
        manual="GNU coreutils 9.1",
        examples=("base64 -w0 a.bin", "base64 --decode a.txt"),
    ),
    Tool(
        "base32",
        description="encodes or decodes base32",
        options="""
            flag    -d,--decode -i,--ignore-garbage
            value   -w,--wrap
        """,
        manual="GNU coreutils 9.1",
    ),
    Tool(
        "xxd",
        description="shows bytes",
        options="""
            flag    -a -autoskip -b -bits -C -capitalize -E -EBCDIC -e -i -include -p -ps -postscript
            flag    -plain -r -revert -u -v -version -h -d -x
            value   -c -cols -g -groupsize -l -len -o -n -name -R -s -seek -skip
        """,
        operands=(READS, WRITES),
        reading=Reading(single_dash_long=True),
        manual="xxd 9.0.1378",
        examples=("xxd -cols 10 a.bin", "xxd -l 32 a.bin"),
        counter_examples=("xxd -color .env",),  # `-c` with something glued on
    ),
    Tool(
        "split",
        kind=Kind.EDIT,
        description="writes a file in pieces",
        options="""
            flag    -d -x -e,--elide-empty-files -u,--unbuffered --verbose --numeric-suffixes
            flag    --hex-suffixes
            value   -a --suffix-length --additional-suffix -b,--bytes -C --line-bytes -l,--lines
            value   -n,--number -t --separator -p
            runs    --filter
        """,
        operands=(READS,),
        reading=Reading(numbers=True),
        manual="GNU coreutils 9.1",
        examples=("split -l 100 big.txt out/part_", "split -b 1M --additional-suffix=.csv big.csv out/chunk-"),
        counter_examples=(
            "split -l 100 big.txt part_",
            "split --filter=sh big.txt",
            "split -a1 big.txt src/Makefil",
            "split -l1 -a1 --additional-suffix=test.py big.txt src/con",
        ),
        special=_split,
    ),
    Tool(
        "dos2unix",
        kind=Kind.EDIT,
        description="changes line ends in place",
        options="""
            flag    -k,--keepdate -q,--quiet -f,--force -s,--safe -v,--verbose
            maybe   -i,--info
        """,
        manual="dos2unix 7.4.3",
        special=_dos2unix,
    ),
    Tool(
        "unix2dos",
        kind=Kind.EDIT,
        description="changes line ends in place",
        options="flag -k,--keepdate -q,--quiet -f,--force -s,--safe -v,--verbose",
        manual="unix2dos 7.4.3",
        special=_dos2unix,
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
