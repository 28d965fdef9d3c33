import { useMemo, useState } from 'preact/hooks'
import { indented } from './json-text.ts'

/** In characters: a browser takes its time to lay out more. */
const SHOWN_AT_FIRST = 20_000

interface BodyViewProps {
  readonly title: string
  readonly text: string
}

/** A body as text; a long one is cut, until one wants to see all of it. */
export function BodyView({ title, text }: BodyViewProps) {
  const [whole, setWhole] = useState(false)
  const shown = useMemo(() => indented(text) ?? text, [text])
  const cut = !whole && shown.length > SHOWN_AT_FIRST
  return (
    <section>
      <h3>
        {title} <span class="wire-size">{sizeOf(text)}</span>
      </h3>
      <pre>{cut ? `${shown.slice(0, SHOWN_AT_FIRST)}…` : shown}</pre>
      {cut && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show all {shown.length.toLocaleString('en')} characters
        </button>
      )}
    </section>
  )
}

function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`
}
