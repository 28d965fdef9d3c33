import type { Clock, GateMode } from '../auth/index.ts'
import { notFound } from '../errors.ts'
import type { Routes } from '../http/index.ts'
import type { Store } from '../store/index.ts'
import {
  batchContext,
  type Class,
  classIri,
  collectionContext,
  createDocumentation,
  documentationContext,
  entryPointContext,
  entryPointPaths,
  errorContext,
  hasCollection,
  hasWrites,
  type Model,
  memberContext,
  pathTo,
  permittedModel,
  sessionContext,
  storedClasses,
} from '../vocabulary/index.ts'
import { createAccess } from './access.ts'
import { type BatchLimits, batch } from './batch/batch.ts'
import { collection, createListing } from './collection.ts'
import { createInput } from './input/input.ts'
import { member } from './member.ts'
import { createOpenApi, OPENAPI_TYPES } from './openapi/document.ts'
import { createMemberRepresentation, createOffers } from './output/member.ts'
import type { PageSizes } from './query/query.ts'
import { type Handler, type Resource, type Respond, resource } from './respond.ts'
import { session } from './session.ts'
import { single } from './single.ts'

export interface ResourceParts {
  readonly base: string
  readonly model: Model
  readonly store: Store
  readonly clock: Clock
  readonly mode: GateMode
  readonly pageSizes: PageSizes
  readonly batchLimits: BatchLimits
  readonly requireIfMatch: boolean
}

/** Everything that has an address (hypermedia.md, Resources), as users with these roles see it. */
export function createResources(
  parts: ResourceParts,
  respond: Respond,
): (held: readonly string[]) => Routes<Resource> {
  const { base, model, store, clock, mode } = parts
  const hasSession = mode === 'token'
  const fixed = (document: object) => resource({ GET: respond.fixed(document) })
  const classes = storedClasses(model).map((cls) => createClassParts(cls, parts))

  return (held) => {
    const permitted = permittedModel(model, held)
    const accessTo = createAccess(model, held)
    const root = fixed(representEntryPoint(permitted, base, hasSession))
    const first = new Map([['vocab', fixed(createDocumentation(permitted, base, { session: hasSession }))]])
    const second = new Map([['contexts', contexts(permitted, base, respond)]])
    const openApi = () => createOpenApi(permitted, base, parts)
    first.set('openapi', resource({ GET: respond.foreign(OPENAPI_TYPES, openApi) }))
    if (hasSession) first.set('session', session({ base, store: store.auth, clock, respond }))

    for (const { cls, listing, ...made } of classes) {
      const access = accessTo(cls)
      const offers = createOffers(cls, base, { access, ...made })
      const shared = {
        ...parts,
        ...made,
        access,
        offers,
        store: store.members,
        respond,
        now: clock.now,
      }
      if (hasCollection(cls) && listing !== undefined) {
        first.set(cls.collection, collection({ ...shared, cls, listing }))
        second.set(cls.collection, member({ ...shared, cls }))
      } else {
        first.set(cls.name, single({ ...shared, cls }))
      }
    }
    const routes = { root, first, second }
    first.set('batch', batch({ ...parts, respond, routes }))
    return routes
  }
}

/** What is the same for every set of roles. */
function createClassParts(cls: Class, { base, pageSizes }: ResourceParts) {
  const representation = createMemberRepresentation(cls, base)
  const listing = hasCollection(cls) ? createListing({ cls, base, pageSizes, representation }) : undefined
  return { cls, input: createInput(cls, base), representation, listing }
}

/** `{base}` and `{base}/`: where every client begins. */
const representEntryPoint = (model: Model, base: string, hasSession: boolean): object => ({
  '@context': entryPointContext(model, base),
  '@id': `${base}/`,
  '@type': ['EntryPoint', 'hydra:Resource'],
  ...Object.fromEntries(entryPointPaths(model).map((path) => [path, base + pathTo(path)])),
  ...(hasSession && { session: `${base}/session` }),
  ...(hasWrites(model) && { batch: `${base}/batch` }),
  openapi: `${base}/openapi`,
  collection: model.classes.filter(hasCollection).map((cls) => ({
    '@id': base + pathTo(cls.collection),
    '@type': ['Collection', `${base}/vocab#${cls.name}Collection`],
    memberAssertion: { property: 'rdf:type', object: classIri(cls, base) },
  })),
})

/** `{base}/contexts/{name}`: the contexts that are inline in every representation, each at an address of its own. */
function contexts(model: Model, base: string, respond: Respond): Resource {
  const all: [string, object][] = [
    ['EntryPoint', entryPointContext(model, base)],
    ['ApiDocumentation', documentationContext(base)],
    ['Session', sessionContext(base)],
    ['ConstraintViolationList', errorContext(base)],
    ['OperationBatch', batchContext(base)],
    ...model.classes.map((cls): [string, object] => [cls.name, memberContext(cls, base)]),
    ...model.classes
      .filter(hasCollection)
      .map((cls): [string, object] => [`${cls.name}Collection`, collectionContext(cls, base)]),
  ]
  const handlers = new Map<string, Handler>(
    all.map(([name, context]) => [name, respond.fixed({ '@context': context })]),
  )
  return resource({
    GET: (visit) => {
      const read = handlers.get(visit.id)
      if (read !== undefined) return read(visit)
      throw notFound(`There is no such context; there is ${[...handlers.keys()].join(', ')}.`)
    },
  })
}
