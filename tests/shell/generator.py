"""Scripts from a seed: construct × position × nesting, with a share of damaged ones. Only c0 … c9 and builtins are run.

A script grows from templates. In a template, `@S` stands for a script, `@s` a simple command, `@n` a program, `@N` a
program named in some roundabout way, `@w` a word, `@p` a plain word, `@a` arithmetic, `@t` a condition, `@r` a
redirection, `@f` a file, `@h` a heredoc with its command, `@l` a line of a heredoc, `@q` a quoted simple command. `⏎`
is a newline and `⇥` a tab.
"""

from __future__ import annotations

import random
import re


def table(text: str) -> list[str]:
    return [line.replace("⏎", "\n").replace("⇥", "\t").replace("␠", " ") for line in text.strip("\n").split("\n")]


JOINTS = [
    "; ",
    ";",
    "\n",
    " && ",
    " || ",
    " | ",
    "&&",
    "|",
    " & ",
    "\n\n",
    " |& ",
    " # note $(c9) `\n",
    " \\\n && ",
    " &&\n",
    "; \n",
]

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
x=5; (( @a )); @n f$x
x=f2; @s; @n > $x
x=@w; @s; @n $x a$x "$x"
x=(@w @w); @n "${x[@]}" ${#x[@]} > f1
x=(a @n); ${x[1]} @p
@s || cd d1 && @n > f5; @n > f6
cd d1 && @s && @n > f5; @n > f6
cd nowhere && @n > f5; @n > f6
! cd d1 && @n > f5; @n > f6
{ cd d1; @s; }@r; @n > f6
cd d1@r; @n > f6
if cd d1; then @n > f5; else @n > f6; fi; @n > f7
for x in d1 d2; do cd $x && @n > f5; done; @n > f6
for x in @n @n; do $x @p; done
for x in f1 f2; do @n $x > $x; @s; done
while read x; do @n "$x"; done < in1
while IFS= read -r x; do @s; done <<< @w
while read -r x y; do @n $x; done < <(@s)
@s | while read -r x; do @n "$x" > f3; done
f6() { local x=$1; @n "$x"; @s; }⏎f6 @w
f7() { cd d1; }; f7; @n > f5
f8() { @s; }; f8 && @S || f8
f1() { @s; f2() { @s; }; }; f1; f2
trap @q EXIT; @S
trap 'f1' EXIT; f1() { @s; }; @S
set -- @w @w; for x; do @n "$x"; done
set -- @w @w; @n "${x:-$@}" "${@:1}" "${*:1}"
case $x in *.t) @n;; "$(@s)") @s;; ?|[ab]) @n;& *) @S;; esac
case $(@s) in⏎(a) @S⏎;;⏎*)⏎@S⏎;;⏎esac
if [[ @t ]]; then @S; elif (( @a )); then @S; else @S; fi
[[ @t ]] && (( @a )) && @s
for ((i=0, x=1; i<2; i++, x=i)); do @n $i $x; done
until (( @a )); do @s; break; done
select x in @w @w; do @s; break; done <<< 1
coproc C { @s; }; @n <&"${C[0]}"
coproc (@s); wait
{ @S; } & wait; @s
(@S) & @s
@s & @s & wait
@n > >(@S) 2> >(@s)
@n < <(@S) | @s
@n <(@s) <(@s; @s) | @s
@n <<< "$(@S)" > f1
time { @S; }
time (@s; @s)
time for x in a b; do @s; done
! { @S; }
! (@s) || @s
if @s | @s; then @S; fi
while ! @s; do @S; break; done
{ @s; } && (@s) || { @s; }
@h⏎@S
if @n; then⏎@h⏎fi
for x in a b; do⏎@h⏎done
f9() {⏎@h⏎}⏎f9
(⏎@h⏎)
{ @h⏎}
@n <<A <<'B'⏎@l⏎A⏎@l⏎B⏎@S
@n <<A; @n <<B && @s⏎@l⏎A⏎@l⏎B
@n <<A | @n <<-B⏎@l⏎A⏎⇥@l⏎⇥B
@n <<'A' > f1⏎@l⏎A⏎@s
@n <<A 2>&1 | @n > f2⏎@l⏎@l⏎A⏎@n
shopt -s expand_aliases⏎alias c1=c6⏎c1
alias c1='c6 '⏎c1 c2
set -e; @S
set -euo pipefail⏎@S
set -o pipefail; @s | @s
set -x; @s
set +e; @s; set -e
exec 2>&1; @S
exec > f1; @S
exec 3< in1; read x <&3; @n
@s; return; @s
x=1 y=2; @n $x $y
x=${y:-@p}; @n $x
x=${1:-@p} y=${x:=b}; @n $x $y
export CI=@w; @s
LANG=C @n @w | CI=1 @n
set +B; @n {a,b} f{1,2}
set +o braceexpand; @n {a,b} > f{1,2}
shopt -s lastpipe; @n | x=5; @n f$x
x=5; shopt -s lastpipe; @n | cd d1; @n > f$x
x=5; @n | read x; @n > f$x
x='a[$(c6)]'; (( @a )); @s
x='a[$(c6)]'; @n $((@a)) ${x:i} ${a[x]}
x='a[$(c6)]'; [[ @t ]]; @s
read x <<< 'a[$(c6)]'; (( @a ))
for x in 'a[$(c6)]' 1; do @n $((@a)); done
f1() { local x=$1; @n $((@a)); }; f1 'a[$(c6)]'
set -- 'a[$(c6)]'; x=$1; @n $((@a))
x=$(@n)'[$(c6)]'; (( @a ))
printf -v x 'a[$(c6)]'; (( @a ))
mapfile x <<< 'a[$(c6)]'; (( @a ))
x=1; i=2; (( @a )); (( @a )); @n f$x f$i
i=0; while (( i < 2 )); do @s; (( i++ )); done; @n $i
x=a1; a1=f2; (( @a )); @n $x $a1
for x in a b; do @n $x; {cd,d1}; done
for x in a b; do @n $x; @N d1; done
x=f2; read {x,y} <<< 'f9 a'; @n > $x
x=f2; {declare,x=f9}; @n > $x
x=f2; {read,x} <<< @n; @n > $x
x=f2; declare {x,y}=f9; @n > $x
x=f2; local {x,y}=f9; @n > $x
x=5; unset {x,y}; @n $x a
x=f2; trap {'x=f9',DEBUG}; @n > $x
y=x; x=f2; printf -v $y f9; @n > $x
y=x; x=f2; read "$y" <<< @n; @n > $x
y=x; x=f2; unset $y; @n > f$x
set {+B,-e}; @n {a,b}
{ echo a && x=5; @n f$x; }@r
{ echo a && x=5; @n f$x; } >&-
{ cd d1 2>&1; @n > f5; } >&-
{ true >&1 && x=5; @S; } >&-; @n f$x
{ @S; } >&-
exec >&-; @S
exec 3>&1-; cd d1 2>&1; @n > f5
ulimit -n 10; @S
for y in 1 2; do cd d1; @n && break; cd ..x; done; @n > f6
for y in 1 2; do @s && continue; x=5; @n f$x; done; @n f$x
while @n; do cd d1; @s || break; break; done; @n > f6
declare -a 'x=($(c6))'; @s
x=(1); declare 'x=($(c6))'; @s
y='($(c6))'; declare -a x=$y; @s
y='($(c6))'; x=(1); readonly x="$y"; @s
set -- v; printf "-$1" 'a[$(c6)]' x
set -- 'a[$(c6)]'; printf "-v$1" @p
f9() { local x=$1 y="$2"; @n $x "$y"; }; f9 @w @w
f9() { declare x=$1; @n "$x" "$@"; }⏎f9 @w @w
y=@w; declare x=$y; @n $x "$x"
y='1 z=2'; export CI=$y; @s
y=a; @n x=$y:~+ @w
cd d1; y=a; @n x='a':~+ y=$y:~+ $PWD
enable -n cd; cd d1; @n > f5
@n $(@n <<E⏎text⏎E⏎@n; @n @p)
x=$(@n <<E⏎@l⏎E⏎@s; @s)
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
set -a
set -k
set -o keyword
set -n
shopt -s failglob
shopt -s dotglob
shopt -u extglob
shopt -s expand_aliases
read -a x < in1
read -ra x <<< @n
read -p @w x
read < in1
REPLY=@n
mapfile < in1
let ++x
let 'x = 5'
let x+=1 y=2
declare -a x
declare -A x
declare -x x=1
declare -r x=@p
declare -u x
declare x=(@w @w)
local x=$1
export x=@w
export y z
readonly x
unset -f f1
unset 'x[0]'
unset -v x y
wait -n
wait $!
printf '%s\\n' @w @w
printf @w
printf -v x '%s' @w
printf "%d\\n" @p
echo -e @w
echo -n "$(@s)"
[ "$x" = @w ]
[ -f @w ] && @n
[ @p -eq @p ]
[ ! -e in1 -o -d d1 ]
test @w = @w -a -n @p
cd .
cd d1/d1
cd -- d1
cd -P d1
cd ''
cd d1 2>/dev/null
cd d1 < nowhere
cd d1 > f3
pushd d1 > /dev/null
popd > /dev/null
dirs
pwd
type -t @n
command -V @n
command -- @n @w
command -p @n
builtin cd d1
builtin eval @q
enable -n echo
hash c1
kill -0 $$
umask
ulimit -n
times
jobs
shift 2
exit
caller
true && @n
: ${x:=@p}
: $((x=3))
: > f3
> f4
>> f5
2> f6 @n
< in1 @n
declare {x,y}=@p
declare x=$1 y="$@"
local x=@w y
read -ax <<< @n
wait -n -p x
unset {x,y}
set {+B,-e}
{cd,d1}
{x,y}=@p
printf "-$1" 'a[$(c6)]' x
declare -a 'x=($(c6))'
declare -A 'x=([a]=$(c6))'
readonly 'x=($(c6))'
history -w f1
enable -n cd
ulimit -n 10
echo @w >&-
cd d1 2>&1
cd d1 >&2
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
x[1]=@p
x[$y]=@p
x=([1]=@p)
x=($(@s))
x+=(@w)
x=@p y=@w z=$y
REPLY=@p
OPTARG=@p
EPOCHSECONDS=@p
x=$'a\\vb c'
x=$?
x=$#
x=${#y}
x=${y%.*}
x=${y:-@w}
x="$@"
x=$*
x="a $y b"
x=a\\ b
x='*'
x='{a,b}'
x='~'
x=-
x=<(c2)
x=`@n`
x="`@n`"
x=$(< in1)
x=$'\\x63\\x31'
i=0
i=$((i+1))
i=$i
PATH=@w
PWD=@p
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
f${x}g
f$i
"d1"/f5
f?1
${x:-f1}
$(echo f1)
f1#
\\$x
"f\\$x"
nowhere/f1
d1
-f1
f1=2
1
2x
""")

TO_FILE = [
    " > ",
    " >",
    " >> ",
    " 2> ",
    " &> ",
    " >| ",
    " <> ",
    " >& ",
    " &>> ",
    " 1>",
    " 3>",
    " 2>>",
    " {fd}>",
    " >&",
    " 0<>",
    " 1<>",
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
␠2>&1 | @n
␠>&2 2>/dev/null
␠3>&1 1>&2 2>&3
␠3>&-
␠0<&3
␠<in1 >f1 2>&1
␠> f1 < in1
␠<<<$x
␠<<<"$(@s)"
␠<<< 'a b'
␠<<<a > f1
␠{x[0]}> f1
␠{x['$(c6)']}> f1
␠99999999999999999999> f1
␠10> f1
␠&> f1 < in1
␠&>>f1
␠>&f1
␠>& f2 2>&1
␠> f1 > "f 2" >> f$i
␠2>&1 >&2
␠1>&2-
␠<&0-
␠<nowhere
␠< $x
␠> ${x:-f3}
␠>$(@n)
␠2>f$((1+1))
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
"c"{1,2}
${x}c1
c1$x
c${i}2
"$(echo c1)"
d1/c2
c1=2
c?
~c1
$1
"$@"
${x[0]}
${x[@]}
$((1))
c1\\ c2
'c1 c2'
"c1$(:)"
%c1
[
+c1
-c1
,c1
@c1
^c1
c1:
c1@
{cd,d1}
{echo,a}
{read,x}
{c1,c2}
""")

