import pino, { type Logger } from 'pino'

/** Where a running service reports; pino fits. */
export interface Log {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
  debug(details: object, message: string): void
}

export type LogFormat = 'pretty' | 'json'

/** In json everything on standard output is JSON; otherwise the log goes to standard error, out of the reader's way. */
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
    // A request in one line; in json these are keys.
    messageFormat: ({ msg, method, path, status, ms }) =>
      msg === 'request' ? `${method} ${path} ${status} ${ms} ms` : String(msg),
    ignore: 'method,path,status,ms',
  })
}

// A secret that is percent-encoded, once or several times, can be used as well.
const DIGIT = '(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6]))'
const DASH = '(?:-|%(?:25){0,3}2d)'
const EIGHT = '(?:8|%(?:25){0,3}38)'
const SECRETS = [
  [new RegExp(`${DIGIT}{64}`, 'gi'), '[token]'],
  [
    new RegExp(
      `${DIGIT}{8}${DASH}${DIGIT}{4}${DASH}${EIGHT}${DIGIT}{3}${DASH}${DIGIT}{4}${DASH}${DIGIT}{12}`,
      'gi',
    ),
    '[nonce]',
  ],
  [/\bbasic\s+[\w+/=]+/gi, '[credentials]'],
  [/\/\/[^/\s"@]*@/g, '//[credentials]@'],
] as const

/**
 * The last look at a whole line. What is logged of a request has no secret in it to begin with; but the message of an
 * unexpected error, and whatever else it carries, may repeat what a client has sent.
 */
const withoutSecrets = (line: string): string =>
  SECRETS.reduce((text, [secret, name]) => text.replace(secret, name), line)
