import type { NumberCipher } from '../seal.ts'
import { linksToAccounts, type Model } from '../vocabulary/index.ts'
import { createAccess } from './access/access.ts'
import type { SharedClass, UserRoleSet } from './access/shared-classes.ts'
import { createTieReader } from './access/ties.ts'
import { withActivity } from './accounts/activity.ts'
import { createShowActor } from './accounts/actors.ts'
import type { Work } from './batch/turns.ts'
import type { Listing } from './collection.ts'
import type { ExpandBody } from './input/expansion-thread.ts'
import { createResolveIncludes } from './output/include.ts'
import { createReadIncludedPage } from './output/included-page.ts'
import { createMemberControls } from './output/member.ts'
import { createReadFields } from './query/fields.ts'
import { createReadInclude } from './query/include.ts'
import { createRemovals } from './removal/removals.ts'
import type { RemovalRules } from './removal/rules.ts'
import type { Respond } from './respond.ts'
import type { ClassDependencies, ResourceDependencies } from './types.ts'

/** Dependencies that the classes share, whatever the roles. */
export interface SharedByClasses {
  /** The cipher of numbers for a purpose. */
  readonly sealOf: (purpose: string) => NumberCipher
  readonly expandBody: ExpandBody
  readonly workOf: (user: string) => Work
  readonly rules: RemovalRules
}

interface ClassSources extends SharedByClasses {
  readonly sharedClasses: readonly SharedClass[]
  /** Keyed by class name. */
  readonly listings: ReadonlyMap<string, () => Listing>
}

/** The dependencies of the resources of each class, keyed by class name. */
export function createClasses(
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
  { sealOf, expandBody, sharedClasses, listings, rules, workOf }: ClassSources,
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
