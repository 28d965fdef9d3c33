import type { ClassAspects, ClassSchema, DescribedAspect } from '../class-schema.ts'
import { type Form, formOf, type Layout } from '../layout.ts'
import { type CompatibleChange, type CompatibleKind, compatible } from './change-kinds.ts'

// The changes of an API file with which hosts with the former one go on serving (hosts.md, A changed API file).

/** The name of a property within embedded values begins with its class. */
export const pathOf = (shape: ClassSchema, owner: string, property: string): string =>
  owner === shape.name ? property : `${owner}.${property}`

/** Changes of what is stored that need no migration. */
export function storedChanges(layout: Layout | undefined, shape: ClassSchema): CompatibleChange[] {
  const former = layout?.forms.at(-1)
  if (layout === undefined || former === undefined) return []
  const own = formOf(shape, 0)
  const found: CompatibleChange[] = []
  const add = (property: string, kind: CompatibleKind) => found.push(compatible(shape.name, kind, property))
  // A class that is embedded since, or no longer, comes and goes with the property that has it.
  const owners = Object.keys(own.types).filter((owner) => former.types[owner] !== undefined)
  const paths = (form: Form) =>
    new Set(
      owners.flatMap((owner) =>
        Object.keys(form.types[owner] ?? {}).map((name) => pathOf(shape, owner, name)),
      ),
    )
  const [before, now] = [paths(former), paths(own)]
  const filled = own.defaults
    .filter((name) => !former.defaults.includes(name))
    .map((name) => pathOf(shape, ...ownerOf(name)))
  const required = Object.entries(shape.described ?? {}).flatMap(([name, aspects]) =>
    aspects.required ? name : [],
  )
  for (const path of now)
    if (!before.has(path))
      add(
        path,
        filled.includes(path)
          ? 'added with default'
          : required.includes(path)
            ? 'added as required'
            : 'added',
      )
  for (const path of before) if (!now.has(path)) add(path, 'removed')
  const isKept = (path: string) =>
    [before, now].every((names) => path.split(' ').every((one) => names.has(topOf(one))))
  for (const path of filled) if (before.has(path)) add(path, 'filled default')
  for (const key of own.keys) if (isKept(key) && !former.keys.includes(key)) add(key, 'filterable')
  for (const key of former.keys.filter(isKept)) {
    const slot = layout.slots.find(({ property }) => property === key)
    const kept = shape.keys.find(({ property }) => property === key)
    if (slot?.unique && !kept?.unique) add(key, 'not unique')
    else if (kept === undefined) add(key, 'not filterable')
  }
  const changed = new Set(found.map(({ property }) => property))
  const searched = new Set([...own.searched, ...former.searched].map(topOf))
  const isSearched = (form: Form, path: string) => form.searched.filter((name) => topOf(name) === path).join()
  for (const path of searched)
    if (isKept(path) && !changed.has(path) && isSearched(own, path) !== isSearched(former, path))
      add(path, 'searched')
  return found
}

const topOf = (name: string): string => name.split(/[.*]/, 1)[0] ?? ''

const ownerOf = (name: string): [owner: string, property: string] => {
  const [owner = '', property = ''] = name.split('.')
  return [owner, property]
}

/** Changes of what is not stored with members. */
export function describedChanges(
  { name: className, described: own = {} }: ClassSchema,
  former: ClassAspects | undefined,
): CompatibleChange[] {
  return Object.entries(own).flatMap(([name, now]) => {
    const before = former?.[name]
    if (before === undefined) return []
    const aspects = new Set([...Object.keys(now), ...Object.keys(before)]) as Set<DescribedAspect>
    return [...aspects]
      .filter((aspect) => now[aspect] !== before[aspect])
      .map((aspect) => compatible(className, kindOf(aspect, before[aspect], now[aspect]), name || undefined))
  })
}

function kindOf(
  aspect: DescribedAspect,
  before: string | undefined,
  now: string | undefined,
): CompatibleKind {
  if (aspect === 'required') return now === undefined ? 'optional' : 'required'
  if (aspect !== 'history') return aspect
  return now === undefined ? 'history off' : before === undefined ? 'history on' : 'history'
}
