import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Column } from './columns.ts'

/** Columns stay as wide as an earlier page made them, so that they do not jump; the first one gives way. */
export function useWidths(
  head: RefObject<HTMLTableRowElement | null>,
  rows: unknown,
  columns: readonly Column[],
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

/** Whether there is more of it at the right: a shade says so. */
export function useMoreAside(region: RefObject<HTMLElement | null>): boolean {
  const [isMore, setMore] = useState(false)
  useEffect(() => {
    const { current } = region
    const inside = current?.firstElementChild
    if (!current || !inside) return
    const look = (): void => setMore(current.scrollWidth - current.clientWidth - current.scrollLeft > 1)
    const watch = new ResizeObserver(look)
    watch.observe(current)
    watch.observe(inside)
    current.addEventListener('scroll', look)
    return () => {
      watch.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [])
  return isMore
}
