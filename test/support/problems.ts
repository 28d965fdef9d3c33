import type { ProblemData } from '../../src/problem.ts'
import { nearest } from '../../src/text.ts'

/**
 * A problem in one line, for tests: `4:10 UnknownType(integr → integer)`. Its place, its code and its values, without
 * a sentence. `→`: the name that would be suggested; `of a … z`: the names that would be listed.
 */
export const inShort = ({ code, at, values }: ProblemData): string =>
  `${placeOf(at)}${code}${valuesOf(values)}`

function placeOf({ line, column, path, property }: ProblemData['at']): string {
  const position = line === undefined ? path : column === undefined ? `${line}` : `${line}:${column}`
  return [position, property]
    .filter(Boolean)
    .map((part) => `${part} `)
    .join('')
}

/** The values that may be compared with `known`. */
const MISSPELT = ['name', 'type', 'column', 'term', 'method', 'iri']

function valuesOf(values: object): string {
  const [, name = ''] = Object.entries(values).find(([key]) => MISSPELT.includes(key)) ?? []
  const shown = Object.entries(values)
    // In the words of others.
    .filter(([key, value]) => key !== 'reason' && value !== undefined)
    .map(([key, value]) => (key === 'known' ? known(name, value) : show(value)))
  return shown.length === 0 ? '' : `(${shown.join(', ')})`
}

function known(name: string, names: readonly string[]): string {
  const found = nearest(name, names)
  return found === undefined ? `of ${names[0]} … ${names.at(-1)}` : `→ ${found}`
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(' ')
  if (typeof value === 'string') return value.length > 40 ? `${value.slice(0, 40)}…` : value
  if (typeof value !== 'object' || value === null) return String(value)
  return 'code' in value ? inShort(value as ProblemData) : Object.values(value).map(show).join(' ')
}
