import type { Class, Property } from '../vocabulary/model.ts'
import type { Names } from './names.ts'
import { declare } from './text.ts'
import { listOf, valueType } from './values.ts'

/** One thing that a collection can be asked, as its search template names it. */
export interface Variable {
  readonly name: string
  /** Several values ask for any of them. */
  readonly isRepeatable: boolean
  readonly isRequired: boolean
}

export const queryLines = (cls: Class, variables: readonly Variable[], names: Names): string[] =>
  unique(variables).map((variable) => {
    const { name, isRepeatable, isRequired } = variable
    const one = variableType(name, cls, names)
    const type = isRepeatable ? `${one} | readonly ${listOf(one)}` : one
    return declare({ name, type, isOptional: !isRequired })
  })

/** Some servers list a variable twice. */
const unique = (variables: readonly Variable[]): Variable[] => [
  ...new Map(variables.map((variable) => [variable.name, variable])).values(),
]

const NUMBERS = ['page', 'itemsPerPage']
const TEXTS = ['q', 'sort', 'after', 'before']

/** Operators whose value is one of the property's; any other takes a text. */
const WITH_CHOICE = ['', '[]', '[eq]', '[ne]']
const COMPARING = [
  '[gt]',
  '[gte]',
  '[lt]',
  '[lte]',
  '[before]',
  '[after]',
  '[strictly_before]',
  '[strictly_after]',
]

/**
 * By the name alone, as hypermedia.md (Filters) and the servers of others form it: so that the types of an API file and
 * those of what is served from it are the same.
 */
function variableType(name: string, cls: Class, names: Names): string {
  const find = (wanted: string | undefined) => cls.properties.find((property) => property.name === wanted)
  if (NUMBERS.includes(name)) return 'number'
  if (TEXTS.includes(name)) return 'string'
  const [, outer, inner] = /^([^[]+)\[([^\]]+)\]$/.exec(name) ?? []
  const target = find(inner)
  if (outer === 'exists' && target !== undefined) return 'boolean'
  if (outer === 'order' && target !== undefined && !target.many) return "'asc' | 'desc'"
  const [, property, operator = ''] = /^([^[]+)(\[.*\])?$/s.exec(name) ?? []
  const asked = find(property)
  if (asked === undefined) return 'string'
  if (WITH_CHOICE.includes(operator)) return valueType(asked, 'query', names)
  return COMPARING.includes(operator) ? valueType(withoutChoice(asked), 'query', names) : 'string'
}

/** Between two of the possible values there are others. */
const withoutChoice = (property: Property): Property => ({ ...property, constraints: {} })
