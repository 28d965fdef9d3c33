import type { ApiFacts } from '../facts.ts'
import { collectionNode, isLog, isSameAddress, nextOf, searchOf, viewOf } from '../reading.ts'
import type { VisitedResource } from '../resource.ts'
import { places, rule } from '../rule.ts'

interface NextPage {
  readonly first: VisitedResource
  readonly next: VisitedResource
}

const nextPages = ({ collections }: ApiFacts): NextPage[] =>
  collections.flatMap(({ first, next }) => (next?.unreadable === undefined && next ? [{ first, next }] : []))

const memberIds = (resource: VisitedResource): string[] =>
  (collectionNode(resource)?.nodes('hydra:member') ?? []).map(({ id }) => id)

function isEventPage(page: VisitedResource, { documentation }: ApiFacts): boolean {
  const collection = collectionNode(page)
  return collection !== undefined && isLog(collection, documentation?.graph)
}

/** Terms by which a client can page by itself. */
const PAGING = new Set(
  'limit offset pageIndex pageReference'.split(' ').map((name) => `http://www.w3.org/ns/hydra/core#${name}`),
)

export const PAGING_RULES = {
  RestNotLinked: places('missing', 'hydra:next', ({ collections }) =>
    collections
      .filter(({ first }) => {
        const total = Number(collectionNode(first)?.text('hydra:totalItems'))
        const shown = memberIds(first).length
        return shown > 0 && total > shown && nextOf(first) === undefined
      })
      .map(({ first }) => first.url),
  ),
  ViewWithoutType: places('missing', 'hydra:PartialCollectionView', ({ collections }) =>
    collections
      .filter(({ first }) => viewOf(first)?.isA('hydra:PartialCollectionView') === false)
      .map(({ first }) => first.url),
  ),
  PageNotThere: rule<{ status: number }>('wrong', 'hydra:next', function* ({ collections }) {
    for (const { next } of collections)
      if (next?.unreadable !== undefined) yield { at: next.url, values: { status: next.status } }
  }),
  PageOfOtherCollection: places('wrong', 'hydra:view', (facts) =>
    nextPages(facts)
      .filter(({ first, next }) => collectionNode(first)?.id !== collectionNode(next)?.id)
      .map(({ next }) => next.url),
  ),
  MemberTwice: places('wrong', 'hydra:next', (facts) =>
    nextPages(facts)
      .filter(({ first, next }) => {
        const shown = new Set(memberIds(first))
        return memberIds(next).some((id) => shown.has(id))
      })
      .map(({ next }) => next.url),
  ),
  PageWithoutView: places('missing', 'hydra:view', (facts) =>
    nextPages(facts)
      .filter(({ next }) => !isSameAddress(viewOf(next)?.id ?? '', next.url))
      .map(({ next }) => next.url),
  ),
  NoWayBack: places('practice', 'hydra:previous', (facts) =>
    nextPages(facts)
      .filter(({ next }) => viewOf(next)?.has('hydra:previous') !== true)
      .filter(({ next }) => !isEventPage(next, facts))
      .map(({ next }) => next.url),
  ),
  PagingNotMapped: rule<{ variable: string }>('practice', 'hydra:pageReference', function* ({ collections }) {
    for (const { first } of collections) {
      const asked = URL.parse(nextOf(first)?.id ?? '')?.searchParams
      const shown = URL.parse(viewOf(first)?.id ?? '')?.searchParams
      for (const mapping of searchOf(first)?.nodes('hydra:mapping') ?? []) {
        const variable = mapping.text('hydra:variable') ?? ''
        const isPaging = asked?.has(variable) && asked.get(variable) !== shown?.get(variable)
        if (isPaging && !mapping.nodes('hydra:property').some(({ id }) => PAGING.has(id)))
          yield { at: first.url, values: { variable } }
      }
    }
  }),
}
