import { toOriginForm } from './router.ts'

/** As the server chooses ids; a nonce is of version 8. */
const ID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const MOST_SEGMENTS = 4

/**
 * As much of a target as a log may have: `names` that are served and ids that the server chose. Of the rest nobody knows
 * whether a careless client has put a token or a paraphrase there, in whichever spelling.
 */
export function createShownPath(mount: string, names: ReadonlySet<string>): (target: string) => string {
  const show = (segment: string): string =>
    segment === '' || ID.test(segment) || names.has(decode(segment)) ? segment : '…'
  return (target) => {
    if (target === '*') return target
    const [path = ''] = toOriginForm(target).split('?', 1)
    if (!path.startsWith(`${mount}/`)) return path === mount ? path : '…'
    const segments = path.slice(mount.length).split('/', MOST_SEGMENTS)
    return mount + segments.map(show).join('/')
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // Not percent-encoded UTF-8: no name either.
    return segment
  }
}
