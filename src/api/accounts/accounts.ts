import { makeParaphrase } from '../../auth/index.ts'
import { pathTo } from '../../vocabulary/index.ts'
import { CREATOR } from '../access/property-views.ts'
import { type CollectionDependencies, collection } from '../collection.ts'
import { validationFailed } from '../input/problems.ts'
import { apiViolation } from '../problems/index.ts'
import { mediaTypeFor, readBody, requireMediaType } from '../request.ts'
import { ifPermitted, resource } from '../resource.ts'
import { withoutStoring } from '../respond.ts'
import type { Handler, Resource } from '../types.ts'
import type { Accounts } from './dependencies.ts'
import { hashSent } from './hash-paraphrase.ts'
import { inStep } from './in-step.ts'
import { checkValues, valuesIn } from './values.ts'

/** `{base}/accounts` (people.md, Accounts). */
export function accountCollection(dependencies: CollectionDependencies, accounts: Accounts): Resource {
  const list = collection(dependencies).methods.get('GET') as Handler
  return resource({
    GET: ifPermitted(dependencies, 'list', inStep(accounts, list)),
    POST: ifPermitted(dependencies, 'create', createPost(dependencies, accounts)),
  })
}

function createPost(dependencies: CollectionDependencies, accounts: Accounts): Handler {
  const { cls, base, access, inputFor, store, now, representation, controlsFor, respond } = dependencies
  const { auth, mirror, hashNew, roles: known } = accounts
  const target = base + pathTo(cls.collection)
  return async ({ request, principal }) => {
    const mediaType = mediaTypeFor(request)
    requireMediaType(request, 'member')
    const input = inputFor(CREATOR)
    const sent = await input.toOwnTerms(await readBody(request, 'member'), target, principal)
    const values = checkValues(valuesIn(input.create(sent, '', now())), known)
    const made = values.paraphrase === undefined ? await makeParaphrase() : undefined
    const paraphraseHash = await hashSent(hashNew, values.paraphrase ?? made ?? '', request)
    const { userId, name, roles } = values
    const added = await auth.addUser({ id: userId, name, roles, paraphraseHash }, now())
    if (added === 'no next id') throw validationFailed(apiViolation('NoNextUserId', 'userId'))
    if (typeof added !== 'number')
      throw validationFailed(apiViolation('NotUnique', added === 'id taken' ? 'userId' : 'name'))
    await mirror()
    const account = await store.find(cls.name, String(added))
    if (account === undefined) throw new Error(`The account of user ${added} was not added.`)
    const controls = controlsFor(await access.relationOf(account, principal))
    const represented = representation.represent(account, mediaType, controls)
    const address = ['Location', representation.address(account.id)]
    if (made === undefined) return respond.send(request, 201, represented, address)
    // Shown in this answer alone: it is in no log, no event and no later answer.
    const body = () => `${represented.body().slice(0, -1)},"paraphrase":${JSON.stringify(made)}}`
    return withoutStoring(await respond.send(request, 201, { ...represented, body }, address))
  }
}
