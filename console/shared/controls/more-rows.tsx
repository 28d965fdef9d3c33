import { useState } from 'preact/hooks'
import type { Gradual } from '../gradual.ts'
import { Button } from './controls.tsx'
import { takeFocus } from './focus.ts'

/** The button that shows more of a list. It may be gone then, so the first of the new rows gets the focus. */
export function useMoreRows({ items = [], more, isReadingMore }: Gradual<unknown>, label: string) {
  const [newFrom, setNewFrom] = useState(0)
  const show = () => {
    setNewFrom(items.length)
    more?.()
  }
  return {
    focusOf: (index: number) => (newFrom > 0 && index === newFrom ? { tabIndex: -1, ref: takeFocus } : {}),
    button: more && (
      <p>
        <Button label={label} busy={isReadingMore && 'Reading …'} onClick={show} />
      </p>
    ),
  }
}
