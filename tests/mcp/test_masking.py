"""A secret that `read_file` masks comes back whole into its own file, and into no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.masking import PLACEHOLDER
from askfirst.toolbox.changing import edit_file, write_file
from askfirst.toolbox.file_views import read_file
from askfirst.toolbox.place import Place
from askfirst.toolbox.tool_result import Failure

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


def test_there_and_back(project: Path) -> None:
    (project / "src").mkdir()
    path = project / "src/config.py"
    path.write_text(f"A = 1\nTOKEN = '{TOKEN}'\n")
    place = Place(str(project), str(project), "s1")
    content = read_file(place, "src/config.py")["data"]["content"]
    (mask,) = PLACEHOLDER.findall(content)
    assert TOKEN not in content
    edit = {"operation": "replace", "mode": "exact", "spec": f"'{mask}'", "content": f"'{mask}' + x", "count": 1}
    said = edit_file(place, "src/config.py", [edit])
    assert said["status"] == "hitl_required"
    assert write_file(place, "src/config.py", content + "B = 2\n")["status"] == "hitl_required"
    with pytest.raises(Failure, match="only by an Edit or Write of the file"):
        write_file(place, "src/other.py", content)
