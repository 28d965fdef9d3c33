import { execFile, type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMMAND_SETTINGS } from '../../config/index.ts'
import type { Invocation } from '../invocation.ts'
import { commandProblem } from '../problems.ts'
import { askForParaphrase } from '../prompt.ts'
import { askerOf, obtainToken } from '../server.ts'
import { readCurlArguments, readCurlHelp } from './curl-arguments.ts'
import { openKeptToken } from './kept-token.ts'

/** `hydrant curl …`: curl with a token, which is renewed when it has expired. Returns the exit status of curl. */
export async function runCurl(call: Invocation, ...given: string[]): Promise<number> {
  const base = call.base()
  const { args, urls } = readCurlArguments(given, readCurlHelp(await readHelp()), base)
  const token = urls === 0 ? undefined : await findToken(call, base)
  return await start(ownArguments(base), args, token)
}

/**
 * Without configuration files, which could name other addresses, and with addresses as they are written. A proxy that the
 * environment names would read a token that is not encrypted, and `localhost` is no exception.
 */
const ownArguments = (base: string): readonly string[] => [
  ...['--disable', '--globoff'],
  ...(base.startsWith('https:') ? [] : ['--noproxy', '*']),
]

const PROGRAM = 'curl'

async function readHelp(): Promise<string> {
  const { stdout } = await promisify(execFile)(PROGRAM, ['--disable', '--help', 'all']).catch(explain)
  return stdout
}

function explain(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? commandProblem('CurlNotInstalled') : error
}

/** The token of an earlier call, or a new one. */
async function findToken(call: Invocation, base: string): Promise<string | undefined> {
  const user = call.setting(COMMAND_SETTINGS.signInAs)
  const file = openKeptToken(call.io.env, base, String(user ?? ''))
  const kept = user === undefined ? undefined : await file.find()
  const token = await obtainToken(base, askerOf(call, askTerminal), kept)
  if (token === undefined || token === kept) return token
  await file.keep(token).catch(({ code }: NodeJS.ErrnoException) => {
    call.console.error(`hydrant: note: the token could not be kept (${code}); the next call signs in again.`)
  })
  return token
}

/** Standard input belongs to curl, so only a terminal can be asked. */
const askTerminal: typeof askForParaphrase = (call, user, kind) => {
  if (call.io.stdin.isTTY) return askForParaphrase(call, user, kind)
  throw commandProblem('ParaphraseFileNeeded')
}

/** The file descriptor of curl that has the header. */
const DESCRIPTOR = 3

async function start(
  own: readonly string[],
  args: readonly string[],
  token: string | undefined,
): Promise<number> {
  const header = token === undefined ? undefined : openHeader(`X-Authorization: ${token}\n`)
  const sent = header === undefined ? [] : ['--header', `@${header.path}`]
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', header?.descriptor ?? 'ignore']
  const child = spawn(PROGRAM, [...own, ...sent, ...args], { stdio })
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, pass)
  try {
    const [status, signal] = (await once(child, 'exit').catch(explain)) as [number | null, NodeJS.Signals]
    // As shells do for a program that a signal has ended.
    return status ?? 128 + constants.signals[signal]
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass)
    header?.close()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface HeaderFile {
  readonly descriptor: number
  /** The name of the file for curl. */
  readonly path: string
  close(): void
}

/**
 * A header that curl reads from a file: other users of the machine can read the arguments of a process, and standard
 * input may have the body. The file is unlinked before it is written. A pipe of Node.js would not do: it is a
 * socket, which cannot be opened by the name of its descriptor.
 */
function openHeader(text: string): HeaderFile {
  const path = join(tmpdir(), `hydrant-${randomUUID()}`)
  const descriptor = openSync(path, 'wx+', 0o600)
  const isNamed = process.platform === 'win32'
  if (!isNamed) unlinkSync(path)
  // A write at a position does not move the offset, from which some systems let curl read.
  writeSync(descriptor, text, 0)
  return {
    descriptor,
    path: isNamed ? path : `/dev/fd/${DESCRIPTOR}`,
    close() {
      closeSync(descriptor)
      if (isNamed) unlinkSync(path)
    },
  }
}
