"""Variables: which assignments change only what a program prints, and which may make a shell or a program run code."""

from __future__ import annotations

# Names that no common tool takes for code, a program, a file to write or a place to load from.
INERT = frozenset(
    """
CI NODE_ENV RUST_BACKTRACE RUST_LOG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME LANG LANGUAGE TZ
FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING
PYTHONUTF8 PYTHONFAULTHANDLER DEBUG TERM COLUMNS LINES COLORTERM DEBIAN_FRONTEND CARGO_TERM_COLOR
CARGO_TERM_PROGRESS_WHEN CARGO_INCREMENTAL CARGO_BUILD_JOBS CARGO_NET_OFFLINE APP_ENV FLASK_ENV FLASK_DEBUG
DJANGO_DEBUG ENVIRONMENT VERBOSE V LOG_LEVEL LOGLEVEL PORT HOST BROWSERSLIST_IGNORE_OLD_DATA NEXT_TELEMETRY_DISABLED
DOTNET_CLI_TELEMETRY_OPTOUT HOMEBREW_NO_AUTO_UPDATE HOMEBREW_NO_ANALYTICS DO_NOT_TRACK PIP_DISABLE_PIP_VERSION_CHECK
PIP_NO_INPUT NPM_CONFIG_LOGLEVEL npm_config_loglevel npm_config_fund npm_config_audit NPM_CONFIG_FUND NPM_CONFIG_AUDIT
DJANGO_SETTINGS_MODULE GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
GIT_COMMITTER_DATE GIT_LFS_SKIP_SMUDGE PYTHONOPTIMIZE PYTHONASYNCIODEBUG PYTHONTRACEMALLOC GIT_TERMINAL_PROMPT
GIT_OPTIONAL_LOCKS GIT_MERGE_AUTOEDIT GIT_ADVICE GOMAXPROCS GOTRACEBACK GO111MODULE GOOS GOARCH CGO_ENABLED
OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS NUMEXPR_NUM_THREADS TOKENIZERS_PARALLELISM CUDA_VISIBLE_DEVICES
TF_CPP_MIN_LOG_LEVEL HYPOTHESIS_PROFILE SOURCE_DATE_EPOCH MALLOC_ARENA_MAX PGCONNECT_TIMEOUT QT_QPA_PLATFORM
SDL_VIDEODRIVER MPLBACKEND HF_HUB_OFFLINE TRANSFORMERS_OFFLINE UV_NO_PROGRESS TSC_COMPILE_ON_ERROR JEST_WORKERS VITEST
CYPRESS_CI STORYBOOK_DISABLE_TELEMETRY GRADLE_DAEMON_DISABLED LESSCHARSET SYSTEMD_COLORS GH_NO_UPDATE_NOTIFIER
GH_PROMPT_DISABLED NPM_CONFIG_COLOR GCC_COLORS CMAKE_BUILD_PARALLEL_LEVEL CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL
RUST_MIN_STACK RUST_TEST_THREADS PROPTEST_CASES UPDATE_SNAPSHOTS SQLX_OFFLINE GODEBUG TF_IN_AUTOMATION TF_INPUT
AWS_REGION AWS_DEFAULT_REGION BUILDKIT_PROGRESS NX_DAEMON ESLINT_USE_FLAT_CONFIG BABEL_ENV GH_REPO HUSKY
PUPPETEER_SKIP_DOWNLOAD PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD SKIP_ENV_VALIDATION INSTA_UPDATE SKIP_BUILD TEST_ENV TESTING
TEST ENV_NAME STAGE DRY_RUN
""".split()
)

