import pino, { type Logger } from 'pino'
import { type App, spelt, toOriginForm } from '../http/index.ts'
import { percentDecoded } from '../text.ts'
import { type Model, RESERVED_PATHS, storedClasses } from '../vocabulary/index.ts'

/** The logger of a running service, such as pino. */
export interface Log {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
  debug(details: object, message: string): void
}

type LogFormat = 'pretty' | 'json'

/** With json, everything on standard output is JSON; otherwise the log goes to standard error, apart from other output. */
export async function createLog(format: LogFormat, level: string): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: withoutSecrets },
  }
  const stream = format === 'json' ? pino.destination({ dest: 1, sync: true }) : await openPretty()
  // A full disk, a closed pipe: a log that cannot be written must not end the service.
  stream.on('error', () => {})
  return pino(options, stream)
}

async function openPretty() {
  const { default: pretty } = await import('pino-pretty')
  const colorize = process.stderr.isTTY
  return pretty({
    destination: 2,
    sync: true,
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    // Shows a request in one line; in JSON these values are keys.
    messageFormat: ({ msg, method, path, status, ms }) =>
      msg === 'request' ? `${method} ${path} ${status} ${ms} ms` : String(msg),
    ignore: 'method,path,status,ms',
  })
}

// A secret that is percent-encoded, once or several times, is still a secret.
const DIGIT = '(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6]))'
// A nonce begins with seconds since 1970, and the id of an imported member with zeros.
const NOT_ZERO = '(?:[1-9a-f]|%(?:25){0,3}(?:3[1-9]|[46][1-6]))'
const DASH = '(?:-|%(?:25){0,3}2d)'
const EIGHT = '(?:8|%(?:25){0,3}38)'
const SECRETS = [
  [new RegExp(`${DIGIT}{64}`, 'gi'), '[token]'],
  [
    new RegExp(
      `${NOT_ZERO}${DIGIT}{7}${DASH}${DIGIT}{4}${DASH}${EIGHT}${DIGIT}{3}${DASH}${DIGIT}{4}${DASH}${DIGIT}{12}`,
      'gi',
    ),
    '[nonce]',
  ],
  [/\bbasic\s+[\w+/=]+/gi, '[credentials]'],
  [/\/\/[^/\s"@]*@/g, '//[credentials]@'],
] as const

/**
 * The last check of a whole line. Log lines about requests contain no secrets anyway; but the message of an unexpected
 * error, and its other properties, may repeat what a client has sent.
 */
const withoutSecrets = (line: string): string =>
  SECRETS.reduce((text, [secret, name]) => text.replace(secret, name), line)

/** Logs a line for each request, without query and headers: a client may put a secret into them. */
export function withRequestLog(app: App, base: string, model: Model, write: Log['info']): App {
  const names = storedClasses(model).flatMap(({ name, collection, customOperations = [] }) => [
    collection ?? name,
    ...customOperations.map((operation) => operation.name),
  ])
  const mount = new URL(base).pathname.replace(/\/$/, '')
  const loggedPath = createLoggedPath(mount, new Set([...RESERVED_PATHS, ...names]))
  return async (request) => {
    const started = performance.now()
    const response = await app(request)
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    const { method, target } = request
    write({ method, path: loggedPath(target), status: response.status, ms }, 'request')
    return response
  }
}

/** An id that the server has chosen, a UUID of version 7; a nonce has version 8. */
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const MAX_SEGMENTS = 4

/**
 * The parts of a target that may be logged: `names` that are served, and ids that the server has chosen. The rest may be a
 * token or a paraphrase that a careless client has put there.
 */
export function createLoggedPath(mount: string, names: ReadonlySet<string>): (target: string) => string {
  const show = (segment: string): string =>
    segment === '' || ID.test(segment) || names.has(percentDecoded(segment) ?? '') ? segment : '…'
  return (target) => {
    if (target === '*') return target
    const [sent = ''] = toOriginForm(target).split('?', 1)
    const path = spelt(sent, mount)
    if (!path.startsWith(`${mount}/`)) return path === mount ? path : '…'
    const segments = path.slice(mount.length).split('/', MAX_SEGMENTS)
    return mount + segments.map(show).join('/')
  }
}
