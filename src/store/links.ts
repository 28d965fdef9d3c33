import type { Link, Linker } from './store.ts'

/** So many linking members are named when a member cannot be removed. */
const NAMED = 10
/** So many links are read for that: a million may lead to it, several of them from one member. */
export const LOOKED_AT = 1_000

export type LinkerRow = [className: string, id: string, property: string]

/** Each member once, with all of its properties among these rows. */
export function linkersIn(rows: readonly LinkerRow[]): Linker[] {
  const found = Map.groupBy(rows, ([className, id]) => `${className}\n${id}`)
  return [...found.values()].slice(0, NAMED).map((ofOne) => {
    const [className, id] = ofOne[0] as LinkerRow
    return { className, id, properties: ofOne.map(([, , property]) => property).toSorted() }
  })
}

/** The same for the same links. */
export const linkName = ({ property, className, id }: Link): string => `${property}\n${className}\n${id}`
