import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import {
  newPostgresFolder,
  POSTGRES_USER,
  type PostgresPrograms,
  providePrograms,
  removePostgresFolder,
} from './postgres-programs.ts'

/** A PostgreSQL of the tests' own, in a folder of its own, on a free port of this machine. */
export interface PostgresServer {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  /** As an administrator does: connections are cut, what was committed is on disk. */
  stop(): Promise<void>
  /** As a power failure does, but for the disk: nothing is written any more. */
  crash(): Promise<void>
  /** All of its processes stand still: connections stay open, what is sent waits. */
  freeze(): void
  /** They go on where they were. */
  thaw(): void
  /** A server that follows this one, which is stopped for the time that copying it takes. */
  createStandby(): Promise<PostgresServer>
  /** Stops it and removes all of it. */
  remove(): Promise<void>
}

const USER = 'postgres'
const PASSWORD = randomBytes(12).toString('hex')

export type PostgresSettings = Readonly<Record<string, string>>

/**
 * `settings`: of postgresql.conf; `packages`: the folder that npm has installed PostgreSQL into; `within`: the folder for
 * its data, if not that for temporary files.
 */
export async function createPostgresServer(
  settings: PostgresSettings = {},
  packages?: string,
  within?: string,
): Promise<PostgresServer> {
  const programs = providePrograms(packages)
  const folder = newPostgresFolder('data', within)
  initialise(programs, folder)
  const server = await control(programs, folder, settings)
  await server.start()
  return server
}

function initialise({ initdb }: PostgresPrograms, folder: string): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD)
  // A umask may have kept it from the user that reads it; the server listens to this machine alone.
  chmodSync(passwordFile, 0o644)
  const authentication = [`--username=${USER}`, '--auth=password', `--pwfile=${passwordFile}`]
  // The password is random bytes, and each connection would hash it slowly.
  const hashing = ['--set', 'scram_iterations=1']
  const storage = ['--encoding=UTF8', '--locale=C.UTF-8', '--lc-messages=C', '--no-sync']
  execFileSync(
    initdb,
    [`--pgdata=${dataIn(folder)}`, ...authentication, ...hashing, ...storage],
    runAs(folder),
  )
}

/** What runs, and how it is ended at once, so that none outlives this process. */
const running = new Map<ChildProcess, () => void>()

// Before the folders are removed, whose listener is older.
process.prependListener('exit', () => {
  for (const end of running.values()) end()
})
process.once('SIGTERM', () => process.exit(143))

async function control(
  programs: PostgresPrograms,
  folder: string,
  settings: PostgresSettings,
): Promise<PostgresServer> {
  const port = await freePort()
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const started = spawn(programs.postgres, ['-D', dataIn(folder), ...flags], runAs(folder))
    child = started
    const ending = ['stop', '--mode=immediate', '--silent', '-D', dataIn(folder)]
    running.set(started, () => execFileSync(programs.pgCtl, ending, runAs(folder)))
    started.on('exit', () => running.delete(started))
    await ready(started)
  }

  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (child === undefined || !running.has(child)) return
    child.kill(signal)
    await once(child, 'exit')
  }

  /** The one first that makes the others; it goes on last, since it buries them. */
  const processes = (): number[] => {
    const pid = child?.pid as number
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return [pid, ...children.trim().split(' ').map(Number)]
  }

  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop: () => end('SIGINT'),
    crash: () => end('SIGQUIT'),
    freeze() {
      for (const pid of processes()) process.kill(pid, 'SIGSTOP')
    },
    thaw() {
      for (const pid of processes().reverse()) process.kill(pid, 'SIGCONT')
    },
    async createStandby() {
      await end('SIGINT')
      const copy = newPostgresFolder('data')
      execFileSync('cp', ['-a', dataIn(folder), dataIn(copy)])
      await start()
      writeFileSync(join(dataIn(copy), 'standby.signal'), '')
      appendFileSync(
        join(dataIn(copy), 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}'\n`,
      )
      const standby = await control(programs, copy, settings)
      await standby.start()
      return standby
    },
    async remove() {
      await end('SIGINT')
      removePostgresFolder(folder)
    },
  }
}

/** Until it accepts connections, a standby those that only read; what it has said is the reason where it does not. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(said)) resolve()
    })
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`PostgreSQL for the tests does not start:\n${said}`)))
  })
}

const dataIn = (folder: string): string => join(folder, 'data')

/** The folder that this was started in may not be the other user's to enter. */
const runAs = (folder: string) => ({ ...POSTGRES_USER, cwd: folder })

/** Free when it was asked for. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
