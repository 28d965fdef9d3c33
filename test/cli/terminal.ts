import type { TestContext } from 'node:test'
import { spawn } from '@lydell/node-pty'
import { ENVIRONMENT, HYDRANT } from '../support/processes.ts'

/** The command on a real terminal, with somebody who types. */
export interface Terminal {
  /** All that the terminal shows, echo included. */
  screen(): string
  /** Waits until this is on the screen. */
  shows(text: string | RegExp): Promise<void>
  type(keys: string): void
  signal(signal: NodeJS.Signals): void
  /** The exit status. */
  readonly ended: Promise<number>
}

export const CTRL_C = '\x03'
export const CTRL_D = '\x04'

const PATIENCE_MS = 30_000
const POLL_MS = 10

export function openTerminal(
  t: TestContext,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Terminal {
  const env = { ...ENVIRONMENT, ...variables }
  const pty = spawn(process.execPath, [HYDRANT, ...args], { cwd, cols: 200, rows: 50, env })
  let screen = ''
  let status: number | undefined
  pty.onData((text) => {
    screen += text
  })
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode }) => {
      status = exitCode
      resolve(exitCode)
    }),
  )
  const kill = () => {
    if (status === undefined) pty.kill('SIGKILL')
  }
  // What hangs must not hang the tests.
  const timer = setTimeout(kill, 2 * PATIENCE_MS)
  t.after(async () => {
    clearTimeout(timer)
    kill()
    await ended
  })

  async function shows(text: string | RegExp): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return
      if (status !== undefined) break
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    throw new Error(`${text} is not on the screen: ${JSON.stringify(screen)}`)
  }

  return {
    screen: () => screen,
    shows,
    type: (keys) => pty.write(keys),
    signal: (signal) => pty.kill(signal),
    ended,
  }
}
