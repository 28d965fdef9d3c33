import { dirname } from 'node:path'
import { DATABASE_PROBLEMS } from '../../auth/problems.ts'
import type { BackupProblems } from '../../database/index.ts'
import { OPENING_SENTENCES } from '../../database/sentences.ts'
import type { RenamingProblems } from '../../members/index.ts'
import { type CodesOf, problemsOf, type Sentence, type Sentences } from '../../problem.ts'
import type { CopyProblems } from '../../store/index.ts'
import { FILE_CHANGES } from './file-changes.ts'
import { type FileReason, sayReason } from './files.ts'

interface OpenFailure {
  readonly path: string
  readonly reason: FileReason
}

const FILES_OF_DATABASES = {
  DatabaseNotOpened: ({ path, reason }: OpenFailure) =>
    `The database ${path} cannot be opened: ${reasonOf(path, reason)}; name another file with --db sqlite:<path>.`,
}

/** SQLite creates the file, so a missing path means that its folder is missing. */
function reasonOf(path: string, reason: FileReason): string {
  if (reason === 'ENOENT') return `there is no folder ${dirname(path)}`
  if (reason === 'ENOTDIR') return `${dirname(path)} is not a folder`
  return reason === 'EISDIR' ? 'it is a folder' : sayReason(reason)
}

export const databaseFileProblem = problemsOf<CodesOf<typeof FILES_OF_DATABASES>>()

const BACKUPS: Sentences<BackupProblems> = {
  BackupExists: ({ path }) => `${path} exists already; name a file that does not.`,
  NoBackupFolder: ({ folder }) => `There is no folder ${folder}; create it first.`,
  DatabaseExists: ({ path }) =>
    `${path} exists already; with --force it is moved aside, to a name that is printed.`,
  DamagedBackup: ({ path, damage }) =>
    `${path} is damaged (${damage}); take another backup. Nothing was changed.`,
  DatabaseInUse: ({ path }) =>
    `${path} is open in another process; stop the server on it first. Nothing was changed.`,
  NoSpaceForCopy: ({ path }) =>
    `The disk of ${path} is full; make room there, or name a file on another disk. Nothing was changed.`,
}

const COPIES: Sentences<CopyProblems> = {
  NothingToCopy: ({ path }) =>
    `There is nothing in ${path} to copy; name another file with --from sqlite:<path>.`,
  StillConverting: ({ path, classNames }) =>
    `The members of ${classNames.join(', ')} in ${path} are being converted to a changed API file; let a server finish that, and try again.`,
  SourceBusy: ({ path }) => `Another process keeps writing to ${path}; stop that process, or try again.`,
  TargetNotEmpty: ({ database, tables }) =>
    `${database} is not empty (${tables.map(({ table, rows }) => `${rows} in ${table}`).join(', ')}); ` +
    'name an empty database, or another schema with ?search_path=<name>.',
  CopyDiffers: ({ differences }) => {
    const wrong = differences.map(({ table, expectedRows, rows }) =>
      rows === expectedRows
        ? `${table} has rows that differ`
        : `${table} has ${rows ?? 'no'} rows instead of ${expectedRows}`,
    )
    return `The copy differs from the source: ${wrong.join('; ')}. Nothing was changed.`
  },
}

const RENAMINGS: Sentences<RenamingProblems> = {
  BothClassesStored: ({ from, to }) =>
    `The database has members of ${to} and of ${from}, and the API file says that ${to} was ${from}. ` +
    `Leave the "was" out if the members of ${to} are the right ones; otherwise give the class another name.`,
}

/** A command may run into the same problems as a request. */
const WIRE: Readonly<Record<string, Sentence<never>>> = Object.fromEntries(
  Object.entries(DATABASE_PROBLEMS).map(([code, { sentence }]) => [code, sentence]),
)

/** Sentences about databases that a command cannot open, back up, copy or use. */
export const COMMANDS_ON_DATABASES = {
  ...{ ...FILES_OF_DATABASES, ...BACKUPS, ...COPIES, ...RENAMINGS },
  ...FILE_CHANGES,
}

export const DATABASE = { ...WIRE, ...OPENING_SENTENCES, ...COMMANDS_ON_DATABASES }
