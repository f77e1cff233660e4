"""`python -I -S …/box/start.py RUN`: runs what `runs.prepare` stored. Compiled anew by every contained command, so all
of it stands in launcher.py."""

import gc
import os
import sys

gc.disable()
code = 126
try:
    # As in launch.py: nothing that lies beside askfirst may stand in for the standard library.
    sys.path.append(__file__.rpartition("/")[0].rpartition("/")[0].rpartition("/")[0])
    from askfirst.box.launcher import main

    code = main(sys.argv)
except BaseException as error:
    os.write(2, f"askfirst: the box could not be started: {type(error).__name__}: {error}. Nothing was run.\n".encode())
finally:
    os._exit(code)
