"""Entries are added to any file that a team writes, or the file is refused with a reason; nothing else changes."""

from __future__ import annotations

import random

import pytest
import yaml

from askfirst.errors import ConfigError
from askfirst.policy.yaml_writing import block, scalar
from askfirst.store.yaml_insert import insert, without

ENTRY = {"name": "npm", "args": ["run build"], "description": "runs a script"}
LINES = '- name: npm\n  args: ["run build"]\n  description: "runs a script"\n'


def shifted(columns: int) -> str:
    return "".join(" " * columns + line + "\n" for line in LINES.splitlines())


INSERTED = {
    "two columns": ("version: 1\ncommands:\n  - name: a\n", "version: 1\ncommands:\n  - name: a\n" + shifted(2)),
    "no indentation": ("version: 1\ncommands:\n- name: a\n", "version: 1\ncommands:\n- name: a\n" + shifted(0)),
    "four columns": ("commands:\n    - name: a\n", "commands:\n    - name: a\n" + shifted(4)),
    "wide dash": (
        "commands:\n  -   name: a\n      description: d\n",
        "commands:\n  -   name: a\n      description: d\n" + shifted(2),
    ),
    "comment behind": ("commands:\n  - name: a  # why\n", "commands:\n  - name: a  # why\n" + shifted(2)),
    "comment below": ("commands:\n  - name: a\n  # end\n", "commands:\n  - name: a\n" + shifted(2) + "  # end\n"),
    "key behind": (
        "commands:\n  - name: a\nprofiles: [python-dev]\n",
        "commands:\n  - name: a\n" + shifted(2) + "profiles: [python-dev]\n",
    ),
    "blank lines and key behind": (
        "commands:\n  - a\n\n\n# profiles\nprofiles: []\n",
        "commands:\n  - a\n" + shifted(2) + "\n\n# profiles\nprofiles: []\n",
    ),
    "no line end": ("commands:\n  - name: a", "commands:\n  - name: a\n" + shifted(2)),
    "empty brackets": ("version: 1\ncommands: []\n", "version: 1\ncommands:\n" + shifted(2)),
    "empty brackets with comment": (
        "commands: [ ]  # none yet\nversion: 1\n",
        "commands:  # none yet\n" + shifted(2) + "version: 1\n",
    ),
    "nothing": ("version: 1\ncommands:\n", "version: 1\ncommands:\n" + shifted(2)),
    "nothing, comments": (
        "version: 1\ncommands:\n  # - name: a\n",
        "version: 1\ncommands:\n" + shifted(2) + "  # - name: a\n",
    ),
    "tilde": ("version: 1\n", "version: 1\ncommands:\n" + shifted(2)),
    "only comments": ("# nothing here\n", "# nothing here\nversion: 2\ncommands:\n" + shifted(2)),
    "empty": ("", "version: 2\ncommands:\n" + shifted(2)),
    "flow mapping items": (
        "commands:\n  - {name: a, args: [x]}\n",
        "commands:\n  - {name: a, args: [x]}\n" + shifted(2),
    ),
    "flow list": (
        "commands: [{name: a}, {name: b}]  # all\n",
        'commands: [{name: a}, {name: b}, {name: npm, args: ["run build"], description: "runs a script"}]  # all\n',
    ),
    "flow list on lines": (
        "commands: [\n  {name: a},\n  {name: b}\n]\n",
        'commands: [\n  {name: a},\n  {name: b}, {name: npm, args: ["run build"], description: "runs a script"}\n]\n',
    ),
    "block text": (
        "commands:\n  - name: a\n    description: |\n      two\n      lines\nversion: 1\n",
        "commands:\n  - name: a\n    description: |\n      two\n      lines\n" + shifted(2) + "version: 1\n",
    ),
    "folded text at the end": (
        "commands:\n  - name: a\n    description: >-\n      two\n      lines\n",
        "commands:\n  - name: a\n    description: >-\n      two\n      lines\n" + shifted(2),
    ),
    "quoted over two lines": (
        'commands:\n  - name: "a"\n    description: "one\n      two"  # c\n',
        'commands:\n  - name: "a"\n    description: "one\n      two"  # c\n' + shifted(2),
    ),
    "nested list last": (
        "commands:\n  - name: a\n    args:\n      - x\n      - y # z\n",
        "commands:\n  - name: a\n    args:\n      - x\n      - y # z\n" + shifted(2),
    ),
    "document start": ("---\ncommands:\n  - name: a\n", "---\ncommands:\n  - name: a\n" + shifted(2)),
    "document end behind a list": ("commands:\n  - name: a\n...\n", "commands:\n  - name: a\n" + shifted(2) + "...\n"),
    "Windows": (
        "version: 1\r\ncommands:\r\n  - name: a\r\n",
        "version: 1\r\ncommands:\r\n  - name: a\r\n" + shifted(2).replace("\n", "\r\n"),
    ),
    "quoted key": ('"commands":\n  - name: a\n', '"commands":\n  - name: a\n' + shifted(2)),
    "astral": (
        "commands:\n  - name: a\n    description: 🦀 crab\n",
        "commands:\n  - name: a\n    description: 🦀 crab\n" + shifted(2),
    ),
}

