import { RDF, XSD } from '../vocabulary/index.ts'
import type { RdfLiteral } from '../vocabulary/long-form/graph.ts'

const INTEGERS = new Set(
  'integer long int short byte nonNegativeInteger positiveInteger unsignedLong unsignedInt nonPositiveInteger negativeInteger'
    .split(' ')
    .map((name) => XSD + name),
)
const NUMBERS = new Set([...INTEGERS, `${XSD}decimal`, `${XSD}double`, `${XSD}float`])

/**
 * Whether a value lacks the datatype of its property: `other` if it says or shows another one, `none` if it is a text
 * that says none.
 */
export function datatypeProblem(
  { value, datatype, language }: RdfLiteral,
  range: string,
): 'other' | 'none' | undefined {
  if (range === `${RDF}langString`)
    return language === undefined && datatype === undefined ? 'none' : undefined
  if (!range.startsWith(XSD) || datatype === range) return undefined
  if (datatype !== undefined) return INTEGERS.has(datatype) && INTEGERS.has(range) ? undefined : 'other'
  if (typeof value === 'boolean') return range === `${XSD}boolean` ? undefined : 'other'
  if (typeof value === 'number') return isNumberOf(value, range) ? undefined : 'other'
  if (range === `${XSD}string`) return undefined
  return language === undefined ? 'none' : 'other'
}

/** JSON-LD 1.1 §8.2: a whole number is an integer, any other number a double. */
const isNumberOf = (value: number, range: string): boolean =>
  Number.isInteger(value) ? NUMBERS.has(range) : range === `${XSD}double` || range === `${XSD}float`
