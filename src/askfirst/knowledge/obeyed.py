"""Files of a project that programs obey by themselves: whoever writes one decides what a later, allowed command runs,
loads or writes. One table, built from the programs' own documentation and tried with the programs where they install;
tests/cases/obeyed.yaml says with which document and version each program was compared, and what that names.

Two questions are derived from it. Writing such a file asks (policy/writes.py). And a program that obeys one asks, where
the built-in rules would let it pass, as long as the file was changed in this session or is not in git's HEAD
(files/obeying.py looks, policy/judge.py decides): an approved write, or one that no gate has seen, says nothing about
what comes of it.

The second question is not asked where a profile of the row is on: it lets the project's own code run anyway, and a
`package.json` is edited all day.
"""

from __future__ import annotations

from askfirst.knowledge.globs import NamePatterns, PathPatterns, once

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
# files       patterns, folded: a name, or a path at any depth (`.mvn/**`: everything below). `**/ruff.toml`: also those
#             in directories below the one that the program is started in
#             A comment above a row names documents that were read for it; not each name in the row is from them.
# programs    those that obey them, as far as any of their commands may pass without asking; none where only a person,
#             an editor or a server starts the program, or where the files are installed rather than kept in git
OBEYED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "python-dev": (
        (
            "pyproject.toml",
            "hatch poetry uv uvx codespell tox nox pytest py.test mypy dmypy pylint coverage alembic autopep8",
            "build, test and lint tools take plugins, commands and the files they write from it",
        ),
        (
            "setup.cfg",
            "codespell tox pytest py.test mypy dmypy flake8 pylint coverage autopep8",
            "lint and test tools take plugins and the files they write from it",
        ),
        (".python-version .python-versions", "uv uvx shims", "may name any program, which is run as the interpreter"),
        ("uv.toml", "uv uvx", "says where interpreters and packages come from"),
        ("hatch.toml hatch_build.py hatch_plugins.py", "hatch", "hatch loads the plugins that it names"),
        ("poetry.toml .poetry/**", "poetry", "poetry loads plugins and takes its environment from here"),
        (
            "pdm.toml .pdm.toml .pdm-python .pdm-plugins/**",
            "",
            "pdm runs the interpreter that it names and loads the plugins that are here",
        ),
        ("pipfile", "pipenv", "names packages, their source and scripts"),
        (".codespellrc", "codespell", "can make codespell rewrite files with words of its own"),
        ("**/.bandit", "bandit", "can make bandit write its report anywhere"),
        (".pep8", "autopep8", "can make autopep8 rewrite files"),
        ("radon.cfg", "", "can make radon write its report anywhere"),
        (".djlintrc djlint.toml .djlint.toml .djlint_rules.yaml", "", "djlint imports the modules that its rules name"),
        (".sqlfluff", "", "sqlfluff loads the libraries and templaters that it names"),
        ("conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml", "pytest py.test", "pytest loads it"),
        (
            "tox.ini tox.toml",
            "tox pytest py.test coverage flake8 pylint autopep8",
            "names the commands and plugins of the tests",
        ),
        ("toxfile.py ☣.py", "tox", "tox loads it as a plugin"),
        ("noxfile.py", "nox", "nox runs it"),
        ("mypy.ini .mypy.ini", "mypy dmypy", "mypy loads the plugins that it names"),
        ("pylintrc .pylintrc pylintrc.toml .pylintrc.toml", "pylint", "pylint runs its init-hook and loads plugins"),
        (".flake8", "flake8 autopep8", "flake8 loads the plugins that it names"),
        (".coveragerc .coveragerc.toml", "coverage pytest py.test", "coverage loads the plugins that it names"),
        (
            ".pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml prek.toml",
            "pre-commit",
            "git hooks run it",
        ),
        ("mkdocs.yml mkdocs.yaml", "mkdocs", "mkdocs loads the plugins and hooks that it names"),
        (
            "docs/conf.py doc/conf.py documentation/conf.py docs/*/conf.py source/conf.py",
            "sphinx-build",
            "code that builds the documentation",
        ),
        (
            "alembic.ini script.py.mako alembic/env.py migrations/env.py",
            "alembic",
            "alembic runs it, or the commands that it names",
        ),
        ("jupyter_*config.py jupyter_*config.json ipython_config.py", "", "Jupyter and IPython load it"),
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
            "yarn pnpm pnpx bun bunx deno eslint prettier jest stylelint mocha markdownlint markdownlint-cli2 nx turbo",
            "names scripts, settings and the package manager itself",
        ),
        (
            "package.yaml package.yml package.json5",
            "pnpm pnpx prettier",
            "pnpm takes scripts from it, where there is no package.json",
        ),
        (
            ".npmrc",
            "npm npx pnpm pnpx yarn bun bunx deno",
            "can make the package manager run another git, shell or browser",
        ),
        (".yarnrc .yarnrc.yml .yarn/releases/** .yarn/plugins/** .yarn/sdks/**", "yarn", "yarn runs what it names"),
        (".env.yarn", "yarn", "sets the environment of what yarn starts"),
        (".yarn/**", "", "yarn runs its plugins and releases"),
        (
            ".pnpmfile.* pnpm-workspace.yaml",
            "pnpm pnpx",
            "pnpm runs it, or loads the files that it names",
        ),
        ("bunfig.toml", "bun bunx", "bun loads the files that it names first"),
        ("deno.json deno.jsonc", "deno", "names tasks, plugins and where imports lead"),
        ("import_map.json", "", "says where imports lead"),
        (".nvmrc .node-version", "shims", "says which Node is run"),
        (".pnp.*", "", "node loads it for every program of the project"),
        (
            "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts *.conf.js *.conf.ts "
            "webpack.config.* .webpack/** ava.config.json node.config.json nuxt.config.* nitro.config.*",
            "",
            "the tool of that name runs it",
        ),
        (
            ".eslintrc* .prettierrc* .babelrc* babel.config.json* .mocharc* mocha.opts .swcrc .stylelintrc* "
            ".lintstagedrc* .commitlintrc* .releaserc* .postcssrc* .nycrc* .c8rc* .taprc .huskyrc* "
            ".oxlintrc.* .terserrc* .sequelizerc .size-limit.* .graphqlrc* .remarkrc* .svgrrc* .htmlhintrc "
            ".htmlvalidate.* .czrc .xo-config.* .jscpd.json .depcheckrc* .madgerc .dependency-cruiser.* "
            ".parcelrc .proxyrc* .attw.json tsdoc.json typedoc.json .nuxtrc .ncurc* .versionrc* .release-it.* "
            ".changeset/config.json .textlintrc* dprint.json* .dprint.json* .dprintrc.json",
            "eslint prettier mocha stylelint oxlint",
            "the tool of that name loads the plugins that it names",
        ),
        (
            ".markdownlint*.cjs .markdownlint*.mjs .markdownlint-cli2.*",
            "markdownlint markdownlint-cli2",
            "markdownlint runs it, or loads the rules that it names",
        ),
        (
            "cspell.json* .cspell.json* cspell.y*ml .cspell.y*ml cspell.config.* .cspell.config.* cspell.*.js "
            ".config/cspell.* .config/.cspell.*",
            "",
            "cspell loads the files that it imports",
        ),
        ("gulpfile* gruntfile* jakefile*", "", "runs the project's tasks"),
        ("nx.json project.json workspace.json .nx/**", "nx", "names the commands of the tasks"),
        ("turbo.json turbo.jsonc lerna.json", "turbo", "names the tasks that are run"),
        # The documents in npm turbo 2.11: Remote Caching
        (".turbo/config.json", "turbo", "says which server keeps the results of tasks, and is told the token"),
        ("angular.json .angular.json", "ng", "names the builders that are run"),
        ("binding.gyp *.gyp *.gypi", "", "an installation runs the commands in it"),
        (
            "jest.config.json jest.setup.* vitest.setup.* setuptests.* vitest.workspace.* cypress.json "
            "cypress/plugins/** cypress/support/e2e.* cypress/support/component.* cypress/support/index.*",
            "jest vitest playwright cypress",
            "the tests load it",
        ),
        ("codegen.ts codegen.y*ml", "", "the generator loads the plugins that it names"),
        ("knip.ts knip.js knip.json* .knip.json*", "", "knip loads it and the plugins that it names"),
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
            "cargo rustc rustfmt rustup rustdoc clippy-driver pip",  # pip tells its index which rustc there is
            "may name any directory, whose programs are run as the compiler",
        ),
        # doc.rust-lang.org/cargo/reference/config
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
        # golangci-lint.run/docs/configuration/file and /docs/plugins 2.8
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
        # The help of sbt's launcher
        ("*.sbt .sbtopts .sbtrc .sbtconfig .jvmopts .scalafix.conf .scala-build/**", "sbt", "sbt runs it"),
        (".bsp/**", "", "the editor starts the build server that it names"),
        ("local.properties", "gradle gradlew", "says where the SDK is, whose programs the build runs"),
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
            ".rubocop.yml .rubocop .rubocop_*.yml .config/.rubocop.yml .config/rubocop/config.yml .standard.yml "
            ".erb_lint.yml .erb-lint.yml .reek.yml",
            "rubocop",
            "loads code that it names",
        ),
        (".ruby-version .ruby-gemset", "shims", "says which Ruby is run"),
        (".bundle/** .irbrc .pryrc podfile fastfile gemfile.lock gems.locked podfile.lock", "", "ruby tools load it"),
        (
            "bin/rails script/rails bin/rake bin/rspec bin/rubocop bin/brakeman",
            "",
            "a program of the project that runs its tests",
        ),
    ),
    "php-dev": (
        ("composer.json", "composer", "names scripts and plugins"),
        ("artisan", "php", "runs the project's code"),
        (
            "phpunit.xml* phpunit.dist.xml phpstan*.neon* .phpstan*.neon* phpcs.xml* .phpcs.xml* codesniffer.conf "
            ".php-cs-fixer* .php_cs* rector.php psalm.xml* psalm.dist.xml pint.json pest.php",
            "phpunit phpstan pint pest",
            "loads code that it names",
        ),
        ("composer.lock", "", "names the code that is installed"),
        ("vendor/bin/** vendor/autoload.php vendor/composer/**", "", "code that the project's tools load"),
    ),
    "dotnet-dev": (
        # learn.microsoft.com: MSBuild response files, customize solution build (2022)
        (
            "global.json nuget.config directory.build.* directory.packages.props directory.solution.* "
            "*.proj *.csproj *.fsproj *.vbproj "
            "*.targets *.props dotnet-tools.json msbuild.rsp *.csproj.user *.fsproj.user *.vbproj.user "
            "launchsettings.json",
            "dotnet",
            "the build runs it, or it says which tools and packages are taken",
        ),
    ),
    "beam-dev": (
        (
            "mix.exs rebar.config rebar.config.script .erlang .*.exs test_helper.exs config/*.exs",
            "mix",
            "mix loads it before every task",
        ),
        # code(3erl): the directory it is started in comes first; tried with 25.2
        ("*.beam", "mix", "Erlang and Elixir load it in place of their own modules"),
        ("mix.lock rebar.lock", "", "names the code that is installed"),
    ),
    "dart-dev": (
        ("analysis_options.yaml", "dart flutter", "the analyser loads the plugins that it names"),
        # dart.dev/tools/hooks; pub.dev/packages/hooks 2.0
        (
            "dart_test.yaml hook/*.dart build.yaml melos.yaml",
            "dart flutter",
            "tests run the programs that it names, and builds run hooks",
        ),
        (".fvmrc .fvm/**", "shims", "says which Flutter is run"),
        (".dart_tool/**", "", "says where imports lead"),
    ),
    "ios-dev": (
        ("package.swift package@swift-*.swift .swiftpm/**", "swift", "swift compiles and runs it"),
        ("*.pbxproj *.xcscheme *.xcconfig", "xcodebuild", "xcodebuild runs the scripts that it names"),
        # XcodeGen: postGenCommand; SwiftLint 0.50: parent_config
        ("project.yml tuist/**", "", "the generator runs the commands that it names"),
        (
            "appfile matchfile pluginfile gymfile scanfile snapfile deliverfile fastlane/actions/** *.podspec "
            "*.podspec.json",
            "",
            "ruby tools run it",
        ),
        (".swiftlint.yml", "", "swiftlint fetches the settings that it names"),
    ),
    ANY_STACK: (
        # make(1) 4.3
        ("makefile gnumakefile bsdmakefile makefile.* *.mk", "make gmake", "make runs it"),
        ("*makefile,v rcs/** sccs/** s.*makefile", "make gmake", "make takes its makefile out of it"),
        ("justfile .justfile *.just", "just", "just runs it"),
        # taskfile.dev/docs: Supported file names
        ("taskfile.y*ml taskfile.dist.y*ml .taskrc.y*ml", "task", "task runs it"),
        # ctest(1) and cmake(1) 3.25
        (
            "cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json cmakecache.txt ctestcustom.ctest "
            "dartconfiguration.tcl ctestconfiguration.ini darttestfile.txt",
            "cmake ctest cpack",
            "cmake runs its commands",
        ),
        ("meson.build meson_options.txt meson.options *.ninja", "meson ninja cmake", "the build runs its commands"),
        ("meson-private/*.dat", "meson", "meson runs what is packed in it"),
        ("subprojects/*.wrap", "meson", "meson fetches and builds what it names"),
        # The manual of Autoconf 2.71: Site Defaults
        (
            "configure configure.ac configure.in config.site config.cache config.status config.guess config.sub "
            "aclocal.m4 acinclude.m4 install-sh ltmain.sh autogen.sh",
            "configure",
            "the build runs it",
        ),
        # bazel.build/run/bazelrc 9.1
        (
            "workspace workspace.bzlmod *.bazel *.bzl module.bazel.lock "
            "*.bazelrc .bazelrc.* .bazelversion .bazeliskrc tools/bazel",
            "bazel bazelisk",
            "bazel runs it, or the version that it names",
        ),
        ("earthfile snakefile doxyfile", "", "the tool runs its commands"),
        (".clang-tidy compile_commands.json compile_flags.txt", "clang-tidy", "can make the compiler load a plugin"),
        # mise.jdx.dev/configuration and /tasks/task-discovery
        (
            ".tool-versions .mise.toml mise.toml .mise.local.toml mise.local.toml .mise.*.toml mise.*.toml "
            ".rtx.toml .asdfrc .prototools .config/mise.toml mise/config.toml mise/config.*.toml "
            "mise/tasks/** mise-tasks/** .mise-tasks/** .miserc.toml .mise/** .config/mise/**",
            "mise asdf shims",
            "says which programs are run, and may name any directory",
        ),
        (
            ".go-version .php-version .perl-version .lua-version .swift-version .crystal-version .zigversion "
            ".exenv-version .packer-version .bun-version .deno-version",
            "shims",
            "says which one is run",
        ),
        ("build.zig build.zig.zon", "zig", "the build runs it"),
        (
            "cabal.project* cabal.config *.cabal setup.hs setup.lhs stack.yaml stack-*.yaml stack.yaml.lock .ghci "
            ".ghc.environment.* dune dune-project dune-workspace *.opam .ocamlinit",
            "cabal",
            "the build runs it",
        ),
        ("hie.yaml", "", "the editor runs the program that it names"),  # hie-bios 0.6
        ("flake.nix shell.nix default.nix devbox.json flake.lock", "", "says which programs are run"),
        # Startup {base}, R-devel
        (".rprofile .renviron .rdata", "", "R runs it when it starts"),
        (".lintr renv/activate.r renv.lock", "", "R runs it, or fetches what it names"),
        ("startup.jl deps/build.jl juliaproject.toml", "", "julia runs it"),
        # prove(1) 5.36
        (
            ".proverc .perldb .perlcriticrc .perltidyrc build.pl cpanfile dist.ini",
            "",
            "perl's tools load the code that it names, or write where it says",
        ),
        # luals.github.io/wiki/configuration
        (
            ".luarc.json .luarc.jsonc .luacheckrc .luacov .busted config.ld *.rockspec",
            "",
            "lua's tools run it, or load what it names",
        ),
    ),
    # No profile lets these run the project's code.
    "": (
        (".terraform-version .opentofu-version .terragrunt-version", "terraform tofu shims", "says which one is run"),
        # Implied local mirrors: github.com/hashicorp/terraform/issues/31442 (1.2)
        (
            ".terraformrc terraform.rc *.tfrc .tofurc tofu.rc",
            "",
            "says where providers, which terraform runs, come from",
        ),
        (".terraform/** .terraform.lock.hcl terraform.d/**", "", "providers and modules that terraform runs"),
        (".tflint.hcl", "", "tflint loads the plugins that it names"),
        ("cdk.json", "", "names the program that makes the plan"),
        ("packer-plugin-*", "packer", "packer runs plugins of the directory it is started in"),
        # pulumi.com/docs/iac/concepts/projects
        ("pulumi.y*ml", "", "names the program that makes the plan"),
        # helmfile's README: Hooks
        (
            "helmfile.y*ml helmfile.y*ml.gotmpl helmfile.d/** skaffold.y*ml tiltfile",
            "",
            "runs the commands that it names",
        ),
        ("vagrantfile .vagrant/** .vagrantplugins", "", "every command of vagrant runs it"),
        (
            "serverless.yml serverless.yaml serverless.json serverless.js serverless.ts serverless-compose.*",
            "",
            "serverless loads the plugins that it names",
        ),
        (
            "samconfig.toml samconfig.y*ml netlify.toml firebase.json wrangler.toml wrangler.json*",
            "",
            "names commands and hooks",
        ),
        # git-lfs-config(5) 3.3
        (".lfsconfig", "", "says from which server large files come"),
        (
            "ansible.cfg",
            "ansible ansible-playbook ansible-inventory ansible-config ansible-doc ansible-galaxy ansible-lint",
            "ansible loads the plugins that it names",
        ),
        (".ansible-lint .ansible-lint.y*ml .config/ansible-lint.y*ml", "ansible-lint", "loads the rules that it names"),
        (".vale.ini _vale.ini vale.ini .vale _vale", "", "names packages that vale fetches and scripts that it runs"),
        (".config/**", "", "tools look for their settings here"),
        (".aider.conf.yml", "", "an agent takes its options from it"),
        (".beads/hooks/** .beads/config.yaml", "bd", "the issue tracker runs it, or pushes where it says"),
        (
            "lefthook.* .lefthook.* lefthook-local.* .overcommit.yml .simple-git-hooks.* simple-git-hooks.* "
            "captainhook.json grumphp.y*ml .husky/** .githooks/** .git-hooks/**",
            "",
            "git hooks of the project",
        ),
        (
            ".gitlab-ci*.y*ml jenkinsfile* azure-pipelines.y*ml .travis.yml bitbucket-pipelines.yml .drone.yml "
            "appveyor.yml dangerfile* .github/workflows/** .github/actions/** .circleci/** .buildkite/** "
            ".gitea/** .forgejo/** .woodpecker/** .woodpecker.y*ml .gitlab/ci/** .azure-pipelines/** .semaphore/** "
            ".teamcity/** "
            ".tekton/** buildspec.y*ml cloudbuild.y*ml cloudbuild.json codemagic.y*ml .cirrus.yml .cirrus.star",
            "",
            "CI runs it",
        ),
        # gitattributes(5) and gitmodules(5) 2.39
        (".gitattributes .gitmodules .gitconfig", "", "says which filters and other repositories git uses"),
        (".git/**", "", "git's own files"),
        # Go 1.18: Version control stamping; hg(1) 6.3: Configuration Files
        (
            ".hg/** .sl/** .jj/** .svn/** .bzr/** _darcs/** .pijul/** .fslckout _fossil_",
            "",
            "names programs that the version control runs, also where `go` asks it for the version",
        ),
        ("head commondir gitdir", "", "git takes a directory that has these for a repository"),
        ("allowed_commands.yaml allowed_commands.yml", "", "a nested rule file"),
        # The Emacs manual: Directory Variables; docs.helix-editor.com/languages 25.07; clangd.llvm.org/config
        (
            ".vscode/** .idea/** .run/** .vs/** "
            ".exrc _exrc .vimrc _vimrc .gvimrc .nvimrc .nvim.lua .lazy.lua .lvimrc .vim/** .vimspector.json "
            ".dir-locals.el .dir-locals-2.el *.code-workspace *.sublime-project .zed/** .fleet/** .helix/** .nova/** "
            ".continue/** .clangd omnisharp.json",
            "",
            "the editor runs it",
        ),
        # gdbinit(5); GDB's manual: Startup, Auto-loading
        (
            ".gdbinit .gdbearlyinit .lldbinit .lldbinit-* *-gdb.py *-gdb.gdb *-gdb.scm",
            "",
            "the debugger runs it",
        ),
        # containers.dev: devcontainer.json reference
        (
            "devcontainer.json .devcontainer.json .devcontainer/** .gitpod.yml .replit .idx/** .codesandbox/** "
            "devfile.y*ml .devfile.y*ml",
            "",
            "the editor runs it",
        ),
        # curl(1) 7.88, tmux(1) 3.3, psql(1) 15, sqlite3(1) 3.40: these in the home only
        (
            ".autoenv* .env.fish .inputrc .wgetrc .curlrc .screenrc .tmux.conf .tmuxinator.y*ml .tmuxp.* .lesskey "
            ".psqlrc .sqliterc",
            "",
            "shells and programs start with it",
        ),
    ),
}
# What installers obey, by program.
MANIFESTS = {
    "npm npx pnpm pnpx yarn bun bunx corepack deno": "package.json package-lock.json npm-shrinkwrap.json yarn.lock "
    "pnpm-lock.yaml bun.lock bun.lockb .npmrc pnpm-workspace.yaml .pnpmfile.* .yarnrc .yarnrc.yml bunfig.toml "
    "binding.gyp",
    "pip pip3 python python3 uv uvx poetry pdm pipenv hatch rye pipx": "pyproject.toml setup.py setup.cfg uv.lock "
    "poetry.lock pdm.lock pipfile pipfile.lock uv.toml poetry.toml pdm.toml .pdm.toml",
    "composer": "composer.json composer.lock",
    "bundle bundler gem": "gemfile gemfile.lock gems.rb gems.locked",
    "pod": "podfile podfile.lock",
    "dart flutter": "pubspec.yaml pubspec.lock pubspec_overrides.yaml",
}
PACKAGES = "names the packages that are fetched and run"
# Programs that install what the manifest names, also when they are told to add a package. pip does what it is told.
INSTALL_ALL = frozenset("npm pnpm yarn bun deno uv poetry pdm pipenv rye composer bundle pod dart flutter".split())
# Manifests whose lines tell a person what they name.
READABLE = frozenset(
    "package.json pyproject.toml setup.cfg pipfile composer.json gemfile gems.rb podfile pubspec.yaml".split()
)
# The same for files that are everyday work: writing one does not ask, only what obeys it does.
EDITED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "node-dev": (
        (
            "*.prisma prisma.config.* prisma7.config.* .config/prisma.* .config/prisma7.*",
            "prisma",
            "names the generators that prisma runs",
        ),
    ),
    "go-dev": (
        ("go.mod", "go goimports golangci-lint staticcheck gotestsum", "says which version of go is fetched and run"),
    ),
    "python-dev": (
        (
            "**/ruff.toml **/.ruff.toml **/pyproject.toml",
            "ruff",
            "may extend any file, of which a line stands in the complaint about it",
        ),
        # isort's documentation of its options, 9.0
        (
            "**/.isort.cfg **/pyproject.toml **/setup.cfg **/tox.ini **/.editorconfig",
            "isort",
            "can make isort write lines of code into files",
        ),
    ),
    "": (
        (".yamllint .yamllint.y*ml", "yamllint", "may extend any file, of which a line stands in the complaint"),
        # shellcheck(1) 0.9
        (
            ".shellcheckrc shellcheckrc",
            "shellcheck",
            "may let scripts name any file, of which lines stand in complaints",
        ),
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
        # docs.docker.com: compose/how-tos/multiple-compose-files/include (2.20.3), reference/cli/docker/compose
        (
            "compose.y*ml compose.*.y*ml docker-compose.y*ml docker-compose.*.y*ml podman-compose.y*ml "
            "container-compose.y*ml .env",
            "docker-compose podman-compose",
            "compose fetches the files that it includes, from any server",
        ),
        # GHSA-9h84-qmv7-982p (3.18.5)
        (
            "values.schema.json charts/*/values.schema.json",
            "helm",
            "helm reads what `$ref` names",
        ),
        # developers.cloudflare.com/workers/wrangler/system-environment-variables
        (".env .env.*", "wrangler", "says which server wrangler tells its token"),
    ),
}
# Programs that obey their files only where these say something: a pattern for the text in small letters. Escapes and
# zero bytes could hide the word.
_INCLUDES = (
    r"include|extends|\\[xu\n]|\0|compose_path_separator|compose_env_files|docker_(?:host|config|context)"
    r"|compose_file[^\n]*(?://|@|github|\.git)"
)
ONLY_WHERE = {
    "docker-compose": _INCLUDES,
    "podman-compose": _INCLUDES,
    "isort": r"add_imports|heading|footer|comment_prefix|indent|line_ending|formatter|\\[xu]|\0",
    "helm": r'"\$ref"\s*:\s*"[^#]|\\u|\0',
    "wrangler": r"cloudflare_\w*url|wrangler_\w*(?:url|environment)|proxy",
}
# Judged by what changes in them, where that is known (files/change.py fills Change.runs).
PARTLY_LOADED = frozenset({"package.json", "pyproject.toml", "composer.json", "cargo.toml"})

# A name is looked for at any depth anyway, where something is written.
asking = once(
    lambda: tuple((files.replace("**/", "").split(), why) for rows in OBEYED.values() for files, _, why in rows)
)


# The rows of `asking` by the names of their files, at any depth; and the files that are meant by their path.
by_name = once(lambda: NamePatterns([f for f in files if "/" not in f] for files, _ in asking()))
places = once(lambda: tuple((f"**/{f}", why) for files, why in asking() for f in files if "/" in f))
by_place = once(lambda: PathPatterns(pattern for pattern, _ in places()))


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
