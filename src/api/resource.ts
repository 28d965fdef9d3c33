import type { Principal } from '../auth/index.ts'
import type { Request, Response } from '../http/index.ts'
import type { Awaitable } from '../store/index.ts'
import type { Model } from '../vocabulary/index.ts'
import type { Respond } from './respond.ts'

/** An admitted request that has found its resource. */
export interface Visit {
  readonly request: Request
  readonly principal: Principal | undefined
  /** Which member; empty where there is none to name. */
  readonly id: string
  /** What follows the question mark; undefined without one. */
  readonly query: string | undefined
}

export type Handler = (visit: Visit) => Awaitable<Response>

export interface Resource {
  readonly methods: ReadonlyMap<string, Handler>
  /** As in the Allow header. */
  readonly allow: string
}

/** HEAD is GET without its body, which the server leaves out; OPTIONS is answered for every resource alike. */
export function resource(handlers: Readonly<Record<string, Handler | undefined>>): Resource {
  const methods = new Map<string, Handler>()
  for (const [method, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue
    methods.set(method, handler)
    if (method === 'GET') methods.set('HEAD', handler)
  }
  return { methods, allow: [...methods.keys()].join(', ') }
}

/** What the documents that describe the whole API are made of. */
export interface DocumentParts {
  readonly model: Model
  readonly base: string
  readonly hasSession: boolean
  readonly respond: Respond
}
