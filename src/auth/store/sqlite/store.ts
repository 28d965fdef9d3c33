import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../../bounded-map.ts'
import type { DataVersion } from '../../../database/sqlite/connection.ts'
import type { FileWatch } from '../../../database/sqlite/file-watch.ts'
import type { CommandsFor, Writer } from '../../../database/sqlite/group-commit.ts'
import type { AuthStore, Token, User, UserEntry, UserRoles } from '../../../store/index.ts'
import { AHEAD_MS, correctTimes, LONGEST_TOKEN_MS, rolesOf, rolesText } from '../index.ts'
import { type AttemptWrites, createAttemptWrites, createChange, createThrottle, SERIES } from './attempts.ts'
import { MACHINE_CLOCK, machineNow } from './machine-clock.ts'

const IS_LIVE = `expires_at > ?1 AND issued_at <= ?1 + ${AHEAD_MS}`

export function openAuthStore(
  db: DatabaseSync,
  file: FileWatch,
  writer: Writer<AuthWrites>,
  dataVersion: DataVersion,
): AuthStore {
  const secret = db.prepare("SELECT value FROM settings WHERE name = 'nonce_secret'")
  const latestTime = db.prepare(`SELECT max(
    coalesce((SELECT max(issued_at) FROM tokens), 0),
    coalesce((SELECT max(spent_at) FROM spent_nonces), 0),
    coalesce((SELECT value FROM settings WHERE name = 'swept_at'), 0)) AS latest`)
  const user = db.prepare(
    'SELECT id, paraphrase_hash AS paraphraseHash, number, roles FROM users WHERE id = ?',
  )
  const users = db.prepare(`SELECT id, added_at AS addedAt, number, roles,
    (SELECT count(*) FROM tokens WHERE user_id = users.id AND ${IS_LIVE}) AS liveTokens FROM users ORDER BY id`)
  const hashParameters =
    db.prepare(`SELECT DISTINCT substr(paraphrase_hash, 1, at + instr(substr(paraphrase_hash, at + 1), '$'))
    AS parameters FROM (SELECT paraphrase_hash, instr(paraphrase_hash, ',p=') AS at FROM users) WHERE at > 0`)
  const isSpent = db.prepare('SELECT 1 FROM spent_nonces WHERE nonce = ?')
  const roles = {
    users: db.prepare('SELECT id, number, roles FROM users WHERE id IN (SELECT value FROM json_each(?))'),
    tokens: db.prepare(`SELECT tokens.id, number, roles FROM tokens JOIN users ON users.id = user_id
      WHERE tokens.id IN (SELECT value FROM json_each(?))`),
  }
  const tokens = db.prepare(`SELECT id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt
    FROM tokens WHERE ${IS_LIVE} ORDER BY id`)
  const series = db.prepare(SERIES)
  const throttledUntil = createThrottle(db, 'failed')
  const findToken = createTokenCache(db, dataVersion)

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

    findUser: (id) => file.read(() => withRoles<User>(user.get(id))),
    listUsers: async (now) => file.read(() => users.all(now).map((row) => withRoles(row) as UserEntry)),
    hashParameters: async () =>
      file.read(() => hashParameters.all().map(({ parameters }) => String(parameters))),
    addUser: (...args) => writer.write('addUser', args),
    setRoles: (...args) => writer.write('setRoles', args),
    setParaphrase: (...args) => writer.write('setParaphrase', args),
    upgradeParaphrase: (...args) => writer.write('upgradeParaphrase', args),
    removeUser: (...args) => writer.write('removeUser', args),

    isSpent: (nonce) => file.read(() => isSpent.get(nonce) !== undefined),
    throttledUntil: (...args) => file.read(() => throttledUntil(...args)),
    // Unsynced: it is on disk before the `succeed` that follows it is.
    begin: (...args) => writer.writeUnsynced('begin', args),
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

/** A row that has a user's roles as text. */
const withRoles = <T extends UserRoles>(row: Readonly<Record<string, unknown>> | undefined): T | undefined =>
  row && ({ ...row, roles: rolesOf(String(row.roles)) } as unknown as T)

const MAX_CACHED = 10_000
/** A cached token is read again after this: steps of the clock that are smoothed add up. */
const CACHED_MS = 60_000

/**
 * An exact cache: when any process has written, the generation tells whether tokens have ended or roles have changed. Other
 * writes do not empty the cache.
 */
function createTokenCache(db: DatabaseSync, dataVersion: DataVersion) {
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
    const writes = dataVersion()
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
    // A corrected time holds for this moment's clock alone.
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

type UserWrite = 'addUser' | 'setRoles' | 'setParaphrase' | 'upgradeParaphrase' | 'removeUser'
type TokenWrite = 'revokeTokens' | 'endTokenAhead' | 'sweep'
interface AuthWrites extends AttemptWrites, CommandsFor<Pick<AuthStore, UserWrite | TokenWrite>> {
  addSecret(key: Uint8Array): void
}

/** Changes of users, tokens and attempts, each made within a transaction of the group commit. */
export function createAuthWrites(db: DatabaseSync): AuthWrites {
  const change = (text: string) => createChange(db, text)
  const increment = (setting: string) =>
    change(`INSERT INTO settings VALUES ('${setting}', 1) ON CONFLICT DO UPDATE SET value = value + 1`)
  const removeExpired = (table: string, key: string, time: string) =>
    change(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${time} <= ? LIMIT +?)`)
  const removeTokens = (where: string) =>
    db.prepare(`DELETE FROM tokens ${where} RETURNING expires_at AS expiresAt`)

  const addUser = change(`INSERT INTO users (id, paraphrase_hash, added_at, number, roles)
    SELECT ?, ?, ?, value + 1, ? FROM settings WHERE name = 'user_number' ON CONFLICT (id) DO NOTHING`)
  const countUser = increment('user_number')
  const setRoles = change('UPDATE users SET roles = ? WHERE id = ?')
  const setParaphrase = change('UPDATE users SET paraphrase_hash = ? WHERE id = ?')
  const removeUser = change('DELETE FROM users WHERE id = ?')

  /** Makes every process empty its cache of tokens, since tokens have ended or roles have changed. */
  const raiseGeneration = increment('token_generation')
  const removeTokensOf = removeTokens('WHERE user_id = ?')
  const removeToken = removeTokens('WHERE id = ?')
  const removeAllTokens = removeTokens('')

  // The column has any type, and node:sqlite binds every number as a REAL.
  const rememberTime = change(`INSERT INTO settings VALUES ('swept_at', CAST(? AS INTEGER))
    ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`)

  const endTokenAhead = change(`DELETE FROM tokens WHERE id = ? AND issued_at > ? + ${AHEAD_MS}`)
  const sweepTokens = removeExpired('tokens', 'id', 'expires_at')
  const sweepNonces = removeExpired('spent_nonces', 'nonce', 'expires_at')
  const sweepAttempts = removeExpired('attempts', 'id', 'at')
  // What a clock has written that was ahead, and was put right: its tokens end, its failures count as now.
  // Not tokens that were stored while this sweep waited for its turn: they lie ahead of the time with which it was called.
  const sweepTokensAhead = change(`DELETE FROM tokens WHERE id IN (
    SELECT id FROM tokens WHERE expires_at > ?1 + ${LONGEST_TOKEN_MS + AHEAD_MS}
      AND (recorded_by IS NOT ?2 OR recorded_at <= ?3 - ${LONGEST_TOKEN_MS + AHEAD_MS}) LIMIT +?4)`)
  const moveAttemptsAhead = change(`UPDATE attempts SET at = CAST(?1 AS INTEGER) WHERE id IN (
    SELECT id FROM attempts WHERE at > ?1 + ${AHEAD_MS} LIMIT +?2)`)

  return {
    ...createAttemptWrites(db),
    addSecret: change("INSERT INTO settings VALUES ('nonce_secret', ?) ON CONFLICT DO NOTHING"),

    addUser(id, paraphraseHash, now, roles) {
      if (addUser(id, paraphraseHash, now, rolesText(roles)) === 0) return false
      countUser()
      return true
    },
    setRoles(id, roles) {
      raiseGeneration()
      return setRoles(rolesText(roles), id) === 1
    },
    setParaphrase(id, paraphraseHash) {
      raiseGeneration()
      removeTokensOf.all(id)
      return setParaphrase(paraphraseHash, id) === 1
    },
    upgradeParaphrase: change('UPDATE users SET paraphrase_hash = ?3 WHERE id = ?1 AND paraphrase_hash = ?2'),
    removeUser(id) {
      raiseGeneration()
      return removeUser(id) === 1
    },

    /** Removes expired ones too: the clock may have been ahead. */
    revokeTokens(choice, now) {
      raiseGeneration()
      const revoke = () => {
        if (choice === 'all') return removeAllTokens.all()
        return 'tokenId' in choice ? removeToken.all(choice.tokenId) : removeTokensOf.all(choice.userId)
      }
      return revoke().filter(({ expiresAt }) => Number(expiresAt) > now).length
    },

    endTokenAhead(id, now) {
      if (endTokenAhead(id, now) > 0) raiseGeneration()
    },

    sweep(now, { user, address }, limit) {
      const ahead = sweepTokensAhead(now, MACHINE_CLOCK, machineNow(), limit)
      if (ahead > 0) raiseGeneration()
      const removed = [
        ahead,
        moveAttemptsAhead(now, limit),
        sweepTokens(now, limit),
        sweepNonces(now, limit),
        sweepAttempts(now - Math.max(user.windowMs, address.windowMs), limit),
      ]
      rememberTime(now)
      return removed.some((changes) => changes >= limit)
    },
  }
}