PLAIN = [
    "a",
    "b",
    "-x",
    "--opt=v",
    "c3",
    "in1",
    "a.t",
    "x=y",
    "42",
    "a:b",
    "@",
    "%s",
    "a,b",
    "-",
    "=",
    "done",
    "if",
    "+x",
    "f1",
    "then",
    "in",
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
"${x[@]}"
"${@}"
${@}
"a${@}b"
"$x$y"
$x$x
a"$x"b
a$x
-$x
--a=$x
--a="$x y"
$i
${i}x
$'a\\vb'
$'\\x24(c9)'
$'\\044(c9)'
"\\`c9\\`"
'`c9`'
"'$x'"
'"$x"'
a'b'"c"$x\\d
{a,b}'*'
{$x,b}
{a,"b c"}d
a{,}b
{a,b,c}{1..2}
{1..3..2}
{a..b..}
{-1..1}
{1,2}{3,4}{5,6}
{{a,b},c}
x=~
**
[a-z]n1
in[0-9]
"in"*
\\*
'*'.t
é
"é"
$_
$!
${10}
$10
${#}
${##}
${?}
${-}
$\"a $x\"
$''
$""
a\\"b
"a\\"b"
"a\\⏎$x"
!$x
!!
^a^b
=c1
%1
@(a)
!(a)
+(a|b)
x=a:~+
x='a':~+
x=$y:~+
--x=a:~+
{a,b}=~+
{a,b}"{c,d}"
{a","b}
{1..3}''
{1..'3'}
{a..b},{c,d}
{a,b}},c}
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
"${x[@]:0}"
"${x[@]:1:1}"
"${x[@]#a}"
"${x[@]/a/b}"
"${x[@]%.*}"
"${x[@]^^}"
"${x[@]@Q}"
"${x:-$@}"
"${x:+$@}"
"${@:1}"
"${@#a}"
"${*/a/b}"
${x:-$@}
"${x:-${y:-$@}}"
"${x:-a b}"
"${x:-\\$(c9)}"
"${x:-\\`c9\\`}"
${x:-\\$(c9)}
${x:-'$(c9)'}
${x:-"$(@s)"'$(c9)'}
"${x-`@n`}"
${x+$(@s)}
"${x+$(@s)}"
${x:?$(@s)}
${x:=@p}
"${x:=a b}"
${x%$(@s)}
"${x%%"$(@s)"}"
"${x##$(@s)}"
${x//$(@s)/$(@s)}
${x/#a/$(@s)}
${x/%$x/@p}
"${x/$y/$(@s)}"
${x^$(@s)}
${x,,[A-Z]}
"${x^^$y}"
${x:1:2}
${x:i:1}
${x:$i}
${x:(-1)}
${x: -1:1}
${x:$((@a))}
"${x:0:$(@s)}"
${a[i]}
${a[$i]}
"${a[i]}"
${a[-1]}
${a[@]:1}
${#a[0]}
${a[0]:-$(@s)}
${a[0]/x/$(@s)}
${!x@}
"${!x@}"
"${!a[@]}"
${!x:-$(@s)}
${x@U}
${x@E}
"${x@A}"
${x@a}
${x[@]@K}
$(<in1)
$(< $x)
$(@n < in1)
$(@n <<< @w)
$(@n > f1)
$(@s;)
$(@s &)
$(⏎@s⏎@s⏎)
$(@s || @s && @s)
$(@s;@s|@s)
$(# note⏎@s)
$(@s # it's )⏎)
$(@s \\⏎| @s)
$(@s |⏎@s)
$(case @w in a|b) @s;; (c) @s;; *) @s; esac)
$(while @s; do @s; break; done)
$(for ((i=0; i<1; i++)); do @s; done)
$(for x in a b⏎do @s⏎done)
$(select x in a; do @s; done)
$((( @a )) && @s)
$([[ @t && @t ]]; @s)
$(function f8 { @s; }; f8)
$(f8() (@s); f8 | @s)
$({ @s; @s; } 2>&1)
$( ( @s ) > f1 )
$(coproc @s)
$(! @s | @s)
$(time -p @s)
$(x=(@w @w); @n ${x[1]})
$(x[0]=@w)
$(a=@n; $a @p)
$(set -- @w; @n "$@")
$(cd d1; @n > f1)
$(trap @q EXIT)
$(eval @q)
$(@n {a,b} *)
$(@n "a b" 'c d' $'e\\tf')
$(@n "$(@n "`@n`")")
`@s`
`@n; @n`
`@n | @n`
`@n⏎@n`
`@n 'a b'`
`@n \\$x`
`@n \\\\$x`
`@n $(@s)`
"`@n \\"a\\"`"
"`@n "a"`"
`case x in x) @n;; esac`
`@n # note`
"a`@n`b$(@s)c"
<(@S)
>(@S)
<(@s | @s)
<(@n <(@s))
<(@s) >(@s)
a<(@s)b
"<(@s)"
'<'(@s)
--file=<(@s)
$((@a + @a))
$(( (@a) * @a ))
$((@a ? @a : @a))
$(($x + ${y} + $((@a))))
$((x[0] + 1))
$((⏎@a⏎))
$[ $(@s) ]
"$[@a]"
$(@n <<E⏎@l⏎E⏎@n; @n @p)
$(@n <<E⏎@l⏎E⏎@n | @s)
$(case esac in (esac) @s;; esac)
$(case x in (if|x) @s & ;; esac)
$(for x do @s; done)
$(@n {fd}> f1 2)
$(>f1 @n 2 >&1)
$(f8() { @s & }; f8)
$({ @s & } ; @s)
$(if @s & then @s & else @s & fi)
$(f8() { @s; } > f1; f8)
$([[ ! ( @t ) && @t ]]; @s)
$(for ((;0;)); do @s; done; @s)
$( ((@a)) && @s)
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
x[0]=7
++ x
x ⏎= 7
x[i]++
a$i=5
a${i}=5
$x=5
x=7
x=y=7
(x)=7
i==1
x=i?1:2
i<<=1
i**2
~i
0x1f
010
x , y=3
y=$x
y=$(@s)
$1
$#
$?
${x}
${x:-1}
${a[0]}
a[a[0]]
a[x=3]
REPLY
_
RANDOM
PATH=1
1 + (2 * (3 + i))
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
-r in1 && -w in1
-n "$(@S)"
"$x" == "$y"
$x == "a b"
$x == $(@s)*
$x == *.t || $x == a?
$x =~ ^[0-9]+$
$x =~ a|b
$x =~ (a|b)$
$x =~ $y
"$x" =~ "$(@s)"
$x =~ [[:space:]]
$x =~ a\\ b
x -eq y
i -eq 0
$i -ge 1
"$x" -eq 1
${#x} -gt 3
$(@s) -eq 1
$((@a)) -ne 0
x[0] -eq 1
x=5 -eq 5
-v a[0]
-v x[i]
-v "$x"
-R x
-z ${x:-$(@s)}
-e f1 -o -e f2
! ( @t )
@t && ! @t
a > b
<(@s) == a
-f <(@s)
a == {a,b}
x == ~
""")

DELIMITERS = [
    "E",
    "E",
    "E",
    "'E'",
    "'E'",
    '"E"',
    "\\E",
    "E'O'F",
    "EOF",
    "-E",
    "- E",
    " E",
    "'E O'",
    "-'E'",
    "$E",
    "E$",
    "''",
    "'#'",
]
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
$(@s; @s)
$(@s
a $(@s) b `@n` c
${x}$(@s)${y:-`@n`}
$(@n "$(@s)")
$(@n 'a b' "c")
$(( $(@s) ))
$((@a))
${x/a/$(@s)}
"${x:-$(@s)}"
'$(@s)'
$(cat <<F⏎$(@s)⏎F⏎)
<(c9)
`@n \\`@n\\``
`@n "a"`
`@n \\"a\\"`
\\\\\\$(c9)
$(@s)\\
\\$x \\`c9\\` \\\\
${x@P}
${!x}
$[@a]
$@ $* $1
# $(@s)
⇥⇥a
EE
E E
""")

PLAIN_JOINTS = [
    " && ",
    " || ",
    " | ",
    "; ",
    "\n",
    ";",
    "&&",
    "|",
    "||",
    " &&\n",
    " |\n\n ",
    "\n\n",
    ";\n",
    " ;",
    " & ",
    " |& ",
    "& ",
]
PLAIN_NAMES = table("""
@n
@n
@n
@n
@n
echo
cd
true
printf
test
[
export
set
command
time
@p
=@n
%@n
@n=1
'@n'
x=@n
-@n
2>&1 @n
""")
PLAIN_WORDS = [
    *PLAIN,
    "'a b'",
    '"a b"',
    "''",
    '""',
    "a'b'c",
    "\"a\"'b'",
    "'$x'",
    '"it\'s"',
    "'\"'",
    "*.t",
    "in?",
    "*",
    "d1",
    "nowhere",
    "d1/d1",
    "a=b",
    "--a='b c'",
    "x=1",
    "CI=1",
    "^a",
    "a^b",
    "%1",
    "a,b",
    "-e",
    "-n",
    "--",
    "2>&1",
    ">&2",
    "2>/dev/null",
    ">/dev/null",
    "&>/dev/null",
    "</dev/null",
    "1>&2",
    "'#'",
    "a#b",
    "#b",
    "'é'",
    "é",
    "'\t'",
    "'a\nb'",
    '"a\nb"',
    "'(c9)'",
    '"!"',
    "'~'",
    "1",
    "2",
    "x",
    "then",
    "done",
    "in",
    "time",
    "function",
    "select",
    "'*'",
    '"$x"',
    '"`c9`"',
    "'`c9`'",
    "'a'*",
    '"in"?',
    "-p",
    "=",
]

SPECIALS = [
    "\\\n",
    "\\",
    "'",
    '"',
    "`",
    "$",
    "$(",
    ")",
    "(",
    "{",
    "}",
    "${",
    "[",
    "]",
    "[[ ",
    " ]]",
    "((",
    "))",
    "<",
    ">",
    "<<E\n",
    "<(",
    ">(",
    "|",
    "&",
    ";",
    ";;",
    "#",
    " #",
    "!",
    " ! ",
    "*",
    "~",
    "=",
    " ",
    "\t",
    "\n",
    " in ",
    " do ",
    "; done ",
    "\nE\n",
    "$'",
    "&&",
    "||",
    "<<<",
    "time ",
    "x=",
    "$x",
    "function ",
    "coproc ",
    "case ",
    " esac",
    "if ",
    "then ",
    " fi",
    "{ ",
    "; }",
    "''",
    '""',
    "^",
    "%",
    "@",
    ":",
    ",",
]

# What not every `sh` has: rare in scripts for it, because the analysis refuses most of these.
BASHISM = re.compile(
    r"\[\[|(?<!\$)\(\(|function |select |coproc|\btime |\$['\"\[]|[<>]\(|<<<|&>|\|&|;;?&|\{fd\}|\{x\[|\+=|[xyz]=\(|"
    r"\b[xa]\[|\[[@*]\]|declare|typeset|mapfile|readarray|shopt|pushd|popd|\blet |printf -v|read -\w*a|local -|builtin|"
    r"enable|\$\{!|\$\{\w+(?:[/^,@\[]|:[^-=?+])|for \(\("
)
# Where the shells that `sh` may be are known to differ.
SH_COMPOUNDS = table(r"""
y='1 z=2'; export CI=$y; @s
y='1 z=2'; readonly x=$y; @n "$z"
f1() { local x=$1 y=$2; @n $x; }; f1 @w @w
f1() { local x=5; @n f$x; }; f1; @n f$x
x=5 :; @n f$x > f$x
x=5 export CI; @n > f$x
x=f2; x=f3 eval @q; @n > $x
x=f2; f1() { @s; }; x=f3 f1; @n > $x
f1() { cd d1; }; f1 2> f2; @n > f5
alias c1=c6⏎c1 a
alias c1='c6 '⏎c1 c2
alias c1='cd d1'⏎c1⏎@n > f5
@n $'a\'; c6 #'
@n "$'a'"; @n
[[ a || c6 ]]
[[ a && -n b ]] && @n
[ a ] || @n
chdir d1; @n > f5
cd d1 d2; @n > f5
cd -L d1; @n > f5
cd -- d1; @n > f5
@n &> f1; @n
cd d1 &> /dev/null; @n > f5
set -- {a,b}; @n "$#" $1
x={a,b}; @n $x > f1
@n a{b,c} > f{1,2}
@n x=~+ ~+ a:~+
x=~+; @n "$x"
export x=~+; @s
function f1 { c6; }; f1
f1() { @s; } > f1; f1
f1() (cd d1; @n > f2); f1; @n
time cd d1; @n > f5
x=a; x+=b; @n f$x
x+=c6 @n
let x=5; @n f$x
read x <<< c6
read -r x < in1; @n "$x" > f1
@n <(c6)
exec -a x c6
exec @n
exec > f1; @n; echo a
command @n @w; command -v @n; command cd d1; @n > f5
x='a b'; @n > $x
x='*'; @n $x "$x"
x='in1 *'; @n $x
@n 10> f1
@n 2>&10
. ./in1
return; @n
case x in x) @n;& y) c6;; esac
case @w in a|"b") @S;; *) @s;; esac; @n
unset x; @n ${x-c} "${x:-a b}" ${x+d}
set -f; @n * > f1
IFS=:; @n a:b
IFS=, read x y < in1; @n "$x"
readonly x=1; x=2; @n
! cd d1; @n > f5
trap 'cd d1; @n > f5' EXIT; @s
trap @q INT; @s
eval 'cd d1'; @n > f5
eval @q
set -- a b c; shift; @n "$@" > f$#
set -e; @n; cd d1; @n > f5
set -u; @n "$y"; @n
@n # note $'a \⏎@n
@n \# '#' a#b "#"
@n <<E⏎${x:-'}'}⏎E
@n <<E⏎$'a'⏎\"b\"⏎E
@n <<-'E'⏎⇥$(c9)⏎⇥E⏎@n
x=$(@n <<E⏎text⏎E⏎); @n
@n "$(@s; cd d1; @n > f5)"; @n > f6
(cd d1; @n > f5); @n > f6
{ cd d1; @n > f5; } | @n; @n > f6
@n | { cd d1; @n > f5; }; @n > f6
@n | cd d1; @n > f6
cd d1 & @n > f6
@n && cd d1 & @n > f6
for x in a b; do @n $x > f$x; done
for x in d1 d2; do cd $x; @n > f5; cd ..x; done
for x do @n; done
while read -r x; do @n "$x"; done < in1
until @n; do @s; break; done
if cd d1; then @n > f5; fi; @n > f6
i=1; i=$((i + 1)); @n f$i > f$i
i=1; : $((i += 1)) $((i = 5)); @n f$i
i=1; : $((++i)) $((--i)); @n f$i
i=1; : $((i++)); @n f$i
@n $((@a)) "$((@a))"
@n `@n \`@n\`` "`@n "a"`"
@n "a`@n \"b\"`"
@n ${#x} ${x#*.} ${x%%.*} "${x##*/}"
@n "${x:-$(@s)}" ${y:=$(@s)}
: ${x:=f3}; @n > $x
@n > f1 2>&1 < in1
@n >| f1; @n <> f2
@n 3> f1 >&3
{ @n; } 3>&1 1>&2 2>&3
wait; jobs; times > /dev/null; umask 022
printf '%s\n' @w; printf -v x c6; @n f$x
echo -n @w; echo -e @w
test @w = @w && @n; test -n @w -a -n @w
hash -r; type @n; kill -0 $$
""")

HOLE = re.compile(r"@([SsnNwpatrfhlq])")
# A path that does not stay in the private directory: such a script is not run.
LEAVES = re.compile(r"(?:^|[^A-Za-z0-9_])/(?!dev/null\b)|\.\.(?!\d|[a-z])|~(?!\+)|HOME|OLDPWD|CDPATH")


# A slash that is an operator of `${…}`.
OPERATOR = re.compile(r"(\$\{[a-z@*]+(?:\[[@*0-9a-z]\])?)(?://|/#|/%|/|##\*/|#\*/)")


class Generator:
    def __init__(self, seed: int, *, sh: bool = False) -> None:
        """`sh`: mostly what every `sh` has."""
        self.random, self.sh = random.Random(seed), sh
        self.budget = self.random.choice((2, 4, 6, 10))

    def pick(self, choices: list[str]) -> str:
        choice = self.random.choice(choices)
        while self.sh and BASHISM.search(choice) and not self.chance(0.05):
            choice = self.random.choice(choices)
        return choice

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def text(self) -> str:
        text = self.plain() if self.chance(0.12) else self.script(3)
        return self.damaged(text) if self.chance(0.25) else text

    def plain(self) -> str:
        """A script of which most need no parser (shell/plain.py)."""
        out = ""
        for k in range(self.random.choice((1, 1, 2, 3, 5))):
            out += self.pick(PLAIN_JOINTS) if k else ""
            out += self.fill(self.pick(PLAIN_NAMES), 0)
            for _ in range(self.random.choice((0, 1, 1, 2, 3))):
                out += self.pick([" ", " ", "  ", "\t"]) + self.pick(PLAIN_WORDS)
        return out

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
        if self.sh and self.chance(0.5):
            return self.fill(self.random.choice(SH_COMPOUNDS), depth - 1)
        return self.fill(self.pick(COMPOUNDS), depth - 1)

    def heredoc(self, depth: int) -> str:
        delimiter = self.pick(DELIMITERS)
        bare = re.sub(r"['\"\\]", "", delimiter)
        tab = "\t" if bare.startswith("-") and self.chance(0.7) else ""
        lines = [tab + self.fill(self.pick(LINES), depth - 1) for _ in range(self.random.randrange(4))]
        rest = self.fill(self.pick(["", "", " | @s", " && @s", "; @s", " > f1", " @p", " @w"]), 0)
        end = bare.lstrip("- ")
        return (
            self.fill("@n <<", 0)
            + delimiter
            + rest
            + "\n"
            + "".join(x + "\n" for x in lines)
            + tab
            + end
            + "\n"
            + self.fill("@n", 0)
        )

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
    return not LEAVES.search(OPERATOR.sub(r"\1", text)) and "\0" not in text


def scripts(first: int, last: int, *, sh: bool = False) -> list[tuple[int, str]]:
    out = []
    for seed in range(first, last):
        text = Generator(seed, sh=sh).text()
        if stays_private(text):
            out.append((seed, text))
    return out
