import { type JsonObject, readJson } from '../json.ts'
import {
  type Class,
  hasCollection,
  keysOf,
  listAt,
  memberType,
  type Property,
  pathTo,
  type Range,
  type RemovalRule,
} from '../vocabulary/index.ts'
import type { Link, MemberContent, MemberName, StoredMember, TextRanges } from './member.ts'

/** A member's values by property, canonical: links are paths such as `/authors/7`, embedded values are values again. */
export type MemberValues = Readonly<Record<string, unknown>>

type OffsetText = Pick<StoredMember, 'body' | 'baseUrlOffsets'>

interface TextBuilder {
  body: string
  readonly baseUrlOffsets: number[]
}

/** The stored content of a member. `hidden`: the values that the API file does not show. */
export function writeMember(cls: Class, values: MemberValues, hidden: string): MemberContent {
  const text: TextBuilder = { body: '', baseUrlOffsets: [] }
  writeProperties(text, cls, values)
  const links = linksOf(cls, values)
  return {
    body: text.body,
    baseUrlOffsets: text.baseUrlOffsets.join(','),
    hidden,
    links: hidden === '' ? links : [...links, ...hiddenLinks(hidden)],
    keys: keysOf(cls, values),
  }
}

/** Writes JSON members in the order of the API file, each after a comma. */
function writeProperties(text: TextBuilder, cls: Class, values: MemberValues): void {
  for (const { name, range } of cls.properties) {
    // Own properties only: a property may be called `constructor`.
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]
    // No name of a property has a character that JSON escapes (`PROPERTY_NAME`).
    text.body += `,"${name}":`
    if (!Array.isArray(value)) writeValue(text, range, value)
    else {
      text.body += '['
      for (const [index, one] of value.entries()) {
        if (index > 0) text.body += ','
        writeValue(text, range, one)
      }
      text.body += ']'
    }
  }
}

function writeValue(text: TextBuilder, range: Range, value: unknown): void {
  if (range.kind === 'datatype') text.body += JSON.stringify(value)
  else if (range.kind === 'link') writePath(text, value as string)
  else {
    text.body += '{"@type":'
    // If a property has the same name as the class, the type is an IRI, which may begin with the base URL.
    const type = memberType(range.cls, '')
    if (type.startsWith('/')) writePath(text, type)
    else text.body += JSON.stringify(type)
    writeProperties(text, range.cls, value as MemberValues)
    text.body += '}'
  }
}

function writePath(text: TextBuilder, path: string): void {
  text.baseUrlOffsets.push(text.body.length + 1)
  text.body += `"${path}"`
}

export const readText = (body: string): MemberValues => (body === '' ? {} : JSON.parse(`{${body.slice(1)}}`))

/** How a stored text differs from the text that is served. */
export interface TextChanges {
  /** Replacements for whole addresses, by offset. */
  readonly nodes?: ReadonlyMap<number, string> | undefined
  /** What is left out. */
  readonly cuts?: TextRanges | undefined
}

/** Inserts `filling` at the offsets that were stored with the text, never by searching it. */
export function insertBaseUrl(
  { body, baseUrlOffsets }: OffsetText,
  filling: string,
  { nodes, cuts = NO_CUTS }: TextChanges = {},
): string {
  if (baseUrlOffsets === '' && cuts.length === 0) return body
  let text = ''
  let from = 0
  let next = 0
  for (let place = 0; place < baseUrlOffsets.length && from < body.length; ) {
    let offset = 0
    // The digits up to the next comma; splitting takes longer.
    for (let code = DIGIT_0; code >= DIGIT_0; code = baseUrlOffsets.charCodeAt(place++))
      offset = offset * 10 + code - DIGIT_0
    for (; next < cuts.length && (cuts[next] as number) < offset; next += 2) {
      text += body.slice(from, cuts[next])
      from = cuts[next + 1] as number
    }
    if (offset < from) continue
    const node = nodes?.get(offset)
    text += node === undefined ? body.slice(from, offset) + filling : body.slice(from, offset - 1) + node
    from = node === undefined ? offset : body.indexOf('"', offset) + 1
  }
  for (; next < cuts.length; next += 2) {
    text += body.slice(from, cuts[next])
    from = cuts[next + 1] as number
  }
  return text + body.slice(from)
}

