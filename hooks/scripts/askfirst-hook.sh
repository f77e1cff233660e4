#!/bin/sh
# The plugin's way to the gate: finds the installed askfirst and runs it isolated from the project.
# Exit code 2 denies the call.
deny() {
  echo "askfirst: the call is denied: $1" >&2
  exit 2
}

found=$(command -v askfirst) ||
  deny "askfirst is not on the PATH. A person can install it, in a checkout of askfirst: uv tool install . (or pipx install .)"
case $found in
  /*) ;;
  *) deny "\`$found\` is not an absolute path" ;;
esac
# A program inside the project is one that the agent can write.
case $found in
  "${CLAUDE_PROJECT_DIR:-/nowhere}"/*) deny "$found lies inside the project, where the agent could change it; install it outside" ;;
esac

# The first line of the installed script names its interpreter; -I keeps the project's modules and PYTHONPATH out.
IFS= read -r first <"$found" || deny "$found cannot be read"
python=${first#??}
case $first in
  '#!'/*python*)
    [ -x "$python" ] || deny "$python no longer exists; install askfirst again"
    exec "$python" -I -c 'import sys; from askfirst.hook import main; sys.exit(main(sys.argv[1:]))' "$@"
    ;;
esac
exec "$found" hook "$@"
