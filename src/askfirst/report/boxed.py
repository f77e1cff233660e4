"""What a call of the past would have missed in the box. A recording says what was run, and not what that did, so this
is a rule, by words. It was checked by hand on 100 calls (tests/cases/boxed_by_hand.yaml).

policy/contain.py has put aside already what names another machine, a device, a file outside or docker. Of what is
contained, a call counts as failing for want of something outside when

1. its program is known to call a service for this sub-command (`CALLS_OUT`), or is one of the machine's own tools
   for its network (`LOOKS_AROUND`);
2. a program that no row knows is told to do what needs a service, or to be one (`VERBS`: `deploy`, `login`, `serve`);
3. a script's name, or inline code, speaks of such things (`SCRIPT_WORDS`, `IMPORTS`);
4. it works in a directory of what agents load (`skills/x`), and its script is not one that looks only, by its
   name (`LOOKS_ONLY`): what it changes there would wait for a person;
5. it starts a server that a later call of the same session would talk to without a box: only the call that then cannot
   reach it is counted, and that one names an address, so it is asked about anyway.
"""

from __future__ import annotations

import re

from askfirst.knowledge.programs import INTERPRETERS, base_name, family
from askfirst.model import Command, Decision, Finding, Kind, Unknown
from askfirst.policy.case import Case
from askfirst.policy.contain import is_loaded
from askfirst.policy.pinning import key_of, script_of

__all__ = ["missing"]

# Program -> the sub-commands that call a service; `*` is all of them.
CALLS_OUT = {
    "task-master": "init parse-prd expand analyze-complexity research update add-task update-task scope-up",
    "esphome": "compile run upload logs wizard",
    "platformio": "*",
    "pio": "*",
    "prisma": "db migrate studio pull push",
    "alembic": "",  # to the database that the project names: mostly a file
    "bd": "sync",
    "encore": "run build test db auth deploy",  # its tool chain lies in the home, its databases in docker
    "wrangler": "*",
    "expo": "*",
    "eas": "*",
}
LOOKS_AROUND = frozenset("airport wdutil ipconfig dns-sd scutil networksetup system_profiler".split())
VERBS = frozenset(
    "deploy publish upload download login logout fetch pull push serve server dashboard discover scrape crawl search "
    "sync register release invite monitor tunnel".split()
)
SCRIPT_WORDS = re.compile(
    r"(?:^|[_\-./])(?:deploy|publish|upload|download|fetch|scrape|crawl|seed|migrate|webhook|e2e|integration|api|"
    r"server|client|openai|llm|redis|postgres|supabase|s3|ssh|docker|summarizer)(?=[_\-./]|$)"
)
IMPORTS = re.compile(
    r"\b(?:createClient|MongoClient|PrismaClient|redis|chromium|playwright|puppeteer|docker|kubernetes|genai|ollama)\b"
)
LOOKS_ONLY = re.compile(
    r"(?:^|[_\-./])(?:validate|check|lint|verify|test|list|show|search|query|analy[sz]e)(?=[_\-./]|$)"
)


def missing(case: Case) -> str:
    """What the contained call would have needed; "" when it would have run as bare."""
    boxed = [f for f in case.verdict.findings if f.decision == Decision.CONTAIN]
    waits = any(isinstance(f.fact, Command) and _changes_loaded(f.fact, case.layers.project) for f in boxed)
    return next(filter(None, map(_of, boxed)), "a person who applies its changes" if waits else "")


def _changes_loaded(command: Command, project: str) -> bool:
    return is_loaded(command.cwd or "", project) and not LOOKS_ONLY.search(script_of(command) or "")


def _of(finding: Finding) -> str:
    fact = finding.fact
    if isinstance(fact, Command):
        return _of_command(fact)
    if isinstance(fact, Unknown) and fact.what == "inline code" and _is_code(fact) and IMPORTS.search(fact.text):
        return "the network, by its code"
    return ""


def _of_command(command: Command) -> str:
    name = base_name(command.name)
    words = tuple(w.value or "" for w in command.argv[1:])
    if name in LOOKS_AROUND:
        return "the machine's network"
    if name in CALLS_OUT:
        verbs = CALLS_OUT[name].split()
        return "a service" if verbs == ["*"] or (words[:1] and words[0] in verbs) else ""
    script = script_of(command)
    if command.action.kind == Kind.CODE and SCRIPT_WORDS.search(script or " ".join(words[:1])):
        return "the network, by its name"
    if command.action.kind in (Kind.OTHER, Kind.WRAPPER) and any(
        w in VERBS for w in (*key_of(command)[1:], *words[:2])
    ):
        return "a service, by its words"
    return ""


def _is_code(unknown: Unknown) -> bool:
    """Code of a language that can speak to others; a program for `sed` cannot."""
    return bool(unknown.words) and family(base_name(unknown.words[0])) in INTERPRETERS
