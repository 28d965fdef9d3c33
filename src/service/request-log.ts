import type { App } from '../app.ts'
import { toOriginForm } from '../http/index.ts'

/** As the server chooses ids; a nonce is of version 8. */
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const MOST_SEGMENTS = 4

export interface RequestLine {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
}

/** The app, with one line for each request: no query and no header, since a client may put a secret in each. */
export const withRequestLog =
  (app: App, shownPath: (target: string) => string, log: (line: RequestLine) => void): App =>
  async (request) => {
    const started = performance.now()
    const response = await app(request)
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    log({ method: request.method, path: shownPath(request.target), status: response.status, ms })
    return response
  }

/**
 * As much of a target as a log may have: `names` that are served and ids that the server chose. The rest may be a token
 * or a paraphrase that a careless client has put there, in any spelling.
 */
export function createShownPath(mount: string, names: ReadonlySet<string>): (target: string) => string {
  const show = (segment: string): string =>
    segment === '' || ID.test(segment) || names.has(decode(segment)) ? segment : '…'
  return (target) => {
    if (target === '*') return target
    const [path = ''] = toOriginForm(target).split('?', 1)
    if (!path.startsWith(`${mount}/`)) return path === mount ? path : '…'
    const segments = path.slice(mount.length).split('/', MOST_SEGMENTS)
    return mount + segments.map(show).join('/')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // Not percent-encoded UTF-8: no name either.
    return segment
  }
}
