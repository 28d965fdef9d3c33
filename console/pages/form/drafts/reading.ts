import type { PropertyDescription } from 'hydrant-client'
import { labelOf, singular } from '../../../shared/names.ts'
import { isObject, isSame, type ValuesByName, valueIn } from '../../../shared/values.ts'
import {
  type Draft,
  type EmbeddedDraft,
  isBlank,
  type LanguageRow,
  type LanguagesDraft,
  type ListDraft,
  type PropertyDraft,
} from './draft.ts'
import { mayHaveDefault, readTyped, withLineEnds } from './typed-text.ts'

/** A problem, and the id of its field, if it concerns one. */
export interface FormProblem {
  readonly id: string | undefined
  readonly sentence: string
  /** Whether the form can check it again; otherwise it stays until the value changes. */
  readonly checked?: boolean
}

interface Field {
  readonly id: string
  readonly label: string
  /** Where the server finds its value: `home/street`, `genres/1`. */
  readonly path: string
  readonly property: PropertyDescription
}

/** Every change creates a new `draft`. */
export type FieldReading = Field & { readonly draft: Draft | LanguageRow }

/** The prefix of the ids of a form, unless it is in a dialog. */
export const ROOT = 'field'

/** Ids have numbers, since in other APIs the name of a property can be any text. */
export const fieldId = (outer: string, key: number): string => `${outer}-${key}`

/** One of several values: "Line 2". */
export const itemLabel = (label: string, number: number): string => `${singular(label)} ${number}`

/** `rest`: continues a sentence that begins with the label. */
export const sentenceAbout = (label: string, rest: string): string => `${label} ${rest}`

/** Collected while a form is read. `fields`: every field that a violation may be about, nested ones included. */
interface FieldFindings {
  readonly violations: FormProblem[]
  readonly fields: FieldReading[]
}

export type FormReading = FieldFindings & { readonly values: ValuesByName }

/** `former`: the values of an existing member. A value that it lacks is not required, unless the server says so. */
export function readForm(drafts: readonly PropertyDraft[], former?: ValuesByName, root = ROOT): FormReading {
  const found: FieldFindings = { violations: [], fields: [] }
  return { values: readProperties(drafts, former, { id: root, label: '', path: '' }, found), ...found }
}

function report({ violations }: FieldFindings, { id, label }: Field, rest: string): void {
  violations.push({ id, sentence: sentenceAbout(label, rest), checked: true })
}

function readProperties(
  drafts: readonly PropertyDraft[],
  former: ValuesByName | undefined,
  outer: Omit<Field, 'property'>,
  found: FieldFindings,
): ValuesByName {
  const entries = drafts.flatMap(({ property, draft }, index) => {
    const path = outer.path ? `${outer.path}/${property.name}` : property.name
    // Within an embedded value both are named: "Home: Street".
    const label = outer.label ? `${outer.label}: ${labelOf(property)}` : labelOf(property)
    const field = { id: fieldId(outer.id, index), label, path, property }
    const before = found.violations.length
    const value = readDraft(draft, field, found)
    if (value !== undefined) return [[property.name, value] as const]
    const lacked = former !== undefined && valueIn(former, property.name) === undefined
    const isWrong = found.violations.length > before
    if (!isWrong && property.required && !lacked && !mayHaveDefault(property))
      report(found, field, 'is required.')
    return []
  })
  return Object.fromEntries(entries)
}

function readDraft(draft: Draft, field: Field, found: FieldFindings): unknown {
  found.fields.push({ ...field, draft })
  switch (draft.kind) {
    case 'list':
      return readList(draft, field, found)
    case 'languages':
      return readLanguages(draft, field, found)
    case 'embedded':
      return readEmbedded(draft, field, found)
    default: {
      const reading = readTyped(draft, field.property)
      if ('value' in reading) return reading.value
      report(found, field, reading.problem)
      return undefined
    }
  }
}

function readList({ items, given }: ListDraft, field: Field, found: FieldFindings): unknown {
  const values: unknown[] = []
  const isNothing = items.every(({ draft }) => isBlank(draft))
  for (const [index, { key, draft }] of items.entries()) {
    // A row that nobody has filled in is no value; what a required list needs is said about its first row.
    const isKept = isNothing && index === 0 && field.property.required
    if (draft.kind === 'embedded' && isBlank(draft) && !isKept) continue
    // The server counts only the values that are sent.
    const path = `${field.path}/${values.length}`
    const item = { ...field, id: fieldId(field.id, key), label: itemLabel(field.label, index + 1), path }
    const before = found.fields.length
    const value = readDraft(draft, item, found)
    // It is not sent, so the server cannot mean it.
    if (value === undefined) found.fields.length = before
    else values.push(value)
  }
  const [only] = values
  if (isSame(values, given) || (values.length === 1 && isSame(only, given))) return given
  return values.length > 0 ? values : undefined
}

/** RFC 5646 §2.2.1: longer primary subtags are reserved, and none is registered. */
const isLanguage = (tag: string): boolean => /^(?:[a-z]{2,3}|[ix](?=-))(?:-[a-z\d]{1,8})*$/i.test(tag)

/** The problem with a language tag; empty if there is none. */
function languageProblem(tag: string): string {
  if (isLanguage(tag)) return ''
  if (tag === '') return 'needs a language for each text, such as en or de-CH.'
  return `cannot have a text for "${tag}", which is not a language tag such as en or de-CH.`
}

function readLanguages({ rows, given }: LanguagesDraft, field: Field, found: FieldFindings): unknown {
  const texts = new Map<string, string>()
  /** Any tag that the API itself has sent is accepted, even one of spaces. */
  const isGiven = (tag: string) => isObject(given) && Object.hasOwn(given, tag)
  for (const row of rows) {
    const language = isGiven(row.tag) ? row.tag : row.tag.trim()
    const inner = { ...field, id: fieldId(field.id, row.key), path: `${field.path}/${language}` }
    if (row.text === '' && row.given !== '') continue
    found.fields.push({ ...inner, draft: row })
    const problem = isGiven(language) ? '' : languageProblem(language)
    if (problem) report(found, inner, problem)
    else if (texts.has(language)) report(found, inner, `has two texts for "${language}".`)
    texts.set(language, withLineEnds(row.text, row.given ?? ''))
  }
  const value = Object.fromEntries(texts)
  if (isSame(value, given)) return given
  return texts.size > 0 ? value : undefined
}

/** Keeps properties that the form does not show. */
function readEmbedded(
  { present, properties, given }: EmbeddedDraft,
  field: Field,
  found: FieldFindings,
): unknown {
  if (!present) return undefined
  const names = new Set(properties.map(({ property }) => property.name))
  const former = isObject(given) ? given : undefined
  const others = Object.entries(former ?? {}).filter(([name]) => !names.has(name))
  const value = { ...Object.fromEntries(others), ...readProperties(properties, former, field, found) }
  return isSame(value, given) ? given : value
}
