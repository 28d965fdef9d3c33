import type { ClassDescription, Documentation, PropertyDescription } from 'hydrant-client'
import { attempt } from '../../../shared/attempt.ts'
import {
  embeddedClass,
  isObject,
  type Kind,
  type TextKind,
  typedKindOf,
  type ValuesByName,
  valueIn,
} from '../../../shared/values.ts'

/** What was typed for a property. `given` is the value that was read: if unchanged, it is sent back exactly. */
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
  /** False if the value was removed. If it is added again, what was typed is still there. */
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

/** How deep required values are shown. In other APIs a class may require values of its own class. */
const DEEPEST = 2

/** The drafts of a form. Without `data` it is for a new member, and has the documented defaults. */
export function draftsOf(
  cls: ClassDescription,
  data: ValuesByName | undefined,
  documentation: Documentation,
  depth = 0,
): readonly PropertyDraft[] {
  const writable = eachOnce(cls).filter((property) => property.writable)
  return writable.map((property) => ({
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
  const isByLanguage = typedKindOf(property, documentation) === 'languages'
  if (isByLanguage && (value === undefined || fits('languages', value))) {
    const texts = Object.entries((value ?? {}) as Readonly<Record<string, string>>)
    const rows = texts.map(([tag, text], key) => ({ key, tag, text, given: text }))
    return { kind: 'languages', rows, given: value }
  }
  if (!isByLanguage && (property.many || Array.isArray(value))) {
    const values = value === undefined ? [] : [value].flat()
    const items = values.map((one, key) => ({ key, draft: valueDraft(property, one, documentation, depth) }))
    return { kind: 'list', items, given: value }
  }
  return valueDraft(property, value, documentation, depth)
}

function newDraft(property: PropertyDescription, documentation: Documentation, depth: number): Draft {
  const draft = draftOf(property, unwrapped(property.constraints.default), documentation, depth)
  if (draft.kind === 'list' && property.required && draft.items.length === 0 && depth < DEEPEST) {
    return { ...draft, items: added(draft.items, { draft: newItem(property, documentation, depth) }) }
  }
  if (draft.kind === 'languages' && property.required)
    return { ...draft, rows: added(draft.rows, { tag: '', text: '' }) }
  // A default was not read from a member, so it is sent.
  return { ...draft, given: undefined }
}

function valueDraft(
  property: PropertyDescription,
  value: unknown,
  documentation: Documentation,
  depth: number,
): TextDraft | EmbeddedDraft {
  const cls = embeddedClass(property, documentation)
  const described = typedKindOf(property, documentation)
  // The kind of the property, or the next best one that holds the whole value.
  const kinds = [described, ...(cls ? ['embedded' as const] : [])]
  const kind = value === undefined ? described : (kinds.find((one) => fits(one, value)) ?? 'json')
  if (kind === 'embedded' && cls) {
    const present = value !== undefined || (property.required && !property.many && depth < DEEPEST)
    const draft: EmbeddedDraft = { kind, cls, present: false, properties: [], given: value }
    return present ? shown(draft, documentation, depth) : draft
  }
  const typed: TextKind = kind === 'embedded' || kind === 'languages' ? 'json' : kind
  return { kind: typed, text: value === undefined ? '' : textOf(typed, value), given: value }
}

/** A value in a shape may have a type (JSON-LD 1.1 §9.5). */
export const unwrapped = (value: unknown): unknown =>
  isObject(value) && '@value' in value ? value['@value'] : value

export function textOf(kind: TextKind, value: unknown): string {
  if (kind === 'link' && isObject(value)) return String(value['@id'])
  // A text is shown without quotes, unless it could be taken for JSON.
  const isText = kind !== 'json' || (typeof value === 'string' && parsed(value) === undefined)
  return isText ? String(value) : JSON.stringify(value, null, 2)
}

export const parsed = (text: string): { readonly value: unknown } | undefined =>
  attempt(() => ({ value: JSON.parse(text) }))

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

/** Whether nothing was typed into a new value, beyond its defaults. */
export function isBlank(draft: Draft): boolean {
  if (draft.given !== undefined) return false
  if (draft.kind === 'embedded')
    return draft.properties.every(
      ({ property, draft: inner }) =>
        isBlank(inner) || ('text' in inner && inner.text === defaultText(property, inner.kind)),
    )
  if (draft.kind === 'list') return draft.items.every((item) => isBlank(item.draft))
  return draft.kind === 'languages' ? draft.rows.every(({ text }) => text === '') : draft.text === ''
}

function defaultText({ constraints }: PropertyDescription, kind: TextKind): string | undefined {
  const value = unwrapped(constraints.default)
  return value === undefined ? undefined : textOf(kind, value)
}

/** The links that a new member begins with: the names of properties, and addresses. */
export type NewLinks = readonly (readonly [name: string, iri: string])[]

/** Fills in links. Names that are no links of the class, and what is no address, are ignored. */
export const withLinks = (drafts: readonly PropertyDraft[], links: NewLinks): readonly PropertyDraft[] =>
  drafts.map(({ property, draft }) => {
    const iris = links.flatMap(([name, iri]) => (name === property.name && URL.canParse(iri) ? iri : []))
    const [first] = iris
    if (!property.isLink || first === undefined) return { property, draft }
    if (draft.kind === 'link') return { property, draft: { ...draft, text: first } }
    const items = iris.map((text, key): ListItem => ({ key, draft: { kind: 'link', text } }))
    return { property, draft: draft.kind === 'list' ? { ...draft, items } : draft }
  })

/** Drafts for a new member, without the read-only properties of embedded values. */
export const asNew = (drafts: readonly PropertyDraft[]): readonly PropertyDraft[] =>
  drafts.map((one) => ({ ...one, draft: withoutFixed(one.draft) }))

function withoutFixed(draft: Draft): Draft {
  if (draft.kind === 'embedded') return { ...draft, properties: asNew(draft.properties), given: undefined }
  if (draft.kind !== 'list') return draft
  const items = draft.items.map((item) => ({ ...item, draft: withoutFixed(item.draft) }))
  return { ...draft, items, given: undefined }
}

export const added = <T extends { readonly key: number }>(
  items: readonly T[],
  item: Omit<T, 'key'>,
): readonly T[] => [...items, { ...item, key: 1 + Math.max(-1, ...items.map(({ key }) => key)) } as T]

/** In other APIs two properties may have the same name, and so the same value: the writable one is shown. */
export const eachOnce = ({ properties }: ClassDescription): readonly PropertyDescription[] =>
  properties.filter((property) => {
    const same = properties.filter(({ name }) => name === property.name)
    return property === (same.find(({ writable }) => writable) ?? same[0])
  })

const isNumeric = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string'

/** Whether a draft of a kind can hold the whole value. The other kinds hold text. */
const FITS: Partial<Record<Kind, (value: unknown) => boolean>> = {
  json: () => true,
  boolean: (value) => typeof value === 'boolean',
  ...{ integer: isNumeric, decimal: isNumeric, double: isNumeric },
  link: (value) => typeof (isObject(value) ? value['@id'] : value) === 'string',
  languages: (value) => isObject(value) && Object.values(value).every((text) => typeof text === 'string'),
  embedded: (value) => isObject(value) && !('@value' in value),
}

const fits = (kind: Kind, value: unknown): boolean => FITS[kind]?.(value) ?? typeof value === 'string'
