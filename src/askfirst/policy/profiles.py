"""Named sets of rules that ship with askfirst. A file switches one on with `profiles: [python-dev]`.

A profile does two things: it allows the rows of the tools' tables that carry its name (`pytest`, `npm test`: they run the project's own
code, and only the team can say that this is fine), and it may bring plain entries of its own, each with examples.
"""

from __future__ import annotations

from askfirst._record import Record
from askfirst.model import Layer, Origin
from askfirst.policy.rules import Rule

__all__ = ["PROFILES", "Profile", "rules_of"]


class Profile(Record):
    description: str
    entries: tuple[Rule, ...] = ()
    examples: tuple[str, ...] = ()  # allowed with the profile
    counter_examples: tuple[str, ...] = ()  # not allowed, also with the profile


PROFILES: dict[str, Profile] = {
    "python-dev": Profile(
        "tests, linters and builds of a Python project: they run the project's own code",
        examples=("pytest -q", "python -m pytest tests", "ruff check .", "mypy src"),
        counter_examples=("pip install requests", "python -c 'print(1)'", "twine upload dist/*")),
    "node-dev": Profile(
        "scripts, tests, linters and builds of a Node project: they run the project's own code",
        examples=("npm test", "npm run build", "npx tsc --noEmit"),
        counter_examples=("npm publish", "npm install left-pad", "node -e 'x()'")),
    "rust-dev": Profile(
        "cargo's builds, tests and lints: build scripts and macros run the project's own code",
        examples=("cargo test", "cargo build --release", "cargo clippy"),
        counter_examples=("cargo publish", "cargo install ripgrep")),
    "go-dev": Profile(
        "go's builds, tests and vets",
        examples=("go test ./...", "go build ./...", "go vet ./..."),
        counter_examples=("go install example.com/x@latest", "go generate ./...")),
    "ios-dev": Profile(
        "Swift and Xcode builds and tests",
        examples=("swift build", "swift test", "xcodebuild -scheme App test"),
        counter_examples=("xcrun altool --upload-app",)),
    "jvm-dev": Profile(
        "Maven and Gradle builds and tests",
        examples=("mvn test", "gradle build", "mvn -q package"),
        counter_examples=("mvn deploy",)),
    "c-dev": Profile(
        "compilers, make, cmake and their kin: recipes run the project's own code",
        examples=("make test", "cmake --build build", "ctest"),
        counter_examples=("make deploy", "make SHELL=/tmp/x test")),
    "ruby-dev": Profile(
        "tests, linters and tasks of a Ruby project",
        examples=("bundle exec rspec", "rubocop", "rake -T"),
        counter_examples=("gem install rails", "ruby -e 'x'")),
    "php-dev": Profile(
        "tests and linters of a PHP project",
        examples=("phpunit", "composer validate"),
        counter_examples=("composer require x/y", "php -r 'x();'")),
    "dotnet-dev": Profile(
        "builds and tests of a .NET project",
        examples=("dotnet build", "dotnet test"),
        counter_examples=("dotnet nuget push x", "dotnet tool install -g x")),
    "beam-dev": Profile(
        "builds and tests of Elixir and Erlang projects",
        examples=("mix compile", "mix test"),
        counter_examples=("mix run -e x", "mix deps.get")),
    "dart-dev": Profile(
        "builds and tests of Dart and Flutter projects",
        examples=("flutter analyze", "flutter test"),
        counter_examples=("flutter pub publish",)),
    "infra-read": Profile(
        "looking at clusters, clouds and infrastructure; no changes, no secrets",
        examples=("kubectl get pods", "terraform plan", "aws s3 ls"),
        counter_examples=("kubectl delete pod x", "terraform apply", "kubectl get secret db -o yaml")),
    "lockfile-only": Profile(
        "dependencies come from the lock file: adding one is refused with the command that installs what is locked",
        counter_examples=("npm install left-pad", "pip install requests", "cargo add serde")),
}


def rules_of(name: str) -> tuple[Rule, ...]:
    """The plain entries of a profile, with their origin."""
    profile = PROFILES.get(name)
    if profile is None or not profile.entries:
        return ()
    return tuple(r.replace(origin=Origin(Layer.BUILTIN_ALLOW, f"{r.name} (profile {name})")) for r in profile.entries)
