import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../bounded-map.ts'
import { rolesOf, rolesText, SPENT_GRACE_MS } from '../auth-store.ts'
import type {
  Attempter,
  AuthStore,
  FailureLimits,
  Standing,
  Token,
  TokenChoice,
  User,
  UserEntry,
} from '../store.ts'
import type { ForeignWrites } from './connection.ts'
import { reading } from './errors.ts'
import type { Writer } from './group-commit.ts'

export function openAuthStore(db: DatabaseSync, writer: Writer, foreignWrites: ForeignWrites): AuthStore {
  const statements = prepare(db)
  const tokens = createTokenCache(db, foreignWrites)

  /** All that ends tokens, or changes what is kept beside them, goes through here, so that every process hears of it. */
  function ending<T>(work: () => T): Promise<T> {
    return writer.write(() => {
      tokens.forgetAll()
      return work()
    })
  }

  return {
    async nonceSecret() {
      const found = statements.secret.get()
      if (found !== undefined) return Buffer.from(found.value as Uint8Array)
      await writer.write(() => statements.addSecret.run(randomBytes(32)))
      return Buffer.from(statements.secret.get()?.value as Uint8Array)
    },
    latestTime: async () => Number(statements.latestTime.get()?.latest ?? 0),

    findUser: (id) => reading(() => withRoles<User>(statements.user.get(id))),
    listUsers: async (now) =>
      reading(() => statements.users.all(now).flatMap((row) => withRoles<UserEntry>(row) ?? [])),
    hashParameters: async () =>
      reading(() => statements.hashParameters.all().map(({ parameters }) => String(parameters))),
    addUser: (id, paraphraseHash, now, roles) =>
      writer.write(() => {
        if (statements.addUser.run(id, paraphraseHash, now, rolesText(roles)).changes === 0) return false
        statements.countUser.run()
        return true
      }),
    setRoles: (id, roles) => ending(() => statements.setRoles.run(rolesText(roles), id).changes === 1),
    setParaphrase: (id, paraphraseHash) =>
      ending(() => {
        statements.removeTokensOf.all(id)
        return statements.setParaphrase.run(paraphraseHash, id).changes === 1
      }),
    async upgradeParaphrase(id, from, to) {
      await writer.write(() => statements.upgradeParaphrase.run(to, id, from))
    },
    removeUser: (id) => ending(() => statements.removeUser.run(id).changes === 1),

    isSpent: (nonce) => reading(() => statements.isSpent.get(nonce) !== undefined),
    throttledUntil: (attempter, limits, now) => reading(() => throttledUntil(attempter, limits, now, 1)),
    // Lightly: whether it counts is decided by what follows, which is on disk only behind it.
    begin: ({ address, userId, nonce, nonceExpiresAt, now, limits }) =>
      writer.writeLightly(() => {
        // Its row may have been swept: a request that waited so long cannot be told from one that comes again.
        const spentUntil = nonceExpiresAt + SPENT_GRACE_MS
        if (now >= spentUntil) return { outcome: 'spent' }
        const retryAt = throttledUntil({ address, userId }, limits, now, 0)
        if (retryAt !== undefined) return { outcome: 'throttled', retryAt }
        const spent = statements.spend.run(nonce, now, spentUntil)
        if (spent.changes === 0) return { outcome: 'spent' }
        // The clock may have been ahead when it was swept, and so may that of another process.
        const sweptAt = Number(statements.sweptAt.get()?.value ?? 0)
        if (sweptAt >= spentUntil) return { outcome: 'spent', sweptAt }
        const attemptId = Number(statements.addAttempt.run(address, userId, now).lastInsertRowid)
        return { outcome: 'begun', attemptId }
      }),
    succeed: (attemptId, { id, paraphraseHash }, token) =>
      writer.write(() => {
        // While the answer is no the reservation stays: the caller may check again under it.
        if (statements.isUnchanged.get(id, paraphraseHash) === undefined) return false
        statements.removeAttempt.run(attemptId)
        if (token !== undefined) statements.addToken.run(token.hash, id, token.issuedAt, token.expiresAt)
        return true
      }),
    async fail(attemptId) {
      await writer.writeLightly(() => statements.failAttempt.run(attemptId))
    },
    async giveBack(attemptId) {
      await writer.writeLightly(() => statements.removeAttempt.run(attemptId))
    },

    findToken: (hash) => reading(() => tokens.find(hash)),
    listTokens: async (now) => reading(() => statements.tokens.all(now) as unknown as Token[]),
    // All go, whatever is taken for now here: the clock may have been ahead.
    revokeTokens: (choice, now) =>
      ending(() => revoke(choice).filter(({ expiresAt }) => Number(expiresAt) > now).length),

    sweep(now, limits, limit) {
      const longestWindowMs = Math.max(limits.user.windowMs, limits.address.windowMs)
      return writer.writeLightly(() => {
        const removed = [
          statements.sweepTokens.run(now, limit).changes,
          statements.sweepNonces.run(now, limit).changes,
          statements.sweepAttempts.run(now - longestWindowMs, limit).changes,
        ]
        statements.rememberTime.run(now)
        return removed.some((changes) => Number(changes) >= limit)
      })
    },
  }

  function revoke(choice: TokenChoice) {
    if (choice === 'all') return statements.removeAllTokens.all()
    if ('tokenId' in choice) return statements.removeToken.all(choice.tokenId)
    return statements.removeTokensOf.all(choice.userId)
  }

  /** The time at which enough attempts will be older than their window; `failed` 0 counts running ones too. */
  function throttledUntil(
    { address, userId }: Attempter,
    { user, address: all }: FailureLimits,
    now: number,
    failed: 0 | 1,
  ): number | undefined {
    const { attemptsOfUser, attemptsOfAddress } = statements
    const byUser = attemptsOfUser.get(address, userId, now - user.windowMs, failed, user.failures - 1)
    const byAddress = attemptsOfAddress.get(address, now - all.windowMs, failed, all.failures - 1)
    const ends = [
      ...(byUser === undefined ? [] : [Number(byUser.at) + user.windowMs]),
      ...(byAddress === undefined ? [] : [Number(byAddress.at) + all.windowMs]),
    ]
    return ends.length === 0 ? undefined : Math.max(...ends)
  }
}

