import type { Problem } from '../problem.ts'
import { percentDecoded, withUsualEncodings } from '../text.ts'
import { httpProblem } from './problems.ts'

export interface Routes<T> {
  readonly root: T
  /** `/{segment}` */
  readonly topLevel: ReadonlyMap<string, T>
  /** `/{segment}/{id}` */
  readonly members: ReadonlyMap<string, T>
  /**
   * `/{segment}/{id}/{name}`, or `/{segment}/{name}` for a single resource; by `{segment}/{name}`. A name may have further
   * segments, of which `*` stands for any: `history/*`.
   */
  readonly operations: ReadonlyMap<string, T>
  /** A more helpful problem, if there is one, for a path `/{segment}/{rest}` whose rest contains a slash. */
  readonly hint: (segment: string, rest: string) => Problem | undefined
}

export interface RouteMatch<T> {
  readonly resource: T
  /** The second segment, decoded; empty if there is none. */
  readonly id: string
  /** The segment that `*` stands for, decoded; undefined without one. */
  readonly key?: string | undefined
  /** The text after the question mark, as sent; undefined without one. */
  readonly query: string | undefined
}

/** The methods that the user may use on a resource, as in the Allow header. */
interface Allowing {
  readonly allow: string
}

export const MAX_TARGET = 8 * 1024

/** Longer than any path that leads to a member: errors do not repeat more. */
const LONGEST_SHOWN = 500

/** `mount`: the path of the base URL, without a trailing slash. `shown`: the beginning of addresses in errors. */
export function createRouter<T extends Allowing>(
  mount: string,
  routes: Routes<T>,
  shown = mount,
): (target: string) => RouteMatch<T> {
  const missing = createMissing(routes)
  const start = `${mount}/`
  return (target) => {
    if (target.length > MAX_TARGET) throw httpProblem('TargetTooLong', { maxBytes: MAX_TARGET })
    const origin = toOriginForm(target)
    const mark = origin.indexOf('?')
    const path = spelt(mark < 0 ? origin : origin.slice(0, mark), mount)
    const query = mark < 0 ? undefined : origin.slice(mark + 1)
    if (path === mount || path === start) return { resource: routes.root, id: '', query }
    if (!path.startsWith(start)) throw httpProblem('PathNotFound', { start })

    const rest = path.slice(mount.length)
    const found = find(rest, query)
    if (found === undefined) throw problemOf(rest)
    return found
  }

  /** `rest`: the path below the mount. */
  function find(rest: string, query: string | undefined): RouteMatch<T> | undefined {
    const slash = rest.indexOf('/', 1)
    const first = decode(slash < 0 ? rest.slice(1) : rest.slice(1, slash))
    const below = slash < 0 ? undefined : findBelow(first, rest.slice(slash + 1))
    if (below !== undefined) return { ...below, query }
    const id = slash < 0 ? '' : decode(rest.slice(slash + 1))
    const resource = (slash < 0 ? routes.topLevel : routes.members).get(first)
    // An empty id: the path ends with a slash. An id with a slash: the path is too long.
    const isWhole = slash < 0 || (id !== '' && !rest.includes('/', slash + 1))
    return resource !== undefined && isWhole ? { resource, id, query } : undefined
  }

  function problemOf(rest: string): Problem {
    const [first = '', ...segments] = rest.slice(1).split('/').map(decode)
    if (first === '') return httpProblem('PathNotFound')
    const path = rest.endsWith('/') && rest.length <= LONGEST_SHOWN ? rest.slice(0, -1) : undefined
    // A resource that the user may not use is not suggested.
    if (path !== undefined && (find(path, undefined)?.resource.allow ?? '') !== '')
      return httpProblem('TrailingSlash', { name: first, address: shown + path })
    const id = segments.join('/')
    if (segments.length === 0 || !routes.members.has(first))
      return missing(first, segments.length === 0 ? '' : `/${id}`)
    if (id === '') return httpProblem('PathNotFound', { path: `/${first}/` })
    return routes.hint(first, id) ?? httpProblem('TrailingSlash', { name: first })
  }

  function findBelow(first: string, rest: string): Omit<RouteMatch<T>, 'query'> | undefined {
    const isAlone = !routes.members.has(first)
    const slash = rest.indexOf('/')
    if (!isAlone && slash < 1) return undefined
    const [name = '', key, ...more] = (isAlone ? rest : rest.slice(slash + 1)).split('/', MAX_SEGMENTS)
    if (key === '') return undefined
    const pattern = [first, decode(name), ...(key === undefined ? [] : ['*']), ...more.map(decode)].join('/')
    const resource = routes.operations.get(pattern)
    return resource && { resource, id: isAlone ? '' : decode(rest.slice(0, slash)), key: key && decode(key) }
  }
}

/** More than the longest name of an operation has, so a longer path does not exist. */
const MAX_SEGMENTS = 4

/** A path in which the part that equals `mount` has the same percent-encodings as `mount`. */
export const spelt = (path: string, mount: string): string =>
  mount.includes('%') ? withUsualEncodings(path.slice(0, mount.length)) + path.slice(mount.length) : path

/** RFC 9112 §3.2.2: the absolute form is accepted, and its authority ignored: the base URL is configured. */
export function toOriginForm(target: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)
  return authority === null ? target : target.slice(authority[0].length) || '/'
}

function decode(segment: string): string {
  const decoded = segment.includes('%') ? percentDecoded(segment) : segment
  if (decoded !== undefined) return decoded
  throw httpProblem('InvalidPathEncoding')
}

/** The problem of a path that does not exist, with names that this user may use. */
function createMissing({ topLevel, members }: Routes<Allowing>): (name: string, rest: string) => Problem {
  const offered = [...topLevel, ...members].filter(([, { allow }]) => allow !== '')
  const known = [...new Set(offered.map(([name]) => name))]
  return (name, rest) => {
    if (known.includes(name)) return httpProblem('PathNotFound', { path: `/${name}${rest.slice(0, 100)}` })
    return httpProblem('UnknownCollection', { name, known })
  }
}
