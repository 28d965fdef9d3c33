import type { ClassSchema, Filling } from '../class-schema.ts'
import type { Layout } from '../layout.ts'
import { filledIn } from '../stored-text.ts'
import { isNotAmong, type KnownDefaults, newDefaults } from './defaults.ts'
import type { MemberRow } from './statements.ts'

/**
 * The defaults that fill a stored member, by its form and by those that it was filled with before; undefined if there
 * are none. `now`: the time of the migration or, if hosts have joined without one, of the first of them.
 */
export function createFilling(
  stored: KnownDefaults & { readonly layout?: Layout | undefined },
  shape: ClassSchema,
  now: number,
): (row: Pick<MemberRow, 'form' | 'hidden'>) => Filling | undefined {
  const fillingWith = (names: ReadonlySet<string>) => (names.size === 0 ? undefined : { names, now })
  const usual = fillingWith(newDefaults(stored, shape))
  const { hasForms = false, forms = [] } = stored.layout ?? {}
  const fillingAfter = (filled: readonly string[]) => {
    const isNew = isNotAmong(filled)
    return fillingWith(
      new Set([...shape.defaults].flatMap(([name, former]) => (isNew(name, former) ? name : []))),
    )
  }
  const byForm = new Map(
    (hasForms ? forms : []).map(({ fingerprint, defaults }) => [
      fingerprint,
      { defaults, filling: fillingAfter(defaults) },
    ]),
  )
  return ({ form, hidden }) => {
    if (form === undefined) return usual
    const known = byForm.get(form)
    const filled = filledIn(hidden)
    // A form that is not known yet is that of a newer file, whose defaults its hosts have filled in.
    if (known?.filling === undefined || filled.length === 0) return known?.filling
    return fillingAfter([...known.defaults, ...filled])
  }
}
