import { type Awaitable, databaseProblem } from '../../database/index.ts'
import type { Problem } from '../../problem.ts'

/** Notices that another process has migrated members: tables of their class that existed at opening are gone. */
export interface ElsewhereWatch {
  /** The problem for the client, if a table of a class is missing; other errors are returned as they are. */
  explain(error: unknown): unknown
  /** The problem for a class whose tables did not exist at opening. */
  migratedElsewhere(cause?: unknown): Problem
}

/**
 * A method that is called again, after `reload`, where a host with another API file has changed the tables (hosts.md): a
 * statement that has not found its table has done nothing, and a member in an unknown form is read before it is written.
 */
export const retriedWhereOutdated =
  <Args extends unknown[], Result>(
    { isOutdated, reload, explain }: KnownTables,
    call: (...args: Args) => Awaitable<Result>,
  ) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await call(...args)
    } catch (error) {
      if (!isOutdated(error)) throw error
      await reload()
    }
    try {
      return await call(...args)
    } catch (error) {
      throw explain(error)
    }
  }

export interface KnownTables extends Pick<ElsewhereWatch, 'explain'> {
  readonly isOutdated: (error: unknown) => boolean
  readonly reload: () => Promise<void>
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
