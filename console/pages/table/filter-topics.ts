import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import {
  type FilterVariable,
  type QueryVariable,
  type SearchOperator,
  withoutBeginning,
} from '../../shared/connection/index.ts'
import { labelProperties } from '../../shared/labels.ts'
import { labelOf, shortName } from '../../shared/names.ts'
import { cut, exactText, type Kind, kindOf, type Option, textOf, YES_OR_NO } from '../../shared/values.ts'
import type { Pair, QueryFilter } from './query.ts'

/** The comparisons for one property, or for one variable whose meaning only the API knows. */
export interface Topic {
  readonly key: string
  readonly title: string
  readonly property: PropertyDescription | undefined
  readonly kind: Kind
  readonly choices: readonly Choice[]
}

export interface Choice {
  /** Unique within its topic. */
  readonly label: string
  readonly variable: FilterVariable
  /** The value, if the choice itself implies it. */
  readonly fixed: string | undefined
}

/** Operators, the most useful first. */
const ORDER = 'eq in startsWith contains gte lte gt lt between ne exists'.split(' ')

/** Hardly anyone wants a range of texts, or an instant to the millisecond. */
const ORDERS: Partial<Record<Kind, readonly string[]>> = {
  text: 'contains startsWith eq in ne exists gte lte gt lt between'.split(' '),
  dateTime: 'gte lte gt lt between eq in ne exists startsWith contains'.split(' '),
}

const OF_WORDS = ['eq', 'in', 'ne', 'exists']

