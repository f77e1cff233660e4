"""`askfirst …` and `python -I -m askfirst …`."""

from __future__ import annotations

import sys


def main() -> int:
    # The hook runs for every tool call: it must not pay for argparse and the other commands.
    if len(sys.argv) > 1 and sys.argv[1] == "hook" and "--help" not in sys.argv and "-h" not in sys.argv:
        return hook(sys.argv[2:])
    from askfirst.cli import main as cli

    return cli()


def hook(words: list[str]) -> int:
    """`askfirst hook …`: the warm process answers, or this one goes on as the cold hook. With `--place`, the fast
    client has asked before."""
    given = b""
    if "--place" not in words and "--cold" not in words:
        from askfirst.resident import thin

        answer, words, given = thin.asked(words)
        if answer is not None:
            return thin.deliver(answer)
    # What a warm answer does not need.
    from askfirst import cold

    cold.install()
    from askfirst.hook import main as judged

    return judged(words, given)


if __name__ == "__main__":
    sys.exit(main())
