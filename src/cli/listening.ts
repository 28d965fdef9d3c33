import type { Config } from '../config.ts'

/** Why a port could not be listened on, for the person who has to choose another one. */
export function explainListening(error: unknown, { host, port }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} of ${host} is taken by another program; stop that one, or choose a port with --port (0 for any free one).`,
      )
    case 'EACCES':
      return new Error(`This user may not listen on port ${port}; choose one from 1024 up with --port.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new Error(
        `${host} is not an address of this machine; choose one with --host, such as 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return error
  }
}
