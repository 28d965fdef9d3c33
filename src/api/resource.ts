import type { Principal } from '../auth/index.ts'
import type { HttpError } from '../errors.ts'
import type { Request, Response, StreamedResponse } from '../http/index.ts'
import type { Seal } from '../seal.ts'
import type { Awaitable } from '../store/index.ts'
import type { MediaType } from './media-types.ts'
import type { Outcome, WriteOperation } from './writes.ts'

/** An admitted request that has found its resource. */
export interface Visit {
  readonly request: Request
  readonly principal: Principal | undefined
  /** Which member; empty where there is none to name. */
  readonly id: string
  /** What follows the question mark; undefined without one. */
  readonly query: string | undefined
}

export type Handler = (visit: Visit) => Awaitable<Response | StreamedResponse>

export interface Resource {
  readonly methods: ReadonlyMap<string, Handler>
  /** As in the Allow header. */
  readonly allow: string
  /** Those of its methods that write members; undefined for what no batch may name. */
  readonly writes: ReadonlyMap<string, WriteMethod> | undefined
}

/** As much of a request as its response depends on. */
export type Asked = Pick<Request, 'headers' | 'target'>

/** How the answer to a write is wanted. */
export interface Wanted {
  readonly request: Asked
  readonly principal: Principal | undefined
  readonly mediaType: MediaType
  readonly minimal: boolean
}

/** A write as requests and batches find it. */
export interface WriteMethod extends WriteOperation {
  /** How ETags name versions. */
  readonly versions: Seal
  /** Whether hooks are run: for the one member at this address, or for a new one. */
  readonly hooked: 'member' | 'new' | undefined
  respond(outcome: Outcome, wanted: Wanted): Awaitable<Response>
}

/** A method that the API has, and that none of the user's roles may use: it throws the 403 that says who may. */
export interface Refused {
  readonly refuse: Handler
}

export const refuse = (refusal: () => HttpError): Refused => ({
  refuse() {
    throw refusal()
  },
})

/** HEAD is GET without its body, which the server leaves out; OPTIONS is answered for every resource alike. */
export function resource(
  handlers: Readonly<Record<string, Handler | Refused | false>>,
  writes?: Resource['writes'],
): Resource {
  const methods = new Map<string, Handler>()
  const allowed: string[] = []
  for (const [method, handler] of Object.entries(handlers)) {
    if (!handler) continue
    const names = method === 'GET' ? ['GET', 'HEAD'] : [method]
    for (const name of names) methods.set(name, typeof handler === 'function' ? handler : handler.refuse)
    if (typeof handler === 'function') allowed.push(...names)
  }
  return { methods, allow: allowed.join(', '), writes }
}
