import type { Principal, Token } from '../auth/index.ts'
import { notFound } from '../errors.ts'
import type { Routes } from '../http/index.ts'
import { createNumberCiphers, createTextCipher } from '../seal.ts'
import { suggestion } from '../text.ts'
import {
  batchContext,
  classIri,
  collectionContext,
  createDocumentation,
  documentationContext,
  entryPointClasses,
  entryPointContext,
  entryPointPaths,
  errorContext,
  eventsContext,
  filteredLinks,
  hasCollection,
  hasFilters,
  hasWrites,
  ID,
  type Model,
  memberContext,
  pathOf,
  pathTo,
  permittedModel,
  permittedOperations,
  sessionContext,
  storedClasses,
} from '../vocabulary/index.ts'
import { createAccess } from './access.ts'
import { batch } from './batch/batch.ts'
import { createTurns } from './batch/turns.ts'
import { collection, createListing, type Listing } from './collection.ts'
import { events } from './feed/events.ts'
import { createFeed } from './feed/feed.ts'
import { createEventIds } from './feed/ids.ts'
import { createExpandBody } from './input/expansion.ts'
import { createInput } from './input/input.ts'
import { member, single } from './member.ts'
import { createOpenApi } from './openapi/document.ts'
import { createResolveIncludes } from './output/include.ts'
import { createMemberControls, createMemberRepresentation } from './output/member.ts'
import { ownOperation } from './own-operation.ts'
import type { ClassParts, Resource, ResourceParts } from './parts.ts'
import { createReadInclude } from './query/include.ts'
import { readIncluded } from './query/parameters.ts'
import { fingerprint, JSON_TYPES, mediaTypeFor, OPENAPI_JSON, PLAIN_JSON } from './request.ts'
import { resource } from './resource.ts'
import type { Respond } from './respond.ts'

/** The classes that have members, by name. */
type Views = ReadonlyMap<string, ClassParts>

/** Everything that has an address (hypermedia.md, Resources), as users with these roles see it. */
export function createResources(
  parts: ResourceParts,
  respond: Respond,
): (userRoles: readonly string[]) => Routes<Resource> {
  const { base, model, store, clock, mode, secret, hooks } = parts
  const hasSession = mode === 'token'
  // What all sets of roles share.
  const sealOf = createNumberCiphers(secret)
  const seal = createTextCipher(secret, 'cursors')
  const expandBody = createExpandBody()
  const classes = storedClasses(model).map((cls) => {
    const representation = createMemberRepresentation(cls, base)
    const listing = hasCollection(cls) ? createListing({ ...parts, cls, representation, seal }) : undefined
    const shared = {
      representation,
      input: createInput(cls, base, expandBody),
      expandBody,
      hooks: hooks?.of(cls, representation.within),
    }
    return { cls, listing, shared }
  })
  const representations = new Map(classes.map(({ cls, shared }) => [cls.name, shared.representation]))
  const feed = createFeed(parts)
  const ids = createEventIds({ ...parts, changes: store.changes }, parts.epoch)
  const workOf = createTurns(parts.batchLimits)

  return (userRoles) => {
    const permitted = permittedModel(model, userRoles)
    const accessTo = createAccess(model, userRoles, sealOf)
    const views = new Map<string, ClassParts>()
    const root = resource({ GET: respond.fixed(() => representEntryPoint(permitted, base, hasSession)) })
    const documentation = () => createDocumentation(permitted, base, { session: hasSession })
    const openApi = respond.fixed(() => createOpenApi(permitted, base, parts), [OPENAPI_JSON, PLAIN_JSON])
    const topLevel = new Map([['vocab', resource({ GET: respond.fixed(documentation) })]])
    const members = new Map([['contexts', contexts(permitted, base, respond, views)]])
    const operations = new Map<string, Resource>()
    topLevel.set('openapi', resource({ GET: openApi }))
    if (hasSession) topLevel.set('session', session(parts, respond))
    topLevel.set('events', events({ ...parts, model: permitted, userRoles, views, ids, feed, respond }))

    for (const { cls, listing, shared } of classes) {
      const access = accessTo(cls)
      const view: ClassParts = {
        ...parts,
        ...shared,
        cls,
        access,
        respond,
        store: store.members,
        now: clock.now,
        controlsFor: createMemberControls(cls, base, { access, ...shared }),
        readInclude: createReadInclude(cls, permitted, base, secret),
        resolveIncludes: createResolveIncludes({ base, cls, access, store: store.members, representations }),
      }
      views.set(cls.name, view)
      if (hasCollection(cls)) {
        topLevel.set(cls.collection, collection({ ...view, cls, listing: listing as Listing }))
        members.set(cls.collection, member(view))
      } else topLevel.set(cls.name, single(view))
      if (hooks === undefined) continue
      for (const one of cls.ownOperations ?? [])
        operations.set(`${pathOf(cls)}/${one.name}`, ownOperation(one, { ...view, program: hooks, views }))
    }
    const hint = createHint(permitted, new URL(base).pathname.replace(/\/$/, ''))
    const routes = { root, topLevel, members, operations, hint }
    topLevel.set('batch', batch({ ...parts, respond, routes, workOf }))
    return routes
  }
}

