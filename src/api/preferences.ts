import type { Request } from '../http/index.ts'

const NO_PREFERENCES = { minimal: false, exactCount: false, lenient: false }

/** The Prefer header (RFC 7240), as far as it is understood here: hypermedia.md, Writing and totalItems. */
export function readPreferences({ headers: { prefer } }: Request): typeof NO_PREFERENCES {
  if (prefer === undefined) return NO_PREFERENCES
  const all = String(prefer)
    // A value may be quoted; none of ours has a comma or a semicolon in it.
    .replaceAll(/"([^"]*)"/g, (_, value) => value.replaceAll(/[,;]/g, '?'))
    .split(',')
    .map((text) => (text.split(';')[0] ?? '').replaceAll(/\s/g, '').toLowerCase())
  // RFC 7240 §2: of a preference that is given twice, the first counts.
  const first = (name: string) => all.find((text) => text.startsWith(`${name}=`))
  return {
    minimal: first('return') === 'return=minimal',
    exactCount: first('count') === 'count=exact',
    lenient: first('handling') === 'handling=lenient',
  }
}

export const APPLIED_MINIMAL = ['Preference-Applied', 'return=minimal']
export const APPLIED_EXACT = ['Preference-Applied', 'count=exact']
export const APPLIED_LENIENT = ['Preference-Applied', 'handling=lenient']
