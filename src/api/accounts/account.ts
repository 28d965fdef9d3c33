import type { JsonObject } from '../../json.ts'
import { ownOf, readText, type StoredMember } from '../../members/index.ts'
import { atProperty, Problem } from '../../problem.ts'
import { inputProblem, validationFailed } from '../input/problems.ts'
import { member } from '../member.ts'
import { apiProblem, apiViolation } from '../problems/index.ts'
import { mediaTypeFor, preconditionFailed, readBody, requireMediaType } from '../request.ts'
import { ifPermitted, resource } from '../resource.ts'
import type { ClassDependencies, Handler, RequestContext, Resource } from '../types.ts'
import { missingFrom } from '../write-errors.ts'
import type { Accounts } from './dependencies.ts'
import { findFor } from './find-account.ts'
import { hashSent } from './hash-paraphrase.ts'
import { inStep } from './in-step.ts'
import { areSameRoles, checkValues, valuesIn } from './values.ts'

/** `{base}/accounts/{id}` */
export function account(dependencies: ClassDependencies, accounts: Accounts): Resource {
  const read = member(dependencies).resource.methods.get('GET') as Handler
  return resource({
    GET: ifPermitted(dependencies, 'read', inStep(accounts, read)),
    PATCH: ifPermitted(dependencies, 'update', createPatch(dependencies, accounts)),
    DELETE: ifPermitted(dependencies, 'delete', createDelete(dependencies, accounts)),
  })
}

function createPatch(
  dependencies: ClassDependencies,
  { auth, mirror, hashNew, roles: known, managers }: Accounts,
): Handler {
  const { cls, access, inputFor, store, now, representation, controlsFor, respond } = dependencies

  /** What the patch changes; what stays the same is left out. */
  async function changeOf(
    found: StoredMember,
    patched: Parameters<typeof valuesIn>[0],
    context: RequestContext,
  ) {
    const { request, principal, id } = context
    const isOwn = String(principal?.userId) === id
    const before = valuesIn(found)
    const values = valuesIn(patched)
    const hasSameRoles = areSameRoles(values.roles, before.roles)
    // The user may have roles that the API file no longer knows.
    const { userId, name, roles, paraphrase } = checkValues(values, hasSameRoles ? before.roles : known)
    if (userId !== before.userId)
      throw validationFailed(atProperty(inputProblem('ReadOnly', { isNew: false }), 'userId'))
    if (paraphrase !== undefined && isOwn) {
      const address = `${representation.address(found.id)}/paraphrase`
      throw validationFailed(apiViolation('OwnParaphrase', 'paraphrase', { address }))
    }
    return {
      ...(name !== before.name && { name: name ?? null }),
      ...(!hasSameRoles && { roles }),
      ...(paraphrase !== undefined && { paraphraseHash: await hashSent(hashNew, paraphrase, request) }),
    }
  }

  /** False if another request has changed the account since it was read. */
  async function isChanged(context: RequestContext, readPatch: () => Promise<JsonObject>): Promise<boolean> {
    const { principal, id } = context
    await mirror()
    const { found, relation, preconditions } = await findFor('update', context, dependencies)
    const patched = inputFor(relation).update(await readPatch(), found, now(), { writer: principal })
    const change = await changeOf(found, patched, context)
    const revision = Number(ownOf(readText(found.body), 'revision'))
    const outcome = await auth.changeUser(Number(id), change, {
      revision,
      ...(change.roles !== undefined && { keepRoles: managers }),
    })
    if (outcome === 'missing') throw missingFrom(cls, id)
    if (outcome === 'last manager') throw apiProblem('LastManager')
    if (outcome === 'name taken') throw validationFailed(apiViolation('NotUnique', 'name'))
    if (outcome === 'stale' && preconditions.match !== undefined) throw preconditionFailed('changed')
    return outcome !== 'stale'
  }

  return async (context) => {
    const { request, principal, id } = context
    const mediaType = mediaTypeFor(request)
    requireMediaType(request, 'patch')
    let patch: Promise<JsonObject> | undefined
    const readPatch = () => {
      patch ??= readBody(request, 'patch')
      return patch
    }
    for (let tries = 1; !(await isChanged(context, readPatch)); tries += 1)
      if (tries === MAX_TRIES)
        throw apiProblem('ConcurrentChanges', { members: 'member', retryAfterSeconds: 1 })
    await mirror()
    const changed = await store.find(cls.name, id)
    if (changed === undefined) throw missingFrom(cls, id)
    const controls = controlsFor(await access.relationOf(changed, principal))
    return respond.send(request, 200, representation.represent(changed, mediaType, controls), [])
  }
}

/** More concurrent changes than people make by hand. */
const MAX_TRIES = 20

function createDelete(
  dependencies: ClassDependencies,
  { auth, mirror, managers, remove }: Accounts,
): Handler {
  const { cls, respond } = dependencies
  return async (context) => {
    const { id, request } = context
    await mirror()
    await findFor('delete', context, dependencies)
    await request.readBody()
    const begun = await auth.beginRemoval(Number(id), managers)
    if (begun === 'missing') throw missingFrom(cls, id)
    if (begun === 'last manager') throw apiProblem('LastManager')
    try {
      await remove(id)
    } catch (error) {
      await auth.cancelRemoval(Number(id))
      throw await asSeenBy(context, error, dependencies)
    }
    await auth.removeUser(Number(id))
    await mirror()
    return respond.noContent()
  }
}

/** Problems of links to the account, or to members that would go with it. */
const OF_LINKS = ['StillLinked', 'RemovalTooLarge']

/**
 * Since the program removes the account, its problem names and counts all members, also those that the user may not read
 * (access.md, On the wire). Returns the problem that the user would have.
 */
async function asSeenBy(
  { id, principal }: RequestContext,
  error: unknown,
  dependencies: ClassDependencies,
): Promise<unknown> {
  if (!(error instanceof Problem) || !OF_LINKS.includes(error.code)) return error
  try {
    await dependencies.removals.preview(id, dependencies, principal)
  } catch (seen) {
    // The rights to change others do not matter here; the user may read all of them.
    if (!(seen instanceof Problem) || seen.code !== 'RemovalForbidden') return seen
  }
  return error
}
