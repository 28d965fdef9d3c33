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
