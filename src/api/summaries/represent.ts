import type { SummaryRow } from '../../members/index.ts'
import { type Class, pathTo, SUMMARY, summariesContext, vocabIri } from '../../vocabulary/index.ts'
import { toIri } from '../query/encoding.ts'
import { requireFollowable } from '../query/paging.ts'
import { type MediaType, PLAIN_JSON } from '../request.ts'
import { averageOf, sumOf } from './figures.ts'
import { FIGURES } from './parameters.ts'
import type { AskedFigure } from './paths.ts'
import type { ParsedSummary } from './read.ts'
import type { KeyAtPath, ServedValue } from './values.ts'

/** A page of summaries. */
export interface ServedSummaries {
  readonly rows: readonly SummaryRow[]
  /** How many there are on all pages. */
  readonly total: number
}

/** How a page is represented. */
interface Representing {
  readonly parsed: ParsedSummary
  readonly indexOf: (figure: AskedFigure) => number
  readonly served: ServedValue
  readonly membersLink: (group: SummaryRow['group'], served: ServedValue) => string | undefined
  /** The query as it was sent. */
  readonly query: string | undefined
  readonly mediaType: MediaType
}

/** `search`: the template, for a GET without a query. */
export function createRepresentSummaries(
  cls: Class & { readonly collection: string },
  { base, standardSize, search }: { base: string; standardSize: number; search: object },
) {
  const address = `${base}/summaries${pathTo(cls.collection)}`
  const context = summariesContext(base)
  const path = new URL(address).pathname

  return ({ rows, total }: ServedSummaries, representing: Representing): string => {
    const { parsed, query, mediaType } = representing
    const { collectionQuery } = parsed
    const isPlain = mediaType === PLAIN_JSON
    const view = viewOf(parsed, total, { address, query, bare: `itemsPerPage=${standardSize}` })
    for (const link of Object.values(view)) requireFollowable(path.length + link.length - address.length)
    return JSON.stringify({
      ...(!isPlain && { '@context': context }),
      '@id': collectionQuery === '' ? address : `${address}?${collectionQuery}`,
      '@type': 'Collection',
      memberAssertion: { property: 'rdf:type', object: vocabIri(base, SUMMARY) },
      totalItems: total,
      member: rows.map((row) => representSummary(row, representing)),
      view,
      ...(!query && !isPlain && { search }),
    })
  }
}

function representSummary(
  { group, count, figures }: SummaryRow,
  { parsed, indexOf, served, membersLink }: Representing,
): object {
  const members = membersLink(group, served)
  const groups = parsed.groups.map(({ text, path, unit }, index) => {
    const key = group[index] ?? null
    return [text, key === null || unit !== undefined ? key : served({ path, key })]
  })
  const figureOf = (asked: AskedFigure) => {
    const { name, path } = asked
    const figure = figures[indexOf(asked)]
    if (figure === undefined) return null
    if (name === 'sum') return sumOf(figure, path.property.constraints.scale)
    if (name === 'avg') return averageOf(figure)
    const key = name === 'min' ? figure.least : figure.greatest
    return key === null ? null : served({ path, key })
  }
  const byName = FIGURES.flatMap((name) => {
    const asked = parsed.figures.filter((one) => one.name === name)
    return asked.length === 0
      ? []
      : [[name, Object.fromEntries(asked.map((one) => [one.text, figureOf(one)]))]]
  })
  return {
    '@type': 'Summary',
    group: Object.fromEntries(groups),
    count,
    ...Object.fromEntries(byName),
    ...(members !== undefined && { members }),
  }
}

/** The keys that a page shows. */
export function keysOn(
  rows: readonly SummaryRow[],
  { groups, figures }: ParsedSummary,
  indexOf: (figure: AskedFigure) => number,
): KeyAtPath[] {
  return rows.flatMap((row) => [
    ...groups.flatMap(({ path, unit }, index) => {
      const key = row.group[index] ?? null
      return key === null || unit !== undefined ? [] : { path, key }
    }),
    ...figures.flatMap((asked) => {
      const figure = row.figures[indexOf(asked)]
      const key = asked.name === 'min' ? figure?.least : asked.name === 'max' ? figure?.greatest : null
      return key == null ? [] : { path: asked.path, key }
    }),
  ])
}

function viewOf(
  { page, limit, linkQuery }: ParsedSummary,
  total: number,
  { address, query, bare }: { address: string; query: string | undefined; bare: string },
): Record<string, string> {
  const lastPage = Math.max(1, Math.ceil(total / limit))
  const to = (number: number) => `${address}?${linkQuery}${linkQuery === '' ? '' : '&'}page=${number}`
  return {
    '@id': `${address}?${query ? toIri(query) : bare}`,
    '@type': 'PartialCollectionView',
    first: to(1),
    ...(page > 1 && { previous: to(Math.min(page - 1, lastPage)) }),
    ...(page < lastPage && { next: to(page + 1) }),
    last: to(lastPage),
  }
}
