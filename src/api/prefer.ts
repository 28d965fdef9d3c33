import type { Request } from '../http/request.ts'

/** What a client would like (RFC 7240), as far as it is understood here: hypermedia.md, Writing and totalItems. */
export interface Preferences {
  readonly minimal: boolean
  readonly exactCount: boolean
}

const NONE: Preferences = { minimal: false, exactCount: false }

export function readPreferences({ headers }: Request): Preferences {
  const { prefer } = headers
  if (prefer === undefined) return NONE
  const all = String(prefer)
    // A value may be quoted; none of ours has a comma or a semicolon in it.
    .replaceAll(/"([^"]*)"/g, (_, value) => value.replaceAll(/[,;]/g, '?'))
    .split(',')
    .map((text) => (text.split(';')[0] ?? '').replaceAll(/\s/g, '').toLowerCase())
  // RFC 7240 §2: of a preference that is given twice, the first counts.
  const first = (name: string) => all.find((text) => text.startsWith(`${name}=`))
  return { minimal: first('return') === 'return=minimal', exactCount: first('count') === 'count=exact' }
}

/** Confirms what was honoured. */
export const applied = (preference: 'return=minimal' | 'count=exact'): readonly string[] => [
  'Preference-Applied',
  preference,
]