const DIGIT_0 = 0x30
const NO_CUTS: TextRanges = []

/** The stored values as a body of a request has them. Without the links from the other side, which no body needs. */
export const requestBodyOf = (text: OffsetText, base: string): JsonObject =>
  readJson(`{${insertBaseUrl(text, base).slice(1)}}`) as JsonObject

/** A link with its offset in a stored text. */
export interface LinkAt extends Link {
  readonly offset: number
}

/** The first links of a stored text with their offsets: both are in the order of the class. */
export function linksAt(cls: Class, { body, baseUrlOffsets }: OffsetText, most: number): LinkAt[] {
  if (baseUrlOffsets === '') return []
  // The other offsets belong to types.
  const offsets = baseUrlOffsets.split(',').map(Number)
  const ofLinks = offsets.filter((offset) => !body.startsWith('/vocab#', offset))
  return linksOf(cls, readText(body), most).map((link, index) => ({
    ...link,
    offset: ofLinks[index] as number,
  }))
}

/** The text with other ids in these of its links. */
export function withLinkIds(
  { body, baseUrlOffsets }: OffsetText,
  links: readonly LinkAt[],
  idFor: (link: Link) => string,
): OffsetText {
  if (links.length === 0) return { body, baseUrlOffsets }
  const changed = new Map(links.map((link) => [link.offset, link]))
  const text: TextBuilder = { body: '', baseUrlOffsets: [] }
  let from = 0
  for (const offset of baseUrlOffsets.split(',').map(Number)) {
    text.body += body.slice(from, offset)
    text.baseUrlOffsets.push(text.body.length)
    const link = changed.get(offset)
    const end = link === undefined ? offset : body.indexOf('"', offset)
    if (link !== undefined) text.body += body.slice(offset, end - link.id.length) + idFor(link)
    from = end
  }
  return { body: text.body + body.slice(from), baseUrlOffsets: text.baseUrlOffsets.join(',') }
}

/** The address of a member by its id; that of a single resource is the address of its class. */
export const addressOf = (cls: Class, base: string): ((id: string) => string) => {
  const address = base + pathTo(cls.collection ?? cls.name)
  return hasCollection(cls) ? (id) => `${address}/${id}` : () => address
}

export const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The first links of a member. Values that could not be read may be missing from their lists. */
export function linksOf(cls: Class, values: MemberValues, most = Number.POSITIVE_INFINITY): Link[] {
  const links: Link[] = []
  addLinks(cls, values, '', '')
  return links

  /** `within`, `at`: the property and the path of the embedded value, as in `Link`, with a trailing slash. */
  function addLinks(of: Class, some: MemberValues, within: string, at: string): void {
    for (const property of of.properties) {
      const { name, range, many } = property
      if (range.kind === 'datatype') continue
      for (const [index, value] of listOf(some, property).entries()) {
        if (links.length >= most) return
        if (value === undefined || value === null) continue
        const path = `${at}${name}${many ? `/${index}` : ''}`
        if (range.kind === 'embedded')
          addLinks(range.cls, value as MemberValues, `${within}${name}/`, `${path}/`)
        else
          links.push({
            property: within + name,
            path,
            className: range.className,
            id: idOf(value as string),
          })
      }
    }
  }
}

/**
 * The values without links to removed members, if the links say `unset`, or another rule that `goes`. A property that
 * has no other value goes, and an embedded value stays.
 */
export function withoutLinks(
  cls: Class,
  values: MemberValues,
  isGone: (target: MemberName) => boolean,
  goes: (rule: RemovalRule) => boolean = (rule) => rule === 'unset',
): MemberValues {
  const without = ({ range, onDelete }: Property, value: unknown): unknown => {
    if (range.kind === 'embedded') return withoutLinks(range.cls, value as MemberValues, isGone, goes)
    if (range.kind !== 'link' || !goes(onDelete)) return value
    return isGone({ className: range.className, id: idOf(value as string) }) ? undefined : value
  }
  const kept = cls.properties.flatMap((property): [string, unknown][] => {
    const { name } = property
    if (!Object.hasOwn(values, name)) return []
    const value = values[name]
    if (!Array.isArray(value)) {
      const left = without(property, value)
      return left === undefined ? [] : [[name, left]]
    }
    const left = value.map((one) => without(property, one)).filter((one) => one !== undefined)
    return left.length === 0 ? [] : [[name, left]]
  })
  return Object.fromEntries(kept)
}

