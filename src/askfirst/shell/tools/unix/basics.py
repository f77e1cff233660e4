"""Programs that only look or print: coreutils and their kin.

`any_options` here is a claim about the whole program: none of its options, in GNU, BSD or busybox form, runs, writes or loads
anything. Options whose value is a file are still listed, so that the file is judged as something that is read.
"""

from __future__ import annotations

from askfirst.knowledge.variables import looks_secret
from askfirst.model import Kind
from askfirst.shell.call import Outcome
from askfirst.shell.tools.engine import action_of, finish, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from askfirst.shell.call import Analyst, Call

INERT, READS, NONE = Effect.INERT, Effect.READS, Effect.NONE


def looks(name: str, description: str, **fields: Any) -> Tool:
    """A program without any option that matters."""
    fields.setdefault("any_options", True)
    return Tool(name, Kind.READ, description, **fields)


def _date(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`date 0101…` sets the clock, `date +FORMAT` prints it."""
    parsed = parse(tool, call.words[1:])
    if parsed.has("-j"):  # BSD: only converts
        return finish(tool, call, parsed.replace(given=tuple(g for g in parsed.given if g.name != "-f")), analyst)
    more = tuple(
        unknown("operands", "`date` with a word that is not a format sets the clock", call, w.text)
        for w in parsed.operands
        if not (w.value or w.prefix).startswith("+")
    )
    return finish(tool, call, parsed, analyst, more=more)


def _stty(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    changes = tuple(
        unknown("operands", "`stty` changes the terminal", call, w.text)
        for w in parsed.operands
        if w.value not in ("size", "speed")
    )
    return finish(tool, call, parsed, analyst, more=changes)


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


_ROWS = (
    looks(
        "ls",
        "lists files",
        operands=INERT,
        values="-I --ignore -w --width -T --tabsize --hide --time-style --block-size",
    ),
    looks("dir", "lists files", operands=INERT),
    looks("vdir", "lists files", operands=INERT),
    looks("exa", "lists files", operands=INERT),
    looks("eza", "lists files", operands=INERT),
    looks("lsd", "lists files", operands=INERT),
    looks("cat", "prints files"),
    looks("tac", "prints files, last line first", values="-s --separator"),
    looks("rev", "reverses lines"),
    looks(
        "nl",
        "numbers lines",
        values="-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering "
        "--header-numbering --line-increment --join-blank-lines --number-format --number-separator --starting-line-number "
        "--number-width",
    ),
    looks("head", "prints the beginning of files", values="-n --lines -c --bytes", numbers=True),
    looks(
        "tail",
        "prints the end of files",
        values="-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats",
        numbers=True,
        optional="--follow",
    ),
    looks("wc", "counts lines, words and bytes", effects={"--files0-from": READS}, optional="--total"),
    looks(
        "cut",
        "cuts columns out of lines",
        values="-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter",
    ),
    looks("tr", "translates characters", operands=INERT),
    looks("paste", "joins lines side by side", values="-d --delimiters"),
    looks("join", "joins lines on a field", values="-a -e -j -o -t -v -1 -2"),
    looks("comm", "compares sorted files", values="--output-delimiter"),
    looks("fold", "wraps lines", values="-w --width"),
    looks("fmt", "fills paragraphs", values="-w --width -p --prefix -g --goal"),
    looks("pr", "paginates text", values="-D -h -l -N -o -W -w"),
    looks(
        "column",
        "aligns columns",
        flags="-t --table -x -J --json -L -e -d -E --fillrows --table-noheadings",
        values="-c -s -o -N -R -T -H -O -W -n -r -i -p -l --separator --output-separator --output-width --table-columns --table-right "
        "--table-truncate --table-hide --table-order --table-wrap --table-name --tree --tree-id --tree-parent",
    ),
    looks("colrm", "removes columns", operands=INERT),
    looks("expand", "turns tabs into blanks", values="-t --tabs"),
    looks("unexpand", "turns blanks into tabs", values="-t --tabs"),
    looks("tsort", "sorts topologically"),
    looks("numfmt", "formats numbers", operands=INERT),
    looks("factor", "factors numbers", operands=INERT),
    looks("expr", "evaluates an expression", operands=INERT),
    looks("seq", "prints numbers", special=_plain_operand),
    looks("yes", "repeats a word", operands=INERT),
    looks("sleep", "waits", operands=INERT),
    looks("basename", "prints the last part of a path", special=_plain_operand),
    looks("dirname", "prints the directory of a path", special=_plain_operand),
    looks("realpath", "prints the real path", operands=INERT),
    looks("readlink", "prints where a link points", operands=INERT),
    looks("stat", "shows a file's metadata", operands=INERT),
    looks("df", "shows free space", operands=INERT),
    looks(
        "du",
        "shows used space",
        operands=INERT,
        effects={"--files0-from": READS, "-X --exclude-from": READS},
        values="-d --max-depth -t --threshold --exclude -B --block-size --time-style",
    ),
    looks("cal", "shows a calendar", operands=INERT),
    looks("ncal", "shows a calendar", operands=INERT),
    looks("whoami", "prints the user", operands=INERT),
    looks("id", "prints user and groups", operands=INERT),
    looks("groups", "prints groups", operands=INERT),
    looks("logname", "prints the login name", operands=INERT),
    looks("users", "prints who is logged in", operands=INERT),
    looks("who", "prints who is logged in", operands=INERT),
    looks("w", "prints who is logged in", operands=INERT),
    looks("tty", "prints the terminal's name", operands=INERT),
    looks("uname", "prints the system's name", operands=INERT),
    looks("nproc", "prints the number of processors", operands=INERT),
    looks("sw_vers", "prints the system's version", operands=INERT),
    looks("lsb_release", "prints the distribution", operands=INERT),
    looks("getconf", "prints configuration values", operands=INERT),
    looks("locale", "prints locale settings", operands=INERT),
    looks("uptime", "prints how long the system has been up", operands=INERT),
    looks("free", "prints memory use", operands=INERT),
    looks("vmstat", "prints memory and processor use", operands=INERT),
    looks("iostat", "prints device use", operands=INERT),
    looks("lscpu", "prints processors", operands=INERT),
    looks("lsblk", "prints block devices", operands=INERT),
    looks("lsusb", "prints USB devices", operands=INERT),
    looks(
        "lspci",
        "prints PCI devices",
        operands=INERT,
        any_options=False,
        flags="-v -vv -vvv -k -n -nn -t -m -mm -D -b -x -P",
        values="-s -d",
    ),
    looks("lsmod", "prints kernel modules", operands=INERT),
    looks(
        "uuidgen",
        "prints a new identifier",
        any_options=False,
        flags="-r -t -m -s --random --time --md5 --sha1",
        values="-n -N --namespace --name",
        operands=NONE,
    ),
    looks(
        "stty",
        "shows the terminal's settings",
        any_options=False,
        flags="-a -g --all --save",
        special=_stty,
        operands=INERT,
        examples=("stty -a", "stty size"),
        counter_examples=("stty -echo", "stty -F /dev/pts/0 raw"),
    ),
    looks("tput", "prints terminal sequences", operands=INERT),
    looks("clear", "clears the screen", operands=INERT),
    looks("which", "prints where a program is", operands=INERT),
    looks("whereis", "prints where a program is", operands=INERT),
    looks("where", "prints where a program is", operands=INERT),
    looks(
        "whatis",
        "prints a manual page's summary",
        operands=INERT,
        any_options=False,
        flags="-a -d -l -r -v -w --long",
        values="-s",
    ),
    looks(
        "apropos",
        "searches manual pages",
        operands=INERT,
        any_options=False,
        flags="-a -d -e -l -r -w --and --exact --long",
        values="-s",
    ),
    looks("true", "does nothing", operands=INERT),
    looks("false", "fails", operands=INERT),
    looks("cmp", "compares two files", values="-i --ignore-initial -n --bytes"),
    looks("cksum", "computes checksums", values="-a --algorithm -l --length"),
    looks("sum", "computes checksums"),
    looks("md5", "computes checksums", effects={"-s": INERT}),
    looks("hexyl", "shows bytes", values="-n -s -c --length --skip"),
    looks("look", "finds words by their beginning", operands=READS, first=INERT, values="-t"),
    looks("zcat", "prints compressed files"),
    looks("gzcat", "prints compressed files"),
    looks("bzcat", "prints compressed files"),
    looks("xzcat", "prints compressed files"),
    looks("lzcat", "prints compressed files"),
    looks("zstdcat", "prints compressed files", any_options=False, flags="-q -v --quiet -d -c"),
    looks(
        "strings",
        "prints the text in binary files",
        values="-n --bytes -t --radix -e --encoding -s --output-separator -T --target",
    ),
    looks(
        "od",
        "shows bytes",
        values="-A -j -N -S -t --address-radix --skip-bytes --read-bytes --format --endian",
        optional="-w --width --strings",
    ),
    looks("hexdump", "shows bytes", values="-e -n -s --length --skip --format", effects={"-f --format-file": READS}),
    looks("hd", "shows bytes", values="-e -n -s", effects={"-f": READS}),
    looks(
        "tokei",
        "counts lines of code",
        any_options=False,
        operands=INERT,
        flags="-f -h -V -v -C --files --hidden --no-ignore -C -c",
        values="-e --exclude -t --types -o --output -s --sort -c --columns -l",
    ),
    looks(
        "scc",
        "counts lines of code",
        any_options=False,
        operands=INERT,
        flags="-a -c -d -w --by-file --no-complexity --no-cocomo",
        values="-f --format -i --include-ext -x --exclude-ext --exclude-dir -s --sort",
    ),
    looks(
        "cloc",
        "counts lines of code",
        any_options=False,
        operands=INERT,
        single_dash_long=True,
        flags="-by-file -quiet -json -csv -yaml -md -xml -vcs -hide-rate -skip-uniqueness -by-file-by-lang -sum-one -show-lang -git",
        values="-exclude-dir -include-lang -exclude-lang -include-ext -exclude-ext -match-f -not-match-f -match-d -not-match-d -vcs",
    ),
    Tool(
        "date",
        description="prints the time",
        special=_date,
        operands=INERT,
        flags="-u --utc --universal -R --rfc-email --debug -j -n --resolution",
        optional="-I --iso-8601",
        values="-d --date -v --rfc-3339",
        effects={"-f --file": READS, "-r --reference": INERT},
        asks={"-s --set": "sets the clock"},
        examples=("date +%s", "date --date @1473305798 -u"),
        counter_examples=("date -s 2020-01-01", "date 01010000"),
    ),
    Tool(
        "hostname",
        description="prints the host's name",
        operands=NONE,
        flags="-a -A -d -f -i -I -s -y --fqdn --long --short "
        "--ip-address "
        "--all-ip-addresses --domain --alias --all-fqdns --nis --yp",
        examples=("hostname -f",),
        counter_examples=("hostname evil", "hostname -F f"),
    ),
    Tool("hostnamectl", description="prints the host's name", operands=NONE, flags="--static --no-pager"),
    looks(
        "printenv",
        "prints environment variables",
        special=_printenv,
        operands=INERT,
        examples=("printenv HOME", "printenv LANG TERM"),
        counter_examples=("printenv", "printenv AWS_SECRET_ACCESS_KEY", "printenv GITHUB_TOKEN"),
    ),
    Tool(
        "file",
        description="tells what kind of file it is",
        harmless_options=True,
        flags="-b --brief -c --checking-printout -d -E -h "
        "--no-dereference -i --mime "
        "-I --mime-type --mime-encoding --extension -k --keep-going -L --dereference -l --list -N --no-pad -n --no-buffer -p -r --raw "
        "-s --special-files -v --version -0 --print0 -D --help -z --uncompress -Z --uncompress-noreport",
        values="-e --exclude -F --separator -P --parameter --exclude-quiet",
        effects={"-f --files-from": READS, "-m --magic-file": READS},
        operands=INERT,
        asks={"-C --compile": "writes a compiled magic file", "-S --no-sandbox": "looks without its own sandbox"},
        examples=("file -b src/app.py",),
        counter_examples=("file -C -m x",),
    ),
    Tool(
        "diff",
        description="compares files",
        numbers=True,
        flags="-q --brief -s --report-identical-files -c -u -e --ed -n --rcs -y "
        "--side-by-side -p "
        "--show-c-function -t --expand-tabs -T --initial-tab -l --paginate -r --recursive --no-dereference -N --new-file "
        "--unidirectional-new-file -P -i --ignore-case -E --ignore-tab-expansion -Z --ignore-trailing-space -b --ignore-space-change "
        "-w --ignore-all-space -B --ignore-blank-lines -a --text --strip-trailing-cr -d --minimal --speed-large-files --normal "
        "--left-column --suppress-common-lines --help -v --version --ignore-file-name-case --no-ignore-file-name-case -H "
        "--suppress-blank-empty",
        values="-F --show-function-line --label -L -W --width --tabsize -x --exclude -I --ignore-matching-lines -S --starting-file "
        "-C -U --horizon-lines --line-format --old-line-format --new-line-format --unchanged-line-format --changed-group-format "
        "--old-group-format --new-group-format --unchanged-group-format -D --ifdef --palette",
        optional="--color --context --unified",
        effects={"-X --exclude-from": READS, "--from-file": READS, "--to-file": READS},
        harmless_options=True,
        examples=("diff -u a b", "diff -r --brief a b"),
    ),
    Tool(
        "colordiff",
        description="compares files",
        flags="-u -r -y -w -b -B -i -q -N --side-by-side --brief",
        values="-U --color -W",
        harmless_options=False,
    ),
    Tool(
        "sdiff",
        description="compares files side by side",
        flags="-i -E -Z -b -W -B -a -l -s -t -d -H --ignore-case --expand-tabs --left-column --suppress-common-lines",
        values="-w --width -I --tabsize",
        asks={"-o --output": "edits interactively", "--diff-program": "runs a program"},
    ),
    Tool(
        "diff3",
        description="compares three files",
        flags="-A -e -E -3 -x -X -i -m -a -T --merge --text --show-all",
        values="-L --label",
        asks={"--diff-program": "runs a program"},
        least=1,
    ),
    looks(
        "bc",
        "calculates",
        any_options=False,
        flags="-l -q -s -w -i -h -v --mathlib --quiet --standard --warn",
        values="-e --expression -S --scale",
    ),
    looks("echo", "prints words", operands=INERT),
)

_SUMS = ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "b3sum", "shasum")

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS} | {
    name: looks(
        name, "computes checksums", values="-a --algorithm -l --length", examples=(f"{name} --check src/app.sum",)
    )
    for name in _SUMS
}
