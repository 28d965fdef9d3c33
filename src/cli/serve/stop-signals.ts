import type { Logger } from 'pino'

/** What SIGTERM and SIGINT mean, from the first moment of a server to its last. */
export interface StopSignals {
  /** The signal that came while it was listening. */
  readonly stopped: Promise<NodeJS.Signals>
  /** Whether the process ends because of a signal before it listened: what breaks by that is no failure. */
  isLeaving(): boolean
  /** To be done before it ends so. */
  onLeave(act: () => Promise<void>): void
  /** From now on requests in flight are finished first. */
  listening(): void
}

/**
 * Before it listens there is nothing to finish, and the database may be waited for at any length: the process ends at
 * once, and what was not committed is undone. Further signals change nothing: Ctrl-C reaches a server twice where npm, in
 * front of it, passes on what the terminal has sent to both. The wait for requests is bounded anyway.
 */
export function listenForStop(log: Logger): StopSignals {
  const stopped = Promise.withResolvers<NodeJS.Signals>()
  let state: 'starting' | 'leaving' | 'listening' = 'starting'
  let beforeLeaving = async () => {}

  async function leave(signal: NodeJS.Signals): Promise<void> {
    state = 'leaving'
    log.info({ signal }, 'stopped before it served')
    await beforeLeaving().catch((err: unknown) => log.error({ err }, 'something failed on the way out'))
    process.exit(0)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (state === 'listening') stopped.resolve(signal)
      else if (state === 'starting') void leave(signal)
    })
  }
  return {
    stopped: stopped.promise,
    isLeaving: () => state === 'leaving',
    onLeave(act) {
      beforeLeaving = act
    },
    listening() {
      if (state === 'starting') state = 'listening'
    },
  }
}
