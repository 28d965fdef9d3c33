import type { ClassDescription } from './documentation.ts'
import { isJson, type JsonRecord, lastName } from './terms.ts'

/** A merge patch that removes the properties that only the server writes. */
export const withoutReadOnly = (classes: readonly ClassDescription[]): JsonRecord =>
  Object.fromEntries(
    classes.flatMap((one) =>
      one.properties.flatMap(({ name, writable }) => (writable ? [] : [[name, null]])),
    ),
  )

/** The values without the operations and the history, which a member of a page does not list. */
export const valuesIn = (data: JsonRecord, classes: readonly ClassDescription[]): JsonRecord => {
  const custom = classes.flatMap((one) => [one.history, ...one.customOperations.map(({ name }) => name)])
  const properties = classes.flatMap((one) => one.properties.map(({ name }) => name))
  const isOperation = (key: string) =>
    custom.includes(key) || (lastName(key) === 'operation' && !properties.includes(key))
  return Object.fromEntries(Object.entries(data).filter(([key]) => !isOperation(key)))
}

/** RFC 7396. */
export const merge = (target: unknown, changes: unknown): unknown => {
  if (!isJson(changes)) return changes
  const data = isJson(target) ? target : {}
  return Object.fromEntries(
    Object.entries({ ...data, ...changes }).flatMap(([key, value]) =>
      value === null ? [] : [[key, merge(data[key], value)]],
    ),
  )
}
