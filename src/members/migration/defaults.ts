import type { ClassSchema, Filling } from '../class-schema.ts'
import type { Layout } from '../layout.ts'

/** In SQL: the setting that has the defaults of a class. */
export const DEFAULTS_SETTING = "'defaults of ' || classes.name"

export const defaultsSetting = (className: string): string => `defaults of ${className}`

export const defaultsText = ({ defaults }: Pick<ClassSchema, 'defaults'>): string =>
  JSON.stringify([...defaults.keys()].sort())

/** What a store knows of a class (`StoredClass`). */
interface Known {
  readonly defaults: string | undefined
  readonly shapes: string
}

/**
 * The defaults of the API file that members have not been filled with (model.md, A default fills). Those that have been are
 * remembered, so that a value that was removed later stays removed.
 */
export function newDefaults(stored: Known, shape: ClassSchema): ReadonlySet<string> {
  const isNew = typeof stored.defaults === 'string' ? isAbsentIn(stored.defaults) : hadNoKey(stored, shape)
  return new Set([...shape.defaults].flatMap(([name, former]) => (isNew(name, former) ? name : [])))
}

type IsNew = (name: string, former: string) => boolean

function isAbsentIn(defaults: string): IsNew {
  const known = new Set(JSON.parse(defaults) as readonly string[])
  return (name, former) => !known.has(name) && !known.has(former)
}

/** An earlier version did not remember defaults: a property of the class is new where it has a key now and had none before. */
function hadNoKey({ shapes }: Known, { name: className, keys }: ClassSchema): IsNew {
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

/**
 * The defaults that fill a member, by the form in which it is stored; undefined where none does. `now`: of the migration,
 * or where hosts have joined without one, of the first of them.
 */
export function createFilling(
  stored: Known & { readonly layout?: Layout | undefined },
  shape: ClassSchema,
  now: number,
): (form: number | undefined) => Filling | undefined {
  const fillingWith = (names: ReadonlySet<string>) => (names.size === 0 ? undefined : { names, now })
  const usual = fillingWith(newDefaults(stored, shape))
  const { hasForms = false, forms = [] } = stored.layout ?? {}
  const byForm = new Map(
    (hasForms ? forms : []).map(({ fingerprint, defaults }) => {
      const isNew = isAbsentIn(JSON.stringify(defaults))
      const names = [...shape.defaults].flatMap(([name, former]) => (isNew(name, former) ? name : []))
      return [fingerprint, fillingWith(new Set(names))]
    }),
  )
  // A form that is not known yet is that of a newer file, whose defaults its hosts have filled in.
  return (form) => (form === undefined ? usual : byForm.get(form))
}
