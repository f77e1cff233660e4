-- askfirst: a team's approvals on PostgreSQL 13 or later. `askfirst team init` shows and applies this file; each part
-- below a `-- @version` line is one migration, applied once, in one transaction, by whoever may create roles and schemas.
--
-- Four groups; a login belongs to one of them:
--
--   askfirst_hook       asks, and closes its own requests. Cannot approve anything, not even its own early expiry.
--   askfirst_approver   reads requests, and answers them with decide().
--   askfirst_auditor    reads everything.
--   askfirst_admin      says which login is which person, and pushes the organisation's rules.
--
-- No group may write a table. Everything that changes is a SECURITY DEFINER function of askfirst_owner, which is no
-- login and owns nothing else; each has its search_path fixed, and who called it is session_user, which SET ROLE does
-- not change. Times are the database's own. Every change adds a line to `log`, whose lines are bound to each other by
-- SHA-256, in the same transaction.

-- @version 1

DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['askfirst_owner', 'askfirst_hook', 'askfirst_approver', 'askfirst_auditor', 'askfirst_admin']
    LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        END IF;
    END LOOP;
    EXECUTE format('GRANT askfirst_owner TO %I', current_user);
END
$$;

CREATE SCHEMA askfirst AUTHORIZATION askfirst_owner;
SET LOCAL ROLE askfirst_owner;
REVOKE ALL ON SCHEMA askfirst FROM PUBLIC;
GRANT USAGE ON SCHEMA askfirst TO askfirst_hook, askfirst_approver, askfirst_auditor, askfirst_admin;
ALTER DEFAULT PRIVILEGES IN SCHEMA askfirst REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

CREATE TABLE askfirst.meta (
    version integer NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A person may have several logins: the machine's, where agents ask, and their own, with which they answer.
CREATE TABLE askfirst.member (
    login name PRIMARY KEY,
    person text NOT NULL CHECK (person ~ '^[A-Za-z0-9._@-]{1,64}$')
);

CREATE TABLE askfirst.request (
    id text PRIMARY KEY CHECK (id ~ '^[0-9a-z]{26}$'),
    digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
    card text NOT NULL CHECK (octet_length(card) <= 1048576),  -- what people are shown, redacted by the asking machine
    kinds text[] NOT NULL CHECK (cardinality(kinds) BETWEEN 1 AND 3 AND kinds <@ ARRAY['danger', 'publish', 'default']),
    approvals integer NOT NULL CHECK (approvals BETWEEN 1 AND 5),
    may jsonb NOT NULL,        -- kind -> persons; `*` everybody, `!name` all the same not this one
    self_ok boolean NOT NULL,  -- the asker's own person may answer
    local_ok boolean NOT NULL, -- an answer on the asking machine counts
    machine text NOT NULL CHECK (length(machine) BETWEEN 8 AND 64),
    host text NOT NULL,
    project text NOT NULL,
    agent text NOT NULL,
    session text NOT NULL,
    labels text[] NOT NULL DEFAULT '{}',
    asked_by name NOT NULL,
    asker text NOT NULL,
    created timestamptz NOT NULL,
    expires timestamptz NOT NULL CHECK (expires <= created + interval '31 minutes'),
    state text NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'allowed', 'denied', 'expired', 'withdrawn', 'local')),
    ended timestamptz,
    ended_by text NOT NULL DEFAULT '',
    said text NOT NULL DEFAULT '',
    claim text NOT NULL DEFAULT '',  -- of the asking machine: by it a repeated call knows its own first one
    taken timestamptz,               -- when the asking machine had the answer
    taken_as text NOT NULL DEFAULT ''
);
CREATE INDEX request_waiting ON askfirst.request (asked_by, machine) WHERE state = 'waiting';
CREATE INDEX request_created ON askfirst.request (created);

CREATE TABLE askfirst.answer (
    request text NOT NULL REFERENCES askfirst.request,
    person text NOT NULL,
    login name NOT NULL,
    verdict text NOT NULL CHECK (verdict IN ('allow', 'deny')),
    body text NOT NULL CHECK (octet_length(body) <= 65536),        -- what was signed
    signature text NOT NULL CHECK (octet_length(signature) <= 16384), -- of `ssh-keygen -Y sign`; '' where unsigned
    at timestamptz NOT NULL,
    PRIMARY KEY (request, person)
);

