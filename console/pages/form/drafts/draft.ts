import type { ClassDescription, Documentation, PropertyDescription } from '../../../../src/client/index.ts'
import { unwrapped } from './checks.ts'
import {
  eachOnce,
  embeddedClass,
  fits,
  isObject,
  type Kind,
  kindOf,
  type TextKind,
  valueIn,
} from './kinds.ts'

/** What somebody is typing for a property. `given` is the value as it was read: unchanged, it goes back word for word. */
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
  /** What is taken away and put back again has what was typed before. */
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

/**
 * How deep what is required is opened without being asked for. A class may, in other APIs, require several values of its
 * own class: with four of them each level has four times as many.
 */
const DEEPEST = 2

/** A form for a class. Without values it is one for something new, and has the defaults that the API tells. */
export function draftsOf(
  cls: ClassDescription,
  data: Readonly<Record<string, unknown>> | undefined,
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

/** `undefined`: there is no value yet. */
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
  // It was not read from anywhere: it is sent.
  return { ...draft, given: undefined }
}

/** One value, also of several. */
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

/** The next best kind that holds the value whole. */
function kindFor(property: PropertyDescription, value: unknown, documentation: Documentation): Kind {
  const kind = kindOf(property, documentation)
  if (value === undefined || fits(kind, value)) return kind
  return embeddedClass(property, documentation) && fits('embedded', value) ? 'embedded' : 'json'
}

const isByLanguage = (property: PropertyDescription, documentation: Documentation): boolean =>
  kindOf(property, documentation) === 'languages'

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

/** As it is typed. */
export function textOf(kind: TextKind, value: unknown): string {
  if (kind === 'json') return jsonText(value)
  if (kind === 'link' && isObject(value)) return String(value['@id'])
  return String(value)
}

/** Text stands for itself, unless it could be taken for JSON. */
function jsonText(value: unknown): string {
  return typeof value === 'string' && parsed(value) === undefined ? value : JSON.stringify(value, null, 2)
}

/** What a text says as JSON; undefined where it is no JSON. */
export function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** An embedded value that is filled in, as it was or anew. */
export function shown(draft: EmbeddedDraft, documentation: Documentation, depth = 0): EmbeddedDraft {
  const { cls, given, properties } = draft
  if (properties.length > 0) return { ...draft, present: true }
  const values = isObject(given) ? given : undefined
  return { ...draft, present: true, properties: draftsOf(cls, values, documentation, depth + 1) }
}

/** An empty place for one more value. */
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

/** What is typed at a place, as deep as the form goes: each change makes another one of it. */
export function findAt(drafts: readonly PropertyDraft[], place: string): Draft | LanguageRow | undefined {
  const [first = -1, ...deeper] = place.split('-').slice(1).map(Number)
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
