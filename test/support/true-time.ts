import { execute } from './databases.ts'

/** The clock of a host: `ahead` of true time, or behind it. */
export interface HostTime {
  ahead: number
  readonly now: number
}

export interface TrueTime {
  readonly now: number
  newHost(ahead?: number): HostTime
  pass(ms: number): Promise<void>
}

/**
 * True time, which tests let pass: for the clocks of hosts, and for the one that tells the age of what is stored. That is
 * PostgreSQL's own, which is right; and for SQLite the machine's, which nobody sets: rows become older instead. The tables
 * must be there.
 */
export async function startTrueTime(db: string, start: number): Promise<TrueTime> {
  let now = start
  const setDatabase = () =>
    execute(db, {
      sqlite: '',
      postgres: `CREATE OR REPLACE FUNCTION clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ${now}::bigint'`,
    })
  await setDatabase()
  return {
    get now() {
      return now
    },
    newHost: (ahead = 0) => ({
      ahead,
      get now() {
        return now + this.ahead
      },
    }),
    async pass(ms) {
      now += ms
      if (!db.startsWith('sqlite:')) return setDatabase()
      const older = (table: string) => `UPDATE ${table} SET recorded_at = recorded_at - ${ms}`
      await execute(db, { sqlite: `${older('tokens')}; ${older('attempts')}`, postgres: '' })
    },
  }
}
