import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'

/** The lowest priority still gets a share: if other work saturates every core, a sign-in takes seconds. */
const NICE = 19

/**
 * Gives hashing the lowest priority on the machine: a hash takes tens of milliseconds of a core, a request with a token a
 * fraction of one. Hashes run on libuv's thread pool, which has no other urgent work in this process; so a service that
 * only uses the gate does not call this. Node.js cannot set the priority of its threads, but on Linux we can, by the id of
 * the thread, found by its name; elsewhere only the number of hashes is limited.
 */
export async function lowerHashPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  // The pool starts its threads when it is first used.
  await promisify(randomBytes)(1)
  const tasks = '/proc/self/task'
  // Read at once: these are no files on a disk, and through the pool each would wait for threads of the lowest priority.
  for (const task of readdirSync(tasks)) {
    const name = readFileSync(`${tasks}/${task}/comm`, 'utf8')
    if (name.trim() === 'libuv-worker') setPriority(Number(task), NICE)
  }
}
