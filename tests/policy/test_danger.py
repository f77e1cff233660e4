"""CONFIRM is typed where something is destroyed, published or deployed, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scorecard import STACKS, Bench

DANGEROUS = """
git push --force
git push origin :main
docker compose down -v
docker compose down --volumes
docker volume rm data
docker system prune -a
docker push app
psql -c 'drop table users'
psql -c 'delete from users'
aws s3 rm s3://bucket/x
kubectl delete pod x
terraform apply
npm publish
vercel --prod
fly secrets unset X
heroku ps:restart status
kubectl delete pod status
ansible-playbook list
terraform init -migrate-state
npx wrangler deploy
kubectl drain status
argocd app delete list
pulumi up
vault kv get secret/x
vercel show
npx supabase db reset
npx firebase-tools deploy
pnpm dlx netlify-cli deploy
npm exec -- aws-cdk destroy
npx now ls
uvx twine upload dist/x
yarn publish
yarn npm publish
bun publish
poetry publish --build
uv publish
gem push x.gem
mvn deploy
dotnet nuget push x
dart pub publish
mix hex.publish
"""
PLAIN = """
git push origin main
docker compose up -d
docker compose down
docker compose exec db sh
docker rm -f web
psql -c 'update users set a = 1'
aws s3 ls
vercel env ls production
gcloud projects list
fly secrets list
firebase projects:list
heroku config:get X
npx supabase start
npx supabase projects list
npx firebase-tools projects:list
npx vercel env ls
dart pub get
poetry publish --dry-run
dotnet nuget list source
vercel logs
vercel dev
wrangler dev
npx wrangler dev
netlify build
firebase emulators:start
terraform plan
terraform init
terragrunt plan
pulumi preview
cdk diff
kubectl diff -f x.yaml
argocd app list
frobnicate
"""


@pytest.mark.parametrize("command", DANGEROUS.strip().splitlines())
def test_what_cannot_be_taken_back_wants_confirm(command: str, tmp_path: Path) -> None:
    assert any(f.danger for f in Bench(tmp_path).judge(command).findings)


@pytest.mark.parametrize("command", PLAIN.strip().splitlines())
@pytest.mark.parametrize("profiles", [(), STACKS], ids=["no profile", "stacks"])
def test_what_looks_or_can_be_undone_does_not(command: str, profiles: tuple[str, ...], tmp_path: Path) -> None:
    assert not any(f.danger for f in Bench(tmp_path, profiles).judge(command).findings)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("vercel --prod", "deploys or publishes"),
        ("vercel env rm KEY production", "deletes"),
        ("vercel domains rm example.com --yes", "deletes"),
        ("vercel env pull .env.local", "secrets among them"),
        ("vercel dns add example.com www CNAME other.example.com", "changes the settings"),
        ("heroku config:set A=b", "changes the settings"),
        ("supabase db reset", "deletes"),
        ("railway up", "deploys or publishes"),
    ],
)
def test_a_platform_says_what_it_does_there(command: str, says: str, tmp_path: Path) -> None:
    (finding,) = (f for f in Bench(tmp_path).judge(command).findings if f.danger)
    assert says in finding.danger and f"({finding.danger})" in finding.reason
