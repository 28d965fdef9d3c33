import { createConnection } from './connection.ts'
import type { Run } from './pool.ts'
import { tablesOf } from './tables.ts'

/**
 * What PostgreSQL knows of the tables when it plans. By itself it looks once a minute, or never; an import has written a
 * hundred thousand rows by then, by plans that were made for none. ANALYZE also ends the plans that are kept.
 */
export interface Statistics {
  /** Members were added. Returns at once; statistics are taken beside it, where a class has doubled. */
  grew(): void
  /** What is under way goes on in PostgreSQL alone. */
  close(): void
}

/** How often totals are compared while members are added, which costs as much as reading a page. */
const LOOK_MS = 1_000
/** Below that, whatever the plan is. */
const LEAST_MEMBERS = 500
const SESSION = { statement_timeout: '60000' }

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

/** One host at a time, until its connection ends; another one finds it done. */
const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('statistics ' || current_schema(), 0))"

export function createStatistics(url: string, run: Run): Statistics {
  const closing = new AbortController()
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLooking = false

  /** Never rejects. */
  async function look(): Promise<void> {
    isLooking = true
    try {
      if ((await run(OUTGROWN)).length > 0 && !closing.signal.aborted) await analyze(url, closing.signal)
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
    close: () => closing.abort(),
  }
}

/** On a connection of its own: it may take seconds. */
async function analyze(url: string, signal: AbortSignal): Promise<void> {
  const connection = createConnection(url, { session: SESSION })
  signal.addEventListener('abort', () => connection.end(0), { once: true })
  try {
    const [lock] = await connection.run<[boolean]>(LOCK)
    if (lock?.[0] !== true) return
    // Once more: another host may have just done it.
    for (const [classId] of await connection.run<[number]>(OUTGROWN)) {
      const { members, values, words } = tablesOf(classId, [])
      // One lock at a time: a migration that locks several tables must not wait for this while it waits for them.
      for (const table of [members, values, words, 'links']) await connection.script(analyzeFilled([table]))
    }
  } finally {
    await connection.end(0)
  }
}
