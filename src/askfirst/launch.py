"""The fastest safe way in: `python -I -S …/askfirst/launch.py hook`. Installers write exactly this line.

`-I` keeps the project's directory, PYTHONPATH and the user's site-packages out of the imports; `-S` saves a quarter of
the interpreter's start by not reading every .pth file. What `-S` leaves out is added when the first import needs it
(bashlex, yaml). This file is compiled on every call, so it is short.
"""

import gc
import sys
from posix import _exit

# One call, a few milliseconds, then the end: there is nothing to collect.
gc.disable()


class LateSite:
    """The last finder: when a module is found nowhere, site-packages come in, as they would have at the start."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):  # type: ignore[no-untyped-def]
        # Names with an underscore are the standard library's own C modules, which some versions do not have.
        if path is not None or name[0] == "_" or cls not in sys.meta_path:
            return None
        sys.meta_path.remove(cls)
        import site

        known = len(sys.path)
        site.main()
        if len(sys.path) == known:
            return None
        # As in importlib.machinery, whose package imports more than this program.
        from _frozen_importlib_external import PathFinder

        return PathFinder.find_spec(name, path, target)


if __name__ == "__main__":
    code = 2
    try:
        # The package's own parent goes last: nothing that lies beside askfirst may stand in for the standard library.
        sys.path.append(__file__.rpartition("/")[0].rpartition("/")[0])
        if sys.flags.no_site:
            sys.meta_path.append(LateSite)
        from askfirst.__main__ import main

        code = main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 2
    except BaseException as error:
        # A broken installation must not open the gate: any other exit code lets the call run.
        sys.stderr.write(f"askfirst: cannot start: {type(error).__name__}: {error}\n")
        code = 2
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass
    # Skips the interpreter's tidying up, which takes as long as judging a command.
    _exit(code)
