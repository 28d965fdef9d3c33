// A token that outlives the command that has obtained it: in a file that only its user can read.
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/index.ts'

export interface KeptToken {
  /** Undefined if there is none, or if others could have written or read it. */
  find(): Promise<string | undefined>
  /** Throws an error of the system. */
  keep(token: string): Promise<void>
}

/** `user`: the id or the name, by which another user's token is never found. */
export function openKeptToken(env: Environment, base: string, user: string): KeptToken {
  const folder = folderIn(env)
  // The address and the name may have characters that no file name can have.
  const name = createHash('sha256').update(`${base}\n${user}`).digest('hex').slice(0, 32)
  const path = join(folder, name)
  return {
    async find() {
      const text = await readOwn(path)
      const token = text?.trimEnd() ?? ''
      return TOKEN.test(token) ? token : undefined
    },
    async keep(token) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
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

/** XDG Base Directory: the runtime folder is the user's own, and gone when the user logs out. */
const folderIn = ({ XDG_RUNTIME_DIR, XDG_STATE_HOME, LOCALAPPDATA, HOME }: Environment): string =>
  join(
    XDG_RUNTIME_DIR || XDG_STATE_HOME || LOCALAPPDATA || join(HOME || homedir(), '.local', 'state'),
    'hydrant',
    'tokens',
  )

/** The text of a file that belongs to this user, and to which nobody else has access. */
async function readOwn(path: string): Promise<string | undefined> {
  // Windows has no such flag, nor modes.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ELOOP' || error.code === 'EACCES') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { uid, mode } = await file.stat()
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
    return isOwn ? await file.readFile('utf8') : undefined
  } finally {
    await file.close()
  }
}
