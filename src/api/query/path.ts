import type { Step } from '../../members/index.ts'
import { type Class, filteredWithin, hasFilters, type Model, type Property } from '../../vocabulary/index.ts'

/** asking.md, Paths: "up to four names". */
export const MAX_NAMES = 4

/** A path to a property that has filters (asking.md, Paths). A property of the class itself is a path of one name. */
export interface Path {
  /** The property at its end, named by the whole path: `author.name`. */
  readonly property: Property
  /** The steps to the member or embedded value that has the property; embedded values of one value are no steps. */
  readonly steps: readonly PathStep[]
  /**
   * The property in the keys of the member that the links lead to: `name`, `address.city`. Undefined for a reverse link,
   * which is the last step itself.
   */
  readonly key: string | undefined
  /** The class that the property leads to; undefined for a datatype. */
  readonly to: Class | undefined
  /** The place of each name in its class, to bring parameters into one order. */
  readonly rank: readonly number[]
}

export interface PathStep {
  /** The path up to here. */
  readonly text: string
  readonly step: Step
  /** Whether it may lead to several members or values. */
  readonly many: boolean
}

/** Where the next name of a path is looked up. */
export interface PathPlace {
  readonly cls: Class
  /** The path up to here; empty at the start. */
  readonly text: string
  readonly steps: readonly PathStep[]
  readonly rank: readonly number[]
  /** The class whose keys have the properties found here: `cls`, or the class that embeds it. */
  readonly keyed: Class
  /** The path from `keyed` to here, through embedded values. */
  readonly within: string
}

/** Why there is no path. */
export type PathProblem =
  /** The class at this place has no such name. */
  | { readonly problem: 'unknown'; readonly place: PathPlace }
  /** A value of a datatype has no properties. */
  | { readonly problem: 'datatype'; readonly path: Path }
  /** The property, named by the whole path, has no filters; or, beyond it, a path through it has none. */
  | { readonly problem: 'unfilterable'; readonly property: Property }
  | { readonly problem: 'tooLong' }

export interface Paths {
  readonly start: PathPlace
  /** Finds the path from a place. */
  find(place: PathPlace, names: readonly string[]): Path | PathProblem
  /** The place behind one more name; undefined for a name that leads nowhere. */
  enter(place: PathPlace, name: string): PathPlace | undefined
  /** The names that a path can have at a place: properties, then reverse links. */
  namesAt(place: PathPlace): readonly string[]
  /** The class of this name, as the user may see it. */
  classOf(className: string): Class | undefined
  has(cls: Class | undefined, name: string): boolean
}

/** A name of a class: a property, or a reverse link, which is then a step. */
interface Named {
  readonly index: number
  readonly property: Property
  readonly reverse: Step | undefined
}

/** `model`: the part that the user may see. */
export function createPaths(declared: Class, { classes }: Pick<Model, 'classes'>): Paths {
  const byName = new Map(classes.map((one) => [one.name, one]))
  const cls = byName.get(declared.name) ?? declared
  const start: PathPlace = { cls, text: '', steps: [], rank: [], keyed: cls, within: '' }
  const namesOf = memoized((one: Class) => readNames(one, byName))
  const keysWithin = memoized((one: Class) => new Map(filteredWithin(one).map((key) => [key.name, key])))

  const leadsTo = ({ range }: Property): Class | undefined => {
    if (range.kind === 'embedded') return range.cls
    return range.kind === 'link' ? byName.get(range.className) : undefined
  }

  function endAt(place: PathPlace, name: string, { property, reverse, index }: Named): Path | PathProblem {
    const text = joined(place.text, name)
    const named = { ...property, name: text }
    const rest = { rank: [...place.rank, index], to: leadsTo(property) }
    if (reverse !== undefined) {
      const steps = [...place.steps, { text, step: reverse, many: true }]
      return { property: named, steps, key: undefined, ...rest }
    }
    const key = joined(place.within, name)
    const isKeyed = place.within === '' ? hasFilters(property) : keysWithin(place.keyed).has(key)
    if (!isKeyed) return { problem: 'unfilterable', property: named }
    return { property: place.text === '' ? property : named, steps: place.steps, key, ...rest }
  }

  /** A link that has no keys leads nowhere. */
  function enter(place: PathPlace, name: string): PathPlace | undefined {
    const named = namesOf(place.cls).get(name)
    const next = named && leadsTo(named.property)
    if (named === undefined || next === undefined) return undefined
    const { property, reverse, index } = named
    const { many, range } = property
    const within = joined(place.within, name)
    const text = joined(place.text, name)
    const rank = [...place.rank, index]
    if (range.kind === 'embedded') {
      const embedded = { text, step: { kind: 'embedded', property: within }, many } as const
      const steps = many ? [...place.steps, embedded] : place.steps
      return { ...place, cls: next, text, steps, rank, within }
    }
    if ('problem' in endAt(place, name, named)) return undefined
    const step = reverse ?? ({ kind: 'link', property: within, className: next.name } as const)
    const steps = [...place.steps, { text, step, many: many || reverse !== undefined }]
    return { cls: next, text, steps, rank, keyed: next, within: '' }
  }

  function find(from: PathPlace, names: readonly string[]): Path | PathProblem {
    let place = from
    for (const [index, name] of names.entries()) {
      if (place.rank.length === MAX_NAMES) return { problem: 'tooLong' }
      const named = namesOf(place.cls).get(name)
      if (named === undefined) return { problem: 'unknown', place }
      const next = index === names.length - 1 ? undefined : enter(place, name)
      if (next === undefined) {
        const path = endAt(place, name, named)
        return index === names.length - 1 || 'problem' in path ? path : { problem: 'datatype', path }
      }
      place = next
    }
    return { problem: 'unknown', place }
  }

  return {
    start,
    find,
    enter,
    namesAt: (place) => [...namesOf(place.cls).keys()],
    classOf: (className) => byName.get(className),
    has: (one, name) => one !== undefined && namesOf(one).has(name),
  }
}

function readNames(cls: Class, classes: ReadonlyMap<string, Class>): ReadonlyMap<string, Named> {
  const names = new Map<string, Named>()
  for (const property of cls.properties)
    names.set(property.name, { property, reverse: undefined, index: names.size })
  for (const { name, className, collection, property } of cls.reverseLinks) {
    const linking = classes.get(className)
    const all =
      linking === undefined ? [] : [...linking.properties.filter(hasFilters), ...filteredWithin(linking)]
    const link = all.find((one) => one.name === property)
    // A class that the user may not list does not exist here.
    if (link === undefined || !linking?.operations.has('list')) continue
    const reverse = { kind: 'reverse', property, className } as const
    const range = { kind: 'link', className, collection } as const
    names.set(name, { property: { ...link, name, range, many: true }, reverse, index: names.size })
  }
  return names
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Calls `make` once for each class. */
function memoized<T>(make: (cls: Class) => T): (cls: Class) => T {
  const made = new Map<Class, T>()
  return (cls) => {
    const known = made.get(cls) ?? make(cls)
    made.set(cls, known)
    return known
  }
}
