import { dirname } from 'node:path'
import { type CodesOf, problemsOf } from '../../problem.ts'
import { type FileReason, sayReason } from './files.ts'

interface OpenFailure {
  readonly path: string
  readonly reason: FileReason
}

/** Sentences about databases that cannot be opened. */
export const DATABASE = {
  DatabaseNotOpened: ({ path, reason }: OpenFailure) =>
    `The database ${path} cannot be opened: ${reasonOf(path, reason)}; name another file with --db sqlite:<path>.`,
}

/** SQLite creates the file, so a missing path means that its folder is missing. */
function reasonOf(path: string, reason: FileReason): string {
  if (reason === 'ENOENT') return `there is no folder ${dirname(path)}`
  if (reason === 'ENOTDIR') return `${dirname(path)} is not a folder`
  return reason === 'EISDIR' ? 'it is a folder' : sayReason(reason)
}

export const databaseProblem = problemsOf<CodesOf<typeof DATABASE>>()
