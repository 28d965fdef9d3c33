import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Token } from '../store.ts'
import { reading } from './errors.ts'

/** More tokens than this in use at once are read from the database now and then. */
const REMEMBERED = 10_000

/**
 * Finds tokens in memory, and yet exactly: `PRAGMA data_version` tells, without touching a table, whether
 * another connection has written; the generation then tells whether that ended any token.
 */
export function createTokenReader(db: DatabaseSync) {
  const dataVersion = single(db, 'PRAGMA data_version')
  const generation = single(db, "SELECT value FROM settings WHERE name = 'token_generation'")
  const advance = db.prepare(`INSERT INTO settings VALUES ('token_generation', 1)
    ON CONFLICT DO UPDATE SET value = value + 1`)
  const byHash = db.prepare(`SELECT id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt
    FROM tokens WHERE hash = ?`)

  const remembered = new Map<string, Token>()
  let seenVersion: unknown
  let seenGeneration: unknown

  function notice(): void {
    const version = numberOf(dataVersion)
    if (version === seenVersion) return
    const current = numberOf(generation)
    if (current !== seenGeneration) remembered.clear()
    seenGeneration = current
    seenVersion = version
  }

  return {
    find(hash: string): Token | undefined {
      return reading(() => {
        notice()
        const known = remembered.get(hash)
        if (known !== undefined) return known
        const token = byHash.get(hash) as Token | undefined
        if (token !== undefined) remember(hash, token)
        return token
      })
    },
    /** Call inside the transaction that ends tokens: this process forgets all, the others will when they look. */
    forget(): void {
      advance.run()
      remembered.clear()
    },
  }

  function remember(hash: string, token: Token): void {
    if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value as string)
    remembered.set(hash, token)
  }
}

/** Array rows: an object for a single number would cost as much as the query. */
function single(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

const numberOf = (statement: StatementSync): unknown =>
  (statement.get() as unknown as unknown[] | undefined)?.[0]
