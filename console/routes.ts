/** Where in the console one is: the part of the address after `#`. */
export type Route =
  | { readonly page: 'home' }
  /** `query` is the query of the page's address, as the API wrote it. */
  | { readonly page: 'table'; readonly name: string; readonly query: string }
  | { readonly page: 'create'; readonly name: string }
  /** `path`: below the API's base. */
  | { readonly page: 'member'; readonly path: string }
  | { readonly page: 'edit'; readonly path: string }
  | { readonly page: 'documentation'; readonly name: string | undefined }

export function readRoute(hash: string): Route {
  const [path = '', ...rest] = hash.replace(/^#?\/?/, '').split('?')
  const query = rest.join('?')
  const [page, ...parts] = path.split('/')
  const name = decode(parts.join('/'))
  switch (page) {
    case 'table':
      return { page, name, query }
    case 'create':
      return { page, name }
    case 'member':
    case 'edit':
      return { page, path: name }
    case 'documentation':
      return { page, name: name || undefined }
    default:
      return { page: 'home' }
  }
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
      return `#/${route.page}/${route.path.split('/').map(encodeURIComponent).join('/')}`
    case 'documentation':
      return `#/documentation${route.name ? `/${encodeURIComponent(route.name)}` : ''}`
  }
}

export const go = (route: Route): void => {
  location.hash = hrefOf(route)
}

/** The path of a resource below the API's base; undefined for what lies elsewhere. */
export function pathBelow(base: string, iri: string): string | undefined {
  return iri.startsWith(`${base}/`) ? decode(iri.slice(base.length + 1)) : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
