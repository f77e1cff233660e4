"""Scripts from a seed: construct × position × nesting, with a share of damaged ones. Only `c0` … `c9` and builtins are ever run."""

from __future__ import annotations

import random
import re

SPECIALS = ["\\\n", "\\", "'", '"', "`", "$", "$(", ")", "(", "{", "}", "${", "[", "]", "[[ ", " ]]", "((", "))", "<", ">", "<<E\n", "<(", ">(",
            "|", "&", ";", ";;", "#", " #", "!", " ! ", "*", "~", "=", " ", "\t", "\n", " in ", " do ", "; done ", "\nE\n", "$'", "&&", "||", "<<<",
            "time ", "x=", "$x", "function ", "coproc ", "case ", " esac", "if ", "then ", " fi", "{ ", "; }", "''", '""', "^", "%", "@", ":", ","]
# A path that does not stay in the private directory: such a script is not run.
LEAVES = re.compile(r"(?:^|[^A-Za-z0-9_])/(?!dev/null)|\.\.|~|HOME|OLDPWD|CDPATH")


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.budget = self.random.choice((3, 5, 8, 14))

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def text(self) -> str:
        text = self.script(3)
        if self.chance(0.3):
            text = self.damage(text)
        return text

    def damage(self, text: str) -> str:
        for _ in range(self.random.choice((1, 1, 2, 3))):
            i = self.random.randrange(len(text) + 1)
            kind = self.random.randrange(4)
            if kind == 0:
                text = text[:i] + text[i + 1 :]
            elif kind == 1:
                text = text[:i] + self.random.choice(SPECIALS) + text[i:]
            elif kind == 2:
                j = self.random.randrange(len(text) + 1)
                text = text[: min(i, j)] + text[max(i, j) :] if abs(i - j) < 12 else text
            else:
                j = i + self.random.randrange(6)
                text = text[:i] + text[i:j] * 2 + text[j:]
        return text

    # -- lists

    def script(self, depth: int) -> str:
        out = self.item(depth)
        while self.budget > 0 and self.chance(0.5):
            joint = self.pick("; ", ";", "\n", " && ", " || ", " | ", "&&", "|", " & ", "\n\n", " |& ", " # note $(c9) `\n", " \\\n && ", " &&\n", "; \n")
            out += joint + self.item(depth)
        return out

    def item(self, depth: int) -> str:
        self.budget -= 1
        if depth <= 0 or self.chance(0.6):
            return self.heredoc(depth) if self.chance(0.1) else self.simple(depth)
        return self.compound(depth - 1)

    def compound(self, depth: int) -> str:
        s = self.script
        body = s(depth)
        r = self.random.randrange(25)
        redirect = self.redirect(depth) if self.chance(0.2) else ""
        name = self.name()
        forms = [
            lambda: "if " + s(depth) + "; then " + body + "; fi" + redirect,
            lambda: "if " + s(depth) + "\nthen\n" + body + "\nelse " + s(depth) + "\nfi" + redirect,
            lambda: "if " + name + "; then " + body + "; elif " + s(depth) + "; then " + self.simple(depth) + "; fi",
            lambda: "while " + s(depth) + "; do " + body + "; break; done" + redirect,
            lambda: "until " + name + "\ndo " + body + "\nbreak\ndone" + redirect,
            lambda: "for x in " + self.words(depth) + "; do " + body + "; done" + redirect,
            lambda: "for y in " + self.words(depth) + "\ndo\n" + body + "\ndone",
            lambda: "for ((i=0; i<2; i++)); do " + body + "; done" + redirect,
            lambda: "case " + self.word(depth) + " in " + self.pick("a", "*", "a|b", "(a", "'x'", "$x", "c*") + ") " + body + ";; *) " + s(depth) + " ;; esac",
            lambda: "case x in x) " + body + self.pick(";;", ";&", ";;&") + "\n y|*) " + s(depth) + "\nesac" + redirect,
            lambda: "{ " + body + "; }" + redirect,
            lambda: "(" + body + ")" + redirect,
            lambda: "( " + body + " )" + redirect,
            lambda: "f1() { " + body + "; }" + redirect + "; f1 " + self.words(0),
            lambda: "function f2 { " + body + "\n}\nf2",
            lambda: "f3 () (" + body + ")\nf3 | " + self.simple(depth),
            lambda: "[[ " + self.condition(depth) + " ]] && " + body,
            lambda: "[[ " + self.condition(depth) + self.pick(" && ", " || ") + self.condition(depth) + " ]] || " + body,
            lambda: "(( " + self.arithmetic(depth) + " )); " + body,
            lambda: "! " + body,
            lambda: "time " + self.pick("", "-p ") + body,
            lambda: "coproc " + self.pick("", "N ") + "{ " + body + "; }",
            lambda: "coproc " + self.simple(depth),
            lambda: "select x in a b; do " + body + "; break; done",
            lambda: "eval " + self.quote(self.simple(0)) if self.chance(0.5) else "trap " + self.quote(self.simple(0)) + " EXIT",
        ]
        return forms[r]()

    def heredoc(self, depth: int) -> str:
        delimiter = self.pick("E", "'E'", '"E"', "\\E", "E'O'F", "EOF", "-E", "- E", " E", "'E O'", "-'E'")
        bare = re.sub(r"['\"\\]", "", delimiter)
        dash = bare.startswith("-")
        end = bare.lstrip("- ")
        tab = "\t" if dash and self.chance(0.7) else ""
        lines = [tab + self.line(depth) for _ in range(self.random.randrange(4))]
        rest = self.pick("", "", " | " + self.simple(0), " && " + self.simple(0), "; " + self.simple(0), " > f1", " " + self.plain())
        return self.name() + " <<" + delimiter + rest + "\n" + "".join(x + "\n" for x in lines) + tab + end + "\n" + self.name()

    def line(self, depth: int) -> str:
        return self.pick("text", "E x", " E", "EOF'", "'E'", "a $x b", "$(" + self.simple(0) + ")", "`" + self.name() + "`", "\\$(c9)", "${x:-$(c8)}",
                         "a \\", "\\\\", "\"q\"", "it's", "$((1 + 2))", "\\`c7\\`", "E)", "", "$(c1\nc2)")

    # -- simple commands

    def name(self) -> str:
        return f"c{self.random.randrange(10)}"

    def simple(self, depth: int) -> str:
        r = self.random.random()
        if r < 0.08:
            return self.assignment(depth)
        if r < 0.14:
            return self.builtin(depth)
        out = ""
        if self.chance(0.05):
            out += self.pick("CI=1 ", "LANG=C ", "LC_ALL=" + self.word(depth) + " ")
        if self.chance(0.06):
            out += self.redirect(depth).strip() + " "
        out += self.command_name(depth)
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            out += self.pick(" ", " ", "  ", "\t", " \\\n ") + self.word(depth)
        if self.chance(0.2):
            out += self.redirect(depth)
        return out

    def command_name(self, depth: int) -> str:
        if self.chance(0.85):
            return self.name()
        n = self.name()
        return self.pick(f"'{n}'", f'"{n}"', f"\\{n}", n[0] + "''" + n[1], n[0] + '"' + n[1] + '"', "$" + f"'{n}'", f"{{{n},a}}", "$x", '"$x"', f"$(echo {n})",
                         f"c{{{n[1]},1}}", "$" + f'"{n}"', f"$'c\\x3{n[1]}'", f"$'c\\6{n[1]}'", f"x= {n}", n + "\\\n")

    def builtin(self, depth: int) -> str:
        return self.pick("cd d1", "cd d2", "cd nowhere", "true", "false", ":", "echo " + self.word(depth), "[ " + self.word(0) + " ]", "cd d1 && " + self.name() + " > f4",
                         "printf '%s' " + self.word(depth), "test -n " + self.word(0), "read x", "export CI=1", "local y=1", "set -e", "pushd d1", "popd",
                         "unset x", "declare z=" + self.plain(), "command " + self.name(), "(cd d1; " + self.name() + " > f5)", "return", "exit 0", "shift",
                         "readonly x=" + self.name(), "eval x=" + self.name(), "printf -v x " + self.name(), "read x <<< " + self.name(), "declare x=" + self.name())

    def assignment(self, depth: int) -> str:
        return self.pick("x=", "y=", "z=", "x+=") + self.pick("", self.word(depth), self.name(), "'a[$(c6)]'", "1", "$((1+1))", "$x", "(a b)", "(" + self.word(depth) + ")",
                                                             "'c5 c4'", "$(" + self.simple(0) + ")", "{a,b}", "*", "\"$(c2)\"", "f2")

    def redirect(self, depth: int) -> str:
        target = self.pick("f1", "f2", "d1/f3", "'f 4'", "\"f$x\"", "f{5,6}", "$x", "/dev/null", "f7", "f8", "f9", "\\f1", "$'f\\x31'")
        return self.pick(" > ", " >", " >> ", " 2> ", " &> ", " >| ", " <> ", " >& ", " &>> ", " 1>", " 3>", " 2>>", " {fd}>") + target if self.chance(0.6) else self.pick(
            " 2>&1", " < in1", " <in1", " >&2", " 2>&-", " <<< " + self.word(depth), " <<<" + self.word(0), " < <(" + self.simple(0) + ")", " > >(" + self.simple(0) + ")",
            " 3<&0", " <&-", " 2>/dev/null")

    def words(self, depth: int) -> str:
        return " ".join(self.word(depth) for _ in range(self.random.choice((1, 2, 3))))

    def plain(self) -> str:
        return self.pick("a", "b", "-x", "--opt=v", "c3", "in1", "a.t", "x=y", "42", "a:b", "@", "%s", "a,b", "-", "=", "done", "if", "+x", "f1")

    def word(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.45):
            if self.chance(0.6):
                return self.plain()
            return self.pick("'a b'", '"a b"', "$x", "${x}", '"$x"', "\"${x}\"", "''", '""', "\\$x", "'$(c9)'", '"\\$(c9)"', "\\`c9\\`", "a#b", "#b", "*.t", "in*", "?n1", "[i]n1",
                             "{a,b}", "a{b,c}d", "{1..3}", "{a}", "{}", "a\\ b", "$'a\\tb'", "$'\\'c9'", "$\"a\"", "$?", "$#", "$$x", "a$", "\"a$\"", "$'\\x41\\u0042'", "'it'\\''s'",
                             "\"it's\"", "'<(c9)'", "\"<(c9)\"", "${#x}", "\"$@\"", "$*", "!", "a!b", "]", "[", "{", "}", "}a", "x{a,b", "{a,b}{c,d}", "\\{a,b}", "\"a\\\nb\"", "'a\nb'",
                             "\"a\nb\"", "a=~", "~+", "$-", "${1}", "$1", "\"$*\"", "c{4..6}", "'a'\"b\"c", "\\\\", "\"\\\\\"", "\"\\a\"", "\\a")
        d = depth - 1
        s = self.simple(d) if self.chance(0.7) else self.script(d)
        q = s.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$") if self.chance(0.5) else s.replace("`", "")
        return self.pick(
            "$(" + s + ")", "\"$(" + s + ")\"", "`" + q + "`", "\"`" + self.name() + "`\"", "<(" + s + ")", ">(" + s + ")", "a$(" + s + ")b", "\"a $(" + s + ") b\"",
            "${x:-" + self.word(d) + "}", "${x-$(" + s + ")}", "\"${x:-$(" + s + ")}\"", "${x:+" + self.plain() + "}", "${x:=$(" + s + ")}", "${x/a/$(" + s + ")}", "${x#$(" + s + ")}",
            "${x%%*}", "${x^^}", "${x:0:1}", "${x:$(" + s + ")}", "$((" + self.arithmetic(d) + "))", "$(( $(" + s + ") ))", "${a[0]}", "${a[$(" + s + ")]}", "${a[@]}", "${a[x]}",
            "${!x}", "${!x*}", "${x@Q}", "${x@P}", "\"\"<(" + s + ")", "$(" + s + "\n)", "$(\n" + s + ")", "$( (" + s + ") )", "$((" + s + "))", "$[" + self.arithmetic(d) + "]",
            "$(" + self.heredoc(d) + "\n)", "${x//'a'/\"$(" + s + ")\"}", "${x-'a b'}", "\"$(" + s + " # note\n)\"", "$(< in1)", "~$(" + s + ")", "{a,$(" + s + ")}")

    def arithmetic(self, depth: int) -> str:
        return self.pick("1 + 2", "x", "x++", "i=1", "i += 2", "$x", "y * 2", "1<<2", "(1+2)*3", "a[0]", "x > 1", "16#ff", "i<3?1:2", "${#x}", "$(" + self.simple(0) + ")", "1, 2", "$((2))")

    def condition(self, depth: int) -> str:
        return self.pick("-f in1", "-n $x", "$x == a", "$x == c*", self.word(depth) + " = " + self.word(0), "-z " + self.word(depth), "! -e f1", "$x =~ ^a+$", "1 -eq 1", "$x -eq 0",
                         "x -lt 2", "'a[$(c6)]' -eq 0", "-v x", "-v 'a[$(c6)]'", "( -d d1 )", "a < b", "$x =~ (a|b)c", "-f in1 && -n $(" + self.simple(0) + ")", "$((1+1)) -gt 1", "x\n = \n x")

    def quote(self, text: str) -> str:
        return "'" + text.replace("'", "'\\''") + "'"


def stays_private(text: str) -> bool:
    """Whether a script may be run here: it names no path outside its directory."""
    return not LEAVES.search(text) and "\0" not in text


def scripts(first: int, last: int) -> list[tuple[int, str]]:
    out = []
    for seed in range(first, last):
        text = Generator(seed).text()
        if stays_private(text):
            out.append((seed, text))
    return out