export const listOf = (values: MemberValues, { name }: Property): readonly unknown[] => listAt(values, name)

export const isObject = (value: unknown): value is MemberValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const ownOf = (values: MemberValues, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** A link among the hidden values, which is still a link. */
export interface HiddenLink {
  readonly '@id': string
  /** Its class, which may no longer be in the API file; undefined if it is unknown. */
  readonly '@type'?: string
}

export const isHiddenLink = (value: unknown): value is HiddenLink =>
  isObject(value) && Object.hasOwn(value, '@id')

/**
 * In the hidden values: the defaults of other API files that the member was filled with (forms.ts), so that a value that was
 * removed later stays removed.
 */
const FILLED_MARK = '@filled'

export function readHidden(hidden: string): MemberValues {
  if (hidden === '') return {}
  const { [FILLED_MARK]: _, ...values } = JSON.parse(hidden) as MemberValues
  return values
}

export const filledIn = (hidden: string): readonly string[] =>
  hidden.includes(`"${FILLED_MARK}"`)
    ? ((JSON.parse(hidden) as { readonly [FILLED_MARK]?: readonly string[] })[FILLED_MARK] ?? [])
    : []

export const withFilled = (hidden: string, names: readonly string[]): string =>
  names.length === 0 ? hidden : JSON.stringify({ ...readHidden(hidden), [FILLED_MARK]: names })

/** Hidden links still prevent the removal of their targets, so that they are valid when they are shown again. */
export const hiddenLinks = (hidden: string): Link[] =>
  hidden.includes('"@id"') ? linksWithin(readHidden(hidden), '') : []

function linksWithin(value: unknown, path: string): Link[] {
  if (Array.isArray(value)) return value.flatMap((one) => linksWithin(one, path))
  if (isHiddenLink(value)) {
    const { '@id': address, '@type': className } = value
    return className === undefined ? [] : [{ property: path, className, id: idOf(address) }]
  }
  const within = path === '' ? '' : `${path}/`
  return isObject(value)
    ? Object.entries(value).flatMap(([name, one]) => linksWithin(one, within + name))
    : []
}

/**
 * For each embedded value of a list, the index of the former value that it continues: an equal one, else one with the same
 * read-only parts (if there are several, the one at its index), else the one at its index if that is free.
 */
export function pairUp(
  values: readonly unknown[],
  former: readonly unknown[],
  { properties }: Class,
): readonly (number | undefined)[] {
  const readOnly = properties.flatMap(({ name, writable }) => (writable ? [] : [name]))
  const pairs: (number | undefined)[] = values.map(() => undefined)
  pairBy((value) => textOf(value))
  pairBy(readOnlyIn)
  pairBy((value) => readOnlyIn(value))
  pairBy((_value, index) => index)
  return pairs

  function readOnlyIn(value: unknown, index?: number): unknown {
    const parts = isObject(value) ? readOnly.filter((name) => Object.hasOwn(value, name)) : []
    // Without read-only parts a value cannot be matched.
    if (parts.length === 0) return Symbol()
    return textOf([index, ...parts.map((name) => [name, (value as MemberValues)[name]])])
  }

  function pairBy(keyOf: (value: unknown, index: number) => unknown): void {
    const taken = new Set(pairs)
    const free = [...former.keys()].filter((index) => !taken.has(index))
    const indexes = Map.groupBy(free, (index) => keyOf(former[index], index))
    for (const index of values.keys()) pairs[index] ??= indexes.get(keyOf(values[index], index))?.shift()
  }
}

/** For comparison: with sorted keys, without the class of embedded values. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (key, one) => {
    if (key === '@type') return undefined
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
