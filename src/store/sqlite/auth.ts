import { randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { rolesOf, rolesText, SPENT_GRACE_MS } from '../auth-store.ts'
import type { AuthStore, Token, User, UserEntry, UserRoles } from '../index.ts'
import type { DataVersion } from './connection.ts'
import type { FileWatch } from './file-watch.ts'
import type { CommandsFor, Writer } from './group-commit.ts'

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
    (SELECT count(*) FROM tokens WHERE user_id = users.id AND expires_at > ?) AS liveTokens FROM users ORDER BY id`)
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
    FROM tokens WHERE expires_at > ? ORDER BY id`)
  const throttledUntil = createThrottle(db, 'failed')
  const findToken = createTokenCache(db, dataVersion)

  return {
    async nonceSecret() {
      const found = secret.get()
      if (found !== undefined) return Buffer.from(found.value as Uint8Array)
      await writer.write('addSecret', [randomBytes(32)])
      return Buffer.from(secret.get()?.value as Uint8Array)
    },
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

    findToken: (hash) => file.read(() => findToken(hash)),
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

  return (hash: string): (Token & UserRoles) | undefined => {
    forgetEnded()
    const known = cached.get(hash)
    if (known !== undefined) return known
    const token = withRoles<Token & UserRoles>(byHash.get(hash))
    if (token !== undefined) cached.set(hash, token)
    return token
  }
}

type UserWrite = 'addUser' | 'setRoles' | 'setParaphrase' | 'upgradeParaphrase' | 'removeUser'
type TokenWrite = 'begin' | 'succeed' | 'fail' | 'cancel' | 'revokeTokens' | 'sweep'
type AuthWrites = CommandsFor<Pick<AuthStore, UserWrite | TokenWrite>> & { addSecret(key: Uint8Array): void }

/** Changes of users, tokens and attempts, each made within a transaction of the group commit. */
export function createAuthWrites(db: DatabaseSync): AuthWrites {
  /** Returns how many rows it changes. */
  const change = (text: string) => {
    const statement = db.prepare(text)
    return (...params: SQLInputValue[]): number => Number(statement.run(...params).changes)
  }
  const increment = (setting: string) =>
    change(`INSERT INTO settings VALUES ('${setting}', 1) ON CONFLICT DO UPDATE SET value = value + 1`)
  const removeExpired = (table: string, key: string, time: string) =>
    change(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${time} <= ? LIMIT +?)`)
  const removeTokens = (where: string) =>
    db.prepare(`DELETE FROM tokens ${where} RETURNING expires_at AS expiresAt`)

  const throttledUntil = createThrottle(db, 'failed or running')
  const addUser = change(`INSERT INTO users (id, paraphrase_hash, added_at, number, roles)
    SELECT ?, ?, ?, value + 1, ? FROM settings WHERE name = 'user_number' ON CONFLICT (id) DO NOTHING`)
  const countUser = increment('user_number')
  const setRoles = change('UPDATE users SET roles = ? WHERE id = ?')
  const setParaphrase = change('UPDATE users SET paraphrase_hash = ? WHERE id = ?')
  const removeUser = change('DELETE FROM users WHERE id = ?')
  const isUnchanged = db.prepare('SELECT 1 FROM users WHERE id = ? AND paraphrase_hash = ?')

  const spend = change('INSERT INTO spent_nonces VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const addAttempt = db.prepare('INSERT INTO attempts (address, user_id, at, failed) VALUES (?, ?, ?, 0)')
  const removeAttempt = change('DELETE FROM attempts WHERE id = ?')

  /** Makes every process empty its cache of tokens, since tokens have ended or roles have changed. */
  const raiseGeneration = increment('token_generation')
  const addToken = change('INSERT INTO tokens (hash, user_id, issued_at, expires_at) VALUES (?, ?, ?, ?)')
  const removeTokensOf = removeTokens('WHERE user_id = ?')
  const removeToken = removeTokens('WHERE id = ?')
  const removeAllTokens = removeTokens('')

  const sweptAt = db.prepare("SELECT value FROM settings WHERE name = 'swept_at'")
  // The column has any type, and node:sqlite binds every number as a REAL.
  const rememberTime = change(`INSERT INTO settings VALUES ('swept_at', CAST(? AS INTEGER))
    ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`)
  const sweepTokens = removeExpired('tokens', 'id', 'expires_at')
  const sweepNonces = removeExpired('spent_nonces', 'nonce', 'expires_at')
  const sweepAttempts = removeExpired('attempts', 'id', 'at')

  return {
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

    begin({ address, userId, nonce, nonceExpiresAt, now, limits }) {
      // The row of the spent nonce may have been swept: a request that waited so long looks the same as a replay.
      const spentUntil = nonceExpiresAt + SPENT_GRACE_MS
      if (now >= spentUntil) return { outcome: 'spent' }
      const retryAt = throttledUntil({ address, userId }, limits, now)
      if (retryAt !== undefined) return { outcome: 'throttled', retryAt }
      if (spend(nonce, now, spentUntil) === 0) return { outcome: 'spent' }
      // The sweep may have used a clock that was ahead.
      const swept = Number(sweptAt.get()?.value ?? 0)
      if (swept >= spentUntil) return { outcome: 'spent', sweptAt: swept }
      const attemptId = Number(addAttempt.run(address, userId, now).lastInsertRowid)
      return { outcome: 'begun', attemptId }
    },
    succeed(attemptId, { id, paraphraseHash }, token) {
      // The reservation stays: the caller may check again under it.
      if (isUnchanged.get(id, paraphraseHash) === undefined) return false
      removeAttempt(attemptId)
      if (token !== undefined) addToken(token.hash, id, token.issuedAt, token.expiresAt)
      return true
    },
    fail: change('UPDATE attempts SET failed = 1 WHERE id = ?'),
    cancel: removeAttempt,

    /** Removes expired ones too: the clock may have been ahead. */
    revokeTokens(choice, now) {
      raiseGeneration()
      const revoke = () => {
        if (choice === 'all') return removeAllTokens.all()
        return 'tokenId' in choice ? removeToken.all(choice.tokenId) : removeTokensOf.all(choice.userId)
      }
      return revoke().filter(({ expiresAt }) => Number(expiresAt) > now).length
    },

    sweep(now, { user, address }, limit) {
      const removed = [
        sweepTokens(now, limit),
        sweepNonces(now, limit),
        sweepAttempts(now - Math.max(user.windowMs, address.windowMs), limit),
      ]
      rememberTime(now)
      return removed.some((changes) => changes >= limit)
    },
  }
}

/** Returns the time at which enough of these attempts will be older than their window. */
function createThrottle(
  db: DatabaseSync,
  counted: 'failed' | 'failed or running',
): CommandsFor<Pick<AuthStore, 'throttledUntil'>>['throttledUntil'] {
  const nthLast = (where: string) =>
    db.prepare(`SELECT at + ? AS until FROM attempts
      WHERE ${where} AND at > ? AND failed >= ${counted === 'failed' ? 1 : 0} ORDER BY at DESC LIMIT 1 OFFSET +?`)
  const ofUser = nthLast('address = ? AND user_id = ?')
  const ofAddress = nthLast('address = ?')

  return ({ address, userId }, { user, address: all }, now) => {
    const found = [
      ofUser.get(user.windowMs, address, userId, now - user.windowMs, user.failures - 1),
      ofAddress.get(all.windowMs, address, now - all.windowMs, all.failures - 1),
    ].filter((attempt) => attempt !== undefined)
    return found.length === 0 ? undefined : Math.max(...found.map(({ until }) => Number(until)))
  }
}
