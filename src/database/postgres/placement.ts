/** How many changes one call places. Its transaction stays short, so that the feeds of other hosts do not wait long. */
const MOST = 4_000

/** In SQL: whether a transaction had ended when the run began. A number in the future comes from another server. */
const isEnded = (transaction: string): string => `(
  (${transaction} < run.next_bound AND ${transaction} <> ALL (run.next_open))
  OR ${transaction} >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`

const COLUMNS = 'class, id, kind, version, owner, at'

/**
 * Writes the rows by which changes with followed links are found: most calls place none. The positions are listed, so that
 * PostgreSQL reads these rows alone, whatever it knows of the table.
 */
const NAME_ACCOUNTS = `
    IF has_followed THEN
      INSERT INTO change_accounts (class, account, position)
      SELECT DISTINCT class, target::bigint, position
      FROM changes, jsonb_path_query(followed::jsonb, 'strict $.*[*][*] ? (@.type() == "number")') AS target
      WHERE position = ANY (ARRAY(SELECT generate_series(placed_before + 1, placed_before + count)))
        AND followed IS NOT NULL AND target::bigint IS DISTINCT FROM owner;
    END IF;`

const COUNT = 'SELECT count(*), max(number) INTO count, last FROM taken;'
const COUNT_FOLLOWED =
  'SELECT count(*), max(number), bool_or(followed IS NOT NULL) INTO count, last, has_followed FROM taken;'

/** `columns`: those that a change has before it has its position, and after that. `andThen`: further statements. */
const placeChanges = (create: string, columns: string, andThen = ''): string => `
  -- One process at a time: so the positions that are seen have no gap, and none is filled later. Says whether some of what
  -- was committed before the call may be left. In a transaction of its own, whose number is then a new one.
  ${create} place_changes() RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    former placements;
    run placements;
    count bigint;
    last bigint;${andThen && '\n    placed_before bigint;\n    has_followed boolean;'}
  BEGIN
    SELECT * INTO former FROM placements ORDER BY placements.id DESC LIMIT 1;
    IF former.reached IS NULL
      AND NOT EXISTS (SELECT FROM new_changes WHERE number > coalesce(former.floor, 0))
      AND NOT EXISTS (
        SELECT FROM unnest(former.open) AS t (transaction) CROSS JOIN LATERAL (
          SELECT FROM new_changes WHERE transaction = t.transaction AND number <= former.floor
          ORDER BY transaction, number LIMIT 1
        ) AS late
      ) THEN
      RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('changes ' || current_schema(), 0));
    -- A statement of its own, which sees what the process before this one has placed.
    SELECT * INTO former FROM placements ORDER BY placements.id DESC LIMIT 1;
    run := former;
    run.open := coalesce(run.open, '{}');
    run.floor := coalesce(run.floor, 0);
    IF run.reached IS NULL THEN
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO run.next_floor FROM change_numbers;
      run.next_bound := pg_current_xact_id()::text::bigint;
      SELECT ARRAY(
        SELECT transaction::text::bigint FROM pg_snapshot_xip(present) AS transaction
        UNION ALL SELECT generate_series(pg_snapshot_xmax(present)::text::bigint, run.next_bound - 1)
      ) INTO run.next_open FROM pg_current_snapshot() AS present;
      run.reached := 0;
    END IF;
    ${andThen && 'placed_before := coalesce((SELECT max(position) FROM changes), 0);'}
    WITH chosen AS (
      SELECT number FROM (
        SELECT late.number FROM unnest(run.open) AS t (transaction) CROSS JOIN LATERAL (
          SELECT number FROM new_changes
          WHERE transaction = t.transaction AND number > run.reached AND number <= run.floor
          ORDER BY transaction, number LIMIT ${MOST}
        ) AS late
        WHERE ${isEnded('t.transaction')}
        UNION ALL (
          SELECT number FROM new_changes
          WHERE number > greatest(run.floor, run.reached) AND ${isEnded('transaction')}
          ORDER BY number LIMIT ${MOST}
        )
      ) AS found
      ORDER BY number LIMIT ${MOST}
    ), taken AS (
      DELETE FROM new_changes WHERE number = ANY (ARRAY(SELECT number FROM chosen)) RETURNING *
    ), placed AS (
      INSERT INTO changes (position, ${columns})
      SELECT coalesce((SELECT max(position) FROM changes), 0) + row_number() OVER (ORDER BY number),
        ${columns}
      FROM taken
    )
    ${andThen ? COUNT_FOLLOWED : COUNT}
    ${andThen}
    IF count = 0 AND former.reached IS NULL THEN
      RETURN false;
    END IF;
    IF count = ${MOST} THEN
      INSERT INTO placements (open, floor, next_open, next_floor, next_bound, reached)
      VALUES (run.open, run.floor, run.next_open, run.next_floor, run.next_bound, last);
    ELSE
      INSERT INTO placements (open, floor) VALUES (run.next_open, run.next_floor);
    END IF;
    DELETE FROM placements WHERE placements.id = former.id;
    RETURN count = ${MOST} OR former.reached IS NOT NULL;
  END $$;
`

