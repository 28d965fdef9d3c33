import { useEffect, useRef } from 'preact/hooks'
import { useApi } from '../api.ts'
import { useStore } from '../store.ts'
import { WireItem } from './wire-item.tsx'

/** What went over the wire, the latest first. It stands beside the page, or below it, and both can be used. */
export function WirePanel({ onClose }: { readonly onClose: () => void }) {
  const { base, wire } = useApi()
  const entries = useStore(wire)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section
      class="wire"
      aria-labelledby="wire-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header class="wire-head">
        <h2 id="wire-title" ref={heading} tabIndex={-1}>
          Wire
        </h2>
        <p class="hint">
          {entries.length === 1 ? '1 request' : `${entries.length} requests`}, the latest first
        </p>
        <button type="button" class="button quiet" onClick={() => wire.set([])}>
          Clear
        </button>
        <button type="button" class="button quiet" onClick={onClose}>
          Close
        </button>
      </header>
      {entries.length === 0 ? (
        <p class="wire-empty hint">Nothing yet. Every request of this page to the API will be here.</p>
      ) : (
        <ol class="wire-list">
          {entries.map((entry) => (
            <WireItem key={entry.number} base={base} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  )
}
