import { badRequest, type HttpError } from '../../errors.ts'
import { didYouMean, nearest } from '../../nearest.ts'
import type { Class } from '../../vocabulary/model.ts'
import { whyUnfilterable, whyUnsortable } from './operators.ts'
import { show } from './text.ts'

/** So many names are listed where none is near: a class may have hundreds of parameters. */
const LISTED = 20

/** 400 for a parameter that does not exist: why not, where there is a reason, else the nearest one that does. */
export function explainUnknown(cls: Class, name: string, names: readonly string[]): HttpError {
  const why = reason(cls, name, names)
  if (why !== undefined) return badRequest(`${show(name)} is not possible: ${why}`)
  const found = name === '' ? undefined : nearest(name, names)
  const right = found === undefined ? `possible: ${listed(names)}` : didYouMean(found, name)
  return badRequest(`${show(name)} is not a parameter here; ${right}`)
}

function reason(cls: Class, name: string, names: readonly string[]): string | undefined {
  const find = (wanted: string | undefined) => cls.properties.find((property) => property.name === wanted)
  const [, outer, inner] = /^([^[]*)\[([^\]]*)\]$/.exec(name) ?? []
  if (name === 'q') return `${cls.name} has no filterable string to search.`

  const property = find(name) ?? find(outer)
  if (property !== undefined) {
    const fitting = names.filter((one) => one === property.name || one.startsWith(`${property.name}[`))
    return `${property.name} ${whyUnfilterable(property) ?? `can be filtered with ${fitting.join(', ')}.`}`
  }
  const target = find(inner)
  if (target === undefined) return undefined
  const why =
    outer === 'order' ? whyUnsortable(target) : outer === 'exists' ? whyUnfilterable(target) : undefined
  return why === undefined ? undefined : `${target.name} ${why}`
}

function listed(names: readonly string[]): string {
  const short = names.filter((name) => !name.includes('[')).slice(0, LISTED)
  const rest = names.length - short.length
  return (
    short.join(', ') +
    (rest > 0 ? ` and ${rest} more, which the search template of the collection has.` : '.')
  )
}
