import { BoundedMap } from '../../bounded-map.ts'
import type { FieldTree } from '../../members/index.ts'
import type { Problem } from '../../problem.ts'
import { type Class, HISTORY, type Model } from '../../vocabulary/index.ts'
import { parameterProblem } from '../problems/index.ts'
import { type Include, includePaths, stepsFrom } from './include.ts'

/** The properties that a query asks for (asking.md, Fields). */
export interface Fields {
  readonly tree: FieldTree
  readonly paths: readonly string[]
  /** The same text for the same properties, for ETags. */
  readonly signature: string
}

/** Reads the values of `fields`; rejects a path that does not lead to a property. `include`: of the same query. */
export type ReadFields = (values: readonly string[], include: Include | undefined) => Fields

const MAX_CACHED = 64
const MAX_LISTED = 20

/** What every member has, so that `fields=@id` asks for nothing else. */
const KEYWORDS = ['@id', '@type']
/** What only a member alone has: its controls. */
const CONTROLS = 'operation'

/** `model`: the part that the user may see. */
export function createReadFields(declared: Class, model: Model): ReadFields {
  const byName = new Map(model.classes.map((one) => [one.name, one]))
  const cls = byName.get(declared.name) ?? declared
  const operations = (cls.customOperations ?? []).map(({ name }) => name)
  const extra = [...operations, CONTROLS, ...(cls.history === undefined ? [] : [HISTORY])]
  const cache = new BoundedMap<string, Fields>(MAX_CACHED)

  function check(path: string, include: Include | undefined): void {
    const names = path.split('.')
    let [of, links] = [cls, include?.included]
    for (const [index, name] of names.entries()) {
      const next = stepsFrom(of, byName).find((step) => step.name === name)
      if (index === names.length - 1) {
        const isOfMember = KEYWORDS.includes(name) || (index === 0 && extra.includes(name))
        if (namesIn(of).includes(name) || isOfMember) return
      }
      if (next === undefined) throw unknown(path, of, names.slice(0, index))
      if (next.kind !== 'embedded' && !links?.has(name))
        throw notIncluded(path, of, names.slice(0, index + 1))
      links = links?.get(name)?.within
      of = next.cls
    }
  }

  function unknown(path: string, of: Class, before: readonly string[]): Problem {
    const names = before.length === 0 ? [...namesIn(of), ...operations] : namesIn(of)
    const known = names.map((name) => [...before, name].join('.'))
    const listed = known.slice(0, MAX_LISTED)
    return parameterProblem('UnknownField', 'fields', { path, className: of.name, known, listed })
  }

  function notIncluded(path: string, of: Class, link: readonly string[]): Problem {
    const missing = link.join('.')
    if (!includePaths(cls, byName).includes(missing)) return unknown(path, of, link.slice(0, -1))
    return parameterProblem('FieldBeyondLink', 'fields', { path, link: missing })
  }

  return (values, include) =>
    cache.getOrInsertComputed(JSON.stringify([values, include?.query]), () => {
      // A path comes before those that begin with it.
      const paths = [...new Set(values.flatMap((value) => value.split(',')))].sort()
      for (const path of paths) check(path, include)
      return { tree: treeOf(paths), paths, signature: JSON.stringify(paths) }
    })
}

const namesIn = ({ properties, reverseLinks }: Class): string[] =>
  [...properties.filter(({ isWriteOnly }) => isWriteOnly !== true), ...reverseLinks].map(({ name }) => name)

type GrowingTree = Map<string, GrowingTree>

/** `sorted`: each path after those that it begins with, which ask for everything that it leads to. */
function treeOf(sorted: readonly string[]): FieldTree {
  const tree: GrowingTree = new Map()
  for (const path of sorted) {
    let at = tree
    for (const name of path.split('.')) {
      const known = at.get(name)
      if (known?.size === 0) break
      const next: GrowingTree = known ?? new Map()
      at.set(name, next)
      at = next
    }
  }
  return tree
}
