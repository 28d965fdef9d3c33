import { writeFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'

/** Loaded into a command before it runs (`--import`): SQLite's copy of a database ends halfway, as on a full disk. */
const carryOut = StatementSync.prototype.run as (...values: unknown[]) => unknown
StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
  if (this.sourceSQL !== 'VACUUM INTO ?') return carryOut.apply(this, values)
  writeFileSync(`${values[0]}-journal`, 'left behind')
  throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
} as never
