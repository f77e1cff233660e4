"""Scripts from a seed: construct × position × nesting, with a share of damaged ones. Only `c0` … `c9` and builtins are ever run.

A script grows from templates. In a template, `@S` stands for a script, `@s` a simple command, `@n` a program, `@N` a program named in
some roundabout way, `@w` a word, `@p` a plain word, `@a` arithmetic, `@t` a condition, `@r` a redirection, `@f` a file, `@h` a heredoc
with its command, `@l` a line of a heredoc, `@q` a quoted simple command. `⏎` is a newline and `⇥` a tab.
"""

from __future__ import annotations

import random
import re


def table(text: str) -> list[str]:
    return [line.replace("⏎", "\n").replace("⇥", "\t").replace("␠", " ") for line in text.strip("\n").split("\n")]


JOINTS = ["; ", ";", "\n", " && ", " || ", " | ", "&&", "|", " & ", "\n\n", " |& ", " # note $(c9) `\n", " \\\n && ", " &&\n", "; \n"]

COMPOUNDS = table("""
if @S; then @S; fi@r
if @S⏎then⏎@S⏎else @S⏎fi
if @n; then @S; elif @S; then @s; fi
while @S; do @S; break; done@r
until @n⏎do @S⏎break⏎done
while @n⏎@n⏎do⏎@S⏎break⏎done < in1
for x in @w @w; do @S; done@r
for x in a b; do @n $x > f$x; done
for y in @w @w @w⏎do⏎@S⏎done
for y; do @S; done
for ((i=0; i<2; i++)); do @S; done@r
for (( @a; 0; @a ))⏎do @S⏎done
case @w in a) @S;; *) @S ;; esac
case @w in (a|'b') @S⏎;; "$x"|c*) @s;; esac@r
case x in x) @S;&⏎ y|*) @S⏎esac
case x in x) @S;;& $(@s)) @S; esac
{ @S; }@r
{ @S⏎}
(@S)@r
( @S )
((@S))
( (@S) )
f1() { @S; }@r; f1 @p
function f2 { @S⏎}⏎f2
f3 () (@S)⏎f3 | @s
f4() if @S; then @S; fi⏎f4 @w
function f5() { @s; } ; c1 $(f5)
[[ @t ]] && @S
[[ @t && @t ]] || @S
[[ ! @t || ( @t ) ]]@r; @s
(( @a )); @S
(( @a )) && @s
! @S
! @s | @s
time @S
time -p @s
coproc { @S; }
coproc N { @S; }
coproc @s
select x in a b; do @S; break; done
eval @q
trap @q EXIT
eval x=@n; @S
eval @q @q
@n <(@S) >(@S)
{ @s; @s; } | { @s; } | (@s)
@s; exit; @s
x=@n; $x @w
x='@n @p'; $x
x=@p; @n $x "$x" ${x}b > f$x
x=@w; @s; @n "$x"
set -- @w @w; @n "$@" $1
{ @s; } 2>&1 | while read x; do @s; done
@n "$(@S)" "`@n`" <<< "$(@s)"
if ! @s; then @S; fi
@s && { @S; } || { @S; }
""")

BUILTINS = table("""
cd d1
cd d2
cd nowhere
cd d1 && @n > f4
cd d1 || @n > f4
cd d1; cd ..x; @n > f6
cd "$x"; @n > f6
true
false
:
echo @w
[ @p ]
[ -n @w ]
printf '%s' @w
test -n @p
read x
read x < in1
read x <<< @n
export CI=1
export x
local y=1
set -e
set -f
set +B
set -u
pushd d1
popd
unset x
declare z=@p
declare x=@n
declare -i x
declare -n x=y
command @n @w
builtin echo @w
command -v @n
(cd d1; @n > f5)
return
exit 0
shift
readonly x=@n
eval x=@n
printf -v x @n
printf -v 'a[$(c6)]' x
test -v 'a[$(c6)]'
let x=1
let 'x=a[$(c6)]'
getopts a x
mapfile x < in1
mapfile -t x <<< @n
exec 3> f2
exec @n
break
continue
wait
type @n
hash -r
umask 022
alias c1=c2
shopt -s nullglob
shopt -s lastpipe
shopt -s extglob
export -f f1
set -- a b
trap - EXIT
""")