const LABELS: Readonly<Record<Exclude<SearchOperator, 'exists'>, string>> = {
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

const IN_TIME: Partial<typeof LABELS> = { gte: 'on or after', lte: 'on or before', gt: 'after', lt: 'before' }

const WORDING: Partial<Record<Kind, Partial<typeof LABELS>>> = {
  date: IN_TIME,
  dateTime: IN_TIME,
  text: {
    gte: 'from (A–Z)',
    lte: 'up to (A–Z)',
    gt: 'after (A–Z)',
    lt: 'before (A–Z)',
    between: 'between (A–Z)',
  },
}

const HAS = { true: 'has a value', false: 'has no value' }

export function topicsOf(variables: readonly QueryVariable[]): readonly Topic[] {
  const filters = variables.filter((variable) => variable.role === 'filter')
  const groups = Map.groupBy(filters, ({ name, property }) => property ?? name)
  return [...groups].flatMap(([of, group]) => {
    const property = typeof of === 'string' ? undefined : of
    const key = typeof of === 'string' ? of : of.name
    const kind = property ? kindOf(property) : 'text'
    const isOfWords = kind === 'text' && property?.constraints.values !== undefined
    const rank = ({ operator }: FilterVariable) => (ORDERS[kind] ?? ORDER).indexOf(operator)
    const ranked = group
      .filter(({ operator }) => !isOfWords || OF_WORDS.includes(operator))
      .toSorted((one, other) => rank(one) - rank(other))
    if (ranked.length === 0) return []
    const choices = distinct(ranked.flatMap((variable) => choicesOf(variable, kind)))
    return { key, title: property ? labelOf(property) : key, property, kind, choices }
  })
}

function choicesOf(variable: FilterVariable, kind: Kind): Choice[] {
  const { operator } = variable
  if (operator !== 'exists') {
    const label = WORDING[kind]?.[operator] ?? LABELS[operator]
    return [{ label, variable, fixed: undefined }]
  }
  return Object.entries(HAS).map(([fixed, label]) => ({ label, variable, fixed }))
}

/** Two variables with the same comparison are distinguished by their names. */
const distinct = (choices: readonly Choice[]): Choice[] =>
  choices.map((choice, index) =>
    choices.findIndex(({ label }) => label === choice.label) === index
      ? choice
      : { ...choice, label: `${choice.label} (${choice.variable.name})` },
  )

export const findChoice = (topics: readonly Topic[], { name, value }: QueryFilter) =>
  topics
    .flatMap((topic) => topic.choices.map((choice) => ({ topic, choice })))
    .find(
      ({ choice: { variable, fixed } }) => variable.name === name && (fixed === undefined || fixed === value),
    )

/** Whether a linked member may have a name. Nothing is known about a class that is not described. */
export function mayTellName(range: string | undefined, classes: readonly ClassDescription[]): boolean {
  const possible = classes.filter(({ iri, superClasses }) =>
    [iri, ...superClasses].some((one) => one === range),
  )
  return possible.length === 0 || possible.some((one) => labelProperties(one).length > 0)
}

/** An alternative of a group, as a filter of its own. */
export const onItsOwn = ({ name, value, variable }: Pair): QueryFilter => ({
  name: variable?.name ?? name,
  value,
})

interface FilterWording {
  /** The name of the linked member that the filter asks for. */
  readonly linked?: string
  readonly locale?: string
}

/** A filter in words: what is compared (`Title contains`), and with what (`“x”`; empty for `Title has no value`). */
export function filterWords(
  pair: Pair,
  topics: readonly Topic[],
  { linked = shortName(pair.value), locale }: FilterWording = {},
): { readonly subject: string; readonly value: string } {
  if (pair.role === 'text') return { subject: 'Text', value: `“${short(withoutBeginning(pair.value))}”` }
  const found = findChoice(topics, onItsOwn(pair))
  if (!found) return { subject: `${pair.name}:`, value: short(pair.value) }
  const { topic, choice } = found
  const subject = `${topic.title} ${choice.label}`
  if (choice.fixed !== undefined) return { subject, value: '' }
  if (topic.kind === 'link') return { subject, value: short(linked) }
  if (topic.kind === 'text') return { subject, value: `“${short(pair.value)}”` }
  if (topic.kind === 'dateTime') return { subject, value: exactText(pair.value, locale) }
  return { subject, value: short(textOf(pair.value, topic.kind, { locale, property: topic.property })) }
}

/** Groups the values of one variable, and alternatives: a member matches any of them (hypermedia.md, filters). */
export function alternatives(pairs: readonly Pair[]) {
  const isAny = ({ variable }: Pair): boolean =>
    variable?.role === 'filter' && (variable.operator === 'eq' || variable.operator === 'in')
  const keyOf = (pair: Pair) => {
    if (pair.group !== undefined) return `or[${pair.group}]`
    return isAny(pair) ? pair.name : pair
  }
  const groups = Map.groupBy(pairs, keyOf)
  return [...groups.values()].flatMap((group) =>
    group.map((pair, index) => ({ pair, isAlternative: index > 0 })),
  )
}

const short = (text: string): string => cut(text, 40).text

export interface FilterDraft {
  readonly topic: Topic
  readonly choice: Choice
  readonly value: string
}

export function startDraft(
  topics: readonly Topic[],
  filter: QueryFilter | undefined,
): FilterDraft | undefined {
  const found = filter && findChoice(topics, filter)
  if (found) return { ...found, value: filter.value }
  const [topic] = topics
  return topic && withTopic(topic, undefined)
}

/** Keeps the comparison that was chosen, if the new topic has it too. */
export function withTopic(topic: Topic, before: FilterDraft | undefined): FilterDraft | undefined {
  const chosen = before?.choice === before?.topic.choices[0] ? undefined : before?.choice
  const same = topic.choices.find(
    ({ variable, fixed }) => variable.operator === chosen?.variable.operator && fixed === chosen.fixed,
  )
  const choice = same ?? topic.choices[0]
  return choice && { topic, choice, value: before?.value ?? '' }
}

export function optionsOf({ topic, choice }: FilterDraft): readonly Option[] | undefined {
  if (topic.kind === 'boolean') return YES_OR_NO
  const { operator } = choice.variable
  const isWhole = operator === 'eq' || operator === 'ne' || operator === 'in'
  return isWhole ? topic.property?.constraints.values?.map((one) => [String(one), String(one)]) : undefined
}

export function filterOf(draft: FilterDraft): QueryFilter {
  const { choice, value } = draft
  const options = optionsOf(draft)
  const chosen = options && !options.some(([one]) => one === value) ? options[0]?.[0] : value
  return { name: choice.variable.name, value: choice.fixed ?? chosen ?? '' }
}

/** An instant in local time, as `datetime-local` needs it. */
export function toLocal(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(+date)) return ''
  const local = new Date(+date - date.getTimezoneOffset() * 60_000).toISOString()
  return local.replace(/(?::00)?\.000Z$|Z$/, '')
}

export const fromLocal = (local: string): string => (local ? new Date(local).toISOString() : '')
