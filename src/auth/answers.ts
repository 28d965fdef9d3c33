import { type Response, statusBody } from '../http/response.ts'
import type { Admission } from './gate.ts'

export type Refused = Exclude<Admission, { verdict: 'admitted' }>

/**
 * What a client hears that is not admitted: steps A and B of seed.md, and 429 and 503 while under attack.
 * All have the seed's form and type, whatever was asked for. `plain`: the headers that they share.
 */
export function createAnswers(plain: readonly string[]): (refused: Refused) => Response {
  const challenge = [...plain, 'WWW-Authenticate', 'Basic realm="Login required"', 'X-Authentication']
  const exchange = [...plain, 'X-Authorization']
  const retry = [...plain, 'Retry-After']
  const challengeBody = statusBody(401, 'Need credentials to authenticate')
  const exchangeBody = statusBody(200, 'User token generated')
  const busy = { status: 503, headers: [...retry, '2'], body: statusBody(503, BUSY) }

  return (refused) => {
    switch (refused.verdict) {
      case 'challenged':
        return { status: 401, headers: [...challenge, refused.nonce], body: challengeBody }
      case 'exchanged':
        return { status: 200, headers: [...exchange, refused.token], body: exchangeBody }
      case 'throttled': {
        const seconds = refused.retryAfterSeconds
        const body = statusBody(
          429,
          `Too many wrong paraphrases from this address; try again in ${seconds} s.`,
        )
        return { status: 429, headers: [...retry, String(seconds)], body }
      }
      case 'busy':
        return busy
    }
  }
}

const BUSY = 'Too many exchanges are waiting; try again in 2 s. Requests with a token are served as usual.'
