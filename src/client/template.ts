import { ApiError } from './errors.ts'
import { list, type Node } from './terms.ts'

/** How a collection can be asked (`hydra:IriTemplate`). */
export interface SearchTemplate {
  readonly template: string
  readonly variables: readonly SearchVariable[]
}

export interface SearchVariable {
  readonly name: string
  /** What it is about. */
  readonly property: string | undefined
  readonly required: boolean
}

/** Values by the names of variables. A list asks for any of them, where the template allows it. */
export type Query = Readonly<Record<string, unknown>>

/** Undefined where the answer has none, or only names it. */
export const readTemplate = (collection: Node): SearchTemplate | undefined => {
  const search = collection.one('search')
  const template = search?.text('template')
  return template
    ? {
        template,
        variables: (search as Node).all('mapping').map((mapping) => ({
          name: mapping.text('variable'),
          property: mapping.one('property')?.id,
          required: mapping.text('required') === 'true',
        })),
      }
    : undefined
}

/** RFC 6570 without prefixes and pairs. An unknown name is an error: the server would be asked something else. */
export const fillTemplate = (template: string, query: Query): string => {
  const known: string[] = []
  const filled = template.replace(/\{(\W?)([^{}]+)\}/g, (_, sign: string, names: string) => {
    const encode = /[+#]/.test(sign) ? encodeURI : encodeURIComponent
    const parts = names.split(',').flatMap((spec) => {
      const [written, most] = spec.split(/[:*]/) as [string, string?]
      const name = decodeURIComponent(written)
      known.push(name)
      const values = list(query[name]).map((value) => encode(`${value}`))
      const texts = most === '' || !values.length ? values : [values.join()]
      return /[;?&]/.test(sign) ? texts.map((text) => `${written}=${text}`) : texts
    })
    return parts.length
      ? sign.replace('+', '') + parts.join(sign.replace(/[+#]/, '').replace('?', '&') || ',')
      : ''
  })
  const unknown = Object.keys(query).filter((name) => query[name] != null && !known.includes(name))
  if (unknown.length) throw new ApiError('malformed', `The search template has no ${unknown.join(', ')}.`)
  return filled
}
