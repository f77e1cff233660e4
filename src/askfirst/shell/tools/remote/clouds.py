"""aws, gcloud and az: their commands end in a verb, and verbs that only look are few. Secrets, other endpoints and
every other verb ask.

Each has thousands of commands, so these models know verbs instead of rows. A verb counts only in its place: a resource
that is named `list` proves nothing.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from askfirst.knowledge.programs import DANGEROUS, PUBLISHES, STAYS_HERE, looking_words
from askfirst.model import Action, Fact, Kind, Read, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.data.sql import only_reads
from askfirst.shell.tools.engine import read_action, unknown, write_fact
from askfirst.shell.tools.table import ANY_OPTIONS, Tool

__all__ = ["TOOLS"]

_PROFILE = "infra-read"


def _dangerous(verb: str) -> str:
    """What such a verb does, in words that a person can weigh."""
    head = verb.partition("-")[0]
    if head in (
        "delete",
        "terminate",
        "remove",
        "destroy",
        "purge",
        "deregister",
        "rm",
        "rb",
        "batch",
        "drop",
        "revoke",
        "disassociate",
        "detach",
    ):
        return "deletes or detaches cloud resources; data may be gone for good"
    if head in ("create", "run", "start", "deploy", "launch", "allocate", "mb", "up", "new", "restore"):
        return "creates or starts cloud resources, which cost money and may be reachable from outside"
    if head in ("stop", "reboot", "restart", "suspend", "disable", "deallocate", "cancel", "abort"):
        return "stops cloud resources that others may use"
    if head in (
        "put",
        "update",
        "modify",
        "set",
        "attach",
        "add",
        "change",
        "enable",
        "tag",
        "associate",
        "authorize",
        "patch",
        "replace",
        "resize",
        "scale",
        "upgrade",
        "assign",
        "grant",
    ):
        return "changes cloud resources or who may use them"
    if head in ("cp", "sync", "mv", "upload", "download", "import", "export", "copy", "push"):
        return "copies data into or out of the cloud"
    if head in ("assume", "login", "auth", "configure", "get", "print", "show", "list"):
        return "shows or changes credentials"
    return "acts on cloud resources: it can reach production, change or delete resources, and cost money"


def _options(call: Call, words: tuple[Word, ...], asks: tuple[str, ...]) -> list[Fact]:
    """Options that change where a request goes or who makes it, in any abbreviation; files that would be sent."""
    facts: list[Fact] = []
    for word in words:
        text = word.value
        if text is None:
            if not word.quoted or word.text.startswith(("$", '"$', "'$")):
                facts.append(unknown("expansion", f"`{word.text}` may become an option", call, word.text))
            continue
        name = text.partition("=")[0]
        if text.startswith("--") and len(name) > 3 and any(a.startswith(name) or name == a for a in asks):
            facts.append(unknown("option", f"`{name}` changes where the request goes or who makes it", call, text))
        facts += _sent(text, call)
    return facts


def _sent(text: str, call: Call) -> list[Fact]:
    """What the clients take for a file or an address whose content becomes the value."""
    name, _, given = text.partition("=")
    value = given if text.startswith("--") else text
    if value.startswith(("file://", "fileb://")):
        return [Read(value.partition("://")[2] or None, text, "parameter file")]
    if value.startswith("http") and "://" in value and ("param" in name or text.startswith("http")):
        usual = "sqs." in value or "queue" in value or value.startswith("https://dev.azure.com/")
        return [] if usual else [unknown("option", f"`{value}` is fetched and sent", call, text)]
    if value.startswith("@"):
        return [unknown("option", f"`{value}` sends a file", call, text)]
    return []


def _after_options(words: tuple[Word, ...], dash: str, values: frozenset[str]) -> int:
    """Where the first word stands that is no option and no option's value."""
    at = 1
    while at < len(words) and (words[at].value or "").startswith(dash):
        at += 2 if words[at].value in values else 1
    return at


