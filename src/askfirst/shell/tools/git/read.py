"""Rows for the sub-commands of git that only look."""

from __future__ import annotations

from typing import Any

from askfirst.model import Kind
from askfirst.shell.tools.git.options import DIFF, LOG
from askfirst.shell.tools.table import INERT, READS, Reading, Tool

__all__ = ["ROWS"]


def _diff(name: str, description: str, *, options: str = "", **more: Any) -> Tool:
    """A sub-command that shows differences."""
    return Tool(
        f"git {name}",
        Kind.READ,
        description,
        options=DIFF + options,
        reading=Reading(numbers=True),
        key_words=2,
        **more,
    )


def _log(name: str, description: str, *, options: str = "", **more: Any) -> Tool:
    """A sub-command that walks over commits and may show differences."""
    return Tool(
        f"git {name}",
        Kind.READ,
        description,
        options=LOG + DIFF + options,
        reading=Reading(numbers=True),
        key_words=2,
        **more,
    )


def _read(name: str, description: str, **more: Any) -> Tool:
    return Tool(f"git {name}", Kind.READ, description, key_words=2, **more)


ROWS: dict[str, Tool] = {
    "status": _read(
        "status",
        "shows the state of the working tree",
        options="""
            flag    -s,--short -b,--branch --no-branch -v,--verbose --long -z --show-stash
            flag    --no-show-stash --ahead-behind --no-ahead-behind --renames --no-renames --no-column
            flag    --null
            maybe   --porcelain -u,--untracked-files --ignored --ignore-submodules --column -M
            maybe   --find-renames
        """,
        reading=Reading(),
        examples=("git status", "git status -sb --porcelain=v1", "git -C . status"),
        counter_examples=("git -c core.fsmonitor=x status", "git --git-dir=/tmp/x status"),
    ),
    "log": _log(
        "log",
        "shows commits",
        examples=("git log --oneline -5", "git log -p -1 -- src", "git log --format=%h --since='2 weeks ago'"),
        counter_examples=("git log --output=/etc/x -p", "git log --ext-diff -p", "git -p log"),
    ),
    "whatchanged": _log("whatchanged", "shows commits with their differences", examples=("git whatchanged -2",)),
    "shortlog": _read(
        "shortlog",
        "sums commits up by author",
        options="""
            flag    -n,--numbered -s,--summary -e,--email -c,--committer --all --merges --no-merges
            flag    --first-parent --reverse -i --regexp-ignore-case -E -F
            value   --group --since --after --until --before --author --grep --max-count --skip --date
            maybe   -w --format --branches --tags --remotes
        """,
        reading=Reading(),
        examples=("git shortlog -sne --all",),
        counter_examples=("git shortlog -n --output=x",),
    ),
    "show": _log(
        "show",
        "shows a commit or a file of a commit",
        examples=("git show --stat HEAD", "git show HEAD:package.json"),
        counter_examples=("git show --textconv HEAD", "git show --output /etc/x"),
    ),
    "rev-list": _log("rev-list", "lists commits", examples=("git rev-list --count HEAD",)),
    "diff": _diff(
        "diff",
        "shows differences",
        options="flag --cached --staged --no-index --base --ours --theirs -q -0 -1 -2 -3",
        examples=("git diff", "git diff --stat main...HEAD", "git diff -U0 src/index.ts", "git diff --no-index a b"),
        counter_examples=("git diff --output=/tmp/x", "git diff --ext-diff", "git diff $x"),
    ),
    "diff-tree": _diff(
        "diff-tree",
        "compares two trees",
        options="""
            flag    --stdin --no-commit-id --always --root -v
            maybe   --pretty --format
        """,
        examples=("git diff-tree -r --name-only HEAD",),
        counter_examples=("git diff-tree --output=/etc/x HEAD",),
    ),
    "diff-index": _diff(
        "diff-index",
        "compares a tree with the index",
        options="flag --cached",
        examples=("git diff-index --quiet HEAD",),
    ),
    "diff-files": _diff(
        "diff-files",
        "compares the index with the working tree",
        options="flag -q -0 -1 -2 -3 --base --ours --theirs",
        examples=("git diff-files -p",),
    ),
    "range-diff": _diff(
        "range-diff",
        "compares two ranges of commits",
        options="""
            flag    --no-dual-color --left-only --right-only --no-notes
            value   --creation-factor
            maybe   --notes
        """,
        examples=("git range-diff main..a main..b",),
    ),
    "blame": _read(
        "blame",
        "shows who changed each line",
        options="""
            flag    -c -b --root --show-stats -l -t -s -e --show-email -w -f --show-name -n
            flag    --show-number -p,--porcelain --line-porcelain --incremental --color-lines
            flag    --color-by-age --progress --no-progress --first-parent --minimal -k
            value   -L --date --since --ignore-rev --diff-algorithm
            maybe   -M -C --abbrev --reverse
            reads   --contents --ignore-revs-file -S
        """,
        reading=Reading(),
        examples=("git blame -L 10,40 src/app.py", "git blame --date=short README.md"),
        counter_examples=("git blame --output=x README.md",),
    ),
    "grep": _read(
        "grep",
        "searches the tracked files",
        options="""
            flag    --cached --untracked --no-index --no-exclude-standard --exclude-standard
            flag    --recurse-submodules -a --text --no-textconv -i,--ignore-case -I -r,--recursive
            flag    --no-recursive -w,--word-regexp -v --invert-match -h -H --full-name
            flag    -E,--extended-regexp -G --basic-regexp -P,--perl-regexp -F,--fixed-strings -n
            flag    --line-number --no-line-number --column -l --files-with-matches --name-only -L
            flag    --files-without-match -z --null -o,--only-matching -c,--count --no-color --break
            flag    --heading -p --show-function -W --function-context -q,--quiet --and --or --not
            flag    --all-match --no-max-depth
            value   -e -m,--max-count --max-depth -A,--after-context -B,--before-context -C,--context
            value   --threads
            maybe   --color
            reads   -f
            asks    -O,--open-files-in-pager: runs a pager of the caller's choice
            asks    --textconv: runs a conversion program
        """,
        operands=(INERT, READS, ...),
        reading=Reading(numbers=True),
        examples=("git grep -n TODO", "git grep -l useEffect -- '*.tsx'"),
        counter_examples=("git grep -Oless x", "git grep --open-files-in=x y", "git grep --no-index -e x -- ~/.config"),
    ),
    "ls-files": _read(
        "ls-files",
        "lists tracked files",
        options="""
            flag    -c,--cached -d,--deleted -o,--others -i,--ignored -s,--stage -u,--unmerged
            flag    -k,--killed --directory --no-empty-directory -m,--modified -t -v -f,--full-name
            flag    --recurse-submodules --error-unmatch --eol --sparse --deduplicate --debug -z
            flag    --exclude-standard --resolve-undo
            value   -x --exclude --with-tree --format --exclude-per-directory
            maybe   --abbrev
            reads   -X,--exclude-from
        """,
        operands=(INERT, ...),
        examples=("git ls-files '*.py'", "git ls-files --others --exclude-standard"),
        counter_examples=("git ls-files --frobnicate",),
    ),
    "ls-tree": _read(
        "ls-tree",
        "lists a tree",
        options="""
            flag    -d -r -t -l,--long -z --name-only --name-status --object-only --full-name
            flag    --full-tree
            value   --format
            maybe   --abbrev
        """,
        operands=(INERT, ...),
        examples=("git ls-tree -r --name-only HEAD",),
    ),
    "rev-parse": _read(
        "rev-parse",
        "names a commit or a place of the repository",
        options="""
            flag    --keep-dashdash --stop-at-non-option --stuck-long --sq-quote --revs-only --no-revs
            flag    --flags --no-flags --verify -q,--quiet --sq --symbolic --symbolic-full-name --all
            flag    --is-inside-git-dir --is-inside-work-tree --is-bare-repository
            flag    --is-shallow-repository --show-toplevel --show-prefix --show-cdup --git-dir
            flag    --git-common-dir --absolute-git-dir --shared-index-path
            flag    --show-superproject-working-tree --local-env-vars --not --end-of-options
            value   --default --prefix --glob --exclude --disambiguate --since --after --until --before
            value   --git-path --path-format --resolve-git-dir
            maybe   --abbrev-ref --short --branches --tags --remotes --show-object-format
            maybe   --show-ref-format --output-object-format
        """,
        operands=(INERT, ...),
        examples=("git rev-parse --abbrev-ref HEAD", "git rev-parse --show-toplevel"),
        counter_examples=("git rev-parse --parseopt",),
    ),
    "merge-base": _read(
        "merge-base",
        "finds the common ancestor",
        options="flag -a,--all --octopus --independent --is-ancestor --fork-point",
        operands=(INERT, ...),
        examples=("git merge-base main HEAD",),
    ),
    "describe": _read(
        "describe",
        "names a commit by its nearest tag",
        options="""
            flag    --all --tags --contains --exact-match --debug --long --always --first-parent
            value   --candidates --match --exclude
            maybe   --abbrev --dirty --broken
        """,
        operands=(INERT, ...),
        examples=("git describe --tags --abbrev=4",),
    ),
    "name-rev": _read(
        "name-rev",
        "names commits",
        options="""
            flag    --tags --all --stdin --annotate-stdin --name-only --no-undefined --always
            value   --refs --exclude
        """,
        operands=(INERT, ...),
        examples=("git name-rev HEAD",),
    ),
    "cat-file": _read(
        "cat-file",
        "shows an object",
        options="""
            flag    -t -s -e -p --allow-unknown-type --buffer --unordered --follow-symlinks
            flag    --batch-all-objects -Z -z --use-mailmap --mailmap --no-mailmap
            value   --path
            maybe   --batch --batch-check --batch-command
            asks    --textconv: runs a conversion program
            asks    --filters: runs a filter program
        """,
        operands=(READS, ...),
        examples=("git cat-file -p HEAD", "git cat-file -t 8c442dc3"),
        counter_examples=("git cat-file --filters HEAD:x",),
    ),
    "show-ref": _read(
        "show-ref",
        "lists references",
        options="""
            flag    --head --heads --branches --tags -d,--dereference -q,--quiet --verify --exists
            maybe   -s --hash --abbrev --exclude-existing
        """,
        operands=(INERT, ...),
        examples=("git show-ref --tags",),
    ),
    "for-each-ref": _read(
        "for-each-ref",
        "lists references",
        options="""
            flag    --ignore-case --omit-empty --include-root-refs --stdin -s -p,--python --tcl --shell
            flag    --perl
            value   --count --sort --format --points-at --exclude
            maybe   --color --contains --no-contains --merged --no-merged
        """,
        operands=(INERT, ...),
        examples=("git for-each-ref --sort=-committerdate --format='%(refname)'",),
    ),
    "show-branch": _read(
        "show-branch",
        "compares branches",
        options="""
            flag    -a,--all -r,--remotes --topo-order --date-order --sparse --merge-base --independent
            flag    --no-name --sha1-name --topics --list --no-color --current
            maybe   --more -g --reflog --color
        """,
        operands=(INERT, ...),
        examples=("git show-branch --all",),
    ),
    "count-objects": _read(
        "count-objects",
        "counts objects",
        options="flag -v,--verbose -H,--human-readable",
        operands=(),
        examples=("git count-objects -v",),
    ),
    "check-ignore": _read(
        "check-ignore",
        "says why a file is ignored",
        options="flag -q,--quiet -v,--verbose --stdin -z -n,--non-matching --no-index",
        operands=(INERT, ...),
        examples=("git check-ignore -v dist/",),
    ),
    "check-attr": _read(
        "check-attr",
        "shows attributes of files",
        options="""
            flag    -a,--all --cached --stdin -z
            value   --source
        """,
        operands=(INERT, ...),
        examples=("git check-attr -a README.md",),
    ),
    "check-ref-format": _read(
        "check-ref-format",
        "checks a name",
        options="""
            flag    --branch --normalize --print --allow-onelevel --no-allow-onelevel --refspec-pattern
        """,
        operands=(INERT, ...),
        examples=("git check-ref-format --branch x",),
    ),
    "cherry": _read(
        "cherry",
        "finds commits that are not applied",
        options="""
            flag    -v
            maybe   --abbrev
        """,
        operands=(INERT, ...),
        examples=("git cherry main",),
    ),
    "var": _read(
        "var", "shows a variable", options="flag -l", operands=(INERT, ...), examples=("git var GIT_COMMITTER_IDENT",)
    ),
    "fsck": _read(
        "fsck",
        "checks the objects",
        options="""
            flag    --unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full
            flag    --no-full --connectivity-only --strict --verbose -v --progress --no-progress
            flag    --name-objects --references
            asks    --lost-found: writes files into the repository
        """,
        operands=(INERT, ...),
        examples=("git fsck",),
        counter_examples=("git fsck --lost-found",),
    ),
    "verify-commit": _read(
        "verify-commit",
        "verifies a signature",
        options="flag -v,--verbose --raw",
        operands=(INERT, ...),
        examples=("git verify-commit HEAD",),
    ),
    "verify-pack": _read(
        "verify-pack",
        "checks a pack",
        options="flag -v,--verbose -s,--stat-only",
        examples=("git verify-pack -v x.idx",),
    ),
    "patch-id": _read(
        "patch-id",
        "names a patch by its content",
        options="flag --stable --unstable --verbatim",
        operands=(),
        examples=("git patch-id --stable",),
    ),
    "get-tar-commit-id": _read(
        "get-tar-commit-id", "reads the commit of an archive", operands=(), examples=("git get-tar-commit-id",)
    ),
    "hash-object": _read(
        "hash-object",
        "computes the name of an object",
        options="""
            flag    --stdin --stdin-paths --literally --no-filters
            value   -t --path
            asks    -w: writes into the repository
        """,
        examples=("git hash-object file.txt",),
        counter_examples=("git hash-object -w x",),
    ),
    "column": _read(
        "column",
        "lays text out in columns",
        options="value --command --mode --raw-mode --width --indent --nl --padding",
        operands=(),
        examples=("git column --mode=plain",),
    ),
    "merge-tree": _read(
        "merge-tree",
        "merges without touching files",
        options="""
            flag    --write-tree --trivial-merge --messages --no-messages -z --name-only
            flag    --allow-unrelated-histories --stdin
            value   --merge-base
        """,
        operands=(INERT, ...),
        examples=("git merge-tree main topic",),
    ),
    "version": _read(
        "version",
        "shows the version",
        options="flag --build-options",
        operands=(),
        examples=("git version", "git --version"),
    ),
    "annotate": _read(
        "annotate",
        "shows who changed each line",
        options="""
            flag    -l -t -e -w -f -n -p -s
            value   -L --date
            maybe   -M -C --abbrev
        """,
        examples=("git annotate file.txt",),
    ),
    "rerere": Tool(
        "git rerere",
        description="recorded conflicts",
        subcommands={
            "diff": _read("rerere diff", "shows recorded conflicts", operands=(), examples=("git rerere diff",)),
        },
        allowed=False,
        kind=Kind.EDIT,
        key_words=2,
    ),
}
