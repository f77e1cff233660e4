"""Programs that only look or print: coreutils and their kin.

`any_options` here is a claim about the whole program: none of its options, in GNU, BSD or busybox form, runs, writes or
loads anything. Options whose value is a file are still listed, so that the file is judged as something that is read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.knowledge.variables import looks_secret
from askfirst.model import Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, finish, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Reading, Tool


def looks(name: str, description: str, **fields: Any) -> Tool:
    """A program without any option that matters."""
    fields.setdefault("reading", ANY_OPTIONS)
    return Tool(name, Kind.READ, description, **fields)


def _date(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`date 0101…` sets the clock, `date +FORMAT` prints it."""
    parsed = parse(tool, call.words[1:])
    if parsed.has("-j"):  # BSD: only converts
        return finish(
            tool,
            call,
            replace(parsed, given=tuple(g for g in parsed.given if not g.option.is_one_of(("-f",)))),
            analyst,
        )
    more = tuple(
        unknown("operands", "`date` with a word that is not a format sets the clock", call, w.text)
        for w in parsed.operands
        if not (w.value or w.prefix).startswith("+")
    )
    return finish(tool, call, parsed, analyst, more=more)


def _printenv(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """One named variable is shown; all of them include the credentials that the environment holds."""
    parsed = parse(tool, call.words[1:])
    facts = []
    if not parsed.operands:
        facts.append(unknown("secrets", "prints every environment variable, credentials included", call))
    for word in parsed.operands:
        if word.value is None or looks_secret(word.value):
            facts.append(unknown("secrets", "prints an environment variable that may be a credential", call, word.text))
    return Outcome(action_of(tool), tuple(facts))


def _plain_operand(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Programs whose operands are never opened (`seq 1 10`, `basename a/b`)."""
    return Outcome(action_of(tool))


_XZCAT = """
    flag    -c,--stdout -d,--decompress -f,--force -k,--keep -l,--list -q,--quiet -t,--test -v,--verbose
    flag    --single-stream
    value   -T,--threads -M,--memlimit -F,--format
    asks    --files --files0: prints files that only a list names
"""
_MANUALS: dict[str, str] = {
    "b2sum": "GNU coreutils 9.1",
    "md5sum": "GNU coreutils 9.1",
    "sha1sum": "GNU coreutils 9.1",
    "sha224sum": "GNU coreutils 9.1",
    "sha256sum": "GNU coreutils 9.1",
    "sha384sum": "GNU coreutils 9.1",
    "sha512sum": "GNU coreutils 9.1",
    "shasum": "shasum 6.02",
}

_ROWS = (
    looks(
        "ls",
        "lists files",
        options="value -I,--ignore -w,--width -T,--tabsize --hide --time-style --block-size",
        operands=(INERT, ...),
        manual="GNU coreutils 9.1",
    ),
    looks("dir", "lists files", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("vdir", "lists files", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    *(
        looks(
            name,
            "lists files",
            options="""
                value   -w,--width -L,--level -s,--sort -I,--ignore-glob -t,--time --time-style
                asks    --write-theme: writes a file
            """,
            operands=(INERT, ...),
            manual=manual,
            counter_examples=(f"{name} --write-theme=/x",),
        )
        for name, manual in (
            ("exa", "exa 0.10.1"),
            ("eza", "eza 0.23.5"),
        )  # exa may be a link to eza
    ),
    looks("cat", "prints files", manual="GNU coreutils 9.1"),
    looks("tac", "prints files, last line first", options="value -s,--separator", manual="GNU coreutils 9.1"),
    looks("rev", "reverses lines", manual="util-linux 2.38.1"),
    looks(
        "nl",
        "numbers lines",
        options="""
            value   -b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter
            value   --footer-numbering --header-numbering --line-increment --join-blank-lines
            value   --number-format --number-separator --starting-line-number --number-width
        """,
        manual="GNU coreutils 9.1",
    ),
    looks(
        "head",
        "prints the beginning of files",
        options="value -n --lines -c --bytes",
        reading=Reading(any_options=True, numbers=True),
        manual="GNU coreutils 9.1",
    ),
    looks(
        "tail",
        "prints the end of files",
        options="""
            value   -n --lines -c --bytes -s,--sleep-interval --pid --max-unchanged-stats
            maybe   --follow
        """,
        reading=Reading(any_options=True, numbers=True),
        manual="GNU coreutils 9.1",
    ),
    looks(
        "wc",
        "counts lines, words and bytes",
        options="""
            maybe   --total
            reads   --files0-from
        """,
        reading=ANY_OPTIONS,
        manual="GNU coreutils 9.1",
    ),
    looks(
        "cut",
        "cuts columns out of lines",
        options="value -b,--bytes -c,--characters -d,--delimiter -f,--fields --output-delimiter",
        manual="GNU coreutils 9.1",
    ),
    looks("tr", "translates characters", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("paste", "joins lines side by side", options="value -d,--delimiters", manual="GNU coreutils 9.1"),
    looks("join", "joins lines on a field", options="value -a -e -j -o -t -v -1 -2", manual="GNU coreutils 9.1"),
    looks("comm", "compares sorted files", options="value --output-delimiter", manual="GNU coreutils 9.1"),
    looks("fold", "wraps lines", options="value -w,--width", manual="GNU coreutils 9.1"),
    looks("fmt", "fills paragraphs", options="value -w,--width -p,--prefix -g,--goal", manual="GNU coreutils 9.1"),
    looks("pr", "paginates text", options="value -D -h -l -N -o -W -w", manual="GNU coreutils 9.1"),
    looks(
        "column",
        "aligns columns",
        options="""
            flag    -t,--table -x -J,--json -L -e -d --fillrows --table-noheadings
            value   -c -s -o -N -R -T -H -O -W -n -r -i -p -l -E --separator --output-separator
            value   --output-width --table-columns --table-right --table-truncate --table-hide
            value   --table-order --table-wrap --table-name --tree --tree-id --tree-parent
        """,
        manual="util-linux 2.38.1",
    ),
    looks("expand", "turns tabs into blanks", options="value -t,--tabs", manual="GNU coreutils 9.1"),
    looks("unexpand", "turns blanks into tabs", options="value -t,--tabs", manual="GNU coreutils 9.1"),
    looks("tsort", "sorts topologically", manual="GNU coreutils 9.1"),
    looks("numfmt", "formats numbers", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("factor", "factors numbers", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("expr", "evaluates an expression", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("seq", "prints numbers", manual="GNU coreutils 9.1", special=_plain_operand),
    looks("yes", "repeats a word", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("sleep", "waits", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("basename", "prints the last part of a path", manual="GNU coreutils 9.1", special=_plain_operand),
    looks("dirname", "prints the directory of a path", manual="GNU coreutils 9.1", special=_plain_operand),
    looks("realpath", "prints the real path", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("readlink", "prints where a link points", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("stat", "shows a file's metadata", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("df", "shows free space", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks(
        "du",
        "shows used space",
        options="""
            value   -d --max-depth -t,--threshold --exclude -B,--block-size --time-style
            reads   --files0-from -X,--exclude-from
        """,
        operands=(INERT, ...),
        manual="GNU coreutils 9.1",
    ),
    looks("whoami", "prints the user", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("id", "prints user and groups", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("groups", "prints groups", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("users", "prints who is logged in", manual="GNU coreutils 9.1"),
    looks("who", "prints who is logged in", manual="GNU coreutils 9.1"),
    looks("tty", "prints the terminal's name", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("arch", "prints the machine's architecture", operands=(), manual="GNU coreutils 9.1"),
    looks(
        "sw_vers",
        "prints the version of macOS",
        options="flag -productName -productVersion -buildVersion",
        operands=(),
        reading=Reading(single_dash_long=True),
        manual="sw_vers(1) of macOS",
    ),
    looks("uname", "prints the system's name", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("nproc", "prints the number of processors", operands=(INERT, ...), manual="GNU coreutils 9.1"),
    looks("lsb_release", "prints the distribution", operands=(INERT, ...), manual="lsb-release 12.0"),
    looks("getconf", "prints configuration values", operands=(INERT, ...), manual="GLIBC 2.36"),
    looks("locale", "prints locale settings", operands=(INERT, ...), manual="GLIBC 2.36"),
    looks("uptime", "prints how long the system has been up", operands=(INERT, ...), manual="procps-ng 4.0.2"),
    looks("free", "prints memory use", operands=(INERT, ...), manual="procps-ng 4.0.2"),
    looks("lscpu", "prints processors", operands=(INERT, ...), manual="util-linux 2.38.1"),
    looks("lsblk", "prints block devices", operands=(INERT, ...), manual="util-linux 2.38.1"),
    looks(
        "uuidgen",
        "prints a new identifier",
        options="""
            flag    -r -t -m -s --random --time --md5 --sha1
            value   -n -N,--namespace --name
        """,
        operands=(),
        reading=Reading(),
        manual="util-linux 2.38.1",
    ),
    looks("tput", "prints terminal sequences", operands=(INERT, ...), manual="ncurses-bin 6.4"),
    looks("clear", "clears the screen", operands=(INERT, ...), manual="ncurses-bin 6.4"),
    looks("which", "prints where a program is", operands=(INERT, ...), manual="debianutils 5.7"),
    looks("whereis", "prints where a program is", operands=(INERT, ...), manual="util-linux 2.38.1"),
    looks("where", "prints where a program is", operands=(INERT, ...), manual="zsh 5.9"),
    looks("true", "does nothing", operands=(INERT, ...), manual="coreutils 9.1"),
    looks("false", "fails", operands=(INERT, ...), manual="coreutils 9.1"),
    looks("cmp", "compares two files", options="value -i,--ignore-initial -n --bytes", manual="GNU diffutils 3.8"),
    looks("cksum", "computes checksums", options="value -a,--algorithm -l,--length", manual="GNU coreutils 9.1"),
    looks("sum", "computes checksums", manual="GNU coreutils 9.1"),
    looks(
        "zcat",
        "prints compressed files",
        options="flag -c -d -f,--force -l,--list -q,--quiet -t,--test -v,--verbose -n -k",
        reading=Reading(harmless_options=True),
        manual="gzip 1.12",
    ),
    looks(
        "bzcat",
        "prints compressed files",
        options="flag -c -d -f,--force -k,--keep -q,--quiet -s,--small -t,--test -v,--verbose",
        reading=Reading(harmless_options=True),
        manual="bzcat 1.0.8",
    ),
    looks(
        "xzcat",
        "prints compressed files",
        options=_XZCAT,
        reading=Reading(harmless_options=True),
        manual="XZ Utils 5.4.1",
        examples=("xzcat a.xz",),
        counter_examples=("xzcat -f --files=l",),
    ),
    looks(
        "lzcat",
        "prints compressed files",
        options=_XZCAT,
        reading=Reading(harmless_options=True),
        manual="XZ Utils 5.4.1",
    ),
    looks(
        "zstdcat",
        "prints compressed files",
        options="flag -q -v --quiet -d -c",
        reading=Reading(),
        manual="zstdcat 1.5.4",
    ),
    looks(
        "strings",
        "prints the text in binary files",
        options="value -n --bytes -t --radix -e,--encoding -s --output-separator -T,--target",
        reading=Reading(any_options=True, response_files=True),
        manual="GNU Binutils 2.40",
    ),
    looks(
        "od",
        "shows bytes",
        options="""
            value   -A -j -N -S -t --address-radix --skip-bytes --read-bytes --format --endian
            maybe   -w,--width --strings
        """,
        manual="GNU coreutils 9.1",
    ),
    *(
        looks(
            name,
            "shows bytes",
            options="""
                value   -e -n -s --length --skip --format
                reads   -f,--format-file
            """,
            manual="util-linux 2.38.1",
        )
        for name in ("hexdump", "hd")
    ),
    Tool(
        "date",
        description="prints the time",
        options="""
            flag    -u,--utc --universal -R,--rfc-email --debug -j -n --resolution
            value   -d,--date -v --rfc-3339 -r,--reference
            maybe   -I,--iso-8601
            reads   -f,--file
            asks    -s,--set: sets the clock
        """,
        operands=(INERT, ...),
        manual="GNU coreutils 9.1",
        examples=("date +%s", "date --date @1473305798 -u"),
        counter_examples=("date -s 2020-01-01", "date 01010000"),
        special=_date,
    ),
    Tool(
        "hostname",
        description="prints the host's name",
        options="""
            flag    -a -A -d -f -i -I -s -y --fqdn --long --short --ip-address --all-ip-addresses
            flag    --domain --alias --all-fqdns --nis --yp
        """,
        operands=(),
        manual="hostname 3.23",
        examples=("hostname -f",),
        counter_examples=("hostname evil", "hostname -F f"),
    ),
    looks(
        "printenv",
        "prints environment variables",
        operands=(INERT, ...),
        manual="GNU coreutils 9.1",
        examples=("printenv HOME", "printenv LANG TERM"),
        counter_examples=("printenv", "printenv AWS_SECRET_ACCESS_KEY", "printenv GITHUB_TOKEN"),
        special=_printenv,
    ),
    Tool(
        "file",
        description="tells what kind of file it is",
        options="""
            flag    -b,--brief -c,--checking-printout -E -h --no-dereference -i --mime -I --mime-type
            flag    --mime-encoding --extension -k,--keep-going -L --dereference -l,--list -N,--no-pad
            flag    -n,--no-buffer -p -r,--raw -s,--special-files -v,--version -0 --print0 -D -z
            flag    --uncompress -Z --uncompress-noreport
            value   -e,--exclude -F --separator -P,--parameter --exclude-quiet
            reads   -f,--files-from
            asks    -m,--magic-file: its patterns may print what stands in the files
            asks    -C,--compile: writes a compiled magic file
            asks    -d,--debug: prints what stands in the file
            asks    -S --no-sandbox: looks without its own sandbox
        """,
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
        manual="file 5.44",
        examples=("file -b src/app.py",),
        counter_examples=("file -C -m x", "file -m patterns .env", "file --debug .env", "cat list | xargs file"),
    ),
    Tool(
        "diff",
        description="compares files",
        options="""
            flag    -q --brief -s --report-identical-files -c -u -e,--ed -n --rcs -y --side-by-side -p
            flag    --show-c-function -t --expand-tabs -T --initial-tab -l --paginate -r,--recursive
            flag    --no-dereference -N,--new-file --unidirectional-new-file -P -i,--ignore-case -E
            flag    --ignore-tab-expansion -Z --ignore-trailing-space -b --ignore-space-change -w
            flag    --ignore-all-space -B --ignore-blank-lines -a --text --strip-trailing-cr -d
            flag    --minimal --speed-large-files --normal --left-column --suppress-common-lines
            flag    -v,--version --ignore-file-name-case --no-ignore-file-name-case -H
            flag    --suppress-blank-empty
            value   -F --show-function-line --label -L -W,--width --tabsize -x --exclude
            value   -I,--ignore-matching-lines -S,--starting-file -C -U --horizon-lines --line-format
            value   --old-line-format --new-line-format --unchanged-line-format --changed-group-format
            value   --old-group-format --new-group-format --unchanged-group-format -D --ifdef --palette
            maybe   --color --context --unified
            reads   -X,--exclude-from --from-file --to-file
        """,
        reading=Reading(numbers=True, harmless_options=True),
        manual="GNU diffutils 3.8",
        examples=("diff -u a b", "diff -r --brief a b"),
    ),
    looks(
        "bc",
        "calculates",
        options="""
            flag    -l -q -s -w -i -h -v --mathlib --quiet --standard --warn
            value   -e,--expression -S,--scale
        """,
        reading=Reading(),
        manual="bc 1.07.1",
    ),
    looks("echo", "prints words", operands=(INERT, ...), manual="coreutils 9.1"),
)

_SUMS = ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "shasum")

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS} | {
    name: looks(
        name,
        "computes checksums",
        options={"shasum": "value -a,--algorithm", "b2sum": "value -l,--length"}.get(name, ""),
        manual=_MANUALS.get(name, ""),
        examples=(f"{name} --check src/app.sum",),
    )
    for name in _SUMS
}
