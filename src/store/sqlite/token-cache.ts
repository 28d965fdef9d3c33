import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import type { Token } from '../store.ts'
import type { ForeignWrites } from './connection.ts'
import { reading } from './errors.ts'

/** More tokens than this in use at once are read from the database now and then. */
const REMEMBERED = 10_000

/**
 * Finds tokens in memory, and yet exactly: when another connection has written, the generation tells whether
 * that ended any token. Other writes do not empty the memory.
 */
export function createTokenCache(db: DatabaseSync, foreignWrites: ForeignWrites) {
  const generation = db.prepare("SELECT value FROM settings WHERE name = 'token_generation'")
  const advance = db.prepare(`INSERT INTO settings VALUES ('token_generation', 1)
    ON CONFLICT DO UPDATE SET value = value + 1`)
  const byHash = db.prepare(`SELECT id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt
    FROM tokens WHERE hash = ?`)

  const remembered = new BoundedMap<string, Token>(REMEMBERED)
  let seenWrites: number | undefined
  let seenGeneration: unknown

  function notice(): void {
    const writes = foreignWrites()
    if (writes === seenWrites) return
    const current = generation.get()?.value
    if (current !== seenGeneration) remembered.clear()
    seenGeneration = current
    seenWrites = writes
  }

  return {
    find(hash: string): Token | undefined {
      return reading(() => {
        notice()
        const known = remembered.get(hash)
        if (known !== undefined) return known
        const token = byHash.get(hash) as Token | undefined
        if (token !== undefined) remembered.set(hash, token)
        return token
      })
    },
    /** Call inside the transaction that ends tokens: this process forgets all, the others will when they look. */
    forget(): void {
      advance.run()
      remembered.clear()
    },
  }
}