REFUSED = {
    "anchors": ("x: &a [1]\ncommands:\n  - *a\n", "anchors"),
    "an anchor alone": ("commands: &c\n  - name: a\n", "anchors"),
    "merge": ("commands:\n  - {name: a, <<: {b: c}}\n", "merge"),
    "two documents": ("commands:\n  - name: a\n---\nb: 1\n", "several documents"),
    "key twice": ("commands: []\ncommands:\n  - name: a\n", "twice"),
    "key twice inside": ("commands:\n  - {name: a, name: b}\n", "twice"),
    "mixed line ends": ("version: 1\r\ncommands:\n  - name: a\n", "line ends"),
    "old Mac": ("version: 1\rcommands:\r", "line ends"),
    "tab": ("commands:\n\t- name: a\n", "tab"),
    "tag": ("commands: !!seq\n  - name: a\n", "tags"),
    "directive": ("%YAML 1.1\n---\ncommands:\n  - name: a\n", "directives"),
    "not YAML": ("commands: [\n", "expected"),
    "a list": ("- name: a\n", "mapping"),
    "a flow mapping": ("{version: 1, commands: []}\n", "mapping"),
    "a text": ("hello\n", "mapping"),
    "commands is a text": ("commands: all\n", "not a list"),
    "commands is a mapping": ("commands:\n  name: a\n", "not a list"),
    "byte order mark": ("\ufeffcommands:\n  - name: a\n", "byte order"),
    "line separator": ("commands:\n  - name: a # \u2028\n", "line separator"),
    "end mark and no list": ("version: 1\n...\n", r"`\.\.\.`"),
    "a key that is a list": ("? [a]\n: 1\ncommands: []\n", "plain word"),
}


@pytest.mark.parametrize("name", INSERTED)
def test_inserted(name: str) -> None:
    old, new = INSERTED[name]
    assert insert(old, [ENTRY]) == new
    before, after = yaml.safe_load(old) or {}, yaml.safe_load(new)
    assert after["commands"] == [*(before.get("commands") or []), ENTRY]


@pytest.mark.parametrize("name", INSERTED)
def test_taken_out_again(name: str) -> None:
    _, new = INSERTED[name]
    if "[{name" in new or "commands: [" in new:
        with pytest.raises(ConfigError, match="brackets"):
            without(new, [ENTRY])
        return
    left = without(new, [ENTRY])
    assert "npm" not in left and set(left.splitlines()) <= set(new.splitlines())
    assert without(left, [ENTRY]) == left


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_reason(name: str) -> None:
    text, reason = REFUSED[name]
    with pytest.raises(ConfigError, match=reason):
        insert(text, [ENTRY])


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "./build.sh",
        "yes",
        "No",
        "1.10",
        "12:30",
        "null",
        "~",
        "",
        " a",
        "a ",
        "a: b",
        "a #b",
        "- a",
        "*x",
        "&x",
        "!x",
        "%x",
        "@x",
        "`x`",
        "'",
        '"',
        "\\",
        "{a}",
        "[a]",
        "a,b",
        "é",
        "🦀",
        "\u202e",
        "\x07",
        "\n",
        "0x1f",
        "1e3",
        ".inf",
        ".5",
        "a-",
        "---",
        "true",
        "2027-01-31",
        "=",
        "<<",
        "_",
        "\x85",
        "\ufeff",
    ],
)
def test_a_text_is_read_back_as_the_same_text(text: str) -> None:
    for place in (f"a: {scalar(text)}", f"a: [{scalar(text)}, b]", f"a: {{b: {scalar(text)}}}"):
        value = yaml.safe_load(place)["a"]
        assert (value if isinstance(value, str) else value[0] if isinstance(value, list) else value["b"]) == text
    assert scalar(text).isprintable()


