"""Test runners, linters, type checkers and formatters of Python projects.

What imports the project's code (pytest, pylint's plugins, tox) is allowed by the profile `python-dev`; what only reads it is allowed
as it is; what rewrites files is an edit of the files it names. Options that load other code, other settings or write files ask.
"""

from __future__ import annotations

from askfirst.model import Kind
from askfirst.shell.tools.engine import finish, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import inside, place_facts, runner, runs_elsewhere
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact
    from askfirst.shell.call import Analyst, Call, Outcome

__all__ = ["TOOLS", "edits", "is_plain_warning", "pytest"]

INERT, READS, WRITES, NONE = Effect.INERT, Effect.READS, Effect.WRITES, Effect.NONE
_OTHER_CODE = "loads other code"
_OTHER_SETTINGS = "uses other settings, which can name code"


def pytest(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """pytest: `-p no:x` only switches a plugin off; `-W` imports a module when its category has a dot."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = place_facts(tool, call, analyst)
    for word in parsed.values("-p"):
        if not (word.value or "").startswith("no:"):
            facts.append(unknown("option", f"`-p` of `{tool.name}` {_OTHER_CODE}", call, word.text))
    for word in parsed.values("-W"):
        if not is_plain_warning(word.value):
            facts.append(unknown("option", f"`-W` of `{tool.name}` imports a module", call, word.text))
    return finish(tool, call, parsed, analyst, more=tuple(facts))


def is_plain_warning(value: str | None) -> bool:
    """`ignore`, `error::DeprecationWarning`: no dot in the category, so nothing is imported."""
    parts = (value or ".").split(":")
    return len(parts) < 3 or "." not in parts[2]


def edits(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A formatter: every operand must be in the project, and without one the directory must be."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = runs_elsewhere(tool.name, call, analyst)
    for word in parsed.operands:
        if word.value != "-" and not inside(word, call, analyst):
            facts.append(unknown("path", f"`{tool.name}` would rewrite `{word.text}`, which is not in the project", call, word.text))
    return finish(tool, call, parsed, analyst, more=tuple(facts))


def linter(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A linter that reads settings from where it runs: another directory has other settings."""
    return runner(tool, call, analyst)


_PYTEST = Tool(
    "pytest",
    Kind.BUILD,
    "runs the project's tests",
    profile="python-dev",
    special=pytest,
    operands=INERT,
    flags="-v -vv -vvv -q -s -x --exitfirst -l --showlocals --no-showlocals --lf --last-failed --ff --failed-first --nf --new-first "
    "--sw --stepwise --stepwise-skip "
    "--sw-skip --stepwise-reset --collect-only --co --fixtures --funcargs --fixtures-per-test --markers --setup-show --setup-only "
    "--setup-plan --no-header "
    "--no-summary --disable-warnings --disable-pytest-warnings --strict-markers --strict-config --strict --runxfail --full-trace "
    "--noconftest "
    "--keep-duplicates --continue-on-collection-errors --doctest-modules --doctest-continue-on-failure "
    "--doctest-ignore-import-errors --version -V "
    "-h --help --verbose --quiet --no-cov --no-cov-on-fail --cov-branch --cov-append --cache-clear --forked --snapshot-update "
    "--update-snapshots "
    "--no-migrations --nomigrations --reuse-db --create-db --runslow --slow --run-slow --benchmark-only --benchmark-skip "
    "--benchmark-disable "
    "--headed --xfail-tb --force-short-summary --no-fold-skipped --runintegration --integration --asyncio-debug --force-sugar",
    values="-k -m --maxfail --tb --color --durations --durations-min --capture -r --verbosity --show-capture --deselect --ignore "
    "--ignore-glob -n "
    "--numprocesses --dist --maxprocesses --timeout --timeout-method --session-timeout --cov-fail-under --cov-context --log-level "
    "--log-cli-level --log-cli-format --log-format "
    "--log-date-format --log-cli-date-format --reruns --reruns-delay --only-rerun --randomly-seed --count --doctest-glob --doctest-report "
    "--asyncio-mode --assert --ds --dc --junitprefix --junit-prefix --lfnf --last-failed-no-failures --code-highlight --hypothesis-seed "
    "--hypothesis-profile --benchmark-min-rounds --splits --group -p -W --pythonwarnings --xdist-group "
    "--timeout-disable-debugger-detection",
    optional="--cov --cov-report --cache-show --hypothesis-show-statistics --hypothesis-verbosity",
    effects={"--junitxml --junit-xml": WRITES, "--html": WRITES, "--report-log": WRITES, "--log-file": WRITES},
    asks={
        "-c --config-file": _OTHER_SETTINGS,
        "--rootdir": _OTHER_SETTINGS,
        "--confcutdir": _OTHER_SETTINGS,
        "-o --override-ini": _OTHER_SETTINGS,
        "--import-mode": "imports tests another way",
        "--pdbcls": _OTHER_CODE,
        "--pdb": "waits for a person",
        "--trace": "waits for a person",
        "--pastebin": "sends the results to a public server",
        "--basetemp": "empties a directory",
        "--debug": "writes a file",
        "--cov-config": _OTHER_SETTINGS,
        "--pyargs": "runs tests of installed packages",
        "--log-file-mode": "is not known",
    },
    examples=(
        "pytest",
        "pytest -xvs tests/test_app.py",
        "pytest -k 'login and not slow' --tb=short",
        "pytest --maxfail=1 -q",
        "pytest -p no:cacheprovider -q",
        "pytest -n auto --cov=src --cov-report=term-missing",
        "pytest -W ignore::DeprecationWarning tests",
    ),
    counter_examples=(
        "pytest -p evil",
        "pytest /tmp/evilt",
        "pytest --rootdir=/tmp/evilt",
        "pytest -W error::evil.X",
        "pytest --log-file=/tmp/x",
        "pytest -o addopts=-pevil",
        "pytest -pevil",
        "pytest ../other",
    ),
)

_RUFF_COMMON = "-q --quiet -v --verbose -s --silent --isolated -h --help"
_RUFF_ASKS = {"--config": _OTHER_SETTINGS}
_RUFF = Tool(
    "ruff",
    Kind.READ,
    "lints Python",
    flags="-V --version -h --help",
    key_words=2,
    subcommands={
        "check": Tool(
            "ruff check",
            Kind.EDIT,
            "lints Python",
            key_words=2,
            special=edits,
            operands=INERT,
            flags=f"{_RUFF_COMMON} --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --no-show-fixes --diff -w --watch "
                f"--fix-only --no-fix-only "
            "--ignore-noqa --preview --no-preview --respect-gitignore --no-respect-gitignore --force-exclude --no-force-exclude "
            "-n --no-cache -e --exit-zero "
            "--exit-non-zero-on-fix --show-files --show-settings --statistics --show-source --no-show-source",
            values="--output-format --target-version --select --ignore --extend-select --extend-ignore --per-file-ignores "
            "--extend-per-file-ignores "
            "--fixable --unfixable --extend-fixable --exclude --extend-exclude --line-length --dummy-variable-rgx "
            "--stdin-filename --extension --color",
            optional="--add-noqa",
            effects={"-o --output-file": WRITES},
            asks={**_RUFF_ASKS, "--cache-dir": "writes elsewhere"},
            examples=("ruff check .", "ruff check --fix src", "ruff check --extend-select E501,F401"),
            counter_examples=("ruff check --config /tmp/x .", "ruff check -o /etc/x .", "ruff check --fix /tmp/x"),
        ),
        "format": Tool(
            "ruff format",
            Kind.EDIT,
            "formats Python",
            key_words=2,
            special=edits,
            operands=INERT,
            flags=f"{_RUFF_COMMON} --check --diff -n --no-cache --preview --no-preview --respect-gitignore --no-respect-gitignore "
                f"--force-exclude --no-force-exclude",
            values="--line-length --target-version --exclude --stdin-filename --range --extension --color --output-format",
            asks={**_RUFF_ASKS, "--cache-dir": "writes elsewhere"},
            examples=("ruff format --check", "ruff format src"),
            counter_examples=("ruff format ~", "ruff format /etc"),
        ),
        "rule": Tool(
            "ruff rule",
            Kind.READ,
            "explains a rule",
            key_words=2,
            operands=INERT,
            flags="--all",
            values="--output-format",
            examples=("ruff rule E501",),
        ),
        "lint": Tool("ruff lint", Kind.READ, "lints Python", key_words=2, operands=INERT, flags=_RUFF_COMMON),
        "version": Tool("ruff version", Kind.READ, "shows the version", key_words=2, operands=NONE, values="--output-format"),
        "config": Tool("ruff config", Kind.READ, "explains a setting", key_words=2, operands=INERT, values="--output-format"),
        "linter": Tool("ruff linter", Kind.READ, "lists linters", key_words=2, operands=NONE, values="--output-format"),
        "help": Tool("ruff help", Kind.READ, "shows help", key_words=2, operands=INERT),
        "analyze": Tool(
            "ruff analyze",
            Kind.READ,
            "shows imports",
            key_words=2,
            operands=INERT,
            flags=_RUFF_COMMON,
            values="--direction",
            asks=_RUFF_ASKS,
        ),
    },
)

_MYPY = Tool(
    "mypy",
    Kind.BUILD,
    "checks types",
    profile="python-dev",
    special=linter,
    operands=INERT,
    flags="-v --verbose -h --help -V --version --strict --no-strict --ignore-missing-imports --namespace-packages "
    "--no-namespace-packages --explicit-package-bases "
    "--no-site-packages --no-silence-site-packages --disallow-any-unimported --disallow-any-expr --disallow-any-decorated "
    "--disallow-any-explicit "
    "--disallow-any-generics --disallow-subclassing-any --disallow-untyped-calls --disallow-untyped-defs "
    "--disallow-incomplete-defs --check-untyped-defs "
    "--no-check-untyped-defs --disallow-untyped-decorators --implicit-optional --no-implicit-optional --no-strict-optional "
    "--strict-optional --warn-redundant-casts "
    "--warn-unused-ignores --no-warn-unused-ignores --no-warn-no-return --warn-return-any --no-warn-return-any --warn-unreachable "
    "--allow-untyped-globals "
    "--allow-untyped-defs --allow-redefinition --no-implicit-reexport --implicit-reexport --strict-equality --extra-checks "
    "--local-partial-types --show-error-context --hide-error-context "
    "--show-column-numbers --hide-column-numbers --show-error-end --show-error-codes --hide-error-codes --show-error-code-links "
    "--pretty --no-pretty "
    "--no-color-output --no-error-summary --show-absolute-path --no-incremental --incremental --sqlite-cache --skip-version-check "
    "--skip-cache-mtime-checks "
    "--show-traceback --tb --dump-type-stats --warn-incomplete-stub --warn-unused-configs --no-warn-unused-configs "
    "--scripts-are-modules --fast-module-lookup --non-interactive "
    "--exclude-gitignore --warn-no-return --allow-any-generics --allow-subclassing-any --allow-untyped-calls --allow-incomplete-defs",
    values="--python-version --platform --always-true --always-false --disable-error-code --enable-error-code --follow-imports -m "
    "--module -p --package --exclude --soft-error-limit "
    "--untyped-calls-exclude --output -O --enable-incomplete-feature",
    effects={
        "--junit-xml": WRITES,
        "--any-exprs-report --cobertura-xml-report --html-report --linecount-report --linecoverage-report --lineprecision-report "
        "--txt-report "
        "--xml-report --xslt-html-report --xslt-txt-report": Effect.WRITES_BELOW,
    },
    asks={
        "--config-file": _OTHER_SETTINGS,
        "--python-executable": "runs another interpreter",
        "--cache-dir": "writes elsewhere",
        "--custom-typeshed-dir": _OTHER_CODE,
        "--custom-typing-module": _OTHER_CODE,
        "--install-types": "installs packages",
        "-c --command": "checks code from the command",
        "--shadow-file": "reads another file",
        "--pdb": "waits for a person",
        "--package-root": "looks elsewhere",
        "--quickstart-file": "reads another file",
        "--find-occurrences": "is not known",
    },
    examples=("mypy --strict src/app.py", "mypy --module app", "mypy ."),
    counter_examples=("mypy --junit-xml /tmp/x src", "mypy --python-executable /tmp/e src", "mypy --config-file /tmp/x src", "mypy /tmp/x"),
)

_BLACK = Tool(
    "black",
    Kind.EDIT,
    "formats Python",
    special=edits,
    operands=INERT,
    flags="--check --diff --color --no-color --fast --safe -q --quiet -v --verbose -S --skip-string-normalization -C "
    "--skip-magic-trailing-comma --preview --unstable --pyi --ipynb "
    "--no-cache -V --version -h --help -x --skip-source-first-line",
    values="-l --line-length -t --target-version --include --exclude --extend-exclude --force-exclude --stdin-filename -W --workers "
    "--required-version --line-ranges "
    "--python-cell-magics --enable-unstable-feature",
    asks={"--config": _OTHER_SETTINGS, "-c --code": "formats code from the command"},
    examples=("black --check .", "black src", "black --diff src/app.py"),
    counter_examples=("black /tmp/x", "black --config /tmp/x ."),
)
_ISORT = Tool(
    "isort",
    Kind.EDIT,
    "sorts imports",
    special=edits,
    operands=INERT,
    flags="-c --check --check-only -d --diff -q --quiet -v --verbose -V --version -h --help --profile-list --atomic -e --float-to-top "
    "--skip-gitignore --gitignore --filter-files "
    "--show-files --show-config --only-modified --om --df --stdout --ac --tc --trailing-comma --fss --sl "
    "--force-single-line-imports --color",
    values="--profile -l --line-length -w --line-width -p --project -o --thirdparty -s --skip --sg --skip-glob --extend-skip "
    "--extend-skip-glob -a --add-import --rm --remove-import "
    "--src --src-path -m --multi-line --py --python-version -j --jobs --filename --lai --lines-after-imports",
    asks={
        "--settings-path --sp --settings-file --settings": _OTHER_SETTINGS,
        "--resolve-all-configs --config-root --cr": _OTHER_SETTINGS,
        "--interactive -i": "waits for a person",
        "--formatter": _OTHER_CODE,
        "--sort-order": _OTHER_CODE,
        "--virtual-env --conda-env": "looks elsewhere",
    },
    examples=("isort --check-only .", "isort --diff file.py", "isort src"),
    counter_examples=("isort /tmp/x", "isort --sp /tmp/x ."),
)
_FLAKE8 = Tool(
    "flake8",
    Kind.BUILD,
    "lints Python",
    special=linter,
    profile="python-dev",
    operands=INERT,
    flags=(
        "-v --verbose -q --quiet --count --show-source --no-show-source --statistics --benchmark --exit-zero --disable-noqa --version "
        "-h --help --doctests --bug-report --isolated --color-always"
    ),
    values="--exclude --extend-exclude --filename --format --hang-closing --ignore --extend-ignore --per-file-ignores --max-line-length "
    "--max-doc-length --select --extend-select "
    "-j --jobs --max-complexity --color --indent-size --stdin-display-name --builtins",
    effects={"--output-file": WRITES},
    asks={"--config --append-config": _OTHER_SETTINGS, "--require-plugins --enable-extensions": _OTHER_CODE, "--tee": "writes"},
    examples=("flake8 src/app.py", "flake8 --exclude x src"),
    counter_examples=("flake8 --config /tmp/x src", "flake8 --output-file=/etc/x ."),
)
_PYLINT = Tool(
    "pylint",
    Kind.BUILD,
    "lints Python",
    special=linter,
    profile="python-dev",
    operands=INERT,
    flags="-h --help --version --list-msgs --list-msgs-enabled --list-groups --list-conf-levels --list-extensions --full-documentation "
    "-E --errors-only -v --verbose --long-help --recursive-yes "
    "--exit-zero --from-stdin --generate-rcfile --generate-toml-config",
    values="-d --disable -e --enable -f --output-format --msg-template -r --reports -s --score -j --jobs --ignore --ignore-patterns "
    "--ignore-paths --max-line-length --fail-under --fail-on --recursive "
    "--good-names --bad-names --confidence --py-version --help-msg --evaluation --max-args --max-locals --max-branches "
    "--max-statements --persistent --jobs --min-similarity-lines --ignored-modules "
    "--ignored-classes --source-roots --disable-msg --notes",
    effects={"--output": WRITES},
    asks={
        "--rcfile": _OTHER_SETTINGS,
        "--init-hook": "runs code",
        "--load-plugins": _OTHER_CODE,
        "--extension-pkg-allow-list --extension-pkg-whitelist --unsafe-load-any-extension": _OTHER_CODE,
        "--import-graph --ext-import-graph --int-import-graph": "writes files",
    },
    examples=("pylint src --disable=C", "pylint src/app.py"),
    counter_examples=("pylint --init-hook='x()' src", "pylint --load-plugins=x src", "pylint --rcfile=/tmp/x src"),
)

TOOLS: dict[str, Tool] = {
    "pytest": _PYTEST,
    "py.test": _PYTEST,
    "ruff": _RUFF,
    "mypy": _MYPY,
    "black": _BLACK,
    "isort": _ISORT,
    "flake8": _FLAKE8,
    "pylint": _PYLINT,
    "dmypy": Tool("dmypy", Kind.BUILD, "checks types", allowed=False, any_options=True),
    "pyright": Tool(
        "pyright",
        Kind.BUILD,
        "checks types",
        special=linter,
        profile="python-dev",
        operands=INERT,
        flags="-h --help --outputjson --stats --verbose --version -w --watch --warnings --skipunannotated --dependencies",
        values="--level --pythonplatform --pythonversion --threads",
        asks={
            "-p --project": _OTHER_SETTINGS,
            "--pythonpath": "runs another interpreter",
            "-t --typeshedpath": _OTHER_CODE,
            "-v --venvpath --venv-path": "looks elsewhere",
            "--createstub --verifytypes --ignoreexternal": "is not known",
        },
        examples=("pyright src", "pyright --outputjson"),
        counter_examples=("pyright --pythonpath /tmp/evil",),
    ),
    "bandit": Tool(
        "bandit",
        Kind.READ,
        "looks for security problems",
        special=linter,
        operands=INERT,
        flags="-r --recursive -l -ll -lll -i -ii -iii -v --verbose -d --debug -q --quiet --silent "
        "--ignore-nosec --version -h --help --exit-zero -n",
        values="-a --aggregate --number -t --tests -s --skip -f --format --msg-template -x --exclude --severity-level --confidence-level",
        effects={"-o --output": WRITES, "-b --baseline": READS},
        asks={"-c --configfile -p --profile --ini": _OTHER_SETTINGS},
        examples=("bandit -r src",),
        counter_examples=("bandit -c /tmp/x -r src",),
    ),
    "coverage": Tool(
        "coverage",
        Kind.BUILD,
        "measures tests",
        key_words=2,
        flags="--version -h --help",
        profile="python-dev",
        subcommands={
            "report": Tool(
                "coverage report",
                Kind.BUILD,
                "shows what tests reach",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-m --show-missing -i --ignore-errors --skip-covered --skip-empty --no-skip-covered",
                values="--include --omit --fail-under --precision --sort --format --contexts",
                asks={"--rcfile --data-file": _OTHER_SETTINGS},
                examples=("coverage report -m",),
            ),
            "html": Tool(
                "coverage html",
                Kind.BUILD,
                "writes a report",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-i -q --skip-covered --skip-empty --show-contexts",
                values="--include --omit --title",
                effects={"-d --directory": Effect.WRITES_BELOW},
                asks={"--rcfile --data-file": _OTHER_SETTINGS},
                examples=("coverage html",),
            ),
            "xml": Tool(
                "coverage xml",
                Kind.BUILD,
                "writes a report",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-i -q --skip-empty",
                effects={"-o": WRITES},
                asks={"--rcfile --data-file": _OTHER_SETTINGS},
            ),
            "combine": Tool(
                "coverage combine",
                Kind.BUILD,
                "joins measurements",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-a --append -q --keep",
            ),
            "erase": Tool(
                "coverage erase", Kind.BUILD, "forgets measurements", profile="python-dev", special=runner, key_words=2, operands=NONE
            ),
            "run": Tool(
                "coverage run", Kind.BUILD, "runs tests and measures them", key_words=2, allowed=False
            ),  # python.py gives it a model
            "help": Tool("coverage help", Kind.READ, "shows help", key_words=2, operands=INERT),
        },
    ),
    "tox": Tool(
        "tox",
        Kind.BUILD,
        "runs the project's tests in environments",
        profile="python-dev",
        special=runner,
        operands=INERT,
        flags="-l --listenvs -a --listenvs-all -v -vv -q -h --help --version -p -r --recreate --showconfig --notest --sitepackages",
        values="-e -m -f --parallel --skip-env",
        asks={
            "-c --conf": _OTHER_SETTINGS,
            "--workdir --root": "works elsewhere",
            "-x --override": _OTHER_SETTINGS,
            "--develop --installpkg --force-dep --pre --result-json": "is not known",
        },
        examples=("tox -l", "tox -e py311"),
        counter_examples=("tox -c /tmp/evil/tox.ini", "tox -x testenv.commands=x"),
    ),
    "nox": Tool(
        "nox",
        Kind.BUILD,
        "runs the project's sessions",
        profile="python-dev",
        special=runner,
        operands=INERT,
        flags="-l --list -r -R --reuse-existing-virtualenvs -x --stop-on-first-error --version -h --help --no-color -v",
        values="-s --session --sessions -k --keywords -t --tags -p --python",
        asks={"-f --noxfile": _OTHER_CODE},
        examples=("nox -l", "nox -s tests"),
        counter_examples=("nox -f /tmp/x.py",),
    ),
    "pre-commit": Tool(
        "pre-commit",
        Kind.BUILD,
        "runs the project's checks",
        flags="-h --help -V --version",
        key_words=2,
        subcommands={
            "validate-config": Tool(
                "pre-commit validate-config", Kind.READ, "checks the settings", key_words=2, examples=("pre-commit validate-config",)
            ),
            "validate-manifest": Tool("pre-commit validate-manifest", Kind.READ, "checks the settings", key_words=2),
            "sample-config": Tool("pre-commit sample-config", Kind.READ, "shows an example", key_words=2, operands=NONE),
            "help": Tool("pre-commit help", Kind.READ, "shows help", key_words=2, operands=INERT),
            "run": Tool(
                "pre-commit run",
                Kind.BUILD,
                "fetches and runs the project's checks",
                key_words=2,
                allowed=False,
                any_options=True,
                operands=INERT,
            ),
        },
        counter_examples=("pre-commit run --all-files", "pre-commit install", "pre-commit run --config /tmp/evil.yaml"),
    ),
    "vulture": Tool(
        "vulture",
        Kind.READ,
        "looks for unused code",
        special=linter,
        operands=INERT,
        flags="-h --help --version -v --verbose --make-whitelist --sort-by-size",
        values="--min-confidence --exclude --ignore-names --ignore-decorators",
        asks={"--config": _OTHER_SETTINGS},
        examples=("vulture src",),
    ),
    "codespell": Tool(
        "codespell",
        Kind.READ,
        "looks for misspellings",
        special=linter,
        operands=INERT,
        flags="-h --help --version -q -s --summary -d --disable-colors -H --check-hidden -f --check-filenames --count",
        values="-L --ignore-words-list -S --skip -C --context --quiet-level",
        asks={"-w --write-changes -i --interactive": "rewrites files"},
        examples=("codespell src",),
        counter_examples=("codespell -w src",),
    ),
    "pydocstyle": Tool(
        "pydocstyle",
        Kind.READ,
        "lints docstrings",
        special=linter,
        operands=INERT,
        flags="-h --help --version -e --explain -s --source -d --debug -v --verbose --count",
        values="--select --ignore --convention --match",
        asks={"--config": _OTHER_SETTINGS},
    ),
    "pycodestyle": Tool(
        "pycodestyle",
        Kind.READ,
        "lints Python",
        special=linter,
        operands=INERT,
        flags="-h --help --version -v --verbose -q --quiet --first --show-source --show-pep8 --statistics --count",
        values="--exclude --filename --select --ignore --max-line-length --format",
        asks={"--config": _OTHER_SETTINGS},
    ),
    "pyflakes": Tool("pyflakes", Kind.READ, "lints Python", flags="-h --help --version", examples=("pyflakes src/app.py",)),
    "autopep8": Tool(
        "autopep8",
        Kind.READ,
        "shows formatted Python",
        special=edits,
        operands=INERT,
        flags="-d --diff -h --help --version -a --aggressive -v",
        values="--max-line-length --select --ignore --exclude",
        asks={"-i --in-place -r --recursive": "rewrites files"},
        counter_examples=("autopep8 -i x.py",),
    ),
    "yapf": Tool(
        "yapf",
        Kind.READ,
        "shows formatted Python",
        special=edits,
        operands=INERT,
        flags="-d --diff -h --help --version -q -p --parallel -r --recursive",
        values="-e --exclude -l --lines",
        asks={"-i --in-place": "rewrites files", "--style": _OTHER_SETTINGS},
    ),
    "djlint": Tool(
        "djlint",
        Kind.READ,
        "lints templates",
        special=linter,
        operands=INERT,
        flags="--check --lint --quiet --statistics",
        values="--extension --profile",
    ),
    "sqlfluff": Tool(
        "sqlfluff",
        Kind.READ,
        "lints SQL",
        key_words=2,
        flags="--version -h --help",
        subcommands={
            "lint": Tool(
                "sqlfluff lint",
                Kind.BUILD,
                "lints SQL",
                profile="python-dev",
                special=linter,
                key_words=2,
                operands=INERT,
                flags="-v -n --nocolor",
                values="--dialect -d --rules -r --exclude-rules -e -f --format",
            ),
            "version": Tool("sqlfluff version", Kind.READ, "shows the version", key_words=2, operands=NONE),
        },
    ),
    "deptry": Tool("deptry", Kind.READ, "checks dependencies", special=linter, operands=INERT, flags="--version -h --help -v"),
    "radon": Tool("radon", Kind.READ, "measures code", special=linter, operands=INERT, flags="-s -a -nc -j -h --version"),
    "ty": Tool(
        "ty",
        Kind.READ,
        "checks types",
        key_words=2,
        flags="--version -V -h --help",
        subcommands={
            "check": Tool(
                "ty check",
                Kind.READ,
                "checks types",
                special=linter,
                key_words=2,
                operands=INERT,
                flags="-v -q --watch --exit-zero",
                values="--output-format --python-version --error --warn --ignore",
            )
        },
    ),
    "djhtml": Tool("djhtml", Kind.EDIT, "formats templates", special=edits, operands=INERT, flags="-c --check", values="-t --tabwidth"),
    "django-admin": Tool(
        "django-admin", Kind.BUILD, "manages a Django project", allowed=False, any_options=True, key_words=2, operands=INERT
    ),
}
