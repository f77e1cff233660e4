"""Names of programs that a rule must not name carelessly, as tables. Used where files are loaded and where advice is
given."""

from __future__ import annotations

__all__ = [
    "ABBREVIATES",
    "BROUGHT_BY",
    "COUNTERS",
    "DANGEROUS",
    "DECODERS",
    "DISPATCHERS",
    "INTERPRETERS",
    "LISTABLE",
    "LISTABLE_WRAPPERS",
    "LOADS_BEAMS",
    "ON_DATA",
    "PACKAGES",
    "PROGRAM_OF_PACKAGE",
    "PUBLISHES",
    "RESPONSE_FILES",
    "RUNS_ALL_THE_SAME",
    "SHELLS",
    "TAKES_DATA",
    "WRAPPERS",
    "base_name",
    "family",
]

SHELLS = frozenset(
    "sh bash zsh dash ksh mksh ash fish csh tcsh rbash busybox toybox pwsh powershell nu xonsh elvish".split()
)

INTERPRETERS = frozenset(
    "python python2 python3 pypy pypy3 node nodejs deno bun perl ruby php lua luajit awk gawk mawk nawk tclsh expect "
    "osascript "
    "Rscript julia guile scheme racket jshell groovy irb ipython bpython ghci swipl erl elixir iex ts-node tsx "
    "sqlite3 psql mysql gdb lldb vim nvim emacs ed ex".split()
)
# psql, sqlite3, gdb and the editors run code that they are given, but people do list them by name: they are
# interpreters for what an approval may remember (exact text), yet a file may name them.
LISTABLE = frozenset("sqlite3 psql mysql gdb lldb vim nvim emacs ed ex awk gawk mawk nawk".split())

# Programs without rows of sub-commands that take the beginning of one for the whole, by their manuals.
ABBREVIATES = frozenset("hg fossil tmux ip tc bridge nmcli gem bundle rails thor vagrant artisan composer npm".split())

WRAPPERS = frozenset(
    "env xargs timeout gtimeout nice ionice nohup stdbuf setsid time command builtin exec eval source . find fd "
    "parallel watch entr "
    "chroot unshare nsenter flock script strace ltrace ssh npx pnpx bunx uvx pipx systemd-run proot fakeroot chrt "
    "taskset "
    "catchsegv rlwrap unbuffer trap coproc dbus-run-session xvfb-run firejail bwrap wsl wsl.exe cmd cmd.exe".split()
)
# `find` and `fd` are wrappers only through -exec, which the analysis reports on its own: a file may name them.
LISTABLE_WRAPPERS = frozenset("find fd time watch ssh pipx".split())

# What the tables call a program that was read, and only works on data.
ON_DATA = "on-data"

# What entries and answers call a package that is fetched and run, by whichever of these runners.
PACKAGES = {
    "npm-package": ("npx", "bunx", "pnpx", "bun x", "npm exec --", "pnpm dlx", "yarn dlx"),
    "pypi-package": ("uvx", "uv tool run", "pipx run"),
}

# Packages whose program has another name: what is known of the program holds for them.
PROGRAM_OF_PACKAGE = {
    "@angular/cli": "ng",
    "@arethetypeswrong/cli": "attw",
    "@aws-amplify/cli": "amplify",
    "@biomejs/biome": "biome",
    "@cloudflare/wrangler": "wrangler",
    "@playwright/test": "playwright",
    "@railway/cli": "railway",
    "ansible-core": "ansible",
    "aws-cdk": "cdk",
    "aws-sam-cli": "sam",
    "awscli": "aws",
    "awsebcli": "eb",
    "azure-cli": "az",
    "firebase-tools": "firebase",
    "netlify-cli": "netlify",
    "typescript": "tsc",
}

# Where an environment of the project keeps its programs (nothing is written there without asking), and the profile
# that makes its well-known tools the ones that rules mean.
BROUGHT_BY = {
    "/.venv/bin": "python-dev",
    "/venv/bin": "python-dev",
    "/node_modules/.bin": "node-dev",
    "/vendor/bin": "php-dev",
}
# Scripts whose first word chooses which code runs: `manage.py migrate` is not `manage.py shell`.
DISPATCHERS = frozenset("manage.py artisan console rails rake flask cli.py tasks.py ace spark wp.php".split())

# Programs that turn data into other data, and run code or write anywhere when an option says so (`--lua-filter`,
# `-shell-escape`, `-o`): what was approved is these words.
TAKES_DATA = frozenset(
    "pandoc dot neato ffmpeg convert magick mogrify pdflatex latex xelatex lualatex latexmk tex".split()
)

# `--help` and `--version` are arguments like others to these: they run their standard input (Tcl 8.6, newLISP 10.7), a
# file of that name (Expect 5.45), or load what lies in the directory that they are started in (Erlang 25, Gforth 0.7).
LOADS_BEAMS = frozenset(("elixir", "iex"))
RUNS_ALL_THE_SAME = LOADS_BEAMS | {"tclsh", "wish", "newlisp", "expect", "gforth"}

