import type { Sql } from 'postgres'
import { openingProblem, shownDatabase } from '../index.ts'
import { codeOf } from './errors.ts'
import type { AdmitSession } from './sessions.ts'

/** While others use the pooler, sessions may be handed out in an order that shows nothing for a while. */
const ROUNDS = 10
/** PgBouncer answers BEGIN so in statement pooling; the driver may see only that the connection was closed. */
const NO_TRANSACTIONS: readonly unknown[] = ['08P01', 'CONNECTION_CLOSED']

/**
 * Throws if a pooler such as PgBouncer lends a session for a transaction or a statement only. Then settings, prepared
 * statements and the order of statements on a connection would be lost, and ours would be left to other programs. So this
 * looks before anything is set, and leaves nothing behind.
 */
export const requireOwnSessions =
  (url: string): AdmitSession =>
  async (first, openAnother) => {
    const { announced, actual } = await processOf(first)
    // PostgreSQL itself announces its process when a connection begins; a pooler announces some number.
    if (announced === actual) return
    const second = openAnother()
    const { actual: other } = await processOf(second)
    for (let round = 0; round < ROUNDS; round += 1) {
      // The second one keeps the session that it was lent: the first one gets another, if it has none of its own.
      const held = actual === other ? undefined : await processInTransaction(second)
      const again = await processOf(first)
      if (held !== other || again.actual !== actual)
        throw openingProblem('SharedSessions', { database: shownDatabase(url) })
      await second.unsafe('ROLLBACK').simple()
    }
    await second.end({ timeout: 1 })
  }

interface ServerProcess {
  /** At the start of the connection, to cancel statements with. */
  readonly announced: number
  readonly actual: number
}

async function processOf(session: Sql): Promise<ServerProcess> {
  const rows = await session.unsafe('SELECT pg_backend_pid() AS pid').simple()
  return { announced: Number(rows.state?.pid), actual: Number(rows[0]?.pid) }
}

/** Leaves the transaction open. Undefined where there can be none. */
async function processInTransaction(session: Sql): Promise<number | undefined> {
  try {
    await session.unsafe('BEGIN').simple()
    return (await processOf(session)).actual
  } catch (error) {
    if (NO_TRANSACTIONS.includes(codeOf(error))) return undefined
    throw error
  }
}
