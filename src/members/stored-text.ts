import type { Link, StoredMember, Written } from '../store/index.ts'
import {
  type Class,
  hasCollection,
  keysOf,
  memberType,
  type Property,
  pathTo,
  type Range,
} from '../vocabulary/index.ts'

/** A member's values by property, canonical: links are paths such as `/authors/7`, embedded values are values again. */
export type Values = Readonly<Record<string, unknown>>

type StoredText = Pick<StoredMember, 'body' | 'holes'>

interface Text {
  body: string
  readonly holes: number[]
}

/** All that is stored of a member: `hidden` are the values that the API file does not show. */
export function writeMember(cls: Class, values: Values, hidden: string): Written {
  const text: Text = { body: '', holes: [] }
  writeProperties(text, cls, values)
  const links = linksOf(cls, values)
  return {
    body: text.body,
    holes: text.holes.join(','),
    hidden,
    links: hidden === '' ? links : [...links, ...hiddenLinks(hidden)],
    keys: keysOf(cls, values),
  }
}

/** The text that is stored and later served: JSON members in the order of the API file, each after a comma. */
function writeProperties(text: Text, cls: Class, values: Values): void {
  for (const { name, range } of cls.properties) {
    // A property may be called `constructor`: only what was sent counts.
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]
    text.body += `,${JSON.stringify(name)}:`
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

function writeValue(text: Text, range: Range, value: unknown): void {
  if (range.kind === 'datatype') text.body += JSON.stringify(value)
  else if (range.kind === 'link') writePath(text, value as string)
  else {
    text.body += '{"@type":'
    // A class whose name is also the name of a property says its IRI, which may begin with the base URL.
    const type = memberType(range.cls, '')
    if (type.startsWith('/')) writePath(text, type)
    else text.body += JSON.stringify(type)
    writeProperties(text, range.cls, value as Values)
    text.body += '}'
  }
}

function writePath(text: Text, path: string): void {
  text.holes.push(text.body.length + 1)
  text.body += `"${path}"`
}

export const readText = (body: string): Values => (body === '' ? {} : JSON.parse(`{${body.slice(1)}}`))

/**
 * Puts `filling` in at the offsets that were noted when the text was written, never by searching it. `nodes`: by offset,
 * what stands in the place of the whole address.
 */
export function fillHoles(
  { body, holes }: StoredText,
  filling: string,
  nodes?: ReadonlyMap<number, string>,
): string {
  if (holes === '') return body
  let text = ''
  let from = 0
  for (const hole of holes.split(',')) {
    const to = Number(hole)
    const node = nodes?.get(to)
    text += node === undefined ? body.slice(from, to) + filling : body.slice(from, to - 1) + node
    from = node === undefined ? to : body.indexOf('"', to) + 1
  }
  return text + body.slice(from)
}

/** The links of a stored text with their offsets: it was written in the order of the class, as they are listed. */
export function linksAt(cls: Class, { body, holes }: StoredText): (Link & { readonly hole: number })[] {
  if (holes === '') return []
  // The other holes are those of types.
  const offsets = holes.split(',').map(Number)
  const ofLinks = offsets.filter((hole) => !body.startsWith('/vocab#', hole))
  return linksOf(cls, readText(body)).map((link, index) => ({ ...link, hole: ofLinks[index] as number }))
}

/** Where a member is. A single resource is where its class is, whatever its id. */
export const addressOf = (cls: Class, base: string): ((id: string) => string) => {
  const address = base + pathTo(cls.collection ?? cls.name)
  return hasCollection(cls) ? (id) => `${address}/${id}` : () => address
}

export const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `path`: of the embedded value that has them, with a slash at its end. */
function linksOf(cls: Class, values: Values, path = ''): Link[] {
  return cls.properties.flatMap((property) => {
    const { name, range } = property
    if (range.kind === 'datatype') return []
    return listOf(values, property).flatMap((value) =>
      range.kind === 'embedded'
        ? linksOf(range.cls, value as Values, `${path}${name}/`)
        : [{ property: path + name, className: range.className, id: idOf(value as string) }],
    )
  })
}

export function listOf(values: Values, { name }: Property): readonly unknown[] {
  const value = ownOf(values, name)
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

export const ownOf = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** A link among the hidden values is an object, so that it still counts as one. */
export interface HiddenLink {
  readonly '@id': string
  /** Its class, whether or not the API file has that; undefined where nothing tells it. */
  readonly '@type'?: string
}

export const isHiddenLink = (value: unknown): value is HiddenLink =>
  isObject(value) && Object.hasOwn(value, '@id')

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readHidden = (hidden: string): Values => (hidden === '' ? {} : JSON.parse(hidden))

/** They keep their targets, so that they lead somewhere when they are shown again. */
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
