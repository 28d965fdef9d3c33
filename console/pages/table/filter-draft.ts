import { type Option, YES_OR_NO } from '../../shared/values/index.ts'
import { type Choice, findChoice, type Topic } from './filter-topics.ts'
import type { Filter } from './query.ts'

export interface Draft {
  readonly topic: Topic
  readonly choice: Choice
  readonly value: string
}

export function startDraft(topics: readonly Topic[], filter: Filter | undefined): Draft | undefined {
  const found = filter && findChoice(topics, filter)
  if (found) return { ...found, value: filter.value }
  const [topic] = topics
  return topic && withTopic(topic, undefined)
}

/** Keeps a comparison that was chosen where the other topic has it too. */
export function withTopic(topic: Topic, before: Draft | undefined): Draft | undefined {
  const chosen = before?.choice === before?.topic.choices[0] ? undefined : before?.choice
  const same = topic.choices.find(
    ({ variable, fixed }) => variable.operator === chosen?.variable.operator && fixed === chosen.fixed,
  )
  const choice = same ?? topic.choices[0]
  return choice && { topic, choice, value: before?.value ?? '' }
}

export function optionsOf({ topic, choice }: Draft): readonly Option[] | undefined {
  if (topic.kind === 'boolean') return YES_OR_NO
  const { operator } = choice.variable
  const isWhole = operator === 'eq' || operator === 'ne' || operator === 'in'
  return isWhole ? topic.property?.constraints.values?.map((one) => [String(one), String(one)]) : undefined
}

export function filterOf(draft: Draft): Filter {
  const { choice, value } = draft
  const options = optionsOf(draft)
  const chosen = options && !options.some(([one]) => one === value) ? options[0]?.[0] : value
  return { name: choice.variable.name, value: choice.fixed ?? chosen ?? '' }
}

/** An instant as `datetime-local` takes it: in local time. */
export function toLocal(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(+date)) return ''
  const local = new Date(+date - date.getTimezoneOffset() * 60_000).toISOString()
  return local.replace(/(?::00)?\.000Z$|Z$/, '')
}

export const fromLocal = (local: string): string => (local ? new Date(local).toISOString() : '')
