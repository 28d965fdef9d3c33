/**
 * Carries out statements however long it takes to get their locks, without blocking others for long: statements that
 * arrive while it waits for a lock queue behind it, and if two transactions wait for each other, PostgreSQL ends one. So
 * each attempt is short, and releases the locks that it got. Attempts grow to more than a second, because autovacuum
 * yields only after that; with a shorter `longestMs`, they go on until autovacuum is done. For a transaction without a
 * `lock_timeout`.
 */
export const inShortAttempts = (statements: string, longestMs = 1_500): string => `
  DO $attempts$
  BEGIN
    FOR attempt IN 1 .. 2147483647 LOOP
      PERFORM set_config('lock_timeout', least(200 * attempt, ${longestMs})::text, true);
      BEGIN
        EXECUTE $statements$${statements}$statements$;
        EXIT;
      EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
        PERFORM pg_sleep(0.05 + 0.1 * random());
      END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
  END $attempts$`
