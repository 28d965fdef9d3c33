import { decode } from './naming.ts'

/** Which page of the console is shown: the part of the address after `#`. */
export type Route =
  | { readonly page: 'home' }
  /** `query`: of the table page's address, as the API wrote it. */
  | { readonly page: 'table'; readonly name: string; readonly query: string }
  | { readonly page: 'create'; readonly name: string }
  /** `path`: below the API's base, character by character as in the address. */
  | { readonly page: 'member' | 'edit'; readonly path: string }
  | { readonly page: 'documentation'; readonly name: string | undefined }
  | { readonly page: 'missing'; readonly path: string }

export function readRoute(hash: string): Route {
  const whole = hash.replace(/^#?\/?/, '')
  const [, kind, below] = /^(member|edit)\/(.+)$/.exec(whole) ?? []
  if (kind && below) return { page: kind === 'member' ? 'member' : 'edit', path: below }
  const [path = '', ...rest] = whole.split('?')
  const [page, ...parts] = path.split('/')
  const name = decode(parts.join('/'))
  if (path === '') return { page: 'home' }
  if (page === 'documentation') return { page, name: name || undefined }
  if (name !== '' && page === 'table') return { page, name, query: rest.join('?') }
  if (name !== '' && page === 'create') return { page, name }
  return { page: 'missing', path }
}

export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'home':
      return '#/'
    case 'table':
      return `#/table/${encodeURIComponent(route.name)}${route.query ? `?${route.query}` : ''}`
    case 'create':
      return `#/create/${encodeURIComponent(route.name)}`
    case 'member':
    case 'edit':
      return `#/${route.page}/${route.path}`
    case 'documentation':
      return `#/documentation${route.name ? `/${encodeURIComponent(route.name)}` : ''}`
    case 'missing':
      return `#/${route.path}`
  }
}

export const go = (route: Route): void => {
  location.hash = hrefOf(route)
}

/** The same, without a way back: the present page is of something that is gone. */
export const replace = (route: Route): void => location.replace(hrefOf(route))

/** Undefined for what lies elsewhere. Never decoded: `a%2Fb` is another address than `a/b` (RFC 3986 §2.2). */
export const pathBelow = (base: string, iri: string): string | undefined =>
  iri.startsWith(`${base}/`) ? iri.slice(base.length + 1) : undefined

export const addressBelow = (base: string, path: string): string => `${base}/${path}`
