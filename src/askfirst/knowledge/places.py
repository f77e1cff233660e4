"""Places that matter for writes, as data: what switches the gate off, what runs by itself, what tools load, where
scratch files go. Each row says why. How patterns are read: knowledge/globs.py. What holds secrets:
knowledge/secrets.py."""

from __future__ import annotations

from askfirst.agents.table import AGENTS
from askfirst.knowledge.tools import EDITORS, WHOLE_FILE_WRITERS

# Directories, at any depth, of agents: settings, hooks, plugins and tool servers, each of which can switch the gate
# off.
AGENT_DIRS = {
    **{
        pattern[3:-3]: why
        for agent in AGENTS.values()
        for pattern, why in (*agent.protected, *agent.loaded)
        if pattern.startswith("**/") and pattern.endswith("/**") and "/" not in pattern[3:-3]
    },
    # Agents that have no row of their own.
    ".windsurf": "the editor agent's hooks",
    ".amp": "the agent's plugins",
}
EDITOR_DIRS = {
    ".vscode": "the editor runs tasks and settings from here",
    ".idea": "the editor runs configurations from here",
}
HOOK_DIRS = dict.fromkeys((".husky", ".githooks", ".git-hooks"), "git hooks of the project")
# Names, at any depth, that other tools obey: no runner of the project's code and no formatter has a reason to write
# there.
OBEYED_NAMES = frozenset(
    (*AGENT_DIRS, *EDITOR_DIRS, *HOOK_DIRS, ".askfirst", ".git", ".ssh", ".mcp.json", ".envrc", ".gitconfig")
)

# Of build output, also what git, a shell, an editor or a debugger obeys that a person starts in such a directory. (With
# `HEAD` it is a repository, whose configuration names programs that a prompt's `git status` runs.)
OBEYED_IN_BUILDS = OBEYED_NAMES | frozenset(
    "head commondir .exrc .vimrc .nvimrc .nvim.lua .lvimrc .gdbinit .autoenv .autoenv.zsh .env.fish "
    ".dir-locals.el".split()
)

# --- writes that are blocked ------------------------------------------------------------------------------------------

# (pattern, rule, why). The gate itself: an agent must not approve itself, nor loosen its own rules.
GATE = (
    ("**/.askfirst/**", "gate-config", "askfirst's own rules"),
    ("**/.autocoder/allowed_commands.yaml", "gate-config", "a rule file that askfirst reads"),
    ("**/.autoforge/allowed_commands.yaml", "gate-config", "a rule file that askfirst reads"),
    ("~/.autocoder/**", "gate-config", "an organisation file that askfirst reads"),
    ("~/.autoforge/**", "gate-config", "an organisation file that askfirst reads"),
    ("~/.config/askfirst/**", "gate-config", "askfirst's configuration"),
    ("~/.local/state/askfirst/**", "gate-state", "askfirst's state"),
    ("~/.local/share/askfirst/**", "gate-state", "askfirst's state"),
    ("~/.cache/askfirst/**", "gate-state", "askfirst's compiled rules"),
    ("~/Library/Application Support/askfirst/**", "gate-state", "askfirst's configuration and state"),
    ("/Library/Application Support/askfirst/**", "gate-config", "the organisation's rules"),
    ("/etc/xdg/askfirst/**", "gate-config", "the organisation's rules"),
    ("/etc/askfirst/**", "gate-config", "the organisation's rules"),
    ("**/site-packages/askfirst/**", "gate-code", "askfirst's own code"),
    ("**/site-packages/askfirst-*/**", "gate-code", "askfirst's own installation"),
    ("**/bin/askfirst", "gate-code", "the askfirst program"),
    *((pattern, "agent-settings", why) for agent in AGENTS.values() for pattern, why in agent.protected),
    ("**/.windsurf/**", "agent-settings", AGENT_DIRS[".windsurf"]),
    ("~/.codeium/**", "agent-settings", "the editor agent's hooks"),
    ("/etc/windsurf/**", "agent-settings", "the editor agent's hooks"),
    ("**/.amp/**", "agent-settings", AGENT_DIRS[".amp"]),
    ("**/.git/hooks/**", "git-hooks", "git runs what is here"),
    ("**/.git/config", "git-config", "git's configuration can name programs that git runs"),
    ("**/.git/config.worktree", "git-config", "git's configuration can name programs that git runs"),
    ("**/.git/info/attributes", "git-config", "can make git run filters"),
    ("**/.git/modules/**/hooks/**", "git-hooks", "git runs what is here"),
    ("**/.git/modules/**/config", "git-config", "git's configuration can name programs that git runs"),
    ("**/.git/worktrees/**/config.worktree", "git-config", "git's configuration can name programs that git runs"),
    ("**/.envrc", "shell-startup", "direnv runs it on entering the directory"),
)