/** `{base}` and `{base}/`: the entry point. */
const representEntryPoint = (model: Model, base: string, hasSession: boolean): object => ({
  '@context': entryPointContext(model, base),
  '@id': `${base}/`,
  '@type': ['EntryPoint', 'hydra:Resource'],
  ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
  ...(hasSession && { session: `${base}/session` }),
  ...(hasWrites(model) && { batch: `${base}/batch` }),
  events: `${base}/events`,
  openapi: `${base}/openapi`,
  collection: entryPointClasses(model)
    .filter(hasCollection)
    .map((cls) => ({
      '@id': base + pathTo(cls.collection),
      '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
      memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
    })),
})

/** For `/customers/c1/orders`, which other APIs have: suggests the filter that has the same meaning here. */
function createHint({ classes }: Model, mount: string): NonNullable<Routes<Resource>['hint']> {
  const collections = new Map(classes.filter(hasCollection).map((cls) => [cls.collection, cls]))
  return (collection, rest) => {
    // Two names and an id fit into 500 characters.
    const [id = '', name = '', ...more] = rest.slice(0, 500).split('/')
    const cls = collections.get(collection)
    if (cls === undefined || !ID.test(id) || more.join('') !== '') return undefined
    const address = `${mount}${pathTo(collection)}/${id}`
    if (cls.properties.some((property) => property.name === name))
      return `There is nothing at this path; ${name} is a part of the member at ${address}.`
    const listed = collections.get(name)
    if (listed === undefined || !listed.operations.has('list')) {
      const own = permittedOperations(cls).map((operation) => operation.name)
      return own.length > 0 ? `There is nothing at this path; ${suggestion(name, own)}` : undefined
    }
    const filters = [...listed.properties.filter(hasFilters), ...filteredLinks(listed)]
      .filter(({ range }) => range.kind === 'link' && range.className === cls.name)
      .map((property) => `${mount}${pathTo(name)}?${property.name}=${address}`)
    if (filters.length === 0) return undefined
    return `There is nothing at this path; ask for ${filters.slice(0, 5).join(' or ')}.`
  }
}

/**
 * `{base}/contexts/{name}`: the contexts that every representation has inline, each at its own address. `?include=` gives
 * the context of a representation with included members.
 */
function contexts(model: Model, base: string, respond: Respond, views: Views): Resource {
  // A context by itself states nothing, so it cannot be written as Turtle.
  const serve = (make: () => object) => respond.fixed(() => ({ '@context': make() }), JSON_TYPES)
  const makers: readonly (readonly [name: string, make: () => object])[] = [
    ['EntryPoint', () => entryPointContext(model, base)],
    ['ApiDocumentation', () => documentationContext(base)],
    ['Session', () => sessionContext(base)],
    ['events', () => eventsContext(model, base)],
    ['ConstraintViolationList', () => errorContext(base)],
    ['OperationBatch', () => batchContext(base)],
    ...model.classes.map((cls) => [cls.name, () => memberContext(cls, base)] as const),
    ...model.classes
      .filter(hasCollection)
      .map((cls) => [`${cls.name}Collection`, () => collectionContext(cls, base)] as const),
  ]
  const handlers = new Map(makers.map(([name, make]) => [name, serve(make)]))
  const including = (id: string, included: readonly string[]): string | undefined =>
    views.get(id)?.readInclude(included).context ??
    views.get(id.replace(/Collection$/, ''))?.readInclude(included).pageContext
  return resource({
    GET: (visit) => {
      const read = handlers.get(visit.id)
      if (read === undefined)
        throw notFound(`There is no such context; there is ${[...handlers.keys()].join(', ')}.`)
      const included = readIncluded(visit.query)
      const text = included && including(visit.id, included)
      return text ? serve(() => JSON.parse(text))(visit) : read(visit)
    },
  })
}

/** `{base}/session`: whose token this is, until when, and with which roles; DELETE ends it (authentication.md, Session resource). */
function session({ base, store, clock }: ResourceParts, respond: Respond): Resource {
  const context = JSON.stringify(sessionContext(base))
  return resource({
    GET: ({ request, principal }) => {
      const { userId, issuedAt, expiresAt } = tokenOf(principal)
      const mediaType = mediaTypeFor(request)
      const roles = JSON.stringify(principal?.roles.toSorted())
      const [issued, expires] = [issuedAt, expiresAt].map((time) => new Date(time).toISOString())
      const body =
        `{"@context":${context},"@id":"${base}/session","@type":"Session","user":${userId},` +
        `"issuedAt":"${issued}","expiresAt":"${expires}","roles":${roles}}`
      // By what is shown alone: the number of the token would count all exchanges.
      return respond.read(request, { mediaType, etag: `"${fingerprint(body, mediaType)}"`, body: () => body })
    },
    DELETE: async ({ request, principal }) => {
      await request.readBody()
      await store.auth.revokeTokens({ tokenId: tokenOf(principal).id }, clock.now())
      return respond.noContent()
    },
  })
}

/** The session is served only while tokens are on, and then every principal has a token. */
const tokenOf = (principal: Principal | undefined) => principal?.token as Token
