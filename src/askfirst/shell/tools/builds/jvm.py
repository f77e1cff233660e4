"""Maven, Gradle, sbt and the JDK.

Build files are code; plugins named on the command line and system properties can be anything.
"""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import facts_of, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import arguments_file, place_facts, runner, runs_tasks
from askfirst.shell.tools.scripts import is_risky_script, may_shorten_risky
from askfirst.shell.tools.table import INERT, Reading, Tool

__all__ = ["TOOLS"]

_PHASES = frozenset(
    "validate initialize compile test-compile process-resources process-classes process-test-resources test package "
    "integration-test verify install pre-integration-test post-integration-test "
    "generate-sources generate-resources process-sources prepare-package".split()
)
_GOALS = frozenset(
    "dependency:tree dependency:list dependency:analyze dependency:resolve dependency:build-classpath "
    "help:effective-pom help:describe help:active-profiles help:help help:evaluate "
    "versions:display-dependency-updates versions:display-plugin-updates checkstyle:check spotbugs:check pmd:check "
    "spotless:check spotless:apply surefire:test failsafe:integration-test jacoco:report enforcer:enforce "
    "compiler:compile compiler:testCompile resources:resources fmt:check formatter:validate".split()
)
_PROPERTIES = (
    "skipTests",
    "maven.test.skip",
    "test",
    "it.test",
    "surefire.rerunFailingTestsCount",
    "surefire.failIfNoSpecifiedTests",
    "surefire.useFile",
    "surefire.skipAfterFailureCount",
    "surefire.timeout",
    "surefire.printSummary",
    "forceStdout",
    "failIfNoTests",
    "spring.profiles.active",
    "maven.javadoc.skip",
    "checkstyle.skip",
    "skipITs",
    "style.color",
    "revision",
    "includes",
    "excludes",
    "verbose",
    "outputType",
    "detail",
    "groups",
    "tests",
    "failIfNoSpecifiedTests",
    "pmd.skip",
    "spotbugs.skip",
    "jacoco.skip",
    "maven.compiler.source",
    "maven.compiler.target",
    "java.version",
    "rat.skip",
)


def _property(word: Word) -> bool:
    """Whether a `-Dname=value` is known to choose no program and no file."""
    name, _, value = (word.value or "?").partition("=")
    return name in _PROPERTIES or (name == "expression" and value.startswith("project."))  # settings hold passwords


def maven(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *place_facts(tool, call, analyst)]
    if parsed.has("-v", "--version", "-h", "--help") and not parsed.operands:
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version"),
            tuple(facts),
        )
    facts += [
        unknown("property", f"`-D{w.text}` may choose a program or a file", call, w.text)
        for w in parsed.values("-D")
        if not _property(w)
    ]
    goals = tuple(w.value or w.text for w in parsed.operands)
    known = goals and all(g in _PHASES or g in _GOALS or g == "clean" for g in goals)
    kind = Kind.NETWORK if any(g in ("deploy", "release:perform", "site-deploy") for g in goals) else Kind.BUILD
    return Outcome(
        Action(
            (tool.name, *goals),
            kind,
            rule=tool.name,
            allowed=bool(known),
            profile="jvm-dev" if known else "",
            description="builds the project" if known else "runs goals that the built-in rules do not know",
        ),
        tuple(facts),
    )


_MAVEN = Tool(
    "mvn",
    Kind.BUILD,
    "builds the project",
    options="""
        flag    -q,--quiet -X --debug -e,--errors -o,--offline -B,--batch-mode -U,--update-snapshots
        flag    -N,--non-recursive -fae --fail-at-end -ff --fail-fast -fn --fail-never -am
        flag    --also-make -amd --also-make-dependents -v,--version -V --show-version -h,--help
        flag    -ntp --no-transfer-progress -nsu --no-snapshot-updates -C -c
        value   -pl --projects -T,--threads -P --activate-profiles -rf --resume-from -D,--define
        value   --color
        writes  -l,--log-file
        asks    -f,--file: builds another project
        asks    -s,--settings -gs --global-settings -t,--toolchains -gt: uses other settings
        asks    --global-toolchains: uses other settings
        asks    -emp --encrypt-master-password -ep --encrypt-password: handles passwords
        asks    -b,--builder: is not known
    """,
    operands=(INERT, ...),
    manual="Apache Maven 3.8.7",
    examples=(
        "mvn test",
        "mvn -q -DskipTests package",
        "mvn test -Dtest=UserServiceTest",
        "mvn dependency:tree",
        "mvn package --define skipTests",
        "mvn --version",
    ),
    counter_examples=(
        "mvn exec:exec -Dexec.executable=touch",
        "mvn exec:java -Dexec.mainClass=Evil",
        "mvn -f /tmp/x test",
        "mvn deploy",
        "mvn test -DargLine=-javaagent:/tmp/x.jar",
        "mvn -s /tmp/x test",
        "mvn org.evil:plugin:1:run",
        "mvn install -Djava.home=x",
    ),
    special=maven,
)


