import { readPreconditions, requireIfMatch, requirePreconditions } from '../request.ts'
import type { ClassDependencies, RequestContext } from '../types.ts'
import { missingFrom } from '../write-errors.ts'

/** The account, if the user may do this with it, and the preconditions hold. */
export async function findFor(
  operation: 'read' | 'update' | 'delete',
  { id, principal, request }: RequestContext,
  dependencies: ClassDependencies,
) {
  const { cls, access, store } = dependencies
  const found = await store.findWithHidden(cls.name, id)
  const relation = found && (await access.relationOf(found, principal))
  if (found === undefined || relation === undefined || !access.mayReadBy(relation)) throw missingFrom(cls, id)
  access.requireRight(operation, relation)
  const preconditions = readPreconditions(request, access.versions)
  if (operation !== 'read') {
    requirePreconditions(preconditions, found.version)
    requireIfMatch(preconditions, dependencies.requireIfMatch)
  }
  return { found, relation, preconditions }
}
