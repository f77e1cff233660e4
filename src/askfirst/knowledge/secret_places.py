"""Where programs keep secrets, as rows: what it is, then one place a line. A place is everything below it, too.

By system, and by the way a program is packaged. Most rows are common knowledge about these programs; they were not held
against an installation. A place too many costs a question. `knowledge/secrets.py` answers questions about them."""

from __future__ import annotations

from askfirst.agents import table as agents

__all__ = ["HIDDEN", "PLACES", "READ_DAILY"]

# In somebody's home, relative to it. (Names of files that are secrets anywhere stand in secrets.py.)
_HOME: dict[str, str] = {
    "a browser's cookies, saved passwords and sessions": """
        .mozilla
        .config/mozilla
        .librewolf
        .config/librewolf
        .waterfox
        .config/waterfox
        .floorp
        .zen
        .config/zen
        .icecat
        .moonchild productions
        .basilisk-dev
        .mullvad-browser
        .tor-browser*
        .local/share/torbrowser
        .local/share/mullvad-browser
        .config/google-chrome*
        .config/chromium*
        .config/ungoogled-chromium
        .config/chrome-remote-desktop
        .config/BraveSoftware
        .config/microsoft-edge*
        .config/vivaldi*
        .config/opera*
        .config/yandex-browser*
        .config/naver-whale
        .config/thorium
        .config/iridium
        .config/cromite
        .config/helium
        .config/net.imput.helium
        .config/slimjet
        .config/maxthon
        .config/coccoc
        .config/sidekick
        .config/falkon
        .config/min
        .config/qutebrowser
        .config/nyxt
        .config/epiphany
        .config/midori
        .config/Ferdium
        .config/Rambox
        .config/wavebox
        .local/share/epiphany
        .local/share/org.gnome.Epiphany
        .local/share/qutebrowser
        .local/share/falkon
        .local/share/konqueror
        .local/share/luakit
        .local/share/nyxt
        .w3m
        .elinks
        .links
        .lynx_cookies
        snap/firefox
        snap/chromium*
        snap/brave
        snap/opera*
        snap/vivaldi
        snap/microsoft-edge
        snap/zen-browser
        snap/librewolf
        snap/thunderbird
        .var/app/org.mozilla.*
        .var/app/com.google.Chrome*
        .var/app/org.chromium.*
        .var/app/io.github.ungoogled_software.*
        .var/app/com.github.Eloston.UngoogledChromium
        .var/app/com.brave.*
        .var/app/com.microsoft.Edge*
        .var/app/com.vivaldi.*
        .var/app/com.opera.*
        .var/app/com.yandex.*
        .var/app/ru.yandex.Browser
        .var/app/app.zen_browser.zen
        .var/app/io.github.zen_browser.zen
        .var/app/io.gitlab.librewolf-community
        .var/app/net.waterfox.waterfox
        .var/app/one.ablaze.floorp
        .var/app/org.torproject.*
        .var/app/com.github.micahflee.torbrowser-launcher
        .var/app/net.mullvad.*
        .var/app/org.gnome.Epiphany*
        .var/app/org.kde.falkon
        .var/app/org.qutebrowser.qutebrowser
        .var/app/org.garudalinux.firedragon
        .var/app/dev.vencord.Vesktop
        Library/Cookies
        Library/HTTPStorages
        Library/WebKit
        Library/Safari
        Library/Application Support/Google
        Library/Application Support/Firefox
        Library/Application Support/Mozilla
        Library/Application Support/Chromium
        Library/Application Support/BraveSoftware
        Library/Application Support/Microsoft Edge*
        Library/Application Support/Vivaldi*
        Library/Application Support/com.operasoftware.*
        Library/Application Support/Opera Software
        Library/Application Support/zen
        Library/Application Support/LibreWolf
        Library/Application Support/Waterfox
        Library/Application Support/Floorp
        Library/Application Support/TorBrowser-Data
        Library/Application Support/Arc
        Library/Application Support/Dia
        Library/Application Support/Comet
        Library/Application Support/Orion*
        Library/Application Support/Yandex
        Library/Application Support/Naver
        Library/Application Support/Thorium
        Library/Application Support/Sidekick
        Library/Application Support/Wavebox*
        Library/Application Support/Min
        Library/Application Support/DuckDuckGo
        Library/Application Support/qutebrowser
        AppData/Local/*/*/User Data
        AppData/Local/*/User Data
        AppData/Roaming/*/Profiles
        AppData/Roaming/Mozilla
        AppData/Roaming/Opera Software
    """,
    "a mail program's messages and passwords": """
        .thunderbird
        .betterbird
        .config/evolution
        .local/share/evolution
        .config/geary
        .local/share/geary
        .local/share/kmail2
        .local/share/local-mail
        .local/share/akonadi*
        .config/Mailspring
        .config/protonmail
        .claws-mail
        .sylpheed-2.0
        .mutt
        .muttrc
        .neomuttrc
        .config/mutt
        .config/neomutt
        .config/aerc
        .config/himalaya
        .mbsyncrc
        .config/isyncrc
        .offlineimaprc
        .config/offlineimap
        .fetchmailrc
        .getmail
        .config/getmail
        .msmtprc
        .config/msmtp
        .mailrc
        .mail
        Maildir
        .var/app/org.mozilla.Thunderbird
        .var/app/eu.betterbird.Betterbird
        .var/app/org.gnome.Evolution
        .var/app/org.gnome.Geary
        .var/app/com.getmailspring.Mailspring
        Library/Mail
        Library/Thunderbird
        Library/Application Support/Thunderbird
        Library/Accounts
        AppData/Roaming/Thunderbird
        AppData/Local/Microsoft/Outlook
    """,
    "a password manager's store, or a key ring": """
        .password-store
        .config/op
        .op
        .config/1Password
        .1password
        .config/Bitwarden*
        .config/rbw
        .local/share/rbw
        .cache/rbw
        .config/keepassxc
        .cache/keepassxc
        .config/KeePass
        .config/Enpass
        .local/share/Enpass
        .config/sops
        .config/age
        .age
        .config/gopass
        .local/share/gopass
        .config/lpass
        .local/share/lpass
        .lpass
        .local/share/pass
        .local/share/keyrings
        .local/share/kwalletd*
        .gnome2/keyrings
        .local/share/python_keyring
        .pki
        .config/Yubico
        .config/authy*
        .var/app/org.keepassxc.KeePassXC
        .var/app/com.bitwarden.desktop
        .var/app/com.onepassword.OnePassword
        .var/app/me.proton.Pass
        snap/bitwarden
        snap/keepassxc
        snap/1password
        Library/Keychains
        Library/Application Support/1Password*
        Library/Application Support/Bitwarden*
        Library/Application Support/KeePassXC
        Library/Application Support/com.apple.TCC
        AppData/Local/1Password
        AppData/Roaming/Bitwarden*
        AppData/Roaming/KeePass*
        AppData/*/Microsoft/Credentials
        AppData/*/Microsoft/Protect
        AppData/*/Microsoft/Vault
    """,
    "a wallet": """
        .bitcoin
        .litecoin
        .dogecoin
        .dashcore
        .zcash
        .ethereum
        .electrum*
        .bitmonero
        .shared-ringdb
        Monero/wallets
        .config/solana
        .config/Exodus
        .config/atomic
        .config/Ledger Live
        .config/@trezor
        .local/share/io.parity.ethereum
        .near-credentials
        .sui
        .aptos
        .foundry/keystores
        .brownie/accounts
        .starkli-wallets
        .cardano
        .lnd
        .lightning
        Library/Application Support/Bitcoin
        Library/Application Support/Electrum
        Library/Application Support/Exodus
        Library/Ethereum
        AppData/Roaming/Bitcoin
        AppData/Roaming/Electrum
        AppData/Roaming/Exodus
        AppData/Roaming/Ethereum
    """,
    "messages, and the sign-in of a messenger": """
        .config/Signal*
        .local/share/signal-cli
        .config/Slack
        .config/discord*
        .config/vesktop
        .config/Element*
        .config/Microsoft/Microsoft Teams
        .config/teams*
        .config/skypeforlinux
        .config/whatsapp*
        .config/WhatsApp*
        .config/Mattermost
        .config/Rocket.Chat
        .config/Wire
        .config/Session
        .config/zoom*
        .config/Keybase
        .config/keybase
        .local/share/keybase
        .config/hexchat
        .config/weechat
        .local/share/weechat
        .local/share/TelegramDesktop
        .local/share/gajim
        .local/share/dino
        .local/share/fractal
        .purple
        .weechat
        .irssi
        .zoom
        .var/app/org.signal.Signal
        .var/app/com.slack.Slack
        .var/app/com.discordapp.Discord*
        .var/app/org.telegram.desktop
        .var/app/im.riot.Riot
        .var/app/us.zoom.Zoom
        snap/signal-desktop
        snap/slack
        snap/discord
        snap/telegram-desktop
        Library/Messages
        Library/Containers
        Library/Group Containers
        Library/Application Support/Signal*
        Library/Application Support/Slack
        Library/Application Support/discord*
        Library/Application Support/Telegram*
        Library/Application Support/Element
        Library/Application Support/Microsoft/Teams
        Library/Application Support/zoom.us
        AppData/Roaming/Signal*
        AppData/Roaming/Slack
        AppData/Roaming/discord*
        AppData/Roaming/Telegram Desktop
    """,
    "what people typed, passwords included": """
        .local/share/fish
        .local/share/atuin
        .local/share/mcfly
        .local/share/zsh
        .local/state/zsh
        .local/state/bash
        .local/share/powershell
        .config/nushell/history*
        .local/share/nushell
        .zsh_sessions
        .bash_sessions
        .local/state/nvim/shada
        .local/share/nvim/shada
        .ipython/profile_default/history.sqlite
        .cache/zsh/*history*
        .config/zsh/*history*
        .ollama/history
        AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine
    """,
    "what an editor keeps of the files that it had open": """
        .vim/*backup*
        .vim/*swap*
        .vim/*undo*
        .vim/tmp
        .local/state/nvim/backup
        .local/state/nvim/swap
        .local/state/nvim/undo
        .local/share/nvim/backup
        .local/share/nvim/swap
        .local/share/nvim/undo
        .emacs.d/auto-save*
        .emacs.d/backup*
        .emacs.d/var/backup
        .config/emacs/auto-save*
        .config/emacs/backup*
        .config/micro/backups
        .config/micro/buffers
        .*-server*/data/User/History
    """,
    "variables with passwords and tokens": """
        .bash_secret*
        .bash_private*
        .zsh_secret*
        .zsh_private*
        .zsh/*secret*
        .oh-my-zsh/custom/*secret*
        .config/fish/conf.d/*secret*
    """,
    "a key that opens what dotfiles and tools keep encrypted": """
        .config/chezmoi/key*
        .config/mise/age.txt
    """,
    "credentials of a cloud or a service": """
        .config/gcloud
        .gsutil
        .config/doctl
        .config/hcloud
        .config/linode-cli
        .linode-cli
        .config/scw
        .config/exoscale
        .oci
        .aliyun
        .bluemix
        .ibmcloud
        .tccli
        .hcloud
        .openstack
        .config/openstack
        .novarc
        .fly
        .config/flyctl
        .local/share/heroku
        .config/heroku
        .local/share/com.vercel.cli
        .config/netlify
        .netlify
        .railway
        .render
        .supabase
        .config/configstore
        .wrangler
        .config/.wrangler
        .cloudflared
        .cloudflare
        .config/ngrok
        .ngrok2
        .config/stripe
        .config/algolia
        .config/sanity
        .terraform.d
        .pulumi
        .config/argocd
        .argocd
        .talos
        .minikube/profiles
        .rancher
        .rd
        .kaggle
        .huggingface
        .cache/huggingface/token*
        .cache/huggingface/stored_tokens
        .config/wandb
        .databrickscfg
        .databricks
        .snowsql
        .snowflake
        .dbt
        .config/gspread*
        .sentryclirc
        .circleci
        .travis
        .config/tea
        .config/jira*
        .jira.d
        .config/gh
        .config/hub
        .config/glab-cli
        .config/glab
        .config/rclone
        .mc
        .config/s3cmd
        .passwd-s3fs
        .smbcredentials
        .config/filezilla
        .filezilla
        .config/remmina
        .local/share/remmina
        .vnc
        .local/share/DBeaverData
        .pgadmin
        .mongodb
        .config/mongosh
        .mongorc.js
        .redisclirc
        .docker/config.json
        .docker/contexts
        .config/containers/auth.json
        .local/share/containers/storage/secrets
        .config/davfs2
        .davfs2
        .duplicity
        .config/borg
        .config/restic
        .config/syncthing
        .local/state/syncthing
        .dropbox
        .config/Nextcloud
        .config/goa-1.0
        .config/onedrive
        .config/tailscale
        .config/wireguard
        .cert
        .globus
        .subversion/auth
        .cvspass
        .config/Code*/User/globalStorage
        .config/VSCodium/User/globalStorage
        .vscode-server/data/User/globalStorage
        .cursor-server/data/User/globalStorage
        .julia/servers
        .cabal/config
        .config/JetBrains/*/c.kdbx
        Library/Application Support/Code*/User/globalStorage
        Library/Application Support/com.vercel.cli
        Library/Application Support/gcloud
        Library/Application Support/ngrok
        Library/Application Support/doctl
        Library/Preferences/netlify
        AppData/Roaming/gcloud
        AppData/Roaming/GitHub CLI
        AppData/Roaming/gnupg
        AppData/Roaming/Code*/User/globalStorage
    """,
    "tokens and passwords of package registries": """
        .npmrc
        .config/npm
        .yarnrc*
        .bunfig.toml
        .config/pnpm/rc
        .config/pnpm/auth.ini
        .config/pip
        .pip
        .config/pypoetry/auth.toml
        .config/uv/credentials*
        .local/share/uv/credentials
        .cargo/credentials*
        .m2/settings*.xml
        .gradle/gradle.properties
        .sbt/.credentials
        .sbt/*/credentials*
        .sbt/*/sonatype.sbt
        .coursier/credentials.properties
        .config/coursier
        .gradle/init.d
        .gradle/init.gradle*
        .composer/config.json
        .config/composer/config.json
        .helm/repository
        .mamba/auth
        .config/nix/netrc
        .config/nix/nix.conf
        .ivy2/.credentials
        .gem/credentials
        .local/share/gem/credentials
        .bundle/config
        .composer/auth.json
        .config/composer/auth.json
        .nuget/NuGet
        .config/NuGet
        .hex
        .config/hex
        .pub-cache/credentials.json
        .config/dart/pub-credentials.json
        .condarc
        .continuum
        .conan2/credentials.json
        .cocoapods/config.yaml
        Library/Application Support/pypoetry/auth.toml
        Library/Application Support/pip
    """,
    "a program's sign-in to a language model": """
        .codeium
        .windsurf
        .openclaw/openclaw.json*
        .openclaw/credentials
        .openclaw/agents/*/agent
        .continue
        .aider*
        .config/goose
        .local/share/goose
        .config/amp
        .local/share/amp
        .factory
        .config/crush
        .local/share/crush
        .kiro
        .ollama/id_ed25519
        .config/io.datasette.llm
        .config/openai
        .openai
        .config/anthropic
        .anthropic
        .config/mistral*
        .config/zed/credentials*
        .local/share/zed/db
    """,
    "askfirst's keys and tokens": """
        .askfirst
        .config/askfirst/tokens*
        .local/state/askfirst
        Library/Application Support/askfirst
    """,
}

