interface Listened {
  readonly host: string
  readonly port: number
}

/** The flags that choose where it is. */
interface ListeningFlags {
  readonly host: string
  readonly port: string
}

const API_FLAGS: ListeningFlags = { host: '--host', port: '--port' }
export const OPS_FLAGS: ListeningFlags = { host: '--ops-port', port: '--ops-port' }
export const CONSOLE_FLAGS: ListeningFlags = { host: '--console-port', port: '--console-port' }

/** A colon is no part of a name there (RFC 3986 §3.2.2). */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Why a port could not be listened on, for the person who has to choose another one. */
export function explainListening(error: unknown, { host, port }: Listened, flags = API_FLAGS): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} of ${host} is taken by another program; stop that one, or choose a port with ${flags.port} (0 for any free one).`,
      )
    case 'EACCES':
      return new Error(
        `This user may not listen on port ${port}; choose one from 1024 up with ${flags.port}.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new Error(
        `${host} is not an address of this machine; choose one with ${flags.host}, such as 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return error
  }
}