# What a person's shell, desktop or service manager runs by itself, outside the project.
STARTUP = (
    *(
        (f"~/{name}", "shell-startup", "the shell runs it when it starts")
        for name in (
            ".bashrc",
            ".bash_profile",
            ".bash_login",
            ".bash_logout",
            ".bash_aliases",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".zprofile",
            ".zlogin",
            ".zlogout",
            ".kshrc",
            ".mkshrc",
            ".cshrc",
            ".tcshrc",
            ".login",
            ".logout",
            ".inputrc",
            ".pam_environment",
            ".xprofile",
            ".xinitrc",
            ".xsession",
            ".xsessionrc",
            ".oh-my-zsh/**",
            ".zsh/**",
            ".bashrc.d/**",
            ".config/fish/**",
            ".config/zsh/**",
            ".config/environment.d/**",
            ".config/powershell/**",
            ".config/nushell/**",
        )
    ),
    ("~/.config/autostart/**", "service-unit", "the desktop starts it at login"),
    ("~/.config/systemd/**", "service-unit", "the service manager runs it"),
    ("~/.local/share/systemd/**", "service-unit", "the service manager runs it"),
    ("~/Library/LaunchAgents/**", "service-unit", "the service manager runs it"),
    ("~/.gitconfig", "git-config", "git's configuration can name programs that git runs"),
    ("~/.config/git/**", "git-config", "git's configuration can name programs that git runs"),
    ("~/.git-credentials", "git-config", "git's stored passwords"),
    ("~/.npmrc", "tool-config", "can make npm run another shell or module"),
    ("~/.yarnrc*", "tool-config", "can make yarn run another program"),
    ("~/.ssh/**", "ssh", "who may log in as this person, and what ssh runs"),
    ("~/.gnupg/**", "ssh", "this person's keys"),
    ("/etc/cron*/**", "cron", "cron runs it"),
    ("/etc/anacrontab", "cron", "cron runs it"),
    ("/etc/at.*", "cron", "controls who may schedule jobs"),
    ("/var/spool/cron/**", "cron", "cron runs it"),
    ("/var/spool/at/**", "cron", "at runs it"),
    ("/var/at/**", "cron", "cron runs it"),
    ("/usr/lib/cron/**", "cron", "cron runs it"),
    ("/etc/systemd/**", "service-unit", "the service manager runs it"),
    ("/run/systemd/**", "service-unit", "the service manager runs it"),
    ("/usr/lib/systemd/**", "service-unit", "the service manager runs it"),
    ("/usr/local/lib/systemd/**", "service-unit", "the service manager runs it"),
    ("/lib/systemd/**", "service-unit", "the service manager runs it"),
    ("/etc/init.d/**", "service-unit", "runs when the machine starts"),
    ("/etc/rc*/**", "service-unit", "runs when the machine starts"),
    ("/Library/LaunchDaemons/**", "service-unit", "the service manager runs it"),
    ("/Library/LaunchAgents/**", "service-unit", "the service manager runs it"),
    ("/etc/udev/**", "service-unit", "runs programs when devices appear"),
    ("/etc/profile*/**", "shell-startup", "every login shell runs it"),
    ("/etc/bash*", "shell-startup", "every shell runs it"),
    ("/etc/zsh*/**", "shell-startup", "every shell runs it"),
    ("/etc/environment", "shell-startup", "every login reads it"),
    ("/etc/gitconfig", "git-config", "git's configuration can name programs that git runs"),
    ("/etc/ld.so.*/**", "system-login", "loads code into every program"),
    ("/etc/pam.d/**", "system-login", "controls who may log in"),
    ("/etc/sudoers*/**", "system-login", "controls who may become root"),
    ("/etc/passwd*", "system-login", "lists the users of this machine"),
    ("/etc/shadow*", "system-login", "passwords"),
    ("/etc/master.passwd*", "system-login", "passwords"),
    ("/etc/group*", "system-login", "lists the groups of this machine"),
    ("/etc/ssh/**", "ssh", "who may log in, and how"),
    ("/proc/sysrq-trigger", "system-login", "can stop the machine"),
    ("/proc/sys/kernel/core_pattern", "system-login", "the kernel runs it as root"),
)

