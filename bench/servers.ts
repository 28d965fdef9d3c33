// The processes that are measured. All of them, and their folders, are gone when the bench ends, however it ends.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Responses } from './bare-server.ts'
import { childOf, peakMegabytesOf } from './processes.ts'

export const PARAPHRASE = 'measured by the bench'
export const BASE = 'http://localhost/api'
/** In the folder of a server. */
const EMBEDDED = 'sqlite:bench.db'
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')
const HYDRANT = [process.execPath, PROGRAM]
/** Runs a command on a disk whose sync takes 5 ms. */
const SLOW_SYNC = [
  ...['strace', '-f', '--seccomp-bpf', '--quiet', '--output=/dev/null', '--trace=fsync,fdatasync'],
  '--inject=fsync,fdatasync:delay_exit=5000',
]

export interface BenchServer {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** From its start to its first answer. */
  readonly startMs: number
  /** The header line of step C. */
  readonly authorized: string
  stop(): Promise<void>
}

export interface HydrantOptions {
  readonly name: string
  readonly folder: string
  readonly db?: string
  readonly flags?: readonly string[]
  /** Another build of it. */
  readonly program?: string
  readonly slowSync?: boolean
  /** With the base URL, where a browser follows its links. */
  readonly port?: number
  readonly base?: string
}

const home = mkdtempSync(join(tmpdir(), 'hydrant-bench-'))
const running = new Set<number>()
const stops = new Set<() => Promise<void>>()
// Before the listeners of a PostgreSQL that a server may be connected to.
process.prependListener('exit', () => {
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended, which this process has not heard of yet.
    }
  }
  rmSync(home, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export const stopAll = (): Promise<unknown> => Promise.all([...stops].map((stop) => stop()))

export const newFolder = (): string => mkdtempSync(join(home, 'run-'))

/** `hydrant serve` with user 1, who has signed in. */
export async function startHydrant(options: HydrantOptions): Promise<BenchServer> {
  const {
    name,
    folder,
    db = EMBEDDED,
    flags = [],
    program = PROGRAM,
    slowSync = false,
    base = BASE,
  } = options
  const port = options.port ?? (await freePort())
  const serve = [
    process.execPath,
    program,
    'serve',
    'api.yaml',
    '--port',
    `${port}`,
    '--base-url',
    base,
    ...flags,
  ]
  const command = slowSync ? [...SLOW_SYNC, ...serve] : serve
  // The database is named by a variable: a password may be in it.
  const env = { HYDRANT_DB: db, HYDRANT_CONSOLE_PORT: 'off' }
  const server = await launch(name, command, { port, folder, env })
  return { ...server, authorized: await signIn(port) }
}

export async function startBare(name: string, responses: Responses): Promise<BenchServer> {
  const [port, folder] = [await freePort(), newFolder()]
  writeFileSync(join(folder, 'responses.json'), JSON.stringify(responses))
  const command = [process.execPath, join(import.meta.dirname, 'bare-server.ts'), `${port}`, 'responses.json']
  const server = await launch(name, command, { port, folder })
  return { ...server, authorized: authorize(randomBytes(32).toString('hex')) }
}

export async function startHandWritten(name: string, folder: string, slowSync = false): Promise<BenchServer> {
  const [port, token] = [await freePort(), randomBytes(32).toString('hex')]
  const serve = [process.execPath, join(import.meta.dirname, 'hand-written-server.ts'), `${port}`, folder]
  const command = slowSync ? [...SLOW_SYNC, ...serve] : serve
  const server = await launch(name, command, { port, folder, env: { BENCH_TOKEN: token } })
  return { ...server, authorized: authorize(token) }
}

/** Whether processes can be run on a disk with a slow sync; a container may forbid it. */
export const canSlowSync = (): boolean =>
  spawnSync(SLOW_SYNC[0] as string, [...SLOW_SYNC.slice(1), 'true']).status === 0

const authorize = (token: string): string => `X-Authorization: ${token}\r\n`

/** Steps A and B. */
export async function signIn(port: number, user = 1): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/`
  const nonce = (await fetch(url)).headers.get('x-authentication') ?? ''
  const Authorization = `Basic ${Buffer.from(`${user}:${PARAPHRASE}`).toString('base64')}`
  const exchanged = await fetch(url, { headers: { Authorization, 'X-Authentication': nonce } })
  return authorize(exchanged.headers.get('x-authorization') ?? '')
}

export interface Ended {
  readonly seconds: number
  readonly peakMegabytes: number
}

/** A command of Hydrant, run to its end. */
export async function runHydrant(
  args: readonly string[],
  folder = home,
  { db = EMBEDDED, input = '' } = {},
): Promise<Ended> {
  const started = performance.now()
  const child = start([...HYDRANT, ...args], folder, { HYDRANT_DB: db })
  child.stdin?.end(input)
  let peakMegabytes = 0
  // The last look is at most so long before the end; the peak of an import is reached long before.
  const looks = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakMegabytesOf(child.pid as number))
  }, 50)
  const [status] = await once(child, 'exit')
  clearInterval(looks)
  if (status !== 0) throw new Error(`hydrant ${args.join(' ')} ended with ${status}.`)
  return { seconds: (performance.now() - started) / 1000, peakMegabytes }
}

/** Imports the data of a folder that has an api.yaml, and adds user 1. */
export async function fill(folder: string, db?: string): Promise<Ended> {
  const options = db === undefined ? {} : { db }
  const imported = await runHydrant(['import', 'api.yaml', 'data.ndjson'], folder, options)
  await runHydrant(['user', 'add', '1'], folder, { ...options, input: `${PARAPHRASE}\n` })
  return imported
}

interface Launch {
  readonly port: number
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
}

async function launch(name: string, command: readonly string[], { port, folder, env = {} }: Launch) {
  const started = performance.now()
  const child = start(command, folder, env)
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${name} has ended with ${child.exitCode}.`)
    await sleep(1)
  }
  const startMs = performance.now() - started
  // A signal is for the server, not for what traces it.
  const pid = command[0] === SLOW_SYNC[0] ? childOf(child.pid as number) : (child.pid as number)
  running.add(pid)
  const exited = once(child, 'exit').then(() => running.delete(pid))
  const stop = async () => {
    if (running.has(pid)) process.kill(pid, 'SIGTERM')
    await exited
    stops.delete(stop)
  }
  stops.add(stop)
  return { name, port, pid, startMs, stop }
}

function start(
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } })
  const pid = child.pid as number
  running.add(pid)
  child.on('exit', () => running.delete(pid))
  child.stdout?.resume()
  child.stderr?.pipe(process.stderr, { end: false })
  return child
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/api/', agent: false }, (response) => {
      response.resume()
      resolve(true)
    })
    request.on('error', () => resolve(false))
  })

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
