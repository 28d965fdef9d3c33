const numbers = new Intl.NumberFormat('en')

/** For people: 1,000,000. */
export const amount = (number: number): string => numbers.format(number)

/** Why a file cannot be read or written, for the person who has named it. */
export function explainFile(error: unknown, path: string): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? error : new Error(`${path}: ${reason}.`)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is not a folder',
  EISDIR: 'this is a folder; name a file',
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'its disk can only be read',
  ENOSPC: 'its disk is full',
}
