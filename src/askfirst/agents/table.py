"""The agents that askfirst knows: one row each, and nothing else in askfirst lists them.

A row is what has to be known without loading the agent's folder: what people call it, where its settings lie (an
agent that could write there could take the gate out), and how its processes are recognised (an agent must not answer
for a person). The folder `agents/NAME/` has the rest: `wire.py` (its words), `install.py` (its settings), `README.md`
(its page).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Agent:
    """One agent. Patterns of places are those of knowledge/places.py."""

    name: str  # its folder, and `--agent NAME`
    title: str  # for people
    # (pattern, why) of its settings, hooks and plugins: never written by an agent
    protected: tuple[tuple[str, str], ...]
    programs: str  # what its processes are called
    variables: str = ""  # what it sets for the commands it runs
    session_variable: str = ""  # of those, the one that holds its session
    secrets: tuple[str, ...] = ()  # patterns of where it keeps its credentials
    # (pattern, why) of what its client loads, or may load one day: asked. What `protected` names is denied first.
    loaded: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()  # patterns, below those, of plain notes that nothing loads: files like any other
    own_notes: tuple[str, ...] = ()  # the notes that the client itself keeps in the home
    keeps_cwd: bool = False  # its next command starts where the shell of the last one ended
    # How its hook changes a command that is about to run: the key; SEEN, DOCUMENTED or NOT_USED; where and when.
    changing: tuple[str, str, str] = ("", "not used", "")


SEEN, DOCUMENTED, NOT_USED = "seen", "documented", "not used"
DEFAULT = "claude"  # for commands without `--agent`
# Names, at any depth, of what agents are told in every session.
INSTRUCTIONS = frozenset(
    "claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md crush.md warp.md .cursorrules "
    ".windsurfrules .clinerules .roorules copilot-instructions.md .goosehints".split()
)
SETTINGS = "the agent's settings and hooks"
MANAGED = "the agent's managed settings"
HOOKS = "the agent's hooks"
PLUGINS = "the agent's plugins"

ROWS = (
    Agent(
        "claude",
        "Claude Code",
        protected=(
            ("**/.claude", "the directory of the agent's settings and hooks"),
            ("**/.claude/settings*.json", f"{SETTINGS}: a write here can switch the gate off"),
            ("**/.claude/hooks/**", HOOKS),
            ("**/.claude/plugins/**", PLUGINS),
            ("**/.claude/.credentials.json", "the agent's login"),
            ("~/.claude.json", "the agent's settings"),
            ("/etc/claude-code/**", MANAGED),
            ("/Library/Application Support/ClaudeCode/**", MANAGED),
            ("**/.mcp.json", "starts tool servers outside the gate"),
        ),
        programs="claude claude-code",
        variables="CLAUDECODE CLAUDE_PID CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SESSION_ATTENDED CLAUDE_CODE_ENTRYPOINT "
        "CLAUDE_PROJECT_DIR",
        session_variable="CLAUDE_CODE_SESSION_ID",
        secrets=("~/.claude/.credentials.json", "~/.claude.json"),
        loaded=(
            ("**/.claude/skills/**", "the agent follows its skills, and runs what they bring"),
            ("**/.claude/commands/**", "the agent follows its commands"),
            ("**/.claude/agents/**", "defines subagents and what they may use"),
            ("**/.claude/rules/**", "the agent follows its rules"),
            ("**/.claude/output-styles/**", "the agent follows its output styles"),
            ("**/.claude/claude*.md", "the agent follows it in every session"),
            ("**/.claude/**", "next to the agent's settings; its client may load it"),
        ),
        notes=(
            *(
                f"**/.claude/{name}/**"
                for name in "tickets specs plans memory agent-memory notes docs tasks todos logs data scratch".split()
            ),
            "**/.claude/skills/*.zip",  # a packed skill: only a directory is loaded
            "**/.claude/skills/*.skill",
        ),
        own_notes=("~/.claude/plans/*.md", "~/.claude/projects/*/memory/*.md", "~/.claude/todos/*.json"),
        keeps_cwd=True,
        changing=(
            "updatedInput",
            SEEN,
            "with 2.1.325, by tests/e2e/test_contained.py, 2026-11-18",
        ),
    ),
    Agent(
        "cline",
        "Cline",
        protected=(("**/.cline/**", HOOKS), ("**/.clinerules/**", HOOKS), ("~/Documents/Cline/**", HOOKS)),
        programs="cline",
        variables="CLINE_ACTIVE CLINE_CONNECTOR_CLI_LAUNCH",
        secrets=("~/.cline/data/**", "~/.cline/secrets*"),
        changing=(
            "overrideInput",
            SEEN,
            "with the CLI 3.0.65, by tests/e2e/agents/test_real_agents.py, 2026-11-19",
        ),
    ),
    Agent(
        "codex",
        "Codex CLI",
        protected=(("**/.codex/**", SETTINGS), ("/etc/codex/**", MANAGED)),
        programs="codex",
        variables="CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID CODEX_CI CODEX_SESSION_ID",
        session_variable="CODEX_THREAD_ID",
        secrets=("~/.codex/auth.json",),
        changing=(
            "updatedInput",
            NOT_USED,
            "openai/codex, pull 20527, merged 2026-05-12",
        ),
    ),
    Agent(
        "copilot",
        "GitHub Copilot CLI",
        protected=(
            ("**/.copilot/**", HOOKS),
            ("**/.github/hooks/**", HOOKS),
            ("/etc/github-copilot/**", "the agent's managed policy"),
        ),
        programs="copilot",
        variables="COPILOT_CLI COPILOT_AGENT_SESSION_ID",
        secrets=("~/.config/github-copilot/**",),
        changing=(
            "modifiedArgs",
            SEEN,
            "with 1.0.102, by tests/e2e/agents/test_real_agents.py, 2026-11-19",
        ),
    ),
    Agent(
        "cursor",
        "Cursor",
        protected=(
            ("**/.cursor/**", "the editor agent's hooks and tool servers"),
            ("/etc/cursor/**", "the editor agent's hooks"),
        ),
        programs="cursor-agent",
        variables="CURSOR_AGENT",
        secrets=("~/.config/cursor/**",),
        changing=(
            "updated_input",
            DOCUMENTED,
            "cursor.com/docs/hooks as quoted on 2026-08-17, read 2026-11-19; reported to work in the editor 3.3.27 and "
            "3.9.16, and to be passed over by the shell tool of its SDK",
        ),
    ),
    Agent(
        "gemini",
        "Gemini CLI",
        protected=(("**/.gemini/**", SETTINGS), ("/etc/gemini-cli/**", MANAGED)),
        programs="gemini",
        variables="GEMINI_CLI",
        secrets=("~/.gemini/**",),
        changing=(
            "hookSpecificOutput.tool_input",
            SEEN,
            "with 0.61.0, by tests/e2e/agents/test_real_agents.py, 2026-11-19",
        ),
    ),
    Agent(
        "opencode",
        "OpenCode",
        protected=(
            ("**/.opencode/**", PLUGINS),
            ("~/.config/opencode/**", PLUGINS),
            ("**/opencode.json", "names the agent's plugins and tool servers"),
            ("**/opencode.jsonc", "names the agent's plugins and tool servers"),
        ),
        programs="opencode",
        variables="OPENCODE OPENCODE_PID",
        secrets=("~/.local/share/opencode/auth.json",),
        changing=(
            "output.args",
            SEEN,
            "with 1.18.33, by tests/e2e/agents/test_real_agents.py, 2026-11-19",
        ),
    ),
    Agent(
        "qwen",
        "Qwen Code",
        protected=(("**/.qwen/**", SETTINGS), ("/etc/qwen-code/**", MANAGED)),
        programs="qwen",
        variables="QWEN_CODE QWEN_CODE_SESSION_ID",
        secrets=("~/.qwen/oauth_creds.json",),
        changing=(
            "updatedInput",
            DOCUMENTED,
            "docs/users/features/hooks.md of its repository names it, read 2026-11-19; 0.24.4 runs the command as it "
            "was, so everything asks there (seen, same day)",
        ),
    ),
)
AGENTS = {row.name: row for row in ROWS}
