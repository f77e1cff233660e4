"""Commands that only look, and show the environment or stored credentials on the way.

`env` and `printenv` ask, so does whatever prints the same: a container's or a service's variables, settings with the
passwords of package indexes, a deployment's values. What their programs mask themselves (`npm config list`, `gh auth
status`, `kubectl config view`) is not here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from askfirst.knowledge.variables import looks_secret
from askfirst.model import Unknown, Word
from askfirst.shell.tools.sending import plain_key

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call, Outcome

__all__ = ["SHOWS", "with_shown"]

_VARIABLES = "shows environment variables, credentials included"
_SETTINGS = "shows settings, passwords of package indexes included"


@dataclass(frozen=True)
class Shows:
    """The words that name an action, and which of its options or operands matter."""

    keys: tuple[str, ...]
    why: str
    only: tuple[str, ...] = ()  # asks only where one of these is given
    unless: tuple[str, ...] = ()  # passes where one of these is given


_COMPOSE = tuple(
    f"{program}{verb}"
    for program in ("docker compose", "docker-compose", "podman-compose")
    for verb in (" config", " convert")
)
_CONTAINERS = tuple(
    f"{program} {verb}"
    for program in ("docker", "podman")
    for verb in ("inspect", "container inspect", "service inspect", "pod inspect", "plugin inspect")
)
SHOWS: tuple[Shows, ...] = (
    # `env_file` and the shell's variables are part of the result, also in the names of images.
    Shows(
        (*_COMPOSE, "docker stack config"),
        _VARIABLES,
        unless=tuple("--services --volumes --profiles --networks --hash -q --quiet".split()),
    ),
    Shows(_CONTAINERS, _VARIABLES, unless=("-f", "--format", "--type=image", "--type=network", "--type=volume")),
    Shows(("podman secret inspect",), "shows a secret", only=("--showsecret",)),
    Shows(("systemctl show",), _VARIABLES, unless=("-p", "-P", "--property")),
    Shows(
        ("systemctl show",),
        _VARIABLES,
        only=("Environment", "EnvironmentFiles", "-pEnvironment", "-PEnvironment", "--property=Environment"),
    ),
    Shows(("launchctl print", "launchctl procinfo", "launchctl dumpstate", "launchctl print-cache"), _VARIABLES),
    Shows(("bazel info", "bazelisk info"), _VARIABLES, only=("client-env", "--show_make_env")),
    Shows(("helm env", "bundle env"), _VARIABLES),
    Shows(("ps",), _VARIABLES, only=("env", "-oenv", "environ")),
    Shows(
        ("aws lambda get-function", "aws lambda get-function-configuration", "aws ecs describe-task-definition"),
        _VARIABLES,
    ),
    Shows(
        ("aws codebuild batch-get-projects", "aws batch describe-job-definitions", "aws apprunner describe-service"),
        _VARIABLES,
    ),
    Shows(
        ("aws ec2 describe-instance-attribute", "aws ec2 describe-launch-template-versions", "aws batch describe-jobs"),
        _VARIABLES,
    ),
    Shows(("aws codebuild batch-get-builds", "aws sagemaker describe-model", "aws ecs describe-tasks"), _VARIABLES),
    Shows(
        tuple(
            f"gcloud {one} describe"
            for one in "run services,run revisions,run jobs,functions,composer environments,app versions,builds".split(
                ","
            )
        ),
        _VARIABLES,
    ),
    Shows(("gcloud run services list", "gcloud functions list"), _VARIABLES, only=("--format",)),
    Shows(("az container show", "az containerapp show", "az container list", "az containerapp list"), _VARIABLES),
    Shows(("aws elasticbeanstalk describe-configuration-settings", "aws lambda list-functions"), _VARIABLES),
    Shows(("pip config list", "pip config get", "pip config debug"), _SETTINGS),
    Shows(("conda config", "mamba config"), _SETTINGS, only=("--show-sources",)),
    Shows(("yarn config list", "gradle properties", "gradlew properties"), _SETTINGS),
    Shows(("helm get",), "shows the values of a deployment, secrets included", unless=("notes", "metadata")),
    Shows(
        ("terraform output", "tofu output"),
        "shows sensitive values in clear",
        only=("-json", "-raw", "--json", "--raw"),
    ),
    Shows(("terraform show", "tofu show"), "shows sensitive values in clear", only=("-json", "--json")),
    Shows(("ansible-inventory",), "shows the variables of machines, passwords included", unless=("--graph",)),
    Shows(("ansible-inventory",), "shows the variables of machines, passwords included", only=("--vars",)),
    Shows(("defaults read",), "shows the settings of every program", unless=("*",)),
)
_GIT_LISTS = ("-l", "--list", "list", "--get-regexp", "--get-urlmatch", "-v", "get-url", "show")


def with_shown(outcome: Outcome, call: Call, analyst: Analyst) -> Outcome:
    """The outcome of a call, with what it shows besides."""
    if not outcome.action.allowed:
        return outcome
    why = _shown(outcome.action.key, call) or _of_git(outcome.action.key, call, analyst)
    if not why:
        return outcome
    words = tuple(w.shown for w in call.words)
    return replace(outcome, facts=(*outcome.facts, Unknown("secrets", why, call.text, words)))


def _shown(key: tuple[str, ...], call: Call) -> str:
    named = " ".join(plain_key(key))
    given = {part for w in call.words[1:] for part in _parts(w.shown)}
    if given & {"-h", "--help"}:
        return ""
    if named in ("docker top", "podman top") and any(map(_shows_as_bsd, call.words[3:])):
        return _VARIABLES
    return next((row.why for row in _rows_of(named) if _counts(row, given, call)), "")


@lru_cache(maxsize=256)
def _rows_of(named: str) -> tuple[Shows, ...]:
    return tuple(row for row in SHOWS if any(f"{named} ".startswith(f"{one} ") for one in row.keys))


def _counts(row: Shows, given: set[str], call: Call) -> bool:
    """Whether the options and operands that matter to a row are given."""
    passes = bool(given & set(row.unless)) or ("*" in row.unless and len(call.words) > 2)
    return not passes and (not row.only or bool(given & set(row.only)))


def _shows_as_bsd(word: Word) -> bool:
    """The words behind the container are those of `ps`, where `axeww` is a cluster of letters."""
    return word.value is None or (word.value.isalpha() and "e" in word.value)


def _parts(word: str) -> tuple[str, ...]:
    """A word, the option that it begins with, and what stands behind `=`."""
    name, _, value = word.partition("=")
    return word, name, *value.split(","), *(word.split(",") if "," in word else ())


def _of_git(key: tuple[str, ...], call: Call, analyst: Analyst) -> str:
    """A listing of git's settings, where they hold a password: in a remote's address, or as a header."""
    if key[:2] not in (("git", "config"), ("git", "var"), ("git", "remote"), ("git", "ls-remote")):
        return ""
    if not any((w.value or "") in _GIT_LISTS for w in call.words[1:]) and key[1] == "config":
        return ""
    places = (f"{analyst.project}/.git/config", f"{analyst.home}/.gitconfig", f"{analyst.home}/.config/git/config")
    if any(_holds_credential(analyst.read_file(place) or "") for place in places):
        return "shows git's settings, in which there is a password or a token"
    return ""


def _holds_credential(text: str) -> bool:
    if "extraheader" in text.lower():
        return True
    for part in text.split("://")[1:]:
        user, at, _ = part.split("/")[0].split("\n")[0].partition("@")
        if at and (":" in user or len(user) > 20 or looks_secret(user)):
            return True
    return False
