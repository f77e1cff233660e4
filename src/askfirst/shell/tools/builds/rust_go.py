"""cargo, rustc, rustup; go and its tools; zig, cabal.

Build scripts, macros and tests run the project's own code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst.model import Fact, Kind, Word
from askfirst.shell.tools.engine import apply, call_after, row, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import arguments_file, is_inside, own_program, place_facts, runner
from askfirst.shell.tools.python.tools import edits
from askfirst.shell.tools.scripts import is_risky_script, output_facts
from askfirst.shell.tools.table import INERT, Reading, Tool, asked, looking

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call, Outcome

__all__ = ["TOOLS"]


# -- rust --------------------------------------------------------------------------------------------------------------

_CARGO_OPTIONS = """
    flag    -q,--quiet -v -vv --verbose --locked --offline --frozen --all --workspace --lib
    flag    --bins --examples --tests --benches --all-targets --all-features
    flag    --no-default-features -r,--release --keep-going --no-run --no-fail-fast --doc
    flag    --ignore-rust-version --future-incompat-report --unit-graph -h,--help --no-deps
    flag    --build-plan
    value   -p,--package --exclude --bin --example --test --bench -F,--features -j,--jobs
    value   --profile --target --color --message-format
    maybe   --timings
"""
_CARGO_ASKS = """
    asks    --config: sets a compiler, a wrapper or a runner
    asks    --manifest-path: builds another crate
    asks    -C: works elsewhere
    asks    -Z: uses unstable behaviour
    asks    --target-dir --artifact-dir --out-dir: writes elsewhere
    asks    --registry --index: uses another registry
"""


def _cargo(name: str, description: str, *, options: str = "", **more: Any) -> Tool:
    more.setdefault("operands", (INERT, ...))
    return Tool(
        f"cargo {name}",
        Kind.BUILD,
        description,
        profile="rust-dev",
        options=_CARGO_OPTIONS + _CARGO_ASKS + options,
        key_words=2,
        special=cargo_row,
        **more,
    )


def cargo_row(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Behind `--` stand arguments of the test program, of clippy or of rustfmt."""
    outcome = runner(tool, call, analyst)
    parsed = parse(tool, call.words[1:])
    odd = [w for w in parsed.values("--target") if (w.value or ".json").endswith(".json")]
    if odd:
        outcome = replace(
            outcome,
            facts=(*outcome.facts, unknown("option", "a target's description names a linker", call, odd[0].text)),
        )
    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    tail = call.words[at + 1 :]
    facts = output_facts(tail, call, analyst, tool.name)
    if tool.name in ("cargo clippy", "cargo fmt", "cargo doc", "cargo check"):
        facts += _compiler_facts(tail, call)
    return replace(outcome, facts=(*outcome.facts, *facts))


def _compiler_facts(words: tuple[Word, ...], call: Call) -> list[Fact]:
    texts = (w.value or w.text for w in words)
    odd = [t for t in texts if t.startswith(("-", "@")) and not t.startswith(_PLAIN_TAIL)]
    return [unknown("option", f"`{text}` goes to the compiler", call, text) for text in odd[:1]]


_PLAIN_TAIL = (
    "-D",
    "-W",
    "-A",
    "-F",
    "--deny",
    "--warn",
    "--allow",
    "--forbid",
    "--check",
    "--edition",
    "--no-deps",
    "-l",
    "-v",
    "-q",
    "--emit=files",
    "--color",
)


