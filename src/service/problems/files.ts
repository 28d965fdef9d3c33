import { type CodesOf, problemsOf } from '../../problem.ts'

/** Reasons for the errors of a file, by the code of the system. */
const FILE_REASONS = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is not a folder',
  EISDIR: 'this is a folder; name a file',
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EEXIST: 'something with this name exists already',
} as const satisfies Readonly<Record<string, string>>

export type FileReason = keyof typeof FILE_REASONS

/** Why a file cannot be used, where the system says so; undefined for any other error. */
export function fileReason(error: unknown): FileReason | undefined {
  const { code = '' } = Object(error) as NodeJS.ErrnoException
  return Object.hasOwn(FILE_REASONS, code) ? (code as FileReason) : undefined
}

export const sayReason = (reason: FileReason): string => FILE_REASONS[reason]

interface UnwrittenFile {
  readonly path: string
  /** `system`: in the words of the system, where we have none. */
  readonly reason: FileReason | { readonly system: string }
  /** What to choose instead. */
  readonly other: 'file' | 'folder'
}

/** Sentences about files that a command reads or writes. */
export const FILES = {
  FileUnusable: ({ reason }: { reason: FileReason }) => `${sayReason(reason)}.`,
  FileNotWritten: ({ path, reason, other }: UnwrittenFile) =>
    `${path} cannot be written: ${typeof reason === 'string' ? sayReason(reason) : reason.system}; name another ${other}.`,
}

export const fileProblem = problemsOf<CodesOf<typeof FILES>>()