# Programs that look at files without showing what is in them.
COUNTERS = frozenset("wc stat file du ls test [ cksum md5sum sha1sum sha256sum sha512sum b2sum".split())
# Programs to which `@FILE` stands for the words in a file, among those that may be given any names.
RESPONSE_FILES = frozenset("strings nm objdump readelf size addr2line c++filt ar ranlib strip".split())
# Programs that make other text of a text: what they print may be a name or a command that nobody wrote out.
DECODERS = frozenset("base64 base32 gbase64 basenc xxd openssl rev tr uudecode od hexdump compgen".split())

_CLOUD = "acts on cloud infrastructure: it can reach production, change or delete resources, and cost money"
_CLUSTER = "acts on a cluster: it can stop or change what runs in production"
_INFRA = "changes infrastructure: it can create, replace or destroy what other people depend on"
_CONTAINERS = "starts, stops or removes services with their data"
_PACKAGES = "changes what is installed on this machine, for everybody"
_SERVICES = "starts, stops or changes services of this machine"
PUBLISHES = "deploys or publishes: what it does is seen by others and is hard to take back"

# Words that say that a sub-command only looks, and words behind which nothing does.
LOOKS = frozenset("ls list get show describe inspect info status whoami view logs history versions search help".split())
_ACTS = frozenset(
    """
install i add upgrade run exec execute eval shell sh bash script console ssh deploy publish push upload release remove
rm delete del destroy drop purge prune wipe reset kill uninstall login auth set unset create new update edit start stop
restart up down apply import export move patch scale rollback promote restore enable disable rename link unlink invoke
""".split()
)
# Dangerous programs whose first word may be a file, a host, a package or a directory to publish, or which show secrets.
_NEVER_LOOK = frozenset("ansible ansible-playbook salt emerge surge now vercel service dpkg rpm pacman vault".split())


# What a first word shows that is none of those, by the program: what would change, or what a server has logged.
_SHOWS = {
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), ("plan",)),
    "pulumi": ("preview",),
    "vercel": ("logs",),
}
# Sub-commands of dangerous programs that stay on this machine. The words of one stand with `:` between them.
STAYS_HERE = {
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), "init validate"),
    "vercel": "dev build",
    "netlify": "dev build serve",
    "firebase": "emulators:start emulators:exec serve",
    "wrangler": "dev types",
    "sam": "validate build local",
    "heroku": "local",
    **dict.fromkeys(("serverless", "sls"), "offline"),
    "supabase": "start stop status init functions:serve functions:new migration:new db:diff db:lint db:start "
    "gen:types test:db test:new",
}


def is_harmless(program: str, words: list[str]) -> bool:
    """Whether a sub-command of a dangerous program only looks, or stays on this machine. Where an option carries
    something over (`terraform init -migrate-state`) it does not."""
    named = {":".join(words[:count]) for count in (1, 2)}
    here = not named.isdisjoint(STAYS_HERE.get(program, "").split())
    return bool(looking_words(program, words)) or (here and not any("migrate" in w or "force" in w for w in words))


def looking_words(program: str, words: list[str]) -> list[str]:
    """The sub-command of a program that no table knows, where it only looks: `secrets list`, `projects:list`."""
    if words and words[0] in _SHOWS.get(program, ()):
        return words[:1]
    for count, word in enumerate(words[:3] if program not in _NEVER_LOOK else (), 1):
        verb = word.rpartition(":")[2]
        if not word.replace("-", "").replace(":", "").isalnum() or word.startswith("-") or verb in _ACTS:
            break
        if verb in LOOKS:
            return words[:count]
    return []


# name -> consequences. Such a command asks with a warning of its own, and wants CONFIRM unless it only looks.
DANGEROUS: dict[str, str] = {
    **dict.fromkeys(
        (
            "aws aws-vault gcloud gsutil bq az azd doctl linode-cli hcloud oci ibmcloud aliyun eksctl sam cdk copilot"
        ).split(),
        _CLOUD,
    ),
    **dict.fromkeys(
        "kubectl oc helm helmfile k9s kustomize argocd flux istioctl nomad rancher kubeadm".split(), _CLUSTER
    ),
    **dict.fromkeys(
        (
            "terraform terragrunt tofu pulumi packer ansible ansible-playbook salt puppet chef-client vault consul"
        ).split(),
        _INFRA,
    ),
    "docker-machine": _CONTAINERS,
    **dict.fromkeys("apt apt-get dpkg yum dnf rpm zypper pacman apk emerge snap flatpak".split(), _PACKAGES),
    **dict.fromkeys("systemctl service launchctl rc-service sc update-rc.d chkconfig initctl".split(), _SERVICES),
    **dict.fromkeys(
        "heroku flyctl fly vercel netlify firebase wrangler serverless sls railway surge eb now".split(), PUBLISHES
    ),
    **dict.fromkeys("iptables ip6tables nft ufw firewall-cmd".split(), "changes the firewall of this machine"),
}


def base_name(name: str) -> str:
    """The last part of a program's path."""
    return name.rpartition("/")[2]


def family(name: str) -> str:
    """`python3.12` and `python3` are `python`-like: the name without a trailing version."""
    short = base_name(name).lower().removesuffix(".exe")
    return short if short in SHELLS or short in INTERPRETERS or short in WRAPPERS else short.rstrip("0123456789.-")
