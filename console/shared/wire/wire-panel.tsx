import type { WireRecord } from 'hydrant-client'
import { useMemo, useState } from 'preact/hooks'
import { type AuthenticationStep, DROPPED, stepOf, useApi, type WireEntry } from '../connection/index.ts'
import { Button, Status, takeFocus, useCopying } from '../controls/index.ts'
import { counted } from '../names.ts'
import { useObservable } from '../state.ts'
import { asCurl, preparationsFor } from './curl.ts'
import { indented } from './json-text.ts'

export function WirePanel({ onClose }: { onClose: () => void }) {
  const { wire } = useApi()
  const entries = useObservable(wire)
  return (
    <section
      class="wire"
      aria-labelledby="wire-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header class="wire-head">
        <h2 id="wire-title" ref={takeFocus} tabIndex={-1}>
          Requests
        </h2>
        <p class="hint">{counted(entries.length, 'requests')}, newest first</p>
        <Button label="Clear" class="quiet" onClick={() => wire.set([])} />
        <Button label="Close" class="quiet" onClick={onClose} />
      </header>
      {entries.length === 0 ? (
        <p class="wire-empty hint">
          No requests yet. Every request that this page sends to the API is listed here.
        </p>
      ) : (
        <ol class="wire-list">
          {entries.map((entry) => (
            <WireItem key={entry.number} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  )
}

const STEPS: Readonly<Record<AuthenticationStep, string>> = {
  challenge: 'A · challenge',
  exchange: 'B · exchange',
  token: 'C · with token',
  credentials: 'with credentials',
}

function WireItem({ entry }: { entry: WireEntry }) {
  const { base } = useApi()
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
        <span class="wire-path">{url.startsWith(base) ? url.slice(base.length) || '/' : url}</span>
        <span class="wire-status" style={{ color: `var(--${kindOf(status)})` }}>
          {status ?? 'no response'}
        </span>
        <span class="wire-time">{milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms</span>
        {step && <span class="wire-step">{STEPS[step]}</span>}
      </button>
      {open && <WireDetails id={id} entry={entry} />}
    </li>
  )
}

function kindOf(status: number | undefined): 'good' | 'warning' | 'danger' {
  if (status === undefined || status >= 400) return status === 401 ? 'warning' : 'danger'
  return 'good'
}

function WireDetails({ id, entry }: { id: string; entry: WireEntry }) {
  const { method, url, requestHeaders, requestBody, responseHeaders, responseBody, dropped = [] } = entry
  return (
    <div class="wire-details" id={id}>
      <p class="wire-url">
        {method} {url}
      </p>
      <p class="hint">{timingOf(entry)}</p>
      {!dropped.includes('request') && <Curl record={entry} />}
      <Headers title="Request headers" headers={requestHeaders} />
      {requestBody !== undefined && <Body title="Request body" text={requestBody} />}
      {dropped.includes('request') && <p class="hint">The request body was dropped. {DROPPED}</p>}
      <Headers title="Response headers" headers={responseHeaders} />
      {responseBody !== '' && <Body title="Response body" text={responseBody} />}
      {dropped.includes('response') && <p class="hint">The response body was dropped. {DROPPED}</p>}
    </div>
  )
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const

function timingOf({ startedAt, milliseconds, status }: WireEntry): string {
  const clock = new Date(startedAt).toLocaleTimeString([], CLOCK)
  const outcome = status === undefined ? 'no response after' : 'response read after'
  return `Sent at ${clock}, ${outcome} ${milliseconds.toFixed(1)} ms.`
}

function Curl({ record }: { record: WireRecord }) {
  const { base } = useApi()
  const step = stepOf(record)
  // Nonces and tokens are issued in headers.
  const showHeaders = step !== undefined && step !== 'token'
  const command = useMemo(() => asCurl(record, { showHeaders }), [record])
  const preparations = preparationsFor(record, base)
  const variable = preparations.length > 1 ? '$TOKEN' : '$NONCE'
  return (
    <section>
      <Command title="As a command" button="Copy as curl" text={command} />
      {preparations.length > 0 && (
        <details class="wire-preparations">
          <summary>
            Where <code>{variable}</code> comes from
          </summary>
          <p class="hint">
            Set <code>USER_ID</code> and <code>PARAPHRASE</code> to yours, then run:
          </p>
          <Command
            title={preparations.length > 1 ? 'Steps A and B' : 'Step A'}
            button={`Copy the commands for ${variable}`}
            text={preparations.join('\n')}
          />
        </details>
      )}
    </section>
  )
}

export function Command({ title, button, text }: { title: string; button: string; text: string }) {
  const { shown, copy, said } = useCopying<HTMLPreElement>(text)
  return (
    <>
      <div class="wire-curl-head row">
        <h3>{title}</h3>
        <Button label={button} onClick={copy} />
        <Status>{said}</Status>
      </div>
      <pre ref={shown}>{text}</pre>
    </>
  )
}

function Headers({ title, headers }: { title: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers)
  return (
    <section>
      <h3>{title}</h3>
      {lines.length === 0 && <p class="hint">None.</p>}
      <dl>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Characters. Laying out more takes a browser too long. */
const SHOWN_AT_FIRST = 20_000

function Body({ title, text }: { title: string; text: string }) {
  const [whole, setWhole] = useState(false)
  const shown = useMemo(() => indented(text) ?? text, [text])
  const cut = !whole && shown.length > SHOWN_AT_FIRST
  const rest = `Show all ${shown.length.toLocaleString('en')} characters`
  return (
    <section>
      <h3>
        {title} <span class="soft">{sizeOf(text)}</span>
      </h3>
      <pre>{cut ? `${shown.slice(0, SHOWN_AT_FIRST)}…` : shown}</pre>
      {cut && <Button label={rest} onClick={() => setWhole(true)} />}
    </section>
  )
}

function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`
}
