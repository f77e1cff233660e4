"""Editing JSON text in place, over generated documents: what is not ours keeps its bytes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from askfirst.install import json_edit

ITEM = {"matcher": "*", "hooks": [{"type": "command", "command": "x || exit 2", "timeout": 5}]}


def document(random_: random.Random, depth: int = 0) -> Any:
    kind = random_.randrange(8 if depth < 3 else 4)
    if kind < 4:
        return random_.choice([1, -2.5, True, None, "", "text", 'a "quoted" \\ one', "{[,:]}", "\u2028\U0001f600"])
    if kind < 6:
        return [document(random_, depth + 1) for _ in range(random_.randrange(4))]
    return {f"k{i}": document(random_, depth + 1) for i in range(random_.randrange(4))}


def layout(random_: random.Random, value: Any) -> str:
    style = random_.randrange(4)
    text = json.dumps(value, ensure_ascii=bool(random_.randrange(2)), indent=[None, 2, 4, "\t"][style])
    return text.replace("\n", "\r\n") if style and random_.random() < 0.2 else text + random_.choice(["", "\n"])


@pytest.mark.parametrize("seed", range(20))
def test_append_and_remove_give_back_the_text(seed: int) -> None:
    random_ = random.Random(seed)
    for _ in range(50):
        value = {f"k{i}": document(random_) for i in range(random_.randrange(4))}
        if random_.random() < 0.5:
            value["hooks"] = (
                {"PreToolUse": [{"matcher": "Bash", "hooks": [document(random_)]}]}
                if random_.random() < 0.7
                else {"Stop": [1]}
            )
        text = layout(random_, value)
        longer = json_edit.append_item(text, ("hooks", "PreToolUse"), ITEM, "file")
        longer = json_edit.append_item(longer, ("hooks", "Other"), ITEM, "file")
        assert json.loads(longer)["hooks"]["Other"] == [ITEM] and json.loads(longer)["hooks"]["PreToolUse"][-1] == ITEM
        back = longer
        for event in ("Other", "PreToolUse"):
            back = json_edit.remove_items(back, ("hooks", event), lambda v: v == ITEM, "file")
        if (
            value
        ):  # in an empty object the white space between the braces is not kept; `init` keeps the bytes themselves
            assert back == text
        named = json_edit.set_member(text, ("mcpServers", "askfirst"), {"command": "x"}, "file")
        assert json.loads(named)["mcpServers"] == {"askfirst": {"command": "x"}}
        if value:
            assert json_edit.remove_member(named, ("mcpServers", "askfirst"), "file") == text
