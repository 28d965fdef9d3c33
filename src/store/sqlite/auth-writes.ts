import type { DatabaseSync } from 'node:sqlite'
import { rolesText, SPENT_GRACE_MS } from '../auth-store.ts'
import type { Attempt, Attempter, Begun, FailureLimits, NewToken, TokenChoice, Verified } from '../store.ts'

/** Changes of users, tokens and attempts, each made within a transaction of the group commit. */
export function createAuthWrites(db: DatabaseSync) {
  const statements = prepare(db)
  const throttledUntil = createThrottle(db)

  function revoke(choice: TokenChoice) {
    if (choice === 'all') return statements.removeAllTokens.all()
    if ('tokenId' in choice) return statements.removeToken.all(choice.tokenId)
    return statements.removeTokensOf.all(choice.userId)
  }

  return {
    addSecret(secret: Uint8Array): void {
      statements.addSecret.run(secret)
    },

    addUser(id: number, paraphraseHash: string, now: number, roles?: readonly string[]): boolean {
      if (statements.addUser.run(id, paraphraseHash, now, rolesText(roles)).changes === 0) return false
      statements.countUser.run()
      return true
    },
    setRoles(id: number, roles: readonly string[]): boolean {
      statements.raiseGeneration.run()
      return statements.setRoles.run(rolesText(roles), id).changes === 1
    },
    setParaphrase(id: number, paraphraseHash: string): boolean {
      statements.raiseGeneration.run()
      statements.removeTokensOf.all(id)
      return statements.setParaphrase.run(paraphraseHash, id).changes === 1
    },
    upgradeParaphrase(id: number, from: string, to: string): void {
      statements.upgradeParaphrase.run(to, id, from)
    },
    removeUser(id: number): boolean {
      statements.raiseGeneration.run()
      return statements.removeUser.run(id).changes === 1
    },

    begin({ address, userId, nonce, nonceExpiresAt, now, limits }: Attempt): Begun {
      // The row of the spent nonce may have been swept: a request that waited so long looks the same as a replay.
      const spentUntil = nonceExpiresAt + SPENT_GRACE_MS
      if (now >= spentUntil) return { outcome: 'spent' }
      const retryAt = throttledUntil({ address, userId }, limits, now, 0)
      if (retryAt !== undefined) return { outcome: 'throttled', retryAt }
      const spent = statements.spend.run(nonce, now, spentUntil)
      if (spent.changes === 0) return { outcome: 'spent' }
      // The sweep may have used a clock that was ahead.
      const sweptAt = Number(statements.sweptAt.get()?.value ?? 0)
      if (sweptAt >= spentUntil) return { outcome: 'spent', sweptAt }
      const attemptId = Number(statements.addAttempt.run(address, userId, now).lastInsertRowid)
      return { outcome: 'begun', attemptId }
    },
    succeed(attemptId: number, { id, paraphraseHash }: Verified, token: NewToken | undefined): boolean {
      // The reservation stays: the caller may check again under it.
      if (statements.isUnchanged.get(id, paraphraseHash) === undefined) return false
      statements.removeAttempt.run(attemptId)
      if (token !== undefined) statements.addToken.run(token.hash, id, token.issuedAt, token.expiresAt)
      return true
    },
    fail(attemptId: number): void {
      statements.failAttempt.run(attemptId)
    },
    cancel(attemptId: number): void {
      statements.removeAttempt.run(attemptId)
    },

    /** Removes expired ones too: the clock may have been ahead. */
    revokeTokens(choice: TokenChoice, now: number): number {
      statements.raiseGeneration.run()
      return revoke(choice).filter(({ expiresAt }) => Number(expiresAt) > now).length
    },

    sweep(now: number, limits: FailureLimits, limit: number): boolean {
      const longestWindowMs = Math.max(limits.user.windowMs, limits.address.windowMs)
      const removed = [
        statements.sweepTokens.run(now, limit).changes,
        statements.sweepNonces.run(now, limit).changes,
        statements.sweepAttempts.run(now - longestWindowMs, limit).changes,
      ]
      statements.rememberTime.run(now)
      return removed.some((changes) => Number(changes) >= limit)
    },
  }
}

/** Returns the time at which enough attempts will be older than their window; `failed` 0 counts running ones too. */
export function createThrottle(db: DatabaseSync) {
  const attemptsOfUser = db.prepare(`SELECT at FROM attempts
    WHERE address = ? AND user_id = ? AND at > ? AND failed >= ? ORDER BY at DESC LIMIT 1 OFFSET +?`)
  const attemptsOfAddress = db.prepare(`SELECT at FROM attempts
    WHERE address = ? AND at > ? AND failed >= ? ORDER BY at DESC LIMIT 1 OFFSET +?`)

  return (
    { address, userId }: Attempter,
    { user, address: all }: FailureLimits,
    now: number,
    failed: 0 | 1,
  ): number | undefined => {
    const byUser = attemptsOfUser.get(address, userId, now - user.windowMs, failed, user.failures - 1)
    const byAddress = attemptsOfAddress.get(address, now - all.windowMs, failed, all.failures - 1)
    const ends = [
      ...(byUser === undefined ? [] : [Number(byUser.at) + user.windowMs]),
      ...(byAddress === undefined ? [] : [Number(byAddress.at) + all.windowMs]),
    ]
    return ends.length === 0 ? undefined : Math.max(...ends)
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string) => db.prepare(text)
  return {
    addSecret: sql("INSERT INTO settings VALUES ('nonce_secret', ?) ON CONFLICT DO NOTHING"),
    sweptAt: sql("SELECT value FROM settings WHERE name = 'swept_at'"),
    // The column has any type, and node:sqlite binds every number as a REAL.
    rememberTime: sql(`INSERT INTO settings VALUES ('swept_at', CAST(? AS INTEGER))
      ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`),

    addUser: sql(`INSERT INTO users (id, paraphrase_hash, added_at, number, roles)
      SELECT ?, ?, ?, value + 1, ? FROM settings WHERE name = 'user_number' ON CONFLICT (id) DO NOTHING`),
    countUser: sql("UPDATE settings SET value = value + 1 WHERE name = 'user_number'"),
    setRoles: sql('UPDATE users SET roles = ? WHERE id = ?'),
    setParaphrase: sql('UPDATE users SET paraphrase_hash = ? WHERE id = ?'),
    upgradeParaphrase: sql('UPDATE users SET paraphrase_hash = ? WHERE id = ? AND paraphrase_hash = ?'),
    removeUser: sql('DELETE FROM users WHERE id = ?'),
    isUnchanged: sql('SELECT 1 FROM users WHERE id = ? AND paraphrase_hash = ?'),

    spend: sql('INSERT INTO spent_nonces VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),

    addAttempt: sql('INSERT INTO attempts (address, user_id, at, failed) VALUES (?, ?, ?, 0)'),
    removeAttempt: sql('DELETE FROM attempts WHERE id = ?'),
    failAttempt: sql('UPDATE attempts SET failed = 1 WHERE id = ?'),

    /** Makes every process empty its cache of tokens, since tokens have ended or roles have changed. */
    raiseGeneration: sql(`INSERT INTO settings VALUES ('token_generation', 1)
      ON CONFLICT DO UPDATE SET value = value + 1`),
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
