import type { DatabaseSync } from 'node:sqlite'
import { type HttpError, unavailable } from '../../errors.ts'
import type { ClassShape } from '../store.ts'
import { areAdopted } from './adoption.ts'

/**
 * Where another process has brought the members under another API file, they can neither be read nor written here any
 * more: what is stored now is not what this process was made for.
 */
export const refusalOfOtherFile = (db: DatabaseSync, shapes: readonly ClassShape[]): HttpError | undefined =>
  areAdopted(db, shapes) ? undefined : unavailable(OTHER_FILE, 60)

const OTHER_FILE =
  'Another process has opened the database with another API file since this server started; restart it with that file.'
