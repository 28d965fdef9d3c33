import { BoundedMap } from '../../bounded-map.ts'
import { badRequest } from '../../errors.ts'
import { didYouMean, nearest } from '../../text.ts'
import {
  type Class,
  collectionContext,
  hasCollection,
  type Included,
  type Model,
  memberContext,
  type Property,
} from '../../vocabulary/index.ts'
import { fingerprint } from '../headers.ts'
import { encode, show } from './parameters.ts'

/** What a query asks to be shown in the place of links (hypermedia.md, Related members). */
export interface Include {
  /** As a query, in one spelling: contexts have it in their addresses. */
  readonly query: string
  readonly included: Included
  /** The classes whose members are shown, by name. */
  readonly classes: readonly string[]
  /** Contexts as text: of a member, and of a page. */
  readonly context: string
  readonly pageContext: string
  /**
   * Of all that the text of what is shown depends on, but for the members; with the secret, so that nobody finds their
   * versions by trying.
   */
  readonly signature: string
}

/** Each is a look-up. */
const MOST_PATHS = 10
const REMEMBERED = 64
const MOST_NAMED = 20

type Classes = ReadonlyMap<string, Class>

/** Undefined for a value that is neither a link nor embedded. */
function leadsTo({ range }: Property, classes: Classes): Class | undefined {
  if (range.kind === 'embedded') return range.cls
  return range.kind === 'link' ? classes.get(range.className) : undefined
}

/** All that may be asked for: a link, and a link behind a link or within an embedded value. */
export function includePaths({ properties }: Class, classes: Classes): string[] {
  const isLink = (property: Property) =>
    property.range.kind === 'link' && leadsTo(property, classes) !== undefined
  return properties.flatMap((property) => {
    const next = leadsTo(property, classes)?.properties.filter(isLink) ?? []
    const paths = next.map((one) => `${property.name}.${one.name}`)
    return isLink(property) ? [property.name, ...paths] : paths
  })
}

export type ReadInclude = ReturnType<typeof createReadInclude>

/** 400 for a path that leads to no link, with the nearest that does. `model`: as the user is shown it. */
export function createReadInclude(given: Class, model: Model, base: string, secret: Buffer) {
  const byName = new Map(model.classes.map((one) => [one.name, one]))
  const cls = byName.get(given.name) ?? given
  const made = new BoundedMap<string, Include>(REMEMBERED)
  const key = secret.toString('base64url')
  const find = (from: Class, name: string) => from.properties.find((property) => property.name === name)

  function wrong(path: string): string {
    const all = includePaths(cls, byName)
    if (all.length === 0) return `${cls.name} has no links.`
    const [first = ''] = path.split('.', 1)
    if (path === first && find(cls, first)?.range.kind === 'embedded')
      return `${path} is an embedded value, which is shown anyway.`
    const found = nearest(path, all)
    const right =
      found === undefined ? `possible: ${all.slice(0, MOST_NAMED).join(', ')}.` : didYouMean(found, path)
    return `${show(path)} is no link of ${cls.name}, nor two steps that lead to one; ${right}`
  }

  function make(paths: readonly string[]): Include {
    if (paths.length > MOST_PATHS)
      throw badRequest(`include: ${paths.length} paths; ${MOST_PATHS} are the limit.`)
    const all = new Set(includePaths(cls, byName))
    const included: Tree = new Map()
    const targets = new Set<Class>()
    for (const path of paths) {
      if (!all.has(path)) throw badRequest(`include: ${wrong(path)}`)
      let [from, tree] = [cls, included]
      for (const name of path.split('.')) {
        const property = find(from, name) as Property
        const next = tree.get(name) ?? { cls: leadsTo(property, byName) as Class, within: new Map() }
        if (property.range.kind === 'link') targets.add(next.cls)
        tree.set(name, next)
        ;[from, tree] = [next.cls, next.within]
      }
    }
    const context = JSON.stringify(memberContext(cls, base, included))
    return {
      query: paths.map((path) => `include=${encode(path)}`).join('&'),
      included,
      classes: [...targets].map(({ name }) => name),
      context,
      pageContext: hasCollection(cls) ? JSON.stringify(collectionContext(cls, base, included)) : '',
      signature: fingerprint(context, key, ...[...targets].map((one) => String(one.fingerprint))),
    }
  }

  /** Undefined where nothing is asked for. */
  return (values: readonly string[]): Include | undefined => {
    if (values.length === 0) return undefined
    return made.getOrInsertComputed(values.join('&'), () => make([...new Set(values)].sort()))
  }
}

type Tree = Map<string, { cls: Class; within: Tree }>