# Where a home keeps what programs remember of their user, beside hidden names (`.config`).
HIDDEN = frozenset(("library", "appdata", "snap"))
# Of all that is hidden there, what people and their agents read every day: shells, editors, versions and caches of
# tools, notes of agents. A place above is secret all the same, and what stands in neither table asks.
READ_DAILY = """
    .ssh/*.pub .bash* .profile .zsh* .zprofile .zlog* .kshrc .inputrc .dircolors .hushlogin .oh-my-zsh .antigen .zinit
    .zplug .zim .p10k.zsh .fzf* .aliases .functions .exports .path .dotfiles .config/fish .config/zsh .config/bash
    .config/starship.toml .config/nushell/*.nu .gitconfig* .gitignore* .gitattributes .gitmessage* .config/git .hgrc
    .vim* .nvim* .emacs* .spacemacs .doom.d .config/nvim .config/vim .config/emacs .config/doom .config/helix
    .config/micro .nanorc .editorconfig .config/Code/User/*.json .config/Code/User/snippets .vscode .vscode-server
    .vscode-oss .cursor-server .config/zed .tmux* .screenrc .config/tmux .config/zellij .config/alacritty
    .config/kitty .config/wezterm .config/ghostty .config/htop .config/btop .config/bat .config/ripgrep .ripgreprc
    .config/fd .config/lsd .config/eza .config/lazygit .config/delta .config/tealdeer .config/yamllint .config/flake8
    .config/ruff .config/black .config/mypy .config/pycodestyle .config/pylintrc .pylintrc .config/ccstatusline
    .config/systemd .config/autostart .config/environment.d .config/fontconfig .config/nix .config/nixpkgs
    .config/home-manager .nix-profile .nix-defexpr .nix-channels .config/chezmoi .local/share/chezmoi .config/direnv
    .config/mise .mise .asdf* .tool-versions .local/share/mise .nvm .nvmrc .fnm .volta .nodenv .pyenv .rbenv .jenv
    .goenv .rvm .sdkman .rustup .cargo .ghcup .stack .opam .cabal .deno .bun .npm .node-gyp .yarn .pnpm* .npm-global
    .config/yarn/global .config/pnpm .local/share/pnpm .local/state/pnpm .local/lib .local/bin .local/include
    .local/opt .local/man .local/etc .local/share/man .local/share/applications .local/share/fonts .local/share/icons
    .local/share/virtualenv* .local/share/uv .local/share/pipx .local/pipx .local/share/hatch .local/share/pdm
    .local/share/nvim .local/state/nvim .local/share/go .local/share/fnm .local/share/bash-completion .virtualenvs
    .venv* .conda .mamba .matplotlib .ipython .local/share/jupyter/kernels .keras .torch .nltk_data
    .gradle .m2 .ivy2 .sbt .coursier .nuget .dotnet .gem .bundle .rubies .composer .config/composer .pub-cache
    .cocoapods .android/avd .android/cache .android/*.ini .docker .local/share/containers/cache .lmstudio .ollama
    .terraform-versions .tfenv .tflint.d .helm .krew .julia .R .Rprofile .texlive* .texmf* .themes .icons .fonts
    .linuxbrew .xinitrc .xprofile .xsession* .Xresources .Xdefaults .Xmodmap .asoundrc .config/user-dirs*
    .config/mimeapps.list .config/sway .config/i3 .config/hypr .config/waybar .config/polybar .config/rofi
    .cache .trunk .pre-commit .cookiecutters .cookiecutterrc .eslintrc* .prettierrc* .clang-format .clang-tidy
    .clangd .config/clangd .jshintrc .stylelintrc* .markdownlint* .config/markdownlint* .rubocop.yml .irbrc .pryrc
    .pdbrc .gdbinit .lldbinit .gdbearlyinit .config/gdb .psqlrc .sqliterc .screenlayout .task
    .config/task-master-ai .agents .openclaw .serena
    Library/Caches Library/Logs Library/Developer Library/Python Library/Fonts Library/Java Library/Android
    Library/LaunchAgents Library/pnpm Library/Application?Support/Code*/User/*.json
    AppData/Local/Programs AppData/Local/Temp AppData/Local/Microsoft/WindowsApps AppData/Local/pnpm
    AppData/Roaming/npm
"""
# Of the caches, what browsers keep of the pages that were seen, and of the logins there.
_SEEN_PAGES = (
    ".cache/mozilla .cache/google-chrome* .cache/chromium* .cache/BraveSoftware .cache/microsoft-edge* .cache/vivaldi* "
    ".cache/opera* .cache/librewolf .cache/zen .cache/thumbnails .cache/thunderbird .cache/evolution .cache/spotify* "
    ".cache/qutebrowser .cache/epiphany* .cache/falkon .cache/waterfox* .cache/floorp .cache/yandex-browser* "
    ".cache/mutt .cache/neomutt "
    # The profiles of browsers that agents steer.
    ".cache/ms-playwright*/mcp-* .cache/ms-playwright-mcp .cache/chrome-devtools-mcp "
    "Library/Caches/ms-playwright*/mcp-* "
    "Library/Caches/Firefox Library/Caches/Mozilla Library/Caches/Google/Chrome* Library/Caches/com.apple.Safari* "
    "Library/Caches/BraveSoftware Library/Caches/Microsoft* Library/Caches/Chromium"
)

