import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { createParaphraseCheck } from '../../src/auth/credentials.ts'
import type { AuthStore } from '../../src/auth/index.ts'
import { run } from '../../src/cli/program.ts'
import { openStore } from '../../src/store/open.ts'
import { ROOT } from '../support/markdown.ts'
import {
  ENVIRONMENT,
  type Finished,
  HYDRANT,
  type Running,
  type RunOptions,
  start,
} from '../support/processes.ts'
import { API, temporaryFolder } from '../support/service.ts'

/**
 * The program in this process, which costs a hundredth of a process of its own; `hydrant` of processes.ts is for
 * signals, streams and what serves: here a server can only be refused. One call after the other, since each is in a folder of its own.
 */
export function hydrant(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const finished = before.then(() => runHere(args, options))
  before = finished.catch(() => {})
  return finished
}

let before: Promise<unknown> = Promise.resolve()

async function runHere(args: readonly string[], { cwd, env, input = '' }: RunOptions): Promise<Finished> {
  const [stdout, stderr] = [collector(), collector()]
  const folder = process.cwd()
  const listening = SIGNALS.map((signal) => process.listeners(signal))
  process.chdir(cwd ?? ROOT)
  try {
    const status = await run(args, {
      env: { ...ENVIRONMENT, ...env },
      stdin: Readable.from(Buffer.from(input as string)),
      stdout: stdout.stream,
      stderr: stderr.stream,
    })
    return { status, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(folder)
    // A server that was refused listens still, to signals that are not for it.
    for (const [index, signal] of SIGNALS.entries())
      for (const added of process.listeners(signal))
        if (!listening[index]?.includes(added)) process.off(signal, added)
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}

const AT_ONCE = 4

/** Rows of a table whose checks are processes: a few at once, so that the whole is quick and the machine lives. */
export async function each<Row>(rows: readonly Row[], check: (row: Row) => Promise<void>): Promise<void> {
  const left = [...rows]
  const work = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) await check(row)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** It ended with this status, printed nothing, and said what was wrong in one line that has all of these parts. */
export function assertRefused(
  { status, stdout, stderr }: Finished,
  expected: number,
  ...parts: readonly string[]
): void {
  assert.equal(status, expected, stderr)
  assert.equal(stdout, '')
  assert.match(stderr, /^hydrant: [^\n]+\n$/)
  for (const part of parts) assert.ok(stderr.includes(part), `${stderr} lacks ${part}`)
}

/** A folder with a database in it that has nobody and nothing. */
export async function folderWithDatabase(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t)
  await inStore(folder, async () => {})
  return folder
}

/** Looks into the database of a folder, past the command. */
export async function inStore<T>(folder: string, work: (store: AuthStore) => Promise<T>): Promise<T> {
  const store = await openStore(`sqlite:${join(folder, 'hydrant.db')}`)
  try {
    return await work(store.auth)
  } finally {
    await store.close()
  }
}

export const isParaphraseOf = (folder: string, id: number, paraphrase: string): Promise<boolean> =>
  inStore(folder, async (store) =>
    createParaphraseCheck()((await store.findUser(id))?.paraphraseHash, paraphrase),
  )

export const userIds = (folder: string): Promise<number[]> =>
  inStore(folder, async (store) => (await store.listUsers(Date.now())).map(({ id }) => id))

export interface Serving extends Running {
  readonly base: string
  readonly port: number
}

/** For a server whose data nobody looks at: it needs no thread that writes. */
export const IN_MEMORY = { HYDRANT_DB: 'sqlite::memory:' }

/** The end of the text for the first user, which comes after the line that says where it listens. */
export const WELCOME = /"msg":"listening"[\s\S]*\n {2}curl .*\n/

/** `hydrant serve` in a folder, on any free port unless the arguments say otherwise. */
export async function serveIn(
  t: TestContext,
  folder: string,
  args: readonly string[] = [],
  env: NonNullable<RunOptions['env']> = {},
  ready = /"msg":"listening"|^listening on /m,
): Promise<Serving> {
  const isChosen = args.includes('--port') || args.includes('--base-url') || env.HYDRANT_PORT
  const port = isChosen ? [] : ['--port', '0']
  const running = await start(t, [HYDRANT, 'serve', ...args, ...port], ready, { cwd: folder, env })
  const base = /"url":"([^"]+)"|^listening on (\S+)/m.exec(running.stdout())?.slice(1).find(Boolean) ?? ''
  return { ...running, base, port: Number(new URL(base).port) }
}

/** A folder with an API file of its own, so that `serve` does not take the bundled example. */
export function folderWithApi(t: TestContext, api = API): string {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), api)
  return folder
}

/** Below those that systems give to servers which ask for any: none of another test can take it meanwhile. */
export async function freePort(): Promise<number> {
  const server = createServer()
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