SETS = table("""
x=
y=1
z=@w
x+=@p
x=@n
x='a[$(c6)]'
x=$((1+1))
y=$x
x=(a b)
x=(@w @w)
x=([0]=@w [1]=b)
x[0]=@w
x[y]=1
x='c5 c4'
x=$(@s)
y={a,b}
z=*
x="$(c2)"
x=f2
x=a y=$x
x=~
IFS=@p
y=-x
""")

FILES = table("""
f1
f2
d1/f3
'f 4'
"f$x"
f{5,6}
$x
/dev/null
f7
\\f8
$'f\\x31'
"f"9
f$(c1)
'$x'
'$(c9)'
f*
""")

TO_FILE = [
    " > ", " >", " >> ", " 2> ", " &> ", " >| ", " <> ", " >& ", " &>> ", " 1>", " 3>", " 2>>", " {fd}>", " >&", " 0<>", " 1<>",
    " 2>|",
]

REDIRECTS = table("""
␠2>&1
␠< in1
␠<in1
␠>&2
␠2>&-
␠<<< @w
␠<<<@p
␠< <(@s)
␠> >(@s)
␠3<&0
␠<&-
␠2>/dev/null
␠>&1-
␠2>&$x
␠>&-
␠>& -
␠<& -
␠{fd}<in1
␠2>&1 > f1
␠> f1 2>&1
␠>f1 >f2
""")

NAMES = table("""
'c1'
"c2"
\\c3
c''4
c"5"
$'c6'
{c7,a}
$x
"$x"
$(echo c8)
c{9,1}
$"c0"
$'c\\x31'
$'c\\62'
x= c3
c4\\⏎
`c5`
c[6]
${x:-c7}
c"$x"8
""")

PLAIN = [
    "a", "b", "-x", "--opt=v", "c3", "in1", "a.t", "x=y", "42", "a:b", "@", "%s", "a,b", "-", "=", "done", "if", "+x", "f1",
    "then", "in",
]

WORDS = table("""
'a b'
"a b"
$x
${x}
"$x"
"${x}"
''
""
\\$x
'$(c9)'
"\\$(c9)"
\\`c9\\`
a#b
#b
*.t
in*
?n1
[i]n1
{a,b}
a{b,c}d
{1..3}
{a}
{}
a\\ b
$'a\\tb'
$'\\'c9'
$"a"
$?
$#
$$x
a$
"a$"
$'\\x41\\u0042'
'it'\\''s'
"it's"
'<(c9)'
"<(c9)"
${#x}
"$@"
$*
!
a!b
]
[
{
}
}a
x{a,b
{a,b}{c,d}
\\{a,b}
"a\\⏎b"
'a⏎b'
"a⏎b"
~+
$-
${1}
$1
"$*"
c{4..6}
'a'"b"c
\\\\
"\\\\"
"\\a"
\\a
{a,'b c'}
{,a}
{a,b}$x
$x{a,b}
"{a,b}"
{a..c}
{3..1}
{01..3}
{a,{b,c}}
$'a\\0b'c
"$"
"a"$'b'"c"
$'a⏎b'
\\#b
a\\⏎ b
'\\'
"'"
'"'
`echo a`
$'\\101'
^a
%a
a=b=c
--x={a,b}
"${x}"'$x'
${x}$y
a*b
[a
a]
[!a]*
""")

