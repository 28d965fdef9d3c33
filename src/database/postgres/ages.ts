/** How old tokens and attempts are, whatever the clocks of the hosts say (authentication.md, Time), and series of nonces. */
export const AGES = `
  -- The database's clock. The clocks of hosts may be wrong, and be put right: only this one tells the age of a row.
  CREATE FUNCTION clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

  ALTER TABLE tokens ADD COLUMN recorded_at bigint NOT NULL DEFAULT clock_ms();
  ALTER TABLE attempts ADD COLUMN recorded_at bigint NOT NULL DEFAULT clock_ms();

  -- An attempt is as old as the database's clock says, or older; one that lies ahead counts as now.
  CREATE FUNCTION attempted_at(at bigint, recorded bigint, at_time bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
    'SELECT CASE WHEN at > recorded + 5000 THEN recorded ELSE least(at, at_time) END';

  -- shift: from the database's clock to the time line of at_time.
  CREATE OR REPLACE FUNCTION throttled_until(
    of_address text, of_user bigint, at_time bigint, least_failed smallint,
    user_failures bigint, user_window bigint, address_failures bigint, address_window bigint
  ) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    shift bigint := at_time - clock_ms();
  BEGIN
    RETURN greatest(
      (SELECT attempted_at(at, recorded_at + shift, at_time) + user_window FROM attempts
        WHERE address = of_address AND user_id = of_user AND at > at_time - user_window AND failed >= least_failed
          AND attempted_at(at, recorded_at + shift, at_time) > at_time - user_window
        ORDER BY at DESC OFFSET user_failures - 1 LIMIT 1),
      (SELECT attempted_at(at, recorded_at + shift, at_time) + address_window FROM attempts
        WHERE address = of_address AND at > at_time - address_window AND failed >= least_failed
          AND attempted_at(at, recorded_at + shift, at_time) > at_time - address_window
        ORDER BY at DESC OFFSET address_failures - 1 LIMIT 1));
  END $$;

  -- Begins this series of nonces, unless a later one has begun, and returns the present one. Spent nonces and the time of
  -- the last sweep are those of earlier series: they refuse nothing any more. Waits for no row that a sweep has locked.
  CREATE FUNCTION begin_nonce_series(begun bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO settings VALUES ('nonce_series', begun::text)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.value::bigint < begun;
    IF FOUND THEN
      DELETE FROM settings WHERE name = 'swept_at';
      DELETE FROM spent_nonces WHERE nonce = ANY(ARRAY(SELECT nonce FROM spent_nonces FOR UPDATE SKIP LOCKED));
    END IF;
    RETURN (SELECT value::bigint FROM settings WHERE name = 'nonce_series');
  END $$;

  -- As before, for a nonce of a series. series: the one whose nonces are accepted instead.
  CREATE FUNCTION begin_attempt(
    of_address text, of_user bigint, at_time bigint,
    user_failures bigint, user_window bigint, address_failures bigint, address_window bigint,
    with_nonce text, spent_until bigint, of_series bigint,
    OUT attempt_id bigint, OUT retry_at bigint, OUT series bigint
  ) LANGUAGE plpgsql AS $$
  DECLARE
    present bigint;
    swept_at bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || of_address, 1));
    retry_at := throttled_until(
      of_address, of_user, at_time, 0::smallint, user_failures, user_window, address_failures, address_window);
    IF retry_at IS NOT NULL THEN
      RETURN;
    END IF;
    INSERT INTO spent_nonces VALUES (with_nonce, at_time, spent_until) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    -- After the insert, which has waited for whatever was about to remove the nonce.
    SELECT coalesce(max(value::bigint) FILTER (WHERE name = 'nonce_series'), 0),
        max(value::bigint) FILTER (WHERE name = 'swept_at')
      INTO present, swept_at FROM settings WHERE name IN ('nonce_series', 'swept_at');
    IF present > of_series THEN
      series := present;
      RETURN;
    END IF;
    IF present < of_series THEN
      present := begin_nonce_series(of_series);
      INSERT INTO spent_nonces VALUES (with_nonce, at_time, spent_until) ON CONFLICT DO NOTHING;
      IF present > of_series THEN
        series := present;
        RETURN;
      END IF;
    ELSIF swept_at >= spent_until THEN
      -- A sweep may have removed the nonce: by a clock that was ahead, or that of this host is behind. In the next series,
      -- nonces of this host are good.
      series := begin_nonce_series(of_series + 1);
      RETURN;
    END IF;
    INSERT INTO attempts (address, user_id, at, failed) VALUES (of_address, of_user, at_time, 0)
      RETURNING id INTO attempt_id;
  END $$;
`
