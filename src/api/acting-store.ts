import type { Principal } from '../auth/index.ts'
import type { WriteStore } from '../members/index.ts'

/** The store as a user writes to it: the log keeps who has made a change (live.md, The feed). */
export function storeFor(principal: Principal | undefined, store: WriteStore): WriteStore {
  if (principal === undefined) return store
  const { number: actor } = principal
  return {
    find: (...args) => store.find(...args),
    findWithHidden: (...args) => store.findWithHidden(...args),
    findHeads: (...args) => store.findHeads(...args),
    list: (...args) => store.list(...args),
    linksTo: (...args) => store.linksTo(...args),
    add: (className, member, explain) => store.add(className, { ...member, actor }, explain),
    change: (className, id, expected, compute, explain) =>
      store.change(className, id, expected, (current) => ({ ...compute(current), actor }), explain),
    remove: (className, id, expected, owner, _, explain) =>
      store.remove(className, id, expected, owner, actor, explain),
  }
}
