import { readParaphrase } from '../../auth/index.ts'
import type { JsonObject } from '../../json.ts'
import { atProperty, type ProblemData } from '../../problem.ts'
import { validationFailed } from '../input/problems.ts'
import { apiProblem, apiViolation } from '../problems/index.ts'
import { readBody, requireMediaType } from '../request.ts'
import { resource } from '../resource.ts'
import type { ClassDependencies, RequestContext, Resource } from '../types.ts'
import { missingFrom } from '../write-errors.ts'
import type { Accounts } from './dependencies.ts'
import { findFor } from './find-account.ts'
import { hashSent } from './hash-paraphrase.ts'

const isOwn = ({ id, principal }: RequestContext): boolean => id === String(principal?.userId)

/** `{base}/accounts/{id}/paraphrase`: changes the user's own paraphrase, given the current one. */
export function ownParaphrase(dependencies: ClassDependencies, accounts: Accounts): Resource {
  const { cls, respond } = dependencies
  const { auth, mirror, checkOwn, hashNew } = accounts
  return resource({
    POST: async (context) => {
      const { request, principal, id } = context
      requireMediaType(request, 'member')
      await mirror()
      await findFor('read', context, dependencies)
      if (!isOwn(context)) throw apiProblem('NotOwnAccount')
      const { current, paraphrase } = readChange(await readBody(request, 'member'))
      const user = await auth.findUser(Number(id))
      if (user === undefined) throw missingFrom(cls, id)
      const checked = await checkOwn(user, current, request.address)
      if (checked.verdict === 'throttled')
        throw apiProblem('TooManyAttempts', { retryAfterSeconds: checked.retryAfterSeconds })
      if (checked.verdict === 'busy') throw apiProblem('TooManyExchanges', { retryAfterSeconds: 1 })
      const hash = checked.verdict === 'right' ? await hashSent(hashNew, paraphrase, request) : undefined
      const isChanged =
        hash !== undefined &&
        (await auth.changeOwnParaphrase(user.id, user.paraphraseHash, hash, principal?.token?.id))
      if (!isChanged) throw validationFailed(apiViolation('WrongParaphrase', 'current'))
      return respond.noContent()
    },
  })
}

const ENTRIES = ['current', 'new']

function readChange(body: JsonObject): { readonly current: string; readonly paraphrase: string } {
  const violations: ProblemData[] = []
  for (const name of Object.keys(body))
    if (!ENTRIES.includes(name) && name !== '@context')
      violations.push(apiViolation('UnknownEntry', name, { name, known: ENTRIES }))
  for (const name of ENTRIES)
    if (typeof body[name] !== 'string') violations.push(apiViolation('RequiredText', name))
  const read = readParaphrase(typeof body.new === 'string' ? body.new : '')
  if ('problem' in read && typeof body.new === 'string') violations.push(atProperty(read.problem, 'new'))
  if (violations.length > 0 || 'problem' in read) throw validationFailed(...violations)
  return { current: String(body.current), paraphrase: read.paraphrase }
}

/** `{base}/accounts/{id}/tokens`: ends all tokens, for the user or for a manager of accounts. */
export function accountTokens(dependencies: ClassDependencies, { auth, mirror }: Accounts): Resource {
  const { access, now, respond } = dependencies
  return resource({
    DELETE: async (context) => {
      await mirror()
      await findFor('read', context, dependencies)
      if (!isOwn(context) && access.rights.delete !== 'any') throw access.refusal('delete', true)
      await context.request.readBody()
      await auth.revokeTokens({ userId: Number(context.id) }, now())
      return respond.noContent()
    },
  })
}
