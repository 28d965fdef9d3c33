import type { RestoreMember } from '../member-writes.ts'
import { writableResource } from '../resource.ts'
import type { ClassDependencies, Resource, WriteOperation } from '../types.ts'
import { findEntry } from './entry.ts'
import { findRemembered } from './remembered.ts'

/** `{member}/history/{version}/restore`: a write like any other, with the values of the entry. */
export function historyRestore(dependencies: ClassDependencies, restore: RestoreMember): Resource {
  const { access } = dependencies
  const operation: WriteOperation = {
    body: undefined,
    requireRight() {
      const { replace, create, history } = access.rights
      if (history === 'none') throw access.refusal('history')
      if (replace === 'none' && create === 'none') throw access.refusal('replace')
    },
    async carryOut(write) {
      const member = await findRemembered(write.id, write.principal, dependencies)
      const { entry, relation } = await findEntry(dependencies, member, write.key)
      return restore(write, { member, entry, relation })
    },
  }
  // No batch has it: the addresses of its operations are those of members and collections.
  const { writes, ...resource } = writableResource(false, { POST: operation }, dependencies, 'member')
  return resource
}
