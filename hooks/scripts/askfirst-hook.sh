#!/bin/sh
# Finds the askfirst that this user has installed and runs it: `sh launcher.sh hook`. Nothing of any machine stands here,
# so a team can share it. Written by `askfirst init --project`; a copy of it is the plugin's script.
#
# Not taken: what lies inside the repository, where the agent could change it, and what others can write.
path=$PATH here=$PWD
PATH=/usr/bin:/bin:/run/current-system/sw/bin
cd -P -- "${HOME:-/}" && home=$PWD
cd -P -- "${CLAUDE_PROJECT_DIR:-$here}" && root=$PWD up=$PWD
while [ "$up" ] && [ "$up" != "$home" ]; do
[ -e "$up/.git" ] && root=$up
up=${up%/*}
done
state=$home/.local/state
[ -d "$home/Library/Application Support" ] && state="$home/Library/Application Support"
# A home directory is not a repository, even where somebody works in it; what lies there is not run as a client.
case $home/ in "$root"/*) root=/nowhere state=/nowhere ;; esac

safe() {
[ -z "$(find -L "$@" -prune -perm -0002 -print)" ] || return
for file; do
[ -O "$file" ] || [ "$(find -L "$file" -prune -user 0 -print)" ] || return
done
}

# /opt/venv/bin -> opt%venv%bin
named() {
IFS=/
set -- $1
shift
IFS=%
name=$*
IFS=:
}

why="is not installed for this user"
set -f
IFS=:
for bin in $path "$home/.local/bin" /opt/homebrew/bin /usr/local/bin /usr/bin; do
file=$bin/askfirst
case $file in /*) ;; *) continue ;; esac
[ -f "$file" ] && [ -x "$file" ] || continue
why="was found only inside this repository, or where other users can write"
# pipx and uv link to the environment of their own that holds the program.
for _ in 1 2 3 4 5 6 7 8; do
[ -h "$file" ] || break
link=$(readlink "$file")
case $link in /*) file=$link ;; *) file=${file%/*}/$link ;; esac
done
cd -P -- "${file%/*}" && bin=$PWD || continue
case $bin/ in "$root"/*) continue ;; esac
safe "$bin" "$bin/askfirst" || continue
# The fast client, where `askfirst init` has built one: beside a package of root, or in this user's state directory.
named "$bin"
set +f
fast=
for one in "${bin%/*}"/lib/python3*/site-packages/askfirst/resident/askfirst "$state/askfirst/resident/$name/askfirst"; do
[ "$1" = hook ] && [ -f "$one" ] && [ -x "$one" ] && safe "${one%/*}" "$one" && fast=$one
done
cd -- "$here"
PATH=$path
[ "$fast" ] && exec "$fast" "$@"
if [ -f "${bin%/*}/pyvenv.cfg" ]; then
for launch in "${bin%/*}"/lib/python3*/site-packages/askfirst/launch.py; do
[ -f "$launch" ] && [ "$1" != mcp ] && exec "$bin/python" -I -S "$launch" "$@"
done
exec "$bin/python" -I -m askfirst "$@"
fi
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE
exec "$bin/askfirst" "$@"
done

why="askfirst $why, so every call is denied; a person has to install it outside the repository (pipx or uv tool)"
[ "$*" = hook ] || { echo "$why" >&2; exit 2; }
echo "{\"decision\":\"block\",\"reason\":\"$why\",\"systemMessage\":\"$why\"}"
