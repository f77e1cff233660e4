"""docker, podman and compose: looking is allowed, everything that runs, builds, stops or removes asks with its
consequences.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from askfirst.knowledge.programs import base_name
from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import facts_of, read_action, read_fact, unknown
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.remote.network import on_another_machine
from askfirst.shell.tools.table import INERT, Reading, Tool, asking

__all__ = ["TOOLS"]

# Words that name a read-only action of docker and podman; `group word` for management commands.
_LOOKS = frozenset(
    (
        "ps",
        "images",
        "logs",
        "top",
        "stats",
        "history",
        "events",
        "diff",
        "search",
        "info",
        "version",
        "inspect",
        "port",
        *(
            f"{group} {verb}"
            for group, verbs in {
                "container": "ls list ps inspect logs top stats diff port",
                "image": "ls list inspect history tree",
                "network": "ls list inspect",
                "volume": "ls list inspect",
                "system": "df info events",
                "context": "ls list inspect show",
                "service": "ls list inspect logs ps",
                "secret": "ls list inspect",
                "config": "ls list inspect",
                "stack": "ls ps services config",
                "node": "ls list inspect ps",
                "plugin": "ls list inspect",
                "buildx": "ls inspect du version",
                "buildx imagetools": "inspect",
                "builder": "du",
                "manifest": "inspect",
                "trust": "inspect",
                "pod": "ls list ps inspect logs top stats",
                "machine": "ls list inspect info",
                "scout": "version",
                "compose": "ps logs config images top port events ls version volumes stats convert",
                "checkpoint": "ls",
                "healthcheck": "",
            }.items()
            for verb in verbs.split()
        ),
    )
)
_GROUPS = frozenset(
    "container image network volume system context service secret config stack node plugin buildx builder manifest "
    "trust pod machine compose swarm checkpoint scout".split()
)
_DESTROYS = frozenset("rm rmi prune kill down remove leave purge".split())
_RUNS = frozenset("run exec attach cp create start".split())
_FLAGS = """
    flag    -a,--all -q,--quiet -s,--size --no-trunc -f,--follow -t,--timestamps --no-stream
    flag    -l,--latest --digests -h,--help -v,--verbose --services --volumes --images
    flag    --hash-all --no-interpolate --no-normalize --resolve-image-digests --profiles
    flag    --pretty --no-resolve --no-color --no-log-prefix --raw --orphans --dry-run
    flag    --environment --no-path-resolution --no-consistency -d,--dangling --variables --tree
    flag    --human --short --no-task-ids --lock-image-digests
"""
_VALUES = """
    value   -n --tail --since --until --filter --format --limit --type --index --protocol --last
    value   --sort --hash --status --stars
"""
_ASKS = """
    asks    -o,--output: writes a file
    asks    --details: shows the variables that a container hands to its log
"""
_ROW = Tool("docker", Kind.READ, "looks at containers", options=_FLAGS + _VALUES + _ASKS, operands=(INERT, ...))
_GLOBAL = Tool(
    "docker",
    Kind.READ,
    "",
    options="""
        flag    -D,--debug --tls --tlsverify -v,--version
        value   -l,--log-level -c,--context --log-driver
        asks    -H,--host --url --connection --remote: talks to another machine
        asks    --config: uses other settings, which can name programs
        asks    --tlscacert --tlscert --tlskey: uses other keys
        asks    --root --runroot --storage-opt --hooks-dir --runtime --conmon: uses other programs
        asks    --cgroup-manager --module: uses other programs
    """,
)
_COMPOSE = Tool(
    "docker compose",
    Kind.READ,
    "",
    options="""
        flag    --all-resources --compatibility --dry-run --verbose -v,--version
        value   -p,--project-name --profile --ansi --progress --parallel -f,--file
        reads   --env-file
        asks    --project-directory --workdir: works elsewhere
    """,
)
# What destroys or publishes: CONFIRM is typed for it. Starting and stopping is asked for, and no more.
_DANGER = {
    "prune": "removes what is not in use now, volumes with data included if asked",
    "push": "publishes an image",
    "system prune": "removes containers, networks, images and perhaps volumes",
    "volume rm": "removes volumes with their data",
    "stack rm": "removes services",
    "stack deploy": "changes services of a cluster",
    "service rm": "removes services",
    "swarm leave": "takes this machine out of the cluster",
    "volume prune": "removes volumes with their data",
}


def docker(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Global options, a group, a verb."""
    compose = tool.name in ("docker-compose", "podman-compose")
    parsed = parse(_COMPOSE if compose else _GLOBAL, call.words[1:], stop_at_operand=True)
    facts: list[Fact] = list(facts_of(_COMPOSE if compose else _GLOBAL, call, parsed, analyst))
    if parsed.stopped_at < 0:
        return Outcome(read_action((tool.name, "--version"), "shows the version or the help"), tuple(facts))
    rest = call.words[1 + parsed.stopped_at :]
    if compose:
        facts += _compose_files(parsed, call, analyst)
        name, rest = _compose_name(rest)
    elif rest[0].value == "compose":
        inner = parse(_COMPOSE, rest[1:], stop_at_operand=True)
        facts += (*facts_of(_COMPOSE, call, inner, analyst), *_compose_files(inner, call, analyst))
        name, rest = _compose_name(rest[1 + inner.stopped_at :] if inner.stopped_at >= 0 else ())
    else:
        name, rest = _name(rest)
    key = (tool.name, *name.split()[1 if compose else 0 :])
    if [w.value for w in rest] == ["--help"] or (name in ("compose", "help") and not rest):
        return Outcome(read_action(key, "shows help"), tuple(facts))
    if name in _LOOKS:
        facts += [*facts_of(_ROW, call, parse(_ROW, rest), analyst), *_shown_secrets(name, rest, call)]
        facts += _whole(name, rest, call)
        return Outcome(read_action(key, "looks at containers", rule=" ".join(key)), tuple(facts))
    return _asked(tool, name, key, rest, call, analyst, facts)


