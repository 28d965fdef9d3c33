import { AHEAD_MS } from '../database/index.ts'
import type { Response } from '../http/index.ts'
import { statusBody } from '../http/problems.ts'
import type { Admission, Gate, GateDependencies } from './admission.ts'
import { readAuthHeaders, readBasic } from './credentials.ts'
import { createExchange } from './exchange.ts'
import { AUTH_PROBLEMS, authErrorResponse, authProblem } from './problems.ts'
import type { Token, UserRoles } from './store/index.ts'
import { hashToken } from './token.ts'

/** The order of decisions is that of authentication.md, The gate. */
export function createGate(dependencies: GateDependencies): Gate {
  const { mode, store, clock, nonces, onError } = dependencies
  const challenge = (): Admission => ({ verdict: 'challenged', nonce: nonces.issue(clock.now()) })
  const exchange = createExchange(dependencies, challenge)

  return async (request) => {
    if (mode === 'open') return { verdict: 'admitted', principal: undefined }
    const headers = readAuthHeaders(request.rawHeaders)
    if (headers === undefined) return challenge()
    if (mode === 'token' && headers.token !== undefined) {
      const token = await findLive(headers.token)
      if (token !== undefined) {
        const { userId, number, roles } = token
        return { verdict: 'admitted', principal: { userId, number, roles, token } }
      }
    }
    if (headers.nonce === undefined || headers.authorization === undefined) return challenge()
    // The nonce first (authentication.md, Step B in order): anybody may send credentials.
    const nonce = nonces.read(headers.nonce, clock.now())
    const credentials = nonce && readBasic(headers.authorization)
    if (nonce === undefined || credentials === undefined) return challenge()
    return exchange(request, nonce, credentials)
  }

  async function findLive(text: string): Promise<(Token & UserRoles) | undefined> {
    const now = clock.now()
    const token = await store.findToken(hashToken(text), now)
    if (token === undefined || now >= token.expiresAt) return undefined
    if (token.issuedAt <= now + AHEAD_MS) return token
    // A clock that was ahead has issued it: it ends, and is not waited for (authentication.md, Time).
    store.endTokenAhead(token.id, now).catch(onError)
    return undefined
  }
}

export type Unauthenticated = Exclude<Admission, { verdict: 'admitted' }>

/**
 * The answers to requests that are not admitted: steps A and B of seed.md, and 429 and 503 while under attack. All have
 * the seed's form and type, whatever Accept says.
 */
export function createGateAnswers(
  noStoreHeaders: readonly string[],
): (admission: Unauthenticated) => Response {
  const challenge = [...noStoreHeaders, 'WWW-Authenticate', 'Basic realm="Login required"']
  const { status, sentence } = AUTH_PROBLEMS.Unauthenticated
  const challengeBody = statusBody(status, sentence)
  const exchangeBody = statusBody(200, 'User token generated')
  const shared = noStoreHeaders

  return (admission) => {
    switch (admission.verdict) {
      case 'challenged': {
        const headers = ['X-Authentication', admission.nonce]
        return { status, shared: challenge, headers, body: challengeBody }
      }
      case 'exchanged': {
        const headers = ['X-Authorization', admission.token]
        return { status: 200, shared, headers, body: exchangeBody }
      }
      case 'throttled': {
        const { retryAfterSeconds } = admission
        return authErrorResponse(authProblem('TooManyAttempts', { retryAfterSeconds }), shared)
      }
      case 'busy':
        return authErrorResponse(BUSY, shared)
    }
  }
}

const BUSY = authProblem('TooManyExchanges', { retryAfterSeconds: 2 })