DEEP_WORDS = table("""
$(@s)
$(@S)
"$(@s)"
"$(@S)"
`@n @p`
"`@n`"
`@n \\`@n\\``
`@n "$x"`
<(@s)
>(@s)
a$(@s)b
"a $(@s) b"
${x:-@w}
${x-$(@s)}
"${x:-$(@s)}"
${x:+@p}
${x:=$(@s)}
${x=@p}
${x/a/$(@s)}
${x#$(@s)}
${x%%*}
${x^^}
${x:0:1}
${x:$(@s)}
${x: -1}
${x:i}
$((@a))
$(( $(@s) ))
"$((@a))"
${a[0]}
${a[$(@s)]}
${a[@]}
"${a[*]}"
${a[x]}
${a[$x]}
${#a[@]}
${!x}
${!x*}
${!a[@]}
${x@Q}
${x@P}
""<(@s)
$(@s⏎)
$(⏎@s)
$( (@s) )
$((@s))
$((@s) )
$[@a]
$(@h⏎)
"$(cat <<'E'⏎@l⏎E⏎)"
${x//'a'/"$(@s)"}
${x-'a b'}
${x-"a b"}
"$(@s # note⏎)"
$(< in1)
~$(@s)
{a,$(@s)}
${x-<(@s)}
${x?$(@s)}
$(case x in x) @s;; esac)
$(case x in (x) @s;; esac)
$(@s; @s)
$(@s & @s)
$(@s⏎@s⏎)
$({ @s; })
$(if @s; then @s; fi)
$(for x in a b; do @s; done)
$(f9() { @s; }; f9)
$([[ @t ]] && @s)
$(x=@w; @n "$x")
$(@s | @s)
$(@s \\⏎ @p)
$(! @s)
$(time @s)
$(@s 2>&1)
"$(@n "$(@n "$(@s)")")"
"${x:-"a"}"
"${x:-'a'}"
${x:-${y:-$(@s)}}
${x:-`@n`}
${x/\\//_}
${x##*/}
"${x//"a"/b}"
$(:)$(@s)
@w$(@s)
"@p`@n`"$(@s)'$(c9)'
$'a'$(@s)
""")

ARITHMETIC = table("""
1 + 2
x
x++
i=1
i += 2
$x
y * 2
1<<2
(1+2)*3
a[0]
x > 1
16#ff
i<3?1:2
${#x}
$(@s)
1, 2
$((2))
i--
++i
x=y
a[i]=1
a[$(c6)]
"1"
`@n`
'a[$(c6)]'
x[1]+1
$i
-1
! x
""")

CONDITIONS = table("""
-f in1
-n $x
$x == a
$x == c*
@w = @p
-z @w
! -e f1
$x =~ ^a+$
1 -eq 1
$x -eq 0
x -lt 2
'a[$(c6)]' -eq 0
-v x
-v 'a[$(c6)]'
( -d d1 )
a < b
$x =~ (a|b)c
-n $(@s)
$((1+1)) -gt 1
x⏎ = ⏎ x
@w == @w
$(@s) == "$(@s)"
-n `@n`
a =~ "b"
$# -gt 0
@w =~ @p
$x != [ab]*
-o xtrace
a -nt b
""")

DELIMITERS = ["E", "'E'", '"E"', "\\E", "E'O'F", "EOF", "-E", "- E", " E", "'E O'", "-'E'", "$E", "E$", "''", "'#'"]
LINES = table("""
text
E x
␠E
EOF'
'E'
a $x b
$(@s)
`@n`
\\$(c9)
${x:-$(c8)}
a \\
\\\\
"q"
it's
$((1 + 2))
\\`c7\\`
E)

$(c1⏎c2)
⇥E
"$(@s)"
$(@s "a" 'b')
${x:-"$(@s)"}
\\\\$(@s)
$'\\x41'
$x\\
E\\
""")

SPECIALS = [
    "\\\n", "\\", "'", "\"", "`", "$", "$(", ")", "(", "{", "}", "${", "[", "]", "[[ ", " ]]", "((", "))", "<", ">", "<<E\n",
    "<(", ">(", "|", "&", ";", ";;", "#", " #", "!", " ! ", "*", "~", "=", " ", "\t", "\n", " in ", " do ", "; done ", "\nE\n",
    "$'", "&&", "||", "<<<", "time ", "x=", "$x", "function ", "coproc ", "case ", " esac", "if ", "then ", " fi", "{ ", "; }",
    "''", "\"\"", "^", "%", "@", ":", ",",
]

