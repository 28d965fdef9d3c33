import type { Run } from './pool.ts'
import { tablesOf } from './tables.ts'

/**
 * What PostgreSQL knows of the tables when it plans. By itself it looks once a minute, or never; an import has written a
 * hundred thousand rows by then, by plans that were made for none. ANALYZE also ends the plans that are kept.
 */
export interface Statistics {
  /** Members were added. Returns at once; statistics are taken beside it, where a class has doubled. */
  grew(): void
}

/** How often totals are compared while members are added, which costs as much as reading a page. */
const LOOK_MS = 1_000
/** Below that, whatever the plan is. */
const LEAST_MEMBERS = 500

/** Classes that have twice the members that PostgreSQL knows of. */
const OUTGROWN = `
  SELECT class_id FROM totals
  GROUP BY class_id
  HAVING sum(total) >= greatest(${LEAST_MEMBERS}, 2 * (
    SELECT reltuples FROM pg_class WHERE oid = to_regclass('members_' || class_id)))`

/**
 * Statistics of those tables that have rows. To know that a table is empty is worse than to know nothing: any plan is
 * good enough then, and kept; of one that was never analyzed, PostgreSQL expects some pages.
 */
export const analyzeFilled = (tables: readonly string[]): string => `
  DO $$
  DECLARE
    name text;
    is_filled boolean;
  BEGIN
    FOREACH name IN ARRAY ARRAY[${tables.map((name) => `'${name}'`)}] LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO is_filled;
      IF is_filled THEN
        EXECUTE format('ANALYZE (SKIP_LOCKED) %I', name);
      END IF;
    END LOOP;
  END $$`

/** `analyze`: what may take seconds. */
export function createStatistics(quick: Run, analyze: Run): Statistics {
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLooking = false

  /** Never rejects. */
  async function look(): Promise<void> {
    isLooking = true
    try {
      for (const [classId] of await quick<[number]>(OUTGROWN)) {
        const { members, values, words } = tablesOf(classId, [])
        // One lock at a time: a migration that locks several tables must not wait for this while it waits for them.
        for (const table of [members, values, words, 'links']) await analyze(analyzeFilled([table]))
      }
    } catch {
      // Requests tell of the fault; here it is only tried again.
    } finally {
      lookedAt = performance.now()
      isLooking = false
    }
  }

  return {
    grew() {
      if (!isLooking && performance.now() - lookedAt >= LOOK_MS) look()
    },
  }
}
