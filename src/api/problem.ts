import type { HttpError } from '../errors.ts'
import { errorResponse, LD_JSON, names, type Response } from '../http/index.ts'
import { errorContext } from '../vocabulary/index.ts'

const PROBLEM_JSON = 'application/problem+json'

/** Errors after admission: by RFC 9457 where Accept names it, else the one member that seed.md has. */
export function createErrorResponses(noStore: readonly string[], base: string) {
  const context = errorContext(base)
  const shared = noStore.map((text) => (text === LD_JSON ? PROBLEM_JSON : text))

  return (error: HttpError, accept: string | undefined): Response => {
    if (!names(accept, PROBLEM_JSON)) return errorResponse(error, noStore)
    const { status, message, violations } = error
    const violated = violations.length > 0
    const body = JSON.stringify({
      '@context': context,
      '@type': violated ? ['ConstraintViolationList', 'Error'] : ['Error'],
      title: TITLES[status] ?? 'The request failed',
      detail: message,
      status,
      ...(violated && { violations }),
    })
    return { status, shared, headers: error.headers, body }
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'The method is not possible here',
  406: 'Nothing acceptable can be sent',
  409: 'The change conflicts with other members',
  412: 'The precondition does not hold',
  413: 'The body is too long',
  414: 'The target is too long',
  415: 'The body has a type that is not understood',
  422: 'Validation failed',
  428: 'A precondition is required',
  500: 'The server failed',
  503: 'Not possible right now',
  507: 'The disk is full',
}
