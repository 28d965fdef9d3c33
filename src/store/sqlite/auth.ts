import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { rolesOf } from '../auth-store.ts'
import type { AuthStore, Token, User, UserEntry, UserRoles } from '../store.ts'
import { createThrottle } from './auth-writes.ts'
import type { DataVersion } from './connection.ts'
import { reading } from './errors.ts'
import type { Writer } from './writer.ts'

export function openAuthStore(db: DatabaseSync, writer: Writer, dataVersion: DataVersion): AuthStore {
  const statements = prepare(db)
  const throttledUntil = createThrottle(db)
  const tokens = createTokenCache(db, dataVersion)

  return {
    async nonceSecret() {
      const found = statements.secret.get()
      if (found !== undefined) return Buffer.from(found.value as Uint8Array)
      await writer.write('addSecret', [randomBytes(32)])
      return Buffer.from(statements.secret.get()?.value as Uint8Array)
    },
    latestTime: async () => Number(statements.latestTime.get()?.latest ?? 0),

    findUser: (id) => reading(() => withRoles<User>(statements.user.get(id))),
    listUsers: async (now) =>
      reading(() => statements.users.all(now).flatMap((row) => withRoles<UserEntry>(row) ?? [])),
    hashParameters: async () =>
      reading(() => statements.hashParameters.all().map(({ parameters }) => String(parameters))),
    addUser: (...args) => writer.write('addUser', args),
    setRoles: (...args) => writer.write('setRoles', args),
    setParaphrase: (...args) => writer.write('setParaphrase', args),
    upgradeParaphrase: (...args) => writer.write('upgradeParaphrase', args),
    removeUser: (...args) => writer.write('removeUser', args),

    isSpent: (nonce) => reading(() => statements.isSpent.get(nonce) !== undefined),
    throttledUntil: (attempter, limits, now) => reading(() => throttledUntil(attempter, limits, now, 1)),
    // Unsynced: it is on disk before the `succeed` that follows it is.
    begin: (...args) => writer.writeUnsynced('begin', args),
    succeed: (...args) => writer.write('succeed', args),
    fail: (...args) => writer.writeUnsynced('fail', args),
    cancel: (...args) => writer.writeUnsynced('cancel', args),

    findToken: (hash) => reading(() => tokens.find(hash)),
    listTokens: async (now) => reading(() => statements.tokens.all(now) as unknown as Token[]),
    listRoles: (of, ids) =>
      reading(() => {
        const rows = statements.listRoles[of].all(JSON.stringify(ids))
        return new Map(rows.flatMap((row) => [[Number(row.id), withRoles<UserRoles>(row) as UserRoles]]))
      }),
    revokeTokens: (...args) => writer.write('revokeTokens', args),
    sweep: (...args) => writer.writeUnsynced('sweep', args),
  }
}

/** A row that has a user's roles as text. */
const withRoles = <T extends UserRoles>(row: Readonly<Record<string, unknown>> | undefined): T | undefined =>
  row && ({ ...row, roles: rolesOf(String(row.roles)) } as unknown as T)

const MAX_CACHED = 10_000

/**
 * An exact cache: when any process has written, the generation tells whether tokens have ended or roles have changed. Other
 * writes do not empty the cache.
 */
function createTokenCache(db: DatabaseSync, dataVersion: DataVersion) {
  const generation = db.prepare("SELECT value FROM settings WHERE name = 'token_generation'")
  const byHash =
    db.prepare(`SELECT t.id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt, number, roles
    FROM tokens AS t JOIN users AS u ON u.id = user_id WHERE hash = ?`)
  const cached = new BoundedMap<string, Token & UserRoles>(MAX_CACHED)
  let seenWrites: number | undefined
  let seenGeneration: unknown

  function forgetEnded(): void {
    const writes = dataVersion()
    if (writes === seenWrites) return
    const current = generation.get()?.value
    if (current !== seenGeneration) cached.clear()
    seenGeneration = current
    seenWrites = writes
  }

  return {
    find(hash: string): (Token & UserRoles) | undefined {
      forgetEnded()
      const known = cached.get(hash)
      if (known !== undefined) return known
      const token = withRoles<Token & UserRoles>(byHash.get(hash))
      if (token !== undefined) cached.set(hash, token)
      return token
    },
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string) => db.prepare(text)
  return {
    secret: sql("SELECT value FROM settings WHERE name = 'nonce_secret'"),
    latestTime: sql(`SELECT max(
      coalesce((SELECT max(issued_at) FROM tokens), 0),
      coalesce((SELECT max(spent_at) FROM spent_nonces), 0),
      coalesce((SELECT value FROM settings WHERE name = 'swept_at'), 0)) AS latest`),
    user: sql('SELECT id, paraphrase_hash AS paraphraseHash, number, roles FROM users WHERE id = ?'),
    users: sql(`SELECT id, added_at AS addedAt, number, roles,
      (SELECT count(*) FROM tokens WHERE user_id = users.id AND expires_at > ?) AS liveTokens FROM users ORDER BY id`),
    hashParameters:
      sql(`SELECT DISTINCT substr(paraphrase_hash, 1, at + instr(substr(paraphrase_hash, at + 1), '$'))
      AS parameters FROM (SELECT paraphrase_hash, instr(paraphrase_hash, ',p=') AS at FROM users) WHERE at > 0`),
    isSpent: sql('SELECT 1 FROM spent_nonces WHERE nonce = ?'),
    listRoles: {
      users: sql('SELECT id, number, roles FROM users WHERE id IN (SELECT value FROM json_each(?))'),
      tokens: sql(`SELECT tokens.id, number, roles FROM tokens JOIN users ON users.id = user_id
        WHERE tokens.id IN (SELECT value FROM json_each(?))`),
    },
    tokens: sql(`SELECT id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt
      FROM tokens WHERE expires_at > ? ORDER BY id`),
  }
}
