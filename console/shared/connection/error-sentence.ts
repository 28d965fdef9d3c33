import { ApiError, type ErrorKind } from 'hydrant-client'

export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { kind, message, status = 0 } = error
  if (kind === 'credentials')
    return 'This was not done, because nobody is signed in any more. Sign in again, then repeat it.'
  // The client follows no redirection with a secret.
  if (status >= 300 && status < 400)
    return `${message} This address leads elsewhere, and neither a paraphrase nor a token is sent there. Open the API by the address that it has; often the last slash makes the difference: try it with one, or without.`
  // A browser does not tell which of the two it was.
  if (kind === 'unreachable')
    return `${message} Is the server running at this address, and does it allow requests from this page (Access-Control-Allow-Origin)?`
  return message
}

export const isOfKind = (error: unknown, ...kinds: readonly ErrorKind[]): boolean =>
  error instanceof ApiError && kinds.includes(error.kind)

/** The API has decided, and will not decide otherwise: to try again is no use. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403
