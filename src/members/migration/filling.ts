import type { ClassSchema, Filling } from '../class-schema.ts'
import type { Layout } from '../layout.ts'
import { isNotAmong, type KnownDefaults, newDefaults } from './defaults.ts'

/**
 * The defaults that fill a member, by the form in which it is stored; undefined where none does. `now`: of the migration,
 * or where hosts have joined without one, of the first of them.
 */
export function createFilling(
  stored: KnownDefaults & { readonly layout?: Layout | undefined },
  shape: ClassSchema,
  now: number,
): (form: number | undefined) => Filling | undefined {
  const fillingWith = (names: ReadonlySet<string>) => (names.size === 0 ? undefined : { names, now })
  const usual = fillingWith(newDefaults(stored, shape))
  const { hasForms = false, forms = [] } = stored.layout ?? {}
  const byForm = new Map(
    (hasForms ? forms : []).map(({ fingerprint, defaults }) => {
      const isNew = isNotAmong(defaults)
      const names = [...shape.defaults].flatMap(([name, former]) => (isNew(name, former) ? name : []))
      return [fingerprint, fillingWith(new Set(names))]
    }),
  )
  // A form that is not known yet is that of a newer file, whose defaults its hosts have filled in.
  return (form) => (form === undefined ? usual : byForm.get(form))
}