class Documents:
    """Documents as teams write them, by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def text(self) -> str:
        words = [
            "swift",
            "npm",
            "a b",
            "x: y",
            "yes",
            "é",
            "🦀",
            "it's",
            "# no",
            "-",
            "1",
            'say "hi"',
            "path/to.sh",
            "*",
            "two\nlines",
        ]
        return self.chance.choice(words)

    def comment(self) -> str:
        return self.chance.choice(["", "", "", "  # why", " # - name: b", " #"])

    def item(self, indent: int) -> list[str]:
        pad, kind = " " * indent, self.chance.randrange(5)
        if kind == 0:
            return [f"{pad}- {scalar(self.text())}{self.comment()}"]
        if kind == 1:
            return [f"{pad}- {{name: {scalar(self.text())}, args: [{scalar(self.text())}]}}{self.comment()}"]
        lines = block({"name": self.text(), "description": self.text()}, indent)
        if kind == 2:
            lines += [f"{pad}  args:", f"{pad}    - {scalar(self.text())}{self.comment()}"]
        if kind == 3:
            style = self.chance.choice(["|", ">", "|-", ">-", "|+"])
            lines += [f"{pad}  reason: {style}", f"{pad}    some text", "", f"{pad}    more"]
        return lines

    def document(self) -> str:
        chance = self.chance
        lines = ["# head", ""] * chance.randrange(2) + ["version: 1"] * chance.randrange(2)
        indent = chance.choice([0, 2, 2, 2, 4])
        style = chance.randrange(8)
        if style == 0:
            lines.append("commands: []" + self.comment())
        elif style == 1:
            lines.append("commands:" + self.comment())
        elif style == 2:
            lines.append(
                f"commands: [{', '.join(scalar(self.text()) for _ in range(chance.randrange(1, 4)))}]" + self.comment()
            )
        elif style < 7:
            lines.append("commands:" + self.comment())
            for _ in range(chance.randrange(1, 5)):
                lines += self.item(indent)
                lines += chance.choice([[], [], [""], ["# between"], [" " * indent + "# indented"], ["", "", "# far"]])
        lines += chance.choice([[], ["profiles: [python-dev]"], ["profiles:", "  - python-dev"], ["", "# end"]])
        end = chance.choice(["\n", "\n", "\n", "\r\n"])
        text = end.join(lines) + chance.choice([end, end, ""])
        if chance.random() < 0.05:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(["\t", "&a ", "*", "\r", "{", "---\n", "\ufeff", ": ", "- "]) + text[at:]
        return text


def check_generated(seeds: range) -> int:
    """Every insert is the old value plus the entry with every old line there, or a refusal. How many were inserted."""
    done = 0
    for seed in seeds:
        text = Documents(seed).document()
        try:
            new = insert(text, [ENTRY])
        except ConfigError:
            continue
        done += 1
        old, value = yaml.safe_load(text) or {}, yaml.safe_load(new)
        assert value["commands"] == [*(old.get("commands") or []), ENTRY], seed
        assert value.get("profiles") == old.get("profiles"), seed
        kept = [line for line in text.splitlines() if "commands: [" not in line]
        found = iter(new.splitlines())
        assert all(line in found for line in kept), f"seed {seed}: a line is lost"
    return done


def test_a_thousand_generated_documents() -> None:
    assert check_generated(range(1000)) > 800


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_a_hundred_thousand_generated_documents(part: int) -> None:
    assert check_generated(range(part * 5000, (part + 1) * 5000)) > 4000
