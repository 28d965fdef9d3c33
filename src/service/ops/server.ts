import { type Answer, plain, type SideServer, startSideServer } from '../../http/side-server.ts'

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

/** Whoever asks here is a program that asks once every few seconds. */
const MOST_CONNECTIONS = 64

/** Health, readiness and metrics. */
export function startOpsServer({ host, port, lack, metrics }: OpsParts): Promise<SideServer> {
  // However many ask at once, the store is asked once.
  const findLack = together(lack)
  const collect = together(metrics)
  const pages: ReadonlyMap<string, () => Promise<Answer>> = new Map([
    // That it answers is the answer.
    ['/healthz', async () => plain(200, 'ok\n')],
    [
      '/readyz',
      async () => {
        const found = await findLack()
        return found === undefined ? plain(200, 'ready\n') : plain(503, `not ready: ${found}\n`)
      },
    ],
    [
      '/metrics',
      async () => {
        const { type, text } = await collect()
        return plain(200, text, { 'Content-Type': type })
      },
    ],
  ])
  return startSideServer({
    host,
    port,
    mostConnections: MOST_CONNECTIONS,
    find(path) {
      const page = pages.get(path)
      return page && (() => page().catch(() => plain(503, 'This could not be found out; try again.\n')))
    },
    unknown: `There is ${[...pages.keys()].join(', ')}.\n`,
  })
}

/** Whoever asks while the question is being answered gets the same answer. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
}
