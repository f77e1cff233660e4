"""Known formats of secrets, one row each: knowledge for redact.py, which says how the rows are used.

Time stays linear in the text: every row of FORMATS begins with at least three fixed characters, every quantifier is
bounded, and no match begins in the middle of a word. Group `v`, where a pattern has one, is the part that is masked;
otherwise all of it is."""

from __future__ import annotations

_ALNUM, _URL, _HEX = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[a-f0-9]"
_UUID = "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"

# (name, the fixed characters it begins with: one or several, what follows them). No letter, digit or `_` stands before.
FORMATS: tuple[tuple[str, str, str], ...] = (
    # clouds and hosting
    ("aws-access-key", "AKIA ASIA ABIA ACCA AROA AIDA", r"[A-Z0-9]{16}\b"),
    ("aws-session-token", "IQoJb3JpZ2luX2 FwoGZXIvYXdz", r"[A-Za-z0-9+/=]{60,4000}"),
    ("aws-bedrock-key", "ABSK bedrock-api-key-", r"[A-Za-z0-9+/]{90,300}={0,2}"),
    ("aws-mws-key", "amzn.mws.", _UUID),
    ("google-api-key", "AIza", rf"{_URL}{{35}}"),
    ("google-oauth-token", "ya29.", rf"{_URL}{{20,2000}}"),
    ("google-oauth-secret", "GOCSPX-", rf"{_URL}{{28}}"),
    ("google-refresh-token", "1//0", rf"{_URL}{{40,200}}"),
    ("alibaba-access-key", "LTAI", rf"{_ALNUM}{{12,24}}\b"),
    ("tencent-secret-id", "AKID", rf"{_ALNUM}{{32}}\b"),
    ("yandex-key", "AQVN", rf"{_URL}{{35,38}}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"{_HEX}{{64}}\b"),
    ("heroku-key", "HRKU-", rf"{_URL}{{36,60}}"),
    ("fly-token", "fo1_ fm1r_ fm1a_ fm2_", r"[A-Za-z0-9+/=_,-]{40,2000}"),
    ("cloudflare-origin-key", "v1.0-", rf"{_HEX}{{24}}-{_HEX}{{146}}\b"),
    ("scaleway-key", "SCW", r"[A-Z0-9]{17}\b"),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", rf"{_ALNUM}{{24,80}}\b"),
    ("netlify-token", "nfp_ nfc_ nfo_ nfb_", rf"{_ALNUM}{{36,50}}\b"),
    ("render-key", "rnd_", rf"{_ALNUM}{{28,40}}\b"),
    ("akamai-token", "akab-", r"[a-z0-9]{16}-[a-z0-9]{16}"),
    ("pulumi-token", "pul-", rf"{_HEX}{{40}}\b"),
    ("scalingo-token", "tk-us-", rf"{_URL}{{48}}"),
    # secrets managers and identity
    ("vault-token", "hvs. hvb. hvr.", rf"{_URL}{{24,300}}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9._-]{40,60}"),
    ("infisical-token", "st.", rf"{_HEX}{{24}}\.{_HEX}{{32}}\.{_HEX}{{32}}"),
    ("onepassword-token", "ops_eyJ", rf"{_URL}{{100,1000}}"),
    ("onepassword-secret-key", "A3-", r"[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b"),
    ("age-secret-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", r"[0-9A-Z]{58,1600}\b"),
    ("stytch-secret", "secret-live- secret-test-", rf"{_URL}{{30,60}}"),
    ("tailscale-key", "tskey-", r"[a-z]{3,12}-[A-Za-z0-9-]{10,80}"),
    ("docker-swarm-token", "SWMTKN-1- SWMKEY-1-", r"[A-Za-z0-9+/-]{40,90}"),
    ("k3s-token", "K10", rf"{_HEX}{{64}}::[a-z]{{1,12}}:{_HEX}{{32}}"),
    # databases
    ("databricks-token", "dapi dkea dose", rf"{_HEX}{{32}}(?:-\d)?\b"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.-]{32,64}"),
    ("supabase-token", "sbp_", rf"{_HEX}{{40}}\b"),
    ("supabase-secret-key", "sb_secret_", rf"{_URL}{{20,60}}"),
    ("neon-key", "napi_", rf"{_ALNUM}{{40,90}}\b"),
    ("mongodb-atlas-secret", "mdb_sa_sk_", rf"{_URL}{{36,60}}"),
    ("pinecone-key", "pcsk_", rf"{_ALNUM}{{5,8}}_{_ALNUM}{{50,70}}\b"),
    ("cockroach-key", "CCDB1_", rf"{_ALNUM}{{20,24}}_{_ALNUM}{{38,42}}\b"),
    # forges, registries and their runners
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_ALNUM}{{36,255}}\b"),
    ("github-fine-grained-token", "github_pat_", r"[A-Za-z0-9_]{60,100}\b"),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- glwt-",
        r"[A-Za-z0-9_.-]{20,80}",
    ),
    ("gitlab-runner-token", "GR1348941", rf"{_URL}{{20}}"),
    ("bitbucket-token", "ATBB", rf"{_ALNUM}{{28,32}}\b"),
    ("atlassian-token", "ATATT3 ATCTT3 ATSTT3", r"[A-Za-z0-9_=-]{100,250}"),
    ("npm-token", "npm_", rf"{_ALNUM}{{36}}\b"),
    ("pypi-token", "pypi-", rf"{_URL}{{50,1000}}"),
    ("rubygems-key", "rubygems_", rf"{_HEX}{{48}}\b"),
    ("crates-token", "cio", rf"{_ALNUM}{{32}}\b"),
    ("docker-token", "dckr_pat_ dckr_oat_", rf"{_URL}{{27,60}}"),
    ("nuget-key", "oy2", r"[a-z0-9]{43}\b"),
    ("clojars-token", "CLOJARS_", rf"{_HEX}{{60}}\b"),
    ("jfrog-token", "AKCp", rf"{_ALNUM}{{60,80}}\b"),
    ("jfrog-reference-token", "cmVmdGtuOjAx", rf"{_ALNUM}{{40,80}}\b"),
    ("sonar-token", "sqp_ squ_ sqa_", rf"{_HEX}{{40}}\b"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9_]{40,90}\b"),
    ("buildkite-token", "bkua_ bkct_ bkpt_", rf"{_ALNUM}{{36,80}}\b"),
    ("snyk-token", "snyk_uat. snyk_sat.", r"[A-Za-z0-9._-]{20,200}"),
    ("sourcegraph-token", "sgp_ sgd_ slk_", r"[a-f0-9_]{40,90}\b"),
    ("deno-token", "ddp_ ddo_ ddw_", rf"{_ALNUM}{{36,40}}\b"),
    # models and their tools
    ("anthropic-key", "sk-ant-", rf"{_URL}{{20,200}}"),
    ("openai-key", "sk-", rf"(?=[A-Za-z0-9_-]{{0,199}}\d)(?:proj-|svcacct-|admin-|or-v1-|lf-)?{_URL}{{20,200}}"),
    ("huggingface-token", "hf_ api_org_", rf"{_ALNUM}{{30,40}}\b"),
    ("replicate-token", "r8_", rf"{_ALNUM}{{37,40}}\b"),
    ("groq-key", "gsk_", rf"{_ALNUM}{{40,60}}\b"),
    ("cerebras-key", "csk-", r"[a-z0-9]{40,60}\b"),
    ("perplexity-key", "pplx-", rf"{_ALNUM}{{40,60}}\b"),
    ("xai-key", "xai-", rf"{_ALNUM}{{70,90}}\b"),
    ("nvidia-key", "nvapi-", rf"{_URL}{{40,90}}"),
    ("together-key", "tgp_v1_", rf"{_URL}{{36,60}}"),
    ("fireworks-key", "fw_", rf"{_ALNUM}{{22,40}}\b"),
    ("voyage-key", "pa-", rf"{_URL}{{43}}"),
    ("elevenlabs-key", "sk_", rf"{_HEX}{{48}}\b"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", rf"{_HEX}{{32}}_{_HEX}{{10}}\b"),
    ("wandb-key", "wandb_v1_", r"[A-Za-z0-9_]{40,100}\b"),
    ("tavily-key", "tvly-", rf"{_URL}{{28,60}}"),
    ("firecrawl-key", "fc-", rf"{_HEX}{{32}}\b"),
    ("e2b-key", "e2b_", rf"{_HEX}{{40}}\b"),
    ("runpod-key", "rpa_", rf"{_ALNUM}{{40,60}}\b"),
    ("jina-key", "jina_", rf"{_URL}{{50,80}}"),
    ("browserbase-key", "bb_live_", rf"{_URL}{{24,40}}"),
    # payment and commerce
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", rf"{_ALNUM}{{16,120}}\b"),
    ("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/]{24,80}"),
    ("square-token", "sq0atp- sq0csp- sq0idp-", rf"{_URL}{{22,50}}"),
    ("square-access-token", "EAAA", rf"{_URL}{{60}}\b"),
    ("paypal-token", "access_token$production$ access_token$sandbox$", rf"[a-z0-9]{{16}}\${_HEX}{{32}}\b"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", r"[a-fA-F0-9]{32}\b"),
    ("plaid-token", "access-sandbox- access-development- access-production-", _UUID),
    ("flutterwave-key", "FLWSECK_TEST- FLWSECK-", r"[A-Za-z0-9-]{12,50}"),
    ("mercadopago-token", "APP_USR-", r"\d{10,20}-[A-Za-z0-9-]{30,60}"),
    ("mollie-key", "live_ test_", rf"{_ALNUM}{{30}}\b"),
    ("easypost-key", "EZAK EZTK", rf"{_ALNUM}{{54}}\b"),
    ("shippo-token", "shippo_live_ shippo_test_", rf"{_HEX}{{40}}\b"),
    ("duffel-token", "duffel_live_ duffel_test_", rf"{_URL}{{43}}"),
    # messages and mail
    ("slack-token", "xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xwfp-", r"[A-Za-z0-9.%/+-]{10,300}"),
    ("slack-app-token", "xapp-", r"\d-[A-Za-z0-9-]{20,200}"),
    ("twilio-key", "SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf", rf"{_HEX}{{31}}\b"),
    ("sendgrid-key", "SG.", rf"{_URL}{{20,24}}\.{_URL}{{39,50}}"),
    ("brevo-key", "xkeysib- xsmtpsib-", rf"{_HEX}{{64}}-{_ALNUM}{{16}}\b"),
    ("mailgun-key", "key- pubkey-", rf"{_HEX}{{32}}\b"),
    ("resend-key", "re_", rf"{_ALNUM}{{8}}_{_ALNUM}{{20,28}}\b"),
    ("intercom-token", "dG9rO", r"[A-Za-z0-9+/]{50,60}={0,2}"),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", _UUID),
    # operations and offices
    ("newrelic-key", "NRAK- NRII- NRIQ- NRRA-", rf"{_URL}{{27,42}}"),
    ("grafana-token", "glsa_ glc_", r"[A-Za-z0-9+/=_]{32,400}"),
    ("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{60,400}"),
    ("honeycomb-key", "hcaik_ hcbik_ hccik_ hcxik_ hcamk_", r"[a-z0-9]{58}"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{64}\b"),
    ("launchdarkly-key", "sdk- api- rel-", _UUID),
    ("posthog-key", "phx_ phs_", rf"{_ALNUM}{{40,60}}\b"),
    ("prefect-key", "pnu_ pnb_", rf"{_ALNUM}{{36}}\b"),
    ("linear-key", "lin_api_ lin_oauth_ lin_wh_", rf"{_ALNUM}{{32,70}}\b"),
    ("notion-token", "ntn_ secret_", rf"{_ALNUM}{{40,60}}\b"),
    ("figma-token", "figd_ figu_ figo_ figh_", rf"{_URL}{{36,50}}"),
    ("postman-key", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}\b"),
    ("airtable-token", "pat", rf"{_ALNUM}{{14}}\.{_HEX}{{64}}\b"),
    ("clickup-token", "pk_", r"\d{6,10}_[A-Z0-9]{32}\b"),
    ("dropbox-token", "sl.", rf"{_URL}{{130,1500}}"),
    ("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{59}"),
    ("contentful-token", "CFPAT-", rf"{_URL}{{43}}"),
    ("trello-token", "ATTA", rf"{_HEX}{{64}}"),
    ("readme-key", "rdme_", r"[a-z0-9]{70}\b"),
    ("frameio-token", "fio-u-", rf"{_URL}{{64}}"),
    ("mapbox-secret-token", "sk.eyJ", rf"{_URL}{{20,400}}\.{_URL}{{20,30}}"),
    ("jwt", "eyJ", rf"{_URL}{{10,4000}}\.eyJ{_URL}{{4,8000}}\.{_URL}{{4,1000}}"),
    ("bip32-private-key", "xprv", r"[1-9A-HJ-NP-Za-km-z]{100,112}\b"),
    # The base64 of `-----BEGIN … PRIVATE KEY`, as it stands in kubeconfigs and CI variables.
    (
        "private-key",
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFW LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRV LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFW "
        "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFUR",
        r"[A-Za-z0-9+/\n]{40,20000}={0,2}",
    ),
)

# (name, fixed characters that stand in it, the whole pattern, which begins with fixed characters where it can).
# Searched only in texts that have those characters.
SHAPES: tuple[tuple[str, str, str], ...] = (
    ("azure-storage-key", "AccountKey=", r"AccountKey=(?P<v>[A-Za-z0-9+/]{80,90}={0,2})"),
    ("azure-shared-key", "SharedAccessKey=", r"SharedAccessKey=(?P<v>[A-Za-z0-9+/]{40,90}={0,2})"),
    ("azure-sas-signature", "sig=", r"(?:[?&])sig=(?P<v>[A-Za-z0-9%+/=]{30,200})"),
    ("azure-client-secret", "Q~", r"(?:[A-Za-z0-9_~.]{3}\d)Q~[A-Za-z0-9_~.-]{31,34}"),
    ("azure-key", "JQQJ99", r"\b[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}\b"),
    ("terraform-token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    (
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v>[A-Za-z0-9/_+-]{20,100})",
    ),
    ("discord-webhook", "/webhooks/", r"/webhooks/(?P<v>\d{15,20}/[A-Za-z0-9_-]{50,80})"),
    ("teams-webhook", "webhook.office.com", r"webhook\.office\.com/webhookb2/(?P<v>[A-Za-z0-9@/-]{40,300})"),
    ("zapier-webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/(?P<v>\d{1,12}/[A-Za-z0-9]{5,20})"),
    (
        "discord-token",  # its first part is the user's number
        ".",
        r"\.(?:(?<=[MNO][A-Za-z0-9_-]{23}\.)|(?<=[MNO][A-Za-z0-9_-]{25}\.))"
        r"(?P<v>[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?![A-Za-z0-9_.-])",
    ),
    ("telegram-token", ":AA", r":AA(?<=\d{8}:AA)[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])"),
    ("mailchimp-key", "-us", r"-us(?<=[a-f0-9]{32}-us)\d{1,2}\b"),
    ("sentry-dsn", "ingest", r"https://(?P<v>[a-f0-9]{32})(?::[a-f0-9]{32})?@[a-z0-9.]{1,40}ingest"),
    ("okta-token", "SSWS ", r"SSWS (?P<v>[A-Za-z0-9_-]{30,60})"),
    ("private-key", "-----BEGIN", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<v>[^-]{1,20000})"),
    ("private-key", "Private-Lines:", r"Private-Lines: \d{1,3}\s{1,2}(?P<v>[A-Za-z0-9+/=\s]{20,4000})"),
    (
        "authorization-header",
        "uthorization",
        r"uthorization[\"']?\s{0,5}[:=]\s{0,5}[\"']?(?:(?i:bearer|basic|token|apikey|digest)\s{1,5})?"
        r"(?P<v>(?!(?i:bearer|basic|token|apikey|digest)\b)[A-Za-z0-9._~+/=:-]{6,4000})",
    ),
    ("bearer-token", "earer ", r"earer\s{1,5}(?P<v>[A-Za-z0-9._~+/=-]{12,4000})"),
    ("key", "_KEY=", r"_KEY=[\"']?(?P<v>(?=[^\s\"']{0,100}\d)[^\s\"'$<{][^\s\"']{11,400})"),
    ("token", "_PAT=", r"_PAT=[\"']?(?P<v>[^\s\"'$<{][^\s\"']{7,400})"),
    ("cookie", "ookie: ", r"ookie: (?P<v>[A-Za-z0-9_.-]{1,60}=[^\s\"'$][^\n\"'$]{7,4000})"),
    ("url-password", "://", r"://[^\s/:@\"'<>]{0,64}:(?P<v>[^\s/:@\"'<>$]{1,128})@"),
    ("url-token", "://", r"://(?<=http://|ttps://)(?P<v>[A-Za-z0-9_-]{20,200})@"),
)

# (a program must be named in the text, what it is, pattern with group `v`)
OPTIONS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("curl", "wget", "http ", "https ", "xh "),
        "password",
        r"(?<!\S)(?:-u|--user|-U|--proxy-user)[ =]?[\"']?[^\s:\"']{1,80}:(?P<v>[^\s\"'$][^\s\"']{0,200})",
    ),
    (("curl",), "cookie", r"(?<!\S)(?:-b|--cookie)[ =]?[\"']?[^\s=\"']{1,60}=(?P<v>[^\s\"'$][^\s\"']{5,1000})"),
    (
        ("password-stdin", "sudo -S", "passwd --stdin"),
        "password",
        r"(?:echo|printf)\s{1,3}(?:-\w\s{1,3})?[\"']?(?P<v>[^\s\"'$|]{1,400})[\"']?\s{0,3}\|",
    ),
    (("mysql", "mariadb"), "password", r"(?<!\S)-p(?P<v>[^\s\"'$-][^\s\"']{2,100})"),
    (("mysql", "mariadb"), "password", r"(?<!\S)-p[\"'](?P<v>[^\s\"'$]{1,100})"),
    (
        ("sshpass", "docker login", "podman login", "twine", "mongo", "mongosh", "az login"),
        "password",
        r"(?<!\S)-p\s{0,3}[\"']?(?P<v>[^\s\"'$]{1,400})",
    ),
    (("redis-cli", "REDISCLI"), "password", r"(?<!\S)-a\s{1,3}[\"']?(?P<v>[^\s\"'$]{1,100})"),
    (("sqlcmd", "unzip", "zip "), "password", r"(?<!\S)-P\s{0,3}[\"']?(?P<v>[^\s\"'$]{1,100})"),
    (("7z ", "7za ", "rar "), "password", r"(?<!\S)-p[\"']?(?P<v>[^\s\"'$]{1,100})"),
    (
        ("ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami"),
        "password",
        r"(?<!\S)-w\s{1,3}[\"']?(?P<v>[^\s\"'$]{1,100})",
    ),
    (("smbclient", "rpcclient"), "password", r"(?<!\S)-U\s{0,3}[\"']?[^\s%\"']{1,80}%(?P<v>[^\s\"'$]{1,100})"),
    (("openssl",), "password", r"(?<!\S)-pass(?:in|out)?\s{1,3}[\"']?pass:(?P<v>[^\s\"'$]{1,100})"),
    (
        ("htpasswd",),
        "password",
        r"htpasswd\s{1,3}-[A-Za-z]{0,6}b[A-Za-z]{0,6}\s{1,3}(?:\S{1,200}\s{1,3})?\S{1,80}\s{1,3}[\"']?(?P<v>[^\s\"'$]{1,100})",
    ),
    (
        ("chpasswd",),
        "password",
        r"(?:echo|printf)\s{1,3}(?:-\w\s{1,3})?[\"']?[a-z_][a-z0-9_-]{0,31}:(?P<v>[^\s\"'$]{1,100})",
    ),
    (
        ("keytool", "jarsigner"),
        "password",
        r"(?<!\S)-(?:store|key|src|dest|srcstore|deststore)pass\s{1,3}[\"']?(?P<v>[^\s\"'$]{1,100})",
    ),
    (("machine ",), "password", r"\bpassword\s{1,5}(?P<v>[^\s\"'$]{1,200})"),
    ((".pgpass",), "password", r":\d{1,5}:[^\s:]{1,80}:[^\s:]{1,80}:(?P<v>[^\s\"'$]{1,100})"),
    (
        ("configure set ", "config set "),
        "setting",
        r"config(?:ure)? set\s{1,3}(?:-\S{1,40}\s{1,3})*[^\s=]{0,80}(?i:secret|token|password|key|_auth)"
        r"[^\s=]{0,40}[\s=]{1,3}[\"']?(?P<v>[^\s\"'$-][^\s\"']{5,400})",
    ),
    (
        ("gh secret set", "wrangler secret", "gh variable set"),
        "secret",
        r"(?<!\S)(?:-b|--body)[ =]{1,3}[\"']?(?P<v>[^\s\"'$]{1,400})",
    ),
    (("oauth2-bearer",), "bearer-token", r"--oauth2-bearer[ =]{1,3}[\"']?(?P<v>[^\s\"'$]{6,4000})"),
    (
        ("-key:", "-token:", "-Key:", "-Token:", "-TOKEN:", "-KEY:"),
        "header",
        r"(?i:x-(?:api-key|auth-token|access-token|gitlab-token|vault-token|amz-security-token|goog-api-key)|private-token|job-token|"
        r"deploy-token|subscription-key|dd-api-key|api-key)[\"']?\s{0,3}:\s{0,3}[\"']?(?P<v>[^\s\"'$]{6,400})",
    ),
)

# Names whose values are secrets, wherever a value is bound to a name.
CREDENTIAL_NAMES = tuple(
    (
        "password passwd passphrase passcode pwd secret token api_key apikey api-key access_key accesskey access-key "
        "private_key private-key client_secret client-secret auth_key auth-key credential credentials encryption_key "
        "encryption-key signing_key signing-key session_key webhook_secret master_key master-key account_key "
        "account-key secret_key secret-key service_key license_key storage_key deploy_key "
    ).split()
)
