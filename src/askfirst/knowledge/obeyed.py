"""Files of a project that programs obey by themselves: whoever writes one decides what a later, allowed command runs,
loads or writes. One table, built from the programs' own documentation and tried with the programs where they install.

Two questions are derived from it. Writing such a file asks (policy/writes.py). And a program that obeys one asks, where
the built-in rules would let it pass, as long as the file was changed in this session or is not in git's HEAD
(files/obeying.py looks, policy/judge.py decides): an approved write, or one that no gate has seen, says nothing about
what comes of it.

The second question is not asked where a profile of the row is on: it lets the project's own code run anyway, and a
`package.json` is edited all day.
"""

from __future__ import annotations

from askfirst.knowledge.globs import once

# The profiles that let the project's own code run. (`infra-read` and `lockfile-only` do not.)
ANY_STACK = "python-dev node-dev rust-dev go-dev ios-dev jvm-dev c-dev ruby-dev php-dev dotnet-dev beam-dev dart-dev"
# Stands for every program that a version manager puts in place of the real one.
SHIMS = "shims"
# Stands for every command that installs packages, whatever its program.
INSTALLS = "installs"
# Names of version managers, to which their shims are links.
SHIM_PROGRAMS = frozenset({"mise", "asdf", "rtx", "rustup", "rustup-init", "volta-shim", "proto-shim", "aqua-proxy"})

