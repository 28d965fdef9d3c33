import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import type { Class, Range } from '../vocabulary/model.ts'

/** Writes the addresses of links in full, in place: within embedded values too. */
export function createLinkPaths(
  cls: Class,
  absolute: (address: string) => string,
): (values: JsonObject) => void {
  const changes = cls.properties.flatMap(({ name, range }) => {
    const change = changeOf(range, absolute)
    return change === undefined ? [] : [{ name, change }]
  })
  return (values) => {
    for (const { name, change } of changes) {
      const value = values[name]
      if (value === undefined) continue
      values[name] = Array.isArray(value) ? value.map(change) : change(value)
    }
  }
}

function changeOf(
  range: Range,
  absolute: (address: string) => string,
): ((value: JsonValue) => JsonValue) | undefined {
  if (range.kind === 'datatype') return undefined
  if (range.kind === 'embedded') {
    const setPaths = createLinkPaths(range.cls, absolute)
    return (value) => {
      if (isObject(value)) setPaths(value)
      return value
    }
  }
  return (value) => {
    if (typeof value === 'string') return absolute(value)
    if (!isObject(value) || typeof value['@id'] !== 'string') return value
    return { ...value, '@id': absolute(value['@id']) }
  }
}
