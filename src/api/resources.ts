import type { Routes } from '../http/index.ts'
import { createNumberCiphers, createTextCipher, type NumberCipher, type TextCipher } from '../seal.ts'
import {
  ACCOUNT,
  HISTORY,
  hasCollection,
  isAccount,
  linksToAccounts,
  type Model,
  ofFile,
  pathOf,
  permittedModel,
  previewedClasses,
  queriedModel,
  REMOVAL,
  RESTORE,
} from '../vocabulary/index.ts'
import { createAccess } from './access/access.ts'
import {
  type ClassesFor,
  createClassesFor,
  type SharedClass,
  type UserRoleSet,
} from './access/shared-classes.ts'
import { createTieReader } from './access/ties.ts'
import { account } from './accounts/account.ts'
import { accountCollection } from './accounts/accounts.ts'
import { withActivity } from './accounts/activity.ts'
import { createShowActor } from './accounts/actors.ts'
import { accountTokens, ownParaphrase } from './accounts/own.ts'
import { batch } from './batch/batch.ts'
import { createTurns, type Work } from './batch/turns.ts'
import { collection, createListing, type Listing } from './collection.ts'
import { contexts } from './contexts.ts'
import { documentation } from './documentation.ts'
import { representEntryPoint } from './entry-point.ts'
import { events } from './feed/events.ts'
import { createFeed } from './feed/feed.ts'
import { createEventIds } from './feed/ids.ts'
import { createNamedAt } from './feed/named-at.ts'
import { createSights } from './feed/sights.ts'
import { createEntryRepresentation } from './history/entries.ts'
import { historyEntry } from './history/entry.ts'
import { withHistory } from './history/gone.ts'
import { history } from './history/history.ts'
import { historyRestore } from './history/restore.ts'
import { createExpandBody } from './input/expansion.ts'
import type { ExpandBody } from './input/expansion-thread.ts'
import { type MemberResource, member, single } from './member.ts'
import { createNestedPathHint } from './nested-path.ts'
import { createOpenApi } from './openapi/document.ts'
import { createResolveIncludes } from './output/include.ts'
import { createReadIncludedPage } from './output/included-page.ts'
import { createMemberControls } from './output/member.ts'
import { customOperation } from './program/custom-operation.ts'
import { createReadFields } from './query/fields.ts'
import { createReadInclude } from './query/include.ts'
import { removalPreview } from './removal/preview.ts'
import { createRemovals } from './removal/removals.ts'
import { createRemovalRules, type RemovalRules } from './removal/rules.ts'
import { OPENAPI_JSON, PLAIN_JSON } from './request.ts'
import { resource, withMethodsOf } from './resource.ts'
import type { Respond } from './respond.ts'
import { session } from './session.ts'
import { summaries } from './summaries/summaries.ts'
import type { ClassDependencies, Resource, ResourceDependencies } from './types.ts'

/** Everything that has an address (hypermedia.md, Resources), as users with these roles see it. */
export function createResources(
  dependencies: ResourceDependencies,
  respond: Respond,
): (userRoles: UserRoleSet) => Routes<Resource> {
  const { model, batchLimits, secret } = dependencies
  const expandBody = createExpandBody()
  const shared: SharedByRoles = {
    sealOf: createNumberCiphers(secret),
    expandBody,
    sealCursor: createTextCipher(secret, 'cursors'),
    classesFor: createClassesFor(model, dependencies, expandBody),
    serveFeed: createServeFeed(dependencies, respond),
    workOf: createTurns(batchLimits),
    rules: createRemovalRules(model),
  }
  return (userRoles) => createRoutes(userRoles, dependencies, respond, shared)
}

/** Dependencies that all sets of roles share. */
interface SharedByRoles {
  /** The cipher of numbers for a purpose. */
  readonly sealOf: (purpose: string) => NumberCipher
  readonly sealCursor: TextCipher
  readonly expandBody: ExpandBody
  readonly classesFor: ClassesFor
  readonly serveFeed: ServeFeed
  readonly workOf: (user: string) => Work
  readonly rules: RemovalRules
}

