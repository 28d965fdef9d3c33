import type { ClassDescription, PropertyDescription } from 'hydrant-client'
import { attempt } from './attempt.ts'

export const shortName = (iri: string): string => decode(iri.split(/[/#]/).findLast(Boolean) ?? iri)

export const decode = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text

/** `createdAt` → `created at`. */
export const inWords = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `createdAt` → `Created at`. */
export const titleOf = (name: string): string => capitalised(inWords(name))

type Titled = Pick<PropertyDescription, 'name' | 'title'>

/** The documented title of a property, or else its name in words: `Created at`. */
export const labelOf = ({ name, title }: Titled): string => (title === name ? titleOf(name) : title)

/** The label within a sentence: `created at`. A title that is not just the name stays as it is. */
export const wordsOf = ({ name, title }: Titled): string =>
  title === name || title === titleOf(name) ? inWords(name) : title

/** A class within a sentence: `blog post`. */
export const classWords = ({ title, iri }: Pick<ClassDescription, 'title' | 'iri'>): string => {
  const name = title || shortName(iri)
  return /^[\w]+$/.test(name) || name === titleOf(shortName(iri)) ? inWords(name) : name
}

/** `Lines` → `Line`, as far as simple rules go. */
export const singular = (words: string): string =>
  words
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|ss|x|z)es$/, '$1')
    .replace(/([^su])s$/, '$1')

/** `5 lines`, `1 line`. */
export function counted(count: number, words: string): string {
  const one = singular(words)
  const many = one === words ? words.replace(/(s|x|z|ch|sh)?$/, (end) => (end ? `${end}es` : 's')) : words
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}

export function linkIn(value: unknown, at: string): string | undefined {
  const link = typeof value === 'object' && value && '@id' in value ? value['@id'] : value
  return typeof link === 'string' ? (URL.parse(link, at)?.href ?? link) : undefined
}

/** The page of the console that is shown: the part of the address after `#`. */
export type Route =
  | { readonly page: 'home' }
  /** The account of the user who is signed in. */
  | { readonly page: 'account' }
  | CollectionRoute
  /** `path`: the part of the address below the API's base, not decoded. */
  | { readonly page: MemberPageName; readonly path: string }
  | { readonly page: 'documentation'; readonly name: string | undefined }
  | { readonly page: 'missing'; readonly path: string }

type MemberPageName = 'member' | 'edit' | 'history'

const OF_COLLECTIONS = ['table', 'summary', 'create', 'deleted'] as const

export interface CollectionRoute {
  readonly page: (typeof OF_COLLECTIONS)[number]
  readonly name: string
  /** As in the API's own addresses; for a new member, the links that it begins with. */
  readonly query?: string
}

export const isOfCollection = (route: Route): route is CollectionRoute =>
  OF_COLLECTIONS.some((page) => page === route.page)

export function readRoute(hash: string): Route {
  const whole = hash.replace(/^#?\/?/, '')
  const [, kind, below] = /^(member|edit|history)\/(.+)$/.exec(whole) ?? []
  if (kind && below) return { page: kind as MemberPageName, path: below }
  const [path = '', ...rest] = whole.split('?')
  const [page, ...parts] = path.split('/')
  const name = decode(parts.join('/'))
  if (path === '') return { page: 'home' }
  if (path === 'account') return { page: 'account' }
  if (page === 'documentation') return { page, name: name || undefined }
  const ofCollection = OF_COLLECTIONS.find((one) => one === page)
  if (name !== '' && ofCollection) return { page: ofCollection, name, query: rest.join('?') }
  return { page: 'missing', path }
}

export function hrefOf(route: Route): string {
  if (route.page === 'home') return '#/'
  if (route.page === 'account') return '#/account'
  if ('path' in route) return `#/${route.page === 'missing' ? '' : `${route.page}/`}${route.path}`
  const name = route.name ? `/${encodeURIComponent(route.name)}` : ''
  return `#/${route.page}${name}${'query' in route && route.query ? `?${route.query}` : ''}`
}

export const go = (route: Route): void => location.assign(hrefOf(route))

/** Like `go`, but the current page is removed from the history, since its resource is gone. */
export const replace = (route: Route): void => location.replace(hrefOf(route))

/** Undefined for addresses elsewhere. Never decoded: `a%2Fb` is not the same address as `a/b` (RFC 3986 §2.2). */
export const pathBelow = (base: string, iri: string): string | undefined =>
  iri.startsWith(`${base}/`) ? iri.slice(base.length + 1) : undefined

export const addressBelow = (base: string, path: string): string => `${base}/${path}`
