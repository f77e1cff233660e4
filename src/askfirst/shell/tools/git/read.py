"""Rows for the sub-commands of git that only look."""

from __future__ import annotations

from askfirst.model import Kind
from askfirst.shell.tools.git import options as o
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ROWS"]

INERT, READS, WRITES, NONE = Effect.INERT, Effect.READS, Effect.WRITES, Effect.NONE
_WRITES_DIFF = {"--output": WRITES, "-O": READS}


def _diff(name: str, description: str, *, flags: str = "", values: str = "", optional: str = "", **more: Any) -> Tool:
    """A sub-command that shows differences."""
    return Tool(
        f"git {name}",
        Kind.READ,
        description,
        key_words=2,
        flags=f"{o.DIFF_FLAGS} {flags}",
        values=f"{o.DIFF_VALUES} {values}",
        optional=f"{o.DIFF_OPTIONAL} {optional}",
        effects=_WRITES_DIFF,
        asks=o.DIFF_ASKS,
        numbers=True,
        **more,
    )


def _log(name: str, description: str, *, flags: str = "", values: str = "", optional: str = "", **more: Any) -> Tool:
    """A sub-command that walks over commits and may show differences."""
    asks = {**o.DIFF_ASKS, "--show-signature": "runs the signature program"}
    return Tool(
        f"git {name}",
        Kind.READ,
        description,
        key_words=2,
        flags=f"{o.LOG_FLAGS} {o.DIFF_FLAGS} {flags}",
        values=f"{o.LOG_VALUES} {o.DIFF_VALUES} {values}",
        optional=f"{o.LOG_OPTIONAL} {o.DIFF_OPTIONAL} {optional}",
        effects=_WRITES_DIFF,
        asks=asks,
        numbers=True,
        **more,
    )


def _read(name: str, description: str, **more: Any) -> Tool:
    return Tool(f"git {name}", Kind.READ, description, key_words=2, **more)


