import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Ended } from './folders.ts'
import { type Installation, install, placesOf, thisMachine } from './machine.ts'
import { newPostgresFolder, POSTGRES_USER, removePostgresFolder } from './postgres-programs.ts'
import { freePort } from './postgres-server.ts'

const PGBOUNCER: Installation = {
  what: 'PgBouncer for the tests of scaling.md',
  packages: { 'apt-get': ['pgbouncer'], dnf: ['pgbouncer'], apk: ['pgbouncer'] },
}

let provided: Promise<string> | undefined

/** PGBOUNCER_PATH, or the one that is installed; it is installed where there is none. */
function providePgBouncer(): Promise<string> {
  provided ??= find()
  return provided
}

async function find(): Promise<string> {
  const machine = thisMachine()
  const named = machine.environment.PGBOUNCER_PATH
  if (named) return named
  // Distributions keep it among the programs of administrators.
  const environment = { PATH: `${machine.environment.PATH}:/usr/sbin:/usr/local/sbin` }
  const look = () => placesOf('pgbouncer', { ...machine, environment })[0]
  const found = look()
  if (found !== undefined) return found
  const failure = await install(machine, PGBOUNCER)
  const installed = look()
  if (installed !== undefined) return installed
  throw new Error(
    `No PgBouncer for this test: PGBOUNCER_PATH names none, there is none on PATH, and ${failure ?? 'what was installed has none'}.`,
  )
}

export type PoolMode = 'session' | 'transaction' | 'statement'

interface PgBouncerOptions {
  /** Further lines of its configuration. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/**
 * A PgBouncer on a free port of this machine, ended with the test. Returns the address of the same database through it. It
 * signs in to PostgreSQL with the password of that address, and asks its clients for none.
 */
export async function startPgBouncer(
  t: Ended,
  url: string,
  mode: PoolMode,
  { settings = {} }: PgBouncerOptions = {},
): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = newPostgresFolder('bouncer')
  const ownPort = await freePort()
  const lines = {
    pool_mode: mode,
    listen_addr: '127.0.0.1',
    listen_port: ownPort,
    auth_type: 'any',
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  const target = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  writeFileSync(
    file,
    `[databases]\n${pathname.slice(1)} = ${target}\n[pgbouncer]\nunix_socket_dir =\n${Object.entries(lines)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
  )
  chmodSync(file, 0o644)
  const child = spawn(await providePgBouncer(), [file], { ...POSTGRES_USER, cwd: folder })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    removePostgresFolder(folder)
  })
  await listening(child)
  const through = new URL(url)
  through.host = `127.0.0.1:${ownPort}`
  return through.href
}

async function listening(child: ChildProcess): Promise<void> {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-10_000)
    })
  child.on('error', (error) => {
    said += error
  })
  for (let tries = 0; !/process up/.test(said); tries += 1) {
    if (child.exitCode !== null || tries > 500) throw new Error(`PgBouncer does not start:\n${said}`)
    await wait(20)
  }
}
