import { useState } from 'preact/hooks'
import type { WireEntry } from './log.ts'
import { type Step, stepOf } from './step.ts'
import { WireDetails } from './wire-details.tsx'

interface WireItemProps {
  readonly base: string
  readonly entry: WireEntry
}

const STEPS: Readonly<Record<Step, string>> = {
  challenge: 'A · challenge',
  exchange: 'B · exchange',
  token: 'C · with token',
  credentials: 'with credentials',
}

/** One request: what one sees of it at a glance, and everything else on demand. */
export function WireItem({ base, entry }: WireItemProps) {
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
