import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'

/** Copies a text; where the browser refuses, the text is selected, to be copied by keys. `said`: the outcome. */
export function useCopying(text: string, shown: RefObject<HTMLElement | null>) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    setSaid('')
    // A page that came over http from another machine has no clipboard.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    if (!copied && shown.current) getSelection()?.selectAllChildren(shown.current)
    setSaid(
      copied ? 'Copied.' : 'The browser does not allow copying. The text is selected: press Ctrl+C or ⌘C.',
    )
  }
  return { copy, said }
}
