import { ApiError, type ErrorKind } from 'hydrant-client'

export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { kind, message, status = 0 } = error
  if (kind === 'credentials')
    return 'Nothing was done, because you are not signed in. Sign in, then repeat it.'
  // The client does not send secrets along when it is redirected.
  if (status >= 300 && status < 400)
    return `${message} The server redirects this address, and neither your passphrase nor a token is sent to another address. Open the API at the address it redirects to; often only the slash at the end differs.`
  // A browser does not reveal which of the two it was.
  if (kind === 'unreachable')
    return `${message} Is the server running at this address, and does it allow requests from this page (Access-Control-Allow-Origin)?`
  return message
}

export const isOfKind = (error: unknown, ...kinds: readonly ErrorKind[]): boolean =>
  error instanceof ApiError && kinds.includes(error.kind)

/** Trying again would not help. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403
