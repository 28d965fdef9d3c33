import type { Address } from '../config/index.ts'
import { type Answer, startSideServer, textAnswer } from '../http/side-server.ts'
import { createMetrics, type Metrics, type Text } from './ops/metrics.ts'

/** Health and metrics of a server process, for as long as it runs. */
export interface Ops {
  readonly port: number
  /** Of this process. */
  readonly metrics: Metrics
  /** The API is served: from now on the answer is whether it still is. `metrics`: of the workers, where there are some. */
  admit(checks: Checks & { readonly metrics?: (() => Promise<Text>) | undefined }): void
  /** It is not, for this reason. */
  refuse(why: string): void
  close(): Promise<void>
}

/** Programs ask here, once every few seconds. */
const MOST_CONNECTIONS = 64

export async function startOps({ host, port }: Address): Promise<Ops> {
  const metrics = createMetrics()
  const readiness = createReadiness('it is starting')
  let metricsText = metrics.text
  // However many ask at once, the store and the workers are asked once.
  const findLack = shareCall(readiness.lack)
  const collect = shareCall(() => metricsText())
  const pages: Readonly<Record<string, () => Promise<Answer>>> = {
    // That it answers is the answer.
    '/healthz': async () => textAnswer(200, 'ok\n'),
    '/readyz': async () => {
      const found = await findLack()
      return found === undefined ? textAnswer(200, 'ready\n') : textAnswer(503, `not ready: ${found}\n`)
    },
    '/metrics': async () => {
      const { type, text } = await collect()
      return textAnswer(200, text, { 'Content-Type': type })
    },
  }
  const server = await startSideServer({
    host,
    port,
    mostConnections: MOST_CONNECTIONS,
    find(path) {
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined
      return page && (() => page().catch(() => textAnswer(503, 'This could not be found out; try again.\n')))
    },
    unknown: `There is ${Object.keys(pages).join(', ')}.\n`,
  })
  return {
    ...server,
    metrics,
    admit(checks) {
      metricsText = checks.metrics ?? metrics.text
      readiness.admit(checks)
    },
    refuse: readiness.refuse,
  }
}

/** What is called while a call is under way gets the result of that call. */
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
  /** What else is lacking. */
  readonly lacking: () => string | undefined
}

/** How long the store may take to answer while the service counts as ready. */
const STORE_ANSWER_MS = 1_000

/** Whether requests should be sent here. It begins with no. */
export function createReadiness(why: string) {
  let refused: string | undefined = why
  let checks: Checks | undefined
  return {
    /** From now on it is ready whenever the store answers and nothing is lacking. */
    admit(given: Checks): void {
      checks = given
      refused = undefined
    },
    refuse(reason: string): void {
      refused = reason
    },
    /** Why it is not ready; undefined when it is. */
    async lack(): Promise<string | undefined> {
      const known = refused ?? checks?.lacking()
      if (known !== undefined || checks === undefined) return known
      const found = await findStoreLack(checks.reachable)
      // It may have begun to stop in the meantime.
      return refused ?? found
    },
  }
}

async function findStoreLack(reachable: () => Promise<void>): Promise<string | undefined> {
  const answered = reachable().then(
    () => undefined,
    // The store's own words may name hosts and users.
    () => 'the database cannot be reached',
  )
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, STORE_ANSWER_MS, 'the database does not answer')
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
