import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useApi } from '../../shared/api.ts'
import { scrolled, scrollTo } from '../../shared/controls/focus.ts'
import { memoryOf } from '../../shared/names/memory.ts'

interface Shown {
  /** What the address asks for. */
  readonly query: string
  /** Other rows begin at the top; undefined before there are any. */
  readonly rows: string | undefined
}

/** Whoever comes back finds the table as it was left; other rows begin at their top. */
export function useSpot(region: RefObject<HTMLElement | null>, { query, rows }: Shown): void {
  const { spots } = memoryOf(useApi().client)
  const entry = useRef('')
  const isNew = useRef(true)
  useLayoutEffect(() => {
    entry.current = nameOfEntry()
  }, [query])
  useEffect(() => {
    const { current } = region
    if (!current || rows === undefined) return
    const spot = isNew.current ? spots.get(entry.current) : undefined
    isNew.current = false
    current.scrollTo({ top: spot?.top ?? 0, ...(spot && { left: spot.left }) })
    if (!spot) return
    scrollTo(spot.down)
    const links = [...current.querySelectorAll('a')]
    links.find((link) => link.getAttribute('href') === spot.href)?.focus({ preventScroll: true })
  }, [rows])
  useLayoutEffect(
    () => () => {
      const { current } = region
      const focused = current?.contains(document.activeElement) ? document.activeElement : null
      if (!current) return
      const { scrollTop: top, scrollLeft: left } = current
      spots.set(entry.current, { down: scrolled(), top, left, href: focused?.getAttribute('href') ?? null })
    },
    [],
  )
}

let entries = 0

/** A table that is opened anew is another entry of the history than one that is come back to. */
function nameOfEntry(): string {
  const state: unknown = history.state
  if (typeof state === 'object' && state && 'table' in state) return String(state.table)
  entries += 1
  // The history outlives the page.
  const table = `${performance.timeOrigin} ${entries}`
  history.replaceState({ table }, '')
  return table
}
