import { sentenceOf } from './error-sentence.ts'

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** What went wrong, and the way to try it again. */
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
