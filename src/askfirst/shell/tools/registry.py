"""Which module of shell/tools holds the rows of a program. Explicit, so that one command imports one small table."""

from __future__ import annotations

__all__ = ["GNU_NAMES", "REGISTRY"]

# Module -> the programs in its TOOLS. A test checks that both say the same.
_PROGRAMS: dict[str, str] = {
    "builds.compilers": """
        gcc g++ cc c++ clang clang++
        ld clang-format clang-tidy pkg-config lcov
    """,
    "builds.jvm": """
        mvn mvnw gradle gradlew sbt java javac
    """,
    "builds.languages": """
        ruby php irb rspec rubocop rake bundle gem rails pest phpstan pint dart xcpretty xcbeautify
        phpunit
        composer dotnet swift swiftc swiftformat
        xcodebuild xcrun pod fastlane mix flutter
    """,
    "builds.linters": """
        shellcheck shfmt hadolint yamllint dotenv-linter
    """,
    "builds.runners": "make gmake cmake ctest cpack ninja meson just task bazel configure",
    "builds.rust_go": """
        cargo rustc rustfmt rustup go gofmt goimports golangci-lint staticcheck gotestsum
        zig
    """,
    "data.databases": """
        sqlite3 duckdb psql mysql mariadb sqlcmd redis-cli mongosh mongo clickhouse clickhouse-client cqlsh sqlplus
        influx dolt usql pgcli mycli litecli pg_dump pg_dumpall pg_restore mysqldump mongodump mongorestore dropdb
        createdb mysqladmin redis-server initdb pg_isready
    """,
    "data.formats": """
        jq yq xmllint bat batcat
    """,
    "data.trackers": "bd task-master",
    "git.program": "git",
    "node.runtimes": "npm yarn pnpm bun npx bunx pnpx node nodejs deno",
    "node.tools": """
        tsc vue-tsc eslint prettier jest oxlint vitest mocha playwright cypress tsup astro vite webpack rollup esbuild
        ng svelte-check next biome turbo
        nx stylelint markdownlint markdownlint-cli2
        prisma tsx ts-node vite-node
    """,
    "python.interpreter": """
        python python3 python3.8 python3.9 python3.10 python3.11 python3.12
        python3.13 python3.14 python3.15
    """,
    "python.packages": """
        pip pip3 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 uv uvx pipx poetry pipenv pdm hatch conda
        virtualenv twine easy_install
    """,
    "python.tools": """
        pytest py.test ruff mypy black isort flake8 pylint dmypy pyright bandit coverage tox nox pre-commit
        codespell autopep8 yapf ty django-admin
        deactivate basedpyright pip-audit mkdocs sphinx-build
    """,
    "remote.clouds": """
        aws gcloud az flyctl fly heroku vercel netlify firebase wrangler railway serverless sls amplify doctl
        linode-cli hcloud supabase surge eb sam copilot now gsutil bq azcopy s3cmd rclone aws-vault saml2aws
    """,
    "remote.clusters": """
        kubectl oc k3s-kubectl helm terraform tofu terragrunt pulumi kustomize k9s argocd istioctl flux talosctl cdk
        packer eksctl
    """,
    "remote.containers": """
        docker podman docker-compose podman-compose colima minikube kind buildah skopeo dive
    """,
    "remote.forges": "gh glab hub",
    "remote.network": """
        curl wget ping ping6 traceroute traceroute6 mtr dig getent nslookup host ssh slogin mosh
        autossh scp sftp ssh-copy-id sshfs rsync nc ncat netcat socat telnet ftp lftp aria2c yt-dlp http https xh
        tftp nmap ssh-keyscan ssh-add ssh-keygen tcpdump tshark ngrok cloudflared mail sendmail mutt
    """,
    "remote.servers": """
        codex claude gemini aider opencode prometheus caddy nginx direnv mise asdf nix nix-shell nix-build
        devbox act protoc buf sqlc semgrep trivy jupyter ipython flask uvicorn gunicorn celery alembic locust k6 ab
    """,
    "shells.builtins": """
        : break continue return exit shift pwd umask ulimit disown dirs help unalias logout
        type jobs wait cd pushd popd declare typeset local export readonly read mapfile readarray
        getopts unset printf test [ eval source . trap alias hash command builtin exec set shopt compgen let kill
        history fc enable bind complete compopt
    """,
    "shells.interpreters": """
        perl lua luajit Rscript R tclsh wish guile racket sbcl clisp dc m4 gnuplot octave matlab swipl pwsh
        powershell jshell groovy elixir iex maxima sage gforth forth newlisp nu xonsh elvish rc es scsh raku perl6
        awka bpftrace gdb lldb r2 pdflatex latex xelatex lualatex latexmk tex pandoc dot ffmpeg convert magick
        mogrify
    """,
    "shells.shells": "bash sh dash ash zsh ksh mksh fish csh tcsh rbash",
    "shells.wrappers": """
        env timeout nice nohup stdbuf setsid time ionice caffeinate chrt taskset choom setarch linux64 linux32 i386
        x86_64 uname26 prlimit unbuffer chronic xargs flock watch hyperfine script busybox toybox
        coreutils strace ltrace chroot unshare nsenter firejail bwrap proxychains proxychains4 xvfb-run
        dbus-run-session ssh-agent sg chpst softlimit cpulimit logsave distcc ccache cross-env dotenv dotenvx
        systemd-run systemd-inhibit sudo doas pkexec run0 sudo-rs dzdo gosu su-exec runuser setpriv
        start-stop-daemon valgrind rlwrap torsocks torify faketime eatmydata fakeroot numactl perf heaptrack proot
        sshpass setuidgid envdir daemonize at batch sem rush tsp watchexec cgexec schroot dbus-launch capsh envchain
        ld.so multitime genie pexec setlock openvt xterm grc
    """,
    "system.administration": """
        brew ansible-doc ansible-config ansible-galaxy ansible ansible-playbook ansible-pull
        ansible-console ansible-inventory ansible-lint ansible-test molecule ansible-vault auth0 rtk
    """,
    "system.crypto": """
        openssl pass gopass op bw lpass secret-tool keyring vault age sops ssh-askpass gpg-connect-agent
        gpgconf
    """,
    "system.linux": """
        ps top htop pgrep pidof pstree lsof fuser netstat ss arp ifconfig ip mount findmnt
        dmesg journalctl systemctl timedatectl rc-service rc-status sysctl crontab ldd nm objdump
        readelf nvidia-smi ncdu exiftool identify
        mediainfo dpkg dpkg-query rpm apt-cache apt dnf yum pkill killall xkill skill tmux screen
        zellij expect umount swapon swapoff losetup fusermount iptables ip6tables nft ufw firewall-cmd tc brctl
        chattr setfacl restorecon chcon notify-send dbus-send gdbus busctl xdg-open wall write xclip xsel pbcopy
        pbpaste osascript automator shortcuts open
    """,
    "system.macos": """
        ipconfig networksetup system_profiler scutil wdutil airport dns-sd diskutil xcode-select plutil md5
        xattr lipo codesign
    """,
    "unix.archives": """
        tar bsdtar unzip zip gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd
        7z 7zz 7za ar cpio
    """,
    "unix.awk": "awk gawk mawk nawk",
    "unix.basics": """
        ls dir vdir exa eza cat tac rev nl head tail wc cut tr paste join comm fold fmt pr column expand
        unexpand uuidgen arch sw_vers tsort numfmt factor expr seq yes sleep basename dirname realpath
        readlink stat df du whoami id groups users who tty uname nproc lsb_release getconf locale
        uptime free lscpu lsblk tput clear which whereis where
        true false cmp cksum sum zcat bzcat xzcat lzcat zstdcat strings od hexdump hd date hostname
        printenv file diff bc echo md5sum sha1sum sha224sum sha256sum sha384sum sha512sum
        b2sum shasum
    """,
    "unix.editors": """
        less more zless man info vi vim nvim view vimdiff gvim rvim ex ed red emacs emacsclient nano
        pico micro helix hx kak joe jed mg code codium cursor subl atom mate zed gedit kate
    """,
    "unix.file_writers": """
        tee touch mkdir rmdir cp mv ln install link mkfifo patch chmod chown chgrp rm unlink shred trash truncate dd
        mktemp
    """,
    "unix.find": "find",
    "unix.search": "grep egrep fgrep rg zgrep ag fd tree fzf fdfind",
    "unix.sed": "sed",
    "unix.text_filters": "sort uniq shuf iconv base64 base32 xxd split dos2unix unix2dos",
}

# Where the system has its own, GNU's programs are installed with a `g` before the name: `gdate`, `greadlink`.
GNU_NAMES = frozenset(
    """
    base64 basename cat chmod cp cut date df dirname du env expand expr find fold grep head id install join ln ls
    md5sum mkdir mktemp mv nice nl nohup nproc od paste pr printenv readlink realpath rm rmdir seq sha1sum sha256sum
    sha512sum sed shuf sleep sort split stat stdbuf tac tail tar tee timeout touch tr truncate uname uniq unlink wc who
    whoami xargs
    """.split()
)

REGISTRY: dict[str, str] = {name: module for module, names in _PROGRAMS.items() for name in names.split()}
