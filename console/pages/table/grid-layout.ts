import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { scrolled, scrollTo } from '../../shared/controls/index.ts'
import type { TableColumn } from './columns.ts'

/** Restores the scroll position of a table when the user comes back to it; new rows are shown from the top. */
export function useScrollRestore(
  region: RefObject<HTMLElement | null>,
  query: string,
  rows: string | undefined,
): void {
  const { scrollPositions } = useApi().memory
  const entry = useRef('')
  const isNew = useRef(true)
  useLayoutEffect(() => {
    entry.current = historyEntry()
  }, [query])
  // A layout effect: a later effect would undo what the user has scrolled or focused since.
  useLayoutEffect(() => {
    const { current } = region
    if (!current || rows === undefined) return
    const position = isNew.current ? scrollPositions.get(entry.current) : undefined
    isNew.current = false
    current.scrollTo({ top: position?.top ?? 0, ...(position && { left: position.left }) })
    if (!position) return
    scrollTo(position.page)
    const links = [...current.querySelectorAll('a')]
    links.find((link) => link.getAttribute('href') === position.focused)?.focus({ preventScroll: true })
  }, [rows])
  useLayoutEffect(
    () => () => {
      const { current } = region
      if (!current) return
      const focused = current.querySelector(':focus')?.getAttribute('href') ?? null
      const { scrollTop: top, scrollLeft: left } = current
      scrollPositions.set(entry.current, { page: scrolled(), top, left, focused })
    },
    [],
  )
}

/** An id for this entry of the history. A table that is opened again, rather than returned to, gets another one. */
function historyEntry(): string {
  const table = String(history.state?.table ?? Math.random())
  history.replaceState({ table }, '')
  return table
}

/** Whether the table is sorted by a column that is not shown, or only after scrolling to the right. */
export const isOrderUnseen = (region: HTMLElement): boolean => {
  const sorted = region.querySelector('[aria-sort]')?.getBoundingClientRect()
  const { left = 0 } = region.querySelector('table')?.getBoundingClientRect() ?? {}
  // Relative to the table, so that scrolling changes nothing.
  return !sorted || sorted.left - left + Math.min(sorted.width, SEEN_PX) > region.clientWidth
}

/** Enough of a column head to recognise the arrow. */
const SEEN_PX = 48

/** Columns keep the width that earlier rows gave them, so that they do not jump. The first column adapts. */
export function useStableWidths(
  head: RefObject<HTMLTableRowElement | null>,
  rows: unknown,
  columns: readonly TableColumn[],
): void {
  const key = columns.map(({ name }) => name).join(' ')
  const others = (): HTMLElement[] => [...(head.current?.querySelectorAll('th') ?? [])].slice(1)
  useLayoutEffect(() => {
    const forget = (): void => {
      for (const { style } of others()) style.minWidth = ''
    }
    forget()
    addEventListener('resize', forget)
    return () => removeEventListener('resize', forget)
  }, [key])
  useLayoutEffect(() => {
    const widths = rows === undefined ? [] : others().map((cell) => [cell, cell.offsetWidth] as const)
    for (const [{ style }, width] of widths) style.minWidth = `${width}px`
  }, [rows, key])
}
