import { v7 as newId } from 'uuid'
import { invalid } from '../errors.ts'
import type { Added, MemberStore, NewMember, Page } from '../store/store.ts'
import { classIri, collectionContext } from '../vocabulary/contexts.ts'
import type { Class } from '../vocabulary/model.ts'
import { readBody } from './body.ts'
import type { Input } from './input.ts'
import { createPageMemory } from './page-memory.ts'
import { isReachable, type PageQuery, type PageSizes, readPageQuery } from './query.ts'
import { formerNames, type MemberRepresentation } from './representation.ts'
import { type Resource, resource } from './resource.ts'
import { byMediaType, fingerprint, mediaTypeFor, type Serving } from './serving.ts'

export interface CollectionParts {
  readonly cls: Class
  readonly base: string
  readonly store: MemberStore
  readonly input: Input
  readonly representation: MemberRepresentation
  readonly serving: Serving
  readonly pageSizes: PageSizes
  readonly now: () => number
}

/** `{base}/{collection}`: its members page by page; POST adds one. */
export function collection(parts: CollectionParts): Resource {
  const { cls, store, input, representation, serving, pageSizes } = parts
  const represent = createRepresent(parts)
  const memory = createPageMemory()

  return resource({
    GET: cls.operations.has('list')
      ? async ({ request, query }) => {
          const mediaType = mediaTypeFor(request)
          const key = `${mediaType}?${query ?? ''}`
          // Before the page is read: what is written meanwhile belongs to a later state.
          const state = store.state(cls.name)
          const known = memory.find(key, state)
          if (known !== undefined) return serving.read(request, mediaType, known.etag, () => known.body)

          const asked = readPageQuery(query, pageSizes)
          const page = await store.listPage(
            cls.name,
            (asked.page - 1) * asked.itemsPerPage,
            asked.itemsPerPage,
          )
          const etag = represent.etag(page, query, mediaType)
          const body = represent.body(page, asked, query)
          memory.remember(key, state, etag, body)
          return serving.read(request, mediaType, etag, () => body)
        }
      : undefined,

    POST: cls.operations.has('create')
      ? async ({ request }) => {
          const mediaType = mediaTypeFor(request)
          const member = input.read(await readBody(request), newId(), parts.now())
          const version = versionOf(await store.add(cls.name, member), member)
          const headers = [
            'Location',
            representation.address(member.id),
            'ETag',
            representation.etag({ version }, mediaType),
          ]
          const body = representation.whole({ ...member, version })
          return serving.answer(201, mediaType, headers, body)
        }
      : undefined,
  })
}

/** The version of what was added; 422 for what the store alone can see is wrong. */
export function versionOf(added: Added, { id }: NewMember): number {
  switch (added.outcome) {
    case 'added':
      return added.version
    case 'dangling':
      throw invalid(
        added.links.map(({ property, id: target }) => ({
          propertyPath: property,
          message: `links to ${JSON.stringify(target)}, which does not exist.`,
        })),
      )
    case 'taken':
      throw invalid(
        added.properties.map((propertyPath) => ({
          propertyPath,
          message: 'must be unique, and another member has this value.',
        })),
      )
    case 'exists':
      throw invalid([{ propertyPath: '@id', message: `${id} exists already.` }])
  }
}

/** Text around the members, computed at start as far as it does not depend on the page. */
function createRepresent({ cls, base, representation, pageSizes }: CollectionParts) {
  const address = `${base}/${cls.collection}`
  const context = JSON.stringify(collectionContext(cls, base))
  const assertion = { property: 'rdf:type', object: classIri(cls, base) }
  const head =
    `{"@context":${context},"@id":"${address}","@type":["Collection","${cls.name}Collection"],` +
    `"memberAssertion":${JSON.stringify(assertion)},"totalItems":`
  const searchName = `{"@id":"${address}#search"}`
  const search = JSON.stringify(representSearch(address))
  // All that a page shows beside its members: the links in them move with collections, the view with the page size.
  const frame = [head, search, String(cls.fingerprint), formerNames(cls), String(pageSizes.standard)]
  const fingerprints = byMediaType((mediaType) => fingerprint(...frame, mediaType))

  return {
    body(page: Page, asked: PageQuery, query: string | undefined): string {
      let members = ''
      for (const member of page.members)
        members += (members === '' ? '' : ',') + representation.within(member)
      const view = representView(address, page.total, asked, query, pageSizes)
      return `${head}${page.total},"member":[${members}],"view":${view},"search":${query ? searchName : search}}`
    },
    /** Over what the page shows: a version names one state of one member of the class. */
    etag({ members, total }: Page, query: string | undefined, mediaType: keyof typeof fingerprints): string {
      let versions = ''
      for (const { version } of members) versions += `${version},`
      return `"${fingerprint(versions, String(total), query ?? '', fingerprints[mediaType])}"`
    },
  }
}

function representView(
  address: string,
  total: number,
  asked: PageQuery,
  query: string | undefined,
  sizes: PageSizes,
): string {
  const { page, itemsPerPage } = asked
  const size = itemsPerPage === sizes.standard ? '' : `&itemsPerPage=${itemsPerPage}`
  // A link that would be answered with 400 is left out.
  const link = (name: string, to: number) =>
    isReachable(to, itemsPerPage) ? `,"${name}":"${address}?page=${to}${size}"` : ''
  const last = Math.max(1, Math.ceil(total / itemsPerPage))
  const self = query ? `${address}?${toIri(query)}` : `${address}?itemsPerPage=${itemsPerPage}`
  return (
    `{"@id":${JSON.stringify(self)},"@type":"PartialCollectionView"${link('first', 1)}` +
    `${page > 1 ? link('previous', Math.min(page - 1, last)) : ''}${page < last ? link('next', page + 1) : ''}${link('last', last)}}`
  )
}

/**
 * What HTTP lets through in a query but an IRI does not allow (RFC 3987 §2.2), percent-encoded; and every byte beyond
 * ASCII, which node:http hands over as a character of its own.
 */
export const toIri = (query: string): string =>
  query.replace(
    /%(?![0-9A-Fa-f]{2})|[^!-~]|["<>[\\\]^`{|}#]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

function representSearch(address: string): object {
  const mapping = (variable: string, property: string) => ({
    '@type': 'IriTemplateMapping',
    variable,
    property,
    required: false,
  })
  return {
    '@id': `${address}#search`,
    '@type': 'IriTemplate',
    template: `${address}{?page,itemsPerPage}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: [mapping('page', 'hydra:pageIndex'), mapping('itemsPerPage', 'hydra:limit')],
  }
}
