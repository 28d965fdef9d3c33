import type { PropertyDescription } from 'hydrant-client'
import { labelOf, singular } from '../../../shared/names.ts'
import { isObject, type Values, valueIn } from '../../../shared/values.ts'
import { isSame } from './changes.ts'
import type { Draft, EmbeddedDraft, LanguageRow, LanguagesDraft, ListDraft, PropertyDraft } from './draft.ts'
import { mayHaveDefault, readTyped, withLineEnds } from './typed-text.ts'

/** Something that is wrong, and the id of its field; undefined for what concerns no field. */
export interface Problem {
  readonly id: string | undefined
  readonly sentence: string
  /** The form itself can tell whether it is still wrong; otherwise it is until the value changes. */
  readonly checked?: boolean
}

interface Field {
  readonly id: string
  readonly label: string
  /** Where the server finds its value: `home/street`, `genres/1`. */
  readonly path: string
  readonly property: PropertyDescription
}

/** A change makes another object of `draft`. */
export type FieldReading = Field & { readonly draft: Draft | LanguageRow }

/** The beginning of the ids of a form that is alone on its page. */
export const ROOT = 'field'

/** Ids by number: the names of properties may, in other APIs, be anything. */
export const fieldId = (outer: string, key: number): string => `${outer}-${key}`

/** One of several values: "Line 2". */
export const itemLabel = (label: string, number: number): string => `${singular(label)} ${number}`

/** Hydrant sends the rest of a sentence; other APIs send whole ones. */
export const sentenceAbout = (label: string, message: string): string =>
  /^\p{Ll}/u.test(message) ? `${label} ${message}` : message

/** What is found on the way through a form: `fields` are all that the server can mean, the inner ones too. */
interface Found {
  readonly violations: Problem[]
  readonly fields: FieldReading[]
}

export type FormReading = Found & { readonly values: Values }

/** `former`: of a member that exists. What it lacks already is not required, unless the server says so. */
export function readForm(drafts: readonly PropertyDraft[], former?: Values, root = ROOT): FormReading {
  const found: Found = { violations: [], fields: [] }
  return { values: readProperties(drafts, former, { id: root, label: '', path: '' }, found), ...found }
}

function report({ violations }: Found, { id, label }: Field, message: string): void {
  violations.push({ id, sentence: sentenceAbout(label, message), checked: true })
}

function readProperties(
  drafts: readonly PropertyDraft[],
  former: Values | undefined,
  outer: Omit<Field, 'property'>,
  found: Found,
): Values {
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

function readDraft(draft: Draft, field: Field, found: Found): unknown {
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
      report(found, field, reading.message)
      return undefined
    }
  }
}

function readList({ items, given }: ListDraft, field: Field, found: Found): unknown {
  const values: unknown[] = []
  for (const [index, { key, draft }] of items.entries()) {
    // Only what is sent counts for the server.
    const path = `${field.path}/${values.length}`
    const item = { ...field, id: fieldId(field.id, key), label: itemLabel(field.label, index + 1), path }
    const before = found.fields.length
    const value = readDraft(draft, item, found)
    // The server does not know it.
    if (value === undefined) found.fields.length = before
    else values.push(value)
  }
  const [only] = values
  if (isSame(values, given) || (values.length === 1 && isSame(only, given))) return given
  return values.length > 0 ? values : undefined
}

/** RFC 5646 §2.2.1: the longer ones that its grammar allows are reserved, and none is registered. */
const isLanguage = (tag: string): boolean => /^(?:[a-z]{2,3}|[ix](?=-))(?:-[a-z\d]{1,8})*$/i.test(tag)

/** What is wrong with a language tag. */
function languageMessage(tag: string): string {
  if (isLanguage(tag)) return ''
  if (tag === '') return 'needs a language for each text, such as en or de-CH.'
  return `cannot have a text for "${tag}": that is not a language tag; for example en or de-CH.`
}

function readLanguages({ rows, given }: LanguagesDraft, field: Field, found: Found): unknown {
  const texts = new Map<string, string>()
  /** Whatever tag the API itself has sent is right, one of spaces, too. */
  const isGiven = (tag: string) => isObject(given) && Object.hasOwn(given, tag)
  for (const row of rows) {
    const language = isGiven(row.tag) ? row.tag : row.tag.trim()
    const inner = { ...field, id: fieldId(field.id, row.key), path: `${field.path}/${language}` }
    if (row.text === '' && row.given !== '') continue
    found.fields.push({ ...inner, draft: row })
    const message = isGiven(language) ? '' : languageMessage(language)
    if (message) report(found, inner, message)
    else if (texts.has(language)) report(found, inner, `has two texts for "${language}".`)
    texts.set(language, withLineEnds(row.text, row.given ?? ''))
  }
  const value = Object.fromEntries(texts)
  if (isSame(value, given)) return given
  return texts.size > 0 ? value : undefined
}

/** Properties that the form does not show stay. */
function readEmbedded({ present, properties, given }: EmbeddedDraft, field: Field, found: Found): unknown {
  if (!present) return undefined
  const names = new Set(properties.map(({ property }) => property.name))
  const former = isObject(given) ? given : undefined
  const others = Object.entries(former ?? {}).filter(([name]) => !names.has(name))
  const value = { ...Object.fromEntries(others), ...readProperties(properties, former, field, found) }
  return isSame(value, given) ? given : value
}
