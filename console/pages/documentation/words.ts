import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { counted, shortName } from '../../shared/names.ts'

const WORDS: Readonly<Record<string, string>> = {
  'XMLSchema#string': 'text',
  'XMLSchema#boolean': 'yes or no',
  'XMLSchema#integer': 'whole number',
  'XMLSchema#nonNegativeInteger': 'whole number from 0',
  'XMLSchema#positiveInteger': 'whole number from 1',
  'XMLSchema#int': 'whole number',
  'XMLSchema#long': 'whole number',
  'XMLSchema#decimal': 'decimal number',
  'XMLSchema#double': 'number',
  'XMLSchema#float': 'number',
  'XMLSchema#date': 'date',
  'XMLSchema#dateTime': 'date and time',
  'XMLSchema#time': 'time of day',
  'XMLSchema#duration': 'duration',
  'XMLSchema#anyURI': 'web address',
  '22-rdf-syntax-ns#langString': 'text by language',
}

type Typed = Pick<PropertyDescription, 'range' | 'isLink'>

/** The type of a property in words: "whole number", "link to Author". */
export function typeInWords({ range, isLink }: Typed, classes: readonly ClassDescription[]): string {
  if (range === undefined) return isLink ? 'link' : 'anything'
  const found = classes.find(({ iri }) => iri === range)
  const name = found?.title ?? WORDS[range.slice(range.lastIndexOf('/') + 1)] ?? shortName(range)
  return isLink ? `link to ${name}` : name
}

/** A text for each language counts as one value. */
export const isMany = ({ many, range }: Pick<PropertyDescription, 'many' | 'range'>): boolean =>
  many && !range?.endsWith('#langString')

type Ruled = Pick<PropertyDescription, 'constraints'> &
  Partial<Pick<PropertyDescription, 'writable' | 'readable' | 'always' | 'onDelete' | 'example' | 'unit'>>

type RuleText = readonly [text: string | false | undefined, codes?: readonly unknown[] | undefined]

/** The constraints of a property, in words. `codes`: values that are shown literally. */
export function rulesOf({ constraints, writable = true, readable = true, ...more }: Ruled) {
  const { always, onDelete, example, unit } = more
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    pattern,
    values,
    unique,
    default: given,
    scale,
  } = constraints
  const length = between(minLength, maxLength)
  const rules: readonly RuleText[] = [
    [!writable && 'read-only'],
    [always && `set to ${ALWAYS[always]} at every write`],
    [!readable && 'write-only'],
    [unique && 'unique'],
    [length && `${length} ${(maxLength ?? minLength) === 1 ? 'character' : 'characters'}`],
    [between(minimum, maximum)],
    [pattern !== undefined && 'matches', [pattern]],
    [unit && 'in', [unit]],
    [scale !== undefined && `at most ${counted(scale, 'digits')} after the point`],
    [values && 'one of', values],
    [given !== undefined && 'default', [given]],
    [example !== undefined && 'for example', [example]],
    [onDelete && ON_DELETE[onDelete]],
  ]
  return rules.flatMap(([text, codes = []]) => (text ? { text, codes: codes.map(written) } : []))
}

const ALWAYS = { now: 'the time', user: 'the user' }
const ON_DELETE = {
  unset: 'taken out when the linked member is deleted',
  delete: 'this member is deleted with the linked one',
}

function between(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${least}` : `${least} to ${most}`
  if (least !== undefined) return `at least ${least}`
  return most === undefined ? undefined : `at most ${most}`
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