/** The routes of users with these roles. */
function createRoutes(
  userRoles: UserRoleSet,
  dependencies: ResourceDependencies,
  respond: Respond,
  shared: SharedByRoles,
): Routes<Resource> {
  const { base, model, store, clock, pageSizes, secret, hooks, batchLimits, onFault, accounts } = dependencies
  const mode = userRoles === undefined ? 'anyone' : dependencies.mode
  const permitted = permittedModel(model, userRoles)
  const queried = queriedModel(permitted, userRoles)
  const sharedClasses = shared.classesFor(permitted, userRoles)
  const seal = shared.sealCursor
  const listings = new Map(
    sharedClasses.flatMap(({ cls, representation }) => {
      if (!hasCollection(cls)) return []
      const own = { cls, model: queried, base, pageSizes, secret, representation, seal }
      return [[cls.name, createListing(own)] as const]
    }),
  )
  const classes = createClasses(userRoles, permitted, dependencies, respond, {
    ...{ ...shared, sharedClasses, listings },
  })
  const openApi = () => createOpenApi(permitted, base, { mode, pageSizes, model, queried })

  const root = resource({ GET: respond.fixed(() => representEntryPoint(permitted, base, mode)) })
  const topLevel = new Map([
    ['vocab', documentation(permitted, base, { mode, queried }, respond)],
    ['openapi', resource({ GET: respond.fixed(openApi, [OPENAPI_JSON, PLAIN_JSON]) })],
  ])
  if (userRoles !== undefined)
    topLevel.set('events', shared.serveFeed(userRoles, ofFile(permitted), withoutAccount(classes)))
  if (mode === 'token') topLevel.set('session', session({ base, tokens: store.auth, clock, respond }))
  const members = new Map([
    ['contexts', contexts(permitted, { base, mode }, respond, classes)],
    ['summaries', summaries({ permitted: queried, classes })],
  ])
  const operations = new Map<string, Resource>()
  const previewed = previewedClasses(permitted)
  for (const { cls } of sharedClasses) {
    const own = classes.get(cls.name) as ClassDependencies
    const listing = listings.get(cls.name)
    if (isAccount(cls) && accounts !== undefined && hasCollection(cls) && listing !== undefined) {
      topLevel.set(cls.collection, accountCollection({ ...own, cls, listing }, accounts))
      members.set(cls.collection, account(own, accounts))
      operations.set(`${cls.collection}/paraphrase`, ownParaphrase(own, accounts))
      operations.set(`${cls.collection}/tokens`, accountTokens(own, accounts))
      if (previewed.has(cls.name)) operations.set(`${cls.collection}/${REMOVAL}`, removalPreview(own))
    } else if (hasCollection(cls) && listing !== undefined) {
      topLevel.set(cls.collection, collection({ ...own, cls, listing }))
      members.set(cls.collection, remembering(member, own, operations))
      if (previewed.has(cls.name)) operations.set(`${cls.collection}/${REMOVAL}`, removalPreview(own))
    } else topLevel.set(cls.name, remembering(single, own, operations))
    if (hooks === undefined) continue
    for (const one of cls.customOperations ?? []) {
      const [path, custom] = [
        `${pathOf(cls)}/${one.name}`,
        customOperation(one, { ...own, program: hooks, classes }),
      ]
      operations.set(path, withMethodsOf(operations.get(path), custom))
    }
  }
  const hint = createNestedPathHint(permitted, queried, new URL(base).pathname.replace(/\/$/, ''))
  const routes = { root, topLevel, members, operations, hint }
  const { workOf } = shared
  const inStep = model.classes.some(linksToAccounts) ? accounts?.mirror : undefined
  if (userRoles !== undefined)
    topLevel.set(
      'batch',
      batch({ base, model, store, batchLimits, onFault, respond, routes, workOf, inStep }),
    )
  return routes
}