HOLE = re.compile(r"@([SsnNwpatrfhlq])")
# A path that does not stay in the private directory: such a script is not run.
LEAVES = re.compile(r"(?:^|[^A-Za-z0-9_])/(?!dev/null\b)|\.\.(?!\d|[a-z])|~(?!\+)|HOME|OLDPWD|CDPATH")


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.budget = self.random.choice((2, 4, 6, 10))

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def text(self) -> str:
        text = self.script(3)
        return self.damaged(text) if self.chance(0.25) else text

    def damaged(self, text: str) -> str:
        for _ in range(self.random.choice((1, 1, 2, 3))):
            i = self.random.randrange(len(text) + 1)
            j = i + self.random.randrange(8)
            kind = self.random.randrange(4)
            if kind == 0:
                text = text[:i] + text[i + 1 :]
            elif kind == 1:
                text = text[:i] + self.pick(SPECIALS) + text[i:]
            elif kind == 2:
                text = text[:i] + text[j:]
            else:
                text = text[:i] + text[i:j] * 2 + text[j:]
        return text

    def fill(self, template: str, depth: int) -> str:
        return HOLE.sub(lambda hole: self.hole(hole.group(1), depth), template)

    def hole(self, kind: str, depth: int) -> str:
        if kind == "S":
            return self.script(depth)
        if kind == "s":
            return self.simple(depth)
        if kind == "n":
            return f"c{self.random.randrange(10)}"
        if kind == "w":
            return self.word(depth)
        if kind == "r":
            return self.redirect(depth) if self.chance(0.25) else ""
        if kind == "h":
            return self.heredoc(depth)
        if kind == "q":
            return "'" + self.simple(0).replace("'", "'\\''") + "'"
        tables = {"N": NAMES, "p": PLAIN, "a": ARITHMETIC, "t": CONDITIONS, "f": FILES, "l": LINES}
        return self.fill(self.pick(tables[kind]), depth - 1)

    def script(self, depth: int) -> str:
        out = self.item(depth)
        while self.budget > 0 and self.chance(0.5):
            out += self.pick(JOINTS) + self.item(depth)
        return out

    def item(self, depth: int) -> str:
        self.budget -= 1
        if depth <= 0 or self.budget < 0 or self.chance(0.6):
            return self.heredoc(depth) if self.chance(0.08) else self.simple(depth)
        return self.fill(self.pick(COMPOUNDS), depth - 1)

    def heredoc(self, depth: int) -> str:
        delimiter = self.pick(DELIMITERS)
        bare = re.sub(r"['\"\\]", "", delimiter)
        tab = "\t" if bare.startswith("-") and self.chance(0.7) else ""
        lines = [tab + self.fill(self.pick(LINES), depth - 1) for _ in range(self.random.randrange(4))]
        rest = self.fill(self.pick(["", "", " | @s", " && @s", "; @s", " > f1", " @p", " @w"]), 0)
        end = bare.lstrip("- ")
        return self.fill("@n <<", 0) + delimiter + rest + "\n" + "".join(x + "\n" for x in lines) + tab + end + "\n" + self.fill("@n", 0)

    def simple(self, depth: int) -> str:
        share = self.random.random()
        if share < 0.07:
            return self.fill(self.pick(SETS), depth - 1)
        if share < 0.14:
            return self.fill(self.pick(BUILTINS), depth - 1)
        out = self.fill(self.pick(["CI=1 ", "LANG=C ", "LC_ALL=@w ", "IFS=, "]), depth - 1) if self.chance(0.04) else ""
        if self.chance(0.05):
            out += self.redirect(depth).strip() + " "
        out += self.fill("@n" if self.chance(0.88) else "@N", depth)
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            out += self.pick([" ", " ", "  ", "\t", " \\\n "]) + self.word(depth)
        return out + self.redirect(depth) if self.chance(0.2) else out

    def redirect(self, depth: int) -> str:
        if self.chance(0.6):
            return self.pick(TO_FILE) + self.fill(self.pick(FILES), 0)
        return self.fill(self.pick(REDIRECTS), depth - 1)

    def word(self, depth: int) -> str:
        if depth > 0 and self.budget >= 0 and self.chance(0.5):
            self.budget -= 1
            return self.fill(self.pick(DEEP_WORDS), depth - 1)
        return self.pick(PLAIN) if self.chance(0.55) else self.pick(WORDS)


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
