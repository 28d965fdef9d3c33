import { ACCOUNTS, type Class, type Property } from './model.ts'

/** What a default may need. `userId`: undefined where there is no user. */
export interface DefaultContext {
  readonly now: number
  readonly userId?: number | undefined
}

/** The value that the default of a property gives; undefined where it gives none. */
export function defaultValueOf(property: Property, context: DefaultContext): unknown {
  const { default: given } = property
  if (given === undefined) return undefined
  return given.kind === 'value' ? given.value : filledValue(given.kind, property, context)
}

/** The time of a write, or its user: the id, or the path of the account; undefined without authentication. */
export function filledValue(
  word: 'now' | 'user',
  { range }: Property,
  { now, userId }: DefaultContext,
): unknown {
  if (word === 'user')
    return range.kind === 'link' && userId !== undefined ? `/${ACCOUNTS}/${userId}` : userId
  const instant = new Date(now).toISOString()
  return range.kind === 'datatype' && range.datatype === 'date' ? instant.slice(0, 10) : instant
}

/** Names a property of a class or of a value that is embedded in it: `Book.language`, `Address.country`. */
export const defaultName = (className: string, property: string): string => `${className}.${property}`

/**
 * The defaults that fill members which lack a value (model.md, A default fills), each with its name under the former names
 * of class and property. Not `user`: nobody creates a member then.
 */
export function fillingDefaults(cls: Class): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const seen = new Set<Class>()
  add(cls)
  return found

  function add(one: Class): void {
    if (seen.has(one)) return
    seen.add(one)
    for (const { name, formerName, range, default: given } of one.properties) {
      if (given !== undefined && given.kind !== 'user')
        found.set(defaultName(one.name, name), defaultName(one.formerName ?? one.name, formerName ?? name))
      if (range.kind === 'embedded') add(range.cls)
    }
  }
}
