import { ApiError } from '../../src/client/index.ts'

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** What went wrong, in the server's own words where it has any. */
export function Failure({ error, onRetry }: FailureProps) {
  return (
    <div class="failure" role="alert">
      <p>{sentenceOf(error)}</p>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'credentials') return NOT_SIGNED_IN
  return error.code === 'unreachable' ? `${error.message}${UNREACHABLE}` : error.message
}

/** Whoever was asked has cancelled. */
const NOT_SIGNED_IN =
  'This was not done, because nobody is signed in any more. Sign in again, then repeat it.'

/** A browser does not tell which it was. */
const UNREACHABLE =
  ' Is the server running at this address, and does it allow requests from this page (Access-Control-Allow-Origin)?'
