import { useLayoutEffect, useRef } from 'preact/hooks'
import { fieldId } from '../drafts/field-ids.ts'

const CONTROLS = 'input, select, textarea, button'

export function focusField(id: string): void {
  const found = document.getElementById(id)
  const control = found?.matches(CONTROLS) ? found : found?.querySelector<HTMLElement>(CONTROLS)
  const target = control ?? found
  target?.focus()
  // With its label and its violations around it.
  target?.scrollIntoView({ block: 'center' })
}

/** Moves the focus to an added item. The returned function says that one is about to be added. */
export function useFocusAdded(id: string, items: readonly { readonly key: number }[]): () => void {
  const isAdding = useRef(false)
  const last = items.at(-1)?.key
  // At once: the next key that is typed belongs to the new field.
  useLayoutEffect(() => {
    if (isAdding.current && last !== undefined) focusField(fieldId(id, last))
    isAdding.current = false
  }, [id, last])
  return () => {
    isAdding.current = true
  }
}

/** Not the Enter that accepts what an input method proposes; and in a field of several lines, Enter begins the next. */
export const endsLine = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' &&
  !(event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing || event.defaultPrevented) &&
  event.target instanceof HTMLInputElement
