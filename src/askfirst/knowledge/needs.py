"""What programs need beyond the project: the one table by which a call is contained or not.

A box has the project, the system to read, and a loopback of its own. A program that needs more fails there, or answers
wrongly without a word (`ps` sees no process but its own), so it is asked about, or allowed, as if there were no box.

`NEEDS` is by the words that name an action, the longest that fits. `WITHIN` are the programs that need nothing but
the project, so that `box: all` may contain them as well, and `LEFT` those of which that cannot be said. A test holds
them against every program that has rows.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

from askfirst.agents.table import AGENTS

__all__ = ["LEFT", "NEEDS", "WITHIN", "Need", "needs_of"]


class Need(enum.Enum):
    """Something outside the box, in the words of an explanation: "needs the network"."""

    NETWORK = "the network"
    HOME = "files outside the project"
    PROCESSES = "the processes of this machine"
    SOCKETS = "other programs' sockets"
    DOCKER = "docker"
    DEVICES = "a device"
    REPOSITORY = "the repository's own data"  # a commit's hooks and configuration: judged by their own rules


_ROWS: tuple[tuple[Need, str], ...] = (
    (
        Need.NETWORK,
        """
        curl wget ping ping6 traceroute traceroute6 tracepath mtr dig getent nslookup host whois ssh slogin mosh autossh
        scp sftp ssh-copy-id sshfs rsync nc ncat netcat socat telnet ftp lftp aria2c yt-dlp http https xh tftp nmap
        ssh-keyscan tcpdump tshark ngrok cloudflared mail sendmail mutt dns-sd
        aws gcloud az flyctl fly heroku vercel netlify firebase wrangler railway serverless sls amplify doctl linode-cli
        hcloud supabase surge eb sam now gsutil bq azcopy s3cmd rclone aws-vault saml2aws auth0 convex render
        kubectl oc k3s-kubectl helm terraform tofu terragrunt pulumi kustomize k9s argocd istioctl flux talosctl cdk
        packer eksctl gh glab hub tea tldr
        psql mysql mariadb sqlcmd redis-cli mongosh mongo clickhouse clickhouse-client cqlsh sqlplus influx dolt usql
        pgcli mycli pg_dump pg_dumpall pg_restore mysqldump mongodump mongorestore dropdb createdb mysqladmin pg_isready
        aider ollama llm
        flask uvicorn gunicorn hypercorn daphne celery jupyter locust k6 ab caddy nginx prometheus redis-server initdb
        semgrep trivy act nix nix-shell nix-build devbox mise asdf direnv buf
        uvx pipx bunx pnpx dlx pip-audit ansible ansible-playbook ansible-pull ansible-galaxy ansible-console
        ansible-inventory molecule brew apt apt-get dnf yum pacman conda mamba easy_install twine pod fastlane rustup
        fvm eas expo
        """,
    ),
    (
        Need.HOME,
        """
        crontab ssh-add ssh-keygen gpg gpg2 pass gopass op bw lpass secret-tool keyring vault age sops ssh-askpass
        gpg-connect-agent gpgconf ansible-vault security defaults locate history fc
        """,
    ),
    (
        Need.PROCESSES,
        """
        ps top htop pgrep pidof pstree pmap pwdx lsof fuser pkill killall xkill skill kill netstat ss arp route ifconfig
        ip mount findmnt umount blkid dmesg journalctl systemctl timedatectl service rc-service rc-status sysctl last
        who w users uptime free vmstat iostat nvidia-smi sample jps strace ltrace gdb lldb perf bpftrace swapon swapoff
        losetup fusermount iptables ip6tables nft ufw firewall-cmd tc brctl launchctl tmutil networksetup profiles
        hdiutil diskutil scutil spctl softwareupdate dscl system_profiler systemd-run systemd-inhibit systemd-analyze
        start-stop-daemon df lsblk lsusb lspci lsmod hostnamectl at batch jobs fg bg disown write wall
        ipconfig wdutil airport
        """,
    ),
    (
        Need.SOCKETS,
        """
        tmux screen zellij dbus-send gdbus busctl dbus-run-session dbus-launch notify-send xdg-open open say osascript
        automator shortcuts xclip xsel pbcopy pbpaste code codium cursor subl atom mate zed gedit kate emacsclient gvim
        xterm openvt qlmanage mdimport ssh-agent watchman adb electron xcodebuild xcrun simctl
        """,
    ),
    (
        Need.DOCKER,
        """
        docker podman docker-compose podman-compose colima minikube kind buildah skopeo dive nerdctl lima limactl
        multipass vagrant
        """,
    ),
    (Need.REPOSITORY, "git hg svn jj bzr fossil"),
)

# Sub-commands that differ from their program. None: nothing beyond the project.
_ACTIONS: tuple[tuple[Need | None, str], ...] = (
    (
        Need.NETWORK,
        """
        npm view|npm info|npm show|npm search|npm outdated|npm ping|npm audit|npm owner|npm access|npm whoami|npm doctor
        npm diff|npm publish|npm login|npm install|npm ci|npm add|npm update|npm create|npm init
        yarn info|yarn outdated|yarn audit|yarn npm|yarn dlx|yarn create|yarn add|yarn install|yarn upgrade
        pnpm view|pnpm outdated|pnpm audit|pnpm dlx|pnpm create|pnpm add|pnpm install|pnpm update
        bun info|bun outdated|bun audit|bun x|bun create|bun add|bun install|bun update|bun pm
        pip index|pip search|pip download|pip install|uv lock|uv sync|uv add|uv pip|uv tool|uv python|uv publish|uv self
        poetry install|poetry add|poetry update|poetry lock|poetry search|pipenv install|pdm install|pdm add|hatch env
        cargo search|cargo info|cargo audit|cargo outdated|cargo install|cargo add|cargo fetch|cargo update
        cargo publish|go get|go install|go mod|go list|gem install|gem search|gem list|bundle install|bundle outdated
        composer install|composer require|composer update|composer outdated|mix deps.get|mix hex.info
        deno info|deno install|deno add|flutter pub|dart pub|swift package|openssl s_client|prisma db|prisma migrate
        prisma studio|prisma init|playwright install|cypress install|next dev|next start|vite dev|vite preview
        npm start|npm run dev|npm run start|npm run serve|npm run preview|yarn dev|yarn start|pnpm dev|pnpm start
        pnpm run dev|bun dev|bun run dev|nuxt dev|astro dev|ng serve|storybook dev|gatsby develop|nx start|nx serve
        rails server|rails s|php artisan serve|hugo server|jekyll serve|mkdocs serve|http.server|dotnet restore
        """,
    ),
    (Need.HOME, "git config|npm config|pip config"),
    (None, "ssh-keygen -l|sqlite3|duckdb|litecli|protoc|sqlc|tflint|ansible-lint|ansible-doc"),
)

# Programs of which nothing but the project, the system and their input matters.
WITHIN = frozenset(
    """
    gcc g++ cc c++ clang clang++ gcc-11 gcc-12 gcc-13 gcc-14 g++-12 g++-13 clang-15 clang-16 clang-17 clang-18
    ld clang-format clang-tidy cppcheck pkg-config gcov lcov doxygen swiftlint jar javac javap java kotlinc kotlin scala
    scalac rubocop rspec standardrb brakeman srb phpunit pest phpstan psalm phpcs php-cs-fixer pint swiftformat
    swift-format rebar3 xcpretty xcbeautify ruby php irb rake
    shellcheck shfmt hadolint yamllint actionlint typos taplo dotenv-linter proselint jsonlint tidy
    make gmake cmake ctest cpack ninja meson just configure rustc rustfmt gofmt goimports staticcheck hlint gofumpt
    zig dune sqlite3 duckdb litecli jq yq xmllint json_pp csvcut csvlook csvstat csvgrep csvsort plutil bat batcat
    node nodejs tsc vue-tsc eslint prettier jest oxlint vitest mocha ava webpack rollup esbuild tsup swc babel
    tsx ts-node vite-node esno jiti
    svelte-check rspack biome stylelint markdownlint markdownlint-cli2 htmlhint knip depcheck publint attw tsd standard
    xo cspell dpdm c8 nyc commitlint madge typedoc html-validate jscpd depcruise
    python python3 python2 pypy pypy3 python3.6 python3.7 python3.8 python3.9 python3.10 python3.11 python3.12
    python3.13 python3.14 python3.15 pytest py.test ruff mypy black isort flake8 pylint dmypy pyright bandit coverage
    vulture codespell pydocstyle pycodestyle pyflakes autopep8 yapf djlint sqlfluff deptry radon ty djhtml basedpyright
    pyupgrade autoflake interrogate sphinx-build tox nox
    protoc sqlc tflint ansible-lint ansible-doc ansible-config ansible-test
    perl lua luajit Rscript R tclsh guile racket sbcl clisp dc m4 gnuplot octave swipl raku perl6 awka pdflatex latex
    xelatex lualatex latexmk tex pandoc dot ffmpeg convert magick mogrify
    bash sh dash ash zsh ksh mksh fish csh tcsh rbash
    env timeout nice nohup stdbuf setsid time ionice chrt taskset xargs flock hyperfine busybox toybox coreutils
    unbuffer chronic multitime valgrind fakeroot faketime eatmydata
    ldd nm objdump readelf size addr2line c++filt lsattr getfacl pv ts fc-list exiftool identify mediainfo ffprobe
    xattr textutil compression_tool md5 lipo otool sips symbols openssl
    tar bsdtar unzip zipinfo zip gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd 7z 7zz 7za ar cpio awk gawk mawk nawk
    ls dir vdir exa eza cat tac rev nl head tail wc cut tr paste join comm fold fmt pr column colrm expand unexpand
    uuidgen tsort numfmt factor expr seq yes sleep basename dirname realpath readlink stat du cal tput clear true false
    cmp cksum sum look zcat bzcat xzcat lzcat zstdcat strings od hexdump hd date file diff diff3 bc echo md5sum sha1sum
    sha224sum sha256sum sha384sum sha512sum b2sum shasum printf test [ : pwd
    tee touch mkdir rmdir cp mv ln install link mkfifo patch chmod rm unlink truncate dd mktemp
    find grep egrep fgrep rg zgrep ag fd tree fdfind sed sort uniq shuf iconv base64 base32 basenc xxd split
    dos2unix unix2dos
    """.split()
)

# What `box: all` leaves as it is. Whether the first need the network depends on what they are told, or on what lies in
# their caches; the others are builtins, change or draw something for the person, or tell about this very machine.
LEFT = frozenset(
    """
    mvn mvnw gradle gradlew sbt lein bundle gem rails composer dotnet swift swiftc mix flutter dart cargo go
    golangci-lint govulncheck cabal stack gotestsum task bazel bazelisk npm yarn pnpm bun npx deno playwright cypress
    vite parcel ng astro gatsby nuxt nuxi svelte-kit remix storybook next turbo nx lerna size-limit prisma drizzle-kit
    graphql-codegen lint-staged pip pip3 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 uv poetry pipenv pdm
    hatch virtualenv pre-commit django-admin mkdocs alembic ipython rtk bd task-master
    break continue return exit shift times umask ulimit caller dirs help unalias logout suspend type wait cd chdir pushd
    popd declare typeset local export readonly read mapfile readarray getopts unset eval source . trap alias hash
    command builtin exec set shopt compgen let enable bind complete compopt deactivate
    apropos apt-cache arch bwrap caffeinate capsh ccache cgexec chattr chcon chgrp choom chown chpst chroot codesign
    cpulimit cross-env daemonize distcc doas dotenv dotenvx dpkg dpkg-query dzdo ed elixir elvish emacs envchain envdir
    es ex expect firejail forth fzf genie getconf gforth gosu grc groovy groups heaptrack helix hostname hx i386 id iex
    info jed joe jshell kak ld.so ldconfig less linux32 linux64 locale logname logsave lsb_release lscpu man matlab
    maxima mdfind mdls mg micro more nano ncdu newlisp nproc nsenter nu numactl nvim pexec pico pkexec pkgutil
    powershell printenv prlimit proot proxychains proxychains4 pwsh r2 rc red restorecon rlwrap rpm run0 runuser rush
    rvim sage schroot
    script scsh sem setarch setfacl setlock setpriv setuidgid sg shred softlimit sshpass stty su-exec sudo sudo-rs
    sw_vers torify torsocks trash tsp tty uname uname26 unshare vi view vim vimdiff watch watchexec whatis where whereis
    which whoami wish x86_64 xcode-select xonsh xvfb-run zless
    """.split()
)


def _table() -> Mapping[str, frozenset[Need]]:
    found: dict[str, frozenset[Need]] = {}
    agents = " ".join(agent.programs for agent in AGENTS.values())
    for need, programs in (*_ROWS, (Need.NETWORK, agents)):
        found.update(dict.fromkeys(programs.split(), frozenset({need})))
    for other, actions in _ACTIONS:
        words = (action.strip() for line in actions.splitlines() for action in line.split("|"))
        found.update(dict.fromkeys(filter(None, words), frozenset({other} if other is not None else ())))
    return found


NEEDS: Mapping[str, frozenset[Need]] = _table()


def needs_of(key: Iterable[str]) -> frozenset[Need] | None:
    """What an action needs beyond the project, by the words that name it; None where the table does not know it."""
    words = tuple(key)
    for length in range(len(words), 0, -1):
        found = NEEDS.get(" ".join(words[:length]))
        if found is not None:
            return found
    return frozenset() if words[:1] and words[0] in WITHIN else None
