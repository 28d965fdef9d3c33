import { type Answer, type SideServer, startSideServer, textAnswer } from '../../http/index.ts'

export interface OpsParts {
  readonly host: string
  readonly port: number
  /** Why the service cannot be used right now; undefined when it can. */
  readonly lack: () => Promise<string | undefined>
  readonly metrics: () => Promise<Text>
}

export interface Text {
  readonly type: string
  readonly text: string
}

/** Programs ask here, once every few seconds. */
const MOST_CONNECTIONS = 64

/** Health, readiness and metrics. */
export function startOpsServer({ host, port, lack, metrics }: OpsParts): Promise<SideServer> {
  // However many ask at once, the store is asked once.
  const findLack = shareCall(lack)
  const collect = shareCall(metrics)
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
  return startSideServer({
    host,
    port,
    mostConnections: MOST_CONNECTIONS,
    find(path) {
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined
      return page && (() => page().catch(() => textAnswer(503, 'This could not be found out; try again.\n')))
    },
    unknown: `There is ${Object.keys(pages).join(', ')}.\n`,
  })
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

export interface Readiness {
  /** From now on it is ready whenever the store answers and nothing is lacking. */
  admit(checks: Checks): void
  /** From now on it is not. */
  refuse(why: string): void
  /** Why it is not ready; undefined when it is. */
  lack(): Promise<string | undefined>
}

export interface Checks {
  /** Rejects when the store does not answer. */
  readonly reachable: () => Promise<void>
  /** What else is lacking. */
  readonly lacking: () => string | undefined
}

/** How long the store may take to answer while the service counts as ready. */
const STORE_ANSWER_MS = 1_000

/** Whether requests should be sent here. It begins with no. */
export function createReadiness(why: string): Readiness {
  let refused: string | undefined = why
  let checks: Checks | undefined
  return {
    admit(given) {
      checks = given
      refused = undefined
    },
    refuse(reason) {
      refused = reason
    },
    async lack() {
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
