"""Ruby, PHP, .NET, Swift and Xcode, Elixir, Dart and Flutter.

Tests, linters and builds are allowed by the stack's profile; installing and publishing ask.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after, facts_of, starts_interpreter, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import (
    from_lock,
    own_program,
    place_facts,
    project_file,
    project_row,
    runner,
    runs_tasks,
    wrapper,
)
from askfirst.shell.tools.python.tools import edits
from askfirst.shell.tools.scripts import is_risky_script, script_arguments
from askfirst.shell.tools.table import INERT, Reading, Tool, as_shown, asked, looking

__all__ = ["TOOLS"]

_CODE = "loads other code"


def _rows(profile: str, program: str, names: str, description: str, **more: Any) -> dict[str, Tool]:
    return {name: project_row(profile, f"{program} {name}", description, **more) for name in names.split()}


def interpreter(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """ruby, php and their kin: the version, a syntax check, or a file; everything else is code in the command."""
    words = call.words
    text = words[1].value if len(words) > 1 else None
    if len(words) == 2 and text in ("-v", "--version", "-h", "--help", "-V", "-m", "--ini"):
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version")
        )
    if len(words) == 3 and text in ("-l", "-c", "-wc", "--syntax-check") and words[2].value is not None:
        return Outcome(
            Action((tool.name, text), Kind.READ, rule=tool.name, allowed=True, description="checks the syntax"),
            tuple(place_facts(tool, call, analyst)),
        )
    if tool.name == "php" and text in ("artisan", "./artisan") and _is_artisan(words, call, analyst):
        action = Action(
            ("php", "artisan", words[2].value or ""), Kind.BUILD, rule="php artisan", allowed=True, profile="php-dev"
        )
        return Outcome(
            replace(action, description="tests or describes the project"), tuple(place_facts(tool, call, analyst))
        )
    if text is not None and not text.startswith("-") and not text.startswith(("/dev/", "/proc/")):
        return project_file(tool, call, analyst, words[1])
    return Outcome(
        Action((tool.name, "-"), Kind.INLINE, rule=tool.name, description="runs code"),
        (unknown("inline code", f"{tool.name} code in the command or from its input", call),),
    )


_ARTISAN = frozenset("test route:list about list --version migrate:status schedule:list event:list".split())


def _is_artisan(words: tuple[Word, ...], call: Call, analyst: Analyst) -> bool:
    """`php artisan test` runs the project's tests as phpunit does, unless the same script may have written it."""
    around = analyst.whole_text()
    if (
        len(words) < 3
        or words[2].value not in _ARTISAN
        or ("artisan" in around and around.count("artisan") != around.count("php artisan"))
    ):
        return False
    asks = ("--env", "--configuration", "-c", "-d", "--bootstrap", "--printer", "--loader")
    return all(w.value is not None and not w.value.startswith(asks) for w in words[3:])