# Names that are inert with some values only: a pager that is `cat` starts nothing else.
INERT_VALUES = {
    "GIT_PAGER": ("cat", ""),
    "PAGER": ("cat", ""),
    "MANPAGER": ("cat", ""),
    "BAT_PAGER": ("cat", ""),
    "GH_PAGER": ("cat", ""),
    "DELTA_PAGER": ("cat", ""),
    "SYSTEMD_PAGER": ("cat", ""),
    "AWS_PAGER": ("", "cat"),
    "GIT_EDITOR": ("true", ":"),
    "EDITOR": ("true", ":"),
    "VISUAL": ("true", ":"),
    "GIT_SEQUENCE_EDITOR": ("true", ":"),
    "RAILS_ENV": ("test", "development"),
    "RACK_ENV": ("test", "development"),
    "MIX_ENV": ("test", "dev"),
    "XDEBUG_MODE": ("coverage", "off"),
    "GOWORK": ("off",),
    "GOTOOLCHAIN": ("local", "auto"),
    "IFS": ("",),
    "GIT_TRACE": ("0", "1", "2", "true", "false"),
}

# Options of node that load nothing, and names that bundlers copy into what they build.
_INERT_NODE = frozenset(
    (
        "--max-old-space-size --max_old_space_size --no-warnings --experimental-vm-modules --enable-source-maps "
        "--no-deprecation --trace-warnings --trace-deprecation --unhandled-rejections --no-experimental-fetch "
        "--openssl-legacy-provider"
    ).split()
)
_INERT_GO = ("-mod", "-count", "-v", "-race", "-tags", "-buildvcs", "-trimpath")
_PUBLIC = ("VITE_", "NEXT_PUBLIC_", "REACT_APP_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "VUE_APP_", "GATSBY_")

# Names that a shell obeys by itself, or that programs started later would (when the name is already exported).
OBEYED = frozenset(
    """
PATH IFS ENV BASH_ENV PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS GLOBIGNORE HOME CDPATH EXECIGNORE FIGNORE
INPUTRC HISTFILE HISTCMD TMPDIR TEMP TMP SHELL EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE LESS LESSEDIT
MORE MAIL MAILPATH MAILCHECK OPTIND OPTERR HOSTFILE TIMEFORMAT TMOUT POSIXLY_CORRECT FUNCNEST COMP_WORDBREAKS
COMPREPLY COPROC READLINE_LINE TEXTDOMAIN TEXTDOMAINDIR LOCPATH NLSPATH OUTPUT_CHARSET GCONV_PATH HOSTALIASES
RES_OPTIONS LOCALDOMAIN MALLOC_CHECK_ TERMINFO TERMINFO_DIRS TERMCAP TZDIR CC CXX CPP LD AR AS NM RANLIB STRIP CFLAGS
CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES MAKE NODE_OPTIONS NODE_PATH RUBYOPT RUBYLIB GEM_HOME
GEM_PATH BUNDLE_GEMFILE CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_HOME MAVEN_OPTS GRADLE_OPTS
GOFLAGS GOPROXY GONOSUMDB GOPATH GOROOT GOBIN RUSTC RUSTFLAGS RUSTDOCFLAGS RUSTC_WRAPPER RUSTUP_TOOLCHAIN
SSH_AUTH_SOCK SSH_ASKPASS SUDO_ASKPASS DISPLAY XAUTHORITY KUBECONFIG KUBE_EDITOR HTTP_PROXY HTTPS_PROXY ALL_PROXY
http_proxy https_proxy all_proxy no_proxy NO_PROXY CURL_HOME WGETRC NETRC RIPGREP_CONFIG_PATH GREP_OPTIONS TAR_OPTIONS
GZIP XZ_OPT ZIPOPT UNZIP RSYNC_RSH RSYNC_OLD_ARGS RSYNC_PROXY LS_COLORS VIRTUAL_ENV CONDA_PREFIX XDG_CONFIG_HOME
XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR XDG_CONFIG_DIRS SHLVL PWD OLDPWD UID EUID PPID BASHPID
RANDOM SRANDOM SECONDS LINENO DIRSTACK GROUPS FUNCNAME PIPESTATUS _ path fpath cdpath manpath module_path mailpath
fignore psvar zsh_eval_context aliases functions commands galiases saliases options prompt POSTEDIT PROMPT RPROMPT
SPROMPT NULLCMD READNULLCMD STTY ZDOTDIR FPATH KEYTIMEOUT WORDCHARS
""".split()
)
OBEYED_PREFIXES = tuple(
    """
LD_ DYLD_ BASH_ GIT_ PYTHON PERL RUBY NODE_ NPM_ npm_ YARN_ PNPM_ CARGO_ RUSTUP_ GO_ PIP_ UV_ POETRY_ DOCKER_ COMPOSE_
AWS_ AZURE_ GOOGLE_ CLOUDSDK_ SSH_ SUDO_ GPG_ GNUPG LESS MAN COMP_ READLINE_ HIST LUA_ JAVA_ JDK_ MAVEN_ GRADLE_
CLAUDE ASKFIRST XDG_ DBUS_ QT_ GTK_ GCONV GLIBC_ MALLOC_ KUBE HELM_ TF_ TERRAFORM ANSIBLE_ VAGRANT_ ZSH zsh CMAKE_
CONDA_ JUPYTER PG MYSQL_
""".split()
)


# Programs that load the project's own code in any case, where a profile allows them at all.
_RUNS_THE_PROJECT = frozenset(
    (
        "pytest",
        "py.test",
        "mypy",
        "tox",
        "nox",
        *(f"{python} -m {name}" for python in ("python", "python3") for name in ("pytest", "unittest", "mypy")),
    )
)


def _is_lint(word: str) -> bool:
    """`-D warnings`, `-Wunused`: what the compiler complains about."""
    named = word[:2] in ("-D", "-W", "-A") and word[2:].replace("_", "").replace("-", "").isalnum()
    return named or word in ("-D", "-W", "-A", "warnings")


def runner(words: list[str | None]) -> str:
    """How a program is called, as far as it matters for its variables: `pytest`, or `python -m pytest`."""
    values = [w or "" for w in words]
    return " ".join(values) if values[1:2] == ["-m"] else values[0] if values else ""


def passed_on(name: str, value: str | None, program: str = "") -> str:
    """Why `NAME=value program`, or `export NAME=value`, is not known to be inert; "" when it is."""
    if value and _holds_inert_options(name, value, program):
        return ""
    if name.startswith(_PUBLIC) and value is not None:
        return ""
    if name in INERT_VALUES:
        return "" if value in INERT_VALUES[name] else f"`{name}` can make programs run or load other code"
    if name in INERT:
        return ""
    if is_obeyed(name):
        return f"`{name}` can make programs run or load other code"
    return f"`{name}` is not known to be inert"


def _holds_inert_options(name: str, value: str, program: str) -> bool:
    """Whether a variable that programs read options or directories from holds none that matters."""
    words = value.split()
    if name == "PYTHONPATH" and program in _RUNS_THE_PROJECT:
        # A directory of the project is where its tests are imported from.
        return all(part and not part.startswith(("/", "~", "-")) and ".." not in part for part in value.split(":"))
    if name == "NODE_OPTIONS":
        return all(one.partition("=")[0] in _INERT_NODE for one in words)
    if name in ("RUSTFLAGS", "RUSTDOCFLAGS"):
        return all(map(_is_lint, words))
    return name == "GOFLAGS" and all(one.partition("=")[0] in _INERT_GO for one in words)


def kept(name: str, value: str | None) -> str:
    """Why `NAME=value` as a command of its own is not harmless; "" when it is: a shell variable that nothing obeys."""
    if name in INERT or not is_obeyed(name):
        return ""
    if name in INERT_VALUES and name != "IFS" and value in INERT_VALUES[name]:
        return ""
    return f"`{name}` can make the shell or programs run or load other code"


def is_obeyed(name: str) -> bool:
    return name in OBEYED or name.startswith(OBEYED_PREFIXES)
