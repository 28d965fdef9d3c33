import type { Logger } from 'pino'

/** What SIGTERM and SIGINT mean, from the first moment of a server to its last. */
export interface Stopping {
  /** The signal; of one that has not served yet, never. */
  readonly stopped: Promise<NodeJS.Signals>
  /** Whether the process ends because it was told to before it served: what breaks by that is no failure. */
  isLeaving(): boolean
  /** To be done before it ends so. */
  onLeave(act: () => Promise<void>): void
  /** From now on requests in flight are finished first. */
  serves(): void
}

/**
 * Before anything is served there is nothing to finish, and no telling how long the database is waited for: the process
 * ends there and then, and what was not committed is undone. Further signals change nothing: Ctrl-C reaches a server twice
 * where something like npm, in front of it, passes on what the terminal has sent to both. The wait is bounded anyway.
 */
export function listenForStop(log: Logger): Stopping {
  const stopped = Promise.withResolvers<NodeJS.Signals>()
  let state: 'starting' | 'leaving' | 'serving' = 'starting'
  let beforeLeaving = async () => {}

  async function leave(signal: NodeJS.Signals): Promise<void> {
    state = 'leaving'
    log.info({ signal }, 'stopped before it served')
    await beforeLeaving().catch((err: unknown) => log.error({ err }, 'something failed on the way out'))
    process.exit(0)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (state === 'serving') stopped.resolve(signal)
      else if (state === 'starting') void leave(signal)
    })
  }
  return {
    stopped: stopped.promise,
    isLeaving: () => state === 'leaving',
    onLeave(act) {
      beforeLeaving = act
    },
    serves() {
      if (state === 'starting') state = 'serving'
    },
  }
}