PROTECTED = (*GATE, *STARTUP)

# What an agent's client loads beside its settings: writing there asks. The notes among them are files like any other.
AGENT_LOADED = tuple(row for agent in AGENTS.values() for row in agent.loaded)
AGENT_NOTES = tuple(pattern for agent in AGENTS.values() for pattern in agent.notes)
OWN_NOTES = tuple(pattern for agent in AGENTS.values() for pattern in agent.own_notes)

# Programs whose deletions are looked at one by one (files/kept.py): what can be had back needs no question.
RESTORES = "git restore"
SMALL_PATCH = "a small patch"  # of few lines: it fits only where all others stay
BACK_TO_HEAD = "git stash push"  # what comes back is what programs were given to obey all along
DELETERS = frozenset({"rm", "git rm", RESTORES})

BLOCK_DEVICES = (
    "sd*",
    "hd*",
    "vd*",
    "xvd*",
    "nvme*",
    "mmcblk*",
    "loop*",
    "dm-*",
    "md*",
    "sr*",
    "disk*",
    "rdisk*",
    "ram*",
    "zram*",
    "nbd*",
    "mapper/**",
    "disk/**",
    "block/**",
    "mem",
    "kmem",
    "port",
    "mtd*",
    "ubi*",
    "nst*",
    "st[0-9]*",
    "raw/**",
    "vg*/**",
    "zvol/**",
)
HARMLESS_DEVICES = frozenset({"null", "zero", "full", "stdout", "stderr", "fd/1", "fd/2"})

# Deleting, moving or opening up one of these whole: nothing a project needs.
SYSTEM_ROOTS = frozenset(
    {
        "/",
        "/bin",
        "/boot",
        "/dev",
        "/etc",
        "/home",
        "/lib",
        "/lib64",
        "/opt",
        "/proc",
        "/root",
        "/run",
        "/sbin",
        "/srv",
        "/sys",
        "/usr",
        "/usr/bin",
        "/usr/lib",
        "/usr/local",
        "/usr/sbin",
        "/var",
        "/var/lib",
        "/var/log",
        "/users",
        "/library",
        "/system",
        "/applications",
        "/private",
        "/volumes",
        "/mnt",
        "/media",
        "/nix",
        "/tmp",
        "/var/tmp",
        "/private/tmp",
        "/private/var",
        "/private/etc",
        # Windows, from WSL.
        *(f"/mnt/{drive}{below}" for drive in "cdefghij" for below in ("", "/users", "/windows", "/program files")),
    }
)

# --- writes in the project that ask -----------------------------------------------------------------------------------

# Modules that Python tools import from the directory they are started in: a file of that name at the project's root is
# taken instead.
SHADOWED_MODULES = frozenset(
    {
        "yaml",
        "bashlex",
        "parsetab",
        "rich",
        "filelock",
        "platformdirs",
        "pytest",
        "_pytest",
        "pluggy",
        "iniconfig",
        "packaging",
        "pip",
        "setuptools",
        "wheel",
        "mypy",
        "ruff",
        "black",
        "requests",
        "numpy",
        "click",
        "askfirst",
    }
)
NOT_SHADOWED = frozenset({"test", "tests", "this", "antigravity", "turtledemo", "idlelib", "lib2to3", "__main__"})

# --- scratch ----------------------------------------------------------------------------------------------------------

