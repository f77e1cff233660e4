"""Searching: grep and its kin, fd, fzf, tree, locate. (find has a language of its own: find.py.)"""

from __future__ import annotations

import re
from dataclasses import replace

from askfirst.knowledge.globs import expand_braces
from askfirst.knowledge.secrets import names_secret
from askfirst.model import Fact, Read, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, directory_after, facts_of, finish, unknown
from askfirst.shell.tools.listing import names
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.table import INERT, Reading, Tool


def _pattern_first(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """The first operand is the pattern, unless an option gave one already or only files are listed."""
    parsed = parse(tool, call.words[1:])
    files = _selected(parsed, call, analyst)
    given = ("-e", "-f", "--files", "--type-list") if tool.name != "ag" else ("-g",)  # ag's `-f` follows links
    # `grep $(cat list) x`: the words of the list behind its first one are files.
    if not parsed.has(*given) and not any(w.data and w.many for w in parsed.operands[:1]):
        parsed = replace(parsed, operands=parsed.operands[1:])
    lists = parsed.has("--files", "--type-list", "-V")
    recursive = parsed.has("-r", "-R") or any(w.value == "recurse" for w in parsed.values("-d"))
    below = recursive if "grep" in tool.name else analyst.input_of(call).kind in ("inherited", "unknown")
    return finish(replace(tool, searches=below and not lists), call, parsed, analyst, more=files)


def _selected(parsed: Parsed, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    """`grep -r --include=.env`, `rg -g '*.pem'`, `rg --type-add 'x:.env'`: files of these names are read, wherever they
    are.
    """
    if parsed.has("--files"):
        return ()
    added = [_pattern(w).partition(":")[2] for w in parsed.values("--type-add")]
    named = [w for w in parsed.values("-G") if w.value is None or names_secret(w.value)]  # a regular expression, to ag
    patterns = [*map(_pattern, parsed.values("--include", "-g", "--iglob")), *added]
    names = [n for p in patterns if not p.startswith("!") for n in _names(p)]
    asked = [unknown("secrets", "searches files that hold secrets", call, w.text) for w in named]
    return (*(Read(analyst.path("x" if "*" in n else n, call.cwd), n, call.name) for n in names), *asked)


def _pattern(word: Word) -> str:
    """The pattern as the program gets it: `--include=.env*` without quotes matches no file, and stays as it is."""
    if word.value is not None:
        return word.value
    return re.sub(r"^--?[\w-]+=|['\"\\]", "", word.text) if word.glob else ""


def _names(pattern: str) -> list[str]:
    """The names that a pattern asks for: `**/*.{pem,key}` is `*.pem` and `*.key`. One that says nothing (`*`, `src/**`)
    asks for none."""
    names = (one.rstrip("/").rpartition("/")[2] for one in expand_braces(pattern))
    return [name for name in names if name.strip("*")]


def _zgrep(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A shell script around grep: versions of it ran what stands in a file's name."""
    outcome = _pattern_first(tool, call, analyst)
    odd = [w for w in call.words[1:] if w.value is None or any(c in w.value for c in ";&|`$\n<>")]
    return replace(
        outcome,
        facts=(*outcome.facts, *(unknown("operands", "`zgrep` hands its words to a shell", call, w.text) for w in odd)),
    )


def _fd(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`-x` and `-X` take the rest of the words, up to a `;`, as a command."""
    words = call.words[1:]
    end = next((i for i, w in enumerate(words) if w.value == "--"), len(words))
    at = next((i for i, w in enumerate(words[:end]) if _fd_runs(w)), None)
    parsed = parse(tool, words if at is None else words[:at])
    more: tuple[Fact, ...] = ()
    cwd, moved = directory_after(parsed, call, analyst)
    call = replace(call, cwd=cwd) if moved else call
    if at is not None:
        found = Word("…", None, many=True, among=names([(Word("fd", "fd"), *words[:at])]))
        more = _fd_command(words[at], words[at + 1 :], found, call, analyst)
    return finish(tool, call, replace(parsed, operands=parsed.operands[1:]), analyst, more=more)


def _fd_command(option: Word, rest: tuple[Word, ...], found: Word, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    text = option.value or ""
    glued = text.partition("=")[2] if text.startswith("--") else ""
    words = (Word(glued, glued), *rest) if glued else rest
    end = next((i for i, w in enumerate(words) if w.value == ";"), len(words))
    if words[end + 1 :]:  # further options, which may run another one
        return (unknown("hidden command", "`fd -x` with words behind its command", call),)
    command = tuple(_placeholder(w, found) for w in words[:end])
    if not command:
        return (unknown("hidden command", "`fd -x` without a command", call),)
    more = () if any("{" in (w.value or "") for w in words) else (found,)
    return analyst.argv((*command, *more), call, "fd -x")


def _fd_runs(word: Word) -> bool:
    text = word.value or ""
    if text.startswith("--exec"):
        return True
    return (
        text.startswith("-")
        and not text.startswith("--")
        and text[-1:] in ("x", "X")
        and (len(text) == 2 or text[1:-1].isalpha())
    )


def _placeholder(word: Word, found: Word) -> Word:
    """`{}`, `{/}`, `{.}` become names of files that are found, which begin with no dash: fd prints them relative to `.`
    or a given path.
    """
    if word.value is None or "{" not in word.value:
        return word
    among = found.among if word.value == "{}" else ()
    return Word(word.text, None, prefix=word.value.partition("{")[0], among=among)


_FZF_COMMANDS = (
    "execute",
    "execute-silent",
    "become",
    "reload",
    "reload-sync",
    "preview",
    "change-preview",
    "transform-query",
    "transform-header",
    "transform-prompt",
    "transform-border-label",
    "transform-preview-label",
)


def _fzf(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, parsed, analyst))
    # Without input it lists what lies below its directory.
    item = "./*" if analyst.input_of(call).kind == "inherited" else '"$FZF_ITEM"'
    for word in parsed.values("--preview"):
        facts += _fzf_command(word.value, word, call, analyst, "fzf --preview", item)
    for word in parsed.values("--bind"):
        facts += _fzf_bind(word, call, analyst)
    return Outcome(action_of(tool), tuple(facts))


def _fzf_command(
    text: str | None, word: Word, call: Call, analyst: Analyst, via: str, item: str = '"$FZF_ITEM"'
) -> tuple[Fact, ...]:
    """fzf quotes what it puts in place of `{}`: for the analysis that is a quoted variable whose value nobody knows."""
    if text is None or ("{" in text and any(c in text for c in "'\"\\")):
        # In quotes of its own, the quotes that fzf adds would end them.
        return (unknown("hidden command", f"`{via}` runs a command that is not known", call, word.text),)
    pieces = text.split("{")
    known = pieces[0] + "".join(item + p.partition("}")[2] for p in pieces[1:])
    return analyst.script(known, call, via, "login")


def _fzf_bind(word: Word, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    key, _, action = (word.value or "").partition(":")
    if (
        word.value is not None
        and action
        and all(c.isalnum() or c in "-+," for c in key + action)
        and not any(part.split("(")[0] in (*_FZF_COMMANDS, "transform", "unbind") for part in action.split("+"))
    ):
        return ()
    for name in _FZF_COMMANDS:
        for open_, close in (("(", ")"), ("[", "]"), ("{", "}"), (":", "")):
            if action.startswith(name + open_) and (not close or action.endswith(close)):
                return _fzf_command(action[len(name) + 1 : len(action) - len(close)], word, call, analyst, "fzf --bind")
    return (unknown("hidden command", "`fzf --bind` may run a command", call, word.text),)


_GREP = """
    flag    -V -E,--extended-regexp -F,--fixed-strings -G --basic-regexp -P,--perl-regexp -i -y
    flag    --ignore-case --no-ignore-case -v --invert-match -w,--word-regexp -x --line-regexp
    flag    -c,--count -L --files-without-match -l --files-with-matches -o,--only-matching
    flag    -q,--quiet --silent -s --no-messages -b,--byte-offset -H --with-filename -h
    flag    --no-filename -n --line-number -T --initial-tab -Z --null -a --text -I
    flag    -r,--recursive -R --dereference-recursive --line-buffered -U --binary -z --null-data
    flag    -u --unix-byte-offsets --no-group-separator
    flag    -J -M -O -p -S -X --bz2decompress --decompress --xz --zstd --lzma --mmap
"""
_MANUALS: dict[str, str] = {
    "fdfind": "fdfind 8.6.0",
}


def _grep(name: str, manual: str = "") -> Tool:
    return Tool(
        name,
        description="searches text",
        options=_GREP
        + """
            value   -m,--max-count -A,--after-context -B,--before-context -C,--context --binary-files
            value   -D,--devices -d,--directories --exclude --exclude-dir --include --label
            value   --group-separator -e,--regexp
            maybe   --color --colour
            reads   -f,--file --exclude-from
        """,
        reading=Reading(numbers=True, harmless_options=True),
        manual=manual,
        examples=(f"{name} -rn TODO src", f"{name} -e a -e b x.txt", f"{name} -A5 -B 5 x f"),
        special=_pattern_first,
    )


_RG = Tool(
    "rg",
    description="searches text",
    options="""
        flag    -a --text -b,--byte-offset --block-buffered --no-block-buffered -c,--count
        flag    --count-matches --column --no-column --crlf --no-crlf --debug -F,--fixed-strings
        flag    --no-fixed-strings --files -l --files-with-matches --files-without-match -L --follow
        flag    --no-follow --glob-case-insensitive --heading --no-heading --hidden -. --no-hidden
        flag    -h,--help -i,--ignore-case --ignore-file-case-insensitive --include-zero -v
        flag    --invert-match --json --no-json --line-buffered -n --line-number -N,--no-line-number
        flag    -x --line-regexp --max-columns-preview --mmap --no-mmap -U --multiline
        flag    --multiline-dotall --no-config --no-ignore --ignore --no-ignore-dot
        flag    --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages
        flag    --no-ignore-parent --no-ignore-vcs --ignore-vcs --no-messages --messages
        flag    --no-pcre2-unicode --no-require-git --no-unicode -0 --null --null-data
        flag    --one-file-system -o,--only-matching --passthru --passthrough -P,--pcre2
        flag    --pcre2-version --pretty -p -q,--quiet -s --case-sensitive -S,--smart-case
        flag    --sort-files --stats --stop-on-nonmatch --trace --trim --no-trim --type-list
        flag    -u,--unrestricted -V,--version --vimgrep -H --with-filename -I --no-filename
        flag    -w,--word-regexp --auto-hybrid-regex --binary --no-binary --no-context-separator
        flag    --no-stats --no-pre -z --search-zip --no-search-zip
        value   -A,--after-context -B,--before-context -C,--context --color --colors
        value   --context-separator --dfa-size-limit -E,--encoding --engine
        value   --field-context-separator --field-match-separator -g,--glob --iglob -M,--max-columns
        value   -m,--max-count -d,--max-depth,--maxdepth --max-filesize --path-separator
        value   --pre-glob --regex-size-limit -r,--replace --sort --sortr -j,--threads -t,--type
        value   -T,--type-not --type-add --type-clear --hyperlink-format -e,--regexp
        reads   -f,--file --ignore-file
        runs    --pre --hostname-bin
        asks    --generate: generates files
    """,
    manual="ripgrep 13.0.0",
    examples=("rg -n -C3 'fn main' src/", "rg --files", "rg -uu x -g '!node_modules' --stats"),
    counter_examples=("rg --pre /x/evil a", "rg --pre=/x/evil a", "rg --hostname-bin /x a"),
    special=_pattern_first,
)

_ROWS = (
    _grep("grep", manual="GNU grep 3.8"),
    _grep("egrep", manual="GNU grep 3.8"),
    _grep("fgrep", manual="GNU grep 3.8"),
    _RG,
    replace(_grep("zgrep", manual="gzip 1.12"), special=_zgrep, counter_examples=("zgrep --color . .env",)),
    Tool(
        "ag",
        description="searches text",
        options="""
            flag    --ackmate -A -B -c,--count --color --nocolor --column --filename --nofilename
            flag    -H,--heading --noheading --break --nobreak -h -l --files-with-matches -L
            flag    --files-without-matches --passthrough --passthru -o,--only-matching
            flag    --print-long-lines --silent --stats --stats-only --vimgrep -0 --null -a,--all-types
            flag    -D,--debug -f --follow -F,--fixed-strings -i,--ignore-case -Q --literal -s
            flag    --case-sensitive -S,--smart-case -t --all-text -u,--unrestricted -U
            flag    --skip-vcs-ignores -v --invert-match -w,--word-regexp -z --search-zip --hidden
            flag    --list-file-types --numbers --nonumbers --nogroup --group --one-device --multiline
            flag    --nomultiline
            flag    -C,--context --after --before
            value   -G,--file-search-regex -g --ignore --ignore-dir -m,--max-count --depth -W,--width
            value   --workers
            reads   -p,--path-to-ignore
            asks    --pager: runs a program
        """,
        # A number behind -A, -B and -C is its value, any other word is not: it is the pattern, or a file.
        manual="ag 2.2.0",
        examples=("ag -i TODO src",),
        counter_examples=("ag -C KEY .env", "ag --pager=x a"),
        special=_pattern_first,
    ),
    Tool(
        "fd",
        description="finds files",
        options="""
            flag    -H,--hidden -I --no-ignore -u,--unrestricted --no-ignore-vcs --no-ignore-parent
            flag    --no-global-ignore-file -s --case-sensitive -i,--ignore-case -g,--glob --regex
            flag    -F,--fixed-strings --literal -a,--absolute-path --relative-path
            flag    -l,--list-details -L --follow -p --full-path -0 --print0 --prune -1 -q,--quiet
            flag    --show-errors --one-file-system --mount --xdev --no-hidden
            flag    --ignore --no-follow --no-require-git --ignore-vcs -h -V
            value   -d --max-depth --maxdepth --min-depth --exact-depth -E,--exclude -t,--type
            value   -e,--extension -S,--size -o,--owner --changed-within --changed-before --newer
            value   --older -c,--color -j --threads --max-results --batch-size --path-separator
            value   --search-path --max-buffer-time --and
            maybe   --gen-completions --strip-cwd-prefix --hyperlink
            directory -C,--base-directory
            value   --changed-after --change-newer-than --change-older-than --format
            reads   --ignore-file
        """,
        operands=(INERT, ...),
        manual="fdfind 8.6.0",
        counter_examples=("fd a -x echo {} ';' -x touch /x", "fd -C ~ -x rm"),
        examples=("fd -e ts src", "fd regex --hidden --no-ignore", "fd . -t f"),
        special=_fd,
    ),
    Tool(
        "tree",
        description="shows directories as a tree",
        options="""
            flag    -a -d -l -f -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -S -n -C -A -X -J
            flag    --du --si --dirsfirst --filesfirst --prune --inodes --device --noreport --nolinks
            flag    --matchdirs --ignore-case --gitignore --info --metafirst --fflinks
            flag    -dirsfirst
            value   -L -P -I -H -T --charset --timefmt
            maybe   --sort --filelimit
            writes  -o,--output
            reads   --gitfile --infofile --hintro --houtro
            asks    -R: writes a file into every directory
            asks    --fromfile --fromtabfile: reads names from a file
        """,
        operands=(INERT, ...),
        reading=Reading(unglued=True),
        manual="tree 2.1.0",
        examples=("tree -L 2 -I 'node_modules|dist'",),
        counter_examples=("tree -R -H . -L 1", "tree -oi ~/.bashrc", "tree -o ~/.bashrc"),
    ),
    Tool(
        "fzf",
        description="filters lines",
        options="""
            flag    -e,--exact +e --no-exact -i,--ignore-case +i --no-ignore-case --smart-case -x
            flag    --extended +x --no-extended --literal --disabled --phony +s --no-sort --read0
            flag    --print0 --ansi --sync --no-tty-default --no-color -m +m --no-multi --cycle
            flag    --no-cycle --no-multi-line --track --no-track --tac --raw --no-mouse --mouse
            flag    --keep-right --no-hscroll --no-unicode --unicode --no-bold --bold --black
            flag    --no-scrollbar --no-separator --no-info --inline-info --no-border --no-margin
            flag    --no-padding --no-input --filepath-word -1 --select-1 -0 --exit-0 --print-query
            flag    --bash --zsh --fish --man --header-first --no-header-lines --no-clear --reverse
            flag    --no-height --no-preview --highlight-line --wrap --no-wrap --no-strip
            flag    --no-preview-border --no-list-border --no-input-border
            value   --scheme --algo --tail -n,--nth --with-nth --accept-nth -d,--delimiter --tiebreak
            value   --height --min-height --layout --margin --padding --gap --gap-line --freeze-left
            value   --freeze-right --scroll-off --hscroll-off --jump-labels --gutter --gutter-raw
            value   -q,--query -f,--filter --header --header-lines --footer --prompt --pointer --marker
            value   --marker-multi-line --ellipsis --info --info-command-off --tabstop --border-label
            value   --border-label-pos --list-label --list-label-pos --input-label --input-label-pos
            value   --header-label --header-label-pos --footer-label --preview-label --preview-label-pos
            value   --preview-window --expect --walker --walker-skip --history-size
            reads   --walker-root
            value   --ghost --separator --toggle-sort --preview --bind --id-nth
            maybe   --border --multi --list-border --input-border --header-border --footer-border
            maybe   --preview-border --header-lines-border --list-label-border --tmux --popup
            maybe   --style --color --scrollbar --wrap-sign
            asks    --listen --listen-unsafe: lets others run commands
            asks    --history: writes a file
            asks    --with-shell --info-command --become: runs a program
        """,
        operands=(INERT, ...),
        reading=Reading(plus=True),
        manual="fzf 0.38.0",
        special=_fzf,
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
TOOLS["fdfind"] = replace(TOOLS["fd"], name="fdfind", examples=(), counter_examples=())
