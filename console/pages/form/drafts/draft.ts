import type { ClassDescription, Documentation, PropertyDescription } from '../../../../src/client/index.ts'
import {
  embeddedClass,
  isObject,
  type Kind,
  type TextKind,
  typedKindOf,
  type Values,
  valueIn,
} from '../../../shared/values.ts'
import { unwrapped } from './checks.ts'

/** What is typed for a property. `given` is the value that was read: unchanged, it is sent back word for word. */
export type Draft = TextDraft | LanguagesDraft | EmbeddedDraft | ListDraft

export interface TextDraft {
  readonly kind: TextKind
  readonly text: string
  readonly given?: unknown
}

export interface LanguagesDraft {
  readonly kind: 'languages'
  readonly rows: readonly LanguageRow[]
  readonly given?: unknown
}

export interface LanguageRow {
  readonly key: number
  readonly tag: string
  readonly text: string
  readonly given?: string
}

export interface EmbeddedDraft {
  readonly kind: 'embedded'
  readonly cls: ClassDescription
  /** A removed value that is added again has what was typed before. */
  readonly present: boolean
  readonly properties: readonly PropertyDraft[]
  readonly given?: unknown
}

export interface ListDraft {
  readonly kind: 'list'
  readonly items: readonly ListItem[]
  readonly given?: unknown
}

export interface ListItem {
  readonly key: number
  readonly draft: Draft
}

export interface PropertyDraft {
  readonly property: PropertyDescription
  readonly draft: Draft
}

/** How deep required values are opened. In other APIs a class may require several values of its own class. */
const DEEPEST = 2

/** The drafts of a form. Without `data` it is for a new member, with the defaults of the documentation. */
export function draftsOf(
  cls: ClassDescription,
  data: Values | undefined,
  documentation: Documentation,
  depth = 0,
): readonly PropertyDraft[] {
  return eachOnce(cls)
    .filter(({ writable }) => writable)
    .map((property) => ({
      property,
      draft: data
        ? draftOf(property, valueIn(data, property.name), documentation, depth)
        : newDraft(property, documentation, depth),
    }))
}

export function draftOf(
  property: PropertyDescription,
  value: unknown,
  documentation: Documentation,
  depth = 0,
): Draft {
  if (isByLanguage(property, documentation)) return languagesDraft(value)
  if (property.many || Array.isArray(value)) {
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
    const items = values.map((one, key) => ({ key, draft: valueDraft(property, one, documentation, depth) }))
    return { kind: 'list', items, given: value }
  }
  return valueDraft(property, value, documentation, depth)
}

function newDraft(property: PropertyDescription, documentation: Documentation, depth: number): Draft {
  const draft = draftOf(property, unwrapped(property.constraints.default), documentation, depth)
  if (draft.kind === 'list' && property.required && draft.items.length === 0 && depth < DEEPEST) {
    return added(draft, newItem(property, documentation, depth))
  }
  if (draft.kind === 'languages' && property.required) return withRow(draft)
  // A default was not read from a member, so it is sent.
  return { ...draft, given: undefined }
}

function valueDraft(
  property: PropertyDescription,
  value: unknown,
  documentation: Documentation,
  depth: number,
): TextDraft | EmbeddedDraft {
  const kind = kindFor(property, value, documentation)
  const cls = embeddedClass(property, documentation)
  if (kind === 'embedded' && cls) {
    const present = value !== undefined || (property.required && !property.many && depth < DEEPEST)
    const draft: EmbeddedDraft = { kind, cls, present: false, properties: [], given: value }
    return present ? shown(draft, documentation, depth) : draft
  }
  const typed: TextKind = kind === 'embedded' || kind === 'languages' ? 'json' : kind
  return { kind: typed, text: value === undefined ? '' : textOf(typed, value), given: value }
}

/** The kind of the property, or the next best one that holds the whole value. */
function kindFor(property: PropertyDescription, value: unknown, documentation: Documentation): Kind {
  const kind = typedKindOf(property, documentation)
  if (value === undefined || fits(kind, value)) return kind
  return embeddedClass(property, documentation) && fits('embedded', value) ? 'embedded' : 'json'
}

const isByLanguage = (property: PropertyDescription, documentation: Documentation): boolean =>
  typedKindOf(property, documentation) === 'languages'

function languagesDraft(value: unknown): Draft {
  if (value !== undefined && !fits('languages', value)) {
    return { kind: 'json', text: textOf('json', value), given: value }
  }
  const texts = Object.entries((value ?? {}) as Readonly<Record<string, string>>)
  return {
    kind: 'languages',
    rows: texts.map(([tag, text], key) => ({ key, tag, text, given: text })),
    given: value,
  }
}

export function textOf(kind: TextKind, value: unknown): string {
  if (kind === 'json') return jsonText(value)
  if (kind === 'link' && isObject(value)) return String(value['@id'])
  return String(value)
}

/** Text is written without quotes, unless it could be read as JSON. */
function jsonText(value: unknown): string {
  return typeof value === 'string' && parsed(value) === undefined ? value : JSON.stringify(value, null, 2)
}

export function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

export function shown(draft: EmbeddedDraft, documentation: Documentation, depth = 0): EmbeddedDraft {
  const { cls, given, properties } = draft
  if (properties.length > 0) return { ...draft, present: true }
  const values = isObject(given) ? given : undefined
  return { ...draft, present: true, properties: draftsOf(cls, values, documentation, depth + 1) }
}

export function newItem(property: PropertyDescription, documentation: Documentation, depth = 0): Draft {
  const draft = valueDraft(property, undefined, documentation, depth)
  return draft.kind === 'embedded' ? shown(draft, documentation, depth) : draft
}

export const added = (list: ListDraft, draft: Draft): ListDraft => ({
  ...list,
  items: [...list.items, { key: nextKey(list.items), draft }],
})

export const withRow = (draft: LanguagesDraft, tag = ''): LanguagesDraft => ({
  ...draft,
  rows: [...draft.rows, { key: nextKey(draft.rows), tag, text: '' }],
})

const nextKey = (items: readonly { readonly key: number }[]): number =>
  1 + Math.max(-1, ...items.map(({ key }) => key))

/** The draft of a field, however deep. A change makes another object of it. */
export function findAt(drafts: readonly PropertyDraft[], id: string): Draft | LanguageRow | undefined {
  const [first = -1, ...deeper] = id.split('-').slice(1).map(Number)
  return deeper.reduce<Draft | LanguageRow | undefined>(
    (found, key) => (found && 'kind' in found ? within(found, key) : undefined),
    drafts[first]?.draft,
  )
}

function within(draft: Draft, key: number): Draft | LanguageRow | undefined {
  switch (draft.kind) {
    case 'list':
      return draft.items.find((item) => item.key === key)?.draft
    case 'languages':
      return draft.rows.find((row) => row.key === key)
    case 'embedded':
      return draft.properties[key]?.draft
    default:
      return undefined
  }
}

/** In other APIs two properties may have one name, and so one value: the writable one is shown. */
export const eachOnce = ({ properties }: ClassDescription): readonly PropertyDescription[] =>
  properties.filter((property) => {
    const same = properties.filter(({ name }) => name === property.name)
    return property === (same.find(({ writable }) => writable) ?? same[0])
  })

function fits(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'json':
      return true
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
    case 'decimal':
    case 'double':
      return typeof value === 'number' || typeof value === 'string'
    case 'link':
      return typeof value === 'string' || (isObject(value) && typeof value['@id'] === 'string')
    case 'languages':
      return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
    case 'embedded':
      return isObject(value) && !('@value' in value)
    default:
      return typeof value === 'string'
  }
}
