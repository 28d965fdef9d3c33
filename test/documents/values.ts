import fc from 'fast-check'
import type { Class, DatatypeName, Property } from '../../src/vocabulary/index.ts'
import type { Json } from '../api/signed-in.ts'

/** The address of a member of a class, for a link; undefined where there is none. */
export type FindMember = (className: string) => string | undefined

/** All that a client may write of a member: a value for each property, made from its range and its constraints. */
export function valuesFor(cls: Class, round: number, find: FindMember): Json {
  const written = cls.properties.filter(({ writable }) => writable)
  const values = written.map((property): [string, unknown] => [
    property.name,
    valueFor(property, round, find),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Another one for each round; undefined for a link that leads nowhere. */
export function valueFor(property: Property, round: number, find: FindMember): unknown {
  const one = oneValue(property, round, find)
  if (one === undefined || !property.many) return one
  return property.range.kind === 'datatype' ? [one, oneValue(property, round + 100, find)] : [one]
}

function oneValue(property: Property, round: number, find: FindMember): unknown {
  const { range, constraints } = property
  if (range.kind === 'link') return find(range.className)
  if (range.kind === 'embedded') return { '@type': range.cls.name, ...valuesFor(range.cls, round, find) }
  if (constraints.enum !== undefined) return constraints.enum[round % constraints.enum.length]
  if (constraints.pattern !== undefined) {
    const [text] = fc.sample(fc.stringMatching(new RegExp(constraints.pattern)), { numRuns: 1, seed: round })
    return text
  }
  const number = Math.min((constraints.minimum ?? 1) + round, constraints.maximum ?? Number.POSITIVE_INFINITY)
  return literalFor(range.datatype, number)
}

function literalFor(datatype: DatatypeName, number: number): unknown {
  switch (datatype) {
    case 'string':
      return `text ${number}`
    case 'boolean':
      return number % 2 === 0
    case 'integer':
    case 'nonNegativeInteger':
    case 'positiveInteger':
      return Math.ceil(number)
    case 'decimal':
      return `${number}.50`
    case 'double':
    case 'float':
      return number
    case 'date':
      return `2024-05-${String(number).padStart(2, '0')}`
    case 'dateTime':
      return `2024-05-${String(number).padStart(2, '0')}T10:00:00Z`
    case 'time':
      return '10:00:00'
    case 'duration':
      return `P${number}D`
    case 'anyURI':
      return `https://example.org/${number}`
    case 'langString':
      return { en: `text ${number}`, de: `Text ${number}` }
  }
}
