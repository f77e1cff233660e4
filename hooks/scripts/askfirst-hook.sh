#!/bin/sh
# The plugin's way to the gate: finds the installed askfirst and runs it isolated from the project. Exit code 2 closes the gate.
closed() {
  echo "askfirst: $1; the gate stays closed" >&2
  exit 2
}

found=$(command -v askfirst) || closed "not installed. A person can install it, in a checkout of askfirst: uv tool install . (or pipx install .)"
case $found in
  /*) ;;
  *) closed "\`$found\` is not an absolute path" ;;
esac
# A program inside the project is one that the agent can write.
case $found in
  "${CLAUDE_PROJECT_DIR:-/nowhere}"/*) closed "$found lies inside the project, where the agent could change it; install it outside" ;;
esac

# The first line of the installed script names its interpreter; -I keeps the project's modules and PYTHONPATH out.
IFS= read -r first <"$found" || closed "$found cannot be read"
python=${first#??}
case $first in
  '#!'/*python*)
    [ -x "$python" ] || closed "$python is gone; install askfirst again"
    exec "$python" -I -c 'import sys; from askfirst.hook import main; sys.exit(main(sys.argv[1:]))' "$@"
    ;;
esac
exec "$found" hook "$@"
