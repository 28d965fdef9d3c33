import { percentDecoded } from '../../text.ts'
import { toVariable } from './encoding.ts'
import {
  createPathParameters,
  type FilterOperator,
  generalParameters,
  isGeneral,
  isOperator,
  operatorsOf,
  type Parameter,
} from './parameters.ts'
import type { Path, PathProblem, Paths } from './path.ts'
import { unsortable } from './sortable.ts'

/** Why a name is not that of a parameter. */
export type NameProblem =
  | PathProblem
  /** The property has no such operator. */
  | { readonly problem: 'operator'; readonly path: Path }
  | { readonly problem: 'unsortable'; readonly path: Path }
  /** Not written as `or[a][title]`. */
  | { readonly problem: 'group' }

/** asking.md, Or: "parameters with the same letter or number". */
export const GROUPED = /^or\[([A-Za-z]|0|[1-9]\d{0,2})\]\[([^\]]*)\]$/
const BRACKETED = /^([^[]*)\[([^\]]*)\]$/

/** The names of hydrus for paging. They are understood where nothing else has the name, but no response has them. */
const ALIASES: ReadonlyMap<string, Parameter> = new Map<string, Parameter>([
  ['limit', { name: 'itemsPerPage', role: 'itemsPerPage' }],
  ['pageIndex', { name: 'page', role: 'page' }],
  ['offset', { name: 'offset', role: 'offset' }],
])

const namesOf = (parameters: readonly Parameter[]) => new Map(parameters.map((one) => [one.name, one]))

export interface Resolve {
  /** Finds the parameter that a query names. Paths are found name by name, since there may be no end of them. */
  parameter(name: string): Parameter | NameProblem
  /** Finds what `order[…]` and `sort` name. */
  order(path: string): Extract<Parameter, { role: 'order' }> | NameProblem
}

/** `general`: the parameters that are not about one property. */
export function createResolve(
  paths: Paths,
  general: ReadonlyMap<string, Parameter> = namesOf(generalParameters(paths.start.cls)),
): Resolve {
  const parameters = createPathParameters(paths)
  const find = (text: string): Path | PathProblem => paths.find(paths.start, text.split('.'))

  function filter(text: string, operator: string): Parameter | NameProblem {
    const path = find(text)
    if ('problem' in path) return path
    if (operator === 'exists') return parameters.exists(path)
    const isKnown = (operatorsOf(path) as readonly string[]).includes(operator)
    return isKnown ? parameters.filter(path, operator as FilterOperator) : { problem: 'operator', path }
  }

  function order(text: string): ReturnType<Resolve['order']> {
    const path = find(text)
    if ('problem' in path) return path
    return unsortable(path) === undefined ? parameters.order(path) : { problem: 'unsortable', path }
  }

  /** `author.name`, `author.name.gte`: the path wins. */
  function dotted(name: string): Parameter | NameProblem {
    const whole = filter(name, 'eq')
    const dot = name.lastIndexOf('.')
    if (!('problem' in whole) || whole.problem === 'unfilterable' || dot < 0) return whole
    if (whole.problem === 'operator') return whole
    const operator = name.slice(dot + 1)
    const operated = filter(name.slice(0, dot), operator)
    return 'problem' in operated && !isOperator(operator) ? whole : operated
  }

  /** `order[author.name]`, `exists[author.name]`, `author.name[gte]`. */
  function bracketed(outer: string, inner: string): Parameter | NameProblem {
    const own = outer === 'order' ? order(inner) : outer === 'exists' ? filter(inner, 'exists') : undefined
    if (own !== undefined && !('problem' in own)) return own
    // A property may be called "order" or "exists".
    const found = filter(outer, inner)
    return own !== undefined && 'problem' in found && !paths.has(paths.start.cls, outer) ? own : found
  }

  function alternative(group: string, name: string): Parameter | NameProblem {
    const found = name === 'q' ? spelled(name) : dotted(name)
    return 'problem' in found ? found : { ...found, name: `or[${group}][${found.name}]`, group }
  }

  function spelled(name: string): Parameter | NameProblem {
    const known = general.get(name)
    if (known !== undefined) return known
    // Not even a property of that name is meant: parameters win.
    if (isGeneral(name)) return { problem: 'unknown', place: paths.start }
    const [, group, asked = ''] = GROUPED.exec(name) ?? []
    if (group !== undefined) return alternative(group, asked)
    const [, outer, inner = ''] = BRACKETED.exec(name) ?? []
    if (outer === undefined) return name.startsWith('or[') ? { problem: 'group' } : dotted(name)
    const found = bracketed(outer, inner)
    const isGroup = 'problem' in found && outer === 'or' && !paths.has(paths.start.cls, 'or')
    return isGroup ? { problem: 'group' } : found
  }

  /** Some clients, such as alcaeus, copy the name of a variable into a query, and so encode its "%" again. */
  function encodedAgain(name: string): Parameter | undefined {
    const decoded = name.includes('%') ? percentDecoded(name) : undefined
    const found = decoded === undefined ? undefined : spelled(decoded)
    return found !== undefined && !('problem' in found) && toVariable(found.name) === name ? found : undefined
  }

  return {
    parameter(name) {
      const found = spelled(name)
      return 'problem' in found ? (encodedAgain(name) ?? ALIASES.get(name) ?? found) : found
    },
    order,
  }
}