def composer_script(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What stands behind the name of a script reaches whatever the script runs."""
    outcome = runner(tool, call, analyst)
    return replace(outcome, facts=(*outcome.facts, *script_arguments(call.words[1:], call, analyst, tool.name)))


def rails(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`NAME=value` sets a variable for the task."""
    outcome = runner(tool, call, analyst)
    odd = [w for w in parse(tool, call.words[1:]).operands if "=" in (w.value or "=")]
    facts = (unknown("variable", f"`{w.text}` changes what the task runs", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


def phpstan(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Only its commands that check."""
    outcome, parsed = runner(tool, call, analyst), parse(tool, call.words[1:])
    if parsed.operands and parsed.operands[0].value in _PHPSTAN_CHECKS:
        return outcome
    return replace(outcome, action=replace(outcome.action, allowed=False, profile=""))


_PHPSTAN_CHECKS = frozenset("analyse analyze clear-result-cache diagnose dump-parameters list help".split())


def rake(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *place_facts(tool, call, analyst)]
    tasks = tuple(w.value or w.text for w in parsed.operands)
    risky = any(is_risky_script(t) or "=" in t for t in tasks)
    return runs_tasks(tool, tasks, facts, profile="ruby-dev", description="runs tasks of the project", risky=risky)


def formatted(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A formatter is a name; as a path or a class it would be code."""
    outcome = runner(tool, call, analyst)
    formats = parse(tool, call.words[1:]).values("-f")
    odd = [
        w
        for w in formats
        if w.value is None or w.value != w.value.lower() or not w.value.replace("_", "").replace("-", "").isalpha()
    ]
    return replace(
        outcome,
        facts=(*outcome.facts, *(unknown("option", f"the format `{w.text}` is code", call, w.text) for w in odd)),
    )


_RSPEC = project_row(
    "ruby-dev",
    "rspec",
    "runs the project's tests",
    manual="RSpec 3.12",
    options="""
        flag    --no-fail-fast -b,--backtrace -c,--color --no-color -p --dry-run -w,--warnings
        flag    --only-failures --next-failure -n
        value   -f,--format -e,--example -E,--example-matches -t,--tag -P,--pattern --seed --order
        value   --exclude-pattern
        maybe   --fail-fast --force-color --profile
        writes  -o,--out
        asks    -r,--require -I: loads other code
        asks    -O,--options: uses other settings
        asks    --default-path --init --drb -X --bisect: is not known
    """,
    examples=("rspec", "rspec spec/models/user_spec.rb:42", "rspec --seed 42"),
    counter_examples=(
        "rspec -r /tmp/evil.rb",
        "rspec -I/tmp/x",
        "rspec /tmp/x",
        "rspec -f ./evil.rb",
        "rspec --format EvilFormatter",
    ),
    special=formatted,
)
_RUBOCOP = project_row(
    "ruby-dev",
    "rubocop",
    "lints Ruby",
    manual="rubocop 1.39.0",
    options="""
        flag    -a -A --autocorrect --autocorrect-all --auto-correct -L,--list-target-files
        flag    -P,--parallel -F,--fail-fast -D -E -S --display-cop-names -d,--debug -l,--lint -x
        flag    --fix-layout --safe --no-color --color -V --no-parallel
        flag    --display-only-fail-level-offenses --display-only-failed --display-only-correctable
        flag    --display-only-safe-correctable --display-style-guide --display-time
        value   --only --except -f,--format --fail-level --cache
        maybe   --show-cops
        writes  -o,--out
        asks    -c,--config: uses other settings
        asks    --auto-gen-config: rewrites the project's settings
        asks    -r,--require --plugin: loads other code
        asks    --cache-root --server --start-server --lsp --init -s,--stdin: is not known
    """,
    examples=("rubocop", "rubocop --only X,Y src"),
    counter_examples=("rubocop -r /tmp/x.rb", "rubocop -c /tmp/x.yml"),
    special=formatted,
)
_DOTNET_FLAGS = """
    flag    --no-restore --no-build --nologo --no-incremental --no-dependencies --self-contained
    flag    --no-self-contained --blame --force -t --list-tests --disable-build-servers
"""
_DOTNET_VALUES = """
    value   -c,--configuration -f,--framework -r,--runtime -v,--verbosity --filter
    value   --version-suffix --arch --os --logger,-l --collect
"""
_DOTNET_ASKS = """
    asks    -p,--property -property: sets a build property, which can import other targets
    asks    --settings -s: uses other settings, which can load code
    asks    --artifacts-path --results-directory --diag: writes elsewhere
    asks    --source --configfile: uses another package source
    asks    --test-adapter-path -a: loads other code
    asks    -bl -binaryLogger: writes a file
"""


def msbuild(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """MSBuild takes options with `/`, `-` and `--`, and files with `@`; what stands behind `--` are settings of a test
    run, which can load code, and a logger may name the file that it writes.
    """
    outcome = runner(tool, call, analyst)
    loggers = [w for w in parse(tool, call.words[1:]).values("--logger") if "logfile" in (w.value or "logfile").lower()]
    settings = [w for w in call.words[1:] if w.value == "--"]
    for word in (*loggers, *settings):
        why = f"`{word.text}` names a file to write, or settings that can load code"
        return replace(outcome, facts=(*outcome.facts, unknown("option", why, call, word.text)))
    for word in call.words[1:]:
        text = word.value or word.text
        if text.startswith(("/", "@")) or (text.startswith("-") and ":" in text.partition("=")[0]):
            return replace(
                outcome, facts=(*outcome.facts, unknown("option", f"`{text}` is an option of MSBuild", call, text))
            )
    return outcome


def xcodebuild(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    call = replace(
        call, words=tuple(w for w in call.words if not (w.value or "").startswith(("-only-testing:", "-skip-testing:")))
    )
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *place_facts(tool, call, analyst)]
    actions = [w.value or w.text for w in parsed.operands]
    known = {"build", "test", "build-for-testing", "test-without-building", "analyze", "clean"}
    facts += [
        unknown("variable", f"`{a}` is not an action that the built-in rules know", call, a)
        for a in actions
        if a not in known
        and a
        not in (
            "CODE_SIGNING_ALLOWED=NO",
            "CODE_SIGNING_REQUIRED=NO",
            "ONLY_ACTIVE_ARCH=YES",
            "ONLY_ACTIVE_ARCH=NO",
            "COMPILER_INDEX_STORE_ENABLE=NO",
            "CODE_SIGN_IDENTITY=",
        )
    ]
    if parsed.has("-version", "-list", "-showsdks", "-help", "-showBuildSettings", "-showdestinations") and not actions:
        return Outcome(
            Action(
                ("xcodebuild", "-list"),
                Kind.BUILD,
                rule="xcodebuild",
                allowed=True,
                profile="ios-dev",
                description="describes the project",
            ),
            tuple(facts),
        )
    return Outcome(
        Action(
            ("xcodebuild", *[a for a in actions if a in known]),
            Kind.BUILD,
            rule="xcodebuild",
            allowed=True,
            profile="ios-dev",
            description="builds or tests the project",
        ),
        tuple(facts),
    )


def mix(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`mix do` is a chain of its own; `mix run -e` and aliases are code."""
    name = call.words[1].value if len(call.words) > 1 else None
    row = _MIX.get(name or "")
    if row is None:
        return Outcome(
            Action(
                ("mix", name or ""),
                Kind.BUILD,
                rule="mix",
                description="runs a task of the project or of a package",
                target=as_shown(call.words[2:]),
            ),
            (),
        )
    return apply(row, call_after(call, call.words[2:]), analyst)


_MIX: dict[str, Tool] = {
    **_rows(
        "beam-dev",
        "mix",
        "compile test format credo dialyzer",
        "builds, tests or lints the project",
        options="""
            flag    --warnings-as-errors --force --all-warnings --check-formatted --dry-run
            flag    --check-equivalent --trace --stale --failed --cover --strict --no-color --color
            flag    --all --no-deps-check --no-compile
            value   --only --exclude --include --seed --max-failures --timeout --partitions --format
            value   --slowest -i
            asks    -r,--require --formatter: loads other code
            asks    --no-validate-compile-env --dot-formatter --config-file -C: uses other settings
        """,
    ),
    "help": project_row(
        "beam-dev", "mix help", "shows help, by loading the project", options="flag --search --names --aliases"
    ),
}
_SWIFT_ASKS = """
    asks    --package-path -C,--chdir: works elsewhere
    asks    --scratch-path --build-path --cache-path --config-path: writes elsewhere
    asks    --security-path: writes elsewhere
    asks    -Xcc -Xswiftc -Xlinker -Xcxx -Xbuild-tools-swiftc: passes options to tools
    asks    --disable-sandbox: lifts the sandbox
    asks    --toolset --toolchain --sdk --destination --swift-sdk: uses other tools
    asks    --allow-writing-to-package-directory: gives rights to a plugin
    asks    --allow-writing-to-directory --allow-network-connections: gives rights to a plugin
"""

_DART_TESTS = """
    value   -n,--name --plain-name -t,--tags -x,--exclude-tags -j,--concurrency -r,--reporter
    value   --timeout --test-randomize-ordering-seed --total-shards --shard-index
    flag    --run-skipped
"""
_DART = {
    **_rows(
        "dart-dev",
        "dart",
        "analyze",
        "lints the project",
        options="flag --fatal-infos --fatal-warnings --no-fatal-warnings",
    ),
    **_rows(
        "dart-dev",
        "dart",
        "test",
        "runs the project's tests",
        options=_DART_TESTS
        + """
            flag    --fail-fast --no-retry --verbose-trace --color --no-color
            below   --coverage
            writes  --coverage-path
        """,
    ),
    "format": Tool(
        "dart format",
        Kind.EDIT,
        "formats files",
        options="""
            flag    --set-exit-if-changed
            value   -o,--output -l,--line-length
        """,
        operands=(INERT, ...),
        key_words=2,
        special=edits,
    ),
}
_FLUTTER = {
    **_rows(
        "dart-dev",
        "flutter",
        "analyze",
        "lints or describes the project",
        options="""
            flag    --fatal-infos --fatal-warnings --no-fatal-infos --no-fatal-warnings --no-pub --machine -v
            value   -d
        """,
    ),
    **_rows(
        "dart-dev",
        "flutter",
        "test",
        "runs the project's tests",
        options=_DART_TESTS
        + """
            flag    --coverage --branch-coverage --no-pub --machine --update-goldens -v
            value   -d
            writes  --coverage-path
            asks    --dart-define --dart-define-from-file --local-engine: uses other settings
            asks    --local-engine-src-path --extra-front-end-options: uses other settings
        """,
    ),
}

TOOLS: dict[str, Tool] = {
    "ruby": Tool(
        "ruby",
        Kind.CODE,
        "the Ruby interpreter",
        manual="ruby 3.1.2p20",
        special=interpreter,
        examples=("ruby -v", "ruby -c lib/x.rb"),
        counter_examples=(
            "ruby -e 'x'",
            "ruby -r/tmp/evil.rb -e 1",
            "ruby -run -e httpd / -p 8000",
            "ruby x.rb",
            "ruby -c /etc/x",
        ),
    ),
    "php": Tool(
        "php",
        Kind.CODE,
        "the PHP interpreter",
        manual="PHP 8.2.35",
        special=interpreter,
        examples=("php -v", "php -l src/index.php"),
        counter_examples=("php -r 'x();'", "php -S 0.0.0.0:80 -t /", "php artisan tinker --execute=x", "php"),
    ),
    "irb": asked("irb", "runs Ruby", Kind.CODE),
    "rspec": _RSPEC,
    "rubocop": _RUBOCOP,
    "rake": Tool(
        "rake",
        Kind.BUILD,
        "runs tasks of the project",
        options="""
            flag    -T,--tasks -P,--prereqs -n --dry-run -q,--quiet -s,--silent -t -v,--verbose
            flag    -V,--version -h,--help -A,--all -j -m,--multitask -N,--no-search
            maybe   --trace
            asks    -f --rakefile: uses another file
            asks    -r,--require -I --libdir -e,--execute -E,--execute-continue -p: loads other code
            asks    --execute-print -R,--rakelibdir -g --system -G: loads other code
        """,
        operands=(INERT, ...),
        manual="rake 13.0.6",
        examples=("rake -T", "rake test"),
        counter_examples=("rake -f /tmp/x", "rake -e x", "rake db:drop", "rake deploy"),
        special=rake,
    ),
    "bundle": Tool(
        "bundle",
        Kind.BUILD,
        "Ruby packages",
        profile="ruby-dev",
        options="flag -v,--version --no-color -V,--verbose",
        key_words=2,
        manual="Bundler 2.3.15",
        examples=("bundle --version",),
        counter_examples=("bundle", "bundle --verbose"),
        alone="install",
        subcommands={
            "exec": Tool(
                "bundle exec",
                Kind.WRAPPER,
                "runs a program of the project's packages",
                profile="ruby-dev",
                options="""
                    flag    --keep-file-descriptors
                    asks    --gemfile: uses another Gemfile
                """,
                reading=Reading(stops_at_operand=True),
                key_words=2,
                counter_examples=("bundle exec touch /tmp/x",),
                special=wrapper,
            ),
            **_rows(
                "ruby-dev",
                "bundle",
                "show info",
                "shows packages",
                options="""
                    flag    --paths --path
                    asks    --gemfile: uses another Gemfile
                """,
            ),
            **_rows(
                "ruby-dev",
                "bundle",
                "list outdated check",
                "shows packages",
                options="""
                    flag    --paths --name-only --strict --parseable --dry-run --ruby
                    value   --only-group --without-group
                    asks    --gemfile: uses another Gemfile
                    asks    --path: is remembered as the place of the packages
                """,
            ),
            "viz": asked("bundle viz", "writes a picture", counter_examples=("bundle check --path vendor",)),
            "install": asked(
                "bundle install",
                "installs packages, and the Gemfile is code",
                counter_examples=("bundle install --gemfile /tmp/evil/Gemfile",),
            ),
            "update": asked("bundle update", "updates packages"),
            "add": asked("bundle add", "adds a package"),
            "config": asked("bundle config", "shows or changes settings"),
        },
    ),
    "gem": Tool(
        "gem",
        Kind.READ,
        "Ruby packages",
        options="flag -v,--version -h,--help",
        key_words=2,
        manual="gem 3.3.15",
        counter_examples=("gem open -e 'touch x' debug", "gem exec x"),
        subcommands={
            **{
                name: looking(
                    f"gem {name}",
                    "shows packages",
                    options="""
                        flag    -l,--local -a,--all -d,--details -i,--installed --no-versions --versions
                        flag    --prerelease -e,--exact -r,--remote --ruby --yaml --all-versions --pipe
                        flag    -R,--reverse-dependencies
                        value   -v,--version --platform
                    """,
                )
                for name in (
                    "list",
                    "info",
                    "contents",
                    "dependency",
                    "outdated",
                    "specification",
                    "help",
                    "query",
                )
            },
            "install": asked("gem install", "installs a package", counter_examples=("gem install x",)),
            "push": asked("gem push", "publishes a package", Kind.NETWORK),
        },
    ),
    "rails": Tool(
        "rails",
        Kind.BUILD,
        "runs the project's code",
        profile="ruby-dev",
        options="flag -v,--version -h,--help",
        key_words=2,
        manual="railties 7.2.4",
        examples=("rails test test/models -c", "rails routes -c users -g admin"),
        counter_examples=("rails runner 'x'", "rails db:drop", "rails test /tmp/x", "rails c", "rails new x"),
        subcommands={
            **_rows(
                "ruby-dev",
                "rails",
                "test test:system",
                "runs the project's tests",
                options="""
                    flag    -v,--verbose -b,--backtrace -f,--fail-fast -d,--defer-output -c,--color --no-color
                    value   -n,--name --seed -s
                    maybe   --profile
                    asks    -e,--environment: runs in another environment
                    asks    -I -r,--require -w: loads other code
                """,
                special=rails,
            ),
            **_rows(
                "ruby-dev",
                "rails",
                "routes db:migrate:status",
                "describes the project",
                options="""
                    flag    -E,--expanded -u,--unused
                    value   -c,--controller -g,--grep -a,--annotations
                    asks    -e,--environment: runs in another environment
                """,
                special=rails,
            ),
            **{
                word: asked(f"rails {word}", "changes the project or a database, or runs code", Kind.CODE)
                for word in (
                    "runner",
                    "r",
                    "console",
                    "c",
                    "dbconsole",
                    "server",
                    "s",
                    "generate",
                    "g",
                    "new",
                    "db:drop",
                    "db:reset",
                )
            },
        },
    ),
    "phpunit": project_row(
        "php-dev",
        "phpunit",
        "runs the project's tests",
        manual="PHPUnit 9.6.7",
        options="""
            flag    --stop-on-failure --stop-on-error --testdox --debug --verbose -v --no-coverage
            flag    --list-tests --list-groups --list-suites --no-progress --display-warnings
            flag    --display-deprecations --do-not-cache-result --stop-on-defect --coverage-text
            value   --filter --group --exclude-group --testsuite --order-by --random-order-seed
            maybe   --colors
            writes  --log-junit --coverage-clover
            below   --coverage-html
            asks    -c,--configuration: uses other settings
            asks    --bootstrap --prepend --include-path -d --extension --printer: loads other code
            asks    --loader: loads other code
        """,
        examples=("phpunit", "phpunit --filter testX tests/A.php"),
        counter_examples=("phpunit --bootstrap /tmp/x.php", "phpunit -c /tmp/x"),
    ),
    "pest": project_row(
        "php-dev",
        "pest",
        "runs the project's tests",
        manual="`--help` of Pest 2.2.3 (its help-command.txt)",
        options="""
            flag    --parallel --bail --compact --ci --dirty --retry --todos
            value   --filter --group --exclude-group
        """,
    ),
    "phpstan": project_row(
        "php-dev",
        "phpstan",
        "lints PHP",
        manual="command-line-usage.md of PHPStan 061fb39",
        options="""
            flag    -q,--quiet -v -vv -vvv --no-progress --debug --ansi --no-ansi -n,--no-interaction --xdebug
            value   -l,--level --error-format --memory-limit
            asks    -c,--configuration -a,--autoload-file: loads other code
            asks    -b,--generate-baseline --fix --pro: writes elsewhere or starts a server
        """,
        special=phpstan,
        counter_examples=("phpstan fixer", "phpstan worker"),
    ),
    "pint": project_row(
        "php-dev",
        "pint",
        "formats PHP",
        manual="DefaultCommand.php of Laravel Pint 02096d4",
        options="""
            flag    -q,--quiet -v -vv -vvv --test --dirty --repair --bail --parallel -n,--no-interaction
            value   --preset --format
            asks    --config --cache-file --output-to-file: uses other settings or writes elsewhere
        """,
    ),
    "composer": Tool(
        "composer",
        Kind.BUILD,
        "PHP packages",
        options="""
            flag    -V,--version -h,--help -q,--quiet -n,--no-interaction --no-ansi --no-plugins
            flag    --no-scripts -v -vv
            asks    -d --working-dir: works elsewhere
        """,
        key_words=2,
        manual="Composer 2.5.5",
        examples=("composer validate",),
        counter_examples=("composer --working-dir=/tmp/evil install", "composer --working-dir=/tmp/evil validate"),
        subcommands={
            **_rows(
                "php-dev",
                "composer",
                "validate show outdated audit",
                "looks at packages",
                options="""
                    flag    --no-check-all --strict -t,--tree -i,--installed -D,--direct -l,--latest
                    flag    -o,--outdated --no-dev -N,--name-only --locked --no-check-publish --no-check-lock -q
                    flag    -n,--no-interaction --all --minor-only
                    value   -f,--format
                    asks    -d --working-dir: works elsewhere
                """,
            ),
            "install": project_row(
                "php-dev",
                "composer install",
                "installs what the lock file says",
                kind=Kind.INSTALL,
                options="""
                    flag    -n,--no-interaction --no-dev --prefer-dist --no-progress --no-scripts -o -q
                    flag    --dry-run --no-ansi
                    asks    -d --working-dir: works elsewhere
                    asks    --ignore-platform-reqs --ignore-platform-req: skips checks
                """,
                operands=(),
                examples=("composer install --no-interaction",),
                counter_examples=("composer install -d /tmp/x",),
                special=from_lock,
            ),
            **_rows(
                "php-dev",
                "composer",
                "test lint dump-autoload",
                "runs a script of composer.json",
                options="""
                    flag    -o,--optimize -q
                    asks    -d --working-dir: works elsewhere
                """,
                special=composer_script,
                counter_examples=("composer test -- --bootstrap=x.php",),
            ),
            "require": asked("composer require", "adds a package"),
            "update": asked("composer update", "updates packages"),
            "run-script": asked(
                "composer run-script", "runs a script", Kind.BUILD, counter_examples=("composer run-script evil",)
            ),
            "run": asked("composer run", "runs a script", Kind.BUILD),
            "exec": asked("composer exec", "runs a program", Kind.WRAPPER),
        },
    ),
    "dotnet": Tool(
        "dotnet",
        Kind.BUILD,
        ".NET",
        options="flag --info --list-sdks --list-runtimes -h,--help",
        key_words=2,
        manual="docs/core/tools of dotnet/docs, 2024-03 to 2025-09",
        examples=(
            "dotnet build",
            "dotnet test --filter Category=Unit",
            "dotnet build --verbosity quiet",
            "dotnet --version",
        ),
        counter_examples=(
            "dotnet test --settings /tmp/evil.runsettings",
            "dotnet build /p:CustomBeforeMicrosoftCommonTargets=/tmp/evil.targets",
            "dotnet build -p:X=y",
            "dotnet x.dll",
            "dotnet exec x",
            "dotnet build -property:X=y",
            "dotnet build -fl",
            "dotnet test -- RunConfiguration.TestAdaptersPaths=x",
            "dotnet test -l 'junit;LogFilePath=Makefile'",
        ),
        subcommands={
            **_rows(
                "dotnet-dev",
                "dotnet",
                "build test",
                "builds or tests the project",
                options=_DOTNET_FLAGS + _DOTNET_VALUES + _DOTNET_ASKS + "below -o,--output",
                reading=Reading(single_dash_long=True),
                special=msbuild,
            ),
            "format": project_row(
                "dotnet-dev",
                "dotnet format",
                "formats the project",
                options="""
                    flag    --verify-no-changes --no-restore
                    value   --severity --include --exclude -v,--verbosity
                    asks    --report --binarylog: writes a file
                """,
                special=msbuild,
            ),
            "list": project_row(
                "dotnet-dev",
                "dotnet list",
                "lists packages",
                options="""
                    flag    --outdated --deprecated --vulnerable --include-transitive
                    value   --format
                """,
                special=msbuild,
            ),
            "restore": project_row(
                "dotnet-dev",
                "dotnet restore",
                "fetches what the project files say",
                kind=Kind.INSTALL,
                options=_DOTNET_ASKS
                + """
                    flag    --locked-mode --no-dependencies --force --force-evaluate --nologo
                    value   -v,--verbosity -r,--runtime
                """,
                examples=("dotnet restore --locked-mode",),
                counter_examples=("dotnet restore --source https://evil.example", "dotnet restore -s x"),
                special=msbuild,
            ),
            "clean": project_row(
                "dotnet-dev",
                "dotnet clean",
                "deletes what was built",
                options=_DOTNET_ASKS
                + """
                    flag    --nologo
                    value   -c,--configuration -f,--framework -v,--verbosity -r,--runtime
                """,
                special=msbuild,
            ),
            "run": own_program(
                "dotnet run",
                "builds and runs a program of the project",
                flags="--no-build --no-restore",
                values="-c --configuration -v --verbosity",
            ),
            "add": asked("dotnet add", "adds a package"),
            "publish": asked("dotnet publish", "builds for publishing", Kind.BUILD),
            "tool": asked("dotnet tool", "installs or runs tools", counter_examples=("dotnet tool install -g evil",)),
            "nuget": asked("dotnet nuget", "publishes or changes package sources", Kind.NETWORK),
        },
    ),
    "swift": Tool(
        "swift",
        Kind.BUILD,
        "builds Swift",
        options="flag -version -h,--help",
        key_words=2,
        manual="Swift 6.2.3",
        special=starts_interpreter,
        examples=("swift test", "swift build -c release", "swift --version"),
        counter_examples=("swift", "swift build --package-path /tmp/x", "swift x.swift", "swift build -Xlinker x"),
        subcommands={
            **_rows(
                "ios-dev",
                "swift",
                "build test",
                "builds or tests the project",
                options=_SWIFT_ASKS
                + """
                    flag    -v,--verbose -q,--quiet --build-tests --show-bin-path --skip-update --parallel
                    flag    --enable-code-coverage --list-tests --skip-build --static-swift-stdlib
                    value   -c,--configuration --target --product --filter --skip --num-workers -j,--jobs
                    value   --triple --arch -s,--specifier
                """,
            ),
            "package": Tool(
                "swift package",
                Kind.BUILD,
                "packages",
                profile="ios-dev",
                options=_SWIFT_ASKS,
                key_words=2,
                subcommands={
                    **_rows(
                        "ios-dev",
                        "swift package",
                        "describe show-dependencies",
                        "describes the package",
                        options=_SWIFT_ASKS + "value --type --format",
                    ),
                    **{
                        n: asked(f"swift package {n}", "changes packages or runs a plugin")
                        for n in ("resolve", "update", "plugin", "init", "clean", "reset", "edit")
                    },
                },
            ),
            "run": own_program(
                "swift run",
                "builds and runs a program of the project",
                flags="--skip-build -v --verbose -q --quiet",
                values="-c --configuration",
            ),
        },
    ),
    "swiftc": asked("swiftc", "compiles Swift", Kind.BUILD),
    "swiftformat": Tool(
        "swiftformat",
        Kind.EDIT,
        "formats Swift",
        options="""
            flag    --lint --quiet --strict --verbose --dryrun --lenient
            value   --rules --disable --enable --exclude --swiftversion --indent
            asks    --config --output --cache --inferoptions --reporter: uses other settings or writes
            asks    --report --filelist --options: uses other settings or writes
        """,
        operands=(INERT, ...),
        manual="`--help` in CommandLine.swift of SwiftFormat 0075b56",
        examples=("swiftformat --lint .",),
        counter_examples=("swiftformat /tmp/x",),
        special=edits,
    ),
    "xcodebuild": Tool(
        "xcodebuild",
        Kind.BUILD,
        "builds or tests the project",
        options="""
            flag    -version -list -showsdks -help -showBuildSettings -showdestinations -quiet
            flag    -verbose -alltargets -skipUnavailableActions -showTestPlans -usage
            value   -scheme -target -configuration -sdk -destination -arch -only-testing
            value   -skip-testing -testPlan -destination-timeout -parallel-testing-enabled
            value   -enableCodeCoverage -maximum-concurrent-test-simulator-destinations
            reads   -project -workspace
            below   -derivedDataPath -resultBundlePath
            asks    -xcconfig: uses other settings
            asks    -exportArchive -archivePath -exportPath -exportOptionsPlist: signs or exports
            asks    -exportNotarizedApp -allowProvisioningUpdates: signs or exports
            asks    -authenticationKeyPath: signs or exports
            asks    -toolchain -xctestrun -runFirstLaunch -downloadPlatform: is not known
            asks    -clonedSourcePackagesDirPath: is not known
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        manual="xcodebuild(1), xcode-man-pages 08a8d31",
        examples=(
            "xcodebuild -scheme App -destination 'platform=iOS Simulator,name=iPhone 15' build",
            "xcodebuild -list",
            "xcodebuild test -scheme App",
        ),
        counter_examples=(
            "xcodebuild -project /tmp/evil.xcodeproj build",
            "xcodebuild -xcconfig x build",
            "xcodebuild CC=/tmp/x build",
            "xcodebuild archive",
        ),
        special=xcodebuild,
    ),
    "xcrun": Tool(
        "xcrun",
        Kind.WRAPPER,
        "runs a developer tool",
        options="""
            flag    -h,--help --show-sdk-path --show-sdk-version
            value   --sdk
        """,
        key_words=3,
        manual="xcrun(1), xcode-man-pages 08a8d31; `simctl help list`",
        counter_examples=("xcrun altool --upload-app", "xcrun sh -c x", "xcrun simctl erase all"),
        subcommands={
            "simctl": Tool(
                "xcrun simctl",
                Kind.READ,
                "simulators",
                key_words=3,
                subcommands={
                    "list": looking(
                        "xcrun simctl list",
                        "lists simulators",
                        options="flag -j,--json -v",
                        examples=("xcrun simctl list devices available",),
                    ),
                    **{
                        word: project_row("ios-dev", f"xcrun simctl {word}", "starts or stops a simulator")
                        for word in ("boot", "shutdown")
                    },
                },
            ),
        },
    ),
    "xcpretty": looking(
        "xcpretty",
        "shortens the output of a build",
        options="flag -t,--test -s,--simple -k,--knock --tap -c,--color --no-color --utf --no-utf",
        operands=(),
        manual="bin/xcpretty of xcpretty 96475e3",
        examples=("xcpretty -c",),
        counter_examples=("xcpretty -r html -o /tmp/x", "xcpretty -f evil.rb"),
    ),
    "xcbeautify": looking(
        "xcbeautify",
        "shortens the output of a build",
        options="""
            flag    -q,--quiet --quieter --preserve-unbeautified --is-ci --disable-colored-output --disable-logging
            value   --renderer
        """,
        operands=(),
        manual="Xcbeautify.swift of xcbeautify 0253347",
        examples=("xcbeautify --renderer github-actions",),
        counter_examples=("xcbeautify --report junit",),
    ),
    "pod": Tool(
        "pod",
        Kind.BUILD,
        "packages",
        allowed=False,
        key_words=2,
        subcommands={
            "install": asked(
                "pod install",
                "installs packages, and the Podfile is code",
                counter_examples=("pod install --project-directory=/tmp/evil",),
            ),
        },
    ),
    "fastlane": asked(
        "fastlane",
        "runs a lane, which may sign, upload and publish",
        Kind.NETWORK,
        danger="runs a lane: it may sign, upload or publish an app",
    ),
    "mix": Tool(
        "mix",
        Kind.BUILD,
        "builds Elixir",
        special=mix,
        key_words=2,
        manual="Mix 1.14.0",
        subcommands=_MIX,
        examples=("mix compile --warnings-as-errors", "mix help", "mix test", "mix format --check-formatted"),
        counter_examples=(
            "mix do deps.get, run -e 'x'",
            "mix run -e x",
            "mix ecto.drop",
            "mix deps.get",
            "mix hex.publish",
        ),
    ),
    **{
        name: Tool(
            name,
            Kind.BUILD,
            "builds Dart",
            profile="dart-dev",
            options="flag -h,--help -v,--verbose",
            key_words=2,
            manual=manual,
            examples=(f"{name} analyze", f"{name} test"),
            counter_examples=(f"{name} test --file-reporter json:/tmp/x", f"{name} run x"),
            subcommands={
                **rows,
                "pub": Tool(
                    f"{name} pub",
                    Kind.BUILD,
                    "packages",
                    key_words=2,
                    profile="dart-dev",
                    subcommands={
                        **{
                            n: asked(f"{name} pub {n}", "changes or publishes packages")
                            for n in ("add", "publish", "upgrade", "run", "global")
                        },
                        "get": project_row(
                            "dart-dev",
                            f"{name} pub get",
                            "fetches what the lock file says",
                            kind=Kind.INSTALL,
                            options="""
                                flag    --enforce-lockfile --offline --dry-run --no-example
                                asks    -C --directory: works elsewhere
                            """,
                            operands=(),
                            examples=(f"{name} pub get",),
                            special=from_lock,
                        ),
                    },
                ),
                "build": asked(f"{name} build", "builds an app", Kind.BUILD),
                "run": own_program(f"{name} run", "runs the app", flags="--release --debug --profile -v --verbose"),
            },
        )
        for name, manual, rows in (
            ("flutter", "flutter_tools commands of Flutter 005e891", _FLUTTER),
            ("dart", "tools of dart.dev 157a775, `--help` of package:test 00f1d08", _DART),
        )
    },
}
