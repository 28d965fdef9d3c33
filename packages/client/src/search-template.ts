import type { SearchQuery } from './api-types.ts'
import { ApiError } from './errors.ts'
import { attempt, isJson, type JsonLdNode, list } from './terms.ts'

/** The search template of a collection (`hydra:IriTemplate`). */
export interface SearchTemplate {
  readonly template: string
  readonly variables: readonly SearchVariable[]
  /** The address of the summaries of the collection, if it has any. */
  readonly summary?: string | undefined
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
  const summary = collection.one('summary')
  return template
    ? {
        template,
        // Either an address, or a template that begins with it.
        summary: (summary?.text('template') || summary?.id)?.replace(/\{.*/, ''),
        variables: (search as JsonLdNode).all('mapping').map((mapping) => ({
          name: decode(mapping.text('variable')),
          property: mapping.one('property')?.id,
          required: mapping.text('required') === 'true',
        })),
      }
    : undefined
}

/** RFC 6570 §2.3: the names of variables may be percent-encoded. */
const decode = (name: string): string => attempt(decodeURIComponent, name)

/** `p[gte]` becomes `p.gte`, and `exists[p]` becomes `p.exists`. */
const dotted = (name: string): string =>
  name.replace(/^exists\[(.+)]$/, '$1.exists').replace(/^([^[]+)\[([^[\]]+)]$/, '$1.$2')

/** Turns each spelling of an operator into the other. */
const respell = (name: string): string => {
  const other = dotted(name)
  return other === name ? name.replace(/^(.+)\.exists$/, 'exists[$1]').replace(/\.([^.\]]+)$/, '[$1]') : other
}

/** Adds parameters to an address, each as often as it has values. */
export const addParameters = (iri: string, query: SearchQuery): string =>
  Object.entries(query)
    .flatMap(([name, value]) => alternativesIn(name, value))
    .flatMap(([name, value]) => list(value).map((one) => [name, `${one}`].map(encodeURIComponent).join('=')))
    .reduce((url, pair) => url + (/\?/.test(url) ? '&' : '?') + pair, iri)

/** The alternatives of `or` are parameters of their own, with their operators behind a dot (asking.md, Or). */
const alternativesIn = (name: string, value: unknown): [string, unknown][] =>
  name === 'or' && isJson(value)
    ? Object.entries(value).flatMap(([group, filters]) =>
        Object.entries(filters as SearchQuery).map(([filter, one]): [string, unknown] => [
          `or[${group}][${dotted(filter)}]`,
          one,
        ]),
      )
    : [[name, value]]

/** Neither an operator nor a path: these are too many to list. */
const isPlain = (name: string): boolean => !/[.[]/.test(name)

/** RFC 6570 without prefixes and pairs. An unknown name is an error: without its value the query would mean something else. */
export const fillTemplate = (template: string, query: SearchQuery): string => {
  // Getters of a class count, but not what every object inherits, such as `constructor`.
  const asked = (name: string) =>
    Object.hasOwn(query, name) || !(name in Object.prototype) ? query[name] : undefined
  const expressions = /\{(\W?)([^{}]+)\}/g
  const known = [...template.matchAll(expressions)].flatMap(([, , names = '']) =>
    names.split(',').map((spec) => decode(spec.replace(/[:*].*/, ''))),
  )
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
  const others = Object.keys(query).filter(
    (name) => query[name] != null && isOther(name) && isOther(respell(name)),
  )
  // A collection with `fields` understands all of asking.md: paths are too many for its template.
  const unknown = others.filter((name) => isOther('fields') || !/[.[]|^or$/.test(name))
  if (unknown.length)
    throw new ApiError(
      'malformed',
      `The search template has no ${unknown.join(', ')}; it has ${known.filter(isPlain).join(', ')}.`,
      { code: 'unknown-parameter', parameter: unknown[0] },
    )
  return addParameters(filled, Object.fromEntries(others.map((name) => [name, query[name]])))
}
