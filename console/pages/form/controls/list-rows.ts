import { useLayoutEffect, useRef } from 'preact/hooks'
import { added } from '../drafts/draft.ts'
import { fieldId } from '../drafts/reading.ts'
import { focusField } from './field-parts.tsx'

/** Adds, changes, moves and removes rows, and moves the focus accordingly. */
export function useRows<T extends { readonly key: number }>(
  id: string,
  items: readonly T[],
  set: (items: readonly T[]) => void,
) {
  const isAdding = useRef(false)
  const last = items.at(-1)?.key
  // In a layout effect, so that the next key goes to the new field.
  useLayoutEffect(() => {
    if (isAdding.current && last !== undefined) focusField(fieldId(id, last))
    isAdding.current = false
  }, [id, last])
  const kept = useRef<Element | null>(null)
  // An element that is moved in the document may lose the focus.
  useLayoutEffect(() => {
    if (kept.current instanceof HTMLElement) kept.current.focus()
    kept.current = null
  }, [items])
  return {
    add(item: Omit<T, 'key'>) {
      isAdding.current = true
      set(added(items, item))
    },
    change: (item: T, changed: T) => set(items.map((one) => (one === item ? changed : one))),
    move(item: T, step: 1 | -1) {
      const from = items.indexOf(item)
      kept.current = document.activeElement
      set(items.toSpliced(from, 1).toSpliced(from + step, 0, item))
    },
    remove(item: T) {
      const left = items.filter((one) => one !== item)
      const index = items.indexOf(item)
      set(left)
      const next = left[index] ?? left[index - 1]
      focusField(next ? fieldId(id, next.key) : `${id}-add`)
    },
  }
}

/** Not the Enter that accepts a proposal of an input method, nor the one that starts a new line in a text area. */
export const endsLine = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' &&
  !(event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing || event.defaultPrevented) &&
  event.target instanceof HTMLInputElement
