import type { DatabaseSync } from 'node:sqlite'
import { AHEAD_MS } from '../../../database/index.ts'
import type { CommandsFor } from '../../../database/sqlite/commands.ts'
import { MACHINE_CLOCK, machineNow } from '../../clock.ts'
import { type AuthStore, LONGEST_TOKEN_MS } from '../index.ts'
import { type AttemptWrites, createAttemptWrites, createChange, type RunChange } from './attempts.ts'
import { createUserWrites, increment, type UserWrites } from './users.ts'

type TokenWrites = CommandsFor<Pick<AuthStore, 'revokeTokens' | 'endTokenAhead'>>
type SweepWrites = CommandsFor<Pick<AuthStore, 'sweep'>>

export interface AuthWrites extends AttemptWrites, UserWrites, TokenWrites, SweepWrites {
  addSecret(key: Uint8Array): void
}

/** Changes of users, tokens and attempts, each made within a transaction of the group commit. */
export function createCommands(db: DatabaseSync): AuthWrites {
  const change: PrepareChange = (text) => createChange(db, text)
  /** Makes every process empty its cache of tokens, since tokens have ended or roles have changed. */
  const raiseGeneration = increment(db, 'token_generation')
  return {
    ...createAttemptWrites(db),
    ...createUserWrites(db, raiseGeneration),
    ...createTokenWrites(db, raiseGeneration),
    ...createSweep(change, raiseGeneration),
    addSecret: change("INSERT INTO settings VALUES ('nonce_secret', ?) ON CONFLICT DO NOTHING"),
  }
}

type PrepareChange = (text: string) => RunChange

function createTokenWrites(db: DatabaseSync, raiseGeneration: () => void): TokenWrites {
  const removeTokens = (where: string) =>
    db.prepare(`DELETE FROM tokens ${where} RETURNING expires_at AS expiresAt`)
  const removeTokensOf = removeTokens('WHERE user_id = ?')
  const removeToken = removeTokens('WHERE id = ?')
  const removeAllTokens = removeTokens('')
  const endTokenAhead = createChange(db, `DELETE FROM tokens WHERE id = ? AND issued_at > ? + ${AHEAD_MS}`)
  return {
    /** Removes expired tokens too: the clock may have been ahead. */
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
  }
}

function createSweep(change: PrepareChange, raiseGeneration: () => void): SweepWrites {
  const removeExpired = (table: string, key: string, time: string) =>
    change(`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${time} <= ? LIMIT +?)`)
  // The column has any type, and node:sqlite binds every number as a REAL.
  const rememberTime = change(`INSERT INTO settings VALUES ('swept_at', CAST(? AS INTEGER))
    ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`)
  const sweepTokens = removeExpired('tokens', 'id', 'expires_at')
  const sweepNonces = removeExpired('spent_nonces', 'nonce', 'expires_at')
  const sweepAttempts = removeExpired('attempts', 'id', 'at')
  // Rows that were written while the clock was ahead: tokens end, and failures count as now.
  // Tokens stored while this sweep waited for its turn are excluded: they are later than the time of its call.
  const sweepTokensAhead = change(`DELETE FROM tokens WHERE id IN (
    SELECT id FROM tokens WHERE expires_at > ?1 + ${LONGEST_TOKEN_MS + AHEAD_MS}
      AND (recorded_by IS NOT ?2 OR recorded_at <= ?3 - ${LONGEST_TOKEN_MS + AHEAD_MS}) LIMIT +?4)`)
  const moveAttemptsAhead = change(`UPDATE attempts SET at = CAST(?1 AS INTEGER) WHERE id IN (
    SELECT id FROM attempts WHERE at > ?1 + ${AHEAD_MS} LIMIT +?2)`)
  return {
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
