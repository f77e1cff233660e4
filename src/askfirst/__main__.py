"""`askfirst …` and `python -I -m askfirst …`."""

from __future__ import annotations

import sys


def main() -> int:
    # The hook runs for every tool call: it must not pay for argparse and the other commands.
    if len(sys.argv) > 1 and sys.argv[1] == "hook" and "--help" not in sys.argv and "-h" not in sys.argv:
        from askfirst.resident.thin import main as hook

        return hook(sys.argv[2:])
    from askfirst.cli import main as cli

    return cli()


if __name__ == "__main__":
    sys.exit(main())
