import { useMemo, useRef, useState } from 'preact/hooks'
import { asCurl, type Sent } from './curl.ts'

/** The request as a command line, to be copied. */
export function CurlView({ sent }: { readonly sent: Sent }) {
  const [said, setSaid] = useState('')
  const text = useRef<HTMLPreElement>(null)
  const command = useMemo(() => asCurl(sent), [sent])

  const copy = async () => {
    setSaid('')
    // A page that came over plain http from another machine has no clipboard; and one may be refused.
    const copied = await navigator.clipboard?.writeText(command).then(
      () => true,
      () => false,
    )
    if (!copied && text.current) getSelection()?.selectAllChildren(text.current)
    setSaid(
      copied ? 'Copied.' : 'The browser does not let the page copy: it is selected, press Ctrl+C or ⌘C.',
    )
  }

  return (
    <section>
      <div class="wire-curl-head">
        <h3>As a command</h3>
        <button type="button" class="button" onClick={copy}>
          Copy as curl
        </button>
        <p class="hint" role="status">
          {said}
        </p>
      </div>
      <pre ref={text}>{command}</pre>
    </section>
  )
}