ROWS: dict[str, Tool] = {
    "status": _read(
        "status",
        "shows the state of the working tree",
        numbers=False,
        flags="-s --short -b --branch --no-branch -v --verbose --long -z --show-stash --no-show-stash --ahead-behind --no-ahead-behind "
        "--renames --no-renames --no-column --null",
        optional="--porcelain -u --untracked-files --ignored --ignore-submodules --column -M --find-renames",
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
        # Its own -n, -c and --committer are flags, unlike those of `git log`.
        "shortlog",
        "sums commits up by author",
        numbers=False,
        flags=(
            "-n --numbered -s --summary -e --email -c --committer --all --merges --no-merges --first-parent --reverse -i "
            "--regexp-ignore-case -E -F"
        ),
        values="--group --since --after --until --before --author --grep --max-count --skip --date",
        optional="-w --format --branches --tags --remotes",
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
        flags="--cached --staged --no-index --base --ours --theirs -q -0 -1 -2 -3",
        examples=("git diff", "git diff --stat main...HEAD", "git diff -U0 src/index.ts", "git diff --no-index a b"),
        counter_examples=("git diff --output=/tmp/x", "git diff --ext-diff", "git diff $x"),
    ),
    "diff-tree": _diff(
        "diff-tree",
        "compares two trees",
        flags="--stdin --no-commit-id --always --root -v",
        optional="--pretty --format",
        examples=("git diff-tree -r --name-only HEAD",),
        counter_examples=("git diff-tree --output=/etc/x HEAD",),
    ),
    "diff-index": _diff(
        "diff-index", "compares a tree with the index", flags="--cached", examples=("git diff-index --quiet HEAD",)
    ),
    "diff-files": _diff(
        "diff-files",
        "compares the index with the working tree",
        flags="-q -0 -1 -2 -3 --base --ours --theirs",
        examples=("git diff-files -p",),
    ),
    "range-diff": _diff(
        "range-diff",
        "compares two ranges of commits",
        flags="--no-dual-color --left-only --right-only --no-notes",
        values="--creation-factor",
        optional="--notes",
        examples=("git range-diff main..a main..b",),
    ),
    "blame": _read(
        "blame",
        "shows who changed each line",
        numbers=False,
        flags="-c -b --root --show-stats -l -t -s -e --show-email -w -f --show-name -n --show-number -p --porcelain --line-porcelain "
        "--incremental "
        "--color-lines --color-by-age --progress --no-progress --first-parent --minimal -k",
        values="-L --date --since --ignore-rev --diff-algorithm",
        optional="-M -C --abbrev --reverse",
        effects={"--contents": READS, "--ignore-revs-file": READS, "-S": READS},
        examples=("git blame -L 10,40 src/app.py", "git blame --date=short README.md"),
        counter_examples=("git blame --output=x README.md",),
    ),
    "grep": _read(
        "grep",
        "searches the tracked files",
        first=INERT,
        numbers=True,
        flags="--cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules -a --text --no-textconv -i "
        "--ignore-case "
        "-I -r --recursive --no-recursive -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P "
        "--perl-regexp -F --fixed-strings -n --line-number --no-line-number --column -l --files-with-matches --name-only -L "
        "--files-without-match -z --null -o --only-matching -c --count --no-color --break --heading -p --show-function -W "
        "--function-context "
        "-q --quiet --and --or --not --all-match --no-max-depth",
        values="-e -m --max-count --max-depth -A --after-context -B --before-context -C --context --threads",
        optional="--color",
        effects={"-f": READS},
        asks={
            "-O --open-files-in-pager": "runs a pager of the caller's choice",
            "--textconv": "runs a conversion program",
        },
        examples=("git grep -n TODO", "git grep -l useEffect -- '*.tsx'"),
        counter_examples=("git grep -Oless x", "git grep --open-files-in=x y"),
    ),
    "ls-files": _read(
        "ls-files",
        "lists tracked files",
        operands=INERT,
        flags="-c --cached -d --deleted -o --others -i --ignored -s --stage -u --unmerged -k --killed --directory --no-empty-directory "
        "-m --modified "
        "-t -v -f --full-name --recurse-submodules --error-unmatch --eol --sparse --deduplicate --debug -z --exclude-standard "
        "--resolve-undo",
        values="-x --exclude --with-tree --format --exclude-per-directory",
        optional="--abbrev",
        effects={"-X --exclude-from": READS},
        examples=("git ls-files '*.py'", "git ls-files --others --exclude-standard"),
        counter_examples=("git ls-files --frobnicate",),
    ),
    "ls-tree": _read(
        "ls-tree",
        "lists a tree",
        operands=INERT,
        flags="-d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree",
        values="--format",
        optional="--abbrev",
        examples=("git ls-tree -r --name-only HEAD",),
    ),
    "rev-parse": _read(
        "rev-parse",
        "names a commit or a place of the repository",
        operands=INERT,
        flags="--keep-dashdash --stop-at-non-option --stuck-long --sq-quote --revs-only --no-revs --flags --no-flags --verify -q "
        "--quiet --sq "
        "--symbolic --symbolic-full-name --all --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository "
        "--show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --shared-index-path "
        "--show-superproject-working-tree "
        "--local-env-vars --not --end-of-options",
        values=(
            "--default --prefix --glob --exclude --disambiguate --since --after --until --before --git-path --path-format --resolve-git-dir"
        ),
        optional="--abbrev-ref --short --branches --tags --remotes --show-object-format --show-ref-format --output-object-format",
        examples=("git rev-parse --abbrev-ref HEAD", "git rev-parse --show-toplevel"),
        counter_examples=("git rev-parse --parseopt",),
    ),
    "merge-base": _read(
        "merge-base",
        "finds the common ancestor",
        operands=INERT,
        flags="-a --all --octopus --independent --is-ancestor --fork-point",
        examples=("git merge-base main HEAD",),
    ),
    "describe": _read(
        "describe",
        "names a commit by its nearest tag",
        operands=INERT,
        flags="--all --tags --contains --exact-match --debug --long --always --first-parent",
        values="--candidates --match --exclude",
        optional="--abbrev --dirty --broken",
        examples=("git describe --tags --abbrev=4",),
    ),
    "name-rev": _read(
        "name-rev",
        "names commits",
        operands=INERT,
        flags="--tags --all --stdin --annotate-stdin --name-only --no-undefined --always",
        values="--refs --exclude",
        examples=("git name-rev HEAD",),
    ),
    "cat-file": _read(
        "cat-file",
        "shows an object",
        operands=READS,
        flags="-t -s -e -p --allow-unknown-type --buffer --unordered --follow-symlinks "
        "--batch-all-objects -Z -z --use-mailmap --mailmap --no-mailmap",
        optional="--batch --batch-check --batch-command",
        values="--path",
        asks={"--textconv": "runs a conversion program", "--filters": "runs a filter program"},
        examples=("git cat-file -p HEAD", "git cat-file -t 8c442dc3"),
        counter_examples=("git cat-file --filters HEAD:x",),
    ),
    "show-ref": _read(
        "show-ref",
        "lists references",
        operands=INERT,
        flags="--head --heads --branches --tags -d --dereference -q --quiet --verify --exists",
        optional="-s --hash --abbrev --exclude-existing",
        examples=("git show-ref --tags",),
    ),
    "for-each-ref": _read(
        "for-each-ref",
        "lists references",
        operands=INERT,
        flags="--ignore-case --omit-empty --include-root-refs --stdin -s -p --python --tcl --shell --perl",
        values="--count --sort --format --points-at --exclude",
        optional="--color --contains --no-contains --merged --no-merged",
        examples=("git for-each-ref --sort=-committerdate --format='%(refname)'",),
    ),
    "show-branch": _read(
        "show-branch",
        "compares branches",
        operands=INERT,
        flags="-a --all -r --remotes --topo-order --date-order --sparse --merge-base --independent --no-name --sha1-name --topics --list "
        "--no-color --current",
        optional="--more -g --reflog --color",
        examples=("git show-branch --all",),
    ),
    "count-objects": _read(
        "count-objects",
        "counts objects",
        operands=NONE,
        flags="-v --verbose -H --human-readable",
        examples=("git count-objects -v",),
    ),
    "check-ignore": _read(
        "check-ignore",
        "says why a file is ignored",
        operands=INERT,
        flags="-q --quiet -v --verbose --stdin -z -n --non-matching --no-index",
        examples=("git check-ignore -v dist/",),
    ),
    "check-attr": _read(
        "check-attr",
        "shows attributes of files",
        operands=INERT,
        flags="-a --all --cached --stdin -z",
        values="--source",
        examples=("git check-attr -a README.md",),
    ),
    "check-ref-format": _read(
        "check-ref-format",
        "checks a name",
        operands=INERT,
        flags="--branch --normalize --print --allow-onelevel --no-allow-onelevel --refspec-pattern",
        examples=("git check-ref-format --branch x",),
    ),
    "check-mailmap": _read(
        "check-mailmap",
        "shows an author's name",
        operands=INERT,
        flags="--stdin",
        examples=("git check-mailmap 'A <a@b>'",),
    ),
    "cherry": _read(
        "cherry",
        "finds commits that are not applied",
        operands=INERT,
        flags="-v",
        optional="--abbrev",
        examples=("git cherry main",),
    ),
    "var": _read("var", "shows a variable", operands=INERT, flags="-l", examples=("git var GIT_COMMITTER_IDENT",)),
    "fsck": _read(
        "fsck",
        "checks the objects",
        operands=INERT,
        flags="--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only --strict "
        "--verbose -v "
        "--progress --no-progress --name-objects --references",
        asks={"--lost-found": "writes files into the repository"},
        examples=("git fsck",),
        counter_examples=("git fsck --lost-found",),
    ),
    "verify-commit": _read(
        "verify-commit",
        "verifies a signature",
        operands=INERT,
        flags="-v --verbose --raw",
        examples=("git verify-commit HEAD",),
    ),
    "verify-tag": _read(
        "verify-tag",
        "verifies a signature",
        operands=INERT,
        flags="-v --verbose --raw",
        values="--format",
        examples=("git verify-tag v1",),
    ),
    "verify-pack": _read(
        "verify-pack", "checks a pack", flags="-v --verbose -s --stat-only", examples=("git verify-pack -v x.idx",)
    ),
    "patch-id": _read(
        "patch-id",
        "names a patch by its content",
        operands=NONE,
        flags="--stable --unstable --verbatim",
        examples=("git patch-id --stable",),
    ),
    "get-tar-commit-id": _read(
        "get-tar-commit-id", "reads the commit of an archive", operands=NONE, examples=("git get-tar-commit-id",)
    ),
    "hash-object": _read(
        "hash-object",
        "computes the name of an object",
        flags="--stdin --stdin-paths --literally --no-filters",
        values="-t --path",
        asks={"-w": "writes into the repository"},
        examples=("git hash-object file.txt",),
        counter_examples=("git hash-object -w x",),
    ),
    "stripspace": _read(
        "stripspace",
        "removes blanks",
        operands=NONE,
        flags="-s --strip-comments -c --comment-lines",
        examples=("git stripspace",),
    ),
    "column": _read(
        "column",
        "lays text out in columns",
        operands=NONE,
        values="--command --mode --raw-mode --width --indent --nl --padding",
        examples=("git column --mode=plain",),
    ),
    "merge-tree": _read(
        "merge-tree",
        "merges without touching files",
        operands=INERT,
        flags="--write-tree --trivial-merge --messages --no-messages -z --name-only --allow-unrelated-histories --stdin",
        values="--merge-base",
        examples=("git merge-tree main topic",),
    ),
    "version": _read(
        "version",
        "shows the version",
        operands=NONE,
        flags="--build-options",
        examples=("git version", "git --version"),
    ),
    "annotate": _read(
        "annotate",
        "shows who changed each line",
        flags="-l -t -e -w -f -n -p -s",
        values="-L --date",
        optional="-M -C --abbrev",
        examples=("git annotate file.txt",),
    ),
    "show-index": _read(
        "show-index", "lists a pack index", operands=NONE, values="--object-format", examples=("git show-index",)
    ),
    "rerere": Tool(
        "git rerere",
        description="recorded conflicts",
        subcommands={
            "status": _read(
                "rerere status", "shows recorded conflicts", operands=NONE, examples=("git rerere status",)
            ),
            "diff": _read("rerere diff", "shows recorded conflicts", operands=NONE, examples=("git rerere diff",)),
            "remaining": _read("rerere remaining", "shows open conflicts", operands=NONE),
        },
        allowed=False,
        kind=Kind.EDIT,
        key_words=2,
    ),
}
