// A token that outlives the command that has obtained it: in a file that only its user can read.
import { createHash, randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { mkdir, open, rename, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../config/index.ts'

export interface TokenFile {
  /** Undefined if there is none, or if others could have written or read it. */
  find(): Promise<string | undefined>
  /** Throws an error of the system. */
  keep(token: string): Promise<void>
}

/** `user`: the id or the name, by which another user's token is never found. */
export function openKeptToken(env: Environment, base: string, user: string): TokenFile {
  const folder = folderIn(env)
  // The address and the name may have characters that no file name can have.
  const name = createHash('sha256').update(`${base}\n${user}`).digest('hex').slice(0, 32)
  const path = join(folder, name)
  return {
    async find() {
      const text = await readOwn(folder, path).catch(ignoreMissing)
      const token = text?.trimEnd() ?? ''
      return TOKEN.test(token) ? token : undefined
    },
    async keep(token) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if (!isSafe(await stat(folder), OTHERS_WRITE)) throw new UnsafeFolder()
      // Another command may keep a token at the same time: each file is complete.
      const part = `${path}.${randomUUID()}`
      const file = await open(part, 'wx', 0o600)
      try {
        await file.writeFile(`${token}\n`)
      } finally {
        await file.close()
      }
      await rename(part, path)
    },
  }
}

/** As it is sent in a header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/

/** XDG Base Directory: the runtime folder is the user's own, and gone when the user logs out. A relative path is invalid. */
function folderIn({ XDG_RUNTIME_DIR, XDG_STATE_HOME, LOCALAPPDATA, HOME }: Environment): string {
  const given = [XDG_RUNTIME_DIR, XDG_STATE_HOME, LOCALAPPDATA].find((one) => one && isAbsolute(one))
  return join(given ?? join(HOME || homedir(), '.local', 'state'), 'hydrant', 'tokens')
}

/** The bits of a mode by which others can write a file, or have any access to it. */
const OTHERS_WRITE = 0o022
const OTHERS = 0o077

/** Windows has neither users with numbers nor modes. */
const isSafe = ({ uid, mode }: Stats, refused: number): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & refused) === 0)

/** Others could give a token of one API the name of another one. */
class UnsafeFolder extends Error {
  readonly code = 'EPERM'
}

/** The text of a file that belongs to this user, and to which nobody else has access. */
async function readOwn(folder: string, path: string): Promise<string | undefined> {
  if (!isSafe(await stat(folder), OTHERS_WRITE)) return undefined
  // Windows has no such flags. Opening a pipe would wait for a writer.
  const file = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  )
  try {
    const found = await file.stat()
    return found.isFile() && isSafe(found, OTHERS) ? await file.readFile('utf8') : undefined
  } finally {
    await file.close()
  }
}

const MISSING: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES']

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!MISSING.includes(error.code)) throw error
}
