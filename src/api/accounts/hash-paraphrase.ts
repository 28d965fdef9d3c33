import type { HashNew } from '../../auth/index.ts'
import type { Request } from '../../http/index.ts'
import { apiProblem } from '../problems/index.ts'

/** The hash of a new paraphrase; throws if too many wait, as for an exchange. */
export async function hashSent(
  hashNew: HashNew,
  paraphrase: string,
  { address }: Pick<Request, 'address'>,
): Promise<string> {
  const hash = await hashNew(paraphrase, address)
  if (hash === undefined) throw apiProblem('TooManyExchanges', { retryAfterSeconds: 1 })
  return hash
}
