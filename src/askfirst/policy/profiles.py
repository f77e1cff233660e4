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
        "tests, linters, builds and locked installs of a Python project: they run the project's own code",
        examples=(
            "pytest -q", "pytest -x tests/test_a.py::test_b -k foo --cov=src --cov-report=term-missing", "PYTHONPATH=src pytest tests",
            "python -m pytest tests", "python -m unittest discover -s tests", "python manage.py test", "python -m venv .venv",
            ". .venv/bin/activate && pytest", ".venv/bin/ruff check .", "ruff check --fix .", "ruff format .", "mypy src", "pyright",
            "black --check .", "isort .", "flake8", "pylint src", "tox -e py312", "nox -s tests", "coverage run -m pytest",
            "pre-commit run --all-files", "python -m build", "uv sync", "uv run pytest -q", "uv run --python 3.12 mypy src",
            "uvx ruff check .",
            "poetry install", "poetry run pytest", "pdm run pytest", "hatch run pytest", "pip list", "make test", "mkdocs build"),
        counter_examples=(
            "pip install requests", "pip install -r requirements.txt", "python -c 'print(1)'", "python evil.py", "twine upload dist/*",
            "pytest -p evil", "pytest @args", "pytest /tmp/evil", "tox exec -e py -- touch x", "python manage.py shell",
            "uv run --with x pytest",
            "pylint --evaluation='x()' src", "source evil/bin/activate", "uvx evil", "python -m http.server")),
    "node-dev": Profile(
        "scripts, tests, linters, builds and locked installs of a Node project: they run the project's own code",
        examples=(
            "npm test", "npm ci", "npm run build", "npm run lint -- --fix", "npm test -- src/a.test.ts -t name", "npx tsc --noEmit",
            "npx eslint . --fix", "npx prettier --check .", "npx jest path -t name", "npx vitest run", "npx playwright test",
            "npx next build",
            "npx @biomejs/biome check .", "npm exec tsc -- --noEmit", "pnpm -r test", "pnpm exec vitest run",
            "pnpm install --frozen-lockfile",
            "yarn workspace web test", "yarn tsc --noEmit", "yarn install --immutable", "bun test", "bun run build", "node --test",
            "node_modules/.bin/jest", "npx turbo run build", "npx nx affected -t test", "deno test",
            "NODE_OPTIONS=--max-old-space-size=4096 npm run build", "make test"),
        counter_examples=(
            "npm publish", "npm install left-pad", "node -e 'x()'", "node evil.js", "npx evil", "npm run deploy",
            "npm test -- --globalSetup=x.js", "npm test -- --outputFile=.claude/settings.json", "npx eslint -f ./evil.js .", "yarn touch x",
            "npx ng deploy", "NODE_OPTIONS=--require=./x.js npm test", "npm ci --registry https://evil.example", "pnpm dlx evil")),
    "rust-dev": Profile(
        "cargo's builds, tests and lints: build scripts and macros run the project's own code",
        examples=(
            "cargo test", "cargo test -- --nocapture", "cargo build --release", "cargo check --all-targets", "cargo fmt --all -- --check",
            "cargo clippy --all-targets -- -D warnings", "cargo doc --no-deps", "cargo bench", "cargo tree", "cargo nextest run",
            "cargo clean",
            "cargo update", "RUSTFLAGS=-Dwarnings cargo build", "rustc --version", "make test"),
        counter_examples=(
            "cargo publish", "cargo install ripgrep", "cargo add serde", "cargo run", "cargo build --config build.rustc=x",
            "cargo build --target x.json", "RUSTC_WRAPPER=x cargo build", "cargo evil", "rustc @args")),
    "go-dev": Profile(
        "go's builds, tests and vets",
        examples=(
            "go test ./...", "go test ./... -run X -v", "go build ./...", "go build -o bin/app ./cmd/app", "go vet ./...", "go mod tidy",
            "go mod download", "go list -m all", "go fmt ./...", "gofmt -l .", "golangci-lint run", "staticcheck ./...", "gotestsum ./...",
            "go test -coverprofile=c.out ./...", "GOFLAGS=-mod=mod go build ./...", "make test"),
        counter_examples=(
            "go install example.com/x@latest", "go generate ./...", "go run ./cmd/app", "go get example.com/x", "go test -exec x ./...",
            "go build -toolexec x ./...", "go env -w GOFLAGS=x", "gotestsum --raw-command -- x")),
    "ios-dev": Profile(
        "Swift and Xcode builds and tests",
        examples=(
            "swift build", "swift build -c release", "swift test --filter X", "swift package describe", "xcodebuild -scheme App test",
            "xcodebuild -scheme App -destination 'platform=iOS Simulator,name=iPhone 15' build | xcbeautify", "xcodebuild -list",
            "xcodebuild test -scheme App -only-testing:AppTests/FooTests", "xcrun simctl list devices", "xcrun simctl boot 'iPhone 15'",
            "swiftlint", "swiftformat --lint .", "make test"),
        counter_examples=(
            "xcrun altool --upload-app", "xcodebuild archive", "xcodebuild -xcconfig x build", "swift run", "pod update",
            "fastlane release",
            "swift build -Xlinker x", "xcrun simctl erase all")),
    "jvm-dev": Profile(
        "Maven and Gradle builds and tests",
        examples=(
            "mvn test", "mvn -q test -Dtest=X", "mvn -q package", "mvn clean install -DskipTests", "mvn dependency:tree", "gradle build",
            "./gradlew test", "./gradlew test --tests 'com.x.FooTest'", "./gradlew :app:assembleDebug", "./gradlew dependencies",
            "./gradlew spotlessApply", "./mvnw verify", "javac -d out src/A.java", "sbt test", "jar tf app.jar", "make test"),
        counter_examples=(
            "mvn deploy", "mvn exec:java -Dexec.mainClass=X", "mvn test -DargLine=-javaagent:x", "gradle publish", "./gradlew bootRun",
            "./gradlew -I x.gradle build", "java -jar x.jar", "javac @args", "gradle flywayClean")),
    "c-dev": Profile(
        "compilers, make, cmake and their kin: recipes run the project's own code",
        examples=(
            "make test", "make -j8 test", "make -j$(nproc)", "cmake -S . -B build && cmake --build build", "cmake --build build -j 8",
            "ctest",
            "ctest --test-dir build --output-on-failure", "ninja -C build", "meson test -C build", "gcc -Wall -o app main.c -lm",
            "clang-format -i src/a.c", "./configure --enable-x", "just test", "bazel test //..."),
        counter_examples=(
            "make deploy", "make SHELL=/tmp/x test", "make ARGS='; touch x' test", "cmake -E touch x", "gcc -fplugin=x a.c", "gcc @args",
            "gcc -o .git/hooks/pre-commit a.c", "ctest -S x", "./configure CC=x")),
    "ruby-dev": Profile(
        "tests, linters and tasks of a Ruby project",
        examples=("bundle exec rspec", "bundle exec rubocop -a", "rspec spec/a_spec.rb:12", "rubocop", "rake -T", "rails test",
                  "bin/rails test",
                  "rails routes"),
        counter_examples=("gem install rails", "ruby -e 'x'", "rails runner x", "rake db:drop", "rspec -r ./evil.rb", "bundle exec sh")),
    "php-dev": Profile(
        "tests, linters and locked installs of a PHP project",
        examples=("phpunit", "vendor/bin/phpunit --filter testX", "vendor/bin/phpstan analyse", "composer validate", "composer install",
                  "php artisan test"),
        counter_examples=("composer require x/y", "php -r 'x();'", "php artisan tinker", "phpunit --bootstrap x.php", "composer run evil")),
    "dotnet-dev": Profile(
        "builds and tests of a .NET project",
        examples=("dotnet build", "dotnet test --filter X", "dotnet restore", "dotnet format --verify-no-changes", "dotnet clean"),
        counter_examples=("dotnet nuget push x", "dotnet tool install -g x", "dotnet run", "dotnet build -p:X=y", "dotnet add package x")),
    "beam-dev": Profile(
        "builds and tests of Elixir and Erlang projects",
        examples=("mix compile", "mix test", "mix format --check-formatted", "mix credo --strict", "rebar3 eunit"),
        counter_examples=("mix run -e x", "mix deps.get", "mix ecto.drop", "mix cmd touch x")),
    "dart-dev": Profile(
        "builds and tests of Dart and Flutter projects",
        examples=("flutter analyze", "flutter test", "flutter pub get", "dart analyze", "dart format ."),
        counter_examples=("flutter pub publish", "flutter pub add x", "dart run x", "flutter run")),
    "infra-read": Profile(
        "looking at clusters, clouds and infrastructure; no changes, no secrets",
        examples=(
            "kubectl get pods -A", "kubectl describe pod x", "kubectl logs -f deploy/web", "helm list", "helm template charts/app",
            "terraform plan", "terraform validate", "terraform state list", "aws s3 ls", "aws ec2 describe-instances",
            "gcloud projects list",
            "az group list", "psql -c 'select count(*) from users'", "cdk synth", "packer validate x.pkr.hcl"),
        counter_examples=(
            "kubectl delete pod x", "kubectl exec x -- sh", "kubectl get secret db -o yaml", "kubectl --kubeconfig x get pods",
            "helm upgrade web x", "terraform apply", "terraform output -raw db_password", "terragrunt run-all apply",
            "aws secretsmanager get-secret-value --secret-id x", "aws ec2 terminate-instances --instance-ids x",
            "gcloud auth print-access-token",
            "psql -c 'drop table x'", "psql -c 'select 1 # 2; drop table x'")),
    "lockfile-only": Profile(
        "dependencies come from the lock file: what is locked may be installed, adding one is refused with the command to use instead",
        examples=("npm ci", "pnpm install --frozen-lockfile", "uv sync --frozen", "poetry install", "composer install"),
        counter_examples=("npm install left-pad", "npm install", "pip install requests", "cargo add serde", "uv sync --upgrade",
                          "yarn workspace web add x", "pnpm --filter web add x", "flutter pub add x", "go get example.com/x")),
}


def rules_of(name: str) -> tuple[Rule, ...]:
    """The plain entries of a profile, with their origin."""
    profile = PROFILES.get(name)
    if profile is None or not profile.entries:
        return ()
    return tuple(r.replace(origin=Origin(Layer.BUILTIN_ALLOW, f"{r.name} (profile {name})")) for r in profile.entries)
