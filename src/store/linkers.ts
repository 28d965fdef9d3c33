import type { Linker } from './store.ts'

/** So many of those who link to a member are named when it cannot be removed. */
const NAMED = 10
/** So many links are looked at for that: a million may lead to it, and one member may have some of them. */
export const LOOKED_AT = 1_000

export type LinkerRow = [className: string, id: string, property: string]

/** Each once, with all of its properties that were looked at. */
export function linkersIn(rows: readonly LinkerRow[]): Linker[] {
  const found = Map.groupBy(rows, ([className, id]) => `${className}\n${id}`)
  return [...found.values()].slice(0, NAMED).map((ofOne) => {
    const [className, id] = ofOne[0] as LinkerRow
    return { className, id, properties: ofOne.map(([, , property]) => property).toSorted() }
  })
}
