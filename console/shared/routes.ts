/** Where in the console one is: the part of the address after `#`. */
export type Route =
  | { readonly page: 'home' }
  /** `query` is the query of the page's address, as the API wrote it. */
  | { readonly page: 'table'; readonly name: string; readonly query: string }
  | { readonly page: 'create'; readonly name: string }
  /** `path`: below the API's base, character by character as it stands in the address. */
  | { readonly page: 'member'; readonly path: string }
  | { readonly page: 'edit'; readonly path: string }
  | { readonly page: 'documentation'; readonly name: string | undefined }
  /** An address that nothing is at. */
  | { readonly page: 'missing'; readonly place: string }

export function readRoute(hash: string): Route {
  const place = hash.replace(/^#?\/?/, '')
  const [, kind, below] = /^(member|edit)\/(.+)$/.exec(place) ?? []
  if (kind && below) return { page: kind === 'member' ? 'member' : 'edit', path: below }
  const [path = '', ...rest] = place.split('?')
  const query = rest.join('?')
  const [page, ...parts] = path.split('/')
  const name = decode(parts.join('/'))
  if (path === '') return { page: 'home' }
  if (page === 'documentation') return { page, name: name || undefined }
  if (name !== '') {
    switch (page) {
      case 'table':
        return { page, name, query }
      case 'create':
        return { page, name }
    }
  }
  return { page: 'missing', place: path }
}

/** The address of a place in the console, to be used as a link. */
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
      return `#/${route.place}`
  }
}

export const go = (route: Route): void => {
  location.hash = hrefOf(route)
}

/** The same, and nothing leads back: where one is has no page any more. */
export const replace = (route: Route): void => location.replace(hrefOf(route))

/**
 * The path of a resource below the API's base; undefined for what lies elsewhere. It is never decoded: `a%2Fb` is
 * another address than `a/b` (RFC 3986 §2.2).
 */
export const pathBelow = (base: string, iri: string): string | undefined =>
  iri.startsWith(`${base}/`) ? iri.slice(base.length + 1) : undefined

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
