import { useLayoutEffect, useRef } from 'preact/hooks'
import { placeIn } from '../drafts/field-ids.ts'

const CONTROLS = 'input, select, textarea, button'

/** To the control at a place; of several, to the first. */
export function focusPlace(place: string): void {
  const found = document.getElementById(place)
  const control = found?.matches(CONTROLS) ? found : found?.querySelector<HTMLElement>(CONTROLS)
  const target = control ?? found
  target?.focus()
  // With its label and what is wrong with it around it.
  target?.scrollIntoView({ block: 'center' })
}

/** Whoever asks for one more wants to fill it in. The returned function says that one is about to come. */
export function useFocusAdded(place: string, items: readonly { readonly key: number }[]): () => void {
  const isAdding = useRef(false)
  const last = items.at(-1)?.key
  // At once: whoever types on types into the new one.
  useLayoutEffect(() => {
    if (isAdding.current && last !== undefined) focusPlace(placeIn(place, last))
    isAdding.current = false
  }, [place, last])
  return () => {
    isAdding.current = true
  }
}
