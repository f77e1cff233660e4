"""A yes is for what a program takes in by itself, too: its words name those files, and it ends when one of them
changes, goes, or comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.model import Decision, Duration
from askfirst.policy.offers import usual
from askfirst.store.allowlist import rules_of
from tests.approval.test_sequences import Place

FILES = {
    "package.json": '{"workspaces": ["sub"], "scripts": {"build": "vite", "deploy": "node scripts/a.js"}}',
    "sub/package.json": '{"name": "other", "scripts": {"build": "x", "deploy": "y"}}',
    "Makefile": "include sub/x.mk\ndeploy:\n\t./ship.sh\nbuild:\n\ttrue\n",
    "sub/Makefile": "build:\n\ttrue\n",
    "sub/x.mk": "build:\n",
    "sub/tox.ini": "x",
    "ship.sh": "#!/bin/sh\n",
    "justfile": "build:\n",
    "main.tf": 'module "a" {\n source = "./modules/a"\n}\nx = file("${path.module}/x.json")\n',
    "modules/a/x.tf": "x",
    "x.json": "{}",
    "infra/main.tf": "y",
    "tfplan": "\0x",
    "k8s/a.yaml": "kind: x\n",
    "k8s/kustomization.yaml": "resources: [a.yaml, ../base]\n",
    "base/kustomization.yaml": "resources: [b.yaml]\n",
    "base/b.yaml": "kind: x\n",
    "chart/Chart.yaml": "name: c\n",
    "chart/templates/a.yaml": "x\n",
    "values.yaml": "a: 1\n",
    "compose.yaml": "services: {web: {build: ./web, env_file: [prod.env]}}\n",
    "web/app.py": "x = 1\n",
    "prod.env": "A=1\n",
    "site.yml": "- hosts: all\n  roles: [one]\n",
    "roles/one/tasks/main.yml": "x\n",
    "Vagrantfile": "x\n",
    "fabfile.py": "x\n",
}
# (what a person said yes to, the file that changes or comes, whether the yes ends)
ROWS = [
    # Other definitions of a runner than those beside it.
    ("npm run build -w sub", "sub/package.json", True),
    ("npm run build --workspace=other", "sub/package.json", True),
    ("npm run build --workspaces", "sub/package.json", True),
    ("npm --prefix sub run build", "sub/package.json", True),
    ("npm run build", "sub/package.json", False),
    ("pnpm --filter other build", "sub/package.json", True),
    ("pnpm -C sub build", "sub/package.json", True),
    ("pnpm -r build", "sub/package.json", True),
    ("yarn workspace other build", "sub/package.json", True),
    ("yarn --cwd sub build", "sub/package.json", True),
    ("bun run --filter other build", "sub/package.json", True),
    ("make -C sub build", "sub/Makefile", True),
    ("make -C sub build", "sub/GNUmakefile", True),
    ("tox -c sub/tox.ini", "sub/tox.ini", True),
    ("make build", "ship.sh", False),
    # What a recipe runs whose name says that it changes more than files.
    ("make deploy", "ship.sh", True),
    ("make deploy", "sub/x.mk", True),
    ("npm run deploy", "scripts/a.js", True),
    ("npm run deploy", "src/app.py", False),
    # Infrastructure.
    ("terraform apply", "main.tf", True),
    ("terraform apply", "new.tf", True),
    ("terraform apply", "x.auto.tfvars", True),
    ("terraform apply", "modules/a/x.tf", True),
    ("terraform apply", "modules/a/new.tf", True),
    ("terraform apply", "x.json", True),
    ("terraform apply", ".terraform/environment", True),
    ("terraform apply", "src/app.py", False),
    ("terraform apply tfplan", "tfplan", True),
    ("terraform -chdir=infra apply", "infra/main.tf", True),
    ("terraform -chdir=infra apply", "infra/new.tf", True),
    ("tofu destroy", "main.tf", True),
    ("kubectl apply -k k8s", "k8s/a.yaml", True),
    ("kubectl apply -k k8s", "base/b.yaml", True),
    ("kubectl apply -f k8s/", "k8s/new.yaml", True),
    ("kubectl apply -Rf k8s/", "k8s/deep/new.yaml", True),
    ("kubectl apply -f k8s/", "src/app.py", False),
    ("kubectl delete pod x", "k8s/a.yaml", False),
    ("kustomize build k8s | kubectl apply -f -", "k8s/a.yaml", True),
    ("cat k8s/*.yaml | kubectl apply -f -", "k8s/a.yaml", True),
    ("cat k8s/*.yaml | kubectl apply -f -", "k8s/new.yaml", True),
    ("cat k8s/*.yaml | kubectl apply -f -", "k8s/notes.md", False),
    ("helm template ./chart | kubectl apply -f -", "chart/templates/a.yaml", True),
    ("helm upgrade x ./chart", "chart/templates/a.yaml", True),
    ("helm upgrade x ./chart", "chart/templates/new.yaml", True),
    ("helm upgrade x ./chart -f values.yaml", "values.yaml", True),
    ("ansible-playbook site.yml", "roles/one/tasks/main.yml", True),
    ("ansible-playbook site.yml", "group_vars/all.yml", True),
    ("ansible-playbook -i inventory.ini site.yml", "group_vars/all.yml", True),
    # Containers. What is built into one, or shown to it, is edited all day.
    ("docker compose up -d", "compose.yaml", True),
    ("docker compose up -d", "compose.override.yaml", True),
    ("docker compose up -d", ".env", True),
    ("docker compose up -d", "prod.env", True),
    ("docker compose up -d", "web/app.py", False),
    ("docker compose -f compose.yaml up", "compose.yaml", True),
    ("docker-compose up", "compose.yaml", True),
    ("cd web && docker compose up", "compose.yaml", True),
    ("docker compose restart web", "compose.yaml", False),
    ("docker compose run web sh", "compose.yaml", True),
    ("podman-compose up", "compose.yaml", True),
    ("vagrant up", "Vagrantfile", True),
    ("fab deploy", "fabfile.py", True),
]


@pytest.fixture
def place(project: Path, home: Path) -> Place:
    found = Place(project, home)
    for name, text in FILES.items():
        write(project, name, text)
    return found


def write(project: Path, name: str, text: str) -> None:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(("text", "name", "ends"), ROWS)
def test_a_yes_is_for_what_the_files_say_now(place: Place, text: str, name: str, ends: bool) -> None:
    found = place.offers(text)
    offer = found[usual(found)]
    assert Duration.SESSION not in offer.refused
    grants, rules = (offer.grant(place.case(text), id="g"),), rules_of(offer.entries, str(place.project))
    assert place.verdict(text, grants).decision == Decision.ALLOW
    assert not rules or place.verdict(text, rules=rules).decision == Decision.ALLOW
    assert not ends or ", while " in offer.words
    changed = '{"scripts": {"build": "evil", "deploy": "evil"}}' if name.endswith("package.json") else "evil\n"
    write(place.project, name, changed)
    after = Decision.ASK if ends else Decision.ALLOW
    assert place.verdict(text, grants).decision == after, offer.words
    assert not rules or place.verdict(text, rules=rules).decision == after, offer.words


# The file is not yet what it will be when the text is judged.
WRITES_FIRST = [
    ("terraform apply", "echo x > new.tf && terraform apply"),
    ("terraform apply", "cp base/b.yaml main.tf; terraform apply"),
    ("terraform apply", "cp -r base/. modules/a && terraform apply"),
    ("kubectl apply -f k8s/", "echo x > k8s/new.yaml; kubectl apply -f k8s/"),
    ("helm upgrade x ./chart", "cp values.yaml chart/templates/ && helm upgrade x ./chart"),
    ("docker compose up -d", "cp base/b.yaml compose.override.yml && docker compose up -d"),
    ("ansible-playbook site.yml", "cp values.yaml roles/one/tasks/more.yml; ansible-playbook site.yml"),
    ("make deploy", "cp run.sh ship.sh && make deploy"),
    ("npm run build -w sub", "cp base/package.json sub/ && npm run build -w sub"),
]


@pytest.mark.parametrize(("first", "then"), WRITES_FIRST)
def test_what_a_text_writes_first_was_not_seen(place: Place, first: str, then: str) -> None:
    for name in ("run.sh", "base/package.json"):
        write(place.project, name, "{}\n")
    for offer in (o for o in place.offers(first) if o.step != "program"):
        assert place.verdict(then, (offer.grant(place.case(first), id="g"),)).decision != Decision.ALLOW, offer.words
    assert all(Duration.SESSION in o.refused for o in place.offers(then) if o.step != "program")


@pytest.mark.parametrize(("first", "then"), [("terraform apply", "cat main.tf > all.txt; terraform apply")])
def test_other_writes_beside_are_none_of_its_files(place: Place, first: str, then: str) -> None:
    assert place.verdict(then, place.approve(first)).decision == Decision.ALLOW


def test_a_workspace_belongs_to_the_yes(place: Place) -> None:
    grants = place.approve("yarn workspace other build")
    assert place.verdict("yarn workspace third build", grants).decision == Decision.ASK
    assert place.verdict("yarn build", grants).decision == Decision.ASK
    assert place.verdict("pnpm -r build x", place.approve("pnpm -r build")).decision == Decision.ALLOW


def test_more_files_than_are_looked_through_are_allowed_once(place: Place) -> None:
    for number in range(1100):
        write(place.project, f"chart/templates/{number}.yaml", "x\n")
    (offer,) = place.offers("helm upgrade x ./chart")
    assert offer.refused[Duration.SESSION].startswith("it takes in more files than askfirst looks through")


SAID = {
    "make deploy": "while Makefile, sub/x.mk and ship.sh are as they are now",
    "npm run build -w sub": "while the scripts of package.json and the scripts of sub/package.json are as they are now",
    "just build": "while justfile is as it is now",
    "kubectl apply -f k8s": "while k8s/a.yaml, k8s/kustomization.yaml, base/b.yaml and base/kustomization.yaml are as "
    "they are now",
    "ansible-playbook site.yml": "while site.yml and roles/one/tasks/main.yml are as they are now",
    "npm --prefix sub run build": "while the scripts of package.json and the scripts of sub/package.json are as they "
    "are now",
}


@pytest.mark.parametrize("text", SAID)
def test_the_files_are_named(place: Place, text: str) -> None:
    assert SAID[text] in place.offers(text)[0].words
