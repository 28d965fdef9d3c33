import { BodyView } from './body-view.tsx'
import { CurlView } from './curl-view.tsx'
import { HeadersView } from './headers-view.tsx'
import { DROPPED, type WireEntry } from './log.ts'

interface WireDetailsProps {
  readonly id: string
  readonly base: string
  readonly entry: WireEntry
}

export function WireDetails({ id, base, entry }: WireDetailsProps) {
  const { method, url, requestHeaders, requestBody, responseHeaders, responseBody, dropped = [] } = entry
  return (
    <div class="wire-details" id={id}>
      <p class="wire-url">
        {method} {url}
      </p>
      <p class="hint">{timingOf(entry)}</p>
      {!dropped.includes('request') && <CurlView base={base} record={entry} />}
      <HeadersView title="Request headers" headers={requestHeaders} />
      {requestBody !== undefined && <BodyView title="Request body" text={requestBody} />}
      {dropped.includes('request') && <p class="hint">The request body was dropped. {DROPPED}</p>}
      <HeadersView title="Response headers" headers={responseHeaders} />
      {responseBody !== '' && <BodyView title="Response body" text={responseBody} />}
      {dropped.includes('response') && <p class="hint">The response body was dropped. {DROPPED}</p>}
    </div>
  )
}

function timingOf({ startedAt, milliseconds, status }: WireEntry): string {
  const time = new Date(startedAt)
  const clock = time.toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  })
  const outcome = status === undefined ? 'no answer came after' : 'answered and read after'
  return `Sent at ${clock}; ${outcome} ${milliseconds.toFixed(1)} ms.`
}