def _changes(tool: Tool, key: tuple[str, ...], danger: str, rest: tuple[Word, ...]) -> Action:
    return Action(
        key,
        Kind.DESTRUCTIVE if "deletes" in danger else Kind.NETWORK,
        rule=tool.name,
        danger=danger,
        description=danger,
        target=" ".join(w.value or w.text for w in rest),
    )


def _shows_help(words: tuple[Word, ...], marks: tuple[str, ...] = ("--help", "-h")) -> bool:
    """`az vm delete -n help` is about a machine of that name."""
    return bool(words) and words[-1].value in marks and all(w.value is not None for w in words)


# -- aws ---------------------------------------------------------------------------------------------------------------

_AWS_VALUES = frozenset(
    "--region --output --query --profile --color --cli-read-timeout --cli-connect-timeout --cli-binary-format "
    "--page-size --max-items --starting-token --ca-bundle --endpoint-url --cli-input-json --cli-input-yaml".split()
)
_AWS_ASKS = (
    "--endpoint-url",
    "--ca-bundle",
    "--no-verify-ssl",
    "--cli-input-json",
    "--cli-input-yaml",
    "--debug",
    "--generate-cli-skeleton",
)
# The services of which all that looks was held against those models: what each answer holds of passwords, keys, tokens
# and variables. Of another one nobody knows.
_AWS_SERVICES = frozenset(
    "acm apigateway apigatewayv2 application-autoscaling athena autoscaling backup ce cloudformation cloudtrail "
    "cloudwatch codedeploy cognito-idp configservice configure dynamodb ec2 ecr ecs efs eks elasticache elb elbv2 "
    "events iam kinesis kms lambda logs opensearch organizations rds redshift resourcegroupstaggingapi route53 s3 "
    "s3api secretsmanager service-quotas ses sesv2 sns sqs ssm stepfunctions sts wafv2 xray".split()
)
_AWS_READS = (
    "describe-",
    "list-",
    "get-",
    "head-",
    "batch-get-",
    "search-",
    "lookup-",
    "view-",
    "validate-",
    "simulate-",
    "estimate-",
    "admin-list-",
    "admin-get-",
    "check-",
    "filter-",
    "test-dns-",
    "detect-",
    "batch-describe-",
    "preview-",
    "count-",
    "discover-",
    "generate-credential-report",
    "generate-service-last-accessed-details",
    "select-aggregate",
)
# Commands that take the file to write as a word of its own: whose answer is a stream, by the models of botocore 1.43.
_AWS_STREAMS = frozenset(
    "apigateway:get-export apigateway:get-sdk s3api:get-object s3api:get-object-annotation s3api:get-object-torrent "
    "s3api:select-object-content".split()
)
# What changes something although its verb sounds as if it looked, by the same models.
_AWS_CHANGES = frozenset("apigatewayv2:preview-portal".split())
_AWS_EXACT = frozenset(
    (
        "s3 ls",
        "dynamodb query",
        "dynamodb scan",
        "logs tail",
        "configure list",
        "configure list-profiles",
        "ec2 wait",
        "cloudformation wait",
    )
)
_AWS_SECRET = (
    "secret-value",
    "session-token",
    "federation-token",
    "authorization-token",
    "login-password",
    "credentials",
    "password-data",
    "id-token",
    "access-token",
    "role-credentials",
    "get-token",
    "parameter",
    "data-key",
    "open-id-token",
    "cluster-credentials",
    "key-pair",
    "export-",
    "certificate-private",
    "decrypt",
    "get-random",
    "private-key",
    "api-keys",
    "get-api-key",
    "session-url",
    "presigned",
    "shared-secret",
    "user-import-jobs",
    "access-details",
    "get-connection",
    "password",
    "-login",
    "access-keys",
    "-token",
    "embed-url",
)
# What shows passwords, keys or tokens without saying so in its name, by the same models.
_AWS_SECRET_EXACT = frozenset(
    "cognito-idp:describe-user-pool-client cognito-idp:list-user-pool-client-secrets "
    "ec2:describe-verified-access-trust-providers stepfunctions:get-activity-task "
    "autoscaling:describe-launch-configurations ec2:describe-vpn-connections ec2:get-launch-template-data "
    "apigateway:get-stage apigateway:get-stages apigatewayv2:get-stage apigatewayv2:get-stages "
    "cognito-idp:describe-identity-provider ec2:describe-bundle-tasks ec2:describe-conversion-tasks "
    "ec2:describe-import-image-tasks ec2:describe-import-snapshot-tasks ec2:describe-spot-fleet-requests "
    "ec2:describe-spot-instance-requests ec2:get-instance-uefi-data "
    "ec2:get-vpn-connection-device-sample-configuration ecs:describe-daemon-task-definition "
    "ecs:describe-express-gateway-service eks:describe-eks-anywhere-subscription eks:list-eks-anywhere-subscriptions "
    "rds:describe-option-groups wafv2:list-api-keys".split()
)


