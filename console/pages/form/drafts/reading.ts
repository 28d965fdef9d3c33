import type { PropertyDescription } from '../../../../src/client/index.ts'
import { isObject, type Values, valueIn } from '../../../shared/values.ts'
import { isSame } from './changes.ts'
import type { Draft, EmbeddedDraft, LanguagesDraft, ListDraft, ListItem, PropertyDraft } from './draft.ts'
import { type Field, fieldId, fieldOf, fieldOfItem, type Problem, ROOT, sentenceAbout } from './field-ids.ts'
import { mayHaveDefault, readTyped, withLineEnds } from './typed-text.ts'

interface FormReading {
  readonly values: Values
  readonly violations: readonly Problem[]
}

type Report = (field: Field, message: string) => void

/** `former`: of a member that exists. What it lacks already is not required, unless the server says so. */
export function readForm(drafts: readonly PropertyDraft[], former?: Values, root = ROOT): FormReading {
  const violations: Problem[] = []
  const report: Report = ({ id, label }, message) =>
    violations.push({ id, sentence: sentenceAbout(label, message), checked: true })
  return { values: readProperties(drafts, former, { id: root, label: '' }, report), violations }
}

function readProperties(
  drafts: readonly PropertyDraft[],
  former: Values | undefined,
  outer: Field,
  report: Report,
): Values {
  const entries = drafts.flatMap(({ property, draft }, index) => {
    const field = fieldOf(outer, property, index)
    let wrong = false
    const value = readDraft(draft, property, field, (...found) => {
      wrong = true
      report(...found)
    })
    if (value !== undefined) return [[property.name, value] as const]
    const lacked = former !== undefined && valueIn(former, property.name) === undefined
    if (!wrong && property.required && !lacked && !mayHaveDefault(property)) report(field, 'is required.')
    return []
  })
  return Object.fromEntries(entries)
}

function readDraft(draft: Draft, property: PropertyDescription, field: Field, report: Report): unknown {
  switch (draft.kind) {
    case 'list':
      return readList(draft, (item, number) =>
        readDraft(item.draft, property, fieldOfItem(field, item.key, number), report),
      )
    case 'languages':
      return readLanguages(draft, field, report)
    case 'embedded':
      return readEmbedded(draft, field, report)
    default: {
      const reading = readTyped(draft, property)
      if ('value' in reading) return reading.value
      report(field, reading.message)
      return undefined
    }
  }
}

/** The items that are sent: for the server, the n-th value is the n-th of these. */
export const sentItems = (list: ListDraft, property: PropertyDescription): readonly ListItem[] =>
  list.items.filter(({ draft }) => readDraft(draft, property, { id: '', label: '' }, () => {}) !== undefined)

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

/** What is wrong with a language tag. One that the API itself has sent is right. */
function languageMessage(tag: string, texts: ReadonlyMap<string, string>, given: unknown): string {
  if (tag === '') return 'needs a language for each text, such as en or de-CH.'
  if (texts.has(tag)) return `has two texts for "${tag}".`
  if (isLanguage(tag) || (isObject(given) && Object.hasOwn(given, tag))) return ''
  return `cannot have a text for "${tag}": that is not a language tag; for example en or de-CH.`
}

function readLanguages({ rows, given }: LanguagesDraft, { id, label }: Field, report: Report): unknown {
  const texts = new Map<string, string>()
  for (const row of rows) {
    if (row.text === '' && row.given !== '') continue
    const language = row.tag.trim()
    const field = { id: fieldId(id, row.key), label }
    const message = languageMessage(language, texts, given)
    if (message) report(field, message)
    texts.set(language, withLineEnds(row.text, row.given ?? ''))
  }
  const value = Object.fromEntries(texts)
  if (isSame(value, given)) return given
  return texts.size > 0 ? value : undefined
}

/** Properties that the form does not show stay. */
function readEmbedded({ present, properties, given }: EmbeddedDraft, field: Field, report: Report): unknown {
  if (!present) return undefined
  const names = new Set(properties.map(({ property }) => property.name))
  const former = isObject(given) ? given : undefined
  const others = Object.entries(former ?? {}).filter(([name]) => !names.has(name))
  const value = { ...Object.fromEntries(others), ...readProperties(properties, former, field, report) }
  return isSame(value, given) ? given : value
}