SCRATCH_DIRS = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")
# Data, not programs: an archive or a script in a world-writable place is the first half of "download, then run".
SCRATCH_ENDINGS = (
    ".txt",
    ".log",
    ".out",
    ".err",
    ".json",
    ".jsonl",
    ".ndjson",
    ".csv",
    ".tsv",
    ".patch",
    ".diff",
    ".md",
    ".xml",
    ".html",
    ".yaml",
    ".yml",
    ".toml",
    ".sql",
    ".lst",
    ".list",
    ".rst",
    ".svg",
)
# Besides, for a file that is not there yet or that the session has made: sources, which nothing runs or imports from
# there by itself, copies and archives.
SCRATCH_SOURCES = tuple(
    """
    .py .sh .bash .zsh .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .css .scss .less .htm .go .rs .java .kt .scala
    .swift .c .h .cc .cpp .hpp .cs .rb .php .pl .lua .r .ex .exs .dart .tf .proto .graphql .prisma .ini .cfg .conf .tex
    .ipynb .bak .old .orig .tmp .db .sqlite .tar .tgz .gz .zip
    """.split()
)
# What nobody runs, loads or follows, whoever wrote it: such a file may be downloaded.
DATA_ENDINGS = tuple(
    """
    .png .jpg .jpeg .gif .webp .avif .ico .bmp .tif .tiff .heic .psd .mp3 .mp4 .m4a .wav .ogg .flac .webm .mov .mkv
    .woff .woff2 .ttf .otf .eot .pdf .epub .csv .tsv .json .jsonl .ndjson .geojson .parquet .arrow .npy .npz .bin
    .glb .gltf .obj .stl .pcap
    """.split()
)
SCRATCH_BY = WHOLE_FILE_WRITERS | {"redirection", "tee", "sample -file", "script", "strace -o", "sort -o"}
# Besides, where nothing is there yet or the session has made it. Not `find -fprint`: it hides in what only looks.
SCRATCH_FETCHERS = frozenset(("curl -o", "curl -D", "wget -O"))
SCRATCH_FRESH_BY = (SCRATCH_BY | SCRATCH_FETCHERS | EDITORS) | frozenset(
    ("cp", "gcp", "install", "touch", "chmod", "sed -i", "gsed -i", "tar", "zip", "python", "python3", "git archive -o")
)

# What only tools fill, wherever they run: names, in small letters, that may be deleted anywhere.
MADE_ANEW = frozenset(
    "__pycache__ *.pyc *.pyo .pytest_cache .mypy_cache .ruff_cache .ds_store .eslintcache *.tsbuildinfo".split()
)

# Programs and what they are made of, below the home: a box has these to read, and these alone.
TOOLCHAINS = tuple(
    """
    bin .local/bin .local/lib .local/opt .local/share/uv .local/share/pipx .local/share/mise .local/share/fnm
    .local/share/pnpm .local/share/nvm .local/share/virtualenvs .local/share/fonts .local/state/fnm_multishells
    .cargo/bin .cargo/env .rustup .pyenv .nvm .fnm .volta .asdf .rbenv .rvm .gem/ruby .sdkman .jenv .jabba
    .bun/bin .bun/install/global .deno/bin go/bin .go sdk .ghcup .cabal/bin .stack/programs .opam .elan .nimble .dotnet
    .local/pipx .npm-global .poetry
    miniconda3 anaconda3 miniforge3 mambaforge micromamba .juliaup .swiftly .terminfo .linuxbrew .nix-profile
    .proto/bin .proto/shims .proto/tools n/bin n/lib .config/nvm .phpenv .composer/vendor .tfenv .goenv .nodenv
    """.split()
)
# What package managers have fetched: read, never written.
CACHES = tuple(
    """
    .cargo/registry .cargo/git go/pkg/mod .m2/repository .m2/wrapper .npm/_cacache .yarn/berry/cache .cache/pip
    .cache/node .cache/yarn .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/huggingface/hub .cache/torch/hub
    .cache/deno .cache/coursier .cache/electron .cache/node-gyp .ivy2/cache .sbt/boot .nuget/packages .pub-cache
    .hex .mix .cabal/packages .stack/snapshots .julia/packages .julia/artifacts .julia/registries .bun/install/cache
    """.split()
)