def gradle(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Tasks are the project's own; options that name another build, script or setting are not."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *place_facts(tool, call, analyst)]
    if parsed.has("-v", "--version", "-h", "--help", "-?") and not parsed.operands:
        facts_only = tuple(facts)
        return Outcome(
            Action(
                (tool.name, "--version"),
                Kind.BUILD,
                rule=tool.name,
                allowed=True,
                profile="jvm-dev",
                description="shows the version",
            ),
            facts_only,
        )
    facts += [
        unknown("property", f"`-D{w.text}` may choose a program or a file", call, w.text)
        for w in parsed.values("-D")
        if not _property(w)
    ]
    facts += [
        unknown("property", f"`-P{w.text}` may choose a program, a file or options of Java", call, w.text)
        for w in parsed.values("-P")
        if not _is_plain_property(w.value or "/")
    ]
    tasks = tuple(w.value or w.text for w in parsed.operands)
    risky = any(_risky_task(t) for t in tasks)
    return runs_tasks(
        tool, tasks, facts, profile="jvm-dev", description="runs tasks of the project's build", risky=risky
    )


def _is_plain_property(text: str) -> bool:
    """`version=1.2`, not `kotlin.daemon.jvmargs=-javaagent:x` or `android.aapt2FromMavenOverride=./x`, nor
    `buildDir=src`, which `clean` deletes."""
    name, _, value = text.partition("=")
    plain = not value.startswith("-") and not any(c in value for c in "/ ")
    return plain and "jvmargs" not in name and "dir" not in name.lower()


def _risky_task(task: str) -> bool:
    """Gradle completes names: `pub` is `publish`, `fC` is `flywayClean`."""
    name = task.rpartition(":")[2]
    if name.startswith(_BUILDING):
        return is_risky_script(f"build {name}")
    outside = name.startswith(_OUTSIDE) and not name.endswith(("Info", "Validate", "Status"))
    risky = outside or name in _ASKING or is_risky_script(name)
    return risky or may_shorten_risky(name, *_OUTSIDE, *_ASKING[:3])


_BUILDING = tuple("assemble build bundle compile lint test check merge process generate spotless format".split())
_OUTSIDE = tuple("flyway liquibase jib docker helm terraform".split())
_ASKING = ("wrapper", "init", "run", "bootRun")


_GRADLE = Tool(
    "gradle",
    Kind.BUILD,
    "builds the project",
    options="""
        flag    -q,--quiet -w,--warn -i,--info -d,--debug -s,--stacktrace -S --full-stacktrace
        flag    --continue --offline --daemon --no-daemon --parallel --no-parallel --build-cache
        flag    --no-build-cache --configuration-cache --no-configuration-cache -m --dry-run
        flag    --rerun-tasks --profile --refresh-dependencies -v,--version -h,--help -? --all -t
        flag    --continuous --no-rebuild -a --status --configure-on-demand --no-watch-fs --watch-fs
        flag    --fail-fast
        value   -x --exclude-task -P,--project-prop -D,--system-prop --tests --console --max-workers
        value   --warning-mode --configuration --dependency --priority --task --property --format
        asks    -p,--project-dir --include-build: builds another project
        asks    -b,--build-file -c --settings-file: uses another build file
        asks    -I,--init-script: loads a script
        asks    -g,--gradle-user-home --project-cache-dir: uses other settings
        asks    --scan: sends the build to a public server
        asks    -M --write-verification-metadata -F --dependency-verification: is not known
        asks    -U,--update-locks --write-locks --stop --gui: is not known
    """,
    operands=(INERT, ...),
    manual="Gradle 4.4.1",
    examples=(
        "gradle build",
        "gradle build --exclude-task test",
        "gradle tasks --all",
        "gradle test --tests Foo",
        "gradle assembleRelease",
    ),
    counter_examples=(
        "gradle -p /tmp/evil test",
        "gradle -I /tmp/x.gradle build",
        "gradle publish",
        "gradle -b /tmp/x build",
        "gradle test -Dorg.gradle.java.home=/tmp/x",
        "gradle clean -PbuildDir=src",
        "gradle uploadArchives",
        "gradle flywayClean",
        "gradle jib",
    ),
    special=gradle,
)


def java(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Only the version is known to be harmless: a class, a jar, an agent or an argument file is code."""
    if len(call.words) == 2 and call.words[1].value in (
        "-version",
        "--version",
        "-showversion",
        "-help",
        "--help",
        "-h",
        "-?",
        "-X",
    ):
        return Outcome(
            Action((tool.name, "-version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version")
        )
    return Outcome(
        Action(
            (tool.name, *(w.value or w.text for w in call.words[1:4])),
            Kind.CODE,
            rule=tool.name,
            description="runs Java code",
            target=call.text,
        ),
        (unknown("code file", "Java code that is not analysed", call),),
    )


def javac(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = runner(tool, call, analyst)
    return replace(outcome, facts=(*outcome.facts, *arguments_file(tool, call)))


_MAVENW, _GRADLEW = (
    replace(_MAVEN, name="mvnw", examples=(), counter_examples=()),
    replace(_GRADLE, name="gradlew", examples=(), counter_examples=()),
)
TOOLS: dict[str, Tool] = {
    "mvn": _MAVEN,
    "mvnw": _MAVENW,
    "gradle": _GRADLE,
    "gradlew": _GRADLEW,
    "java": Tool(
        "java",
        Kind.CODE,
        "runs Java",
        reading=Reading(response_files=True),
        manual="openjdk 17.0.15",
        special=java,
        examples=("java -version",),
        counter_examples=("java -javaagent:/tmp/x.jar -version", "java @/tmp/args", "java -jar x.jar"),
    ),
    "javac": Tool(
        "javac",
        Kind.BUILD,
        "compiles Java",
        profile="jvm-dev",
        options="""
            flag    -version -help -g -nowarn -verbose -deprecation -parameters -Werror -Xlint
            flag    -Xlint:all -proc:none
            value   -source -target --release -encoding -sourcepath -cp -classpath --class-path
            below   -d -s -h
            asks    -processor -processorpath --processor-path -J -Xplugin: loads other code
            asks    -bootclasspath --module-path -p: loads other code
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True, response_files=True),
        manual="javac 17.0.15",
        examples=("javac -version", "javac -d out src/A.java"),
        counter_examples=(
            "javac -processorpath /tmp/x A.java",
            "javac @args",
            "javac -cp /tmp/x.jar A.java",
            "javac -J-javaagent:/tmp/x.jar A.java",
            "javac -Xplugin:x A.java",
        ),
        special=javac,
    ),
    "sbt": Tool(
        "sbt",
        Kind.BUILD,
        "builds the project",
        profile="jvm-dev",
        options="flag -v,--verbose -V,--version -h,--help -no-colors --no-colors -batch,--batch",
        operands=(INERT, ...),
        manual="`--help` of the launcher script of sbt eb1c546",
        examples=("sbt test", "sbt compile"),
        counter_examples=("sbt 'set x := 1'", "sbt -Dsbt.boot.directory=/tmp/x test", "sbt publish"),
        special=lambda tool, call, analyst: _sbt(tool, call, analyst),
    ),
}


def _sbt(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = runner(tool, call, analyst)
    known = (
        "test",
        "compile",
        "test:compile",
        "Test/compile",
        "scalafmtCheck",
        "scalafmtCheckAll",
        "scalafmt",
        "dependencyTree",
        "projects",
        "tasks",
        "about",
        "+test",
        "+compile",
        "package",
        "clean",
        "doc",
        "scalafmtAll",
    )
    operands = parse(tool, call.words[1:]).operands
    if (
        not operands
        or any((w.value or "") not in known and not (w.value or "").startswith("testOnly ") for w in operands)
        or any(c in (w.value or "") for w in operands for c in ";{}(=!")
    ):
        return replace(
            outcome,
            action=replace(
                outcome.action,
                allowed=False,
                profile="",
                description="runs commands that the built-in rules do not know",
            ),
        )
    return outcome
