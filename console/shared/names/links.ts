import type { Member } from '../../../src/client/index.ts'
import type { Column } from '../../pages/table/columns.ts'

/** So many values of a list are enough to tell rows apart. */
export const MOST_VALUES = 3

/** The address that a value stands for, where it stands for one. */
export function linkIn(value: unknown, at: string): string | undefined {
  const link = typeof value === 'object' && value && '@id' in value ? value['@id'] : value
  return typeof link === 'string' ? (URL.parse(link, at)?.href ?? link) : undefined
}

/** What the rows link to, each address once, as far as it is shown. */
export function linksShown(members: readonly Member[], columns: readonly Column[]): readonly string[] {
  const names = columns.flatMap(({ kind, name }) => (kind === 'link' && name !== undefined ? name : []))
  const links = members.flatMap(({ data, iri }) =>
    names.flatMap((name) => [data[name]].flat().slice(0, MOST_VALUES)).map((value) => linkIn(value, iri)),
  )
  return [...new Set(links.filter((link) => link !== undefined))]
}
