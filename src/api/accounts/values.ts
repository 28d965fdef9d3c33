import { readName, readParaphrase } from '../../auth/index.ts'
import { type MemberContent, type MemberValues, ownOf, readText } from '../../members/index.ts'
import { atProperty, type ProblemData } from '../../problem.ts'
import { validationFailed } from '../input/problems.ts'
import { apiViolation } from '../problems/index.ts'

/** What an account says about its user. */
export interface AccountValues {
  readonly userId: number | undefined
  readonly name: string | undefined
  readonly roles: readonly string[]
  /** Only in the body of a request. */
  readonly paraphrase: string | undefined
}

export function valuesIn({ body }: Pick<MemberContent, 'body'>): AccountValues {
  const values: MemberValues = readText(body)
  return {
    userId: ownOf(values, 'userId') as number | undefined,
    name: ownOf(values, 'name') as string | undefined,
    roles: (ownOf(values, 'roles') ?? []) as readonly string[],
    paraphrase: ownOf(values, 'paraphrase') as string | undefined,
  }
}

/** Checks what the class cannot express: names, paraphrases, and the roles that the API file knows. */
export function checkValues(values: AccountValues, known: readonly string[]): AccountValues {
  const violations: ProblemData[] = []
  const name = values.name === undefined ? { name: undefined } : readName(values.name)
  const paraphrase =
    values.paraphrase === undefined ? { paraphrase: undefined } : readParaphrase(values.paraphrase)
  if ('problem' in name) violations.push(atProperty(name.problem, 'name'))
  if ('problem' in paraphrase) violations.push(atProperty(paraphrase.problem, 'paraphrase'))
  const role = values.roles.find((one) => !known.includes(one))
  if (role !== undefined) violations.push(apiViolation('UnknownRole', 'roles', { role, known }))
  if (violations.length > 0 || 'problem' in name || 'problem' in paraphrase)
    throw validationFailed(...violations)
  return { ...values, ...name, ...paraphrase }
}

/** Roles are a set. */
export const areSameRoles = (one: readonly string[], other: readonly string[]): boolean =>
  [...new Set(one)].toSorted().join() === [...new Set(other)].toSorted().join()
