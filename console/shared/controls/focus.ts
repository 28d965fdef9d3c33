import { useLayoutEffect, useRef } from 'preact/hooks'

export function focusMain(): void {
  takeFocus(document.querySelector<HTMLElement>('#main h1'))
}

/** As a `ref`: what is shown with it has the focus. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
}

/** The document scrolls; while the wire view is open below the page, the page alone does. */
const scrollers = (): readonly Element[] =>
  [document.scrollingElement, document.querySelector('.middle')].filter((element) => element !== null)

export const scrolled = (): number => Math.max(...scrollers().map(({ scrollTop }) => scrollTop))

export function scrollTo(top: number): void {
  for (const element of scrollers()) element.scrollTop = top
}

/** Whether the component is still shown when a request has ended: only then may its answer change the page. */
export function useMounted(): () => boolean {
  const gone = useRef(false)
  useLayoutEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  return () => !gone.current
}