def cargo(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`+toolchain` may name another compiler; what is not in the table is a program `cargo-NAME` on the PATH."""
    words = call.words
    if len(words) > 1 and (words[1].value or "").startswith("+"):
        name = (words[1].value or "")[1:]
        known = name in ("stable", "nightly", "beta") or name.replace(".", "").isdigit()
        outcome = apply(_CARGO, call_after(call, words[2:]), analyst)
        return (
            outcome
            if known
            else replace(
                outcome, facts=(*outcome.facts, unknown("toolchain", f"`{words[1].text}` may be any toolchain", call))
            )
        )
    return apply(_CARGO, call, analyst)


def _cargo_rows() -> dict[str, Tool]:
    rows = {
        "build": _cargo(
            "build",
            "builds the project",
            examples=("cargo build", "cargo b --release"),
            counter_examples=(
                "cargo build --config 'build.rustc-wrapper=\"/tmp/evil\"'",
                "cargo build --manifest-path /tmp/evil/Cargo.toml",
                "cargo build --target-dir /etc",
            ),
        ),
        "check": _cargo(
            "check",
            "checks the project",
            examples=("cargo check --all-targets", "cargo c --tests"),
            counter_examples=('cargo check --config build.rustc=\\"/tmp/evil\\"',),
        ),
        "test": _cargo(
            "test",
            "runs the project's tests",
            examples=("cargo test", "cargo test -- --skip slow --test-threads=1", "cargo t -- --nocapture"),
            counter_examples=("cargo test --config x",),
        ),
        "bench": _cargo("bench", "runs the project's benchmarks"),
        "doc": _cargo(
            "doc", "builds documentation", options="flag --document-private-items", examples=("cargo doc --no-deps",)
        ),
        "clippy": _cargo(
            "clippy",
            "lints the project",
            options="flag --fix --allow-dirty --allow-staged --allow-no-vcs",
            examples=("cargo clippy --all-targets -- -D warnings", "cargo clippy -- --deny warnings"),
        ),
        "run": own_program(
            "cargo run",
            "builds and runs a program of the project",
            flags="--release -r -q --quiet -v --verbose --locked --offline --frozen --all-features",
            values="-j --jobs --color --message-format",
        ),
        "fmt": Tool(
            "cargo fmt",
            Kind.EDIT,
            "formats the project",
            profile="rust-dev",
            options=_CARGO_ASKS
            + """
                flag    --all --check -q,--quiet -v,--verbose -h,--help
                value   -p,--package --message-format
            """,
            operands=(INERT, ...),
            key_words=2,
            examples=("cargo fmt --check", "cargo fmt --all -- --check"),
            counter_examples=("cargo fmt --manifest-path /tmp/x/Cargo.toml", "cargo fmt -- --config-path /tmp/x"),
            special=cargo_row,
        ),
        "tree": _cargo(
            "tree",
            "shows dependencies",
            options="""
                flag    -d,--duplicates --no-dedupe
                value   -i,--invert -e,--edges --prune --depth --prefix --charset -f,--format
            """,
            examples=("cargo tree --depth 2",),
        ),
        "metadata": _cargo(
            "metadata",
            "describes the project",
            options="value --format-version --filter-platform",
            examples=("cargo metadata --format-version 1 --no-deps",),
        ),
        "locate-project": _cargo("locate-project", "finds the manifest"),
        "fetch": _cargo("fetch", "fetches what the lock file says"),
        "nextest": Tool(
            "cargo nextest",
            Kind.BUILD,
            "runs the project's tests",
            profile="rust-dev",
            key_words=2,
            subcommands={
                name: _cargo(
                    f"nextest {name}",
                    "runs the project's tests",
                    options=_CARGO_ASKS
                    + """
                        flag    --no-capture --nocapture --ignore-default-filter --fail-fast
                        value   -E --filterset --retries --test-threads --run-ignored --status-level --partition -T
                        asks    --config-file --tool-config-file: uses other settings
                    """,
                )
                for name in ("run",)
            },
            examples=("cargo nextest run",),
        ),
        "audit": _cargo("audit", "looks for known weaknesses", operands=(), counter_examples=("cargo audit fix",)),
        "help": looking("cargo help", "shows help"),
        "version": looking("cargo version", "shows the version", options="flag -v,--verbose", operands=()),
        "search": looking(
            "cargo search",
            "searches the registry",
            options=_CARGO_ASKS
            + """
                flag    -q -v
                value   --limit
            """,
        ),
        "info": looking("cargo info", "shows a package", options=_CARGO_ASKS + "flag -q -v,--verbose"),
        "install": asked("cargo install", "builds and installs a program", counter_examples=("cargo install evil",)),
        "uninstall": asked("cargo uninstall", "removes a program"),
        "add": asked("cargo add", "adds a dependency"),
        "remove": asked("cargo remove", "removes a dependency"),
        "update": _cargo(
            "update",
            "updates the lock file",
            options="""
                flag    --dry-run --recursive --aggressive -w
                value   --precise
            """,
        ),
        "publish": asked(
            "cargo publish",
            "publishes the crate",
            Kind.NETWORK,
            danger="publishes to crates.io: it cannot be taken back",
        ),
        "yank": asked("cargo yank", "withdraws a version", Kind.NETWORK),
        "clean": _cargo(
            "clean",
            "deletes what was built",
            options="flag --dry-run -n",
            operands=(),
            examples=("cargo clean",),
            counter_examples=("cargo clean --target-dir /tmp/x",),
        ),
        "vendor": _cargo(
            "vendor",
            "copies dependencies into the project",
            options="flag --versioned-dirs --no-delete",
            operands=(),  # it empties the directory first
            examples=("cargo vendor",),
            counter_examples=("cargo vendor /tmp/x", "cargo vendor .git", "cargo vendor src"),
        ),
        "fix": asked("cargo fix", "rewrites sources", Kind.EDIT),
        "new": asked("cargo new", "makes a crate", Kind.EDIT),
        "init": asked("cargo init", "makes a crate", Kind.EDIT),
        "login": asked("cargo login", "stores a token"),
        "logout": asked("cargo logout", "forgets a token"),
        "owner": asked("cargo owner", "changes who may publish", Kind.NETWORK),
    }
    for alias, name in (("b", "build"), ("c", "check"), ("t", "test"), ("d", "doc"), ("r", "run"), ("rm", "remove")):
        rows[alias] = rows[name]
    return rows


_CARGO = Tool(
    "cargo",
    Kind.READ,
    "builds Rust",
    options=_CARGO_ASKS
    + """
        flag    -V,--version -q,--quiet -v -vv --verbose --locked --offline --frozen --list
        flag    -h,--help
        value   --color --explain
    """,
    key_words=2,
    examples=("cargo --version", "cargo --list"),
    counter_examples=(
        "cargo evil",
        "cargo --config 'alias.x=[\"run\"]' x",
        "cargo -Zunstable-options -C /tmp/evil build",
        "cargo +evil build",
    ),
    subcommands=_cargo_rows(),
)

# -- go ----------------------------------------------------------------------------------------------------------------

_GO_OPTIONS = """
    flag    -a -n -v -x -race -msan -asan -cover -trimpath -work -modcacherw -linkshared -i -json -h
    flag    -buildvcs -buildvcs=false -buildvcs=true
    value   -p -covermode -coverpkg -tags -buildmode -mod -pgo -installsuffix -ldflags
    writes  -o
    asks    -toolexec: runs a program for every step
    asks    -exec -vettool: runs a program
    asks    -overlay -modfile -pkgdir: uses other files
    asks    -gccgoflags -gcflags -asmflags: passes options to tools, which can run programs
    asks    -compiler: uses another compiler
    asks    -C: works elsewhere
"""
_GO_TEST_FLAGS = """
    flag    -c -update -short -failfast -benchmem -fullpath -vet=off -test.v -test.short
"""
_GO_TEST_VALUES = """
    value   -run -bench -benchtime -count -cpu -parallel -timeout -list -shuffle -skip -fuzz
    value   -fuzztime -vet -blockprofilerate -memprofilerate
"""


def go(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A row of go: flags of the linker are fine when they only strip or set strings."""
    # What stands behind `-args` goes to the project's own test program.
    at = (
        next((i for i, w in enumerate(call.words) if w.value in ("-args", "--args")), len(call.words))
        if tool.name == "go test"
        else len(call.words)
    )
    facts: list[Fact] = place_facts(tool, call, analyst) if at < len(call.words) else []
    facts += output_facts(call.words[at + 1 :], call, analyst, tool.name)
    call = replace(call, words=call.words[:at])
    outcome = runner(tool, call, analyst)
    parsed = parse(tool, call.words[1:])
    for word in parsed.operands:
        text = word.value or word.text
        named = _names_host(text) and tool.name != "go mod why" and (parsed.has("-versions") or not parsed.has("-m"))
        if "@" in text or (named and not _is_of_module(text, call, analyst)):
            facts.append(unknown("package", f"`{text}` may be fetched from elsewhere", call, text))
    for word in parsed.values("-ldflags"):
        if not _plain_linker_flags(word.value):
            facts.append(unknown("option", f"`{word.text}` can make the linker run a program", call, word.text))
    return replace(outcome, facts=(*outcome.facts, *facts))


def _names_host(package: str) -> bool:
    """`example.com/x`: with `-mod=mod`, in GOFLAGS too, such a package is fetched, and its tests run."""
    return "." in package.partition("/")[0].strip(".")


def _is_of_module(package: str, call: Call, analyst: Analyst) -> bool:
    """Whether a package is a directory of the module that the call is in. (One that is not there is fetched, too.)"""
    folder = call.cwd
    while folder and is_inside(folder, analyst):
        text = analyst.read_file(f"{folder}/go.mod")
        if text is not None:
            own = next((line.split()[1].strip('"') for line in text.splitlines() if line.startswith("module ")), "/")
            below = package.removeprefix(own).removesuffix("...").rstrip("/")
            return package.startswith(own) and below[:1] in ("", "/") and bool(analyst.names_in(folder + below))
        folder = folder.rpartition("/")[0]
    return False


def _plain_linker_flags(value: str | None) -> bool:
    if value is None:
        return False
    words = value.split()
    # A quoted word, and the one behind `PATTERN=` (`all=-extld=x`), may be any option.
    return not any(c in value for c in "'\"") and all(
        w in ("-s", "-w", "-X", "-s=true", "-w=true") or w.startswith("-X=") or (at > 0 and words[at - 1] == "-X")
        for at, w in enumerate(words)
    )


def _go(
    name: str,
    description: str,
    *,
    options: str = "",
    kind: Kind = Kind.BUILD,
    **more: Any,
) -> Tool:
    more.setdefault("operands", (INERT, ...))
    return Tool(
        f"go {name}",
        kind,
        description,
        profile="go-dev",
        special=more.pop("special", go),
        key_words=len(name.split()) + 1,
        reading=Reading(single_dash_long=True),
        options=_GO_OPTIONS + options,
        **more,
    )


def _cover(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A page that goes to no file is shown in a browser."""
    outcome, parsed = row(tool, call, analyst), parse(tool, call.words[1:])
    if parsed.has("-html") and not parsed.has("-o"):
        return replace(outcome, facts=(*outcome.facts, unknown("hidden command", "starts a browser", call)))
    return outcome


def _go_look(name: str, description: str, **more: Any) -> Tool:
    return Tool(
        f"go {name}",
        Kind.READ,
        description,
        key_words=len(name.split()) + 1,
        reading=Reading(single_dash_long=True),
        operands=more.pop("operands", (INERT, ...)),
        **more,
    )


_GO = Tool(
    "go",
    Kind.READ,
    "builds Go",
    options="flag -h,--help",
    reading=Reading(single_dash_long=True),
    key_words=2,
    manual="golang-1.19-go 1.19.8",
    counter_examples=("go bug",),
    subcommands={
        "build": _go(
            "build",
            "builds the project",
            examples=("go build ./...", "go build -o bin/app ."),
            counter_examples=(
                "go build -toolexec /tmp/evil ./...",
                "go build -o ~/.local/bin/ls .",
                "go build -ldflags='-extld=/tmp/evil' -o x .",
                "go build -ldflags=all=-extld=./evil .",
                "go build -ldflags='\"-extld=./evil\"' .",
                "go build -gccgoflags=x -compiler gccgo .",
                "go build --toolexec=x .",
            ),
        ),
        "test": _go(
            "test",
            "runs the project's tests",
            options=_GO_TEST_FLAGS
            + _GO_TEST_VALUES
            + """
                writes  -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace
                below   -outputdir
            """,
            examples=(
                "go test ./...",
                "go test ./... -run TestLogin -v",
                "go test -bench=. -benchmem ./pkg/parser",
                "go test -v -bench . -benchtime 50s",
                "go test -coverprofile=c.out ./...",
            ),
            counter_examples=("go test -exec /tmp/x ./...", "go test -vettool=x ./..."),
        ),
        "vet": _go(
            "vet",
            "lints the project",
            options="""
                flag    -json
                value   -c
            """,
            examples=("go vet ./...", "go vet -json", "go vet -c=5 ./..."),
            counter_examples=("go vet -vettool=/tmp/x ./...",),
        ),
        "list": _go(
            "list",
            "lists packages",
            options="""
                flag    -m -u -e -deps -test -find -export -compiled -retracted -versions
                value   -f -reuse
            """,
            examples=("go list ./...", "go list -m all", "go list std"),
        ),
        "fmt": _go("fmt", "formats the project", kind=Kind.EDIT),
        "fix": _go("fix", "rewrites the project for newer versions", kind=Kind.EDIT),
        "clean": _go(
            "clean",
            "deletes what was built",
            options="flag -cache -testcache -fuzzcache\nasks -modcache -i: deletes what was fetched or installed",
            operands=(),
            examples=("go clean -testcache",),
            counter_examples=("go clean -i", "go clean -modcache"),
        ),
        "run": own_program(
            "go run",
            "builds and runs a program",
            flags="-race -v",
            counter_examples=("go run evil.example/cmd@latest",),
        ),
        "generate": asked("go generate", "runs commands from the sources", Kind.WRAPPER),
        "install": asked(
            "go install", "builds and installs a program", counter_examples=("go install evil.example/x@latest",)
        ),
        "get": asked("go get", "changes dependencies"),
        "env": _go_look(
            "env",
            "shows settings",
            options="flag -json -changed",
            examples=("go env GOPATH",),
            counter_examples=("go env -w GOFLAGS=-toolexec=/tmp/evil", "go env -u X"),
        ),
        "version": _go_look("version", "shows the version", options="flag -m -v"),
        "help": _go_look("help", "shows help"),
        "doc": _go_look(
            "doc",
            "shows documentation",
            options="flag -all -src -short -u -c -cmd",
            examples=("go doc -all encoding/json",),
            counter_examples=("go doc -http",),
        ),
        "tool": Tool(
            "go tool",
            Kind.BUILD,
            "runs a tool of Go",
            key_words=2,
            allowed=False,
            subcommands={
                "cover": looking(
                    "go tool cover",
                    "shows what tests reach",
                    options="""
                        reads   -func -html
                        writes  -o
                    """,
                    operands=(),
                    reading=Reading(single_dash_long=True),
                    special=_cover,
                    examples=("go tool cover -func=c.out", "go tool cover -html=c.out -o c.html"),
                    counter_examples=("go tool cover -html=c.out",),
                ),
            },
            counter_examples=("go tool -n x",),
        ),
        "mod": Tool(
            "go mod",
            Kind.BUILD,
            "dependencies",
            key_words=2,
            profile="go-dev",
            subcommands={
                "tidy": _go(
                    "mod tidy",
                    "brings the dependency list up to date",
                    options="""
                        flag    -e -diff
                        value   -go -compat
                    """,
                ),
                "verify": _go("mod verify", "checks dependencies"),
                "graph": _go("mod graph", "shows dependencies"),
                "why": _go("mod why", "says why a dependency is there", options="flag -m -vendor"),
                "download": _go("mod download", "fetches what the lock file says"),
                "vendor": _go("mod vendor", "copies dependencies into the project", options="flag -e"),
                "edit": asked("go mod edit", "changes dependencies", Kind.EDIT),
                "init": asked("go mod init", "makes a module", Kind.EDIT),
            },
        ),
    },
)


def gotestsum(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Its operands are those of `go test`."""
    outcome, parsed = runner(tool, call, analyst), parse(tool, call.words[1:])
    test = _GO.subcommands["test"]
    # `--packages "./a -exec x"`: the words of the value as well.
    packages = [
        Word(part, part if w.value is not None else None)
        for w in parsed.values("--packages")
        for part in (w.value or w.text).split()
    ]
    words = (*packages, *(w for w in parsed.operands if w.value != "--"))
    inner = apply(test, call_after(call, words), analyst)
    return replace(outcome, facts=(*outcome.facts, *inner.facts))


def golangci(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`--out-format json:FILE` writes FILE, and so does an option in the place of a revision (`--output=FILE`)."""
    outcome, parsed = runner(tool, call, analyst), parse(tool, call.words[1:])
    odd = [w for w in parsed.values("--out-format") if ":" in (w.value or ":")]
    odd += [w for w in parsed.values("--new-from-rev") if (w.value or "-").startswith("-")]
    facts = (unknown("option", f"`{w.text}` names a file to write", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


def zig_build(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Steps are the project's own; running, installing and deploying ask."""
    outcome = runner(tool, call, analyst)
    if any((w.value or "run") == "run" or is_risky_script(w.value or "") for w in parse(tool, call.words[1:]).operands):
        return replace(outcome, action=replace(outcome.action, allowed=False, profile=""))
    return outcome


def rustc(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = runner(tool, call, analyst)
    named = [w for w in parse(tool, call.words[1:]).values("--emit", "--print") if "=" in (w.value or "=")]
    written = (unknown("option", f"`{w.text}` names a file to write", call, w.text) for w in named)
    code = (
        unknown("inline code", "messages quote the files that the input includes", call)
        for w in call.words
        if w.value == "-"
    )
    return replace(outcome, facts=(*outcome.facts, *arguments_file(tool, call), *written, *code))


TOOLS: dict[str, Tool] = {
    "cargo": Tool(
        "cargo",
        Kind.BUILD,
        "builds Rust",
        special=cargo,
        key_words=2,
        manual="cargo 1.97.0",
        subcommands=_CARGO.subcommands,
        examples=_CARGO.examples,
        counter_examples=_CARGO.counter_examples,
    ),
    "rustc": Tool(
        "rustc",
        Kind.BUILD,
        "compiles Rust",
        profile="rust-dev",
        options="""
            flag    -V,--version -vV -v,--verbose -h,--help --test -O -g
            value   --crate-type --crate-name --edition --explain --print --cfg --emit -A -W -D -F
            writes  -o
            below   --out-dir
            asks    -C,--codegen: sets options of the compiler, such as its linker
            asks    -Z: uses unstable behaviour
            asks    --extern -L --sysroot -l: links other files
        """,
        operands=(INERT, ...),
        reading=Reading(response_files=True),
        manual="rustc 1.97.0",
        examples=("rustc --version", "rustc --explain E0382"),
        counter_examples=("rustc -C linker=/tmp/evil x.rs", "rustc x.rs -o ~/.bashrc", "rustc @args"),
        special=rustc,
    ),
    "rustfmt": Tool(
        "rustfmt",
        Kind.EDIT,
        "formats Rust; the project may name its own toolchain",
        profile="rust-dev",
        options="""
            flag    --check -q,--quiet -v,--verbose -V,--version -h,--help -l --files-with-diff --backup
            value   --edition --emit --color --style-edition
            asks    --config-path --config: uses other settings
        """,
        operands=(INERT, ...),
        manual="rustfmt 1.9.0",
        examples=("rustfmt --check src/main.rs",),
        counter_examples=("rustfmt /tmp/x.rs",),
        special=edits,
    ),
    "rustup": Tool(
        "rustup",
        Kind.READ,
        "Rust versions",
        options="flag -V,--version -v -q -h,--help",
        key_words=2,
        manual="rustup 1.29.0",
        examples=("rustup show",),
        counter_examples=("rustup run evil rustc", "rustup toolchain link stable /tmp/evil", "rustup update"),
        subcommands={
            "show": looking("rustup show", "shows versions"),
            "toolchain": Tool(
                "rustup toolchain",
                Kind.READ,
                "versions",
                key_words=2,
                subcommands={
                    "list": looking("rustup toolchain list", "lists versions", options="flag -v -q", operands=())
                },
            ),
            "target": Tool(
                "rustup target",
                Kind.READ,
                "targets",
                key_words=2,
                subcommands={
                    "list": looking("rustup target list", "lists targets", options="flag --installed -q", operands=())
                },
            ),
            "component": Tool(
                "rustup component",
                Kind.READ,
                "components",
                key_words=2,
                subcommands={
                    "list": looking(
                        "rustup component list", "lists components", options="flag --installed -q", operands=()
                    )
                },
            ),
        },
    ),
    "go": _GO,
    "gofmt": Tool(
        "gofmt",
        Kind.EDIT,
        "formats Go",
        options="""
            flag    -d -l -e -s -w -h
            value   -r
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        manual="golang-1.19-go 1.19.8",
        examples=("gofmt -d main.go", "gofmt -l src", "gofmt -w src"),
        counter_examples=("gofmt -w /etc", "gofmt -cpuprofile=/etc/x a.go"),
        special=edits,
    ),
    "goimports": Tool(
        "goimports",
        Kind.EDIT,
        "formats Go",
        options="""
            flag    -d -l -e -w -v
            value   -local
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        manual="golang-golang-x-tools 0.5.0+ds",
        special=edits,
    ),
    "golangci-lint": Tool(
        "golangci-lint",
        Kind.BUILD,
        "lints Go",
        profile="go-dev",
        options="flag -h,--help",
        key_words=2,
        manual="pkg/commands/flagsets.go of golangci-lint 599901b",
        subcommands={
            "run": Tool(
                "golangci-lint run",
                Kind.BUILD,
                "lints the project",
                profile="go-dev",
                options="""
                    flag    -v,--verbose --fix --fast --fast-only --new --no-config --tests
                    flag    --allow-parallel-runners --whole-files
                    value   --timeout -E,--enable -D,--disable --out-format -j --concurrency --build-tags
                    value   --issues-exit-code --new-from-rev --max-issues-per-linter --max-same-issues
                    value   -p,--presets --color --enable-only
                    writes  --output.json.path --output.text.path --output.tab.path --output.html.path
                    writes  --output.checkstyle.path --output.code-climate.path --output.junit-xml.path
                    writes  --output.teamcity.path --output.sarif.path
                    asks    -c,--config --custom: uses other settings
                    asks    --path-prefix --cpu-profile-path --mem-profile-path --trace-path: writes elsewhere
                """,
                operands=(INERT, ...),
                key_words=2,
                examples=(
                    "golangci-lint run",
                    "golangci-lint run ./... --timeout 5m",
                    "golangci-lint run --output.json.path=stdout ./...",
                ),
                counter_examples=(
                    "golangci-lint run -c /tmp/x.yml",
                    "golangci-lint run --output.json.path=.git/hooks/pre-commit",
                    "golangci-lint run --out-format=tab:Makefile",
                ),
                special=golangci,
            ),
            "linters": looking(
                "golangci-lint linters", "lists linters", operands=(), examples=("golangci-lint linters",)
            ),
        },
    ),
    "staticcheck": Tool(
        "staticcheck",
        Kind.BUILD,
        "lints Go",
        profile="go-dev",
        options="""
            flag    -version -h -list-checks -merge -matrix -show-ignored -tests
            value   -checks -f -tags -go -fail -explain
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True, stops_at_operand=True),
        manual="staticcheck 2026.2.2",
        special=runner,
    ),
    "gotestsum": Tool(
        "gotestsum",
        Kind.BUILD,
        "runs the project's tests",
        profile="go-dev",
        options="""
            flag    --no-color --hide-summary --debug
            value   -f,--format --format-icons --rerun-fails --max-fails --packages
            writes  --junitfile --jsonfile
            asks    --raw-command --post-run-command --watch --watch-chdir: runs a program
        """,
        operands=(INERT, ...),
        reading=Reading(stops_at_operand=True),
        manual="gotestsum 1.8.2",
        examples=("gotestsum --format testname ./...", "gotestsum -- -race ./..."),
        counter_examples=(
            "gotestsum --raw-command -- touch x",
            "gotestsum -- -exec /tmp/x ./...",
            "gotestsum --post-run-command x",
            "gotestsum --packages='./... -exec ./x'",
        ),
        special=gotestsum,
    ),
    "zig": Tool(
        "zig",
        Kind.BUILD,
        "builds Zig",
        options="flag -h,--help",
        key_words=2,
        manual="zig 0.17.0",
        subcommands={
            "build": Tool(
                "zig build",
                Kind.BUILD,
                "builds the project",
                profile="c-dev",
                options="""
                    flag    --verbose -l,--list-steps
                    maybe   -j -D --release
                    asks    --build-file --zig-lib-dir --cache-dir --global-cache-dir: builds another project
                    asks    -p,--prefix --build-runner: builds another project
                """,
                operands=(INERT, ...),
                key_words=2,
                examples=("zig build test",),
                counter_examples=("zig build --build-file /tmp/evil.zig", "zig build run", "zig build install"),
                special=zig_build,
            ),
            "test": Tool(
                "zig test",
                Kind.BUILD,
                "runs tests",
                profile="c-dev",
                options="""
                    value   -O
                    asks    --test-cmd: runs a program
                """,
                operands=(INERT, ...),
                key_words=2,
                special=runner,
            ),
            "fmt": Tool(
                "zig fmt",
                Kind.EDIT,
                "formats files",
                options="flag --check --ast-check",
                operands=(INERT, ...),
                key_words=2,
                special=edits,
            ),
        },
    ),
}
