import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe } from 'node:test'
import { usePostgres } from './databases.ts'
import { ROOT } from './markdown.ts'

/** The usual reasons to leave a suite out. */
export const BEFORE_A_STORE = 'what it is about happens before a store is asked'
export const AFTER_A_STORE = 'what it is about is made from what a store gives'

const filesOf = (room: string): string[] => globSync(join(ROOT, 'test', room, '**/*.test.ts')).sort()

/** Rooms whose files run in one process, by the file of test/together/ that runs them: its start costs more than most files. */
export const TOGETHER = {
  api: ['api'],
  auth: ['auth', 'http', 'library', 'service', 'wire'],
  cli: ['cli', 'config'],
  client: ['architecture', 'client', 'contract', 'documents', 'types', 'vocabulary'],
  clients: ['clients'],
  console: ['browser', 'console', 'support'],
  docs: ['docs'],
  hosts: ['hosts'],
  store: ['database', 'members', 'store', 'transfer'],
  threats: ['threats'],
} as const

export function runTogether(name: keyof typeof TOGETHER): void {
  describe(TOGETHER[name].join(', '), async () => {
    for (const file of TOGETHER[name].flatMap(filesOf)) await import(file)
  })
}

/**
 * Runs the suites of a room once more, on PostgreSQL. `apart`: those that are not about a store's behaviour, with the
 * reason.
 */
export function runOnPostgres(room: string, apart: Readonly<Record<string, string>> = {}): void {
  const files = filesOf(room)
  for (const name of Object.keys(apart)) {
    if (!files.some((file) => basename(file) === name))
      throw new Error(`There is no test/${room}/${name} to be left out.`)
  }
  usePostgres()
  describe(`${room} on PostgreSQL`, async () => {
    for (const file of files) if (!(basename(file) in apart)) await import(file)
  })
}

/** Files that take long: `npm run test:quick` leaves them to `npm test`. */
const SLOW =
  /any-|contention|concurrent|contract-cost|races|streams|thread|walk|differential|stored-text|openapi-|owners|hidden-changes|include-graph|page-bytes|catching-up|conversion/

/** A part of what one runs before a commit: rooms without a store, and the tables of requests on SQLite. */
export function runQuick(rooms: readonly string[], part = 0, parts = 1): void {
  const files = rooms.flatMap(filesOf).filter((file) => !SLOW.test(basename(file)))
  describe(`${rooms.join(', ')}, part ${part + 1} of ${parts}`, async () => {
    for (const [index, file] of files.entries()) if (index % parts === part) await import(file)
  })
}
