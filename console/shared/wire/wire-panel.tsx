import { useEffect, useRef, useState } from 'preact/hooks'
import { type Step, stepOf, useApi, type WireEntry } from '../connection/index.ts'
import { Button } from '../controls/index.ts'
import { useStore } from '../state/index.ts'
import { WireDetails } from './wire-details.tsx'

/** The requests of this page, the latest first. It stands beside or below the page, and both can be used. */
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
        <Button label="Clear" class="quiet" onClick={() => wire.set([])} />
        <Button label="Close" class="quiet" onClick={onClose} />
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

const STEPS: Readonly<Record<Step, string>> = {
  challenge: 'A · challenge',
  exchange: 'B · exchange',
  token: 'C · with token',
  credentials: 'with credentials',
}

export function WireItem({ base, entry }: { readonly base: string; readonly entry: WireEntry }) {
  const [open, setOpen] = useState(false)
  const { method, url, status, milliseconds, number } = entry
  const step = stepOf(entry)
  const id = `wire-${number}`
  return (
    <li class="wire-item">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span class="wire-method">{method}</span>
        <span class="wire-path">{pathOf(base, url)}</span>
        <span class="wire-status" data-kind={kindOf(status)}>
          {status ?? 'no answer'}
        </span>
        <span class="wire-time">{milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms</span>
        {step && <span class="wire-step">{STEPS[step]}</span>}
      </button>
      {open && <WireDetails id={id} base={base} entry={entry} />}
    </li>
  )
}

/** Below the base; `/` for the base itself. */
function pathOf(base: string, url: string): string {
  return url.startsWith(base) ? url.slice(base.length) || '/' : url
}

function kindOf(status: number | undefined): 'good' | 'asked' | 'bad' {
  if (status === undefined || status >= 400) return status === 401 ? 'asked' : 'bad'
  return 'good'
}
