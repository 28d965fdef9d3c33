import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { AHEAD_MS } from '../../../database/index.ts'
import type { CommandsFor } from '../../../database/sqlite/commands.ts'
import { MACHINE_CLOCK, machineNow } from '../../clock.ts'
import { type AuthStore, SPENT_GRACE_MS } from '../index.ts'

export const SERIES = "SELECT value FROM settings WHERE name = 'nonce_series'"

/** A statement that returns how many rows it changes. */
export type RunChange = (...params: SQLInputValue[]) => number

export function createChange(db: DatabaseSync, text: string): RunChange {
  const statement = db.prepare(text)
  return (...params) => Number(statement.run(...params).changes)
}

type AttemptWrite = 'begin' | 'reserve' | 'succeed' | 'fail' | 'cancel' | 'beginNonceSeries'
export type AttemptWrites = CommandsFor<Pick<AuthStore, AttemptWrite>>

/** The writes of step B: nonces are spent once, failures counted and limited. */
export function createAttemptWrites(db: DatabaseSync): AttemptWrites {
  const change = (text: string) => createChange(db, text)
  const throttledUntil = createThrottle(db, 'failed or running')
  const signIn = change('UPDATE users SET signed_in_at = ?3 WHERE id = ?1 AND paraphrase_hash = ?2')
  const addToken = change(`INSERT INTO tokens (hash, user_id, issued_at, expires_at, recorded_by, recorded_at)
    VALUES (?, ?, ?, ?, ?, ?)`)
  const spend = change('INSERT INTO spent_nonces VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const addAttempt = db.prepare(`INSERT INTO attempts (address, user_id, at, failed, recorded_by, recorded_at)
    VALUES (?, ?, ?, 0, ?, ?)`)
  const add = (address: string, claimed: number, now: number): number =>
    Number(addAttempt.run(address, claimed, now, MACHINE_CLOCK, machineNow()).lastInsertRowid)
  const removeAttempt = change('DELETE FROM attempts WHERE id = ?')
  const sweptAt = db.prepare("SELECT value FROM settings WHERE name = 'swept_at'")

  const series = db.prepare(SERIES)
  const rememberSeries = change(`INSERT INTO settings VALUES ('nonce_series', CAST(? AS INTEGER))
    ON CONFLICT DO UPDATE SET value = excluded.value`)
  const forgetTime = change("DELETE FROM settings WHERE name = 'swept_at'")
  const forgetNonces = change('DELETE FROM spent_nonces')
  /** Spent nonces and the time of the last sweep belong to earlier series, so they no longer matter. */
  function beginNonceSeries(begun: number): number {
    const present = Number(series.get()?.value ?? 0)
    if (begun <= present) return present
    rememberSeries(begun)
    forgetTime()
    forgetNonces()
    return begun
  }

  return {
    begin({ address, claimed, nonce, nonceExpiresAt, series: ofNonce, now, limits }) {
      // The row of the spent nonce may have been swept: a request that has waited this long looks the same as a replay.
      const spentUntil = nonceExpiresAt + SPENT_GRACE_MS
      if (now >= spentUntil) return { outcome: 'spent' }
      const retryAt = throttledUntil({ address, claimed }, limits, now)
      if (retryAt !== undefined) return { outcome: 'throttled', retryAt }
      const present = beginNonceSeries(ofNonce)
      if (present > ofNonce) return { outcome: 'spent', series: present }
      // A sweep may have removed the nonce, because its clock was ahead, or because this one is behind. In the next
      // series, nonces by this clock are accepted.
      if (Number(sweptAt.get()?.value ?? 0) >= spentUntil)
        return { outcome: 'spent', series: beginNonceSeries(ofNonce + 1) }
      if (spend(nonce, now, spentUntil) === 0) return { outcome: 'spent' }
      return { outcome: 'begun', attemptId: add(address, claimed, now) }
    },
    reserve(address, users, limits, now) {
      const times = users.map((claimed) => throttledUntil({ address, claimed }, limits, now) ?? 0)
      const retryAt = Math.max(...times)
      if (retryAt > 0) return { outcome: 'throttled', retryAt }
      return { outcome: 'reserved', attemptIds: users.map((claimed) => add(address, claimed, now)) }
    },
    beginNonceSeries,
    succeed(attemptId, { id, paraphraseHash }, now, token) {
      // The reservation stays: the caller may check again under it.
      if (signIn(id, paraphraseHash, now) === 0) return false
      removeAttempt(attemptId)
      if (token !== undefined)
        addToken(token.hash, id, token.issuedAt, token.expiresAt, MACHINE_CLOCK, machineNow())
      return true
    },
    fail: change('UPDATE attempts SET failed = 1 WHERE id = ?'),
    cancel: removeAttempt,
  }
}

/**
 * Returns the time at which enough of these attempts will be older than their window. An attempt is as old as the
 * machine's clock says, or older; an attempt in the future counts as now.
 */
export function createThrottle(
  db: DatabaseSync,
  counted: 'failed' | 'failed or running',
): CommandsFor<Pick<AuthStore, 'throttledUntil'>>['throttledUntil'] {
  const nthLast = (where: string) =>
    db.prepare(`SELECT time + :windowMs AS until FROM (
      SELECT at, failed, CASE WHEN recorded_by = :clock AND at > recorded_at + :shift + ${AHEAD_MS}
        THEN recorded_at + :shift ELSE min(at, :now) END AS time
      FROM attempts WHERE ${where} AND at > :now - :windowMs)
    WHERE time > :now - :windowMs AND failed >= ${counted === 'failed' ? 1 : 0}
    ORDER BY at DESC LIMIT 1 OFFSET +:failures - 1`)
  const ofUser = nthLast('address = :address AND user_id = :claimed')
  const ofAddress = nthLast('address = :address')

  return ({ address, claimed }, { user, address: all }, now) => {
    // `shift`: the difference between the machine's clock and that of `now`.
    const known = { address, now, clock: MACHINE_CLOCK, shift: now - machineNow() }
    const found = [ofUser.get({ ...known, claimed, ...user }), ofAddress.get({ ...known, ...all })].filter(
      (attempt) => attempt !== undefined,
    )
    return found.length === 0 ? undefined : Math.max(...found.map(({ until }) => Number(until)))
  }
}
