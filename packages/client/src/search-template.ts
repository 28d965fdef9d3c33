import type { SearchQuery } from './api-types.ts'
import { ApiError } from './errors.ts'
import { type JsonLdNode, list } from './terms.ts'

/** The search template of a collection (`hydra:IriTemplate`). */
export interface SearchTemplate {
  readonly template: string
  readonly variables: readonly SearchVariable[]
}

export interface SearchVariable {
  readonly name: string
  /** The property that the parameter filters or sorts by. */
  readonly property: string | undefined
  readonly required: boolean
}

/** Undefined if the response has no template, or only the address of one. */
export const readTemplate = (collection: JsonLdNode): SearchTemplate | undefined => {
  const search = collection.one('search')
  const template = search?.text('template')
  return template
    ? {
        template,
        variables: (search as JsonLdNode).all('mapping').map((mapping) => ({
          name: decode(mapping.text('variable')),
          property: mapping.one('property')?.id,
          required: mapping.text('required') === 'true',
        })),
      }
    : undefined
}

/** RFC 6570 §2.3: the names of variables may be percent-encoded. */
const decode = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Turns each spelling of an operator into the other: `p.gte` and `p[gte]`, `p.exists` and `exists[p]`. */
const respell = (name: string): string => {
  const [, outer, inner] = /^([^[]+)\[([^[\]]+)]$/.exec(name) ?? []
  if (inner) return outer === 'exists' ? `${inner}.exists` : `${outer}.${inner}`
  const dot = name.lastIndexOf('.')
  if (dot < 0) return name
  const [property, operator] = [name.slice(0, dot), name.slice(dot + 1)]
  return operator === 'exists' ? `exists[${property}]` : `${property}[${operator}]`
}

/** RFC 6570 without prefixes and pairs. An unknown name is an error: without its value the query would mean something else. */
export const fillTemplate = (template: string, query: SearchQuery): string => {
  const known: string[] = []
  // Getters of a class count, but not what every object inherits, such as `constructor`.
  const asked = (name: string) =>
    Object.hasOwn(query, name) || !(name in Object.prototype) ? query[name] : undefined
  const expressions = /\{(\W?)([^{}]+)\}/g
  for (const [, , names = ''] of template.matchAll(expressions))
    known.push(...names.split(',').map((spec) => decode(spec.replace(/[:*].*/, ''))))
  const isOther = (name: string) => !known.includes(name)
  const filled = template.replace(expressions, (_, sign: string, names: string) => {
    const encode = /[+#]/.test(sign) ? encodeURI : encodeURIComponent
    const parts = names.split(',').flatMap((spec) => {
      const [written, most] = spec.split(/[:*]/) as [string, string?]
      const name = decode(written)
      const other = respell(name)
      const value = asked(name) ?? (isOther(other) ? asked(other) : undefined)
      const values = list(value).map((one) => encode(`${one}`))
      const texts = most === '' || !values.length ? values : [values.join()]
      return /[;?&]/.test(sign) ? texts.map((text) => `${written}=${text}`) : texts
    })
    return parts.length
      ? sign.replace('+', '') + parts.join(sign.replace(/[+#]/, '').replace('?', '&') || ',')
      : ''
  })
  const unknown = Object.keys(query).filter(
    (name) => query[name] != null && isOther(name) && isOther(respell(name)),
  )
  if (unknown.length)
    throw new ApiError('malformed', `The search template has no ${unknown.join(', ')}.`, {
      code: 'unknown-parameter',
      parameter: unknown[0],
    })
  return filled
}
