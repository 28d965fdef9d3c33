import { BoundedMap } from '../../bounded-map.ts'
import type { Problem } from '../../problem.ts'
import {
  type Class,
  collectionContext,
  hasCollection,
  type Included,
  type Model,
  memberContext,
  type Property,
} from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { fingerprint } from '../request.ts'
import { encode } from './encoding.ts'

/** The members that a query includes in place of links (hypermedia.md, Related members). */
export interface Include {
  /** The canonical query, which the addresses of contexts have. */
  readonly query: string
  /** The requested paths, as a tree. */
  readonly included: Included
  /**
   * The places where the context allows members. Each member is written once, with everything that is included in it at
   * any of its places (widen).
   */
  readonly places: Included
  /** The places within members that a direct link leads to, by the names of their classes. */
  readonly placesWithin: ReadonlyMap<string, Included>
  /** The names of the classes whose members are included. */
  readonly classes: readonly string[]
  /** The contexts of a member and of a page, as text. */
  readonly context: string
  readonly pageContext: string
  /**
   * A digest of everything that the text of included members depends on, except for the members. It includes the secret,
   * so that the versions of members cannot be guessed from an ETag.
   */
  readonly signature: string
}

/** Each path costs a lookup. */
const MAX_PATHS = 10
const MAX_CACHED = 64
const MAX_LISTED = 20

type ClassesByName = ReadonlyMap<string, Class>

/** The class that a property links to or embeds; undefined for any other property. */
export function leadsTo({ range }: Property, classes: ClassesByName): Class | undefined {
  if (range.kind === 'embedded') return range.cls
  return range.kind === 'link' ? classes.get(range.className) : undefined
}

/** All paths that may be included: links, links of their targets, and links within embedded values. */
export function includePaths({ properties }: Class, classes: ClassesByName): string[] {
  const isLink = (property: Property) =>
    property.range.kind === 'link' && leadsTo(property, classes) !== undefined
  return properties.flatMap((property) => {
    const next = leadsTo(property, classes)?.properties.filter(isLink) ?? []
    const paths = next.map((one) => `${property.name}.${one.name}`)
    return isLink(property) ? [property.name, ...paths] : paths
  })
}

/** Reads the paths of `include`; rejects a path that does not lead to a link. */
export type ReadInclude = (paths: readonly string[]) => Include

/** `model`: the part that the user may see. */
export function createReadInclude(declared: Class, model: Model, base: string, secret: Buffer): ReadInclude {
  const byName = new Map(model.classes.map((one) => [one.name, one]))
  const cls = byName.get(declared.name) ?? declared
  const cache = new BoundedMap<string, Include>(MAX_CACHED)
  const key = secret.toString('base64url')
  const find = (from: Class, name: string) => from.properties.find((property) => property.name === name)

  function explain(path: string, known: readonly string[]): Problem {
    const className = cls.name
    if (known.length === 0) return parameterProblem('NoLinks', 'include', { className })
    if (find(cls, path)?.range.kind === 'embedded')
      return parameterProblem('IncludedAnyway', 'include', { path })
    const listed = known.slice(0, MAX_LISTED)
    return parameterProblem('UnknownInclude', 'include', { path, className, known, listed })
  }

  function make(paths: readonly string[]): Include {
    if (paths.length > MAX_PATHS)
      throw parameterProblem('TooManyIncludes', 'include', { count: paths.length, max: MAX_PATHS })
    const possible = includePaths(cls, byName)
    const included: Tree = new Map()
    const targets = new Set<Class>()
    for (const path of paths) {
      if (!possible.includes(path)) throw explain(path, possible)
      let [from, tree] = [cls, included]
      for (const name of path.split('.')) {
        const property = find(from, name) as Property
        const next = tree.get(name) ?? { cls: leadsTo(property, byName) as Class, within: new Map() }
        if (property.range.kind === 'link') targets.add(next.cls)
        tree.set(name, next)
        ;[from, tree] = [next.cls, next.within]
      }
    }
    const { places, placesWithin } = widen(cls, included)
    const context = JSON.stringify(memberContext(cls, base, places))
    return {
      query: paths.map((path) => `include=${encode(path)}`).join('&'),
      included,
      places,
      placesWithin,
      classes: [...targets].map(({ name }) => name),
      context,
      pageContext: hasCollection(cls) ? JSON.stringify(collectionContext(cls, base, places)) : '',
      signature: fingerprint(context, key, ...[...targets].map(stateOf)),
    }
  }

  // The key is JSON, since a value may contain any separator: no query may get the result of another one.
  return (paths) => cache.getOrInsertComputed(JSON.stringify(paths), () => make([...new Set(paths)].sort()))
}

/** Everything that determines the text of a class's members, apart from their values and their context. */
const stateOf = ({ fingerprint, reverseLinks }: Class): string => JSON.stringify([fingerprint, reverseLinks])

type Tree = Map<string, { cls: Class; within: Tree }>

/**
 * Gives all members of a class the same places, wherever a direct link leads to them, and members of the page too: with
 * `include=next.gift`, an order that is `next` of another order on the page is written only there, with its gift.
 */
function widen(cls: Class, included: Included): Pick<Include, 'places' | 'placesWithin'> {
  const isLink = (name: string) => cls.properties.find((one) => one.name === name)?.range.kind === 'link'
  const steps = [...included].filter(([name]) => isLink(name))
  const placesWithin = new Map<string, Included>()
  for (const [, { cls: to, within }] of steps)
    placesWithin.set(to.name, new Map([...(placesWithin.get(to.name) ?? []), ...within]))
  const all = [...(placesWithin.get(cls.name) ?? []), ...included]
  const places = all.map(([name, { cls: to, within }]) => {
    return [name, { cls: to, within: isLink(name) ? (placesWithin.get(to.name) ?? within) : within }] as const
  })
  return { places: new Map(places), placesWithin }
}