-- Who did what, each line bound to the one before.
CREATE TABLE askfirst.log (
    seq bigint PRIMARY KEY,
    at timestamptz NOT NULL,
    what text NOT NULL,
    request text NOT NULL,
    digest text NOT NULL,
    login name NOT NULL,
    person text NOT NULL,
    detail text NOT NULL,
    prev text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE askfirst.head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq bigint NOT NULL,
    hash text NOT NULL
);
INSERT INTO askfirst.head (seq, hash) VALUES (0, repeat('0', 64));

-- Events that a machine sends afterwards: each once, however often it is sent.
CREATE TABLE askfirst.told (
    id text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{32}$')
);

-- Who is there at present: relays, and people who watch.
CREATE TABLE askfirst.presence (
    login name NOT NULL,
    kind text NOT NULL CHECK (kind IN ('relay', 'watch', 'page')),
    host text NOT NULL,
    seen timestamptz NOT NULL,
    PRIMARY KEY (login, kind, host)
);

CREATE FUNCTION askfirst.part(given text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS
$$ SELECT octet_length(given) || ':' || given || ',' $$;

CREATE FUNCTION askfirst.note(what text, request text, digest text, person text, detail text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    last askfirst.head%ROWTYPE;
    at_ timestamptz;
    hash_ text;
BEGIN
    SELECT * INTO STRICT last FROM askfirst.head FOR UPDATE;  -- one line after the other
    at_ := clock_timestamp();
    hash_ := encode(sha256(convert_to('askfirst-team-1' || chr(10)
        || askfirst.part((last.seq + 1)::text)
        || askfirst.part(to_char(at_ AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
        || askfirst.part(what) || askfirst.part(request) || askfirst.part(digest)
        || askfirst.part(session_user::text) || askfirst.part(person) || askfirst.part(detail)
        || askfirst.part(last.hash), 'UTF8')), 'hex');
    INSERT INTO askfirst.log VALUES (last.seq + 1, at_, what, request, digest, session_user, person, detail, last.hash, hash_);
    UPDATE askfirst.head SET seq = last.seq + 1, hash = hash_;
END
$$;

CREATE FUNCTION askfirst.caller() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    found text;
BEGIN
    SELECT person INTO found FROM askfirst.member WHERE login = session_user;
    IF found IS NULL THEN
        RAISE EXCEPTION 'the login % is not enrolled; an administrator runs: askfirst team member % --person NAME',
            session_user, session_user USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN found;
END
$$;

CREATE FUNCTION askfirst.whoami() RETURNS TABLE (login name, person text, groups text[], seq bigint, hash text, now timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
    SELECT session_user, coalesce((SELECT m.person FROM askfirst.member m WHERE m.login = session_user), ''),
        ARRAY(SELECT g FROM unnest(ARRAY['askfirst_hook', 'askfirst_approver', 'askfirst_auditor', 'askfirst_admin']) g
              WHERE pg_has_role(session_user, g, 'MEMBER')),
        h.seq, h.hash, clock_timestamp()
    FROM askfirst.head h
$$;

-- Whether the log still has a line that somebody has seen: not after a fail-over to a copy that was behind.
CREATE FUNCTION askfirst.has(seen_seq bigint, seen_hash text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$ SELECT seen_seq = 0 OR EXISTS (SELECT FROM askfirst.log l WHERE l.seq = seen_seq AND l.hash = seen_hash) $$;

CREATE FUNCTION askfirst.enrol(wanted_login name, wanted_person text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
BEGIN
    INSERT INTO askfirst.member VALUES (wanted_login, wanted_person)
        ON CONFLICT (login) DO UPDATE SET person = excluded.person;
    PERFORM askfirst.note('member', '', '', '', wanted_login || ' is ' || wanted_person);
END
$$;

-- The asking side

CREATE FUNCTION askfirst.submit(
    new_id text, new_digest text, new_card text, new_kinds text[], new_approvals integer, new_may jsonb,
    new_self_ok boolean, new_local_ok boolean, new_machine text, new_host text, new_project text, new_agent text,
    new_session text, new_labels text[], wait_s integer
) RETURNS TABLE (state text, left_s double precision, asker text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
    at_ timestamptz := clock_timestamp();
    there askfirst.request%ROWTYPE;
BEGIN
    IF wait_s NOT BETWEEN 1 AND 1860 THEN
        RAISE EXCEPTION 'a request waits 1 to 1860 seconds, not %', wait_s;
    END IF;
    IF (SELECT count(*) FROM askfirst.request r
        WHERE r.asked_by = session_user AND r.state = 'waiting' AND r.expires > at_) >= 2000 THEN
        RAISE EXCEPTION 'too many requests of % wait already', session_user;
    END IF;
    INSERT INTO askfirst.request (id, digest, card, kinds, approvals, may, self_ok, local_ok, machine, host, project,
            agent, session, labels, asked_by, asker, created, expires)
        VALUES (new_id, new_digest, new_card, new_kinds, new_approvals, new_may, new_self_ok, new_local_ok, new_machine,
            new_host, new_project, new_agent, new_session, new_labels, session_user, who, at_, at_ + make_interval(secs => wait_s))
        ON CONFLICT (id) DO NOTHING;
    IF FOUND THEN
        PERFORM askfirst.note('asked', new_id, new_digest, who, new_host || ' ' || array_to_string(new_kinds, ','));
        PERFORM pg_notify('askfirst_requests', new_id);
    END IF;
    SELECT * INTO STRICT there FROM askfirst.request r WHERE r.id = new_id;
    IF (there.asked_by, there.digest, there.card) IS DISTINCT FROM (session_user::name, new_digest, new_card) THEN
        RAISE EXCEPTION 'another request has the id %', new_id USING ERRCODE = 'unique_violation';
    END IF;
    RETURN QUERY SELECT there.state, extract(epoch FROM there.expires - at_)::double precision, there.asker;
END
$$;

CREATE FUNCTION askfirst.answers_to(ids text[]) RETURNS TABLE (
    id text, state text, left_s double precision, asker text, ended_by text, said text, answers jsonb
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
    SELECT r.id,
        CASE WHEN r.state = 'waiting' AND r.expires <= clock_timestamp() THEN 'expired' ELSE r.state END,
        extract(epoch FROM r.expires - clock_timestamp())::double precision, r.asker, r.ended_by, r.said,
        coalesce((SELECT jsonb_agg(jsonb_build_object('person', a.person, 'login', a.login, 'verdict', a.verdict,
                'body', a.body, 'signature', a.signature) ORDER BY a.at)
            FROM askfirst.answer a WHERE a.request = r.id), '[]'::jsonb)
    FROM askfirst.request r WHERE r.id = ANY (ids) AND r.asked_by = session_user
$$;

-- What waits here for a machine, so that it can close what it no longer asks.
CREATE FUNCTION askfirst.waiting_for(of_machine text) RETURNS TABLE (id text, digest text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
    SELECT r.id, r.digest FROM askfirst.request r
    WHERE r.asked_by = session_user AND r.machine = of_machine AND r.state = 'waiting' AND r.expires > clock_timestamp()
$$;

-- The asking machine ends its own request: time, a dead client, or a person at that machine, where that counts. It
-- never makes an approval: `local` says that the machine answered itself, and is refused where it may not.
CREATE FUNCTION askfirst.close(of_id text, of_digest text, outcome text, words text, own_claim text)
RETURNS TABLE (state text, ended_by text, said text, is_own boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
    there askfirst.request%ROWTYPE;
BEGIN
    IF outcome NOT IN ('withdrawn', 'expired', 'denied', 'local') THEN
        RAISE EXCEPTION 'a request is withdrawn, expired, denied or answered locally, not %', outcome;
    END IF;
    SELECT * INTO there FROM askfirst.request r
        WHERE r.id = of_id AND r.digest = of_digest AND r.asked_by = session_user FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no request % of this login', of_id USING ERRCODE = 'no_data_found';
    END IF;
    IF there.state = 'waiting' THEN
        IF outcome = 'local' AND NOT there.local_ok THEN
            RAISE EXCEPTION 'this request needs another person' USING ERRCODE = 'insufficient_privilege';
        END IF;
        IF outcome = 'expired' AND there.expires > clock_timestamp() + interval '5 seconds' THEN
            outcome := 'withdrawn';
        END IF;
        UPDATE askfirst.request r SET state = outcome, ended = clock_timestamp(), ended_by = who || ' on ' || r.host,
                said = words, claim = own_claim
            WHERE r.id = of_id RETURNING * INTO there;
        PERFORM askfirst.note(outcome, of_id, of_digest, who, words);
        PERFORM pg_notify('askfirst_answers', of_id);
    END IF;
    RETURN QUERY SELECT there.state, there.ended_by, there.said, there.claim = own_claim AND own_claim <> '';
END
$$;

-- The asking machine has an answer, and what it made of it.
CREATE FUNCTION askfirst.take(of_id text, outcome text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
BEGIN
    UPDATE askfirst.request r SET taken = clock_timestamp(), taken_as = left(outcome, 400)
        WHERE r.id = of_id AND r.asked_by = session_user AND r.taken IS NULL AND r.state <> 'waiting';
    IF FOUND THEN
        PERFORM askfirst.note('taken', of_id, '', who, left(outcome, 400));
        PERFORM pg_notify('askfirst_answers', of_id);
    END IF;
END
$$;

-- Something that happened while the database was away. An event, never a decision.
CREATE FUNCTION askfirst.tell(event text, of_id text, of_digest text, words text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
BEGIN
    INSERT INTO askfirst.told VALUES (event) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM askfirst.note('told', left(of_id, 26), left(of_digest, 64), who, left(words, 1000));
    END IF;
END
$$;

CREATE FUNCTION askfirst.here(as_kind text, at_host text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
BEGIN
    IF (as_kind = 'relay') <> pg_has_role(session_user, 'askfirst_hook', 'MEMBER') THEN
        RAISE EXCEPTION '% is not for this login', as_kind USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO askfirst.presence VALUES (session_user, as_kind, left(at_host, 200), clock_timestamp())
        ON CONFLICT (login, kind, host) DO UPDATE SET seen = excluded.seen;
END
$$;

-- The answering side

CREATE FUNCTION askfirst.is_among(who text, listed jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS
$$ SELECT coalesce(listed ? who OR (listed ? '*' AND NOT listed ? ('!' || who)), false) $$;

CREATE FUNCTION askfirst.decide(of_id text, of_digest text, verdict text, body text, signature text)
RETURNS TABLE (state text, ended_by text, said text, given integer, approvals integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
    there askfirst.request%ROWTYPE;
    people text[];
    open_kinds text[];
BEGIN
    IF pg_has_role(session_user, 'askfirst_hook', 'MEMBER') THEN
        RAISE EXCEPTION 'a login that asks cannot answer: %', session_user USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF verdict NOT IN ('allow', 'deny') THEN
        RAISE EXCEPTION 'an answer allows or denies';
    END IF;
    SELECT * INTO there FROM askfirst.request r WHERE r.id = of_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no request %', of_id USING ERRCODE = 'no_data_found';
    END IF;
    IF there.digest <> of_digest THEN
        RAISE EXCEPTION 'the request is not the one that was shown';
    END IF;
    IF there.state = 'waiting' AND there.expires <= clock_timestamp() THEN
        UPDATE askfirst.request r SET state = 'expired', ended = clock_timestamp() WHERE r.id = of_id RETURNING * INTO there;
        PERFORM askfirst.note('expired', of_id, of_digest, who, '');
    ELSIF there.state = 'waiting' THEN
        IF verdict = 'allow' THEN
            IF who = there.asker AND NOT there.self_ok THEN
                RAISE EXCEPTION '% asked this and may not allow it', who USING ERRCODE = 'insufficient_privilege';
            END IF;
            IF NOT EXISTS (SELECT FROM unnest(there.kinds) k WHERE askfirst.is_among(who, there.may -> k)) THEN
                RAISE EXCEPTION '% may not allow this: it is for %', who, there.may USING ERRCODE = 'insufficient_privilege';
            END IF;
        END IF;
        INSERT INTO askfirst.answer VALUES (of_id, who, session_user, verdict, body, signature, clock_timestamp())
            ON CONFLICT ON CONSTRAINT answer_pkey DO UPDATE
            SET verdict = excluded.verdict, body = excluded.body, signature = excluded.signature, at = excluded.at,
                login = excluded.login;
        SELECT array_agg(a.person) INTO people FROM askfirst.answer a WHERE a.request = of_id AND a.verdict = 'allow';
        SELECT array_agg(k) INTO open_kinds FROM unnest(there.kinds) k
            WHERE NOT EXISTS (SELECT FROM unnest(people) p WHERE askfirst.is_among(p, there.may -> k));
        PERFORM askfirst.note(verdict, of_id, of_digest, who,
            encode(sha256(convert_to(body, 'UTF8')), 'hex') || CASE WHEN signature = '' THEN ' unsigned' ELSE '' END);
        IF verdict = 'deny' THEN
            UPDATE askfirst.request r SET state = 'denied', ended = clock_timestamp(), ended_by = who
                WHERE r.id = of_id RETURNING * INTO there;
        ELSIF cardinality(people) >= there.approvals AND open_kinds IS NULL THEN
            UPDATE askfirst.request r SET state = 'allowed', ended = clock_timestamp(), ended_by = array_to_string(people, ' and ')
                WHERE r.id = of_id RETURNING * INTO there;
        END IF;
        IF there.state <> 'waiting' THEN
            PERFORM askfirst.note('decided', of_id, of_digest, who, there.state);
        END IF;
        PERFORM pg_notify('askfirst_answers', of_id);
        RETURN QUERY SELECT there.state, there.ended_by, there.said, coalesce(cardinality(people), 0), there.approvals;
        RETURN;
    END IF;
    -- Somebody, or time, was first: said in the same words to everybody, and nothing changes.
    RETURN QUERY SELECT 'was ' || there.state, there.ended_by, there.said, 0, there.approvals;
END
$$;

-- Row security: a machine sees what it asked; people and auditors see all of it.
ALTER TABLE askfirst.request ENABLE ROW LEVEL SECURITY;
ALTER TABLE askfirst.answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE askfirst.log ENABLE ROW LEVEL SECURITY;
ALTER TABLE askfirst.presence ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON askfirst.request FOR SELECT TO askfirst_hook USING (asked_by = session_user);
CREATE POLICY people ON askfirst.request FOR SELECT TO askfirst_approver, askfirst_auditor, askfirst_admin USING (true);
CREATE POLICY own ON askfirst.answer FOR SELECT TO askfirst_hook
    USING (EXISTS (SELECT FROM askfirst.request r WHERE r.id = request AND r.asked_by = session_user));
CREATE POLICY people ON askfirst.answer FOR SELECT TO askfirst_approver, askfirst_auditor, askfirst_admin USING (true);
CREATE POLICY people ON askfirst.log FOR SELECT TO askfirst_approver, askfirst_auditor, askfirst_admin USING (true);
CREATE POLICY everybody ON askfirst.presence FOR SELECT USING (true);

GRANT SELECT ON askfirst.request, askfirst.answer, askfirst.presence TO askfirst_hook;
GRANT SELECT ON askfirst.request, askfirst.answer, askfirst.log, askfirst.presence, askfirst.member
    TO askfirst_approver, askfirst_auditor, askfirst_admin;
GRANT SELECT ON askfirst.meta TO askfirst_hook, askfirst_approver, askfirst_auditor, askfirst_admin;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA askfirst FROM PUBLIC;
GRANT EXECUTE ON FUNCTION askfirst.whoami(), askfirst.has(bigint, text)
    TO askfirst_hook, askfirst_approver, askfirst_auditor, askfirst_admin;
GRANT EXECUTE ON FUNCTION askfirst.submit(text, text, text, text[], integer, jsonb, boolean, boolean, text, text, text,
    text, text, text[], integer), askfirst.answers_to(text[]), askfirst.waiting_for(text),
    askfirst.close(text, text, text, text, text), askfirst.take(text, text), askfirst.tell(text, text, text, text)
    TO askfirst_hook;
GRANT EXECUTE ON FUNCTION askfirst.here(text, text) TO askfirst_hook, askfirst_approver;
GRANT EXECUTE ON FUNCTION askfirst.decide(text, text, text, text, text) TO askfirst_approver;
GRANT EXECUTE ON FUNCTION askfirst.enrol(name, text) TO askfirst_admin;

-- @version 2

SET LOCAL ROLE askfirst_owner;

-- The organisation's file, every version of it.
CREATE TABLE askfirst.policy (
    version integer PRIMARY KEY,
    at timestamptz NOT NULL,
    login name NOT NULL,
    person text NOT NULL,
    content text NOT NULL CHECK (octet_length(content) <= 65536),
    sha256 text NOT NULL,
    signature text NOT NULL,
    words text NOT NULL
);

-- The heads of the machines' own logs: one that lacks a head it once had was cut off.
CREATE TABLE askfirst.anchor (
    login name NOT NULL,
    machine text NOT NULL,
    host text NOT NULL,
    seq bigint NOT NULL,
    head text NOT NULL CHECK (head ~ '^[0-9a-f]{64}$'),
    at timestamptz NOT NULL,
    PRIMARY KEY (login, machine, seq, head)
);

CREATE FUNCTION askfirst.push(based_on integer, new_content text, new_signature text, new_words text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
    last integer;
BEGIN
    LOCK TABLE askfirst.policy IN EXCLUSIVE MODE;
    SELECT coalesce(max(version), 0) INTO last FROM askfirst.policy;
    IF last <> based_on THEN
        RAISE EXCEPTION 'version % was pushed meanwhile, not %; look at it with: askfirst team policy diff', last, based_on;
    END IF;
    INSERT INTO askfirst.policy VALUES (last + 1, clock_timestamp(), session_user, who, new_content,
        encode(sha256(convert_to(new_content, 'UTF8')), 'hex'), new_signature, left(new_words, 400));
    PERFORM askfirst.note('policy', '', encode(sha256(convert_to(new_content, 'UTF8')), 'hex'), who, 'version ' || last + 1);
    PERFORM pg_notify('askfirst_policy', (last + 1)::text);
    RETURN last + 1;
END
$$;

CREATE FUNCTION askfirst.anchor(of_machine text, of_host text, new_seq bigint, new_head text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
DECLARE
    who text := askfirst.caller();
    last bigint;
BEGIN
    SELECT max(seq) INTO last FROM askfirst.anchor a WHERE a.login = session_user AND a.machine = of_machine;
    INSERT INTO askfirst.anchor VALUES (session_user, left(of_machine, 64), left(of_host, 200), new_seq, new_head, clock_timestamp())
        ON CONFLICT DO NOTHING;
    IF FOUND AND new_seq <= coalesce(last, -1) THEN
        PERFORM askfirst.note('log-cut', '', new_head, who, of_host || ': the log had record ' || last || ' and now ends at ' || new_seq);
        RETURN false;
    END IF;
    RETURN true;
END
$$;

ALTER TABLE askfirst.policy ENABLE ROW LEVEL SECURITY;
ALTER TABLE askfirst.anchor ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON askfirst.policy FOR SELECT USING (true);
CREATE POLICY own ON askfirst.anchor FOR SELECT TO askfirst_hook USING (login = session_user);
CREATE POLICY people ON askfirst.anchor FOR SELECT TO askfirst_approver, askfirst_auditor, askfirst_admin USING (true);
GRANT SELECT ON askfirst.policy, askfirst.anchor TO askfirst_hook, askfirst_approver, askfirst_auditor, askfirst_admin;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA askfirst FROM PUBLIC;
GRANT EXECUTE ON FUNCTION askfirst.push(integer, text, text, text) TO askfirst_admin;
GRANT EXECUTE ON FUNCTION askfirst.anchor(text, text, bigint, text) TO askfirst_hook;

-- @version 3

-- How far copies are behind is for those to see who may read all statistics; where the service does not let that be
-- granted, `askfirst team status` says so.
DO $$
BEGIN
    GRANT pg_read_all_stats TO askfirst_owner;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'how far copies are behind will not be shown: %', SQLERRM;
END
$$;

SET LOCAL ROLE askfirst_owner;

CREATE FUNCTION askfirst.standbys() RETURNS TABLE (name text, sync text, lag_s double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, askfirst, pg_temp AS
$$
    SELECT coalesce(s.application_name, ''), coalesce(s.sync_state, ''),
        coalesce(extract(epoch FROM s.replay_lag), 0)::double precision
    FROM pg_stat_replication s ORDER BY 1
$$;
REVOKE ALL ON FUNCTION askfirst.standbys() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION askfirst.standbys() TO askfirst_hook, askfirst_approver, askfirst_auditor, askfirst_admin;
