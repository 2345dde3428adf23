-- The journal in PostgreSQL.  Each part begins with its number and whether an earlier version of the program can work
-- with it (additive: new tables, columns with a default, indexes) or not (breaking).  A released part is never edited.

--- 1 additive: tables, entries, the bin, refusals, heads

CREATE TABLE tables (
    n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    opened_at TEXT NOT NULL
);

-- The type is json, not jsonb: it keeps the text as it was written, of which the checksum was made.
CREATE TABLE entries (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    source TEXT NOT NULL,
    command JSON NOT NULL,
    events JSON NOT NULL,
    key TEXT,
    sum TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);
CREATE UNIQUE INDEX entries_by_key ON entries (table_id, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX beginnings_by_key ON entries (key) WHERE seq = 1 AND key IS NOT NULL;

CREATE TABLE moves (
    n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id TEXT NOT NULL,
    binned BOOLEAN NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX moves_by_table ON moves (table_id, n);

-- They only answer repeated requests and are no part of the journal: old ones may be deleted.
CREATE TABLE refusals (
    n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    rule TEXT NOT NULL,
    details JSON NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (table_id, key)
);
CREATE INDEX refusals_by_table ON refusals (table_id, n);

-- What lists show of a table, written with its latest entry.  Derived: it may be deleted and is then folded again.
CREATE TABLE heads (
    table_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    sum TEXT NOT NULL,
    program TEXT,
    phase TEXT,
    round INTEGER,
    finished BOOLEAN,
    players JSON,
    described JSON
);
CREATE INDEX heads_by_time ON heads (at);

CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE restrict_violation USING MESSAGE = 'the journal is append-only';
END
$$;

CREATE FUNCTION journal_key_lock(table_id TEXT, key TEXT) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended(table_id || chr(31) || key, 0))
$$;

-- Entries are numbered without gaps, and each has the checksum of itself and of the checksum before.  No key belongs to
-- both an entry and a refusal: two processes that use one at the same moment wait for each other.  There is no foreign
-- key, which would lock and rewrite the row of the table for each entry: tables are never deleted.
CREATE FUNCTION journal_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    latest entries.seq%TYPE;
    before entries.sum%TYPE;
BEGIN
    IF NEW.key IS NOT NULL THEN
        PERFORM journal_key_lock(NEW.table_id, NEW.key);
        IF EXISTS (SELECT 1 FROM refusals WHERE refusals.table_id = NEW.table_id AND refusals.key = NEW.key) THEN
            RAISE unique_violation USING MESSAGE = 'the key was used for a refusal';
        END IF;
    END IF;
    SELECT seq, sum INTO latest, before FROM entries WHERE table_id = NEW.table_id ORDER BY seq DESC LIMIT 1;
    IF NEW.seq <> COALESCE(latest, 0) + 1 THEN
        RAISE unique_violation USING MESSAGE = 'entries are numbered without gaps';
    END IF;
    IF latest IS NULL AND NOT EXISTS (SELECT 1 FROM tables WHERE id = NEW.table_id) THEN
        RAISE foreign_key_violation USING MESSAGE = 'an entry needs its table';
    END IF;
    NEW.sum := left(encode(sha256(convert_to(concat_ws(chr(31), COALESCE(before, ''), NEW.seq, NEW.at, NEW.actor,
        NEW.source, NEW.command::text, NEW.events::text, COALESCE(NEW.key, '')), 'UTF8')), 'hex'), 32);
    RETURN NEW;
END
$$;

CREATE FUNCTION journal_refusal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM journal_key_lock(NEW.table_id, NEW.key);
    IF EXISTS (SELECT 1 FROM entries WHERE entries.table_id = NEW.table_id AND entries.key = NEW.key) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER entries_in_order BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION journal_entry();
CREATE TRIGGER refusals_key_used BEFORE INSERT ON refusals FOR EACH ROW EXECUTE FUNCTION journal_refusal();
CREATE TRIGGER tables_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables
    FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER moves_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON moves
    FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
REVOKE UPDATE, DELETE, TRUNCATE ON tables, entries, moves FROM CURRENT_USER;

--- 2 additive: club events, for which many tables are opened at once

CREATE TABLE club_events (
    n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    plan JSON NOT NULL
);
CREATE TRIGGER club_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON club_events
    FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
REVOKE UPDATE, DELETE, TRUNCATE ON club_events FROM CURRENT_USER;

--- 3 additive: what processes share besides the journal

-- Values (guests, preferences, wrong PINs) in parts.  A value has a version, which each change counts up: whoever has
-- seen another version than the latest may not change it.  A part names the version that changed it, so that others
-- read what is new to them alone, in the order of changes, and of places within one.  A part without a value was
-- removed; up to version ``cleared`` such are gone.
CREATE TABLE shared_values (
    kind TEXT PRIMARY KEY,
    version BIGINT NOT NULL,
    cleared BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE shared_parts (
    kind TEXT NOT NULL,
    part TEXT NOT NULL,
    version BIGINT NOT NULL,
    place INTEGER NOT NULL,
    value JSON,
    PRIMARY KEY (kind, part)
);
CREATE INDEX shared_parts_by_version ON shared_parts (kind, version);

-- Answers given lately.  Whoever inserts the row carries the request out; the others wait until it has its answer.
CREATE TABLE answers (
    n BIGINT GENERATED ALWAYS AS IDENTITY,
    request TEXT PRIMARY KEY,
    sender TEXT NOT NULL,
    owner TEXT NOT NULL,
    digest TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    status INTEGER,
    type TEXT,
    body BYTEA
);
CREATE INDEX answers_by_sender ON answers (sender, n);
CREATE INDEX answers_by_time ON answers (at);

--- 4 additive: heads are searched and paged

CREATE SEQUENCE heads_change;
ALTER TABLE heads
    ADD COLUMN game TEXT,
    ADD COLUMN number BIGINT,
    ADD COLUMN change BIGINT,
    ADD COLUMN binned BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN searched TEXT NOT NULL DEFAULT '';
CREATE INDEX heads_by_change ON heads (at, change);
CREATE INDEX heads_by_number ON heads (number);
DROP INDEX heads_by_time;

-- The lines in which a table is searched for until somebody has folded it: its id, and the names that began it.
CREATE FUNCTION journal_searched(id TEXT) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    names TEXT;
BEGIN
    SELECT string_agg(name #>> '{}', E'\n') INTO names FROM entries,
        jsonb_path_query(command::jsonb, 'strict $.**.name') AS name WHERE table_id = id AND seq = 1;
    RETURN lower(regexp_replace(normalize(concat_ws(E'\n', id, names), NFKD), '[\u0300-\u036f]', '', 'g'));
EXCEPTION WHEN OTHERS THEN -- a command that jsonb cannot hold, or a database that is not in UTF-8
    RETURN id;
END
$$;

CREATE FUNCTION journal_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE heads SET binned = NEW.binned WHERE table_id = NEW.table_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER heads_of_moves AFTER INSERT ON moves FOR EACH ROW EXECUTE FUNCTION journal_moved();

--- 5 additive: heads that earlier versions of the program insert are found too

CREATE FUNCTION journal_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT tables.game, tables.n INTO NEW.game, NEW.number FROM tables WHERE id = NEW.table_id;
    NEW.change := nextval('heads_change');
    NEW.searched := journal_searched(NEW.table_id);
    RETURN NEW;
END
$$;
CREATE TRIGGER heads_of_earlier_programs BEFORE INSERT ON heads
    FOR EACH ROW WHEN (NEW.change IS NULL) EXECUTE FUNCTION journal_head();

--- 6 additive: heads that earlier versions of the program update count as changed, too

-- A version that knows no changes leaves the number as it is; lists would call a table interrupted at which it plays.
CREATE FUNCTION journal_head_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change := nextval('heads_change');
    RETURN NEW;
END
$$;
CREATE TRIGGER heads_updated_by_earlier_programs BEFORE UPDATE ON heads
    FOR EACH ROW WHEN (NEW.seq > OLD.seq AND NEW.change IS NOT DISTINCT FROM OLD.change)
    EXECUTE FUNCTION journal_head_again();

--- 7 additive: the plans of a club event are found without reading those of all others

CREATE INDEX club_events_by_id ON club_events (id COLLATE "C");
