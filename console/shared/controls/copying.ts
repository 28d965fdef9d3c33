import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'

export interface Copying {
  readonly copy: () => Promise<void>
  /** How it went, for a live region. */
  readonly said: string
}

/** Copies a text; where the browser does not let the page, what shows it is selected, to be copied by keys. */
export function useCopying(text: string, shown: RefObject<HTMLElement | null>): Copying {
  const [said, setSaid] = useState('')
  const copy = async () => {
    setSaid('')
    // A page that came over plain http from another machine has no clipboard; and one may be refused.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    if (!copied && shown.current) getSelection()?.selectAllChildren(shown.current)
    setSaid(
      copied ? 'Copied.' : 'The browser does not let the page copy: it is selected, press Ctrl+C or ⌘C.',
    )
  }
  return { copy, said }
}
