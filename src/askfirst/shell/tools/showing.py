"""Commands that only look, and show the environment or stored credentials on the way.

`env` and `printenv` ask, so does whatever prints the same: a container's or a service's variables, settings with the
passwords of package indexes, a deployment's values. What their programs mask themselves (`npm config list`, `gh auth
status`, `kubectl config view`) is not here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from askfirst.knowledge.stored_credentials import holds_credential
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
    for verb in ("inspect", "container inspect", "service inspect", "pod inspect", "plugin inspect", "image inspect")
)
_HISTORIES = tuple(f"{program} {verb}" for program in ("docker", "podman") for verb in ("history", "image history"))
SHOWS: tuple[Shows, ...] = (
    # `env_file` and the shell's variables are part of the result, also in the names of images.
    Shows(
        (*_COMPOSE, "docker stack config"),
        _VARIABLES,
        unless=tuple("--services --volumes --profiles --networks --hash -q --quiet".split()),
    ),
    Shows(_CONTAINERS, _VARIABLES, unless=("-f", "--format")),
    # The login for a share of another machine.
    Shows(("docker volume inspect", "podman volume inspect"), "may show a password", unless=("-f", "--format")),
    Shows(("docker config inspect",), "shows what a configuration holds", unless=("-f", "--format")),
    # What an image was built with: `ENV`, and the arguments of the build.
    Shows(_HISTORIES, _VARIABLES, only=("--no-trunc",)),
    Shows(("podman history", "podman image history"), _VARIABLES, only=("--format",)),
    Shows(("podman secret inspect",), "shows a secret", only=("--showsecret",)),
    Shows(("systemctl show",), _VARIABLES, unless=("-p", "-P", "--property")),
    Shows(
        ("systemctl show",),
        _VARIABLES,
        only=("Environment", "EnvironmentFiles", "-pEnvironment", "-PEnvironment", "--property=Environment"),
    ),
    Shows(("launchctl print", "launchctl procinfo", "launchctl dumpstate", "launchctl print-cache"), _VARIABLES),
    Shows(("bazel info",), _VARIABLES, only=("client-env", "--show_make_env")),
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
    Shows(
        tuple(
            f"gcloud {one} list"
            for one in "run services,run revisions,run jobs,functions,app versions,builds".split(",")
        ),
        _VARIABLES,
        only=("--format",),
    ),
    Shows(("az container show", "az containerapp show", "az container list", "az containerapp list"), _VARIABLES),
    Shows(("aws elasticbeanstalk describe-configuration-settings", "aws lambda list-functions"), _VARIABLES),
    Shows(("aws lambda list-versions-by-function",), _VARIABLES),
    Shows(("pip config list", "pip config get", "pip config debug"), _SETTINGS),
    Shows(("yarn config list", "gradle properties", "gradlew properties"), _SETTINGS),
    Shows(("helm get values",), "shows the values of a deployment, secrets included"),
    Shows(
        ("helm status",),
        "shows the values of a deployment, secrets included",
        only=("json", "yaml", "-ojson", "-oyaml"),
    ),
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


@dataclass(frozen=True)
class Stored:
    """The words that name an action, the files whose settings it shows, and the words with which it shows some that may
    hold a password (none: whatever is given)."""

    key: tuple[str, ...]
    places: tuple[str, ...]
    words: tuple[str, ...] = ()
    marks: tuple[str, ...] = ("extraheader",)  # what stands beside a token; an address with a password counts always

    def may_show(self, given: list[str]) -> bool:
        return not self.words or any(said in word for word in given for said in self.words)


_OF_GIT = ("PROJECT/.git/config", "~/.gitconfig", "~/.config/git/config")
_OF_NPM = ("PROJECT/.npmrc", "~/.npmrc")
_STORED: tuple[Stored, ...] = (
    Stored(("git", "config"), _OF_GIT, ("-l", "list", "regexp", "url", "proxy", "header", "section", "get-all")),
    *(Stored(("git", verb), _OF_GIT) for verb in ("var", "remote", "ls-remote", "lfs")),
    # npm masks tokens, and not the password in a proxy's address. pnpm has learned to mask tokens only lately.
    *(Stored(key, _OF_NPM) for key in (("npm", "config"), ("npm", "get"), ("yarn", "config"))),
    Stored(("pnpm", "config"), (*_OF_NPM, "~/.config/pnpm/rc"), marks=("_auth", "_password")),
    Stored(("go", "env"), ("~/.config/go/env",)),
)


def with_shown(outcome: Outcome, call: Call, analyst: Analyst) -> Outcome:
    """The outcome of a call, with what it shows besides."""
    if not outcome.action.allowed:
        return outcome
    why = _shown(outcome.action.key, call) or _of_stored(outcome.action.key, call, analyst)
    if not why:
        return outcome
    words = tuple(w.shown for w in call.words)
    return replace(outcome, facts=(*outcome.facts, Unknown("secrets", why, call.text, words)))


def _shown(key: tuple[str, ...], call: Call) -> str:
    named = " ".join(plain_key(key))
    given = {part for w in call.words[1:] for part in _parts(w.shown)}
    if _asks_help(call.words):
        return ""
    if named.split()[:1] in (["docker"], ["podman"]) and key[-1] == "top" and "compose" not in named:
        behind = call.words[next(i for i, w in enumerate(call.words) if w.value == "top") + 1 :]
        return _VARIABLES if any(map(_shows_as_bsd, behind[1:])) else ""
    return next((row.why for row in _rows_of(named) if _counts(row, given, call)), "")


def _asks_help(words: tuple[Word, ...]) -> bool:
    """`docker inspect --help`; behind an option it may be that option's value, and behind a comma it is no option."""
    return words[-1].value in ("-h", "--help") and not words[-2].shown.startswith("-")


