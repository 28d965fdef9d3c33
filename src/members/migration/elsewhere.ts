import { databaseProblem } from '../../database/index.ts'
import type { Problem } from '../../problem.ts'

/** Notices that another process has migrated members: tables of their class that existed at opening are gone. */
export interface ElsewhereWatch {
  /** The problem for the client, if a table of a class is missing; other errors are returned as they are. */
  explain(error: unknown): unknown
  /** The problem for a class whose tables did not exist at opening. */
  migratedElsewhere(cause?: unknown): Problem
}

/** `onFirst`: called at the first request that fails for this reason. */
export function watchOtherMigrations(
  isTableMissing: (error: unknown) => boolean,
  onFirst: () => void = () => {},
): ElsewhereWatch {
  let isReported = false

  function migratedElsewhere(cause?: unknown): Problem {
    if (!isReported) onFirst()
    isReported = true
    return databaseProblem('MigratedElsewhere', { retryAfterSeconds: 60 }, { cause })
  }

  return { migratedElsewhere, explain: (error) => (isTableMissing(error) ? migratedElsewhere(error) : error) }
}
