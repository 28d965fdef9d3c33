import { startSweeper } from '../auth/index.ts'
import type { CatchUp, ConversionProgress } from '../members/index.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'

/** How long a host waits until it looks for members that hosts with a former API file have written. */
const CATCH_UP_MS = 1_000

/** How often the progress of a conversion is logged. */
const PROGRESS_MS = 5_000

interface CatchUpOptions {
  readonly log: Pick<Log, 'info'>
  readonly metrics: Pick<Metrics, 'watchConversions'> | undefined
  readonly onError: (error: unknown) => void
}

/** Converts members that were stored under a former API file (hosts.md, A changed API file), and shows how far that is. */
export function startCatchUp(
  catchUp: CatchUp,
  { log, metrics, onError }: CatchUpOptions,
): { stop(): Promise<void> } {
  metrics?.watchConversions(catchUp.progress)
  const onConverting = createConversionLog(log)
  const sweeper = startSweeper(() => catchUp.turn(onConverting), onError, CATCH_UP_MS)
  return {
    async stop() {
      const stopped = sweeper.stop()
      await catchUp.interrupt?.()
      await stopped
      await catchUp.release?.().catch(onError)
    },
  }
}

/** Logs the begin and the end of each conversion, and in between how far it is. */
export function createConversionLog(
  log: Pick<Log, 'info'>,
  now = () => performance.now(),
): (progress: ConversionProgress) => void {
  const loggedAt = new Map<string, number>()
  return ({ className, percent }) => {
    const last = loggedAt.get(className)
    const details = { class: className, percent }
    if (percent === 100) {
      loggedAt.delete(className)
      return log.info(details, 'the members are converted to this API file')
    }
    if (last !== undefined && now() - last < PROGRESS_MS) return
    loggedAt.set(className, now())
    log.info(
      details,
      last === undefined
        ? 'converting the members to this API file in the background'
        : 'still converting the members',
    )
  }
}
