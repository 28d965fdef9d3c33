import type { TestContext } from 'node:test'
import postgres from 'postgres'

/** A connection of somebody else, with a transaction that is ended with the test at the latest. */
export async function holding(t: TestContext, url: string, statement: string): Promise<() => Promise<void>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.after(() => sql.end())
  await sql.unsafe('BEGIN').simple()
  await sql.unsafe(statement).simple()
  return async () => {
    await sql.unsafe('ROLLBACK').simple()
  }
}
