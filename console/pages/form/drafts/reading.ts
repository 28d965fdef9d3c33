import type { PropertyDescription } from '../../../../src/client/index.ts'
import { isSame } from './changes.ts'
import { mayHaveDefault } from './checks.ts'
import type { Draft, EmbeddedDraft, LanguagesDraft, ListDraft, ListItem, PropertyDraft } from './draft.ts'
import { type Placed, placeIn, type Spot, sentenceAbout, spotOf, spotOfItem, WHOLE } from './field-ids.ts'
import { isObject, valueIn } from './kinds.ts'
import { readTyped, withLineEnds } from './typed-text.ts'

type Values = Readonly<Record<string, unknown>>

/** What a form says, as JSON; with what is certainly wrong with it. */
export interface FormReading {
  readonly values: Values
  readonly violations: readonly Placed[]
}

type Report = (spot: Spot, message: string) => void

/** `former`: of a member that exists. What it lacks already, it may go on lacking, unless the server says otherwise. */
export function readForm(drafts: readonly PropertyDraft[], former?: Values): FormReading {
  const violations: Placed[] = []
  const report: Report = ({ place, label }, message) =>
    violations.push({ place, sentence: sentenceAbout(label, message), checked: true })
  return { values: readProperties(drafts, former, WHOLE, report), violations }
}

function readProperties(
  drafts: readonly PropertyDraft[],
  former: Values | undefined,
  outer: Spot,
  report: Report,
): Values {
  const entries = drafts.flatMap(({ property, draft }, index) => {
    const spot = spotOf(outer, property, index)
    let wrong = false
    const value = readDraft(draft, property, spot, (...found) => {
      wrong = true
      report(...found)
    })
    if (value !== undefined) return [[property.name, value] as const]
    const lacked = former !== undefined && valueIn(former, property.name) === undefined
    if (!wrong && property.required && !lacked && !mayHaveDefault(property)) report(spot, 'is required.')
    return []
  })
  return Object.fromEntries(entries)
}

/** Undefined where there is no value, and where it cannot be read. */
function readDraft(draft: Draft, property: PropertyDescription, spot: Spot, report: Report): unknown {
  switch (draft.kind) {
    case 'list':
      return readList(draft, (item, number) =>
        readDraft(item.draft, property, spotOfItem(spot, item.key, number), report),
      )
    case 'languages':
      return readLanguages(draft, spot, report)
    case 'embedded':
      return readEmbedded(draft, spot, report)
    default: {
      const reading = readTyped(draft, property)
      if ('value' in reading) return reading.value
      report(spot, reading.message)
      return undefined
    }
  }
}

/** The items of a list that are sent: the n-th value for the server is the n-th of these. */
export const sentItems = (list: ListDraft, property: PropertyDescription): readonly ListItem[] =>
  list.items.filter(({ draft }) => readDraft(draft, property, WHOLE, () => {}) !== undefined)

function readList(draft: ListDraft, read: (item: ListItem, number: number) => unknown): unknown {
  const values = draft.items
    .map((item, index) => read(item, index + 1))
    .filter((value) => value !== undefined)
  const [only] = values
  if (isSame(values, draft.given) || (values.length === 1 && isSame(only, draft.given))) return draft.given
  return values.length > 0 ? values : undefined
}

/** RFC 5646 §2.2.1: the longer ones that its grammar allows are reserved, and none is registered. */
const isLanguage = (tag: string): boolean => /^(?:[a-z]{2,3}|[ix](?=-))(?:-[a-z\d]{1,8})*$/i.test(tag)

/** What is wrong with the language of one more text; one that the API has itself is right. */
function languageMessage(tag: string, texts: ReadonlyMap<string, string>, given: unknown): string {
  if (tag === '') return 'needs a language for each text, such as en or de-CH.'
  if (texts.has(tag)) return `has two texts for "${tag}".`
  if (isLanguage(tag) || (isObject(given) && Object.hasOwn(given, tag))) return ''
  return `cannot have a text for "${tag}": that is not a language tag; for example en or de-CH.`
}

function readLanguages({ rows, given }: LanguagesDraft, { place, label }: Spot, report: Report): unknown {
  const texts = new Map<string, string>()
  for (const row of rows) {
    if (row.text === '' && row.given !== '') continue
    const language = row.tag.trim()
    const spot = { place: placeIn(place, row.key), label }
    const message = languageMessage(language, texts, given)
    if (message) report(spot, message)
    texts.set(language, withLineEnds(row.text, row.given ?? ''))
  }
  const value = Object.fromEntries(texts)
  if (isSame(value, given)) return given
  return texts.size > 0 ? value : undefined
}

/** What the form does not show, stays. */
function readEmbedded({ present, properties, given }: EmbeddedDraft, spot: Spot, report: Report): unknown {
  if (!present) return undefined
  const names = new Set(properties.map(({ property }) => property.name))
  const former = isObject(given) ? given : undefined
  const others = Object.entries(former ?? {}).filter(([name]) => !names.has(name))
  const value = { ...Object.fromEntries(others), ...readProperties(properties, former, spot, report) }
  return isSame(value, given) ? given : value
}
