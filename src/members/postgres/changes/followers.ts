import type { Pool, RunSql } from '../../../database/postgres/pool.ts'
import {
  type FollowerRow,
  type FollowerStore,
  summaryText,
  toSummary,
  toWait,
  toWaitRow,
  WAIT_COLUMNS,
  type WaitRow,
} from '../../followers.ts'
import { NOW } from '../history/history-statements.ts'
import { placeAll } from './changes.ts'

const REGISTER = `INSERT INTO followers (name, position, since, seen_at)
  SELECT $1, coalesce(max(position), 0), ${NOW}, ${NOW} FROM changes ON CONFLICT DO NOTHING`

// A lease that ends later than a new one would was given by a clock that was ahead.
const IS_FREE = `(holder IS NULL OR lease_until NOT BETWEEN ${NOW} AND ${NOW} + $3::bigint)`

const claimText = (mayHave: string): string => `
  UPDATE followers SET holder = $2, lease_until = ${NOW} + $3::bigint, seen_at = ${NOW}
  WHERE name = $1 AND ${mayHave}
  RETURNING position, rewinds, lost, paused, ${NOW},
    (SELECT json_agg(w.position)::text FROM follower_waits w WHERE w.follower = $1 AND w.skipped = 1)`

const SAVE = `
  WITH saved AS (
    UPDATE followers SET position = $4::bigint, lost = $5::bigint, error = coalesce($6, error),
      error_at = coalesce($7::bigint, error_at), paused = coalesce($8, paused)
    WHERE name = $1 AND holder = $2 AND rewinds = $3::bigint RETURNING name
  ), settled AS (
    DELETE FROM follower_waits w USING saved, json_array_elements($9::text::json) AS gone (value)
    WHERE w.follower = saved.name AND w.class = (value ->> 0) COLLATE "C" AND w.id = (value ->> 1) COLLATE "C"
  ), waits AS (
    INSERT INTO follower_waits AS w (follower, ${WAIT_COLUMNS})
    SELECT saved.name, value ->> 0, value ->> 1, (value ->> 2)::bigint, (value ->> 3)::bigint,
      (value ->> 4)::bigint, value ->> 5
    FROM saved, json_array_elements($10::text::json) AS given (value)
    ON CONFLICT (follower, class, id) DO UPDATE SET
      skipped = CASE WHEN w.position = excluded.position THEN w.skipped ELSE 0 END,
      position = excluded.position, attempts = excluded.attempts, next_at = excluded.next_at, error = excluded.error
  )
  SELECT 1 FROM saved`

const SKIP = `UPDATE follower_waits SET skipped = 1 WHERE follower = $1 AND skipped = 0 AND position =
    (SELECT min(position) FROM follower_waits WHERE follower = $1 AND skipped = 0)
  RETURNING ${WAIT_COLUMNS}`

const REWIND = `
  WITH sent AS (
    UPDATE followers SET position = $2::bigint, rewinds = rewinds + 1
    WHERE name = $1 AND position > $2::bigint RETURNING name
  ), forgotten AS (
    DELETE FROM follower_waits w USING sent WHERE w.follower = sent.name AND w.position > $2::bigint
  )
  SELECT 1 FROM sent`

type ClaimedRow = [
  position: number,
  rewinds: number,
  lost: number,
  paused: string | null,
  now: number,
  skipped: string | null,
]

const createClaim =
  (run: RunSql, text: string): FollowerStore['claim'] =>
  async (name, holder, leaseMs) => {
    const [row] = await run<ClaimedRow>(text, [name, holder, leaseMs])
    if (row === undefined) return undefined
    const [position, rewinds, lost, paused, now, skipped] = row
    return {
      ...{ position, rewinds, lost, paused: paused ?? undefined, now },
      skipped: JSON.parse(skipped ?? '[]'),
    }
  }

/** The positions of followers. Saving again what was saved changes nothing. */
export function openFollowers({ run }: Pool): FollowerStore {
  return {
    async register(name) {
      const known = await run('SELECT 1 FROM followers WHERE name = $1', [name])
      if (known.length > 0) return
      // The end of the log is after everything that is committed.
      await placeAll(run)
      await run(REGISTER, [name])
    },
    claim: createClaim(run, claimText(IS_FREE)),
    renew: createClaim(run, claimText('holder = $2')),
    async release(name, holder) {
      await run('UPDATE followers SET holder = NULL WHERE name = $1 AND holder = $2', [name, holder])
    },
    async save({ name, holder, rewinds }, { position, lost, error, paused, waits, settled }) {
      const text = [error?.text ?? null, error === undefined ? null : Math.round(error.at)]
      const gone = settled.map(({ className, id }) => [className, id])
      const rows = [JSON.stringify(gone), JSON.stringify(waits.map(toWaitRow))]
      const params = [name, holder, rewinds, position, lost, ...text, paused ?? null, ...rows]
      return (await run(SAVE, params)).length > 0
    },
    async waits(name) {
      const text = `SELECT ${WAIT_COLUMNS} FROM follower_waits WHERE follower = $1`
      return (await run<WaitRow>(text, [name])).map(toWait)
    },
    async firstPosition() {
      const [row] = await run<[number | null]>('SELECT first_position()')
      return row?.[0] ?? undefined
    },
    async list() {
      await placeAll(run)
      const isHeld = `CASE WHEN f.holder IS NOT NULL AND f.lease_until >= ${NOW} THEN 1 ELSE 0 END`
      const [time] = await run<[number]>(`SELECT ${NOW}`)
      const rows = await run<FollowerRow>(summaryText(isHeld))
      return rows.map((row) => toSummary(row, time?.[0] ?? 0))
    },
    async skip(name) {
      const [row] = await run<WaitRow>(SKIP, [name])
      return row && toWait(row)
    },
    resume: async (name) =>
      (
        await run('UPDATE followers SET paused = NULL WHERE name = $1 AND paused IS NOT NULL RETURNING 1', [
          name,
        ])
      ).length > 0,
    rewind: async (name, position) => (await run(REWIND, [name, position])).length > 0,
  }
}