# The profiles that excuse the rows -> (files, programs, why). Plain values, because the hook reads them on every call.
#
# files       patterns, folded: a name, or a path at any depth (`.mvn/**`: everything below)
# programs    those that obey them, as far as any of their commands may pass without asking; none where only a person,
#             an editor or a server starts the program, or where the files are installed rather than kept in git
OBEYED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "python-dev": (
        (
            "pyproject.toml",
            "hatch poetry pdm uv uvx codespell tox nox pytest py.test mypy dmypy pylint coverage",
            "build, test and lint tools take plugins, commands and the files they write from it",
        ),
        (
            "setup.cfg",
            "codespell pytest py.test mypy dmypy flake8 pylint coverage",
            "lint and test tools take plugins and the files they write from it",
        ),
        (".python-version .python-versions", "uv uvx shims", "may name any program, which is run as the interpreter"),
        ("uv.toml", "uv uvx", "says where interpreters and packages come from"),
        ("hatch.toml hatch_build.py hatch_plugins.py", "hatch", "hatch loads the plugins that it names"),
        ("poetry.toml .poetry/**", "poetry", "poetry loads plugins and takes its environment from here"),
        (
            "pdm.toml .pdm.toml .pdm-python .pdm-plugins/**",
            "pdm",
            "pdm runs the interpreter that it names and loads the plugins that are here",
        ),
        ("pipfile", "pipenv", "names packages, their source and scripts"),
        (".codespellrc", "codespell", "can make codespell rewrite files with words of its own"),
        (".bandit", "bandit", "can make bandit write its report anywhere"),
        ("radon.cfg", "", "can make radon write its report anywhere"),
        (".djlintrc djlint.toml .djlint_rules.yaml", "", "djlint imports the modules that its rules name"),
        (".sqlfluff", "", "sqlfluff loads the libraries and templaters that it names"),
        ("conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml", "pytest py.test", "pytest loads it"),
        (
            "tox.ini tox.toml",
            "tox pytest py.test coverage flake8 pylint",
            "names the commands and plugins of the tests",
        ),
        ("toxfile.py", "tox", "tox loads it as a plugin"),
        ("noxfile.py", "nox", "nox runs it"),
        ("mypy.ini .mypy.ini", "mypy dmypy", "mypy loads the plugins that it names"),
        ("pylintrc .pylintrc pylintrc.toml .pylintrc.toml", "pylint", "pylint runs its init-hook and loads plugins"),
        (".flake8", "flake8", "flake8 loads the plugins that it names"),
        (".coveragerc .coveragerc.toml", "coverage pytest py.test", "coverage loads the plugins that it names"),
        (".pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml", "pre-commit", "git hooks run it"),
        ("mkdocs.yml mkdocs.yaml", "mkdocs", "mkdocs loads the plugins and hooks that it names"),
        (
            "docs/conf.py doc/conf.py docs/source/conf.py source/conf.py",
            "sphinx-build",
            "code that builds the documentation",
        ),
        ("manage.py", "django-admin", "runs the project's code"),
        ("setup.py fabfile.py dodo.py pdm_build.py", "", "build and deployment tools run it"),
        ("sconstruct sconscript wscript", "", "build tools run it"),
        ("sitecustomize.py usercustomize.py *.pth .pdbrc .pythonrc .startup.py", "", "Python loads it by itself"),
        ("pip.conf pip.ini pyvenv.cfg .pypirc", "", "says where packages come from and go to"),
        ("poetry.lock uv.lock pdm.lock pipfile.lock pylock.toml pylock.*.toml", "", "names the code that is installed"),
        ("site-packages/** dist-packages/** .venv/** .tox/** .nox/**", "", "code that Python loads"),
        ("venv/bin/** venv/pyvenv.cfg", "", "programs of the project's environment"),
    ),
    "node-dev": (
        (
            "package.json",
            "yarn pnpm pnpx bun bunx deno eslint prettier jest stylelint mocha knip markdownlint markdownlint-cli2 nx "
            "turbo",
            "names scripts, settings and the package manager itself",
        ),
        (
            "package.yaml package.json5",
            "pnpm pnpx prettier",
            "pnpm takes scripts from it, where there is no package.json",
        ),
        (".npmrc", "npm npx pnpm pnpx yarn bun bunx", "can make the package manager run another git, shell or browser"),
        (".yarnrc .yarnrc.yml .yarn/releases/** .yarn/plugins/** .yarn/sdks/**", "yarn", "yarn runs what it names"),
        (".yarn/**", "", "yarn runs its plugins and releases"),
        (
            ".pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js pnpm-workspace.yaml",
            "pnpm pnpx",
            "pnpm runs it, or loads the files that it names",
        ),
        ("bunfig.toml", "bun bunx", "bun loads the files that it names first"),
        ("deno.json deno.jsonc", "deno", "names tasks, plugins and where imports lead"),
        ("import_map.json", "", "says where imports lead"),
        (".nvmrc .node-version", "shims", "says which Node is run"),
        (".pnp.*", "", "node loads it for every program of the project"),
        (
            "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts *.conf.js *.conf.ts",
            "",
            "the tool of that name runs it",
        ),
        (
            ".eslintrc* .prettierrc* .babelrc* babel.config.json* .mocharc* mocha.opts .swcrc .stylelintrc* "
            ".lintstagedrc* .commitlintrc* .releaserc* .postcssrc* .nycrc* .c8rc* .taprc .huskyrc* "
            ".oxlintrc.json .terserrc* .sequelizerc .size-limit.* .graphqlrc* .remarkrc* .svgrrc* .htmlhintrc "
            ".htmlvalidate.* .czrc .xo-config.* .jscpd.json .depcheckrc* .madgerc .dependency-cruiser.* "
            ".parcelrc .proxyrc* .attw.json tsdoc.json typedoc.json .nuxtrc .ncurc* .versionrc* .release-it.* "
            ".changeset/config.json",
            "eslint prettier mocha stylelint oxlint",
            "the tool of that name loads the plugins that it names",
        ),
        (
            ".markdownlint*.cjs .markdownlint*.mjs .markdownlint-cli2.*",
            "markdownlint markdownlint-cli2",
            "markdownlint runs it, or loads the rules that it names",
        ),
        ("cspell.json .cspell.json cspell.y*ml cspell.*.js", "cspell", "cspell loads the files that it imports"),
        ("gulpfile* gruntfile* jakefile*", "", "runs the project's tasks"),
        ("nx.json project.json workspace.json", "nx", "names the commands of the tasks"),
        ("turbo.json turbo.jsonc lerna.json", "turbo", "names the tasks that are run"),
        ("angular.json", "ng", "names the builders that are run"),
        (
            "jest.config.json jest.setup.* vitest.setup.* setuptests.* vitest.workspace.* cypress.json",
            "jest vitest playwright cypress",
            "the tests load it",
        ),
        ("codegen.ts codegen.y*ml", "", "the generator loads the plugins that it names"),
        ("knip.ts knip.js knip.json knip.jsonc", "knip", "knip loads it and the plugins that it names"),
        ("knexfile.* gatsby-*.js gatsby-*.ts nodemon.json wallaby.* .storybook/**", "", "the tool loads it"),
        (
            "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock",
            "",
            "names the code that is installed",
        ),
        ("node_modules/**", "", "code that the project's tools load"),
    ),
    "rust-dev": (
        (
            "rust-toolchain rust-toolchain.toml",
            "cargo rustc rustfmt rustup rustdoc clippy-driver",
            "may name any directory, whose programs are run as the compiler",
        ),
        (
            ".cargo/config .cargo/config.toml",
            "cargo",
            "can name programs that cargo runs, and where packages come from",
        ),
        (".cargo/**", "", "cargo's configuration can name programs that cargo runs"),
        ("cargo.toml build.rs", "cargo", "cargo compiles and runs it"),
        ("cargo.lock", "", "names the code that is compiled"),
        (".config/nextest.toml", "cargo", "nextest runs the scripts that it names"),
    ),
    "go-dev": (
        (
            ".golangci.yml .golangci.yaml .golangci.toml .golangci.json .custom-gcl.y*ml",
            "golangci-lint",
            "golangci-lint loads the plugins that it names",
        ),
        ("go.work", "go golangci-lint staticcheck goimports gotestsum", "says which code is built"),
    ),
    "jvm-dev": (
        (".mvn/**", "mvn mvnw", "options and extensions that maven starts with"),
        ("mvnw mvnw.cmd pom.xml", "mvn mvnw", "maven runs it"),
        (
            "build.gradle* settings.gradle* init.gradle* gradle.properties gradlew gradlew.bat gradle-wrapper.* "
            "*.gradle *.gradle.kts *.gradle.dcl libs.versions.toml gradle-daemon-jvm.properties",
            "gradle gradlew",
            "gradle runs it",
        ),
        ("buildsrc/** gradle/wrapper/**", "", "gradle compiles and runs it"),
        ("meta-inf/services/**", "javac mvn mvnw gradle gradlew sbt", "the compiler runs the processors that it names"),
        ("build.sbt .sbtopts .jvmopts .scalafix.conf .scala-build/**", "sbt", "sbt runs it"),
        ("project/*.sbt project/*.scala project/build.properties", "sbt", "sbt compiles and runs it"),
        ("build.sc build.mill build.xml project.clj deps.edn", "", "the build runs it"),
        (".java-version .sdkmanrc .sdkman/**", "shims", "says which Java is run"),
    ),
    "ruby-dev": (
        (
            "gemfile gems.rb *.gemspec .bundle/config .rspec .rspec-local .simplecov rakefile* *.rake spec_helper.rb "
            "rails_helper.rb",
            "bundle rake rspec rails rubocop",
            "ruby tools run it",
        ),
        (
            ".rubocop.yml .standard.yml .erb_lint.yml .erb-lint.yml .reek.yml",
            "rubocop",
            "loads code that it names",
        ),
        (".ruby-version .ruby-gemset", "shims", "says which Ruby is run"),
        (".bundle/** .irbrc .pryrc podfile fastfile gemfile.lock podfile.lock", "", "ruby tools load it"),
        ("bin/rails bin/rake bin/rspec bin/rubocop bin/brakeman", "", "a program of the project that runs its tests"),
    ),
    "php-dev": (
        ("composer.json", "composer", "names scripts and plugins"),
        ("artisan", "php", "runs the project's code"),
        (
            "phpunit.xml* phpunit.dist.xml phpstan.neon* phpstan.dist.neon phpcs.xml* .phpcs.xml* .php-cs-fixer* "
            ".php_cs* rector.php psalm.xml* pint.json pest.php",
            "phpunit phpstan phpcs php-cs-fixer pint pest",
            "loads code that it names",
        ),
        ("composer.lock", "", "names the code that is installed"),
        ("vendor/bin/** vendor/autoload.php vendor/composer/**", "", "code that the project's tools load"),
    ),
    "dotnet-dev": (
        (
            "global.json nuget.config directory.build.* directory.packages.props *.csproj *.fsproj *.vbproj "
            "*.targets *.props dotnet-tools.json msbuild.rsp *.csproj.user *.fsproj.user *.vbproj.user",
            "dotnet",
            "the build runs it, or it says which tools and packages are taken",
        ),
    ),
    "beam-dev": (
        (
            "mix.exs rebar.config .*.exs test_helper.exs config/*.exs",
            "mix",
            "mix loads it before every task",
        ),
        ("mix.lock rebar.lock", "", "names the code that is installed"),
    ),
    "dart-dev": (
        ("analysis_options.yaml", "dart flutter", "the analyser loads the plugins that it names"),
        (
            "dart_test.yaml hook/build.dart",
            "dart flutter",
            "tests run the programs that it names, and builds run hooks",
        ),
        (".fvmrc .fvm/**", "shims", "says which Flutter is run"),
    ),
    "ios-dev": (
        ("package.swift package@swift-*.swift .swiftpm/**", "swift", "swift compiles and runs it"),
        ("*.pbxproj *.xcscheme *.xcconfig", "xcodebuild", "xcodebuild runs the scripts that it names"),
    ),
    ANY_STACK: (
        ("makefile gnumakefile bsdmakefile makefile.* *.mk", "make gmake", "make runs it"),
        ("justfile .justfile *.just", "just", "just runs it"),
        ("taskfile.y*ml taskfile.dist.y*ml .taskrc.y*ml", "task", "task runs it"),
        (
            "cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json cmakecache.txt ctestcustom.ctest "
            "dartconfiguration.tcl",
            "cmake ctest cpack",
            "cmake runs its commands",
        ),
        ("meson.build meson_options.txt meson.options *.ninja", "meson ninja cmake", "the build runs its commands"),
        ("subprojects/*.wrap", "meson", "meson fetches and builds what it names"),
        ("configure configure.ac config.site config.status", "configure", "the build runs it"),
        (
            "workspace workspace.bazel workspace.bzlmod module.bazel repo.bazel build.bazel *.bzl "
            ".bazelrc .bazelversion .bazeliskrc tools/bazel",
            "bazel bazelisk",
            "bazel runs it, or the version that it names",
        ),
        ("earthfile snakefile doxyfile", "", "the tool runs its commands"),
        (".clang-tidy compile_commands.json compile_flags.txt", "clang-tidy", "can make the compiler load a plugin"),
        (
            ".tool-versions .mise.toml mise.toml .mise.local.toml mise.local.toml .mise.*.toml mise.*.toml "
            ".rtx.toml .asdfrc .prototools .config/mise.toml mise/config.toml .mise/** .config/mise/**",
            "mise asdf shims",
            "says which programs are run, and may name any directory",
        ),
        (
            ".go-version .php-version .perl-version .lua-version .swift-version .crystal-version .zigversion",
            "shims",
            "says which one is run",
        ),
        ("build.zig build.zig.zon", "zig", "the build runs it"),
        ("cabal.project* stack.yaml .ghci dune dune-project dune-workspace", "cabal", "the build runs it"),
        ("flake.nix shell.nix default.nix devbox.json flake.lock", "", "says which programs are run"),
        (".rprofile .renviron", "", "R runs it when it starts"),
    ),
    # No profile lets these run the project's code.
    "": (
        (".terraform-version .opentofu-version .terragrunt-version", "terraform tofu shims", "says which one is run"),
        (".terraformrc terraform.rc", "", "says where providers, which terraform runs, come from"),
        (".terraform/** .terraform.lock.hcl", "", "providers and modules that terraform runs"),
        ("cdk.json", "", "names the program that makes the plan"),
        ("packer-plugin-*", "packer", "packer runs plugins of the directory it is started in"),
        ("pulumi.yaml", "", "names the program that makes the plan"),
        (
            "serverless.yml serverless.yaml serverless.json serverless.js serverless.ts",
            "",
            "serverless loads the plugins that it names",
        ),
        ("samconfig.toml netlify.toml firebase.json wrangler.toml wrangler.json*", "", "names commands and hooks"),
        (".lfsconfig", "", "says from which server large files come"),
        (
            "ansible.cfg",
            "ansible ansible-playbook ansible-inventory ansible-config ansible-doc ansible-galaxy ansible-lint",
            "ansible loads the plugins that it names",
        ),
        (".aider.conf.yml", "", "an agent takes its options from it"),
        (".beads/hooks/** .beads/config.yaml", "bd", "the issue tracker runs it, or pushes where it says"),
        (
            "lefthook.* .lefthook.* lefthook-local.* .overcommit.yml .simple-git-hooks.* simple-git-hooks.* "
            "captainhook.json grumphp.y*ml .husky/** .githooks/** .git-hooks/**",
            "",
            "git hooks of the project",
        ),
        (
            ".gitlab-ci.yml jenkinsfile* azure-pipelines.y*ml .travis.yml bitbucket-pipelines.yml .drone.yml "
            "appveyor.yml dangerfile* .github/workflows/** .github/actions/** .circleci/** .buildkite/** "
            ".gitea/** .forgejo/** .woodpecker/** .gitlab/ci/**",
            "",
            "CI runs it",
        ),
        (".gitattributes .gitmodules", "", "says which filters and other repositories git uses"),
        (".git/**", "", "git's own files"),
        ("head commondir gitdir", "", "git takes a directory that has these for a repository"),
        ("allowed_commands.yaml allowed_commands.yml", "", "a nested rule file"),
        (
            ".vscode/** .idea/** "
            ".exrc .vimrc .nvimrc .nvim.lua .lvimrc .dir-locals.el *.code-workspace .zed/** .fleet/** .continue/**",
            "",
            "the editor runs it",
        ),
        (".gdbinit .lldbinit", "", "the debugger runs it"),
        ("devcontainer.json .devcontainer/**", "", "the editor runs it"),
        (".autoenv* .env.fish .inputrc .wgetrc .curlrc .screenrc .tmux.conf", "", "shells and programs start with it"),
    ),
}
# What installers obey, by program.
MANIFESTS = {
    "npm npx pnpm pnpx yarn bun bunx corepack deno": "package.json package-lock.json npm-shrinkwrap.json yarn.lock "
    "pnpm-lock.yaml bun.lock bun.lockb .npmrc",
    "pip pip3 python python3 uv uvx poetry pdm pipenv hatch rye pipx": "pyproject.toml setup.py setup.cfg uv.lock "
    "poetry.lock pdm.lock pipfile pipfile.lock",
    "composer": "composer.json composer.lock",
    "bundle bundler gem": "gemfile gemfile.lock",
    "pod": "podfile podfile.lock",
    "dart flutter": "pubspec.yaml pubspec.lock pubspec_overrides.yaml",
}
PACKAGES = "names the packages that are fetched and run"
# The same for files that are everyday work: writing one does not ask, only what obeys it does.
EDITED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "node-dev": (("schema.prisma prisma.config.*", "prisma", "names the generators that prisma runs"),),
    "go-dev": (
        ("go.mod", "go goimports golangci-lint staticcheck gotestsum", "says which version of go is fetched and run"),
    ),
    "python-dev": (
        (
            "ruff.toml .ruff.toml pyproject.toml",
            "ruff",
            "may extend any file, of which a line stands in the complaint about it",
        ),
    ),
    "": (
        (".yamllint .yamllint.y*ml", "yamllint", "may extend any file, of which a line stands in the complaint"),
        *(
            (files, " ".join(f"{program}{INSTALLS}" for program in programs.split()) or INSTALLS, PACKAGES)
            for programs, files in (
                *MANIFESTS.items(),
                ("", " ".join(MANIFESTS.values())),  # an installer of another name may obey any of them
            )
        ),
        ("*.tf *.tf.json *.tofu *.tofu.json", "terraform tofu", "a plan runs the programs that `external` names"),
        ("terragrunt.hcl root.hcl *.tf", "terragrunt", "terragrunt runs the commands that it names"),
        ("*.pkr.hcl *.pkr.json", "packer", "packer runs the plugins that it names"),
    ),
}
# Judged by what changes in them, where that is known (files/change.py fills Change.runs).
PARTLY_LOADED = frozenset({"package.json", "pyproject.toml", "composer.json", "cargo.toml"})

asking = once(lambda: tuple((files.split(), why) for rows in OBEYED.values() for files, _, why in rows))


def _by_program() -> dict[str, list[tuple[str, list[str], str]]]:
    found: dict[str, list[tuple[str, list[str], str]]] = {}
    for table in (OBEYED, EDITED):
        for profiles, rows in table.items():
            for files, programs, why in rows:
                for program in programs.split():
                    found.setdefault(program, []).append((profiles, files.split(), why))
    return found


# program -> (profiles that excuse it, patterns, why)
by_program = once(_by_program)
