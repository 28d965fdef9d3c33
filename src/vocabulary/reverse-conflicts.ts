import type { FileProblem } from './file-problems.ts'
import { type Class, hasCollection, type Property } from './model.ts'
import { findNameProblem } from './names.ts'

/** Why a link cannot have its `reverse` (asking.md, Links from the other side). `classes`: by name. */
export function checkReverse(
  property: Property,
  cls: Class,
  classes: ReadonlyMap<string, Class>,
): FileProblem | undefined {
  const { name, reverse, range } = property
  if (reverse === undefined || range.kind !== 'link') return undefined
  const code = findNameProblem(reverse)
  if (code !== undefined) return { code, values: { name: reverse } }
  const lacking = findLacking(property, cls)
  if (lacking !== undefined)
    return { code: 'ReverseUnlisted', values: { className: cls.name, name, lacking } }
  const { name: target = '', properties = [], reverseLinks = [] } = classes.get(range.className) ?? {}
  if (properties.some((one) => one.name === reverse))
    return { code: 'ReverseTaken', values: { name: reverse, target } }
  const first = reverseLinks.find((one) => one.name === reverse)
  if (first === undefined || (first.className === cls.name && first.property === name)) return undefined
  const link = { className: first.className, property: first.property }
  return { code: 'ReverseTaken', values: { name: reverse, target, link } }
}

/** What a list of the members that link to a member would need; undefined if nothing is missing. */
function findLacking({ filterable }: Property, cls: Class): 'collection' | 'list' | 'filter' | undefined {
  if (!hasCollection(cls)) return 'collection'
  if (!cls.operations.has('list')) return 'list'
  return filterable ? undefined : 'filter'
}