# Anywhere, also in a copy of a home.
_ANYWHERE: dict[str, str] = {
    "a directory of secrets": "secrets .secrets",
    "secrets of Kamal": ".kamal/secrets*",
    "a sign-in to a registry": ".docker/config.json",
    "saved sign-ins of a browser": ".auth",
    "keys of ssh": ".ssh",
    "keys of GnuPG": ".gnupg",
    "credentials of AWS": ".aws",
    "credentials of Azure": ".azure",
    "credentials of clusters": ".kube",
}
_BROWSER_FILES = ("Login Data*", "Web Data", "Local State", "Safe Browsing Cookies*", "Extension Cookies*")

_PROCESSES = ("[0-9]*", "self", "thread-self")
_ROOT: dict[str, str] = {
    "password hashes": """
        /etc/shadow* /etc/gshadow* /etc/master.passwd* /etc/spwd.db /etc/security/opasswd /etc/opasswd
        /var/db/dslocal /var/lib/extrausers/shadow /var/backups/shadow* /var/backups/gshadow*
    """,
    "who may become root": "/etc/sudoers /etc/sudoers.d /etc/sudoers~ /etc/doas.conf",
    "this machine's private keys": """
        /etc/ssh/ssh_host_* /etc/ssl/private /etc/pki/tls/private /etc/pki/private /etc/letsencrypt /etc/krb5.keytab
        /etc/wireguard /etc/openvpn /etc/ipsec.d /etc/ipsec.secrets /etc/swanctl/private /etc/cloudflared /var/lib/tor
        /var/lib/acme /etc/acme /var/lib/caddy /etc/kubernetes /etc/rancher /var/lib/rancher /var/lib/kubelet
        /etc/cups/ssl /var/lib/systemd/credential.secret /etc/credstore /etc/credstore.encrypted /etc/luks
        /etc/cryptsetup-keys.d /etc/tinc /etc/nebula
    """,
    "passwords of networks and services": """
        /etc/NetworkManager/system-connections /run/NetworkManager/system-connections /etc/wpa_supplicant
        /etc/netplan /var/lib/iwd /var/lib/connman /etc/ppp /etc/samba/private /var/lib/samba/private
        /var/lib/sss /etc/sssd /etc/mysql/debian.cnf /etc/exim4/passwd.client /etc/postfix/sasl_passwd*
        /etc/dovecot/private /etc/redis /etc/rabbitmq /etc/grafana /etc/davfs2/secrets /etc/docker/key.json
        /etc/gitlab /etc/gitlab-runner /etc/vault.d /etc/consul.d /etc/nomad.d
        /var/lib/cloud/instance /var/lib/cloud/instances
        /var/lib/NetworkManager /etc/apt/auth.conf* /root/.docker
        /etc/wpa_supplicant.conf /etc/hostapd /etc/freeradius /etc/raddb /etc/ceph /etc/msmtprc /etc/ssmtp
        /etc/nullmailer/remotes /etc/gitea /etc/forgejo /etc/matrix-synapse /etc/telegraf /etc/datadog-agent
        /etc/newrelic-infra.yml /etc/zabbix /etc/borgmatic /etc/borgmatic.d /etc/rclone.conf
        /var/lib/tailscale /var/lib/jenkins /var/lib/grafana /var/lib/vault /var/lib/consul /var/lib/nomad /var/lib/etcd
        /var/lib/waagent /var/lib/amazon/ssm /var/lib/bluetooth /var/lib/cloud/seed /var/cache/debconf/passwords.dat
    """,
    "the files of a database": """
        /var/lib/mysql /var/lib/postgresql /var/lib/redis /var/lib/mongodb
    """,
    "mail of people": "/var/mail /var/spool/mail",
    "secrets given to this container": "/run/secrets /var/run/secrets /run/credentials /run/agenix /run/secrets.d",
    "a ticket that logs in": "/run/user/*/keyring /run/user/*/gnupg /run/user/*/krb5cc*",
    "the system's key chain": "/Library/Keychains",
    "the containers' files": "/var/lib/docker /var/lib/containers /var/lib/containerd /var/lib/lxc /var/lib/machines",
    "the memory of this machine": "/dev/mem /dev/kmem /dev/port /var/lib/systemd/coredump /swapfile",
    "a disk, past every permission": """
        /dev/sd* /dev/nvme* /dev/vd* /dev/xvd* /dev/disk* /dev/rdisk* /dev/mapper /dev/dm-* /dev/mmcblk* /dev/loop*
        /dev/md* /dev/block
    """,
    "what is typed": "/dev/input",
}

# (pattern, what is there). `~/` is anybody's home.
PLACES: tuple[tuple[str, str], ...] = (
    *((f"**/{name}/**", what) for what, names in _ANYWHERE.items() for name in names.split()),
    *((f"**/{name}", "a browser's saved passwords") for name in _BROWSER_FILES),
    *((f"~/{place.strip()}/**", what) for what, places in _HOME.items() for place in places.strip().split("\n")),
    *((f"~/{place}/**", "what a browser keeps of the pages that were seen") for place in _SEEN_PAGES.split()),
    *((pattern, "the agent's sign-in") for agent in agents.AGENTS.values() for pattern in agent.secrets),
    *((f"{place}/**", what) for what, places in _ROOT.items() for place in places.split()),
    ("/proc/kcore", "the memory of this machine"),
    *(
        (f"/proc/{process}/{what}", "a process's environment, memory or open files")
        for process in (*_PROCESSES, *(f"{one}/task/*" for one in _PROCESSES))
        for what in ("environ", "mem", "fd/**", "root/**", "cwd/**", "map_files/**")
    ),
)
