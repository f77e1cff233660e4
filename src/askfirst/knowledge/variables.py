"""Environment variables, by what they do: nothing but other output, other code, or a credential in the open. Each name
stands once."""

from __future__ import annotations

__all__ = [
    "CHOOSES_ENVIRONMENT",
    "INERT",
    "INERT_VALUES",
    "PUBLIC_PREFIXES",
    "SAYS_WHERE",
    "chooses",
    "chooses_for_client",
    "holds_inert_options",
    "is_choice",
    "is_credential",
    "is_inert",
    "is_masked",
    "is_obeyed",
    "is_switch",
    "loads_code",
    "looks_secret",
    "reaches_gate",
    "runs_code_of_repository",
]

# --- nothing but other output -----------------------------------------------------------------------------------------

# Names that no common tool takes for code, a program, a file to write or a place to load from; in the last rows, what
# an application signs its own cookies with: it opens no account.
INERT = frozenset(
    """
CI NODE_ENV RUST_BACKTRACE RUST_LOG LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME LANG LANGUAGE TZ
FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED
PYTHONIOENCODING PYTHONUTF8 PYTHONFAULTHANDLER DEBUG TERM COLUMNS LINES COLORTERM DEBIAN_FRONTEND
CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN CARGO_INCREMENTAL CARGO_BUILD_JOBS CARGO_NET_OFFLINE APP_ENV FLASK_ENV
FLASK_DEBUG DJANGO_DEBUG ENVIRONMENT VERBOSE V LOG_LEVEL LOGLEVEL PORT HOST BROWSERSLIST_IGNORE_OLD_DATA
NEXT_TELEMETRY_DISABLED DOTNET_CLI_TELEMETRY_OPTOUT HOMEBREW_NO_AUTO_UPDATE HOMEBREW_NO_ANALYTICS DO_NOT_TRACK
PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT NPM_CONFIG_LOGLEVEL npm_config_loglevel npm_config_fund
npm_config_audit NPM_CONFIG_FUND NPM_CONFIG_AUDIT DJANGO_SETTINGS_MODULE GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_LFS_SKIP_SMUDGE PYTHONOPTIMIZE
PYTHONASYNCIODEBUG PYTHONTRACEMALLOC GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_MERGE_AUTOEDIT GIT_ADVICE
GOMAXPROCS GOTRACEBACK GO111MODULE GOOS GOARCH CGO_ENABLED OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS
NUMEXPR_NUM_THREADS TOKENIZERS_PARALLELISM CUDA_VISIBLE_DEVICES TF_CPP_MIN_LOG_LEVEL HYPOTHESIS_PROFILE
SOURCE_DATE_EPOCH MALLOC_ARENA_MAX PGCONNECT_TIMEOUT QT_QPA_PLATFORM SDL_VIDEODRIVER MPLBACKEND HF_HUB_OFFLINE
TRANSFORMERS_OFFLINE UV_NO_PROGRESS TSC_COMPILE_ON_ERROR JEST_WORKERS VITEST CYPRESS_CI
STORYBOOK_DISABLE_TELEMETRY GRADLE_DAEMON_DISABLED LESSCHARSET SYSTEMD_COLORS GH_NO_UPDATE_NOTIFIER
GH_PROMPT_DISABLED NPM_CONFIG_COLOR GCC_COLORS CMAKE_BUILD_PARALLEL_LEVEL CTEST_OUTPUT_ON_FAILURE
CTEST_PARALLEL_LEVEL RUST_MIN_STACK RUST_TEST_THREADS PROPTEST_CASES UPDATE_SNAPSHOTS SQLX_OFFLINE GODEBUG
TF_IN_AUTOMATION TF_INPUT AWS_REGION AWS_DEFAULT_REGION BUILDKIT_PROGRESS NX_DAEMON ESLINT_USE_FLAT_CONFIG
BABEL_ENV GH_REPO HUSKY PUPPETEER_SKIP_DOWNLOAD PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD SKIP_ENV_VALIDATION
INSTA_UPDATE SKIP_BUILD TEST_ENV TESTING TEST ENV_NAME STAGE DRY_RUN
SECRET_KEY SECRET_KEY_BASE DJANGO_SECRET_KEY FLASK_SECRET_KEY APP_KEY APP_SECRET JWT_SECRET JWT_SECRET_KEY
SESSION_SECRET COOKIE_SECRET NEXTAUTH_SECRET AUTH_SECRET
""".split()
)
# Names that bundlers copy into what they build, and so into what everybody sees.
PUBLIC_PREFIXES = ("VITE_", "NEXT_PUBLIC_", "REACT_APP_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "VUE_APP_", "GATSBY_")

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

# Options that load nothing, in variables that programs read options from.
_NODE = frozenset(
    (
        "--max-old-space-size --max_old_space_size --no-warnings --experimental-vm-modules --enable-source-maps "
        "--no-deprecation --trace-warnings --trace-deprecation --unhandled-rejections --no-experimental-fetch "
        "--openssl-legacy-provider"
    ).split()
)
_GO = ("-mod", "-count", "-v", "-race", "-tags", "-buildvcs", "-trimpath")
_JAVA_MEMORY = ("-Xmx", "-Xms", "-Xss")


def _is_lint(word: str) -> bool:
    """`-D warnings`, `-Wunused`: what the compiler complains about."""
    named = word[:2] in ("-D", "-W", "-A") and word[2:].replace("_", "").replace("-", "").isalnum()
    return named or word in ("-D", "-W", "-A", "warnings")


_INERT_OPTIONS = {
    "NODE_OPTIONS": lambda word: word.partition("=")[0] in _NODE,
    "RUSTFLAGS": _is_lint,
    "RUSTDOCFLAGS": _is_lint,
    "GOFLAGS": lambda word: word.partition("=")[0] in _GO,
    "MAKEFLAGS": lambda word: word.rstrip("0123456789") == "-j",
    "JAVA_TOOL_OPTIONS": lambda word: word.startswith(_JAVA_MEMORY) and word[4:-1].isdigit(),
}


def holds_inert_options(name: str, value: str) -> bool:
    """Whether a variable that programs read options from holds none that matters."""
    is_inert = _INERT_OPTIONS.get("JAVA_TOOL_OPTIONS" if name.endswith("_OPTS") else name)
    return is_inert is not None and all(map(is_inert, value.split()))


# Of the inert ones those that say where a program acts, or on what: a yes with one value is none with another.
SAYS_WHERE = frozenset(
    "STAGE ENV_NAME APP_ENV FLASK_ENV ENVIRONMENT TEST_ENV RAILS_ENV RACK_ENV MIX_ENV AWS_REGION AWS_DEFAULT_REGION "
    "GH_REPO HOST DRY_RUN DJANGO_SETTINGS_MODULE GOOS GOARCH".split()
)


# In which environment `uv run` finds a program.
CHOOSES_ENVIRONMENT = frozenset(
    "UV_PROJECT_ENVIRONMENT UV_PROJECT UV_ISOLATED UV_NO_PROJECT UV_WORKING_DIR UV_WORKING_DIRECTORY".split()
)


# The same with these values only: `NODE_ENV=production knex migrate:latest` takes another database.
_IN_EARNEST_ONLY = frozenset({"NODE_ENV", "BABEL_ENV"})


def chooses(name: str, value: str) -> bool:
    """Whether an answer or an entry must name the variable to count where it is set."""
    if name in _IN_EARNEST_ONLY:
        return value not in ("test", "development")
    return name in SAYS_WHERE or not (is_inert(name, value) or name.startswith(PUBLIC_PREFIXES))


def is_switch(name: str, value: str) -> bool:
    """`ANALYZE=true`: a name that nothing here knows, and a value that can name no program, file or address."""
    plain = value.isascii() and ((value.isdigit() and len(value) < 8) or value.lower() in SWITCH_WORDS)
    return plain and _is_own(name)


def is_choice(name: str, value: str) -> bool:
    """`LANGUAGE_MODE=typescript`: a word for the project's own code. To a compiler it may be a program's name."""
    return _is_own(name) and value.isascii() and NAMES_A_PLACE.isdisjoint(name.split("_")) and _is_choice(value)


def _is_own(name: str) -> bool:
    """One letter is anybody's, two are a tool's (`AR`)."""
    return len(name) != 2 and name.isupper() and name.isascii() and not is_obeyed(name) and not is_masked(name)


def _is_choice(value: str) -> bool:
    plain = value.replace("-", "").replace("_", "")
    chosen = plain.isalnum() and plain.islower() and value[0].isalpha() and len(value) <= MAX_CHOICE
    return chosen and not any(word in value for word in _IN_EARNEST)


# A word of a name that says that its value is a place, a program or somebody to talk to, whatever it looks like.
NAMES_A_PLACE = frozenset(
    """
FILE FILES FILENAME PATH PATHS DIR DIRS DIRECTORY FOLDER ROOT HOME BASE PREFIX OUT OUTPUT OUTDIR OUTFILE DEST TARGET
CONFIG CONF RC SETTINGS PLUGIN PLUGINS MODULE MODULES REQUIRE PRELOAD LOADER IMPORT ENTRY MAIN COMMAND CMD EXEC BIN
BINARY PROGRAM SCRIPT SHELL WRAPPER RUNNER HOOK HOOKS EDITOR BROWSER COMPILER INTERPRETER HOST HOSTS HOSTNAME SERVER
URL URI ENDPOINT ADDRESS ADDR PROXY REGISTRY REMOTE ORIGIN DOMAIN SOCKET PORT BUCKET ACCOUNT PROJECT PROFILE CLUSTER
CONTEXT NAMESPACE STACK DATABASE DB SCHEMA TABLE USER USERNAME LOG LOGFILE CACHE TMP TEMP REPORT COVERAGE TAG VERSION
IMAGE PACKAGE
""".split()
)
MAX_CHOICE = 32
# A yes must say so where something is meant in earnest.
_IN_EARNEST = ("prod", "live", "stag", "release", "deploy", "publish", "real", "main", "master", "force", "delete")


def is_inert(name: str, value: str) -> bool:
    """Whether this variable with this value is known to change nothing but output."""
    return name in INERT or value in INERT_VALUES.get(name, ()) or holds_inert_options(name, value)


# --- other code -------------------------------------------------------------------------------------------------------

# Names that choose programs or code: no entry of a rule file can call them inert, and in a repository's settings they
# close the gate. By what obeys them: shells; loaders; languages; builds; version control; pagers, editors and what
# shows text; archives and transfers; clouds and databases.
LOADS_CODE = frozenset(
    """
PATH BASH_ENV ENV IFS SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND BASH_LOADABLES_PATH ZDOTDIR FPATH fpath module_path SHELL
HOME READNULLCMD NULLCMD INPUTRC DIRENV_BASH DIRENV_CONFIG
GCONV_PATH OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES GTK_MODULES GTK_PATH GTK3_MODULES GIO_EXTRA_MODULES
GIO_MODULE_DIR QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH GDK_PIXBUF_MODULE_FILE GST_PLUGIN_PATH SASL_PATH KRB5_CONFIG
LIBGL_DRIVERS_PATH GVBINDIR MAGICK_CONFIGURE_PATH MAGICK_CODER_MODULE_PATH MAGICK_FILTER_MODULE_PATH AWKLIBPATH AWKPATH
NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE BUN_OPTIONS TS_NODE_COMPILER TS_NODE_PROJECT YARN_RC_FILENAME
YARN_IGNORE_PATH COREPACK_HOME PERLLIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
JAVACMD RHOME TCL_LIBRARY RUBYGEMS_GEMDEPS CLASSPATH PHPRC
PHP_INI_SCAN_DIR LUA_INIT LUA_PATH LUA_CPATH TCLLIBPATH GUILE_LOAD_PATH GUILE_LOAD_COMPILED_PATH
R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_LIBS R_LIBS_USER JULIA_LOAD_PATH JULIA_DEPOT_PATH OCAMLPATH
CAML_LD_LIBRARY_PATH ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ERL_LIBS ELIXIR_ERL_OPTIONS MYPYPATH IPYTHONDIR
PYTEST_ADDOPTS COVERAGE_PROCESS_START COVERAGE_RCFILE PYLINTRC PIP_CONFIG_FILE PIP_PYTHON UV_PYTHON
UV_CONFIG_FILE DENO_DIR DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_GCName DOTNET_GCPath COMPlus_GCName
COREPACK_NPM_REGISTRY COREPACK_INTEGRITY_KEYS RUSTUP_DIST_SERVER RUSTUP_DIST_ROOT RUSTUP_UPDATE_ROOT
FLUTTER_STORAGE_BASE_URL
CC CXX CPP LD MAKE MAKEFLAGS MAKEFILES GNUMAKEFLAGS MFLAGS RUSTFLAGS RUSTDOCFLAGS GOFLAGS GOENV GOROOT GOAUTH
GOCACHEPROG GOTOOLDIR COMPILER_PATH GCC_EXEC_PREFIX CCC_OVERRIDE_OPTIONS SWIFT_EXEC CMAKE_TOOLCHAIN_FILE
CMAKE_PROJECT_TOP_LEVEL_INCLUDES PKG_CONFIG CCACHE_PREFIX CCACHE_COMPILER MAVEN_ARGS GRADLE_USER_HOME ANT_ARGS
M4PATH TEXMFCNF TEXINPUTS GS_OPTIONS GS_LIB NIX_CONFIG NIX_PATH NIX_CONF_DIR NIX_USER_CONF_FILES
MISE_TRUSTED_CONFIG_PATHS HGRCPATH HGEDITOR HGMERGE SVN_SSH GNUPGHOME JJ_CONFIG LEFTHOOK_CONFIG LEFTHOOK_BIN
PRE_COMMIT_HOME PREK_HOME RAKEOPT
PAGER EDITOR VISUAL FCEDIT BROWSER LESSOPEN LESSCLOSE LESSKEY LESSKEYIN LESSKEY_SYSTEM LESSKEYIN_SYSTEM
LESSKEY_CONTENT MANPAGER MANOPT MANROFFSEQ MANROFFOPT GROFF_COMMAND_PREFIX APT_CONFIG RPM_CONFIGDIR FFREPORT
VIMINIT EXINIT GVIMINIT MYVIMRC EMACSLOADPATH BAT_CONFIG_PATH BAT_CONFIG_DIR FZF_DEFAULT_COMMAND RIPGREP_CONFIG_PATH
ACKRC BC_ENV_ARGS DC_ENV_ARGS GREP_OPTIONS TERMINFO TERMCAP
TAR_OPTIONS RSYNC_CONNECT_PROG CURL_HOME WGETRC SYSTEM_WGETRC ZIPOPT ZIP UNZIP UNZIPOPT ZIPINFO ZIPINFOOPT
KUBECTL_EXTERNAL_DIFF KUBECONFIG KUBERC AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE CLOUDSDK_PYTHON
CLOUDSDK_PYTHON_ARGS AZURE_EXTENSION_DIR DOCKER_CONFIG PGSYSCONFDIR LIBMYSQL_PLUGIN_DIR JDK_JAVAC_OPTIONS
CONTAINERS_CONF CONTAINERS_CONF_OVERRIDE CONTAINERS_STORAGE_CONF
TERRAFORM_CONFIG TERRAGRUNT_TFPATH TG_TF_PATH TF_CLI_CONFIG_FILE TF_DATA_DIR
ANSIBLE_CONFIG ANSIBLE_LIBRARY PSQLRC PGSERVICEFILE MYSQL_HOME
""".split()
)
LOADS_CODE_PREFIXES = tuple(
    """
LD_ DYLD_ BASH_FUNC_ GIT_ PYTHON PERL5 XDG_ ASKFIRST_ CLAUDE npm_config_ NPM_CONFIG_ SSH_ RUSTC CARGO_ LUA_PATH_
LUA_CPATH_ LUA_INIT_ BUNDLE_ TF_CLI_ARGS CORECLR_PROFILER_PATH COR_PROFILER_PATH SWIFT_DRIVER_
""".split()
)
LOADS_CODE_SUFFIXES = tuple(
    """
_PAGER _EDITOR _BROWSER _OPTS _JAVA_OPTIONS _ASKPASS _RSH _SSH_COMMAND _PLUGINS _PRELOAD _BINARY _BINARY_PATH
_NATIVE_LIBRARY_PATH _ENGINE_LIBRARY
""".split()
)
# Names that say which server is told a token by an allowed command (`wrangler whoami`, `gcloud projects list`,
# `helm list`). In a repository's settings they close the gate, too.
SAYS_WHO_IS_TOLD = frozenset(
    """
CLOUDFLARE_API_BASE_URL WRANGLER_AUTH_URL WRANGLER_AUTH_DOMAIN WRANGLER_TOKEN_URL WRANGLER_REVOKE_URL
WRANGLER_API_ENVIRONMENT TURBO_API HELM_KUBEAPISERVER
""".split()
)
SAYS_WHO_IS_TOLD_PREFIXES = ("CLOUDSDK_API_ENDPOINT_OVERRIDES_", "CLOUDSDK_AUTH_", "CLOUDSDK_PROXY_")
# Of those, what reaches the gate itself when a repository's settings hand it to the client, whatever the value: it is
# loaded into whatever the client starts, moves the files by which askfirst decides, or turns hooks off.
REACHES_GATE = frozenset(
    """
HOME ZDOTDIR CLAUDE_CONFIG_DIR CLAUDE_PROJECT_DIR SHELL CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX BASH_ENV ENV
PROMPT_COMMAND PS4 IFS SHELLOPTS BASHOPTS GCONV_PATH PATH CLAUDE_CODE_SIMPLE CLAUDE_CODE_SAFE_MODE
CLAUDE_CODE_PERSONAL_HOOKS_OFF CLAUDE_PLUGIN_ROOT CLAUDE_PID CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SESSION_ATTENDED
""".split()
)
REACHES_GATE_PREFIXES = ("XDG_", "ASKFIRST_", "BASH_FUNC_", "DYLD_", "LD_")
# Where a program finds what it runs, or the file that says so. In a repository's settings they close the gate, too,
# where the value names a place that the repository can fill; `JAVA_HOME=/usr/lib/jvm/java-17` does not.
CODE_PLACES = frozenset(
    """
JAVA_HOME M2_HOME MAVEN_HOME GRADLE_HOME GEM_HOME GEM_PATH GEMRC VIRTUAL_ENV CONDA_PREFIX UV_PYTHON_INSTALL_DIR
RUSTUP_HOME RUSTUP_TOOLCHAIN PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION NODENV_ROOT NODENV_VERSION GOENV_ROOT
GOENV_VERSION JENV_ROOT JENV_VERSION TFENV_ROOT ASDF_DIR ASDF_DATA_DIR ASDF_CONFIG_FILE MISE_DATA_DIR MISE_CONFIG_DIR
MISE_GLOBAL_CONFIG_FILE VOLTA_HOME FNM_DIR NVM_DIR PNPM_HOME BUN_INSTALL GOPATH GOMODCACHE FLUTTER_ROOT DOTNET_ROOT
DEVELOPER_DIR SDKROOT NODE_COMPILE_CACHE BLACK_CACHE_DIR PYLINTHOME ANSIBLE_HOME ANSIBLE_INVENTORY
ANSIBLE_VAULT_PASSWORD_FILE ANSIBLE_VAULT_IDENTITY_LIST ANSIBLE_COLLECTIONS_PATH ANSIBLE_COLLECTIONS_PATHS
ANSIBLE_ROLES_PATH ANSIBLE_MODULE_UTILS ANSIBLE_PLAYBOOK_DIR GH_CONFIG_DIR GLAB_CONFIG_DIR AZURE_CONFIG_DIR
CLOUDSDK_CONFIG HELM_DATA_HOME PACKER_PLUGIN_PATH SDKMAN_DIR HOMEBREW_BREW_FILE HOMEBREW_CURL_PATH HOMEBREW_GIT_PATH
HOMEBREW_CURLRC RUFF_CONFIG TOX_CONFIG_FILE NOXPYTHON YAMLLINT_CONFIG_FILE PIPENV_PYTHON POETRY_CONFIG_DIR
HATCH_CONFIG HATCH_PYTHON JUPYTER_CONFIG_DIR JUPYTER_CONFIG_PATH ALEMBIC_CONFIG COMPOSER_HOME COMPOSER_VENDOR_DIR
VALE_CONFIG_PATH VALE_STYLES_PATH
""".split()
)
# With these a command means something else than what was judged: `cd docs` goes elsewhere, options become operands.
MISLEADS = frozenset({"CDPATH", "POSIXLY_CORRECT"})
# The client has hundreds of variables, and a repository may set most of them. Those with one of these words in their
# name choose a program, a directory or a file; as a switch (a number, a yes or no) they do not.
CLIENT_CHOICES = frozenset(
    """
SHELL PATH PATHS DIR DIRS FILE COMMAND COMMANDS WRAPPER BIN BINARY SCRIPT EXEC EXECPATH HELPER PREFIX ROOT PLUGIN
PLUGINS SETTINGS CONFIG HOOKS BUBBLEWRAP
""".split()
)
SWITCH_WORDS = frozenset("true false yes no on off auto".split())
# Names that a shell, or a program started later, obeys in other ways: never silent, but an entry of a rule file may
# allow one.
OBEYED = frozenset(
    """
PS0 PS1 PS2 PS3 GLOBIGNORE CDPATH EXECIGNORE FIGNORE HISTFILE HISTCMD TMPDIR TEMP TMP LESS LESSEDIT MORE
MAIL MAILPATH MAILCHECK OPTIND OPTERR HOSTFILE TIMEFORMAT TMOUT POSIXLY_CORRECT FUNCNEST COMP_WORDBREAKS
COMPREPLY COPROC READLINE_LINE TEXTDOMAIN TEXTDOMAINDIR LOCPATH NLSPATH OUTPUT_CHARSET HOSTALIASES RES_OPTIONS
LOCALDOMAIN MALLOC_CHECK_ TERMINFO_DIRS TZDIR AR AS NM RANLIB STRIP CFLAGS CXXFLAGS
CPPFLAGS LDFLAGS GEM_HOME GEM_PATH BUNDLE_GEMFILE JAVA_HOME GOPROXY GONOSUMDB GOSUMDB GOPATH GOBIN
RUSTUP_TOOLCHAIN DISPLAY XAUTHORITY HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy
https_proxy all_proxy no_proxy NO_PROXY NETRC GZIP XZ_OPT
RSYNC_OLD_ARGS RSYNC_PROXY LS_COLORS VIRTUAL_ENV CONDA_PREFIX SHLVL PWD OLDPWD UID EUID PPID
BASHPID RANDOM SRANDOM SECONDS LINENO DIRSTACK GROUPS FUNCNAME PIPESTATUS _ path cdpath manpath mailpath fignore
psvar zsh_eval_context aliases functions commands galiases saliases options prompt POSTEDIT PROMPT RPROMPT
SPROMPT STTY KEYTIMEOUT WORDCHARS
""".split()
)
OBEYED_PREFIXES = tuple(
    """
BASH_ PERL RUBY NODE_ NPM_ npm_ YARN_ PNPM_ RUSTUP_ GO_ PIP_ UV_ POETRY_ DOCKER_ COMPOSE_ AWS_ AZURE_ GOOGLE_
CLOUDSDK_ SUDO_ GPG_ GNUPG LESS MAN COMP_ READLINE_ HIST LUA_ JAVA_ JDK_ MAVEN_ GRADLE_ ASKFIRST DBUS_ QT_ GTK_
GCONV GLIBC_ MALLOC_ KUBE HELM_ TF_ TERRAFORM ANSIBLE_ VAGRANT_ ZSH zsh CMAKE_ CONDA_ JUPYTER PG MYSQL_
ELECTRON_ COREPACK_ DENO_ BUN_ DOTNET_
""".split()
)


def loads_code(name: str) -> bool:
    return name in LOADS_CODE or name.startswith(LOADS_CODE_PREFIXES) or name.endswith(LOADS_CODE_SUFFIXES)


def _names_own_place(name: str, value: str) -> bool:
    """Whether one of `CODE_PLACES` is a relative path, or one that anybody can fill. `RUSTUP_TOOLCHAIN=stable` names a
    version."""
    if name not in CODE_PLACES or (name.endswith(("_VERSION", "_TOOLCHAIN", "PYTHON")) and "/" not in value):
        return False
    return any(not p.startswith("/") or ".." in p or p.startswith(_ANYBODYS) for p in value.split(":"))


_ANYBODYS = ("/proc/", "/dev/", "/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/tmp/")


def _less_starts_programs(value: str) -> bool:
    """Whether options of less name a file of its own, of which one sets the filter that less starts."""
    return any(
        word.startswith(("--lesskey", "--log", "--LOG", "--tag", "+"))
        or (not word.startswith("--") and not set(word).isdisjoint("koOtT"))
        for word in value.replace("$", " ").split()
    )


def reaches_gate(name: str) -> bool:
    """Whether a variable is loaded into whatever a client starts, or moves the files by which askfirst decides."""
    return name in REACHES_GATE or name.startswith(REACHES_GATE_PREFIXES)


def runs_code_of_repository(name: str, value: str, project: str) -> bool:
    """Whether an allowed command may run something else because a repository sets this variable to this value."""
    if name in MISLEADS:
        return bool(value) or name == "POSIXLY_CORRECT"
    if name == "LESS":
        return _less_starts_programs(value)
    if name in CODE_PLACES:
        inside = (f"{part}/".startswith(f"{project}/") for part in value.split(":"))
        return _names_own_place(name, value) or (bool(project) and any(inside))
    told = name in SAYS_WHO_IS_TOLD or name.startswith(SAYS_WHO_IS_TOLD_PREFIXES)
    return told or (loads_code(name) and not is_inert(name, value))


def chooses_for_client(name: str, value: str) -> bool:
    """Whether a variable of Claude Code's own names a program, a directory or a file: with this value, no switch."""
    switches = value.isdigit() or value.lower() in SWITCH_WORDS
    return not switches and not CLIENT_CHOICES.isdisjoint(name.split("_"))


def is_obeyed(name: str) -> bool:
    """Whether a shell or a program does something else because of this variable."""
    told = name in SAYS_WHO_IS_TOLD or name in CODE_PLACES
    return told or loads_code(name) or name in OBEYED or name.startswith(OBEYED_PREFIXES)


# --- credentials ------------------------------------------------------------------------------------------------------

_PARTS = (
    "key",
    "token",
    "secret",
    "pass",
    "cred",
    "auth",
    "cookie",
    "session",
    "private",
    "dsn",
    "database_url",
    "conn",
)


def looks_secret(name: str) -> bool:
    """Whether an environment variable's name says that its value is a credential."""
    lower = name.lower()
    return any(part in lower for part in _PARTS)


# Words of the above that say something else in the names that a desktop, a shell or an agent sets.
_HARMLESS = (
    "XDG_",
    "DBUS_",
    "SSH_AUTH_SOCK",
    "DESKTOP_SESSION",
    "GNOME_KEYRING",
    "KEYBOARD",
    "COMPASS",
    "AUTHOR",
    "GIT_AUTHOR",
)


def is_credential(name: str) -> bool:
    """Whether a variable that the script does not set itself is, by its name, a credential of the environment."""
    return (
        name.isupper()
        and looks_secret(name)
        and not name.startswith((*_HARMLESS, *PUBLIC_PREFIXES))
        and not name.endswith(("_SESSION_ID", "_AUTHOR"))
    )


# Variables whose values are masked wherever they stand. Narrower than `looks_secret`: a false match there costs a
# question, here it would blot out ordinary words in every text.
_MASKED_PARTS = tuple("passw secret token api_key apikey access_key private_key credential _auth _pat".split())
_MASKED_ENDS = ("_key", "_pass", "_pwd", "_dsn")
# What stands beside a secret and is none: `TOKEN_FILE`, `SECRET_NAME`.
_ABOUT_ENDS = ("_path", "_dir", "_file", "_sock", "_url_scheme", "_pid", "_length", "_ttl", "_id", "_name")


def is_masked(name: str) -> bool:
    """Whether the value of an environment variable of this name is masked in texts."""
    lower = name.lower()
    if lower.endswith(_ABOUT_ENDS) or lower in ("pwd", "oldpwd"):
        return False
    return any(part in lower for part in _MASKED_PARTS) or lower.endswith(_MASKED_ENDS)
