export type LockMode =
  /** Writers are kept out, readers go on. */
  | 'SHARE'
  /** Everybody is kept out. */
  | 'ACCESS EXCLUSIVE'

/**
 * Takes all of the locks, however long that takes, without holding up others for long: whoever comes while a lock is
 * waited for stands behind, and two who wait for each other would end one of both. So each time is short, the first
 * ones shorter; what was got is let go in between. A second at the end, since a vacuum yields to nobody who gives up sooner.
 */
export const lockTables = (tables: readonly string[], mode: LockMode): string => `
  DO $$
  BEGIN
    FOR attempt IN 1 .. 2147483647 LOOP
      PERFORM set_config('lock_timeout', least(200 * attempt, 1500)::text, true);
      BEGIN
        LOCK TABLE ${tables.join(', ')} IN ${mode} MODE;
        EXIT;
      EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
        PERFORM pg_sleep(0.05 + 0.1 * random());
      END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
  END $$`
