import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'

/** The lowest, which is still a share: where others saturate every core, a sign-in takes seconds, and is not impossible. */
const NICE = 19

/**
 * Makes hashing yield to everything else on the machine: it takes tens of milliseconds of a core, requests with a
 * token take a fraction of one. Hashes run on libuv's pool, which does nothing else in this process that is in a hurry; a service that
 * only borrows the gate keeps its own. Linux
 * alone has a priority for each thread; elsewhere the bounded number of hashes at once has to do.
 */
export async function lowerHashPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  // The threads of the pool are made when it is first used.
  await promisify(randomBytes)(1)
  const tasks = '/proc/self/task'
  for (const task of await readdir(tasks)) {
    const name = await readFile(`${tasks}/${task}/comm`, 'utf8')
    if (name.trim() === 'libuv-worker') setPriority(Number(task), NICE)
  }
}
