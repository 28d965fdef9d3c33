import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../tools/build-console.ts'
import { provideChromium } from './support/chromium.ts'
import { createPostgresServer, type PostgresServer } from './support/postgres-server.ts'

let server: PostgresServer | undefined
let consoleFolder = ''

/** Once before all tests, at the same time: what the tests need besides what npm installs, the console and the compiled code. */
export async function globalSetup(): Promise<void> {
  const [chromium, postgres, built, compiled] = await Promise.allSettled([
    provideChromium(),
    startPostgres(),
    buildOnce(),
    compileOnce(),
  ])
  for (const one of [postgres, built, compiled]) if (one.status === 'rejected') throw one.reason
  if (chromium.status === 'fulfilled') {
    process.env.HYDRANT_TEST_CHROMIUM = chromium.value
    return
  }
  // Thrown, it would stand among lines of Node.js, and PostgreSQL would go on.
  await server?.remove()
  process.stderr.write(`${(chromium.reason as Error).message}\n`)
  process.exit(1)
}

/**
 * A PostgreSQL, unless the environment names one. Nothing in it outlives the tests, so it need not wait for the disk;
 * tests of what must be on disk start one of their own.
 */
async function startPostgres(): Promise<void> {
  if (process.env.HYDRANT_TEST_POSTGRES) return
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400', max_wal_size: '1GB' }
  server = await createPostgresServer(settings, undefined, folderInMemory())
  process.env.HYDRANT_TEST_POSTGRES = server.url
  process.env.HYDRANT_TEST_POSTGRES_ENDS = 'with the tests'
}

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Tests make and drop tables by the thousand, each of several files: on a disk, that takes more of the processors. */
function folderInMemory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ENOUGH_BYTES && freemem() > ENOUGH_BYTES ? MEMORY : undefined
}

/**
 * One build for all files of test/console, unless `npm test` has just made it; a file that runs alone builds its own
 * (test/support/console.ts).
 */
async function buildOnce(): Promise<void> {
  if (process.env.HYDRANT_TEST_CONSOLE) return
  consoleFolder = mkdtempSync(join(tmpdir(), 'hydrant-console-'))
  await buildConsole(consoleFolder)
  process.env.HYDRANT_TEST_CONSOLE = consoleFolder
}

const SOURCES = join(import.meta.dirname, '..', 'src')
/** Files that run when they are imported. */
const STARTS = /(?:-thread|main|worker)\.ts$/

/** Fills the cache of NODE_COMPILE_CACHE: otherwise all processes that start at once would compile the same files. */
async function compileOnce(): Promise<void> {
  if (!process.env.NODE_COMPILE_CACHE) return
  for (const file of globSync('**/*.ts', { cwd: SOURCES }))
    if (!STARTS.test(file)) await import(join(SOURCES, file))
  flushCompileCache()
}

export async function globalTeardown(): Promise<void> {
  if (consoleFolder) rmSync(consoleFolder, { recursive: true, force: true })
  await server?.remove()
}
