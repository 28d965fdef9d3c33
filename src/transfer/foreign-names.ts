// What data from elsewhere calls things: CSV, json-server's db.json, tables of a database.
import { isObject, type JsonObject, type JsonValue, Numeral } from '../json.ts'
import { type Class, type Property, plural } from '../vocabulary/index.ts'

/** The property that a key means: by its name, by its title, or `authorId` and `author_id` for a link `author`. */
export function findProperty({ properties }: Pick<Class, 'properties'>, key: string): Property | undefined {
  const found = properties.find(({ name }) => name === key) ?? properties.find(({ title }) => title === key)
  if (found !== undefined) return found
  const names = linkNames(key)
  return properties.find(({ name, range }) => range.kind === 'link' && names.includes(name))
}

const SUFFIXES = ['Ids', '_ids', 'Id', '_id']

/** What a link may be called whose targets' ids have this key; none where it is no such key. */
export function linkNames(key: string): string[] {
  const suffix = SUFFIXES.find((one) => key.endsWith(one) && key.length > one.length)
  const stem = suffix === undefined ? undefined : key.slice(0, -suffix.length)
  return stem === undefined ? [] : [stem, plural(stem)]
}

/** Renames keys to what they mean, in place; not over another key, which has the name already. */
export function renameKeys(values: JsonObject, cls: Class): void {
  for (const key of Object.keys(values)) {
    const property = findProperty(cls, key)
    if (property === undefined) continue
    const value = values[key] as JsonValue
    if (property.range.kind === 'embedded')
      for (const one of [value].flat()) if (isObject(one)) renameKeys(one, property.range.cls)
    if (key === property.name || property.name in values) continue
    values[property.name] = value
    delete values[key]
  }
}

/** An id as data has it: text, or a number. */
export const idIn = (value: JsonValue | undefined): string | undefined =>
  value instanceof Numeral ? value.source : typeof value === 'string' ? value : undefined
