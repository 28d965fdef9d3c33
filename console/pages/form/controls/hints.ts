import type { PropertyDescription } from '../../../../src/client/index.ts'
import type { Kind } from '../../../shared/values/index.ts'
import { boundsOf } from '../drafts/checks.ts'

const EXAMPLES: Partial<Record<Kind, string>> = {
  time: 'Such as 12:30:00 or 12:30:00+02:00',
  duration: 'Such as P1Y2M10D (a year, two months, ten days) or PT2H30M',
  iri: 'A full address such as https://example.org/about',
  languages: 'A text for each language: en, de-CH, …',
  json: 'Text, or JSON: a number, true, a list, an object',
}

/** A longer limit is hardly reached by accident, and not mentioned. */
const LONG = 100

/** The API's own description, then what the shape says. */
export function hintOf(property: PropertyDescription, kind: Kind): string {
  const { minLength, maxLength, unique, values } = property.constraints
  const parts = [property.description, values ? '' : EXAMPLES[kind], values ? '' : boundsHint(property, kind)]
  if (minLength !== undefined && minLength > 1) parts.push(`At least ${minLength} characters`)
  if (maxLength !== undefined && maxLength < LONG) parts.push(`At most ${maxLength} characters`)
  if (unique) parts.push('No two can have the same')
  return parts.filter(Boolean).join(' · ')
}

/** The pattern, where no description explains it. */
export const patternHint = ({ description, constraints }: PropertyDescription): string =>
  description ? '' : (constraints.pattern ?? '')

function boundsHint(property: PropertyDescription, kind: Kind): string {
  if (kind !== 'integer' && kind !== 'decimal' && kind !== 'double') return ''
  const { least, most } = boundsOf(property)
  if (least !== undefined && most !== undefined) return `From ${least} to ${most}`
  if (least !== undefined) return `At least ${least}`
  return most === undefined ? '' : `At most ${most}`
}
