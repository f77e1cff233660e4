"""Places that matter, as data: what switches the gate off, what runs by itself, what holds secrets. Each row says why.

Patterns are compared without case (macOS and Windows file systems ignore it; elsewhere a false match only costs a question).
`~/` is any person's home, `/` is the root, everything else stands at any depth. `*` stays within one part of a path, `**` is any
number of parts, also none.
"""

from __future__ import annotations

# --- writes that are blocked ----------------------------------------------------------------------------------------------------

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
    ("**/.claude/**", "agent-settings", "the agent's settings, hooks and commands: a write here can switch the gate off"),
    ("~/.claude.json", "agent-settings", "the agent's settings"),
    ("/etc/claude-code/**", "agent-settings", "the agent's managed settings"),
    ("/Library/Application Support/ClaudeCode/**", "agent-settings", "the agent's managed settings"),
    ("**/.mcp.json", "agent-settings", "starts tool servers outside the gate"),
    ("**/.codex/**", "agent-settings", "the agent's settings and hooks"),
    ("/etc/codex/**", "agent-settings", "the agent's managed settings"),
    ("**/.gemini/**", "agent-settings", "the agent's settings and hooks"),
    ("/etc/gemini-cli/**", "agent-settings", "the agent's managed settings"),
    ("**/.qwen/**", "agent-settings", "the agent's settings and hooks"),
    ("/etc/qwen-code/**", "agent-settings", "the agent's managed settings"),
    ("**/.cursor/**", "agent-settings", "the editor agent's hooks and tool servers"),
    ("/etc/cursor/**", "agent-settings", "the editor agent's hooks"),
    ("**/.windsurf/**", "agent-settings", "the editor agent's hooks"),
    ("~/.codeium/**", "agent-settings", "the editor agent's hooks"),
    ("/etc/windsurf/**", "agent-settings", "the editor agent's hooks"),
    ("**/.cline/**", "agent-settings", "the agent's hooks"),
    ("**/.clinerules/**", "agent-settings", "the agent's hooks"),
    ("~/Documents/Cline/**", "agent-settings", "the agent's hooks"),
    ("**/.opencode/**", "agent-settings", "the agent's plugins"),
    ("~/.config/opencode/**", "agent-settings", "the agent's plugins"),
    ("**/opencode.json", "agent-settings", "names the agent's plugins and tool servers"),
    ("**/opencode.jsonc", "agent-settings", "names the agent's plugins and tool servers"),
    ("**/.amp/**", "agent-settings", "the agent's plugins"),
    ("**/.copilot/**", "agent-settings", "the agent's hooks"),
    ("**/.github/hooks/**", "agent-settings", "the agent's hooks"),
    ("/etc/github-copilot/**", "agent-settings", "the agent's managed policy"),
    ("**/.vscode/**", "editor-settings", "the editor runs tasks and settings from here"),
    ("**/.idea/**", "editor-settings", "the editor runs configurations from here"),
    ("**/.git/hooks/**", "git-hooks", "git runs what stands here"),
    ("**/.git/config", "git-config", "git's configuration can name programs that git runs"),
    ("**/.git/config.worktree", "git-config", "git's configuration can name programs that git runs"),
    ("**/.git/info/attributes", "git-config", "can make git run filters"),
    ("**/.git/modules/**/hooks/**", "git-hooks", "git runs what stands here"),
    ("**/.git/modules/**/config", "git-config", "git's configuration can name programs that git runs"),
    ("**/.git/worktrees/**/config.worktree", "git-config", "git's configuration can name programs that git runs"),
    ("**/.envrc", "shell-startup", "direnv runs it on entering the directory"),
)

