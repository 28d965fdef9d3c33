import type { Logger } from 'pino'

/** How SIGTERM and SIGINT end a server. */
export interface StopSignals {
  /** Resolves with the signal that arrives while the server is listening. */
  readonly stopped: Promise<NodeJS.Signals>
  /** Whether a signal is ending the process before it listens: errors that this causes are not failures. */
  isExiting(): boolean
  /** Sets the work to do before the process ends in that way. */
  beforeExit(act: () => Promise<void>): void
  /** From now on requests in flight are finished first. */
  listening(): void
}

/**
 * Handles SIGTERM and SIGINT from the start of a server to its end. Before it listens there is nothing to finish, and the
 * database may take any time to answer: the process ends at once, and uncommitted work is rolled back. Further signals
 * change nothing: under npm, Ctrl-C reaches a server twice, from the terminal and from npm. The wait for requests has a
 * limit anyway.
 */
export function listenForStop(log: Logger): StopSignals {
  const stopped = Promise.withResolvers<NodeJS.Signals>()
  let state: 'starting' | 'leaving' | 'listening' = 'starting'
  let work = async () => {}

  async function exit(signal: NodeJS.Signals): Promise<void> {
    state = 'leaving'
    log.info({ signal }, 'stopped before it served')
    await work().catch((err: unknown) => log.error({ err }, 'something failed on the way out'))
    process.exit(0)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (state === 'listening') stopped.resolve(signal)
      else if (state === 'starting') void exit(signal)
    })
  }
  return {
    stopped: stopped.promise,
    isExiting: () => state === 'leaving',
    beforeExit(act) {
      work = act
    },
    listening() {
      if (state === 'starting') state = 'listening'
    },
  }
}