/** A row that has a user's roles as text. */
const withRoles = <T extends Standing>(row: Readonly<Record<string, unknown>> | undefined): T | undefined =>
  row && ({ ...row, roles: rolesOf(String(row.roles)) } as unknown as T)

/** More tokens than this in use at once are read from the database now and then. */
const REMEMBERED = 10_000

/**
 * Finds tokens in memory, and yet exactly: when another connection has written, the generation tells whether
 * that ended any token or changed roles. Other writes do not empty the memory.
 */
function createTokenCache(db: DatabaseSync, foreignWrites: ForeignWrites) {
  const generation = db.prepare("SELECT value FROM settings WHERE name = 'token_generation'")
  const advance = db.prepare(`INSERT INTO settings VALUES ('token_generation', 1)
    ON CONFLICT DO UPDATE SET value = value + 1`)
  const byHash =
    db.prepare(`SELECT t.id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt, number, roles
    FROM tokens AS t JOIN users AS u ON u.id = user_id WHERE hash = ?`)
  const remembered = new BoundedMap<string, Token & Standing>(REMEMBERED)
  let seenWrites: number | undefined
  let seenGeneration: unknown

  function forgetEnded(): void {
    const writes = foreignWrites()
    if (writes === seenWrites) return
    const current = generation.get()?.value
    if (current !== seenGeneration) remembered.clear()
    seenGeneration = current
    seenWrites = writes
  }

  return {
    find(hash: string): (Token & Standing) | undefined {
      forgetEnded()
      const known = remembered.get(hash)
      if (known !== undefined) return known
      const token = withRoles<Token & Standing>(byHash.get(hash))
      if (token !== undefined) remembered.set(hash, token)
      return token
    },
    /** Call inside the transaction that ends tokens or changes roles: this process forgets all, the others will when they look. */
    forgetAll(): void {
      advance.run()
      remembered.clear()
    },
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string) => db.prepare(text)
  return {
    secret: sql("SELECT value FROM settings WHERE name = 'nonce_secret'"),
    addSecret: sql("INSERT INTO settings VALUES ('nonce_secret', ?) ON CONFLICT DO NOTHING"),
    latestTime: sql(`SELECT max(
      coalesce((SELECT max(issued_at) FROM tokens), 0),
      coalesce((SELECT max(spent_at) FROM spent_nonces), 0),
      coalesce((SELECT value FROM settings WHERE name = 'swept_at'), 0)) AS latest`),
    sweptAt: sql("SELECT value FROM settings WHERE name = 'swept_at'"),
    // The column takes any type, and node binds every number as a REAL.
    rememberTime: sql(`INSERT INTO settings VALUES ('swept_at', CAST(? AS INTEGER))
      ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`),

    user: sql('SELECT id, paraphrase_hash AS paraphraseHash, number, roles FROM users WHERE id = ?'),
    users: sql(`SELECT id, added_at AS addedAt, number, roles,
      (SELECT count(*) FROM tokens WHERE user_id = users.id AND expires_at > ?) AS liveTokens FROM users ORDER BY id`),
    hashParameters:
      sql(`SELECT DISTINCT substr(paraphrase_hash, 1, at + instr(substr(paraphrase_hash, at + 1), '$'))
      AS parameters FROM (SELECT paraphrase_hash, instr(paraphrase_hash, ',p=') AS at FROM users) WHERE at > 0`),
    addUser: sql(`INSERT INTO users (id, paraphrase_hash, added_at, number, roles)
      SELECT ?, ?, ?, value + 1, ? FROM settings WHERE name = 'user_number' ON CONFLICT (id) DO NOTHING`),
    countUser: sql("UPDATE settings SET value = value + 1 WHERE name = 'user_number'"),
    setRoles: sql('UPDATE users SET roles = ? WHERE id = ?'),
    setParaphrase: sql('UPDATE users SET paraphrase_hash = ? WHERE id = ?'),
    upgradeParaphrase: sql('UPDATE users SET paraphrase_hash = ? WHERE id = ? AND paraphrase_hash = ?'),
    removeUser: sql('DELETE FROM users WHERE id = ?'),
    isUnchanged: sql('SELECT 1 FROM users WHERE id = ? AND paraphrase_hash = ?'),

    isSpent: sql('SELECT 1 FROM spent_nonces WHERE nonce = ?'),
    spend: sql('INSERT INTO spent_nonces VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),

    attemptsOfUser: sql(`SELECT at FROM attempts
      WHERE address = ? AND user_id = ? AND at > ? AND failed >= ? ORDER BY at DESC LIMIT 1 OFFSET +?`),
    attemptsOfAddress: sql(`SELECT at FROM attempts
      WHERE address = ? AND at > ? AND failed >= ? ORDER BY at DESC LIMIT 1 OFFSET +?`),
    addAttempt: sql('INSERT INTO attempts (address, user_id, at, failed) VALUES (?, ?, ?, 0)'),
    removeAttempt: sql('DELETE FROM attempts WHERE id = ?'),
    failAttempt: sql('UPDATE attempts SET failed = 1 WHERE id = ?'),

    tokens: sql(`SELECT id, user_id AS userId, issued_at AS issuedAt, expires_at AS expiresAt
      FROM tokens WHERE expires_at > ? ORDER BY id`),
    addToken: sql('INSERT INTO tokens (hash, user_id, issued_at, expires_at) VALUES (?, ?, ?, ?)'),
    removeTokensOf: sql('DELETE FROM tokens WHERE user_id = ? RETURNING expires_at AS expiresAt'),
    removeToken: sql('DELETE FROM tokens WHERE id = ? RETURNING expires_at AS expiresAt'),
    removeAllTokens: sql('DELETE FROM tokens RETURNING expires_at AS expiresAt'),

    sweepTokens: sql('DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE expires_at <= ? LIMIT +?)'),
    sweepNonces: sql(
      'DELETE FROM spent_nonces WHERE nonce IN (SELECT nonce FROM spent_nonces WHERE expires_at <= ? LIMIT +?)',
    ),
    sweepAttempts: sql('DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE at <= ? LIMIT +?)'),
  }
}