/**
 * How changes get their positions. A change is written to `new_changes` with a number, which is drawn before the
 * commit, so a lower number may be committed later. Placement moves committed changes to `changes`, in runs: each run
 * places, by number, the changes that were committed when it began, in calls of up to MOST changes.
 *
 * Changes that were placed are never looked at again, since their deleted rows may stay in the indexes for hours while
 * some other transaction has an old snapshot (`pg_dump`). A run knows three things about the moment at which it began:
 *
 * - `floor`: the last number that was drawn then.
 * - `bound`: a transaction number that was given out after reading `floor`. A change draws its number after its transaction
 *   has one, so transactions from `bound` on have only numbers above `floor`.
 * - `open`: the transactions below `bound` that had not ended.
 *
 * All other transactions had ended, and the run places their changes. So the next run finds the remaining changes above
 * `floor` by number, and below it by the transactions in `open`: it reads no other rows, and no transaction holds up
 * others.
 */
export const PLACEMENT = `
  -- What no process has placed yet is placed here, since the table is created anew.
  LOCK TABLE new_changes, changes IN ACCESS EXCLUSIVE MODE;
  INSERT INTO changes (position, class, id, kind, version, owner, at)
  SELECT coalesce((SELECT max(position) FROM changes), 0) + row_number() OVER (ORDER BY number),
    class, id, kind, version, owner, at
  FROM new_changes;
  DROP FUNCTION changes_after;
  DROP FUNCTION place_changes;
  DROP TABLE new_changes;

  CREATE SEQUENCE change_numbers;
  CREATE TABLE new_changes (
    -- CASE evaluates its condition first: the transaction has its number before the change has one.
    number bigint PRIMARY KEY
      DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('change_numbers') END,
    transaction bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    class text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind smallint NOT NULL,
    version bigint NOT NULL,
    owner bigint,
    at bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
  );
  CREATE INDEX new_changes_by_transaction ON new_changes (transaction, number);

  -- No row before the first change. The last row alone counts: the last run that has ended, and where another has begun (next_), the number that it has
  -- reached. Rows are added and removed, never updated: finding the last one passes over no other.
  CREATE TABLE placements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    open bigint[] NOT NULL,
    floor bigint NOT NULL,
    next_open bigint[],
    next_floor bigint,
    next_bound bigint,
    reached bigint
  );

${placeChanges('CREATE FUNCTION', COLUMNS)}
  -- The log has no gap, so its first position is found by bisection, and not among rows that were swept.
  CREATE FUNCTION first_position() RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    swept bigint := 0;
    kept bigint := (SELECT max(position) FROM changes);
    middle bigint;
  BEGIN
    WHILE swept + 1 < kept LOOP
      middle := (swept + kept) / 2;
      IF EXISTS (SELECT FROM changes WHERE position = middle) THEN
        kept := middle;
      ELSE
        swept := middle;
      END IF;
    END LOOP;
    RETURN kept;
  END $$;

  CREATE FUNCTION changes_after(after bigint, most integer) RETURNS SETOF changes LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM place_changes();
    IF after < (SELECT max(position) FROM changes)
      AND NOT EXISTS (SELECT FROM changes WHERE position = after + 1) THEN
      after := greatest(after, first_position() - 1);
    END IF;
    RETURN QUERY SELECT * FROM changes WHERE position > after ORDER BY position LIMIT most;
  END $$;

  -- What a reader filters out, or may not see, is skipped (ChangeRange in changes.ts).
  CREATE INDEX changes_by_class ON changes (class, position);
  CREATE INDEX changes_by_member ON changes (class, id, position);
  CREATE INDEX changes_by_owner ON changes (class, owner, position);

  -- 1 where the API file with which the database was last opened has the class, 0 where it hides it.
  ALTER TABLE classes ADD COLUMN shown smallint NOT NULL DEFAULT 1;
`

/** Who has made a change, as in SQLite. */
export const ACTORS = `
  ALTER TABLE new_changes ADD COLUMN actor bigint;
  ALTER TABLE changes ADD COLUMN actor bigint;
  ${placeChanges('CREATE OR REPLACE FUNCTION', `${COLUMNS}, followed, actor`, NAME_ACCOUNTS)}
`

/** What the log keeps for rules that follow links (people.md), as in SQLite. */
export const FOLLOWED = `
  ALTER TABLE new_changes ADD COLUMN followed text;
  ALTER TABLE changes ADD COLUMN followed text;
  ${placeChanges('CREATE OR REPLACE FUNCTION', `${COLUMNS}, followed`, NAME_ACCOUNTS)}

  CREATE TABLE change_accounts (
    class text COLLATE "C" NOT NULL,
    account bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (class, account, position)
  );
  CREATE INDEX change_accounts_by_position ON change_accounts (position);

  CREATE FUNCTION change_swept() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM change_accounts WHERE position = OLD.position;
    RETURN NULL;
  END $$;
  CREATE TRIGGER change_swept AFTER DELETE ON changes
    FOR EACH ROW WHEN (OLD.followed IS NOT NULL) EXECUTE FUNCTION change_swept();
`
