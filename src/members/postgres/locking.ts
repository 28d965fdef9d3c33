const LOCK_ATTEMPT_MS = 200

type LockMode =
  /** Blocks writers, not readers. */
  | 'SHARE'
  /** Blocks readers and writers. */
  | 'ACCESS EXCLUSIVE'

/**
 * Takes all locks, however long that takes, without blocking others for long: statements that arrive while it waits for a
 * lock queue behind it, and if two transactions wait for each other, PostgreSQL ends one. So each attempt is short, and
 * releases the locks that it got. Attempts grow to more than a second, because autovacuum yields only after that; with a
 * shorter `longestMs`, the transaction waits until autovacuum is done.
 */
export const lockTables = (tables: readonly string[], mode: LockMode, longestMs = 1_500): string => `
  DO $$
  BEGIN
    FOR attempt IN 1 .. 2147483647 LOOP
      PERFORM set_config('lock_timeout', least(${LOCK_ATTEMPT_MS} * attempt, ${longestMs})::text, true);
      BEGIN
        LOCK TABLE ${tables.join(', ')} IN ${mode} MODE;
        EXIT;
      EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
        PERFORM pg_sleep(0.05 + 0.1 * random());
      END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
  END $$`
