import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ROOT } from './markdown.ts'

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** Tests run side by side, and there is one port 8081: the console is served where it is what is tested. */
export const ENVIRONMENT = { ...process.env, HYDRANT_CONSOLE_PORT: 'off' }

/** Runs a program to its end. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...ENVIRONMENT, ...options.env },
    // What hangs must not hang the tests.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout, stderr }
}

/** The command as it is built and published. */
export const HYDRANT = join(ROOT, 'dist', 'cli', 'main.js')

export const hydrant = (args: readonly string[], options: RunOptions = {}): Promise<Finished> =>
  run(process.execPath, [HYDRANT, ...args], options)

export interface Running {
  readonly child: ChildProcess
  /** All of standard output and standard error so far. */
  output(): string
  stdout(): string
  stderr(): string
  /** The status, once it has ended by itself. */
  readonly ended: Promise<number | null>
  /** Ends it, and says with which status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts a program and waits until it has printed what says that it is ready. Ended with the test. */
export async function start(
  t: TestContext,
  args: readonly string[],
  ready: RegExp,
  options: RunOptions = {},
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...ENVIRONMENT, ...options.env },
  })
  let output = ''
  let stdout = ''
  let stderr = ''
  // Not `exit`: what was printed last may still be on its way then.
  const exited = once(child, 'close') as Promise<[number | null]>
  const isReady = new Promise<void>((resolve, reject) => {
    const take = (text: string) => {
      output += text
      if (ready.test(output)) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      take(text)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      take(text)
    })
    setTimeout(() => reject(new Error(`It was not ready after a minute:\n${output}`)), 60_000).unref()
    exited.then(([status]) => reject(new Error(`It ended with ${status} before it was ready:\n${output}`)))
  })
  const ended = exited.then(([status]) => status)
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  t.after(() => stop('SIGKILL'))
  await isReady
  return { child, output: () => output, stdout: () => stdout, stderr: () => stderr, ended, stop }
}

/** `localhost:8080` of the examples is the server under test, wherever it listens: curl reads this from its home. */
export function redirectCurl(home: string, from: number, to: number): Readonly<Record<string, string>> {
  appendFileSync(join(home, '.curlrc'), `connect-to = "localhost:${from}:127.0.0.1:${to}"\n`)
  return { CURL_HOME: home, HOME: home }
}
