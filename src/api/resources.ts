import type { Clock, GateMode } from '../auth/index.ts'
import type { Routes } from '../http/index.ts'
import type { Store } from '../store/index.ts'
import { hasCollection, type Model, storedClasses } from '../vocabulary/index.ts'
import { collection } from './collection.ts'
import { contexts } from './contexts.ts'
import { documentation } from './documentation.ts'
import { entryPoint } from './entry-point.ts'
import { createInput } from './input/input.ts'
import { member } from './member.ts'
import { createMemberRepresentation } from './output/member.ts'
import type { PageSizes } from './query/query.ts'
import type { Resource } from './resource.ts'
import type { Respond } from './respond.ts'
import { session } from './session.ts'
import { single } from './single.ts'

export interface ResourceParts {
  readonly base: string
  readonly model: Model
  readonly store: Store
  readonly clock: Clock
  readonly mode: GateMode
  readonly pageSizes: PageSizes
  readonly requireIfMatch: boolean
}

/** Everything that has an address (hypermedia.md, Resources). */
export function createResources(parts: ResourceParts, respond: Respond): Routes<Resource> {
  const { base, model, store, clock, mode, pageSizes, requireIfMatch } = parts
  const hasSession = mode === 'token'
  const first = new Map([['vocab', documentation({ model, base, hasSession, respond })]])
  const second = new Map([['contexts', contexts(model, base, respond)]])
  if (hasSession) first.set('session', session({ base, store: store.auth, clock, respond }))

  for (const cls of storedClasses(model)) {
    const input = createInput(cls, base)
    const representation = createMemberRepresentation(cls, base)
    const shared = { model, base, store: store.members, input, representation, respond, now: clock.now }
    if (hasCollection(cls)) {
      first.set(cls.collection, collection({ ...shared, cls, pageSizes }))
      second.set(cls.collection, member({ ...shared, cls, requireIfMatch }))
    } else {
      first.set(cls.name, single({ ...shared, cls, requireIfMatch }))
    }
  }
  return { root: entryPoint({ model, base, hasSession, respond }), first, second }
}
