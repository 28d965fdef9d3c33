import type { Link } from '../store/index.ts'
import { type Class, memberType, type Property, type Range } from '../vocabulary/index.ts'

/** A member's values by property, canonical: links are paths such as `/authors/7`, embedded values are values again. */
export type Values = Readonly<Record<string, unknown>>

export interface StoredText {
  readonly body: string
  readonly holes: string
}

interface Text {
  body: string
  readonly holes: number[]
}

/** The text that is stored and later served: JSON members in the order of the API file, each after a comma. */
export function writeText(cls: Class, values: Values): StoredText {
  const text: Text = { body: '', holes: [] }
  writeProperties(text, cls, values)
  return { body: text.body, holes: text.holes.join(',') }
}

function writeProperties(text: Text, cls: Class, values: Values): void {
  for (const { name, range } of cls.properties) {
    // A property may be called `constructor`: only what was sent counts.
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]
    text.body += `,${JSON.stringify(name)}:`
    if (!Array.isArray(value)) {
      writeValue(text, range, value)
      continue
    }
    text.body += '['
    value.forEach((one, index) => {
      if (index > 0) text.body += ','
      writeValue(text, range, one)
    })
    text.body += ']'
  }
}

function writeValue(text: Text, range: Range, value: unknown): void {
  if (range.kind === 'datatype') text.body += JSON.stringify(value)
  else if (range.kind === 'link') writePath(text, value as string)
  else writeEmbedded(text, range.cls, value as Values)
}

function writePath(text: Text, path: string): void {
  text.holes.push(text.body.length + 1)
  text.body += `"${path}"`
}

function writeEmbedded(text: Text, cls: Class, values: Values): void {
  text.body += '{"@type":'
  // A class whose name is also the name of a property says its IRI, which may begin with the base URL.
  const type = memberType(cls, '')
  if (type.startsWith('/')) writePath(text, type)
  else text.body += JSON.stringify(type)
  writeProperties(text, cls, values)
  text.body += '}'
}

export const readText = (body: string): Values => (body === '' ? {} : JSON.parse(`{${body.slice(1)}}`))

/** Puts `filling` in at the offsets that were noted when the text was written, never by searching it. */
export function fillHoles({ body, holes }: StoredText, filling: string): string {
  if (holes === '') return body
  if (!holes.includes(',')) {
    const at = Number(holes)
    return body.slice(0, at) + filling + body.slice(at)
  }
  let text = ''
  let from = 0
  for (const hole of holes.split(',')) {
    const to = Number(hole)
    text += body.slice(from, to) + filling
    from = to
  }
  return text + body.slice(from)
}

/** `path`: of the embedded value that has them, with a slash at its end. */
export function linksOf(cls: Class, values: Values, path = ''): Link[] {
  return cls.properties.flatMap((property) => {
    if (property.range.kind === 'datatype') return []
    return listOf(values, property).flatMap((value) => linksIn(property, value, path + property.name))
  })
}

function linksIn({ range }: Property, value: unknown, path: string): Link[] {
  if (range.kind === 'embedded') return linksOf(range.cls, value as Values, `${path}/`)
  if (range.kind !== 'link') return []
  const id = (value as string).slice((value as string).lastIndexOf('/') + 1)
  return [{ property: path, className: range.className, id }]
}

export function listOf(values: Values, { name }: Property): readonly unknown[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