def aws(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words
    if len(words) == 2 and words[1].value in ("help", "--version", "--help"):
        return Outcome(read_action((tool.name, "help"), "shows help"))
    at = _after_options(words, "--", _AWS_VALUES)
    service = words[at].value if at < len(words) else None
    verb = words[at + 1].value if at + 1 < len(words) else None
    facts = _options(call, words[1:], _AWS_ASKS)
    key = (tool.name, service or "?", verb or "?")
    if _shows_help(words[1:], ("help", "--help", "-h")) and at + 3 >= len(words):
        return Outcome(read_action(key, "shows help"), tuple(facts))
    if service is None or verb is None:
        return Outcome(
            Action(key, Kind.NETWORK, rule=tool.name, danger=_dangerous(verb or "")),
            (*facts, unknown("expansion", "what would be done is not known", call)),
        )
    rest = words[at + 2 :]
    secret = _aws_shows_secrets(service, verb, rest)
    if _aws_reads(service, verb, rest) and not secret:
        facts += _outfile(service, verb, rest, call, analyst)
        return Outcome(read_action(key, "looks at cloud resources", rule="aws", profile=_PROFILE), tuple(facts))
    danger = "shows or makes credentials and secrets" if secret else _dangerous(verb)
    return Outcome(_changes(tool, key, danger, rest), tuple(facts))


def _aws_shows_secrets(service: str, verb: str, rest: tuple[Word, ...]) -> bool:
    if service == "configure" and verb == "get" and not _plain_setting(rest):
        return True
    if f"{service}:{verb}" in _AWS_SECRET_EXACT:
        return True
    return any(s in verb for s in _AWS_SECRET) and not _harmless_parameter(service, verb, rest)


def _aws_reads(service: str, verb: str, rest: tuple[Word, ...]) -> bool:
    if (service, verb) == ("athena", "start-query-execution"):
        return _reading_query(rest)
    if f"{service} {verb}" in (*_AWS_EXACT, "configure get"):
        return True
    if service not in _AWS_SERVICES or f"{service}:{verb}" in _AWS_CHANGES:
        return False
    return verb.startswith(_AWS_READS) and service != "configure"


def _harmless_parameter(service: str, verb: str, rest: tuple[Word, ...]) -> bool:
    """`ssm get-parameter` without decryption shows plain parameters only; `describe-key-pairs` shows names,
    `get-account-password-policy` rules."""
    plain = all(w.value is not None and not _is_short_for(w.value, "--with-decryption") for w in rest)
    if verb == "get-account-password-policy":
        return True
    return plain and ((service in ("ssm",) and "parameter" in verb) or verb.startswith(("describe-", "list-")))


def _is_short_for(word: str, option: str) -> bool:
    """`--wi`, `--with-d=x`: the clients take a beginning for the option."""
    name = word.partition("=")[0]
    return len(name) > 2 and option.startswith(name)


def _plain_setting(rest: tuple[Word, ...]) -> bool:
    return bool(rest) and all(
        (w.value or "secret").rpartition(".")[2]
        in ("region", "output", "aws_access_key_id", "role_arn", "sso_start_url", "sso_region", "cli_pager")
        for w in rest[:1]
    )


def _reading_query(rest: tuple[Word, ...]) -> bool:
    for index, word in enumerate(rest):
        text = word.value or ""
        if text == "--query-string" and index + 1 < len(rest):
            return only_reads((rest[index + 1].value or "").replace("EXPLAIN ANALYZE", "EXPLAIN"))
        if text.startswith("--query-string="):
            return only_reads(text.partition("=")[2])
    return False


def _outfile(service: str, verb: str, rest: tuple[Word, ...], call: Call, analyst: Analyst) -> list[Fact]:
    """A reading command whose answer is a stream takes the file to write as a word of its own: the last, or one behind
    no option.
    """
    if f"{service}:{verb}" not in _AWS_STREAMS:
        return []
    texts = [w.shown for w in rest]
    alone = (
        i
        for i, text in enumerate(texts)
        if not text.startswith("-")
        and (i == len(texts) - 1 or not i or not texts[i - 1].startswith("--") or "=" in texts[i - 1])
    )
    facts = [f for i in alone for f in write_fact(rest[i], call, analyst, f"aws {service} {verb}", "overwrite")]
    return [*facts, unknown("download", "what is downloaded into a file is not known", call)] if facts else []


# -- gcloud ------------------------------------------------------------------------------------------------------------

# Groups of which nothing that looks shows variables or keys, but for what tools/showing.py names.
_GCLOUD_GROUPS = frozenset(
    (
        "alpha beta compute instances disks snapshots images regions zones networks subnets firewall-rules addresses "
        "routes backend-services url-maps target-pools forwarding-rules instance-groups managed machine-types "
        "ssl-certificates health-checks routers container clusters node-pools operations iam roles service-accounts "
        "keys app versions services logs secrets functions logging metrics sinks buckets dns record-sets "
        "managed-zones storage objects artifacts repositories docker packages tags run jobs revisions "
        "certificate-manager certificates trust-configs maps network-security gateway-security-policies "
        "server-tls-policies iap settings web tcp tunnels sql databases backups users kms keyrings pubsub topics "
        "subscriptions schemas projects organizations folders config configurations builds billing accounts auth "
        "components info version help"
    ).split()
)
_GCLOUD_READS = frozenset(
    "list describe get get-value get-iam-policy read search lookup list-grantable-roles list-tags get-ancestors "
    "get-ancestors-iam-policy get-server-config get-serial-port-output get-health get-status get-nat-mapping-info "
    "tail info version help".split()
)
_GCLOUD_ASKS = (
    "--impersonate-service-account",
    "--access-token-file",
    "--flags-file",
    "--log-http",
    "--credential-file-override",
    "--api-endpoint-overrides",
    "--authority-selector",
    "--billing-project",
)
_GCLOUD_VALUES = frozenset(
    "--project --format --filter --limit --region "
    "--zone --location --sort-by --account --verbosity --configuration".split()
)


def gcloud(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    facts = tuple(_options(call, call.words[1:], _GCLOUD_ASKS))
    words = call.words
    if len(words) == 2 and words[1].value in ("--version", "--help", "-h", "-v"):
        return Outcome(read_action((tool.name, "help"), "shows help"))
    path, verb, at = _gcloud_verb(words)
    key = (tool.name, *path[:3], *([verb] if verb and verb not in path else []))
    if "auth" in path:
        danger = "shows or changes credentials"
        return Outcome(_changes(tool, key, danger, words[at + 1 :]), facts)
    if not _gcloud_shows_secrets(path, words):
        if verb in ("help", "version", "info") or _shows_help(words):
            return Outcome(read_action(key, "looks at cloud resources", rule="gcloud"), facts)
        if verb in _GCLOUD_READS:
            # `gcloud beta run services describe` shows what it shows without the release track (tools/showing.py).
            named = path[1:] if path[:1] in (["alpha"], ["beta"]) else path
            key = (tool.name, *named[:3], *([verb] if verb not in named else []))
            return Outcome(read_action(key, "looks at cloud resources", rule="gcloud", profile=_PROFILE), facts)
    action = _changes(tool, key, _dangerous(verb or ""), words[at + 1 :])
    return Outcome(replace(action, kind=Kind.NETWORK), facts)


def _gcloud_shows_secrets(path: list[str], words: tuple[Word, ...]) -> bool:
    given = [w.shown for w in words]
    if path[:1] == ["config"]:
        return any("password" in word or "token" in word for word in given)
    return path[:1] == ["secrets"] and "access" in given


def _gcloud_verb(words: tuple[Word, ...]) -> tuple[list[str], str | None, int]:
    """`gcloud GROUP… VERB`: the groups, the verb (among the groups when it only reads) and where it stands."""
    path: list[str] = []
    at = 1
    while at < len(words):
        text = words[at].value
        if text is not None and text.startswith("-"):
            at += 2 if text in _GCLOUD_VALUES else 1
            continue
        if text is None or (text not in _GCLOUD_GROUPS and text not in _GCLOUD_READS):
            return path, text, at
        path.append(text)
        if text in _GCLOUD_READS:
            return path, text, at
        at += 1
    return path, None, at


# -- az ----------------------------------------------------------------------------------------------------------------

_AZ_CHANGES = frozenset(
    (
        "create delete update start stop restart set add remove run invoke login logout configure upgrade import "
        "export generate regenerate rotate move purge recover reset restore backup copy upload download sync assign "
        "approve reject enable disable attach detach connect swap scale wait deploy up clear install uninstall "
        "register unregister lock unlock failover grant revoke renew resize redeploy deallocate generalize capture "
        "convert open rest feedback interactive send publish cancel submit new set-policy delete-policy append merge "
        "switch link unlink bind unbind ssh exec flush force-reboot reimage run-command serial-console "
        "get-credentials get-access-token generate-sas generate-keys"
    ).split()
)
_AZ_READS = (
    "list",
    "show",
    "exists",
    "query",
    "url",
    "tail",
    "find",
    "version",
    "check",
    "list-",
    "show-",
    "get-",
    "check-",
    "what-if",
    "validate",
)
_AZ_READ_PREFIXES = tuple(r for r in _AZ_READS if r.endswith("-"))
_AZ_SECRET = frozenset(
    "list-keys list-connection-strings show-connection-strings list-publishing-credentials list-publishing-profiles "
    "get-access-token list-secrets list-admin-keys list-query-keys appsettings connection-string credential "
    "credentials key keys secret secrets get-credentials list-configuration get-connection-info get-admin-kubeconfig "
    "get-sas-urls get-boot-log-uris show-cd-url show-url show-device-config-script".split()
)
# `show-connection-string`, `get-shared-keys`, `admin-key show`, `authorization-rule keys list`.
_AZ_SECRET_ENDS = (
    *("connection-string", "connection-strings", "keys", "-key", "secret", "-secrets", "credential", "credentials"),
    *("password", "passphrase", "token", "tokens", "-identity", "kv", "test-endpoint", "vpn-client"),
)
# Groups of which nothing that looks shows variables or keys, but for what stands above and below.
_AZ_GROUPS = frozenset(
    "account acr ad advisor aks appconfig appservice boards cloud cognitiveservices container containerapp cosmosdb "
    "deployment devops disk eventhubs extension find functionapp group image keyvault ml monitor mysql network "
    "pipelines policy postgres provider quantum redis repos resource role servicebus snapshot sql sshkey storage tag "
    "version vm vmss webapp".split()
)
# Shows what a container is given, a key for a line, or the properties of whatever is named.
_AZ_SHOWN = (
    *("containerapp revision", "containerapp job", "containerapp replica", "containerapp auth"),
    *("containerapp env dapr-component", "resource show", "ml job", "ml online-deployment", "ml batch-deployment"),
    *("ml connection", "ml datastore", "ml environment", "network express-route", "network vpn-gateway"),
    *("network vpn-connection", "webapp auth", "functionapp auth", "webapp config storage-account", "acr webhook"),
    *("acr connected-registry", "monitor app-insights"),
)
_AZ_ASKS = ("--debug-file", "--endpoint", "--sas-token", "--account-key", "--connection-string")
_AZ_SHOWS = (
    *("--with-secrets", "--show-values", "--include-secrets", "--show-secrets", "--include-credentials"),
    "--include-user-data",
)
_AZ_VALUES = frozenset("--subscription --query -o --output --organization --project -g --resource-group".split())


def az(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words
    facts = tuple(_options(call, words[1:], _AZ_ASKS))
    if len(words) == 2 and words[1].value in ("--version", "--help", "-h", "version", "help"):
        return Outcome(read_action((tool.name, "help"), "shows help"))
    path, at = _az_path(words)
    verb = _az_verb(path)
    lead = path[: path.index(verb)] if verb is not None else path
    key = (tool.name, *lead[:3], verb or "?")
    if _shows_help(words):
        return Outcome(read_action(key, "shows help"), facts)
    if path[:2] == ["devops", "configure"]:
        if [w.value for w in words[at:]] in (["--list"], ["-l"]):
            return Outcome(read_action(key, "shows or changes settings", profile=_PROFILE), facts)
        return Outcome(Action(key, Kind.EDIT, rule=tool.name, description="shows or changes settings"), facts)
    if verb is None or verb in _AZ_CHANGES:
        return Outcome(_changes(tool, key, _dangerous(verb or ""), words[at:]), facts)
    if _az_shows_secrets(lead, verb, words[at:]):
        return Outcome(_changes(tool, key, "shows keys or secrets", words[at:]), facts)
    if not _is_known(lead or [verb]):
        return Outcome(_changes(tool, key, _dangerous(verb), words[at:]), facts)
    return Outcome(read_action(key, "looks at cloud resources", profile=_PROFILE), facts)


def _is_known(lead: list[str]) -> bool:
    return lead[0] in _AZ_GROUPS and all(map(_is_group, lead))


def _is_group(text: str) -> bool:
    return text.replace("-", "").isalnum() and text.islower()


def _az_verb(path: list[str]) -> str | None:
    """What is done. `az policy definition version delete`: `version` is a group there."""
    return next((word for word in path if word in _AZ_CHANGES), None) or next(filter(_is_az_verb, path), None)


def _is_az_verb(text: str) -> bool:
    return text in _AZ_CHANGES or text in _AZ_READS or text.startswith(_AZ_READ_PREFIXES)


def _az_path(words: tuple[Word, ...]) -> tuple[list[str], int]:
    """The groups and the verb, up to the first option behind them."""
    path: list[str] = []
    at = _after_options(words, "-", _AZ_VALUES)
    while at < len(words) and (text := words[at].value) is not None and not (text or "-").startswith("-"):
        path.append(text)
        at += 1
    return path, at


def _az_asks_for_secrets(lead: list[str], rest: tuple[Word, ...]) -> bool:
    given = [w.shown for w in rest]
    what_a_machine_is_given = lead[:1] in (["vm"], ["vmss"]) and any(text.startswith("-u") for text in given)
    return what_a_machine_is_given or any(_is_short_for(text, option) for text in given for option in _AZ_SHOWS)


def _az_shows_secrets(lead: list[str], verb: str | None, rest: tuple[Word, ...]) -> bool:
    if f"{' '.join((*lead, verb or ''))} ".startswith(tuple(f"{shown} " for shown in _AZ_SHOWN)):
        return True
    if _az_asks_for_secrets(lead, rest):
        return True
    if lead[:2] in (["keyvault", "key"], ["sql", "db"]) or (verb == "list" and lead[-1:] == ["secret"]):
        return False
    named = (*lead, verb or "")
    if lead[:1] == ["iot"] and "policy" in lead:
        return True  # its keys are part of a policy
    return any(p in _AZ_SECRET or p.endswith(_AZ_SECRET_ENDS) for p in named)


# Options that choose what is shown of what is there.
_SHOWN = frozenset("--json -j --all -a".split())


# What a platform's client does there, by the first of its words that says so: else it deploys.
_CONSEQUENCES = (
    (
        frozenset("rm remove delete del destroy drop purge prune wipe reset unset terminate".split()),
        "deletes what is deployed, or a part of its settings: it may be gone for good",
    ),
    (frozenset(("pull",)), "writes the settings of what is deployed into a file, secrets among them"),
    (
        frozenset("add set put create update edit import rename link env secret secrets config domains dns".split()),
        "changes the settings of what is deployed: everybody who uses it may notice",
    ),
)


def _consequence(lead: list[str], usual: str) -> str:
    said = {part for word in lead for part in word.split(":")}
    return next((text for words, text in _CONSEQUENCES if not said.isdisjoint(words)), usual)


def _deploys(name: str, looks: str, manual: str = "") -> Tool:
    """A platform's own client: what it deploys is seen by everybody. `looks`: what only shows, its words with `:`
    between them. What stays on this machine asks like any program."""
    usual = DANGEROUS.get(name, PUBLISHES)

    def special(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
        words = [w.value for w in call.words[1:]]
        if len(words) == 1 and words[0] in ("--version", "-v", "version", "--help", "-h", "help", "whoami"):
            return Outcome(
                Action(
                    (tool.name, words[0] or ""),
                    Kind.READ,
                    rule=tool.name,
                    allowed=True,
                    description="shows who is logged in" if words[0] == "whoami" else "shows its version, or help",
                )
            )
        lead = [w or "" for w in itertools.takewhile(lambda w: w is not None and not w.startswith("-"), words[:3])]
        named = [":".join(lead[:size]) for size in (1, 2, 3)]
        key = (tool.name, *(w for w in lead[:2] if w))
        plain = all(w is not None and (not w.startswith("-") or w in _SHOWN) for w in words)
        if plain and not set(named).isdisjoint(looks.split()):
            action = Action(key, Kind.READ, rule=tool.name, allowed=True, profile=f"{_PROFILE} node-dev")
            return Outcome(replace(action, description="looks at what is deployed"))
        if not set(named).isdisjoint(STAYS_HERE.get(name, "").split()):
            return Outcome(Action(key, Kind.OTHER, description="works on this machine"))
        target = " ".join(w.value or w.text for w in call.words[2:])
        looking = bool(looking_words(tool.name, [w or "" for w in words]))
        danger = "" if looking else _consequence(lead, usual)
        what = danger or "looks at what is deployed"
        return Outcome(Action(key, Kind.NETWORK, rule=" ".join(key), danger=danger, description=what, target=target))

    return Tool(name, Kind.NETWORK, usual, allowed=bool(looks), special=special, key_words=2, manual=manual)


TOOLS: dict[str, Tool] = {
    "aws": Tool(
        "aws",
        Kind.READ,
        "Amazon's cloud",
        manual="aws-cli 1.45.11 and the models of botocore 1.43",
        special=aws,
        key_words=3,
        examples=(
            "aws s3 ls",
            "aws sts get-caller-identity",
            "aws ec2 describe-instances --region eu-west-1",
            "aws --output json s3 ls",
            "aws ec2 help",
        ),
        counter_examples=(
            "aws --endpoint-url https://evil.example s3 ls",
            "aws ec2 terminate-instances --instance-ids i-1",
            "aws secretsmanager get-secret-value --secret-id x",
            "aws s3 cp a s3://b",
            "aws --endpoint https://e.example s3 ls",
            "aws ssm get-parameter --name x --with-decryption",
            "aws configure get aws_secret_access_key",
            "aws sts assume-role --role-arn x",
            "aws s3api get-object --bucket b --key k /etc/x",
            "aws iam list-users --cli-input-json file:///etc/passwd",
            "aws configure export-credentials",
            "aws codeguruprofiler get-profile --profiling-group-name x ../../.bashrc",
            "aws lightsail get-relational-database-master-user-password --relational-database-name x",
            "aws cognito-idp describe-user-pool-client --user-pool-id x --client-id y",
            "aws ecr get-login",
            "aws license-manager check-in-license --license-consumption-token x",
            "aws ssm get-parameter --name x --wi",
            "aws appsync list-api-keys --api-id x",
            "aws quicksight get-dashboard-embed-url --dashboard-id x",
            "aws ec2 describe-vpn-connections",
            "aws ivs get-stream-key --arn x",
            "aws cognito-idp describe-identity-provider --user-pool-id x --provider-name y",
            "aws wafv2 list-api-keys --scope REGIONAL",
        ),
    ),
    "gcloud": Tool(
        "gcloud",
        Kind.READ,
        "Google's cloud",
        manual="gcloud 528.0.0",
        special=gcloud,
        key_words=4,
        examples=(
            "gcloud compute instances list",
            "gcloud projects list",
            "gcloud config get-value project",
            "gcloud --project=x compute instances describe y",
        ),
        counter_examples=(
            "gcloud compute ssh x --command=y",
            "gcloud auth print-access-token",
            "gcloud compute instances delete list",
            "gcloud secrets versions access latest --secret=x",
            "gcloud config set project x",
            "gcloud compute instances frobnicate list",
            "gcloud container clusters get-credentials x",
            "gcloud config get proxy/password",
            "gcloud compute instances delete -q help",
            "gcloud run jobs executions describe x",
            "gcloud batch jobs describe x",
        ),
    ),
    "az": Tool(
        "az",
        Kind.READ,
        "Microsoft's cloud",
        special=az,
        key_words=4,
        manual="azure-cli 2.91.0",
        examples=(
            "az vm list --resource-group x",
            "az account show",
            "az --subscription delete vm list",
            "az storage blob list -c x --account-name y",
        ),
        counter_examples=(
            "az vm delete -g x -n y",
            "az keyvault secret show --name x",
            "az login",
            "az storage account keys list -n x",
            "az vm run-command invoke -g x",
            "az rest --url https://e.example",
            "az redis list-keys --name x",
            "az bot directline show --with-sec true",
            "az vm delete -g x -y -n help",
            "az apim nv show-secret --named-value-id x",
            "az signalr key list -n x",
            "az iot hub policy show -n x",
            "az policy definition version delete --name x --version 1",
            "az containerapp job show -n x -g y",
            "az network express-route auth list --circuit-name x -g y",
            "az spring app show -n x",
            "az vm show -n x -g y -u",
        ),
    ),
    **{
        name: _deploys(name, "")
        for name in (
            "netlify firebase wrangler sam supabase railway flyctl fly heroku serverless sls amplify doctl linode-cli "
            "hcloud surge eb copilot now"
        ).split()
    },
    # What looks, where the client could be read: others load the project's plugins or show keys.
    "vercel": _deploys(
        "vercel",
        "ls list inspect env:ls env:list alias:ls domains:ls dns:ls projects:ls teams:ls certs:ls",
        "Vercel CLI 50.44.0",
    ),
    **{
        name: Tool(
            name,
            Kind.NETWORK,
            "storage and tables of the cloud",
            allowed=False,
            reading=ANY_OPTIONS,
            key_words=2,
            danger="acts on data in the cloud",
        )
        for name in ("gsutil", "bq", "azcopy", "s3cmd", "rclone", "aws-vault", "saml2aws")
    },
}
