import { inShortAttempts } from '../../database/postgres/short-locks.ts'

type LockMode =
  /** Blocks writers, not readers. */
  | 'SHARE'
  /** Blocks readers and writers. */
  | 'ACCESS EXCLUSIVE'

/** Until the transaction ends. */
export const lockTables = (tables: readonly string[], mode: LockMode, longestMs?: number): string =>
  inShortAttempts(`LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`, longestMs)
