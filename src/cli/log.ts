import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'

export type LogFormat = 'pretty' | 'json'

/** In json everything on standard output is JSON; otherwise the log goes to standard error, out of the reader's way. */
export function createLog(format: LogFormat, level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { path: withoutSecrets },
  }
  const stream =
    format === 'json'
      ? pino.destination({ dest: 1, sync: true })
      : pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY, translateTime: 'SYS:HH:MM:ss' })
  // A full disk, a closed pipe: a log that cannot be written must not end the service.
  stream.on('error', () => {})
  return pino(options, stream)
}

const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i
const TOKEN = /[\da-f]{64}/gi
const NONCE = /[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/gi

/** A careless client has its secrets in the path: credentials before the host, a token or a nonce as a segment. */
const withoutSecrets = (path: string): string =>
  path.replace(AUTHORITY, '').replace(TOKEN, '[token]').replace(NONCE, '[nonce]')
