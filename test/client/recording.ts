import { type Client, type ClientOptions, createClient, type WireRecord } from 'hydrant-client'
import { PARAPHRASE, USER } from '../support/client.ts'

/** A request as it was really sent, with its secrets. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  /** Of fetch, which decides whether a browser may ask for a password by itself. */
  readonly credentials: string | undefined
  readonly cache: string | undefined
  /** Undefined where no response came. */
  status: number | undefined
}

export interface Recording {
  readonly client: Client
  readonly sent: readonly Sent[]
  /** What the client shows to whoever observes it. */
  readonly observed: readonly WireRecord[]
  /** Those that carried credentials, which is step B. */
  exchanges(): readonly Sent[]
  /** `GET /books 200`, below the base. */
  lines(): string[]
}

export const CREDENTIALS = { id: USER, paraphrase: PARAPHRASE }

/** A client whose requests are written down on their way. */
export function recordClient(base: string, options: Partial<ClientOptions> = {}): Recording {
  const sent: Sent[] = []
  const observed: WireRecord[] = []
  const client = createClient({
    base,
    credentials: CREDENTIALS,
    observe: (record) => observed.push(record),
    ...options,
    async fetch(input, init = {}) {
      const request: Sent = {
        method: init.method ?? 'GET',
        url: String(input),
        headers: new Headers(init.headers),
        body: init.body?.toString(),
        credentials: init.credentials,
        cache: init.cache,
        status: undefined,
      }
      sent.push(request)
      const response = await (options.fetch ?? fetch)(input, init)
      request.status = response.status
      return response
    },
  })
  return {
    client,
    sent,
    observed,
    exchanges: () => sent.filter(({ headers }) => headers.has('authorization')),
    lines: () =>
      sent.map(({ method, url, status }) => `${method} ${url.slice(client.base.length)} ${status}`),
  }
}

/** As many at once as asked for, each of them told apart by its number. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
