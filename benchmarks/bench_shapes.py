"""Long commands: the time of analysis and judgement for many shapes of text, and how it grows with the length.

    python benchmarks/bench_shapes.py [--sizes 2500,5000,10000] [--rounds 5] [--only NAME] [--json]

Processor time, the best of the rounds: what other processes do does not count. `growth` is the exponent between the
first and the last size: 1.0 is linear. Judged in a scratch project without rules; importing askfirst is not part of it
(bench_hook.py measures that).
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import sys
import tempfile
import time

from askfirst.files import look
from askfirst.policy.judge import judge
from askfirst.policy.rules import Layers, Settings
from askfirst.shell import analyze
from askfirst.shell.surroundings import Surroundings

# Name -> what is repeated (`#` is a number that counts up), or (before, repeated, after).
SHAPES: dict[str, str | tuple[str, str, str]] = {
    "words": ("echo", " word#", ""),
    "words in quotes": ("echo", " 'word #'", ""),
    "words in double quotes": ("echo", ' "a $HOME b #"', ""),
    "words that are not ASCII": ("echo", " größe#é中", ""),
    "one long word": ("echo ", "abcdefghij", ""),
    "one long quoted word": ("echo '", "some words in it ", "'"),
    "commands and newlines": "ls -la src#\n",
    "commands and &&": ("true", " && git status -s p#", ""),
    "a pipeline": ("cat a", " | grep -v x#", ""),
    "assignments": "a#=b#\n",
    "assignments and uses": 'a#=b#; echo "$a#"\n',
    "one variable, over and over": 'x=$x# ; echo "$x"\n',
    "assignments before a command": ("", "A#=b ", "ls"),
    "substitutions": ("echo", " $(ls d#)", ""),
    "substitutions in quotes": ('echo "', "$(git log f#) ", '"'),
    "nested backticks and substitutions": "echo $(echo `ls $(pwd)` f#)\n",
    "process substitutions": "diff <(ls a#) <(ls b#)\n",
    "redirections": ("echo x", " > f#", ""),
    "commands with redirections": "echo x > f# 2>&1\n",
    "a heredoc": ("cat > f <<'EOF'\n", "line # of it, with $(nothing) that runs\n", "EOF"),
    "a heredoc that is expanded": ("cat > f <<EOF\n", "line # of $HOME\n", "EOF"),
    "many heredocs": "cat > f# <<'EOF'\nline\nEOF\n",
    "loops": 'for i in a b; do wc -l "$i#"; done\n',
    "conditions": 'if [[ -f f# && $x == y* ]]; then echo "$x"; fi\n',
    "case": ("case $x in\n", "p#) echo $x ;;\n", "esac"),
    "functions": "f#() { ls d#; }\nf#\n",
    "arithmetic": "echo $(( # + (2 * 3) ))\n",
    "parameter expansions": 'echo "${x:-a#}" "${y%.py}"\n',
    "an array": ("a=(", "w# ", ')\necho "${a[@]}"'),
    "braces": ("echo", " {a,b#,c}", ""),
    "globs": ("ls", " src/*#?.py", ""),
    "cd and relative paths": "cd d#\ncat a b\n",
    "subshells": "(cd d#; ls)\n",
    "groups in pipes": "{ ls d#; } | sort\n",
    "paths": ("cat", " src/dir#/file.py", ""),
    "comments": "ls # a comment that says $(something) #\n",
    "continued lines": ("ls", " \\\n  d#", ""),
    "wrappers": "timeout 5 nice env A=# ls d#\n",
    "xargs and find": "find d# -name '*.py' | xargs grep -l x#\n",
    "sed and awk programs": "sed -n 's/a#/b/p' f | awk '{ print $# }'\n",
    "shells in shells": "bash -c 'ls d#; cat e'\n",
    "parentheses that nothing closes": ("echo", " (((", ""),
    "quotes that nothing closes": ("echo", ' "a#', ""),
    "unknown programs": "frobnicate --x# y\n",
}


def text_of(shape: str | tuple[str, str, str], size: int) -> str:
    before, piece, after = ("", shape, "") if isinstance(shape, str) else shape
    parts, length, number = [before], len(before) + len(after), 0
    while length < size:
        number += 1
        parts.append(piece.replace("#", str(number)))
        length += len(parts[-1])
    return "".join((*parts, after))


def measure(sizes: tuple[int, ...], rounds: int, only: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as place:
        home = os.path.realpath(place)
        project = os.path.join(home, "project")
        os.makedirs(os.path.join(project, ".git"))
        variables = {"HOME": home, "PWD": project}
        around = Surroundings(cwd=project, project=project, home=home, path=("/usr/bin", "/bin"), variables=variables)
        layers = Layers(project, settings=Settings(), home=home)
        for name, shape in SHAPES.items():
            if only not in name:
                continue
            took: list[tuple[float, float]] = []
            decision = ""
            for size in sizes:
                text, best = text_of(shape, size), (math.inf, math.inf)
                for _ in range(rounds):
                    gc.collect()
                    gc.disable()  # as in the hook
                    start = time.process_time()
                    facts = analyze(text, around)
                    middle = time.process_time()
                    verdict = judge(look(facts, project=project, settings=layers.settings.writes), layers)
                    best = min(best, (middle - start, time.process_time() - middle), key=sum)
                    gc.enable()
                took.append(best)
                decision = verdict.decision.name.lower()
            whole = [sum(pair) * 1000 for pair in took]
            growth = math.log(whole[-1] / whole[0]) / math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else 1.0
            rows.append(
                {
                    "shape": name,
                    "ms": [round(t, 1) for t in whole],
                    "analysis_ms": round(took[-1][0] * 1000, 1),
                    "growth": round(growth, 2),
                    "facts": len(facts),
                    "decision": decision,
                }
            )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="2500,5000,10000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", metavar="NAME", help="shapes whose name has this in it")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sizes = tuple(int(s) for s in options.sizes.split(","))
    rows = measure(sizes, options.rounds, options.only)
    if options.json:
        print(
            json.dumps(
                {"sizes": sizes, "rounds": options.rounds, "python": sys.version.split()[0], "shapes": rows}, indent=2
            )
        )
        return 0
    print(f"{'ms at':<36}" + "".join(f"{size:>8}" for size in sizes) + "  analysis  growth  facts  decision")
    for row in rows:
        times = row["ms"]
        assert isinstance(times, list)
        print(
            f"{row['shape']:<36}"
            + "".join(f"{t:8.1f}" for t in times)
            + f"{row['analysis_ms']:>10}{row['growth']:>8}{row['facts']:>7}  {row['decision']}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
