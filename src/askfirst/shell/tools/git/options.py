"""Options that many git sub-commands share, so that a row stays readable."""

from __future__ import annotations

__all__ = ["DIFF", "LOG"]

DIFF = """
    flag    -p -u --patch -s --no-patch --raw --patch-with-raw --indent-heuristic
    flag    --no-indent-heuristic --minimal --patience --histogram --numstat --shortstat
    flag    --summary --compact-summary --no-compact-summary --patch-with-stat -z --name-only
    flag    --name-status --no-color --no-color-moved --no-color-moved-ws --no-renames
    flag    --rename-empty --no-rename-empty --check --full-index --no-full-index --binary -a
    flag    --text --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w
    flag    --ignore-all-space --ignore-blank-lines -W --function-context --no-function-context
    flag    --exit-code --quiet --no-ext-diff --no-textconv --pickaxe-all --pickaxe-regex -R
    flag    --no-relative --cumulative --no-prefix --default-prefix --ita-invisible-in-index
    flag    --ita-visible-in-index -c --cc -m --combined-all-paths --irreversible-delete -D
    flag    --find-copies-harder --follow --no-follow -t -r --merge-base --remerge-diff
    flag    --no-diff-merges --dd --no-abbrev
    value   --anchored --diff-algorithm --diff-filter -S -G --find-object --skip-to --rotate-to
    value   --src-prefix --dst-prefix --line-prefix -l --inter-hunk-context --ws-error-highlight
    value   -I,--ignore-matching-lines --output-indicator-new --output-indicator-old
    value   --output-indicator-context --diff-merges --color-moved-ws --stat-width
    value   --stat-name-width --stat-graph-width --stat-count --word-diff-regex
    maybe   -U,--unified --stat --dirstat -X --dirstat-by-file --color --color-moved
    maybe   --color-words --word-diff --abbrev --submodule --ignore-submodules --find-renames -M
    maybe   --find-copies -C --break-rewrites -B --relative
    writes  --output
    reads   -O
    asks    --ext-diff: runs the diff program of the configuration
    asks    --textconv: runs the conversion program of the configuration
"""

LOG = """
    flag    --oneline --graph --no-graph --no-decorate --all --merges --no-merges --first-parent
    flag    --reverse --topo-order --date-order --author-date-order --do-walk --stdin --cherry
    flag    --cherry-mark --cherry-pick --left-only --right-only --left-right --boundary
    flag    --full-history --dense --sparse --simplify-merges --simplify-by-decoration
    flag    --show-pulls --walk-reflogs -g --no-min-parents --no-max-parents --invert-grep
    flag    --all-match -i --regexp-ignore-case -E -F -P --basic-regexp --extended-regexp
    flag    --fixed-strings --perl-regexp --remove-empty --children --parents --timestamp
    flag    --bisect --bisect-vars --bisect-all --count --no-commit-id --abbrev-commit
    flag    --no-abbrev-commit --no-notes --standard-notes --no-standard-notes
    flag    --no-show-signature --relative-date --source --use-mailmap --mailmap --no-mailmap
    flag    --no-use-mailmap --log-size --clear-decorations --full-diff
    flag    --exclude-first-parent-only --ignore-missing --objects --objects-edge --unpacked
    flag    --in-commit-order --indexed-objects --reflog --alternate-refs --single-worktree
    flag    --no-expand-tabs --root --merge --show-all --no-object-names --object-names
    flag    --no-filter --use-bitmap-index --header --no-commit-header --commit-header --not
    value   -n --max-count --skip --since --after --until --before --since-as-filter --max-age
    value   --min-age --author --committer --grep-reflog --grep --min-parents --max-parents
    value   --glob --exclude --exclude-hidden --date --encoding --decorate-refs
    value   --decorate-refs-exclude -L --missing --filter --progress
    maybe   --pretty --format --decorate --no-walk --ancestry-path --show-linear-break --notes
    maybe   --show-notes --branches --tags --remotes --expand-tabs --early-output --disk-usage
    asks    --show-signature: runs the signature program
"""
