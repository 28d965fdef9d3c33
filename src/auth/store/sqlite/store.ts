import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../../bounded-map.ts'
import type { CommandSource } from '../../../database/sqlite/commands.ts'
import type { DataVersion } from '../../../database/sqlite/connection.ts'
import { openSqlite, type SqliteDatabase, startDatabase } from '../../../database/sqlite/database.ts'
import { ensureSchema } from '../../../database/sqlite/schema.ts'
import { MACHINE_CLOCK, machineNow } from '../../clock.ts'
import { type AuthStore, correctTimes, type OpenAuthStore, type Token, type UserRoles } from '../index.ts'
import { createThrottle, SERIES } from './attempts.ts'
import { createUserReads, IS_LIVE, withRoles } from './user-reads.ts'
import type { AuthWrites } from './writes.ts'

/** Opens users, tokens and nonces, without the members that the file may hold. */
export const openAuthStore = (path: string): Promise<OpenAuthStore> =>
  openSqlite(path, {
    upgrade: ensureSchema,
    async open(db) {
      const database = await startDatabase(db, { path, commands: [AUTH_COMMANDS] })
      const store = createAuthStore(database)
      database.stopWaiting()
      return { store, close: database.close }
    },
  })

export const AUTH_COMMANDS: CommandSource = { module: new URL('writes', import.meta.url).href }

export function createAuthStore({ db, file, versionElsewhere, ...database }: SqliteDatabase): AuthStore {
  const writer = database.writer<AuthWrites>()
  const { secret, latestTime, isSpent, roles, tokens, series } = prepareReads(db)
  const throttledUntil = createThrottle(db, 'failed')
  const findToken = createTokenCache(db, versionElsewhere)

  return {
    async nonceSecret() {
      const found = secret.get()
      if (found !== undefined) return Buffer.from(found.value as Uint8Array)
      await writer.write('addSecret', [randomBytes(32)])
      return Buffer.from(secret.get()?.value as Uint8Array)
    },
    nonceSeries: async () => file.read(() => Number(series.get()?.value ?? 0)),
    beginNonceSeries: (...args) => writer.write('beginNonceSeries', args),
    latestTime: async () => Number(latestTime.get()?.latest ?? 0),

    ...createUserReads(db, file),
    addUser: (...args) => writer.write('addUser', args),
    changeUser: (...args) => writer.write('changeUser', args),
    setRoles: async (id, given) => (await writer.write('changeUser', [id, { roles: given }])) === 'changed',
    setParaphrase: async (id, paraphraseHash) =>
      (await writer.write('changeUser', [id, { paraphraseHash }])) === 'changed',
    changeOwnParaphrase: (...args) => writer.write('changeOwnParaphrase', args),
    upgradeParaphrase: (...args) => writer.write('upgradeParaphrase', args),
    beginRemoval: (...args) => writer.write('beginRemoval', args),
    cancelRemoval: (...args) => writer.write('cancelRemoval', args),
    removeUser: (...args) => writer.write('removeUser', args),

    isSpent: (nonce) => file.read(() => isSpent.get(nonce) !== undefined),
    throttledUntil: (...args) => file.read(() => throttledUntil(...args)),
    // Unsynced: the sync of the `succeed` that follows covers it.
    begin: (...args) => writer.writeUnsynced('begin', args),
    reserve: (...args) => writer.writeUnsynced('reserve', args),
    succeed: (...args) => writer.write('succeed', args),
    fail: (...args) => writer.writeUnsynced('fail', args),
    cancel: (...args) => writer.writeUnsynced('cancel', args),

    findToken: (hash, now) => file.read(() => findToken(hash, now)),
    endTokenAhead: (...args) => writer.write('endTokenAhead', args),
    listTokens: async (now) => file.read(() => tokens.all(now) as unknown as Token[]),
    listRoles: (of, ids) =>
      file.read(() => {
        const rows = roles[of].all(JSON.stringify(ids))
        return new Map(rows.map((row) => [Number(row.id), withRoles(row) as UserRoles]))
      }),
    revokeTokens: (...args) => writer.write('revokeTokens', args),
    sweep: (...args) => writer.writeUnsynced('sweep', args),
  }
}

/** The statements that read tokens and nonces. */
function prepareReads(db: DatabaseSync) {
  const secret = db.prepare("SELECT value FROM settings WHERE name = 'nonce_secret'")
  const latestTime = db.prepare(`SELECT max(
    coalesce((SELECT max(issued_at) FROM tokens), 0),
    coalesce((SELECT max(spent_at) FROM spent_nonces), 0),
    coalesce((SELECT value FROM settings WHERE name = 'swept_at'), 0)) AS latest`)
  const isSpent = db.prepare('SELECT 1 FROM spent_nonces WHERE nonce = ?')
  const roles = {
    users: db.prepare('SELECT id, number, roles FROM users WHERE id IN (SELECT value FROM json_each(?))'),
    tokens: db.prepare(`SELECT tokens.id, number, roles FROM tokens JOIN users ON users.id = user_id
      WHERE tokens.id IN (SELECT value FROM json_each(?))`),
  }
  const tokens = db.prepare(`SELECT id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt
    FROM tokens WHERE ${IS_LIVE} ORDER BY id`)
  const series = db.prepare(SERIES)
  return { secret, latestTime, isSpent, roles, tokens, series }
}

const MAX_CACHED = 10_000
/** A cached token is read again after this: steps of the clock that are smoothed add up. */
const CACHED_MS = 60_000

/**
 * An exact cache: after a write of any process, the generation shows whether tokens have ended or roles have changed.
 * Other writes do not empty the cache. `version`: changes with each write that can end a token.
 */
function createTokenCache(db: DatabaseSync, version: DataVersion) {
  const generation = db.prepare("SELECT value FROM settings WHERE name = 'token_generation'")
  const byHash =
    db.prepare(`SELECT t.id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt, number, roles,
      recorded_by AS recordedBy, recorded_at AS recordedAt
    FROM tokens AS t JOIN users AS u ON u.id = user_id WHERE hash = ?`)
  const cached = new BoundedMap<string, { readonly token: Token & UserRoles; readonly until: number }>(
    MAX_CACHED,
  )
  let seenWrites: number | undefined
  let seenTime = 0
  let seenGeneration: unknown

  function forgetEnded(): void {
    const writes = version()
    if (writes === seenWrites) return
    const current = generation.get()?.value
    if (current !== seenGeneration) cached.clear()
    seenGeneration = current
    seenWrites = writes
  }

  function read(hash: string, now: number): (Token & UserRoles) | undefined {
    const row = byHash.get(hash)
    if (row === undefined) return undefined
    const { recordedBy, recordedAt, ...columns } = row
    const stored = withRoles({ ...columns }) as Token & UserRoles
    const isKnown = recordedBy === MACHINE_CLOCK
    const token = correctTimes(stored, isKnown ? Number(recordedAt) + now - machineNow() : undefined, now)
    // A corrected time is valid only for the current state of the clock.
    if (token === stored) cached.set(hash, { token, until: now + CACHED_MS })
    return token
  }

  return (hash: string, now: number): (Token & UserRoles) | undefined => {
    forgetEnded()
    // The clock was set back: tokens may be older than they seem.
    if (now < seenTime) cached.clear()
    seenTime = now
    const known = cached.get(hash)
    return known !== undefined && now < known.until ? known.token : read(hash, now)
  }
}
