"""Package managers and administration tools of other people's machines: the sub-commands that only look."""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Action, Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, row, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import place_facts
from askfirst.shell.tools.shells.wrappers import inner
from askfirst.shell.tools.system.linux import verbs
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, READS, Tool, asking


def _brew(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A formula is Ruby code, and a path, an address or `OWNER/TAP/NAME` names one that is not Homebrew's own."""
    odd = [
        w
        for w in call.words[1:]
        if w.value is None or w.value.endswith(".rb") or ("/" in w.value and not w.value.startswith("homebrew/"))
    ]
    action = _brew_action(tool, [w.value for w in call.words[1:]])
    outcome = row(tool, call, analyst) if action is None else Outcome(action)
    return replace(
        outcome,
        facts=(*outcome.facts, *(unknown("operands", "a formula from a file is code", call, w.text) for w in odd)),
    )


def _brew_action(tool: Tool, words: list[str | None]) -> Action | None:
    """What the sub-commands of the row cannot say."""
    first, second = [*words, "", ""][:2]
    if first in _BREW_PRINTS:
        return replace(action_of(tool), key=("brew", first), allowed=True)
    if first == "bundle" and second in ("list", "check"):  # a Brewfile is Ruby code
        plain = all(w in _BUNDLE_SHOWS for w in words[2:])
        return replace(action_of(tool), key=("brew", "bundle", second), allowed=plain, profile="ruby-dev")
    if len(words) == 2 and second in ("-h", "--help"):
        return replace(action_of(tool), key=("brew", str(first), "-h"), allowed=True, description="prints help")
    if first == "analytics":
        return replace(action_of(tool), key=("brew", "analytics"), allowed=len(words) == 1 or second == "state")
    return None


_BREW_PRINTS = ("--prefix", "--cellar", "--cache", "--caskroom", "--repository", "--repo", "--env", "--version", "-v")
_BUNDLE_SHOWS = ("--all", "--formula", "--cask", "--tap", "--mas", "--vscode", "--verbose")


_READS = frozenset("list ls show search search-by-email tail diff get".split())


# The objects below which other objects stand: `auth0 roles permissions list`.
_AUTH0_GROUPS = frozenset(
    "scopes permissions members provider templates prompts brute-force-protection bfp suspicious-ip-throttling sit "
    "breached-password-detection bpd".split()
)


def _auth0(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`auth0 OBJECT [OBJECT] VERB …`."""
    parsed = parse(tool, call.words[1:])
    facts = facts_of(tool, call, replace(parsed, operands=()), analyst)
    words = [w.value or "" for w in parsed.operands]
    # `auth0 api get clients` shows what the API answers, secrets included.
    group = bool(words[1:2]) and words[1] in _AUTH0_GROUPS
    verb = [] if words[:1] == ["api"] else words[2:3] if group else words[1:2]
    return Outcome(replace(action_of(tool), key=("auth0", *words[:2]), allowed=bool(verb) and verb[0] in _READS), facts)


def _rtk(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A proxy that shortens the output of a command. What it would run is a fact of its own, so that blocks
    are seen."""
    words = call.words[2:] if call.words[1:2] and call.words[1].value == "proxy" else call.words[1:]
    return Outcome(action_of(tool), inner(words, call, analyst, "rtk"))


def _playbook(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Some options only read the playbook; reading it loads the project's inventory and plugins, and evaluates what
    stands in `hosts` and `vars`: `lookup('pipe', …)` runs a program."""
    parsed = parse(tool, call.words[1:])
    outcome = Outcome(action_of(tool), facts_of(tool, call, parsed, analyst))
    if parsed.has("--syntax-check", "--list-tasks", "--list-tags", "--list-hosts"):
        looks = Action(
            ("ansible-playbook", "--list-tasks"),
            Kind.BUILD,
            "ansible-playbook --list-tasks",
            allowed=True,
            profile="python-dev",
            description="reads a playbook and the project's inventory",
        )
        return Outcome(looks, (*outcome.facts, *place_facts(tool, call, analyst)))
    return outcome


_GALAXY = """
    flag    -v,-vvv,--verbose --offline --ignore-errors
    value   --author --platforms --galaxy-tags --timeout --format
    asks    -s,--server --api-key --token -p,--roles-path --collections-path -r,--requirements-file: looks elsewhere
    asks    --keyring --signature -c,--ignore-certs: looks elsewhere
"""
_ROWS = (
    verbs(
        "brew",
        "looks at packages",
        "info list ls search deps desc leaves uses outdated missing config doctor options tap-info casks "
        "commands help shellenv log cat fetch which-formula",
        "install uninstall remove rm reinstall upgrade update tap untap link ln unlink pin unpin cleanup autoremove "
        "migrate postinstall edit create services bundle test audit bump docs home",
        options="flag -v -q -d",
        looks="""
            flag    -v,--verbose -q,--quiet -d,--debug -1 -s -t -l -r -D -f --topological --direct --union --full-name
            flag    --include-implicit --include-build --include-optional --include-test --include-requirements
            flag    --skip-recommended --tree --graph --dot --annotate --installed --missing --eval-all --for-each
            flag    --HEAD --formula --formulae --cask --casks --search --name --description --list-checks
            flag    --audit-debug --force --retry --deps --build-from-source --build-bottle --force-bottle --analytics
            flag    --variations --sizes --pinned --versions --multiple --installed-on-request
            flag    --installed-as-dependency --poured-from-bottle --built-from-source --greedy --greedy-latest
            flag    --greedy-auto-updates --recursive --desc --all --compact --command --include-aliases --fetch-HEAD
            flag    --patch --stat --oneline -p -u
            value   --os --arch --bottle-tag --hide --days --category --max-count
            flag    -n
            maybe   --json
            asks    --github: opens a browser
            asks    --pull-request --open --closed --archlinux --debian --fedora: sends the words to other machines
            asks    --fink --macports --opensuse --repology --ubuntu: sends the words to other machines
        """,
        manual="docs/Manpage.md of Homebrew/brew, 2026-11",
        examples=("brew info python", "brew --prefix"),
        counter_examples=("brew install x", "brew info ./evil.rb", "brew analytics off", "brew bundle exec x"),
        special=_brew,
    ),
    # Other programs of Ansible load plugins, inventories and settings of the project, and some of these are programs.
    Tool(
        "ansible-doc",
        Kind.READ,
        "shows documentation of modules",
        options="""
            flag    -l,--list -s,--snippet -F --list_files -j,--json -v -h
            asks    -M,--module-path --playbook-dir: loads modules of a directory
            asks    -t,--type --metadata-dump: loads the plugins that ansible.cfg names
        """,
        operands=(INERT, ...),
        manual="ansible-core 2.19.14",
    ),
    verbs(
        "ansible-config",
        "shows settings",
        "dump validate",
        "init",
        options="flag -h -v",
        looks="""
            flag    -v,--verbose --only-changed --changed-only
            value   -f,--format
            asks    -t,--type: loads the plugins that ansible.cfg names
        """,
        manual="ansible-core 2.19.14",
    ),
    Tool(
        "ansible-galaxy",
        Kind.READ,
        "looks at roles and collections",
        allowed=False,
        options="flag -h -v",
        manual="ansible-core 2.19.14",
        subcommands={
            "role": verbs(
                "ansible-galaxy role",
                "looks at roles",
                "list search",
                "init remove delete import setup install",
                looks=_GALAXY,
            ),
            "collection": verbs(
                "ansible-galaxy collection",
                "looks at collections",
                "verify",
                "init build publish install download",
                looks=_GALAXY,
            ),
        },
    ),
    *(
        asking(name, "changes or looks at other machines", danger="changes other machines")
        for name in ("ansible", "ansible-pull", "ansible-console")
    ),
    Tool(
        "ansible-playbook",
        Kind.OTHER,
        "changes or looks at other machines",
        allowed=False,
        danger="changes other machines",
        options="""
            flag    -h --syntax-check --list-tasks --list-tags --list-hosts -C,--check -D,--diff -v -vv -vvv -b,--become
            flag    --step --flush-cache --force-handlers
            value   -t,--tags --skip-tags -l,--limit --start-at-task -f,--forks -u,--user -T,--timeout
            asks    -i,--inventory --inventory-file -e,--extra-vars -M,--module-path: loads other settings
            asks    --vault-id --vault-password-file --vault-pass-file: runs it where it is a program
            asks    --become-password-file --connection-password-file: runs it where it is a program
        """,
        operands=(READS, ...),
        counter_examples=(
            "ansible-playbook site.yml",
            "ansible-playbook site.yml --check",
            "ansible-playbook -i /x --list-tasks a.yml",
            "ansible-playbook --list-tasks --vault-password-file ./x a.yml",
            "ansible-playbook -- --list-tasks a.yml",
            "ansible-playbook --syntax-check ../x.yml",
        ),
        special=_playbook,
    ),
    Tool(
        "ansible-inventory",
        Kind.BUILD,
        "shows the project's inventory",
        profile="infra-read",
        options="""
            flag    -h --list --graph --export --yaml -y --toml --vars -v -vv -vvv
            value   --host -l,--limit
            asks    -i,--inventory -e,--extra-vars --playbook-dir --vault-id: loads other settings
            asks    --vault-password-file -J --ask-vault-pass: loads other settings
            asks    --output: writes a file
        """,
        operands=(INERT, ...),
        manual="ansible-core 2.19.14",
        examples=("ansible-inventory -h",),
        counter_examples=("ansible-inventory -i ./x --list",),
    ),
    Tool(
        "ansible-lint",
        Kind.BUILD,
        "lints playbooks, with the project's own rules",
        profile="python-dev",
        options="""
            flag    -h -p,--parseable -q -v --offline --nocolor --force-color --strict -L,--list-rules
            flag    -T --list-tags --no-progress-bar
            value   -f,--format -t,--tags -x --skip-list -w,--warn-list --exclude --exclude-rules
            value   --profile --enable-list
            asks    -r,--rules-dir -R -c,--config-file --project-dir: loads other rules
            asks    --fix --write: changes files
        """,
        operands=(READS, ...),
        manual="ansible-lint 26.10.1",
        examples=("ansible-lint -h",),
        counter_examples=("ansible-lint -r /x a.yml", "ansible-lint --fix"),
    ),
    Tool(
        "ansible-test",
        Kind.BUILD,
        "tests the project's collection",
        allowed=False,
        options="flag -h",
        manual="ansible-core 2.19.14",
        subcommands={
            verb: Tool(
                f"ansible-test {verb}",
                Kind.BUILD,
                "tests the project's collection",
                profile="python-dev",
                options="""
                    flag    -v -vv -vvv --verbose --color --failure-ok
                    value   --test --skip-test --python
                """,
                operands=(INERT, ...),
            )
            for verb in ("env", "sanity", "units")
        },
    ),
    asking("molecule", "loads plugins and inventories of the project", Kind.BUILD),
    asking("ansible-vault", "shows or changes secrets"),
    Tool(
        "auth0",
        Kind.NETWORK,
        "looks at a tenant",
        options="""
            flag    --no-color --no-input --json --json-compact --csv
            value   --tenant -t -n,--number -f,--filter -q,--query -s,--sort
        """,
        operands=(INERT, ...),
        manual="docs of auth0/auth0-cli",
        special=_auth0,
    ),
    Tool("rtk", Kind.OTHER, "shortens a command's output", allowed=False, reading=ANY_OPTIONS, special=_rtk),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
