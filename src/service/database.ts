// Opens databases, explains why one cannot be opened, and describes migrations in sentences.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { isPostgres, sqlitePath } from '../database/index.ts'
import { type ClassSchema, IncompatibleMembersError, type MigrationChange } from '../members/index.ts'
import type { Store, StoreOptions } from '../store/index.ts'
import { openStore } from '../store/open.ts'
import { count, nearest } from '../text.ts'
import { warnOfReaders } from './file-modes.ts'
import { databaseFileProblem } from './problems/database.ts'
import { type FileReason, fileReason } from './problems/files.ts'
import { incompatibleSentence } from './problems/migration.ts'

export const openDatabase = (
  url: string,
  shapes: readonly ClassSchema[] = [],
  options: StoreOptions = {},
): Promise<Store> => explainOpenFailure(url, () => openStore(url, shapes, options))

/** Adds the reason to the error of a database that cannot be opened. */
export async function explainOpenFailure<T>(url: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof IncompatibleMembersError)
      throw new Error(incompatibleSentence(error.incompatible), { cause: error })
    const path = sqlitePath(url)
    const reason = isPostgres(url) ? undefined : reasonFor(error, path)
    if (reason === undefined) throw error
    throw databaseFileProblem('DatabaseNotOpened', { path, reason }, { cause: error })
  }
}

/** Only the owner can read new files; older files, and copies, may have other modes. */
export function warnOfFileModes(url: string, warn: (sentence: string) => void): void {
  // On PostgreSQL there is no file of ours.
  if (isPostgres(url)) return
  const files = ['', '-wal', '-shm'].map((suffix) => sqlitePath(url) + suffix)
  warnOfReaders(files, 'the database, with the nonce secret in it', warn)
}

/** SQLite does not say why an existing file cannot be opened. */
function reasonFor(error: unknown, path: string): FileReason | undefined {
  if (fileReason(error) !== undefined || !existsSync(path)) return fileReason(error)
  if (statSync(path).isDirectory()) return 'EISDIR'
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (denied) {
    return fileReason(denied)
  }
}

/** A change of a migration as a sentence. */
export function describeChange(change: MigrationChange): string {
  const { className, members } = change
  switch (change.change) {
    case 'renamed':
      return `${className}: "${change.from}" becomes "${change.property}" (${count(members, 'member')}).`
    case 'hidden':
      return (
        `${className}: "${change.property}" is not in the file any more; ` +
        `hidden in ${count(members, 'member')} until it is back.${propertyHint(change.property, change.unfilled)}`
      )
    case 'shown':
      return `${className}: "${change.property}" is back in the file; shown again in ${count(members, 'member')}.`
    case 'filled':
      return `${className}: ${count(members, 'member')} without "${change.property}" ${members === 1 ? 'gets' : 'get'} its default.`
    case 'nothing renamed':
      return change.property === undefined
        ? `${className} was "${change.from}", which the database does not know; nothing is renamed.`
        : `${className}: "${change.property}" was "${change.from}", and no member has a value of either; nothing is renamed.`
    case 'class renamed':
      return `${change.from} becomes ${className} (${count(members, 'member')}).`
    case 'class hidden':
      return (
        `${className} is not in the file any more; ` +
        `its ${count(members, 'member')} ${members === 1 ? 'is' : 'are'} hidden until it is back.${renameHint(className, change.likely)}`
      )
  }
}

/** Whether a change hides data. */
export const hidesData = ({ change }: MigrationChange): boolean =>
  change === 'hidden' || change === 'class hidden'

const MAX_NAMED = 5

const propertyHint = (property: string, unfilled: readonly string[]): string =>
  property.includes('/') ? '' : renameHint(property, unfilled, (name) => `"${name}"`)

/** What is new in the file may be what is hidden, under another name. */
function renameHint(hidden: string, candidates: readonly string[], show = (name: string) => name): string {
  if (candidates.length === 0) return ''
  const likely = nearest(hidden, candidates) ?? (candidates.length === 1 ? candidates[0] : undefined)
  if (likely !== undefined) return ` If ${show(hidden)} was renamed, say so: ${likely}: { …, was: ${hidden} }`
  const some = candidates.slice(0, MAX_NAMED).map(show)
  return ` If it is one of ${some.join(', ')} now, say so there: { …, was: ${hidden} }`
}

export function changeAsJson({ className, ...change }: MigrationChange): object {
  return { class: className, ...change }
}
