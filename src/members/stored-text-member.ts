import type { Written } from '../store/index.ts'
import { type Class, keysOf } from '../vocabulary/index.ts'
import { hiddenLinks } from './hidden.ts'
import { linksOf, type Values, writeText } from './stored-text.ts'

/** All that is stored of a member. `hidden`: as in store.ts. */
export function writeMember(cls: Class, values: Values, hidden: string): Written {
  const links = linksOf(cls, values)
  return {
    ...writeText(cls, values),
    hidden,
    links: hidden === '' ? links : [...links, ...hiddenLinks(hidden)],
    keys: keysOf(cls, values),
  }
}
