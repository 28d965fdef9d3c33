import { isReadable } from '../../shared/connection/address.ts'

interface DestinationProps {
  readonly base: string
  readonly served: string
}

/** Where a paraphrase goes, and what to think of before it does. */
export function Destination({ base, served }: DestinationProps) {
  return (
    <div class="destination">
      <p>
        <span class="visually-hidden">The API is at </span>
        <code>{base}</code>
      </p>
      {base !== served && (
        <p class="warning">
          This is not the API that this page came with. What you type here goes to{' '}
          <strong>{new URL(base).host}</strong>.
        </p>
      )}
      {isReadable(base) && (
        <p class="warning">
          Plain http: whoever is on the way to <strong>{new URL(base).host}</strong> can read what you type.
          Use https where it is served.
        </p>
      )}
    </div>
  )
}
