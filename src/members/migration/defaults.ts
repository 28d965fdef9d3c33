import type { ClassSchema } from '../class-schema.ts'

/** In SQL: the setting that has the defaults of a class. */
export const DEFAULTS_SETTING = "'defaults of ' || classes.name"

export const defaultsSetting = (className: string): string => `defaults of ${className}`

export const defaultsText = ({ defaults }: Pick<ClassSchema, 'defaults'>): string =>
  JSON.stringify([...defaults.keys()].sort())

/** What a store knows of a class (`StoredClass`). */
export interface KnownDefaults {
  readonly defaults: string | undefined
  readonly shapes: string
}

/**
 * The defaults of the API file that members have not been filled with (model.md, A default fills). Those that have been are
 * remembered, so that a value that was removed later stays removed.
 */
export function newDefaults(stored: KnownDefaults, shape: ClassSchema): ReadonlySet<string> {
  const isNew = typeof stored.defaults === 'string' ? isAbsentIn(stored.defaults) : hadNoKey(stored, shape)
  return new Set([...shape.defaults].flatMap(([name, former]) => (isNew(name, former) ? name : [])))
}

type IsNew = (name: string, former: string) => boolean

const isAbsentIn = (defaults: string): IsNew => isNotAmong(JSON.parse(defaults) as readonly string[])

/** Whether a default is none of these, by its name or its former one. */
export function isNotAmong(names: readonly string[]): IsNew {
  const known = new Set(names)
  return (name, former) => !known.has(name) && !known.has(former)
}

/** An earlier version did not remember defaults: a property of the class is new where it has a key now and had none before. */
function hadNoKey({ shapes }: KnownDefaults, { name: className, keys }: ClassSchema): IsNew {
  const before = keysIn(shapes)
  const now = new Set(keys.map(({ property }) => property))
  return (name, former) => {
    const [owner, property = ''] = name.split('.')
    const [, formerly = ''] = former.split('.')
    if (before === undefined || owner !== className || !now.has(property)) return false
    return !before.has(property) && !before.has(formerly)
  }
}

/** The properties that had keys; undefined where that is not known, as of members that were copied. */
function keysIn(shapes: string): ReadonlySet<string> | undefined {
  if (shapes === '') return undefined
  // The first versions stored the keys alone.
  const stored: unknown = JSON.parse(shapes)
  const { keys } = (Array.isArray(stored) ? { keys: stored } : stored) as Pick<ClassSchema, 'keys'>
  return new Set(keys.map(({ property }) => property))
}
