import { Problem } from '../../problem.ts'
import { HISTORY } from '../../vocabulary/index.ts'
import { apiProblem } from '../problems/index.ts'
import type { ClassDependencies, Handler, Resource } from '../types.ts'
import type { EntryRepresentation } from './entries.ts'
import { createTimeGate } from './entry.ts'
import { findGone } from './remembered.ts'

const MISSING = ['MemberNotFound', 'ResourceNotFound']

/**
 * The resource of a member that has a history: it answers for earlier times (RFC 7089 §4.1) and, when it is gone, with
 * 410 for users who may see that it existed.
 */
export function withHistory(
  { methods, ...member }: Resource,
  dependencies: ClassDependencies,
  entries: EntryRepresentation,
): Resource {
  const timeGate = createTimeGate(dependencies, entries)
  const { access } = dependencies
  const isAllowed = access.rights.history !== 'none'
  const orGone =
    (handle: Handler): Handler =>
    async (context) => {
      try {
        return await handle(context)
      } catch (thrown) {
        if (!(thrown instanceof Problem) || !MISSING.includes(thrown.code)) throw thrown
        const gone = await findGone(context.id, context.principal, dependencies)
        if (gone?.latest.is !== 'gone') throw thrown
        const { address, latest } = gone
        throw apiProblem('MemberGone', {
          history: `${address}/${HISTORY}`,
          since: latest.entry.kind === 'delete' ? new Date(latest.entry.at).toISOString() : undefined,
        })
      }
    }
  const inTime =
    (read: Handler): Handler =>
    (context) => {
      if (context.request.headers['accept-datetime'] === undefined) return read(context)
      if (!isAllowed) throw access.refusal('history')
      return timeGate(context)
    }
  const wrapped = [...methods].map(([method, handle]): [string, Handler] => [
    method,
    orGone(method === 'GET' || method === 'HEAD' ? inTime(handle) : handle),
  ])
  return { ...member, methods: new Map(wrapped) }
}
