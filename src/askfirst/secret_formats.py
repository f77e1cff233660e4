"""Known formats of secrets: one row each, a name and a pattern. Every quantifier is bounded or runs over one class of characters,
so that matching is linear in the text. Group `v`, where a pattern has one, is the part that is masked; otherwise all of it is."""

from __future__ import annotations

# (name, a literal that must occur for the pattern to be tried at all, pattern)
FORMATS: tuple[tuple[str, str, str], ...] = (
    # clouds
    ("aws-access-key", "A", r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b"),
    ("aws-mws-key", "amzn.mws", r"\bamzn\.mws\.[0-9a-f-]{36}\b"),
    ("google-api-key", "AIza", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("google-oauth-token", "ya29.", r"\bya29\.[0-9A-Za-z_-]{20,2000}"),
    ("google-oauth-secret", "GOCSPX-", r"\bGOCSPX-[0-9A-Za-z_-]{28}"),
    ("azure-storage-key", "AccountKey=", r"AccountKey=(?P<v>[A-Za-z0-9+/]{80,90}={0,2})"),
    ("azure-sas-signature", "sig=", r"[?&]sig=(?P<v>[A-Za-z0-9%+/=]{30,200})"),
    ("azure-client-secret", "Q~", r"\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    ("alibaba-access-key", "LTAI", r"\bLTAI[A-Za-z0-9]{12,24}\b"),
    ("tencent-secret-id", "AKID", r"\bAKID[A-Za-z0-9]{32}\b"),
    ("digitalocean-token", "do", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    ("heroku-key", "HRKU-", r"\bHRKU-[0-9A-Za-z_-]{36,60}"),
    ("fly-token", "fo1_", r"\bfo1_[A-Za-z0-9_-]{40,60}"),
    ("cloudflare-token", "v1.0-", r"\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b"),
    ("vault-token", "hv", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,200}"),
    ("terraform-token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    ("pulumi-token", "pul-", r"\bpul-[a-f0-9]{40}\b"),
    ("doppler-token", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,60}"),
    ("databricks-token", "dapi", r"\bdapi[a-f0-9]{32}(?:-\d)?\b"),
    ("planetscale-token", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
    ("supabase-token", "sb", r"\bsb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20,60})"),
    # forges and registries
    ("github-token", "gh", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    ("github-fine-grained-token", "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{60,100}\b"),
    ("gitlab-token", "gl", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_.-]{20,60}"),
    ("bitbucket-token", "ATBB", r"\bATBB[A-Za-z0-9]{28,32}\b"),
    ("npm-token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{50,1000}"),
    ("rubygems-key", "rubygems_", r"\brubygems_[a-f0-9]{48}\b"),
    ("crates-token", "cio", r"\bcio[A-Za-z0-9]{32}\b"),
    ("docker-token", "dckr_", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,60}"),
    ("jfrog-token", "AKCp", r"\bAKCp[A-Za-z0-9]{60,80}\b"),
    # models
    ("anthropic-key", "sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{20,200}"),
    ("openai-key", "sk-", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}"),
    ("huggingface-token", "hf_", r"\bhf_[A-Za-z0-9]{30,40}\b"),
    ("replicate-token", "r8_", r"\br8_[A-Za-z0-9]{37,40}\b"),
    ("groq-key", "gsk_", r"\bgsk_[A-Za-z0-9]{40,60}\b"),
    ("perplexity-key", "pplx-", r"\bpplx-[A-Za-z0-9]{40,60}\b"),
    ("xai-key", "xai-", r"\bxai-[A-Za-z0-9]{70,90}\b"),
    # payment and commerce
    ("stripe-key", "_", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,120}\b"),
    ("stripe-webhook-secret", "whsec_", r"\bwhsec_[A-Za-z0-9+/]{24,80}"),
    ("square-token", "sq0", r"\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,50}"),
    ("square-access-token", "EAAA", r"\bEAAA[A-Za-z0-9_-]{60}\b"),
    ("paypal-token", "access_token$", r"\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}\b"),
    ("shopify-token", "shp", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    # messages and mail
    ("slack-token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,200}"),
    ("slack-app-token", "xapp-", r"\bxapp-\d-[A-Za-z0-9-]{20,200}"),
    ("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/(?P<v>[A-Za-z0-9/_+-]{20,100})"),
    ("discord-webhook", "/webhooks/", r"discord(?:app)?\.com/api/webhooks/(?P<v>\d{15,20}/[A-Za-z0-9_-]{50,80})"),
    ("discord-token", ".", r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}\b"),
    ("telegram-token", ":", r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("twilio-key", "SK", r"\bSK[a-f0-9]{32}\b"),
    ("sendgrid-key", "SG.", r"\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    ("mailgun-key", "key-", r"\bkey-[a-f0-9]{32}\b"),
    ("mailchimp-key", "-us", r"\b[a-f0-9]{32}-us\d{1,2}\b"),
    ("postmark-or-sentry-dsn", "ingest", r"https://(?P<v>[a-f0-9]{32})@[a-z0-9.]{1,40}ingest"),
    # operations
    ("newrelic-key", "NRAK-", r"\bNRAK-[A-Z0-9]{27}\b"),
    ("grafana-token", "gl", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,200}"),
    ("linear-key", "lin_api_", r"\blin_api_[A-Za-z0-9]{40}\b"),
    ("notion-token", "ntn_", r"\bntn_[A-Za-z0-9]{40,60}\b"),
    ("atlassian-token", "ATATT", r"\bATATT3[A-Za-z0-9_=-]{100,250}"),
    ("figma-token", "figd_", r"\bfigd_[A-Za-z0-9_-]{36,50}"),
    ("postman-key", "PMAK-", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    ("age-secret-key", "AGE-SECRET-KEY-1", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    ("onepassword-token", "ops_", r"\bops_eyJ[A-Za-z0-9_-]{100,1000}"),
    # shapes
    ("private-key", "-----BEGIN", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<v>[^-]{1,20000})"),
    ("jwt", "eyJ", r"\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{4,8000}\.[A-Za-z0-9_-]{4,1000}"),
    (
        "authorization-header",
        "uthorization",
        r"(?i:authorization)[\"']?\s{0,5}[:=]\s{0,5}[\"']?(?:(?i:bearer|basic|token|apikey|digest)\s{1,5})?"
        r"(?P<v>(?!(?i:bearer|basic|token|apikey|digest)\b)[A-Za-z0-9._~+/=:-]{6,4000})",
    ),
    ("bearer-token", "earer", r"\b(?i:bearer)\s{1,5}(?P<v>[A-Za-z0-9._~+/=-]{12,4000})"),
    ("url-password", "://", r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,64}:(?P<v>[^\s/:@\"'<>$]{1,128})@"),
    ("url-token", "://", r"\bhttps?://(?P<v>[A-Za-z0-9_-]{20,200})@"),
)

# (a program must be named in the text, what it is, pattern with group `v`)
OPTIONS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("curl", "wget", "http", "xh "), "password", r"(?<!\S)(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,80}:(?P<v>[^\s\"'$][^\s\"']{0,200})"),
    (("mysql", "mariadb"), "password", r"(?<!\S)-p(?P<v>[^\s\"'-][^\s\"']{2,100})"),
    (("sshpass",), "password", r"(?<!\S)-p\s{0,3}[\"']?(?P<v>[^\s\"']{1,100})"),
    (("redis-cli",), "password", r"(?<!\S)-a\s{1,3}[\"']?(?P<v>[^\s\"']{1,100})"),
    (
        ("-key:", "-token:", "-Key:", "-Token:"),
        "header",
        r"(?i:x-(?:api-key|auth-token|access-token|gitlab-token|vault-token|amz-security-token))[\"']?\s{0,3}:\s{0,3}[\"']?(?P<v>[^\s\"']{6,400})",
    ),
)

# Names whose values are secrets, wherever a value is bound to a name.
SECRET_NAMES = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key",
    "private_key", "private-key", "client_secret", "client-secret", "auth_key", "auth-key", "credential", "credentials", "encryption_key",
    "signing_key", "session_key", "webhook_secret", "master_key", "account_key",
)  # fmt: skip
