import { ApiError, type ErrorKind, type PropertyViolation } from './errors.ts'
import { isJson, linkIn, list, openDocument } from './terms.ts'
import type { ApiResponse } from './transport.ts'

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'credentials',
  404: 'not-found',
  410: 'not-found',
  422: 'invalid',
  429: 'throttled',
}

/** The error of a response, with the server's own sentence: RFC 9457, Hydra's error, or the form of seed.md. */
export const refusal = (
  response: ApiResponse,
  own: { readonly sentence?: string; readonly code?: string } = {},
): ApiError => {
  const { status, headers, url } = response
  const { data, text } = openDocument(response)
  const sentence = own.sentence || text(`${status}`, 'detail', 'description', 'title')
  const kind = KINDS[status] ?? (status > 501 ? 'unavailable' : 'refused')
  return new ApiError(kind, sentence || `${url} answered with ${status}.`, {
    code: own.code ?? (fragmentOf(data.type) || kind),
    status,
    operation: typeof data.operation === 'number' ? data.operation : undefined,
    parameter: typeof data.parameter === 'string' ? data.parameter : undefined,
    violations: list(data.violations).flatMap(readViolation),
    linkedFrom: list(data.linkedFrom).filter(hasText),
    hasFurtherLinks: data.hasFurtherLinks === true,
    history: linkIn(headers, 'version-history'),
    retryAfter: secondsToWait(headers.get('retry-after')),
  })
}

/** hypermedia.md, Errors: the `type` of a problem document is `{base}/vocab#{Code}`. */
const fragmentOf = (type: unknown): string => URL.parse(`${type}`)?.hash.slice(1) ?? ''

/** Other servers may send anything in the list. */
const readViolation = (violation: unknown): PropertyViolation[] => {
  if (!isJson(violation) || !hasText(violation.message)) return []
  const { propertyPath, message, code } = violation
  return [
    {
      propertyPath: typeof propertyPath === 'string' ? propertyPath : '',
      message,
      ...(typeof code === 'string' && { code }),
    },
  ]
}

/** RFC 9110 §10.2.3: seconds, or a date. */
const secondsToWait = (retryAfter: string | null): number | undefined => {
  const seconds = Number(retryAfter) || (Date.parse(`${retryAfter}`) - Date.now()) / 1_000
  return seconds >= 0 ? seconds : undefined
}

const hasText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
