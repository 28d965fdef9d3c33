import type { Move } from '../store/store.ts'
import type { Values } from './stored-text.ts'

/** What is shown of a member, and what is hidden. */
export interface Sides {
  readonly shown: Values
  readonly hidden: Values
}

/** From the former path of a property to its present one. */
export type Renamed = ReadonlyMap<string, string>

/** Which values are hidden now and were not, which are shown again, and which are known by another name. */
export function movesBetween(before: Sides, after: Sides, renamed: Renamed): Move[] {
  const [former, now] = [new Set<string>(), hiddenPaths(after)]
  for (const path of hiddenPaths(before)) if (!renamed.has(path)) former.add(present(path, renamed))
  const hidden = [...now].filter((path) => !former.has(path) && !isWithin(path, former))
  const shown = [...former].filter((path) => !now.has(path) && !isWithin(path, now))
  return [
    ...[...renamed].map(([from, property]) => ({ change: 'renamed', from, property }) as const),
    ...hidden.map((property) => ({ change: 'hidden', property }) as const),
    ...shown.map((property) => ({ change: 'shown', property }) as const),
  ]
}

/** A path within an embedded value leads on only where the value itself is shown. */
function hiddenPaths({ shown, hidden }: Sides, path = '', found = new Set<string>()): Set<string> {
  for (const [name, part] of Object.entries(hidden)) {
    if (!Object.hasOwn(shown, name)) {
      found.add(path + name)
      continue
    }
    const values = [shown[name]].flat()
    for (const [index, one] of [part].flat().entries()) {
      if (isObject(one) && isObject(values[index]))
        hiddenPaths({ shown: values[index], hidden: one }, `${path}${name}/`, found)
      else found.add(path + name)
    }
  }
  return found
}

/** Its path since embedded values around it have other names; an outer one comes before those within it. */
export function present(path: string, renamed: Renamed): string {
  let found = path
  for (const [from, to] of renamed) if (found.startsWith(`${from}/`)) found = to + found.slice(from.length)
  return found
}

const isWithin = (path: string, others: ReadonlySet<string>): boolean =>
  path.split('/').some((_, index, parts) => others.has(parts.slice(0, index).join('/')))

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
