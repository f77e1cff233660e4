"""What a shell is to the dialog: leader of the session, owner of the terminal, parent that outlives a killed guardian.

python shell.py PROGRAM ARGUMENTS…      exits as the program does; 128 + n after a signal
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios
from types import FrameType


def main() -> int:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(sys.argv[1], sys.argv[1:])

    def pass_on(number: int, _frame: FrameType | None) -> None:
        os.kill(child, signal.SIGCONT)
        os.kill(child, number)

    signal.signal(signal.SIGTERM, pass_on)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
