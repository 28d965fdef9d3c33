import type { StoredMember } from '../store/store.ts'
import type { Class, Property } from '../vocabulary/model.ts'

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
 * gone are hidden (the row keeps them), links follow the collection of their class to its present path.
 */
export function project(member: StoredMember, cls: Class): StoredMember {
  const stored = readText(member.body)
  const values = Object.fromEntries(
    cls.properties
      .filter(({ name }) => Object.hasOwn(stored, name))
      .map((property) => [property.name, projectValue(stored[property.name], property)]),
  )
  return { ...member, ...writeText(cls, values) }
}

function projectValue(value: unknown, { range, many }: Property): unknown {
  const present =
    range.kind === 'link' ? (path: string) => `/${range.collection}/${path.split('/').pop()}` : undefined
  const all = (Array.isArray(value) ? value : [value]).map((one) =>
    present === undefined ? one : present(one as string),
  )
  return many ? all : all[0]
}
