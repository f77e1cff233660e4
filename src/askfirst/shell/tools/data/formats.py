"""Structured data: jq, yq, XML and CSV tools. Their programs cannot run or write anything; a few options can."""

from __future__ import annotations

from dataclasses import replace

from askfirst.knowledge.variables import looks_secret
from askfirst.model import Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome, Stdin
from askfirst.shell.tools.engine import action_of, facts_of, finish, read_fact, unknown, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import Tool

_TWO_VALUES = {"--arg": False, "--argjson": False, "--slurpfile": True, "--rawfile": True}


def _jq(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`--arg NAME VALUE` takes two words, `--rawfile NAME FILE` reads the second. Operands behind `--args` are texts,
    those before it are files all the same."""
    words, facts = _without_pairs(call, analyst)
    parsed = parse(tool, words)
    facts += facts_of(tool, call, replace(parsed, operands=()), analyst)
    program, files = parsed.operands[0] if parsed.operands else None, parsed.operands[1:]
    if parsed.has("--args", "--jsonargs"):
        at = min(n for n, w in enumerate(words) if w.value in ("--args", "--jsonargs"))
        files = parse(tool, words[:at]).operands[1:]
    text = program.value if program is not None else ""
    if text is None or any(word in text for word in _LOADS) or shows_environment(text):
        facts.append(
            unknown(
                "inline code",
                "the `jq` program is not known, loads modules or shows the environment",
                call,
                program.text if program else "",
            )
        )
    facts += [f for w in files for f in read_fact(w, call, analyst, tool.name)]
    return Outcome(action_of(tool), tuple(facts))


_LOADS = ("import", "include", "get_search_list", "modulemeta")


def shows_environment(text: str) -> bool:
    """`env` and `$ENV` hold every variable; `$ENV.HOME` is one of them. Between `$` and the name there may be blanks
    and comments."""
    if "$" in text and _shows_environment("$".join(map(_after_blanks, text.split("$")))):
        return True
    return _shows_environment(text)


def _after_blanks(text: str) -> str:
    text = text.lstrip()
    while text.startswith("#"):
        text = text.partition("\n")[2].lstrip()
    return text


def _shows_environment(text: str) -> bool:
    for name in ("$ENV", "env"):
        at = text.find(name)
        while at >= 0:
            before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
            whole = not (before.isalnum() or before in ("_", "$", ".", '"')) and not (
                after.isalnum() or after in ("_", '"')
            )
            if whole and (after != "." or looks_secret(_identifier(text[at + len(name) + 1 :]))):
                return True
            at = text.find(name, at + 1)
    return False


def _identifier(text: str) -> str:
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end] or "secret"  # `$ENV.["NAME"]` hides the name


def _without_pairs(call: Call, analyst: Analyst) -> tuple[tuple[Word, ...], list[Fact]]:
    words: list[Word] = []
    facts: list[Fact] = []
    at = 1
    while at < len(call.words):
        word = call.words[at]
        if word.value == "--":  # behind it, `--arg` is a file like any other
            return (*words, *call.words[at:]), facts
        pair = _TWO_VALUES.get(word.value or "")
        if pair is None:
            words.append(word)
            at += 1
            continue
        for value in call.words[at + 1 : at + 3]:
            if value.value is None and value.many:
                facts.append(unknown("option", f"`{value.text}` may become several words", call, value.text))
        if pair:
            facts += [f for w in call.words[at + 2 : at + 3] for f in read_fact(w, call, analyst, "jq")]
        at += 3
    return tuple(words), facts


def _yq(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """The first operand may be `eval`, then the expression, then files. `-i` writes the files."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    operands = parsed.operands
    if operands and operands[0].value in ("eval", "eval-all", "e", "ea", "read", "r"):
        operands = operands[1:]
    if any(_reaches_out(w.value) for w in (*operands[:1], *parsed.values("--expression"))):
        facts.append(
            unknown("inline code", "the `yq` program loads files, shows the environment or evaluates data", call)
        )
    files = operands[1:] if len(operands) > 1 and _is_expression(operands[0].value) else operands
    action = action_of(tool)
    if parsed.has("-i"):
        facts += [f for w in files for f in write_fact(w, call, analyst, "yq -i", "overwrite")]
        action = replace(action, key=("yq", "-i"), kind=Kind.EDIT, description="edits files in place")
    else:
        facts += [f for w in files for f in read_fact(w, call, analyst, "yq")]
    return Outcome(action, tuple(facts))


def _reaches_out(program: str | None) -> bool:
    """Whether a program of yq may read more than its input. One that is not known may."""
    if program is None or shows_environment(program):
        return True
    if _after_blanks(program).startswith(("import", "include", "module")):  # one `yq` hands its program to jq
        return True
    return any(part in "".join(program.split()) for part in ("load", "env(", "envsubst", "system", "eval("))


def _is_expression(text: str | None) -> bool:
    return text is not None and not text.startswith(".env") and "/" not in text


def _bat(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`--pager never` and `--pager cat` start nothing of interest."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = []
    for word in parsed.values("--pager"):
        if word.value is None:
            facts.append(unknown("hidden command", "it is not known which pager `bat` runs", call, word.text))
        elif word.value not in ("never", "cat", "builtin", ""):
            fed = replace(call, stdin=Stdin("unknown"))  # with what is shown
            facts += analyst.script(word.value, fed, "bat --pager", "login")
    return finish(tool, call, parsed, analyst, more=tuple(facts))


def _xmllint(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """An address is fetched, with everything that the document names; `file:/x` is the file /x."""
    outcome = finish(tool, call, parse(tool, call.words[1:]), analyst)
    fetched = tuple(
        unknown("network", "`xmllint` fetches an address", call, w.text)
        for w in call.words[1:]
        if ":/" in (w.value or "")
    )
    return replace(outcome, facts=(*outcome.facts, *fetched))


_MANUALS: dict[str, str] = {
    "batcat": "bat 0.22.1",
}

_ROWS = (
    Tool(
        "jq",
        description="filters JSON",
        options="""
            flag    -n,--null-input -R,--raw-input -s,--slurp -c,--compact-output -r,--raw-output
            flag    --raw-output0 -j,--join-output -a,--ascii-output -S,--sort-keys -C,--color-output
            flag    -M,--monochrome-output --tab --unbuffered --stream --stream-errors --seq
            flag    -e,--exit-status --args --jsonargs -h -V --debug-dump-disasm --binary -b
            value   --indent
            asks    -f,--from-file: reads the program, which may show the environment, from a file
            asks    -L,--library-path: loads modules from a directory
        """,
        manual="jq 1.6",
        examples=(
            "jq .scripts package.json",
            "jq -r '.a | .b' x.json",
            "jq --arg n v '. + $ARGS.named' a.json",
            "jq -n '$ENV.HOME'",
        ),
        counter_examples=(
            "jq -L /x 'import \"m\" as m; m::x'",
            "jq -n env",
            "jq -n '$ENV'",
            "jq -nf p.jq",
            "jq . .env --args",
        ),
        special=_jq,
    ),
    Tool(
        "yq",
        description="filters YAML",
        options="""
            flag    -C,--colors -M --no-colors -e,--exit-status -i,--inplace -j --tojson -N,--no-doc
            flag    -n,--null-input -P,--prettyPrint -v,--verbose -V -0 --nul-output -r --unwrapScalar
            flag    -y,--yaml-output -c,--compact-output --raw-output --slurp -h -S,--sort-keys
            flag    --xml-output -x --string-interpolation --security-disable-env-ops
            flag    --security-disable-file-ops --yaml-fix-merge-anchor-to-spec
            value   -p,--input-format -o,--output-format -I,--indent --front-matter
            value   --csv-separator --xml-attribute-prefix --expression
            asks    -f,--from-file: reads the program from a file
            asks    --arg: takes two words in one of the two programs of this name
            asks    --split-exp -s,--split-exp-file: writes files
        """,
        manual="yq 3.1.0",
        special=_yq,
    ),
    Tool(
        "xmllint",
        description="checks XML",
        options="""
            flag    --noout --format --nonet --html --recover --huge --noblanks --debug --xmlout
            flag    --nowarning --nocdata --quiet
            value   --xpath --encode --pretty --pattern --maxmem
            writes  --output,-o
            asks    --shell: interactive
            asks    --noent --valid --loaddtd --dtdattr --xinclude: puts other files into the document
            asks    --c14n --c14n11 --exc-c14n: puts other files into the document
            asks    --xincludestyle: puts other files into the document
            asks    --catalogs --load-trace --path --dtdvalid --dtdvalidfpi: loads files
            asks    --relaxng --schema --schematron: a schema names further files and addresses, which are fetched
        """,
        manual="libxml2-utils 2.9.14+dfsg",
        counter_examples=("xmllint file:/etc/shadow", "xmllint --c14n a.xml", "xmllint --noout --schema a.xsd a.xml"),
        special=_xmllint,
    ),
    Tool(
        "bat",
        description="prints files",
        options="""
            flag    -A --show-all -p,--plain -n,--number -f,--force-colorization -L,--list-languages
            flag    --list-themes -u -d,--diff -P --no-paging -h -V -S --no-config --config-file
            flag    --config-dir --cache-dir --diagnostic --acknowledgements --set-terminal-title
            value   -l,--language -H,--highlight-line --file-name --diff-context --tabs --wrap
            value   --terminal-width --color --italic-text --decorations --paging -m,--map-syntax
            value   --ignored-suffix --theme --style -r --line-range --completion --binary
            value   --nonprintable-notation --squeeze-limit --theme-dark --theme-light --strip-ansi
            value   --pager
        """,
        manual="bat 0.22.1",
        examples=("bat --style plain --pager never a.py",),
        counter_examples=("bat --pager='touch /x' a",),
        special=_bat,
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
TOOLS["batcat"] = replace(TOOLS["bat"], name="batcat", examples=(), counter_examples=())
