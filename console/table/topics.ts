import type { PropertyDescription } from '../../src/client/index.ts'
import { capitalised, inWords, shortName } from '../naming.ts'
import { type Kind, kindOf } from './kinds.ts'
import type { Condition, Pair } from './query.ts'
import { cut, textOf } from './value-text.ts'
import type { FilterVariable, Operator, Variable } from './variables.ts'

/** What can be asked about one property, or by one variable that the API alone knows the meaning of. */
export interface Topic {
  readonly key: string
  readonly title: string
  readonly property: PropertyDescription | undefined
  readonly kind: Kind
  readonly choices: readonly Choice[]
}

/** One way to compare. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly variable: FilterVariable
  /** Where the choice itself is the answer. */
  readonly fixed: string | undefined
}

/** In the order of usefulness; what is answered from an index stands before what may take its time. */
const ORDER: readonly Operator[] = [
  'eq',
  'in',
  'startsWith',
  'contains',
  'gte',
  'lte',
  'gt',
  'lt',
  'between',
  'ne',
  'exists',
]

const LABELS: Readonly<Record<Exclude<Operator, 'exists'>, string>> = {
  eq: 'is',
  in: 'is one of',
  ne: 'is not',
  startsWith: 'starts with',
  contains: 'contains',
  gte: 'at least',
  lte: 'at most',
  gt: 'greater than',
  lt: 'less than',
  between: 'between',
}

/** Nobody says that a day is greater than another. */
const IN_TIME: Partial<typeof LABELS> = {
  gte: 'on or after',
  lte: 'on or before',
  gt: 'after',
  lt: 'before',
}

const HAS: readonly (readonly [string, string])[] = [
  ['true', 'has a value'],
  ['false', 'has no value'],
]

export function topicsOf(variables: readonly Variable[]): readonly Topic[] {
  const filters = variables.filter((variable) => variable.role === 'filter')
  const groups = Map.groupBy(filters, ({ name, property }) => property ?? name)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { property } = first
    const kind = property ? kindOf(property) : 'text'
    const ranked = group.toSorted((one, other) => rank(one) - rank(other))
    return {
      key: property?.name ?? first.name,
      title: property ? titleOf(property) : first.name,
      property,
      kind,
      choices: distinct(ranked.flatMap((variable) => choicesOf(variable, kind))),
    }
  })
}

const rank = ({ operator }: FilterVariable): number => ORDER.indexOf(operator)

const titleOf = ({ name }: PropertyDescription): string => capitalised(inWords(name))

function choicesOf(variable: FilterVariable, kind: Kind): Choice[] {
  const { name, operator } = variable
  if (operator !== 'exists')
    return [{ key: name, label: labelOf(operator, kind), variable, fixed: undefined }]
  return HAS.map(([fixed, label]) => ({ key: `${name} ${fixed}`, label, variable, fixed }))
}

const labelOf = (operator: Exclude<Operator, 'exists'>, kind: Kind): string =>
  ((kind === 'date' || kind === 'dateTime') && IN_TIME[operator]) || LABELS[operator]

/** Two variables for one comparison are told apart by their names. */
const distinct = (choices: readonly Choice[]): Choice[] =>
  choices.map((choice, index) =>
    choices.findIndex(({ label }) => label === choice.label) === index
      ? choice
      : { ...choice, label: `${choice.label} (${choice.variable.name})` },
  )

/** Where in the topics a filter is. */
export function findChoice(
  topics: readonly Topic[],
  { name, value }: Condition,
): { readonly topic: Topic; readonly choice: Choice } | undefined {
  for (const topic of topics) {
    const choice = topic.choices.find(
      ({ variable, fixed }) => variable.name === name && (fixed === undefined || fixed === value),
    )
    if (choice) return { topic, choice }
  }
  return undefined
}

/** The member that a filter compares with; undefined for any other filter. */
export function linkedBy(pair: Pair, topics: readonly Topic[]): string | undefined {
  const found = findChoice(topics, pair)
  return found?.topic.kind === 'link' && found.choice.fixed === undefined ? pair.value : undefined
}

interface Wording {
  /** Of the member that it compares with. */
  readonly linked?: string
  readonly locale?: string
}

/** A filter in words: `Pages at least 120`. */
export function conditionText(
  pair: Pair,
  topics: readonly Topic[],
  { linked = shortName(pair.value), locale }: Wording = {},
): string {
  if (pair.role === 'text') return `Text “${short(pair.value)}”`
  const found = findChoice(topics, pair)
  if (!found) return `${pair.name}: ${short(pair.value)}`
  const { topic, choice } = found
  const said = `${topic.title} ${choice.label}`
  if (choice.fixed !== undefined) return said
  if (topic.kind === 'link') return `${said} ${short(linked)}`
  if (topic.kind === 'text') return `${said} “${short(pair.value)}”`
  return `${said} ${short(textOf(pair.value, topic.kind, locale))}`
}

const short = (text: string): string => cut(text, 40).text