# What a person's shell, desktop or service manager runs by itself, outside the project.
STARTUP = (
    *((f"~/{name}", "shell-startup", "the shell runs it when it starts") for name in (
        ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
        ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc", ".pam_environment",
        ".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".oh-my-zsh/**", ".zsh/**", ".bashrc.d/**", ".config/fish/**",
        ".config/zsh/**", ".config/environment.d/**", ".config/powershell/**", ".config/nushell/**")),
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
    ("/etc/at.*", "cron", "says who may plan jobs"),
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
    ("/etc/pam.d/**", "system-login", "says who may log in"),
    ("/etc/sudoers*/**", "system-login", "says who may become root"),
    ("/etc/passwd*", "system-login", "says who exists"),
    ("/etc/shadow*", "system-login", "passwords"),
    ("/etc/group*", "system-login", "says who belongs to which group"),
    ("/etc/ssh/**", "ssh", "who may log in, and how"),
    ("/proc/sysrq-trigger", "system-login", "can stop the machine"),
    ("/proc/sys/kernel/core_pattern", "system-login", "the kernel runs it as root"),
)

PROTECTED = (*GATE, *STARTUP)

# Parts of the protected places that hold nothing that runs: notes and plans that the agent keeps for itself. They ask.
PROTECTED_NOTES = ("**/.claude/plans/*.md", "**/.claude/projects/*/memory/*.md", "**/.claude/todos/*.json")

BLOCK_DEVICES = ("sd*", "hd*", "vd*", "xvd*", "nvme*", "mmcblk*", "loop*", "dm-*", "md*", "sr*", "disk*", "rdisk*", "ram*", "zram*",
"nbd*",
                 "mapper/**", "disk/**", "block/**", "mem", "kmem", "port", "mtd*", "ubi*", "nst*", "st[0-9]*", "raw/**", "vg*/**",
                 "zvol/**")
HARMLESS_DEVICES = frozenset({"null", "zero", "full", "stdout", "stderr", "fd/1", "fd/2"})

# Deleting, moving or opening up one of these whole: nothing a project needs.
SYSTEM_ROOTS = frozenset({"/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin",
"/srv",
                          "/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/usr/sbin", "/var", "/var/lib", "/var/log", "/users",
                          "/library", "/system", "/applications", "/private", "/volumes", "/mnt", "/media", "/nix", "/tmp", "/var/tmp",
                          "/private/tmp", "/private/var", "/private/etc"})

# --- writes in the project that ask ---------------------------------------------------------------------------------------------

# Files that a tool loads by itself, by name: whoever writes one decides what the next, allowed `npm test` or `make` runs.
AUTO_LOADED = {
    "python": ("conftest.py", "sitecustomize.py", "usercustomize.py", "*.pth", "setup.py", "setup.cfg", "pytest.ini", ".pytest.ini",
               "tox.ini", "noxfile.py", "fabfile.py", "dodo.py", "pyproject.toml", "pip.conf", "uv.toml", "pylintrc", ".pylintrc",
               "mypy.ini", ".mypy.ini", ".flake8", ".coveragerc", "pyvenv.cfg", "hatch_build.py", ".pdbrc", ".pythonrc", "sconstruct",
               "sconscript", "wscript", "mkdocs.yml", "manage.py"),
    "node": ("package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", ".pnp.*", "bunfig.toml", "deno.json",
             "deno.jsonc", "*.config.js", "*.config.cjs", "*.config.mjs", "*.config.ts", "*.config.mts", "*.config.cts", "*.conf.js",
             "*.conf.ts", ".eslintrc*", ".prettierrc*", ".babelrc*", ".mocharc*", ".swcrc", ".stylelintrc*", ".lintstagedrc*",
             ".commitlintrc*", ".releaserc*", ".postcssrc*", ".nycrc*", ".c8rc*", ".taprc", ".huskyrc*", "gulpfile*", "gruntfile*",
             "jakefile*", "nx.json", "turbo.json", "lerna.json", "jest.setup.*", "vitest.setup.*", "setuptests.*", "codegen.ts",
             "codegen.y*ml", "pnpm-workspace.yaml", "jest.config.json", ".markdownlint*.cjs", ".markdownlint*.mjs", ".size-limit.*",
             "knip.ts", "knip.js", ".graphqlrc*", "knexfile.*", "gatsby-*.js", "gatsby-*.ts", ".sequelizerc", ".terserrc*", "angular.json",
             "project.json", "nodemon.json", ".oxlintrc.json", "wallaby.*"),
    "make": ("makefile", "gnumakefile", "bsdmakefile", "*.mk", "justfile", ".justfile", "taskfile.y*ml", "rakefile*", "cmakelists.txt",
             "*.cmake", "cmakepresets.json", "cmakeuserpresets.json", "meson.build", "meson_options.txt", "configure", "configure.ac",
             "makefile.*", "build.ninja", "workspace", "workspace.bazel", "module.bazel", ".bazelrc", ".bazelversion",
             "build.bazel", "dune", "dune-project", "dune-workspace", "*.bzl", "earthfile",
             "snakefile", "doxyfile"),
    "rust, go, jvm and others": (
        "build.rs", "cargo.toml", "rust-toolchain*", "build.gradle*", "settings.gradle*", "init.gradle*", "gradle.properties", "gradlew",
        "gradlew.bat", "gradle-wrapper.*", "pom.xml", "mvnw", "mvnw.cmd", "build.sbt", "build.xml", "build.sc", "project.clj",
        "deps.edn", "package.swift", "build.zig", "mix.exs", "rebar.config", "gemfile", ".rspec", ".irbrc", ".pryrc", ".rubocop.yml",
        "composer.json", "phpunit.xml*", "podfile", "fastfile", "directory.build.*", "*.csproj", "*.fsproj", "*.vbproj", "*.targets",
        "cdk.json", ".golangci.y*ml", ".golangci.toml", "nuget.config", "flake.nix", "shell.nix",
        "default.nix", "devbox.json", "go.work", ".sbtopts", ".jvmopts", "cabal.project*", "stack.yaml", ".ghci", ".formatter.exs",
        ".credo.exs", ".iex.exs", "phpstan.neon*", "phpstan.dist.neon", ".php-cs-fixer*", "directory.packages.props", "global.json",
        "analysis_options.yaml", "ansible.cfg", ".aider.conf.yml", "artisan", "rector.php", "psalm.xml*", "test_helper.exs", ".rprofile",
        ".renviron", "spec_helper.rb", "rails_helper.rb"),
    "hooks and CI": (".pre-commit-config.yaml", ".pre-commit-config.yml", ".pre-commit-hooks.yaml", "lefthook.y*ml", ".lefthook.y*ml",
                     ".overcommit.yml", ".gitlab-ci.yml", "jenkinsfile*", "azure-pipelines.y*ml", ".travis.yml",
                     "bitbucket-pipelines.yml", ".drone.yml", "appveyor.yml", ".gitattributes", ".gitmodules", "dangerfile*"),
    "shells, editors and debuggers": (".mise.toml", "mise.toml", ".mise.local.toml", ".tool-versions", ".rtx.toml", ".asdfrc", ".exrc",
                                      ".vimrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".dir-locals.el", ".gdbinit", ".lldbinit",
                                      ".autoenv*", ".env.fish", ".startup.py", "*.code-workspace", "devcontainer.json", ".inputrc",
                                      ".wgetrc", ".curlrc", ".screenrc", ".tmux.conf"),
    "git, when it takes a directory for a bare repository": ("head", "commondir", "gitdir"),
    "a nested rule file": ("allowed_commands.yaml", "allowed_commands.yml"),
}
# The same by directory.
AUTO_LOADED_DIRS = (
    ("**/.github/workflows/**", "CI runs it"),
    ("**/.github/actions/**", "CI runs it"),
    ("**/.circleci/**", "CI runs it"),
    ("**/.buildkite/**", "CI runs it"),
    ("**/.gitea/**", "CI runs it"),
    ("**/.forgejo/**", "CI runs it"),
    ("**/.husky/**", "git hooks of the project"),
    ("**/.githooks/**", "git hooks of the project"),
    ("**/.git-hooks/**", "git hooks of the project"),
    ("**/.cargo/**", "cargo's configuration can name programs that cargo runs"),
    ("**/.config/nextest.toml", "nextest runs the scripts that it names"),
    ("**/tools/bazel", "bazel runs it in its own place"),
    ("**/project/*.sbt", "sbt loads it"),
    ("**/project/*.scala", "sbt compiles and runs it"),
    ("**/project/build.properties", "says which sbt is fetched and run"),
    ("**/config/*.exs", "mix loads it before every task"),
    ("**/.continue/**", "the editor's assistant starts tool servers from here"),
    ("**/.storybook/**", "storybook loads it"),
    ("**/.mvn/**", "maven loads it"),
    ("**/.yarn/**", "yarn runs its plugins and releases"),
    ("**/.mise/**", "mise runs it"),
    ("**/.config/mise/**", "mise runs it"),
    ("**/.devcontainer/**", "the editor runs it"),
    ("**/.zed/**", "the editor runs tasks from here"),
    ("**/.fleet/**", "the editor runs configurations from here"),
    ("**/.bundle/**", "bundler's configuration"),
    ("**/buildsrc/**", "gradle compiles and runs it"),
    ("**/node_modules/**", "code that the project's tools load"),
    ("**/site-packages/**", "code that Python loads"),
    ("**/dist-packages/**", "code that Python loads"),
    ("**/.venv/**", "code that Python loads"),
    ("**/venv/bin/**", "programs of the project's environment"),
    ("**/vendor/bin/**", "programs of the project's environment"),
    *((f"**/bin/{name}", "a program of the project that runs its tests") for name in ("rails", "rake", "rspec", "rubocop", "brakeman")),
    ("**/docs/conf.py", "code that builds the documentation"),
    ("**/.git/**", "git's own files"),
)
# Judged by what changes in them, where that is known (files/change.py fills Change.runs).
PARTLY_LOADED = frozenset({"package.json", "pyproject.toml", "composer.json", "cargo.toml"})
# Modules that Python tools import from the directory they are started in: a file of that name at the project's root is taken instead.
SHADOWED_MODULES = frozenset({"yaml", "bashlex", "parsetab", "rich", "filelock", "platformdirs", "pytest", "_pytest", "pluggy",
"iniconfig", "packaging", "pip", "setuptools", "wheel", "mypy", "ruff", "black", "requests", "numpy", "click", "askfirst"})
NOT_SHADOWED = frozenset({"test", "tests", "this", "antigravity", "turtledemo", "idlelib", "lib2to3", "__main__"})

# --- scratch --------------------------------------------------------------------------------------------------------------------

SCRATCH_DIRS = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp")
# Data, not programs: an archive or a script in a world-writable place is the first half of "download, then run".
SCRATCH_ENDINGS = (".txt", ".log", ".out", ".err", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".patch", ".diff", ".md", ".xml",
".html",
                   ".yaml", ".yml", ".toml", ".sql", ".lst", ".list", ".rst", ".svg")
SCRATCH_BY = frozenset({"redirection", "tee", "Write", "Edit", "MultiEdit", "sample -file", "script", "strace -o", "sort -o"})

# --- reads that ask -------------------------------------------------------------------------------------------------------------

SECRET_NAMES = (
    ".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.kdb", "*.ppk", "*.p8",
    "*id_rsa*", "*id_dsa*", "*id_ecdsa*", "*id_ed25519*", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".git-credentials",
    ".pypirc", ".htpasswd", ".dockercfg", ".vault-token", ".vault_pass*", ".s3cfg", ".boto", ".terraformrc", "*.tfstate",
    "*.tfstate.backup", "credentials", "credentials.json", ".credentials", ".credentials.json", "credentials.toml",
    "credentials.tfrc.json", "client_secret*.json", "service-account*.json", "*firebase-adminsdk*.json", "service_account*.json",
    "secrets.yml", "secrets.yaml",
    "secrets.json", "secrets.toml", "*-key.json", "*_key.json", "wp-config.php",
    ".secrets", ".secret", "*.secret", "master.key", "auth.json", "oauth_creds.json",
    "application_default_credentials.json", ".claude.json", "*_history", ".*_history", ".lesshst", ".viminfo", ".rediscli_history",
    "kubeconfig", "*.kubeconfig", "shadow", "gshadow",
)
# A copy of a secret is one.
COPIES = (".gz", ".bz2", ".xz", ".zst", ".bak", ".old", ".orig", ".save", "~")
# Names of that shape which hold no secret.
NOT_SECRET = ("*.example", "*.sample", "*.template", "*.tmpl", "*.dist", "*.defaults", "*.schema", "*.pub", "example.env", "sample.env",
              "template.env", "*.env.d.ts")
SECRET_PLACES = (
    "**/secrets/**", "**/.secrets/**", "~/.ssh/**", "~/.gnupg/**", "~/.aws/**", "~/.azure/**", "~/.config/gcloud/**", "~/.kube/**",
    "~/.docker/config.json", "~/.npmrc", "~/.yarnrc*", "~/.config/gh/**", "~/.config/hub", "~/.config/glab-cli/**", "~/.config/op/**",
    "~/.op/**", "~/.password-store/**", "~/.config/github-copilot/**", "~/.config/doctl/**", "~/.config/rclone/**", "~/.config/pip/**",
    "~/.pip/**", "~/.terraform.d/**", "~/.fly/**", "~/.cargo/credentials*", "~/.m2/settings*.xml", "~/.gradle/gradle.properties",
    "~/.gem/credentials", "~/.composer/auth.json", "~/.codex/auth.json", "~/.gemini/**", "~/.local/share/keyrings/**",
    "~/.local/share/kwalletd/**", "~/.local/share/fish/**", "~/.mozilla/**", "~/.thunderbird/**", "~/.config/google-chrome/**",
    "~/.config/chromium/**", "~/.config/bravesoftware/**", "~/.bitcoin/**", "~/.ethereum/**", "~/Library/Keychains/**",
    "~/Library/Cookies/**", "~/Library/Application Support/Google/**", "~/Library/Application Support/Firefox/**",
    "/Library/Keychains/**", "/etc/shadow*", "/etc/gshadow*", "/etc/sudoers*/**", "/etc/ssh/ssh_host_*", "/etc/ssl/private/**",
    "/etc/krb5.keytab", "/run/secrets/**", "/var/run/secrets/**", "/proc/*/environ", "/proc/*/mem", "/proc/*/task/*/environ",
    "/proc/*/fd/**", "/proc/*/root/**", "/proc/*/cwd/**", "/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/sd*", "/dev/nvme*", "/dev/vd*",
    "/dev/disk*", "/dev/input/**", "~/.askfirst/**", "~/.config/askfirst/tokens*", "~/.local/state/askfirst/**",
    "~/Library/Application Support/askfirst/**",
)
# Programs that look at files without showing what is in them.
COUNTERS = frozenset({"wc", "stat", "file", "du", "ls", "test", "[", "cksum", "md5sum", "sha1sum", "sha256sum", "sha512sum", "b2sum"})