def _compose_files(parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    """Its files; what is none of this machine is fetched with git or from a registry."""
    facts: list[Fact] = []
    for word in parsed.values("-f"):
        text = word.value or ""
        if text == "-":
            facts.append(unknown("network", "what comes through a pipe may include files from elsewhere", call, text))
        elsewhere = text.startswith(("github.com/", "git@")) or any(mark in text for mark in ("://", "#", ".git"))
        if word.value is not None and elsewhere:
            facts.append(unknown("network", f"`{text}` is fetched from elsewhere", call, word.text))
        facts += read_fact(word, call, analyst, "docker compose -f")
    return facts


def _shown_secrets(name: str, words: tuple[Word, ...], call: Call) -> list[Fact]:
    return [
        unknown("secret", "may show variables with secrets", call, w.text)
        for w in words
        if any(part in (w.value or w.text) for part in ("Env", "--environment", "--variables"))
        or (name.endswith("inspect") and not all(map(_is_field, (w.value or w.text).split("{{")[1:])))
    ]


def _whole(name: str, words: tuple[Word, ...], call: Call) -> list[Fact]:
    """`docker inspect -f json`, `--format=''`: everything, where no template names single fields."""
    formats = [after for before, after in pairwise(words) if before.value in ("-f", "--format")]
    formats += [w for w in words if w.shown.startswith("--format=") or (w.shown[:2] == "-f" and len(w.shown) > 2)]
    odd = [w for w in formats if "{{" not in w.shown and name.endswith("inspect")]
    return [unknown("secret", "may show variables with secrets", call, w.text) for w in odd]


# Parts of what is inspected in which the variables stand.
_HOLD_VARIABLES = frozenset(
    "Config ContainerConfig Spec TaskTemplate ContainerSpec PreviousSpec Settings CreateCommand Data Options".split()
)


def _is_field(part: str) -> bool:
    """Whether a part of a format names single fields. `{{json .}}` and `{{.Config}}` show the variables as well; a
    variable, a pipe or a bracket may be any of them."""
    text, _, _ = part.partition("}}")
    fields = [w for w in text.split() if w.startswith(".")]
    plain = all(w.lstrip(".").replace(".", "").replace("_", "").isalnum() for w in fields)
    return (
        plain
        and not any(c in text for c in "$|()`\\")
        and not any(w.rpartition(".")[2] in _HOLD_VARIABLES for w in fields)
    )


def _compose_name(rest: tuple[Word, ...]) -> tuple[str, tuple[Word, ...]]:
    return (f"compose {rest[0].value or '?'}" if rest else "compose"), rest[1:]


def _name(rest: tuple[Word, ...]) -> tuple[str, tuple[Word, ...]]:
    """`image ls`, `buildx imagetools inspect` or `ps`, and what stands behind it."""
    depth = 1
    if rest[0].value in _GROUPS and len(rest) > 1:
        depth = 3 if [w.value for w in rest[:2]] == ["buildx", "imagetools"] and len(rest) > 2 else 2
    first, *others = rest[:depth]
    return " ".join((first.value or "", *(w.value or "?" for w in others))), rest[depth:]


def _asked(
    tool: Tool, name: str, key: tuple[str, ...], rest: tuple[Word, ...], call: Call, analyst: Analyst, facts: list[Fact]
) -> Outcome:
    verb = name.rpartition(" ")[2]
    kind = _kind(verb)
    danger = _DANGER.get(name) or _DANGER.get(verb, "")
    if verb in ("down", "rm") and any(_takes_volumes(w.value) for w in rest):
        danger = "removes volumes with their data"
    if verb in ("run", "create") and any(
        (w.value or "").startswith(
            (
                "--privileged",
                "-v",
                "--volume",
                "--mount",
                "--pid",
                "--device",
                "--cap-add",
                "--security-opt",
                "--network=host",
                "--net=host",
                "--userns",
            )
        )
        for w in rest
    ):
        danger = "starts a container with files, devices or rights of this machine: it can change anything on it"
    inside = _exec(rest, call, analyst) if verb == "exec" else None
    if inside is not None:
        where, more = inside
        action = Action(key, kind, rule=" ".join(key[:2]), description=_INSIDE, target=where, free=True)
        return Outcome(action, (*facts, *more))
    facts += (
        [unknown("hidden command", f"`{' '.join(key)}` runs a command that is not analysed", call)]
        if kind == Kind.WRAPPER
        else []
    )
    return Outcome(
        Action(
            key,
            kind,
            rule=" ".join(key[:2]),
            danger=danger,
            description="changes or runs containers",
            target=" ".join(w.shown for w in rest),
        ),
        tuple(facts),
    )


def _kind(verb: str) -> Kind:
    if verb in _DESTROYS:
        return Kind.DESTRUCTIVE
    return Kind.WRAPPER if verb in _RUNS else Kind.BUILD if verb == "build" else Kind.OTHER


_INSIDE = "runs a program in a container"
_EXEC = Tool(
    "docker exec",
    options="""
        flag    -i,--interactive -t,--tty -T,--no-TTY
        value   -u,--user -w,--workdir --index
    """,
    reading=Reading(stops_at_operand=True),
)


def _exec(rest: tuple[Word, ...], call: Call, analyst: Analyst) -> tuple[str, tuple[Fact, ...]] | None:
    """The container with what changes how the program runs there, and the facts of that program, which is judged like
    any other; None where either is not known."""
    parsed = parse(_EXEC, rest)
    container, *program = parsed.operands or (None,)
    if parsed.doubts or container is None or not container.value or not program or call.stdin.kind == "pipe":
        return None
    given = [f"{g.option.name} {g.value.value}" for g in parsed.given if g.value is not None and g.value.value]
    if any(g.value is not None and g.value.value is None for g in parsed.given):
        return None
    name = base_name(call.name)
    there = replace(call, cwd=f"/{name}:{container.value}")
    inside = analyst.argv(tuple(program), there, f"{name} exec {container.value}")
    return " ".join([*given, container.value]), tuple(on_another_machine(inside, there.cwd, analyst))


def _takes_volumes(word: str | None) -> bool:
    """`-v`, `-fv`, `--volumes`: with them the data goes, too. A word that is not known may be one."""
    return word is None or word.startswith("--vol") or (word.startswith("-") and word[1:2] != "-" and "v" in word)


_EXAMPLES = (
    "docker ps -a",
    "docker logs --tail 100 web",
    "docker inspect -f {{.State.Status}} web",
    "docker compose ps",
    "docker volume ls",
    "docker info",
    "docker images --format '{{.Repository}}'",
    "docker compose -f docker-compose.yml logs -f",
    "docker --version",
)
_COUNTER = (
    "docker run alpine",
    "docker -H tcp://evil.example:2375 ps",
    "docker exec web sh",
    "docker compose down -v",
    "docker system prune -af",
    "docker volume rm x",
    "docker cp a:/x ~/.bashrc",
    "docker --config /tmp/x ps",
    "docker build .",
    "docker context use x",
    "docker --url=ssh://evil ps",
    "docker compose config -o /etc/x",
    "docker compose -f github.com/evil/x ps",
    "docker inspect -f json web",
    "docker container top web axeww",
    "docker image history --no-trunc web",
    "docker",
)
_MANUALS: dict[str, str] = {
    "docker": "Docker 28.2.2",
    "docker-compose": "docker-compose 1.29.2",
    "podman": "podman 4.3.1",
    "podman-compose": "podman-compose with podman 4.3.1",
}
TOOLS: dict[str, Tool] = {
    name: Tool(
        name,
        Kind.READ,
        "containers",
        special=docker,
        key_words=3,
        manual=_MANUALS[name],
        examples=tuple(e.replace("docker ", f"{name} ", 1) for e in _EXAMPLES)
        if name in ("docker", "podman")
        else (f"{name} ps", f"{name} logs -f"),
        counter_examples=tuple(c.replace("docker ", f"{name} ", 1) for c in _COUNTER[:-1])
        if name in ("docker", "podman")
        else (f"{name} up -d", f"{name} down"),
    )
    for name in _MANUALS
}
TOOLS |= {
    name: asking(name, description, key_words=2)
    for name, description in {
        "colima": "starts or stops a virtual machine",
        "minikube": "starts or stops a cluster",
        "kind": "starts or stops a cluster",
        "buildah": "builds images",
        "skopeo": "copies images",
        "dive": "shows layers of an image",
    }.items()
}
