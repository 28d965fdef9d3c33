import { BoundedMap } from '../../bounded-map.ts'
import type { Problem } from '../../problem.ts'
import {
  type Class,
  collectionContext,
  hasCollection,
  type Included,
  isAccount,
  type Model,
  memberContext,
} from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { fingerprint } from '../request.ts'
import { encode } from './encoding.ts'
import type { StepClass } from './restrict.ts'

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
  /** The places within members that a link of a member leads to, from either side, by the names of their classes. */
  readonly placesWithin: ReadonlyMap<string, Included>
  /** The classes whose members are included. */
  readonly steps: readonly StepClass[]
  /** Whether accounts are included: their tokens are in no version, so one ETag may stand for different bytes. */
  readonly hasAccounts: boolean
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

/** A link, a link from the other side (asking.md) or an embedded value, and the class that it leads to. */
export interface NamedStep {
  readonly name: string
  readonly kind: StepClass['kind'] | 'embedded'
  readonly cls: Class
}

/** Everything in a class that leads to another class. */
export function stepsFrom({ properties, reverseLinks }: Class, classes: ClassesByName): NamedStep[] {
  const own = properties.flatMap(({ name, range }): NamedStep[] => {
    if (range.kind === 'embedded') return [{ name, kind: 'embedded', cls: range.cls }]
    const cls = range.kind === 'link' ? classes.get(range.className) : undefined
    return cls === undefined ? [] : [{ name, kind: 'link', cls }]
  })
  const reverse = reverseLinks.flatMap(({ name, className }): NamedStep[] => {
    const cls = classes.get(className)
    return cls === undefined ? [] : [{ name, kind: 'reverse', cls }]
  })
  return [...own, ...reverse]
}

/** All paths that may be included: links from either side, those of their targets, and links within embedded values. */
export function includePaths(cls: Class, classes: ClassesByName): string[] {
  return stepsFrom(cls, classes).flatMap(({ name, kind, cls: to }) => {
    const next = stepsFrom(to, classes).filter((one) => one.kind !== 'embedded')
    const paths = next.map((one) => `${name}.${one.name}`)
    return kind === 'embedded' ? paths : [name, ...paths]
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
  const find = (from: Class, name: string) => stepsFrom(from, byName).find((step) => step.name === name)

  function explain(path: string, known: readonly string[]): Problem {
    const className = cls.name
    if (known.length === 0) return parameterProblem('NoLinks', 'include', { className })
    if (find(cls, path)?.kind === 'embedded') return parameterProblem('IncludedAnyway', 'include', { path })
    const listed = known.slice(0, MAX_LISTED)
    return parameterProblem('UnknownInclude', 'include', { path, className, known, listed })
  }

  function make(paths: readonly string[]): Include {
    if (paths.length > MAX_PATHS)
      throw parameterProblem('TooManyIncludes', 'include', { count: paths.length, max: MAX_PATHS })
    const possible = includePaths(cls, byName)
    const included: IncludeTree = new Map()
    const targets = new Map<string, NamedStep & StepClass>()
    for (const path of paths) {
      if (!possible.includes(path)) throw explain(path, possible)
      let [from, tree] = [cls, included]
      for (const name of path.split('.')) {
        const { kind, cls: to } = find(from, name) as NamedStep
        const next = tree.get(name) ?? { cls: to, within: new Map() }
        if (kind !== 'embedded')
          targets.set(`${kind} ${to.name}`, { name, kind, cls: to, className: to.name })
        tree.set(name, next)
        ;[from, tree] = [next.cls, next.within]
      }
    }
    const isEmbedded = (name: string) => find(cls, name)?.kind === 'embedded'
    const { places, placesWithin } = widen(cls, included, isEmbedded)
    const context = JSON.stringify(memberContext(cls, base, places))
    return {
      query: paths.map((path) => `include=${encode(path)}`).join('&'),
      included,
      places,
      placesWithin,
      steps: [...targets.values()],
      hasAccounts: [...targets.values()].some((target) => isAccount(target.cls)),
      context,
      pageContext: hasCollection(cls) ? JSON.stringify(collectionContext(cls, base, places)) : '',
      signature: fingerprint(context, key, ...[...targets.values()].map(({ cls: to }) => stateOf(to))),
    }
  }

  // The key is JSON, since a value may contain any separator: no query may get the result of another one.
  return (paths) => cache.getOrInsertComputed(JSON.stringify(paths), () => make([...new Set(paths)].sort()))
}

/** Everything that determines the text of a class's members, apart from their values and their context. */
const stateOf = ({ fingerprint, reverseLinks }: Class): string => JSON.stringify([fingerprint, reverseLinks])

type IncludeTree = Map<string, { cls: Class; within: IncludeTree }>

/**
 * Gives all members of a class the same places, wherever a link of a member leads to them, and members of the page too:
 * with `include=next.gift`, an order that is `next` of another order on the page is written only there, with its gift.
 */
function widen(
  cls: Class,
  included: Included,
  isEmbedded: (name: string) => boolean,
): Pick<Include, 'places' | 'placesWithin'> {
  const placesWithin = new Map<string, Included>()
  for (const [name, { cls: to, within }] of included)
    if (!isEmbedded(name))
      placesWithin.set(to.name, new Map([...(placesWithin.get(to.name) ?? []), ...within]))
  const all = [...(placesWithin.get(cls.name) ?? []), ...included]
  const places = all.map(([name, { cls: to, within }]) => {
    const widened = isEmbedded(name) ? within : (placesWithin.get(to.name) ?? within)
    return [name, { cls: to, within: widened }] as const
  })
  return { places: new Map(places), placesWithin }
}
