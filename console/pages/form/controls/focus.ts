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

/** The Enter that ends a line, and not the one that takes over what an input method proposes. */
export const isEnter = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.isComposing

const isOneLine = (element: EventTarget | null): boolean =>
  element instanceof HTMLInputElement ||
  (element instanceof HTMLTextAreaElement && !element.value.includes('\n'))

/** A field that grows is a line for as long as its text is one: Enter saves, Shift+Enter begins the next line. */
export function submitOnEnter(event: KeyboardEvent): void {
  const { currentTarget } = event
  if (!isEnter(event) || !isOneLine(currentTarget) || !(currentTarget instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  currentTarget.form?.requestSubmit()
}

/** Whether somebody has ended the value of a control that has one line. */
export const endsLine = (event: KeyboardEvent): boolean =>
  isEnter(event) && !event.defaultPrevented && isOneLine(event.target)
