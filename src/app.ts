import {
  createAnyoneDispatch,
  createErrorResponses,
  type Dispatch,
  fault,
  memoizeByRoles,
  type OnFault,
  type OpenDispatch,
  type ResourceDependencies,
  Respond,
} from './api/index.ts'
import { createResources } from './api/resources.ts'
import { createGateAnswers, type Gate, throttleKey } from './auth/index.ts'
import {
  type App,
  type BodyMemory,
  commonHeaders,
  createRouter,
  httpProblem,
  isPreflight,
  noStoreHeaders,
  preflightResponse,
  type Response,
  type StreamedResponse,
} from './http/index.ts'
import { Problem } from './problem.ts'

export interface AppDependencies {
  readonly base: string
  readonly gate: Gate
  /** Called for an unexpected error; the client gets only the request id. */
  readonly onFault: OnFault
  /** The memory of the bodies of all admitted requests. */
  readonly bodies: BodyMemory
  /** Serves requests without sign-in; undefined if nothing is open to anyone. */
  readonly dispatchOpen?: OpenDispatch | undefined
}

/** Request in, response out. The order of the lines is the order in which things happen. */
export function createApp(dependencies: AppDependencies, dispatch: Dispatch): App {
  const { base, gate, bodies, onFault, dispatchOpen } = dependencies
  const common = commonHeaders(base)
  const noStore = noStoreHeaders(common)
  const preflight = preflightResponse(common)
  const answer = createGateAnswers(noStore)
  const respondToError = createErrorResponses(noStore, base)
  /** A separate function, so that a request without a body needs no closure and no promise for it. */
  const dispatchWithBody: Dispatch = (request, principal) => {
    const findOwner = () => principal?.userId ?? throttleKey(request.address)
    return bodies.during(request, findOwner, (held) => dispatch(held, principal))
  }

  return async (request) => {
    if (isPreflight(request)) return preflight
    let admitted: { readonly nonce?: string } | undefined
    try {
      const serveAnyone = dispatchOpen?.(request)
      if (serveAnyone !== undefined) {
        admitted = NOBODY
        return await serveAnyone()
      }
      const admission = await gate(request)
      if (admission.verdict !== 'admitted') return answer(admission)
      admitted = admission
      const { principal, nonce } = admission
      const handle = request.bodyLength === 0 ? dispatch : dispatchWithBody
      return withNonce(await handle(request, principal), nonce)
    } catch (thrown) {
      const problem = thrown instanceof Problem ? thrown : fault(thrown, onFault)
      // Before admission every error has the form of seed.md, whatever Accept says.
      if (admitted === undefined) return respondToError(problem, undefined)
      return withNonce(respondToError(problem, request.headers.accept), admitted.nonce)
    }
  }
}

/** Routes to the resources as each principal sees them; used behind the gate, and by the program itself. */
export function createDispatch(dependencies: ResourceDependencies): Dispatch {
  const { base, mode, model, compression } = dependencies
  const respond = new Respond(commonHeaders(base), mode, compression)
  const mount = new URL(base).pathname.replace(/\/$/, '')
  const resourcesFor = createResources(dependencies, respond)
  const routerFor = memoizeByRoles(model.access, (userRoles) => createRouter(mount, resourcesFor(userRoles)))
  return (request, principal) => {
    const { method, target } = request
    // RFC 9110 §9.3.7: "*" stands for the server as a whole.
    if (method === 'OPTIONS' && target === '*') return respond.noContent(['Allow', ANY_METHOD])
    const { resource, id, key, query } = routerFor(principal)(target)
    if (method === 'OPTIONS') return respond.noContent(['Allow', resource.allow])
    const handler = resource.methods.get(method)
    if (handler === undefined) throw httpProblem('MethodNotAllowed', { method, allow: resource.allow })
    return handler({ request, principal, id, key, query })
  }
}

/** No principal, and no nonce. */
const NOBODY = {}

/** Routes to what anyone may read; undefined where the API file opens nothing to anyone. */
export const createOpenDispatch = (
  dependencies: ResourceDependencies,
  perMinute: number,
): OpenDispatch | undefined =>
  createAnyoneDispatch(dependencies, perMinute, (respond) =>
    createResources(dependencies, respond)(undefined),
  )

const ANY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** While tokens are off every admitted response carries the nonce for the next request. */
const withNonce = <T extends Response | StreamedResponse>(response: T, nonce: string | undefined): T =>
  nonce === undefined ? response : { ...response, headers: [...response.headers, 'X-Authentication', nonce] }
