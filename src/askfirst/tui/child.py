"""The process that draws one question for `ask.ask_here`: question in, answer out, over two open files."""

from __future__ import annotations

import os
import pickle
import sys

from askfirst.tui.ask import OneQuestion
from askfirst.tui.guardian import die_with
from askfirst.tui.setting import Setting
from askfirst.tui.watch import loop


def main(asked: int, answered: int) -> int:
    with os.fdopen(asked, "rb") as file:
        question, by, parent = pickle.load(file)
    die_with(parent)
    single = OneQuestion(question)
    code = loop(single, Setting(by=by, once=True, idle=""))
    with os.fdopen(answered, "wb") as file:
        pickle.dump(single.answer, file)
    return code


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
