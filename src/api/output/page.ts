import type { Page } from '../../members/index.ts'
import {
  type CollectionClass,
  classIri,
  collectionContext,
  contextAddress,
  mappingProperty,
  pathTo,
  vocabIri,
} from '../../vocabulary/index.ts'
import { toVariable } from '../query/encoding.ts'
import { createParameters, isRepeatable, type Parameter } from '../query/parameters.ts'
import type { ParsedQuery, QueryDependencies } from '../query/query.ts'
import { byMediaType, fingerprint, type MediaType, PLAIN_JSON } from '../request.ts'
import type { MemberRepresentation, ResolvedIncludes } from './member.ts'
import { createViewLinks, type ViewLinks } from './view.ts'

export interface PageDependencies extends QueryDependencies {
  readonly representation: MemberRepresentation
  readonly secret: Buffer
}

/** `query`: as it was sent. */
export type RepresentPage = (
  page: PageWithIncludes,
  parsed: ParsedQuery,
  query: string | undefined,
  mediaType: MediaType,
) => RepresentedPage

/** Pages of a collection. Text that is the same for all of them is computed at start. */
export function createRepresentPage(dependencies: PageDependencies): RepresentPage {
  const { cls, base, representation, pageSizes, secret } = dependencies
  const address = base + pathTo(cls.collection)
  const context = contextAddress(`${cls.name}Collection`, base)
  const assertion = { property: 'rdf:type', object: classIri(cls, base) }
  const plain =
    `"@id":"${address}","@type":["Collection","${cls.name}Collection"],` +
    `"memberAssertion":${JSON.stringify(assertion)}`
  const headOf = (text: string) => `{"@context":${text},${plain}`
  const head = headOf(JSON.stringify(collectionContext(cls, base)))
  const search = JSON.stringify(representSearch(cls, base))
  // These digests cover everything on a page except its members. They include the secret, so that versions cannot be
  // guessed from an ETag.
  const key = secret.toString('base64url')
  const fingerprints = byMediaType((mediaType) =>
    fingerprint(
      ...[head, search, String(pageSizes.standard), key],
      representation.etag({ version: 0 }, mediaType),
    ),
  )
  const viewLinks = createViewLinks(address, pageSizes.standard)

  return ({ page, includes }, parsed, query, mediaType) => {
    const { members, total, more } = page
    let texts = ''
    // A version identifies one state of one member of the class.
    let versions = includes === undefined ? '' : `${includes.state} `
    for (const member of members) {
      texts += (texts === '' ? '' : ',') + representation.within(member, includes?.nodes.get(member))
      versions += `${member.version},`
    }
    const rest = `${total} ${more}`
    const withContext = includes === undefined ? head : headOf(includes.include.pageContext)
    const start = mediaType === PLAIN_JSON ? `{${plain}` : withContext
    const counted = total === undefined ? '' : `,"totalItems":${total}`
    // The template is larger than many pages, and its address alone would stop clients that read RDF (hypermedia.md,
    // Collection).
    const searched = query || mediaType === PLAIN_JSON ? '' : `,"search":${search}`
    return {
      etag: `"${fingerprint(versions, rest, query ?? '', fingerprints[mediaType])}"`,
      context: includes === undefined ? context : `${context}?${includes.include.query}`,
      body: `${start}${counted},"member":[${texts}],"view":${viewOf(viewLinks(parsed, page, query))}${searched}}`,
    }
  }
}

function viewOf({ self, links }: ViewLinks): string {
  let text = `{"@id":"${self}","@type":"PartialCollectionView"`
  for (const [name, address] of links) text += `,"${name}":"${address}"`
  return `${text}}`
}

export interface RepresentedPage {
  readonly etag: string
  /** The address of the context; absent if there is none. */
  readonly context?: string
  /** Headers that belong to the body. */
  readonly headers?: readonly string[]
  readonly body: string
}

export interface PageWithIncludes {
  readonly page: Page
  readonly includes?: ResolvedIncludes | undefined
}

/** Parameters that have a property in Hydra; others get one of this API's vocabulary. */
const HYDRA_PROPERTIES: Readonly<Record<string, string>> = {
  q: 'hydra:freetextQuery',
  page: 'hydra:pageIndex',
  itemsPerPage: 'hydra:limit',
}

/** The search template of a collection: one variable, with its mapping, for each parameter. */
export function representSearch(cls: CollectionClass, base: string): object {
  const address = base + pathTo(cls.collection)
  const parameters = createParameters(cls).all
  return {
    '@id': `${address}#search`,
    '@type': 'IriTemplate',
    template: `${address}{?${parameters.map(variableOf).join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: parameters.map((parameter) => ({
      '@type': 'IriTemplateMapping',
      // Encoded as in the template, since clients do not decode it. Orders are not, since API Platform looks for
      // `order[p]`.
      variable: parameter.role === 'order' ? parameter.name : toVariable(parameter.name),
      property: propertyOf(parameter, cls, base),
      required: false,
    })),
  }
}

/**
 * A variable that may be repeated is exploded (RFC 6570 §2.4.2), so that a list becomes several values, not a long one.
 */
const variableOf = (parameter: Parameter): string =>
  toVariable(parameter.name) + (isRepeatable(parameter) ? '*' : '')

function propertyOf(parameter: Parameter, cls: CollectionClass, base: string): string {
  const { role } = parameter
  if (!('property' in parameter)) return HYDRA_PROPERTIES[role] ?? vocabIri(base, role)
  const { property } = parameter
  const test = parameter.role === 'filter' ? parameter.operator : role
  // A link within an embedded value is not a property of the class.
  if (test === 'eq' && cls.properties.includes(property)) return mappingProperty(cls, property, base)
  return vocabIri(base, `${test}/${property.name}`)
}
