"""get_related_tests: which tests belong to a file (files/related_tests.py), as the rules let the agent see them."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any

from askfirst.files.related_tests import related_tests
from askfirst.toolbox.code_files import may_show
from askfirst.toolbox.place import Place, enter, inside, readable
from askfirst.toolbox.tool_result import Failure


def get_related_tests(place: Place, file_path: str) -> dict[str, Any]:
    layers = enter(place, "get_related_tests", file_path=file_path)
    real = inside(place, file_path)
    readable(place, file_path)
    if not os.path.isfile(real):
        raise Failure("FileNotFound", f"`{file_path}` is not a file", "use list_files to see what is there")
    relative = os.path.relpath(real, place.project)
    found = related_tests(place.project, relative)
    return {"file": relative, "tests": [asdict(t) for t in found if may_show(place.project, t.path, layers)]}
