/** How many transactions can write to a class without waiting for each other because of its state. */
const SLOTS = 64

/**
 * The state of a class: a number that every transaction that writes to its members raises, of whatever version of Hydrant,
 * since a trigger does it. So results that were computed in a state are exact as long as the number is the same.
 *
 * Transactions that are open at the same time must not wait for each other, so each raises another slot of the class: one
 * whose lock is free. The lock and the row are held until the transaction ends.
 */
export const STATES = `
  CREATE TABLE class_states (
    class_id integer NOT NULL REFERENCES classes ON UPDATE CASCADE ON DELETE CASCADE,
    slot smallint NOT NULL,
    writes bigint NOT NULL,
    -- The one that has raised it last.
    transaction xid8,
    PRIMARY KEY (class_id, slot)
  ) WITH (fillfactor = 50);

  -- A transaction that writes several times raises the number once. Its number alone may also be of another server, from
  -- which the row was restored; xmin alone, of a transaction four billion before.
  CREATE FUNCTION raise_state() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    own integer := pg_backend_pid() % ${SLOTS};
  BEGIN
    FOR tries IN 1 .. ${SLOTS} LOOP
      EXIT WHEN pg_try_advisory_xact_lock(TG_RELID::bigint << 8 | own);
      own := (own + 1) % ${SLOTS};
    END LOOP;
    INSERT INTO class_states AS present
      VALUES (split_part(TG_TABLE_NAME, '_', 2)::integer, own, 1, pg_current_xact_id())
      ON CONFLICT (class_id, slot) DO UPDATE SET writes = present.writes + 1, transaction = excluded.transaction
      WHERE present.transaction IS DISTINCT FROM excluded.transaction OR present.xmin <> excluded.transaction::xid;
    RETURN NULL;
  END $$;

  -- A class without a row here has no state: nothing raises it.
  CREATE FUNCTION keep_state(of_class integer) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF to_regclass('members_' || of_class) IS NULL THEN
      RETURN;
    END IF;
    EXECUTE format('CREATE OR REPLACE TRIGGER raise_state AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION raise_state()', 'members_' || of_class);
    INSERT INTO class_states VALUES (of_class, 0, 0) ON CONFLICT DO NOTHING;
  END $$;

  CREATE FUNCTION keep_state_of_new() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM keep_state(NEW.id);
    RETURN NULL;
  END $$;

  CREATE TRIGGER keep_state AFTER INSERT ON classes FOR EACH ROW EXECUTE FUNCTION keep_state_of_new();

  -- The tables that exist, all or none at once: servers may be writing, and must not wait for long.
  DO $$
  DECLARE
    tables text := (SELECT string_agg(format('members_%s', id), ', ' ORDER BY id) FROM classes
      WHERE to_regclass('members_' || id) IS NOT NULL);
  BEGIN
    IF tables IS NULL THEN
      RETURN;
    END IF;
    FOR attempt IN 1 .. 2147483647 LOOP
      PERFORM set_config('lock_timeout', least(200 * attempt, 1500)::text, true);
      BEGIN
        EXECUTE 'LOCK TABLE ' || tables || ' IN SHARE ROW EXCLUSIVE MODE';
        EXIT;
      EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
        PERFORM pg_sleep(0.05 + 0.1 * random());
      END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
    PERFORM keep_state(id) FROM classes;
  END $$;
`
