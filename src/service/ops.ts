// Health and metrics, on a port of their own.
import type { Address } from '../config/index.ts'
import { limitTime } from '../deadline.ts'
import { createMetrics, type Metrics, type MetricsText } from './metrics/metrics.ts'
import { type SideAnswer, startSideServer, textAnswer } from './side-server.ts'

/** The clients of this port are programs that ask every few seconds. */
const MAX_CONNECTIONS = 64

/** The port for health and metrics. */
export interface Ops {
  readonly port: number
  /** The metrics of this process. */
  readonly metrics: Metrics
  /** The API is served: from now on `checks` decide. `metrics`: the metrics of the workers, if there are any. */
  setReady(checks: Checks & { readonly metrics?: (() => Promise<MetricsText>) | undefined }): void
  /** The API is not served, for this reason. */
  setNotReady(reason: string): void
  close(): Promise<void>
}

/** Health and metrics of a server process, for as long as it runs. */
export async function startOps({ host, port }: Address): Promise<Ops> {
  const metrics = createMetrics()
  const readiness = createReadiness('it is starting')
  let metricsText = metrics.text
  const pages: Readonly<Record<string, () => Promise<SideAnswer>>> = {
    // Any response means that the process is alive.
    '/healthz': async () => textAnswer(200, 'ok\n'),
    // Concurrent requests share one query to the store and the workers.
    '/readyz': shareCall(async () => {
      const found = await readiness.findProblem()
      return found === undefined ? textAnswer(200, 'ready\n') : textAnswer(503, `not ready: ${found}\n`)
    }),
    '/metrics': shareCall(async () => {
      const { type, text } = await metricsText()
      return textAnswer(200, text, [], type)
    }),
  }
  const server = await startSideServer({
    host,
    port,
    mostConnections: MAX_CONNECTIONS,
    find(path) {
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined
      return page && (() => page().catch(() => textAnswer(503, 'This could not be found out; try again.\n')))
    },
    unknown: `There is ${Object.keys(pages).join(', ')}.\n`,
  })
  return {
    port: server.port,
    close: server.close,
    metrics,
    setReady(checks) {
      metricsText = checks.metrics ?? metrics.text
      readiness.setReady(checks)
    },
    setNotReady: readiness.setNotReady,
  }
}

/** Concurrent calls share one result. */
function shareCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= call().finally(() => {
      running = undefined
    })
    return running
  }
}

interface Checks {
  /** Rejects when the store does not answer. */
  readonly reachable: () => Promise<void>
  /** Any other reason why requests cannot be served. */
  readonly problem: () => string | undefined
}

/** A store that takes longer makes the service count as not ready. */
const STORE_ANSWER_MS = 1_000

/** Whether requests should be sent here: not ready at first, because of `why`. */
export function createReadiness(why: string) {
  let refused: string | undefined = why
  let checks: Checks | undefined
  return {
    /** From now on it is ready whenever the store answers and there is no other problem. */
    setReady(given: Checks): void {
      checks = given
      refused = undefined
    },
    setNotReady(reason: string): void {
      refused = reason
    },
    /** Why it is not ready; undefined if it is. */
    async findProblem(): Promise<string | undefined> {
      const known = refused ?? checks?.problem()
      if (known !== undefined || checks === undefined) return known
      const found = await findStoreProblem(checks.reachable)
      // The server may have begun to stop in the meantime.
      return refused ?? found
    },
  }
}

const findStoreProblem = (reachable: () => Promise<void>): Promise<string | undefined> =>
  limitTime(reachable(), STORE_ANSWER_MS, () => LATE).then(
    () => undefined,
    // The message of the store may name hosts and users.
    (error: unknown) => (error === LATE ? 'the database does not answer' : 'the database cannot be reached'),
  )

const LATE = new Error('The store has not answered in time.')
