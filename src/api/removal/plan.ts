import type { Principal } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import {
  addressOf,
  keyOfMember,
  type MemberHead,
  type MemberName,
  type WriteStore,
} from '../../members/index.ts'
import type { Problem } from '../../problem.ts'
import { CHANGED_MEANWHILE } from '../batch/overlay.ts'
import { findLabels } from '../labels.ts'
import { apiProblem } from '../problems/index.ts'
import type { ClassDependencies } from '../types.ts'
import { filterAsync, stillLinked } from '../write-errors.ts'
import type { RemovalRules } from './rules.ts'
import { MAX_COUNTED, type Reached, walkLinks } from './walk.ts'

/** model.md: the maximum of others that are removed or changed at once. */
const MAX_OTHERS = 1_000
const HEADS = 500

/** A member that is removed or changed together with another. */
export interface OtherMember extends MemberName, MemberHead {}

/** The effects of a removal on other members. */
export interface RemovalPlan {
  readonly deleted: readonly OtherMember[]
  readonly changed: readonly OtherMember[]
}

export interface PlanDependencies {
  readonly classes: ReadonlyMap<string, ClassDependencies>
  readonly rules: RemovalRules
  readonly store: Pick<WriteStore, 'linksTo' | 'findHeads' | 'find'>
  readonly principal: Principal | undefined
  pause(): Awaitable<void>
}

/** Throws if a link refuses the removal, if this user may not change all of the others, or if they are too many. */
export async function planRemoval(
  root: MemberName & { readonly cls: ClassDependencies },
  dependencies: PlanDependencies,
): Promise<RemovalPlan> {
  const { cls, ...name } = root
  const { access } = cls
  const { principal, store } = dependencies
  const isShown = (source: MemberName, property: string) =>
    !access.restricts(source.className) ||
    access.shownOf(source, [property], principal, store).then(({ length }) => length > 0)
  const seeing = { ...dependencies, isShown }
  const reached = await walkLinks(name, seeing)
  const others = await readOthers(reached, keyOfMember(name), dependencies)
  const isReadable = ({ className, id, head }: AffectedMember) =>
    access.mayReadOf({ className, id, owner: head?.owner }, principal, store)
  const unreadable = await filterAsync(
    [...others.deleted, ...others.changed],
    async (one) => !(await isReadable(one)),
  )
  const hidden = [...unreadable, ...others.secret]
  if (hidden.length > 0) {
    // Members found only through hidden ones would reveal what these link to.
    const readable = new Set((await filterAsync(others.deleted, isReadable)).map(keyOfMember))
    const seen = await walkLinks(name, { ...seeing, counts: (key) => readable.has(key) })
    const refusing = await readOthers(seen, keyOfMember(name), dependencies)
    throw await linkedProblem({ ...refusing, hidden }, seen, cls, dependencies)
  }
  const refusal = await refusalOf(others, reached, cls, dependencies)
  if (refusal !== undefined) throw refusal
  return { deleted: versionsOf(others.deleted), changed: versionsOf(others.changed) }
}

interface AffectedMember extends MemberName {
  /** Undefined for a class that the API file does not have. */
  readonly cls: ClassDependencies | undefined
  readonly head: MemberHead | undefined
}

interface Others {
  readonly deleted: readonly AffectedMember[]
  readonly changed: readonly AffectedMember[]
  readonly refusing: readonly AffectedMember[]
  readonly secret: readonly AffectedMember[]
}

const versionsOf = (found: readonly AffectedMember[]): OtherMember[] =>
  found.map(({ className, id, head }) => {
    if (head === undefined) throw CHANGED_MEANWHILE
    return { className, id, version: head.version, owner: head.owner }
  })

/** Reads the version and the owner of each of the others. */
async function readOthers(
  { gone, changed, refusing, secret }: Reached,
  rootKey: string,
  { classes, store, pause }: PlanDependencies,
): Promise<Others> {
  const heads = new Map<string, MemberHead>()
  const all = [gone, changed, refusing, secret].flatMap((some) => [...some.values()])
  for (const [className, some] of Map.groupBy(all, (one) => one.className)) {
    if (!classes.has(className)) continue
    const ids = [...new Set(some.map(({ id }) => id))]
    for (let start = 0; start < ids.length; start += HEADS) {
      for (const head of await store.findHeads(className, ids.slice(start, start + HEADS)))
        heads.set(keyOfMember({ className, id: head.id }), head)
      await pause()
    }
  }
  const found = (some: ReadonlyMap<string, MemberName>): AffectedMember[] =>
    [...some].flatMap(([key, { className, id }]) =>
      key === rootKey ? [] : { className, id, cls: classes.get(className), head: heads.get(key) },
    )
  const isKnown = ({ className, id }: MemberName) =>
    gone.has(keyOfMember({ className, id })) || changed.has(keyOfMember({ className, id }))
  return {
    deleted: found(gone),
    changed: found(changed),
    refusing: found(refusing),
    secret: found(secret).filter((one) => !isKnown(one)),
  }
}

/** The problem for members whose links refuse, and for those that the user may not read (`hidden`). */
function linkedProblem(
  { deleted, refusing, hidden = [] }: Others & { readonly hidden?: readonly AffectedMember[] },
  reached: Reached,
  root: ClassDependencies,
  { principal }: PlanDependencies,
): Promise<Problem> {
  // If the walk was cut off, members that refuse may turn out to be removed, too.
  const counted = reached.truncated === 'others' ? [] : refusing
  const from = [...counted, ...hidden].map(({ className, id, head }) => {
    const properties = [...(reached.refusing.get(keyOfMember({ className, id }))?.properties ?? [])].sort()
    return { className, id, owner: head?.owner, properties }
  })
  const isTruncated = reached.truncated === 'refusing'
  return stillLinked({ from, isTruncated, takesOthers: deleted.length > 0 }, root, principal)
}

/** Called if the user may read all of the others. */
async function refusalOf(
  others: Others,
  reached: Reached,
  root: ClassDependencies,
  dependencies: PlanDependencies,
): Promise<Problem | undefined> {
  const { deleted, changed, refusing } = others
  const { principal, store } = dependencies
  if (refusing.length > 0 && reached.truncated !== 'others')
    return linkedProblem(others, reached, root, dependencies)
  const without = async (right: 'delete' | 'update', some: readonly AffectedMember[]) => {
    const found = await filterAsync(some, async ({ cls, id, head }) =>
      cls === undefined
        ? false
        : !(await cls.access.may(right, { id, owner: head?.owner }, principal, store)),
    )
    return found.map(({ cls, id }) => ({ cls: (cls as ClassDependencies).cls, id }))
  }
  const forbidden = { deleted: await without('delete', deleted), changed: await without('update', changed) }
  const members = [...forbidden.deleted, ...forbidden.changed]
  if (members.length > 0) {
    const addresses = (some: typeof members) => some.map(({ cls, id }) => addressOf(cls, root.base)(id))
    return apiProblem('RemovalForbidden', {
      deleted: addresses(forbidden.deleted),
      changed: addresses(forbidden.changed),
      labels: await findLabels(members, principal, root),
    })
  }
  const count = deleted.length + changed.length
  if (count <= MAX_OTHERS && reached.truncated === undefined) return undefined
  const isExact = reached.truncated === undefined
  return apiProblem('RemovalTooLarge', {
    count: isExact ? count : Math.min(count, MAX_COUNTED),
    isExact,
    max: MAX_OTHERS,
  })
}
