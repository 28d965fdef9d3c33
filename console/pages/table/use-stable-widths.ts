import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
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