@lru_cache(maxsize=256)
def _rows_of(named: str) -> tuple[Shows, ...]:
    return tuple(row for row in SHOWS if any(f"{named} ".startswith(f"{one} ") for one in row.keys))


def _counts(row: Shows, given: set[str], call: Call) -> bool:
    """Whether the options and operands that matter to a row are given."""
    passes = any(_is_given(option, call) for option in row.unless) or ("*" in row.unless and len(call.words) > 2)
    return not passes and (not row.only or bool(given & set(row.only)))


_FLAGS = frozenset(
    "--no-pager --value --user --system -a --all -s --size --no-interpolate --no-normalize --list --yaml".split()
)


def _is_given(option: str, call: Call) -> bool:
    """Whether an option that makes a call milder is certainly there: not as the value of the option before it
    (`--state -p`), and not taken back (`--services=false`)."""
    words = [w.shown for w in call.words]
    spelled = [w for w in words if w == option or w.startswith(f"{option}=")]
    if any(w.partition("=")[2].lower() in ("false", "f", "0") for w in spelled):
        return False
    if len(option) == 2 and any(w.startswith(option) and w != option for w in words):
        return True  # `-pId`
    return any(w in spelled and not _may_take(last) for last, w in pairwise(words))


def _may_take(option: str) -> bool:
    return option.startswith("-") and "=" not in option and option not in _FLAGS


def _shows_as_bsd(word: Word) -> bool:
    """The words behind the container are those of `ps`, where `axeww` is a cluster of letters; they are split again at
    blanks."""
    return word.value is None or any("e" in part for part in word.value.split() if part.isalnum())


def _parts(word: str) -> tuple[str, ...]:
    """A word, the option that it begins with, and what stands behind `=`."""
    name, _, value = word.partition("=")
    return word, name, *value.split(","), *(word.split(",") if "," in word else ())


def _of_stored(key: tuple[str, ...], call: Call, analyst: Analyst) -> str:
    """A program's settings, where they hold a password: in an address, or as a header."""
    row = next((row for row in _STORED if key[: len(row.key)] == row.key), None)
    if row is None or not row.may_show([w.shown.lower() for w in call.words[1:]]):
        return ""
    places = (place.replace("~", analyst.home, 1).replace("PROJECT", analyst.project, 1) for place in row.places)
    if any(holds_credential(analyst.read_file(place) or "", row.marks) for place in places):
        return f"shows {row.key[0]}'s settings, in which there is a password or a token"
    return ""