/** The resource of a member, with its history below it where the class keeps one (history.md). */
function remembering(
  create: (own: ClassDependencies) => MemberResource,
  own: ClassDependencies,
  operations: Map<string, Resource>,
): Resource {
  const { cls } = own
  if (cls.history === undefined) return create(own).resource
  const varying = { ...own, respond: own.respond.varyingBy('Accept-Datetime') }
  const { resource: member, restore } = create(varying)
  const path = `${pathOf(cls)}/${HISTORY}`
  const entries = createEntryRepresentation(own)
  operations.set(path, history(own, entries))
  operations.set(`${path}/*`, historyEntry(own, entries))
  operations.set(`${path}/*/${RESTORE}`, historyRestore(own, restore))
  return withHistory(member, varying, entries)
}

/** Accounts are not in the feed (people.md, Accounts). */
const withoutAccount = <T>(classes: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...classes].filter(([name]) => name !== ACCOUNT))

/** The dependencies of the resources of each class, by the name of the class. */
function createClasses(
  userRoles: UserRoleSet,
  permitted: Model,
  {
    base,
    model,
    store,
    clock,
    pageSizes,
    requireIfMatch,
    secret,
    batchLimits,
    accounts,
  }: ResourceDependencies,
  respond: Respond,
  {
    sealOf,
    expandBody,
    sharedClasses,
    listings,
    rules,
    workOf,
  }: SharedByRoles & {
    readonly sharedClasses: readonly SharedClass[]
    /** Keyed by class name. */
    readonly listings: ReadonlyMap<string, () => Listing>
  },
): ReadonlyMap<string, ClassDependencies> {
  const members = accounts ? withActivity(store.members, { auth: accounts.auth, clock }) : store.members
  const showActor = createShowActor(model, base, accounts, userRoles)
  const accessTo = createAccess(model, userRoles, sealOf, createTieReader(model, members))
  const representations = new Map(sharedClasses.map(({ cls, representation }) => [cls.name, representation]))
  const byName = new Map<string, ClassDependencies>()
  const removals = createRemovals({ rules, members, classes: byName, batchLimits, workOf })
  for (const one of sharedClasses) {
    const { cls, representation } = one
    const access = accessTo(cls)
    byName.set(cls.name, {
      ...{ base, model, pageSizes, requireIfMatch, removals },
      ...{ ...one, access, expandBody, respond },
      store: members,
      history: store.history,
      showActor,
      inStep: linksToAccounts(cls) ? accounts?.mirror : undefined,
      now: clock.now,
      controlsFor: createMemberControls(cls, base, { access, representation }),
      readInclude: createReadInclude(cls, permitted, base, secret),
      readFields: createReadFields(cls, permitted),
      resolveIncludes: createResolveIncludes({
        ...{ base, cls, access, store: members, representations },
        readIncludedPage: createReadIncludedPage({ base, access, store: members, listings }),
      }),
    })
  }
  return byName
}

/** `{base}/events` for users with these roles. */
type ServeFeed = (
  userRoles: readonly string[],
  permitted: Model,
  classes: ReadonlyMap<string, ClassDependencies>,
) => Resource

/** One feed serves the streams of all users. */
function createServeFeed(dependencies: ResourceDependencies, respond: Respond): ServeFeed {
  const { base, store, clock, secret, epoch, streams, replaced, tokenTtlMs, pageSizes, accounts } =
    dependencies
  const sights = createSights(dependencies.model, createNamedAt(store))
  const feed = dependencies.feed ?? createFeed({ store, clock, streams, ...(replaced && { replaced }) })
  const ids = createEventIds({ base, secret, changes: store.changes }, epoch)
  return (userRoles, model, views) =>
    events({
      base,
      model,
      userRoles,
      views,
      ids,
      sights,
      showActor: createShowActor(dependencies.model, base, accounts, userRoles),
      feed,
      store,
      clock,
      tokenTtlMs,
      pageSizes,
      respond,
    })
}
