"""The files from which programs take what they do: those that they find by themselves, those in a directory that their
words name, and what such files name in turn. A yes to `terraform apply` is for what `main.tf` says now, as one to
`psql -f x.sql` is for that file (policy/orders.py).

Names are folded patterns: `*.tf` beside, `roles/**` everything below, `**` the whole directory."""

from __future__ import annotations

__all__ = ["DEFINITIONS", "ROWS", "takes_the_tree"]

# Files that say what a runner runs, in its directory: the first that is there. When they change, `npm test` is another
# command.
DEFINITIONS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("package.json",)),
    **dict.fromkeys(("make", "gmake"), ("GNUmakefile", "makefile", "Makefile")),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "rake": ("Rakefile", "rakefile"),
    "tox": ("tox.ini",),
    "nox": ("noxfile.py",),
    "composer": ("composer.json",),
    "deno": ("deno.json", "deno.jsonc"),
    "mix": ("mix.exs",),
    **dict.fromkeys(("gradle", "gradlew"), ("build.gradle", "build.gradle.kts")),
    **dict.fromkeys(("mvn", "mvnw"), ("pom.xml",)),
}

_TF = "*.tf *.tf.json *.tofu *.tofu.json *.tfvars *.tfvars.json .terraform.lock.hcl .terraform/environment"
_COMPOSE = (
    "compose.y*ml compose.*.y*ml docker-compose.y*ml docker-compose.*.y*ml podman-compose.y*ml container-compose.y*ml "
    ".env"
)
_SETTINGS = "*.y*ml *.json *.env .env* *.toml"  # not the sources that a service is built from or shows
_BAKE = "docker-bake.hcl docker-bake.json docker-bake.override.hcl docker-bake.override.json"
_ANSIBLE = (
    "ansible.cfg hosts hosts.* inventory inventory.* inventory/** group_vars/** host_vars/** roles/** library/** "
    "*_plugins/** tasks/** handlers/** vars/** defaults/** templates/** files/**"
)
# (programs, the sub-commands that take it in, or "" for all; what is found beside; in a directory that is named;
# whether beside is the nearest directory upwards that has any; the files that these name which are taken in, too)
ROWS: tuple[tuple[str, str, str, str, bool, str], ...] = (
    # developer.hashicorp.com/terraform/language/files, /cli/workspaces 1.13
    ("terraform tofu", "apply destroy import refresh", _TF, _TF, False, "*"),
    ("terragrunt", "", f"*.hcl {_TF}", f"*.hcl {_TF}", False, "*"),
    # docs.docker.com: compose/how-tos/multiple-compose-files, compose/how-tos/environment-variables (2.39)
    (
        "docker-compose podman-compose nerdctl-compose",
        "up create run watch build",
        _COMPOSE,
        _COMPOSE,
        True,
        _SETTINGS,
    ),
    ("docker-buildx podman-buildx", "bake", f"{_BAKE} {_COMPOSE}", "", False, _SETTINGS),
    # kubectl(1): apply, `-f` and `-k`; kubectl.docs.kubernetes.io/references/kustomize
    ("kubectl oc kustomize", "", "", "*.y*ml *.json kustomization", False, "*"),
    ("helm", "", "", "**", False, ""),
    ("helmfile", "", "helmfile.y*ml helmfile.y*ml.gotmpl helmfile.d/**", "**", False, "*"),
    ("skaffold", "", "skaffold.y*ml", "*.y*ml *.json", False, "*"),
    # docs.ansible.com: tips_tricks/sample_setup, playbook_guide/playbooks_reuse_roles (2.19)
    ("ansible-playbook ansible", "", _ANSIBLE, "**", False, "*"),
    ("vagrant", "", "vagrantfile", "", True, "*"),
    ("fab", "", "fabfile.py fabfile/**", "", False, ""),
    ("invoke inv", "", "tasks.py tasks/**", "", False, ""),
    ("cap", "", "capfile config/deploy.rb config/deploy/**", "", False, ""),
    ("goreleaser", "", ".goreleaser.y*ml goreleaser.y*ml .config/goreleaser.y*ml", "", False, ""),
)
# Programs that send, or build and run, the project's files as they are then: nothing could be pinned.
_OF_THE_TREE = frozenset(
    "fly flyctl vercel now netlify firebase wrangler serverless sls railway surge eb cdk sam pulumi gcloud "
    "copilot".split()
)
_DEPLOYS = frozenset("deploy up publish push submit upload release launch apply --prod --production".split())


def takes_the_tree(program: str, words: list[str]) -> bool:
    """`fly deploy`, `vercel --prod`, `gcloud run deploy x`; not `fly secrets set A=b`."""
    return program in _OF_THE_TREE and (not words or not _DEPLOYS.isdisjoint(words[:3]))
