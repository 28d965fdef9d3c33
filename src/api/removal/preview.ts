import { REMOVAL, removalContext } from '../../vocabulary/index.ts'
import { findMember } from '../find-member.ts'
import { mediaTypeFor, PLAIN_JSON } from '../request.ts'
import { ifPermitted, resource } from '../resource.ts'
import type { ClassDependencies, Handler, Resource } from '../types.ts'
import { missingFrom } from '../write-errors.ts'

/** `{member}/removal`: what a DELETE of the member would do to others, or the problem that would refuse it. */
export function removalPreview(dependencies: ClassDependencies): Resource {
  const { cls, base, access, store, removals, representation, respond } = dependencies
  const context = removalContext(base)

  const GET: Handler = async ({ request, id, principal }) => {
    const mediaType = mediaTypeFor(request)
    const found = await findMember(store, cls, id)
    const relation = found && (await access.relationOf(found, principal))
    if (found === undefined || relation === undefined || !access.mayReadBy(relation))
      throw missingFrom(cls, id)
    access.requireRight('delete', relation)
    const { deleted, changed } = await removals.preview(found.id, dependencies, principal)
    const text = JSON.stringify({
      ...(mediaType !== PLAIN_JSON && { '@context': context }),
      '@id': `${representation.address(found.id)}/${REMOVAL}`,
      '@type': 'Resource',
      deleted,
      changed,
      totalItems: deleted.length + changed.length,
    })
    return respond.send(request, 200, { mediaType, etag: undefined, body: () => text }, [])
  }
  return resource({ GET: ifPermitted(dependencies, 'delete', GET) })
}
