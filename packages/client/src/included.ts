import { isJson, type JsonRecord } from './terms.ts'

/** The paths of `include` as a tree, with the members that have been assembled at each step. */
interface IncludeStep {
  readonly within: Map<string, IncludeStep>
  readonly made: Map<unknown, JsonRecord>
}

const newStep = (): IncludeStep => ({ within: new Map(), made: new Map() })

/** Turns included members back into their addresses, because each is written at its own address. */
export const withAddresses = (data: JsonRecord, names: readonly string[]): JsonRecord => {
  const flat = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(flat)
    return isJson(value) ? (value['@id'] ?? withAddresses(value, names)) : value
  }
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, names.includes(key) ? flat(value) : value]),
  )
}

/**
 * A response has each included member in full once; this puts it wherever its address is on one of the paths. At the
 * end of a path addresses stay addresses, so there are no cycles.
 */
export const createPlaceIncluded = (
  members: readonly JsonRecord[],
  paths: readonly string[],
): ((data: JsonRecord) => JsonRecord) => {
  const names = paths.flatMap((path) => [...path.split('.'), 'member'])
  const top = newStep()
  for (const path of paths)
    path.split('.').reduce(({ within }, name) => {
      const step = within.get(name) ?? newStep()
      within.set(name, step)
      return step
    }, top)
  const inFull = new Map<unknown, JsonRecord>()
  const find = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) find(one)
    if (!isJson(value)) return
    if (value['@type']) inFull.set(value['@id'], value)
    for (const name of names) find(value[name])
  }
  find(members)

  const place = (data: JsonRecord, step: IncludeStep): JsonRecord => {
    // In place of a link from the other side. An included member has one type.
    const isCollection = step !== top && Array.isArray(data['@type'])
    return Object.fromEntries(
      Object.entries(withAddresses(data, names)).map(([key, value]) => {
        const next = isCollection && key === 'member' ? step : step.within.get(key)
        return [key, next ? placeAt(value, next) : value]
      }),
    )
  }
  const placeAt = (value: unknown, step: IncludeStep): unknown => {
    if (Array.isArray(value)) return value.map((one) => placeAt(one, step))
    if (isJson(value)) return place(value, step)
    const member = inFull.get(value)
    const known = step.made.get(value)
    if (known || !member) return known ?? value
    // Set before its links are placed, which may lead back to it.
    step.made.set(value, member)
    const placed = place(member, step)
    step.made.set(value, placed)
    return placed
  }
  return (data) => place(data, top)
}
