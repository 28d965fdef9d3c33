import { throttleKey } from '../../auth/index.ts'
import type { Awaitable } from '../../database/index.ts'
import {
  commonHeaders,
  createRateLimit,
  createRouter,
  type Request,
  type Response,
  type Routes,
  type StreamedResponse,
} from '../../http/index.ts'
import { Problem } from '../../problem.ts'
import { isForAnyone } from '../../vocabulary/index.ts'
import { apiProblem } from '../problems/index.ts'
import { Respond } from '../respond.ts'
import type { Resource, ResourceDependencies } from '../types.ts'

/** Finds what anyone may read (people.md, Anyone): a function that serves it, undefined for all other requests. */
export type OpenDispatch = (request: Request) => (() => Awaitable<Response | StreamedResponse>) | undefined

/**
 * Serves people who have not signed in; undefined where the API file opens nothing to anyone. `routesWith`: the resources
 * as they see them.
 */
export function createAnyoneDispatch(
  dependencies: ResourceDependencies,
  perMinute: number,
  routesWith: (respond: Respond) => Routes<Resource>,
): OpenDispatch | undefined {
  const { base, mode, model, compression } = dependencies
  if (mode === 'open' || !isForAnyone(model)) return undefined
  // Vary tells clients that a user would get another response.
  const respond = new Respond(commonHeaders(base, ', Vary'), 'anyone', compression)
  const mount = new URL(base).pathname.replace(/\/$/, '')
  const findRoute = createRouter(mount, routesWith(respond))
  const limit = createRateLimit(perMinute)
  return (request) => {
    const { method, target, bodyLength, address } = request
    if (bodyLength !== 0 || !METHODS.includes(method) || hasCredentials(request)) return undefined
    const found = ifFound(() => findRoute(target))
    if (found === undefined || !found.resource.allow.includes(method)) return undefined
    const { resource, ...where } = found
    // A hidden name is treated like an unknown path.
    if (resource.has?.(where.id) === false) return undefined
    return () => {
      const retryAfterSeconds = limit(throttleKey(address))
      if (retryAfterSeconds !== undefined) throw apiProblem('TooManyRequests', { retryAfterSeconds })
      return resource.methods.get(method)?.({ request, principal: undefined, ...where }) as Response
    }
  }
}

const METHODS = ['GET', 'HEAD']

/** A request with one of these headers goes through the gate, whatever the value. */
const hasCredentials = ({ headers }: Request): boolean =>
  ['x-authorization', 'x-authentication', 'authorization'].some((name) => headers[name] !== undefined)

/** An unknown path gets step A, like everything that is protected. */
function ifFound<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (thrown) {
    if (thrown instanceof Problem) return undefined
    throw thrown
  }
}
