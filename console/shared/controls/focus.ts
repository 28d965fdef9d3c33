import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAbortableEffect } from '../state.ts'

export function focusMain(): void {
  takeFocus(document.querySelector<HTMLElement>('#main h1'))
}

/** Use it as a `ref`: the element gets the focus when it appears. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
  element?.scrollIntoView({ block: 'nearest' })
}

/** The document scrolls, or only the page while the list of requests is open below it. */
const scrollers = (): readonly Element[] =>
  [document.scrollingElement, document.querySelector('.middle')].filter((element) => element !== null)

export const scrolled = (): number => Math.max(...scrollers().map(({ scrollTop }) => scrollTop))

export function scrollTo(top: number): void {
  for (const element of scrollers()) element.scrollTop = top
}

/** Measures an element whenever its size, the size of its content or its scroll position changes. */
export function useMeasured(
  region: RefObject<HTMLElement | null>,
  measure: (element: HTMLElement) => boolean,
  inputs: readonly unknown[] = [],
): boolean {
  const [is, setIs] = useState(false)
  useAbortableEffect((signal) => {
    const { current } = region
    const inside = current?.firstElementChild
    if (!current || !inside) return
    const see = () => setIs(measure(current))
    const observer = new ResizeObserver(see)
    observer.observe(current)
    observer.observe(inside)
    current.addEventListener('scroll', see, { signal })
    return () => observer.disconnect()
  }, inputs)
  return is
}

/** Whether the component is still mounted. After a request, only a mounted component may change the page. */
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
