import type { DatabaseSync } from 'node:sqlite'
import type { CommandsFor } from '../../../database/sqlite/commands.ts'
import { type ArrayStatement, arrays, sharedNow } from '../../../database/sqlite/connection.ts'
import { type FollowerStore, toWait, toWaitRow, WAIT_COLUMNS, type WaitRow } from '../../followers.ts'

export type FollowerCommands = CommandsFor<
  Pick<FollowerStore, 'register' | 'claim' | 'renew' | 'release' | 'save' | 'skip' | 'resume' | 'rewind'>
>

type ClaimRow = [position: number, rewinds: number, lost: number, paused: string | null]

/** The writes of followers. Leases go by the machine's time since boot, which all processes of the file share. */
export function createCommands(db: DatabaseSync): FollowerCommands {
  const sql = createStatements(db)

  const createClaim =
    (statement: ArrayStatement): FollowerCommands['claim'] =>
    (name, holder, leaseMs) => {
      const row = statement.get<ClaimRow>(name, holder, Math.round(sharedNow()), leaseMs, Date.now())
      if (row === undefined) return undefined
      const [position, rewinds, lost, paused] = row
      const skipped = sql.skipped.all<[number]>(name).map(([one]) => one)
      return { ...{ position, rewinds, lost, skipped }, paused: paused ?? undefined, now: Date.now() }
    }

  return {
    register: (name) => void sql.register.run(name, Date.now()),
    claim: createClaim(sql.claim),
    renew: createClaim(sql.renew),
    release: (name, holder) => void sql.release.run(name, holder),
    save({ name, holder, rewinds }, { position, lost, error, paused, waits, settled }) {
      const text = [error?.text ?? null, error === undefined ? null : Math.round(error.at)] as const
      const saved = sql.save.run(name, holder, rewinds, position, lost, ...text, paused ?? null)
      if (saved.changes === 0) return false
      for (const { className, id } of settled) sql.settle.run(name, className, id)
      for (const wait of waits) sql.wait.run(name, ...toWaitRow(wait))
      return true
    },
    skip(name) {
      const row = sql.skip.get<WaitRow>(name)
      return row && toWait(row)
    },
    resume: (name) => sql.resume.run(name).changes > 0,
    rewind(name, position) {
      if (sql.rewind.run(name, position).changes === 0) return false
      sql.forget.run(name, position)
      return true
    },
  }
}

const claimText = (mayHave: string): string => `
  UPDATE followers SET holder = ?2, lease_until = ?3 + ?4, seen_at = ?5 WHERE name = ?1 AND ${mayHave}
  RETURNING position, rewinds, lost, paused`

function createStatements(db: DatabaseSync) {
  const sql = (text: string) => arrays(db, text)
  return {
    register: sql(`INSERT INTO followers (name, position, since, seen_at)
      SELECT ?1, coalesce(max(position), 0), ?2, ?2 FROM changes WHERE true ON CONFLICT DO NOTHING`),
    // A lease that ends later than a new one would is from before the last boot.
    claim: sql(claimText('(holder IS NULL OR lease_until NOT BETWEEN ?3 AND ?3 + ?4)')),
    renew: sql(claimText('holder = ?2')),
    skipped: sql('SELECT position FROM follower_waits WHERE follower = ? AND skipped = 1'),
    release: sql('UPDATE followers SET holder = NULL WHERE name = ? AND holder = ?'),
    save: sql(`UPDATE followers SET position = ?4, lost = ?5, error = coalesce(?6, error),
        error_at = coalesce(?7, error_at), paused = coalesce(?8, paused)
      WHERE name = ?1 AND holder = ?2 AND rewinds = ?3`),
    settle: sql('DELETE FROM follower_waits WHERE follower = ? AND class = ? AND id = ?'),
    // Passing over holds for the change that it was asked for.
    wait: sql(`INSERT INTO follower_waits (follower, ${WAIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET skipped = skipped AND position = excluded.position, position = excluded.position,
        attempts = excluded.attempts, next_at = excluded.next_at, error = excluded.error`),
    skip: sql(`UPDATE follower_waits SET skipped = 1 WHERE follower = ?1 AND skipped = 0 AND position =
        (SELECT min(position) FROM follower_waits WHERE follower = ?1 AND skipped = 0)
      RETURNING ${WAIT_COLUMNS}`),
    resume: sql('UPDATE followers SET paused = NULL WHERE name = ? AND paused IS NOT NULL'),
    rewind: sql(`UPDATE followers SET position = ?2, rewinds = rewinds + 1
      WHERE name = ?1 AND position > ?2`),
    forget: sql('DELETE FROM follower_waits WHERE follower = ? AND position > ?'),
  }
}
