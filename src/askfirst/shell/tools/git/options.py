"""Option lists that many git sub-commands share, so that a row stays readable."""

from __future__ import annotations

__all__ = ["DIFF_ASKS", "DIFF_FLAGS", "DIFF_OPTIONAL", "DIFF_VALUES", "LOG_FLAGS", "LOG_OPTIONAL", "LOG_VALUES"]

DIFF_FLAGS = (
    "-p -u --patch -s --no-patch --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram "
    "--numstat "
    "--shortstat --summary --compact-summary --no-compact-summary --patch-with-stat -z --name-only --name-status --no-color "
    "--no-color-moved "
    "--no-color-moved-ws --no-renames --rename-empty --no-rename-empty --check --full-index --no-full-index --binary -a --text "
    "--ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -W --function-context "
    "--no-function-context --exit-code --quiet --no-ext-diff --no-textconv --pickaxe-all --pickaxe-regex -R --no-relative --cumulative "
    "--no-prefix --default-prefix --ita-invisible-in-index --ita-visible-in-index -c --cc -m --combined-all-paths --irreversible-delete -D "
    "--find-copies-harder --follow --no-follow -t -r --merge-base --remerge-diff --no-diff-merges --dd --no-abbrev"
)
DIFF_VALUES = (
    "--anchored --diff-algorithm --diff-filter -S -G --find-object --skip-to --rotate-to --src-prefix --dst-prefix --line-prefix -l "
    "--inter-hunk-context --ws-error-highlight -I --ignore-matching-lines --output-indicator-new --output-indicator-old "
    "--output-indicator-context --diff-merges --color-moved-ws --stat-width --stat-name-width --stat-graph-width --stat-count "
    "--word-diff-regex"
)
DIFF_OPTIONAL = (
    "-U --unified --stat --dirstat -X --dirstat-by-file --color --color-moved --color-words --word-diff --abbrev --submodule "
    "--ignore-submodules --find-renames -M --find-copies -C --break-rewrites -B --relative"
)
DIFF_ASKS = {
    "--ext-diff": "runs the diff program of the configuration",
    "--textconv": "runs the conversion program of the configuration",
}

LOG_FLAGS = (
    "--oneline --graph --no-graph --no-decorate --all --merges --no-merges --first-parent --reverse --topo-order --date-order "
    "--author-date-order --do-walk --stdin --cherry --cherry-mark --cherry-pick --left-only --right-only --left-right --boundary "
    "--full-history --dense --sparse --simplify-merges --simplify-by-decoration --show-pulls --walk-reflogs -g --no-min-parents "
    "--no-max-parents --invert-grep --all-match -i --regexp-ignore-case -E -F -P --basic-regexp --extended-regexp --fixed-strings "
    "--perl-regexp --remove-empty --children --parents --timestamp --bisect --bisect-vars --bisect-all --count --no-commit-id "
    "--abbrev-commit --no-abbrev-commit --no-notes --standard-notes --no-standard-notes --no-show-signature --relative-date --source "
    "--use-mailmap --mailmap --no-mailmap --no-use-mailmap --log-size --clear-decorations --full-diff --exclude-first-parent-only "
    "--ignore-missing --objects --objects-edge --unpacked --in-commit-order --indexed-objects --reflog --alternate-refs --single-worktree "
    "--no-expand-tabs --root --merge --show-all --no-object-names --object-names --no-filter --use-bitmap-index --header "
    "--no-commit-header --commit-header --not"
)
LOG_VALUES = (
    "-n --max-count --skip --since --after --until --before --since-as-filter --max-age --min-age --author --committer "
    "--grep-reflog --grep "
    "--min-parents --max-parents --glob --exclude --exclude-hidden --date --encoding --decorate-refs --decorate-refs-exclude -L "
    "--missing --filter --progress"
)
LOG_OPTIONAL = (
    "--pretty --format --decorate --no-walk --ancestry-path --show-linear-break --notes --show-notes --branches --tags --remotes "
    "--expand-tabs --early-output --disk-usage"
)
