"""What the client itself runs for a skill or a subagent. Each row was seen with the real client, or hides one."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.agents.claude.skills import parse_skill, read_agent, read_skill
from tests.hook.process import event, run

HEAD = "---\nname: x\ndescription: d\n---\n"
BLOCKS: list[tuple[str, str, list[str]]] = [
    ("inline", "State: !`touch A`", ["touch A"]),
    ("two", "!`touch A` and !`touch B`", ["touch A", "touch B"]),
    ("over two lines", "!`touch A\ntouch B`", ["touch A\ntouch B"]),
    ("in a fence", "```\n!`touch A`\n```", ["touch A"]),
    ("in a comment", "<!-- !`touch A` -->", ["touch A"]),
    ("fenced", "```!\ntouch A\n```", ["touch A"]),
    ("fenced on one line", "```! touch A```", ["touch A"]),
    ("indented fence", "   ```!\n   touch A\n   ```", ["touch A"]),
    ("four backticks", "````!\ntouch A\n````", ["touch A"]),
    ("line ends of Windows", "```!\r\ntouch A\r\n```", ["touch A"]),
    ("nothing", "`touch A` ! `touch B`", []),
]


@pytest.mark.parametrize(("what", "body", "commands"), BLOCKS, ids=[b[0] for b in BLOCKS])
def test_blocks(what: str, body: str, commands: list[str]) -> None:
    for text in (HEAD + body, body, HEAD.replace("---\n", "--- \n") + body, ("\ufeff" + HEAD + body)):
        found, problems = parse_skill(text, "")
        assert [c.strip() for c in found] == commands and problems == []


PROBLEMS: list[tuple[str, str, str, str]] = [
    ("a backtick in the arguments", HEAD + "!`echo $ARGUMENTS`", "a` b", "backtick"),
    ("a block in the arguments", HEAD + "nothing", "!`id`", "backtick"),
    ("a numbered argument", HEAD + "!`echo $1`", "x", "fills"),
    ("an indexed argument", HEAD + "!`echo $ARGUMENTS[0]`", "x", "fills"),
    ("a named argument", "---\nname: x\narguments: [issue]\n---\n!`git log $issue`", "x; id", "names"),
    ("hooks of its own", "---\nname: x\nhooks:\n  Stop: []\n---\n", "", "hooks"),
    ("another shell", "---\nname: x\nshell: powershell\n---\n!`id`", "", "shell"),
]


@pytest.mark.parametrize(("what", "text", "args", "why"), PROBLEMS, ids=[p[0] for p in PROBLEMS])
def test_what_is_filled_in_is_not_known(what: str, text: str, args: str, why: str) -> None:
    assert why in " ".join(parse_skill(text, args)[1])


def put(project: Path, place: str, text: str) -> Path:
    path = project / ".claude" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_every_file_that_may_have_the_name_is_read(project: Path, home: Path) -> None:
    put(project, "skills/deploy/SKILL.md", HEAD + "!`echo dir`")
    put(project, "skills/other/SKILL.md", "---\nname: deploy\n---\n!`echo named`")
    put(project, "skills/quoted/SKILL.md", '---\nname: "de\\x70loy"\n---\n!`echo quoted`')
    put(project, "skills/plain/SKILL.md", "---\nname: plain\n---\n!`echo plain`")
    put(project, "commands/deploy.md", "!`echo command`")
    put(home, "skills/deploy/SKILL.md", HEAD + "!`echo user`")
    skill = read_skill("deploy", "", project=str(project), cwd=str(project))
    assert skill is not None and set(skill.commands) == {
        f"echo {n}" for n in ("dir", "named", "quoted", "command", "user")
    }
    assert (
        read_skill("nowhere", "", project=str(project), cwd=str(project)) is not None
    )  # `quoted` may be called anything
    (project / ".claude/skills/quoted/SKILL.md").unlink()
    assert read_skill("nowhere", "", project=str(project), cwd=str(project)) is None


AGENTS: list[tuple[str, str, str]] = [
    ("a list on the line", "name: helper\nskills: deploy, plain", "echo from-the-skill"),
    ("a list in brackets", 'name: helper\nskills: ["deploy"]', "echo from-the-skill"),
    ("a list below", "name: helper\nskills:\n  - plain\n  - deploy\ntools: Bash", "echo from-the-skill"),
    ("a name with a comment", "name: helper # mine\nskills: deploy", "echo from-the-skill"),
    ("a name given twice", "name: x\nname: helper\nskills: deploy", "echo from-the-skill"),
    ("an unknown form", "name: helper\nskills: &a [*b]", "cannot tell which"),
    ("an unknown skill", "name: helper\nskills: nowhere", "no file"),
    ("hooks", "name: helper\nhooks:\n  PreToolUse: []", "`hooks`"),
    ("servers", "name: helper\nmcpServers:\n  x: {command: id}", "`mcpServers`"),
    ("nothing", "name: helper\ntools: Bash", ""),
    ("a skill without blocks", "name: helper\nskills: plain", ""),
    ("another's skills", "name: somebody\nskills: deploy", ""),
]


@pytest.mark.parametrize(("what", "head", "found"), AGENTS, ids=[a[0] for a in AGENTS])
def test_what_a_subagent_loads(project: Path, what: str, head: str, found: str) -> None:
    put(project, "skills/deploy/SKILL.md", HEAD + "!`echo from-the-skill`")
    put(project, "skills/plain/SKILL.md", HEAD + "no block")
    put(project, "agents/deep/file.md", f"---\n{head}\n---\nYou help.\n")
    agent = read_agent("helper", project=str(project), cwd=str(project))
    assert (agent is None) == (not found)
    assert agent is None or found in " ".join((*agent.commands, *agent.problems))


def test_the_gate_judges_what_a_subagent_loads(project: Path) -> None:
    put(project, "skills/bad/SKILL.md", HEAD.replace("name: x", "name: bad") + "!`touch RAN; sudo true`")
    put(project, "skills/good/SKILL.md", HEAD.replace("name: x", "name: good") + "!`git status`")
    put(project, "agents/bad.md", "---\nname: bad\nskills: bad\n---\n")
    put(project, "agents/good.md", "---\nname: good\nskills: good\n---\n")

    def call(kind: str, tool: str = "Agent") -> dict[str, object]:
        return run(event(tool, cwd=project, subagent_type=kind, prompt="go", description="d"), cwd=project).value

    bad = call("bad")["hookSpecificOutput"]
    assert (
        isinstance(bad, dict) and bad["permissionDecision"] == "deny" and "privilege" in bad["permissionDecisionReason"]
    )
    assert call("bad", "Task") == {"hookSpecificOutput": bad}
    # What the built-in rules allow is left to the client: it goes on as if the hook were not there.
    assert call("good") == call("general-purpose") == {}


def test_a_server_that_calls_itself_askfirst_gets_no_more_than_askfirsts_own_tools(project: Path) -> None:
    own = run(event("mcp__askfirst__check_command", cwd=project, command="id"), cwd=project)
    other = run(event("mcp__askfirst__run", cwd=project, command="id"), cwd=project)
    assert own.decision == "allow" and other.decision == "deny"
