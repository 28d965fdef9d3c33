import { Numeral } from '../json.ts'
import type { StoredMember } from '../store/store.ts'
import { datatypeOf } from '../vocabulary/datatypes.ts'
import type { Class, Property, Range } from '../vocabulary/model.ts'

/** A member's values by property, canonical: links are paths such as `/authors/7`. */
export type Values = Readonly<Record<string, unknown>>

export interface StoredText {
  readonly body: string
  readonly holes: string
}

/** The text that is stored and later served: JSON members in the order of the API file, each after a comma. */
export function writeText(cls: Class, values: Values): StoredText {
  const holes: number[] = []
  let body = ''
  for (const property of cls.properties) {
    // A property may be called `constructor`: only what was sent counts.
    if (!Object.hasOwn(values, property.name)) continue
    const value = values[property.name]
    body += `,${JSON.stringify(property.name)}:`
    if (property.range.kind === 'link') body = writeLinks(body, value as string | string[], holes)
    else body += JSON.stringify(value)
  }
  return { body, holes: holes.join(',') }
}

function writeLinks(before: string, value: string | readonly string[], holes: number[]): string {
  if (typeof value === 'string') {
    holes.push(before.length + 1)
    return `${before}"${value}"`
  }
  let body = `${before}[`
  value.forEach((path, index) => {
    if (index > 0) body += ','
    holes.push(body.length + 1)
    body += `"${path}"`
  })
  return `${body}]`
}

export const readText = (body: string): Values => (body === '' ? {} : JSON.parse(`{${body.slice(1)}}`))

/**
 * A row that was written under another version of the API file, as this version sees it: properties that are
 * gone are hidden (the row keeps them), as are values that do not fit their present type; renamed ones are found
 * by their former name; links follow the collection of their class to its present path.
 */
export function project(member: StoredMember, cls: Class): StoredMember {
  const stored = readText(member.body)
  const values = cls.properties.flatMap((property): [string, unknown][] => {
    const value = storedAs(stored, property.name) ?? storedAs(stored, property.was)
    const projected = value === undefined ? undefined : projectValue(value, property)
    return projected === undefined ? [] : [[property.name, projected]]
  })
  return { ...member, ...writeText(cls, Object.fromEntries(values)) }
}

const storedAs = (values: Values, name: string | undefined): unknown =>
  name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined

function projectValue(value: unknown, { range, many }: Property): unknown {
  const all = (Array.isArray(value) ? value : [value]).flatMap((one: string | number | boolean) =>
    present(one, range),
  )
  return many ? all : all[0]
}

/** The value as its property is declared now, or none. */
function present(stored: string | number | boolean, range: Range): unknown[] {
  if (range.kind === 'link') {
    const id = /^\/[^/]+\/([^/]+)$/.exec(String(stored))?.[1]
    return id === undefined ? [] : [`/${range.collection}/${id}`]
  }
  const sent = typeof stored === 'number' ? new Numeral(String(stored)) : stored
  const reading = datatypeOf(range.datatype).read(sent)
  return 'value' in reading ? [reading.value] : []
}
