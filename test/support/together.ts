import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe } from 'node:test'
import { usePostgres } from './databases.ts'
import { ROOT } from './markdown.ts'
import { useAnyone } from './service.ts'

/** The usual reasons to leave a suite out. */
export const BEFORE_A_STORE = 'what it is about happens before a store is asked'
export const AFTER_A_STORE = 'what it is about is made from what a store gives'
/** For suites that `npm run soak` alone runs on PostgreSQL. */
export const BY_EVERY_STORE = 'tests of the stores, or with random requests, hold it on PostgreSQL'

/** '.' is test/ itself, without its folders. */
const filesOf = (room: string): string[] =>
  globSync(join(ROOT, 'test', room, room === '.' ? '*.test.ts' : '**/*.test.ts')).sort()

/** Rooms whose files run in one process, by the file of test/together/ that runs them: its start costs more than most files. */
export const TOGETHER = {
  api: ['api'],
  auth: ['.', 'auth', 'conform', 'http', 'library', 'service', 'webhooks', 'wire'],
  cli: ['cli', 'config'],
  client: ['architecture', 'client', 'contract', 'documents', 'mcp', 'types', 'vocabulary'],
  clients: ['clients'],
  console: ['browser', 'console', 'support'],
  docs: ['docs'],
  hosts: ['hosts'],
  store: ['database', 'members', 'store', 'transfer'],
  threats: ['threats'],
} as const

/** `part` of `parts`: for rooms that would take longer than all others, and so keep one processor busy in the end. */
export function runTogether(name: keyof typeof TOGETHER, part = 1, parts = 1): void {
  const rooms = TOGETHER[name].join(', ')
  describe(parts === 1 ? rooms : `${rooms}, part ${part} of ${parts}`, async () => {
    for (const [index, file] of TOGETHER[name].flatMap(filesOf).entries())
      if (index % parts === part - 1) await import(file)
  })
}

/**
 * Runs the suites of a room once more, on PostgreSQL. `apart`: the files and folders of the room that are not about a
 * store's behaviour, with the reason.
 */
export function runOnPostgres(room: string, apart: Readonly<Record<string, string>> = {}): void {
  usePostgres()
  runAgain(`${room} on PostgreSQL`, room, apart)
}

/** Runs the suites of a room once more, on an API file that has the word `anyone`; `apart` as above. */
export function runWithAnyone(room: string, apart: Readonly<Record<string, string>> = {}): void {
  useAnyone()
  runAgain(`${room} with anyone`, room, apart)
}

function runAgain(name: string, room: string, apart: Readonly<Record<string, string>>): void {
  const files = filesOf(room)
  const isIn = (file: string, path: string) =>
    `${relative(join(ROOT, 'test', room), file)}/`.startsWith(`${path}/`)
  for (const path of Object.keys(apart)) {
    if (!files.some((file) => isIn(file, path)))
      throw new Error(`There is no test/${room}/${path} to be left out.`)
  }
  describe(name, async () => {
    for (const file of files) if (!Object.keys(apart).some((path) => isIn(file, path))) await import(file)
  })
}

/** Files that take long: `npm run test:quick` leaves them to `npm test`. */
const SLOW =
  /any-|-random|contention|collection-(?:cost|pages)|races|feed\/(?:log-tail|stream)|input\/expansion|thread|walk|stored-text|conversion|concurrent|streams|differential|openapi\/(?:client|document-lint|schemas|values)|access-(?:hidden|owners)|killed|api-file-large|batch\/limits|rdf\/rdf|summaries\/summaries\.|http\/connection\./

/** Quick tests start none. */
const needsPostgres = (file: string): boolean =>
  /support\/postgres\.ts|SHARED_STORES|'PostgreSQL: /.test(readFileSync(file, 'utf8'))

/** A part of what one runs before a commit: rooms without a store, and the tables of requests on SQLite. */
export function runQuick(rooms: readonly string[], part = 0, parts = 1): void {
  const files = rooms
    .flatMap(filesOf)
    .filter((file) => !SLOW.test(relative(ROOT, file)) && !needsPostgres(file))
  describe(`${rooms.join(', ')}, part ${part + 1} of ${parts}`, async () => {
    for (const [index, file] of files.entries()) if (index % parts === part) await import(file)
  })
}
