import type { Problem } from '../../problem.ts'
import { fromProgram } from '../problems/index.ts'
import { HttpError } from './http-error.ts'

/**
 * An HttpError that a program throws is the response. It may come from another copy of this package. One that cannot be
 * sent as it is, is a bug of the program: 500 with an id, and nothing of it reaches the client.
 */
export function readThrown(error: unknown): unknown {
  const isHttpError = error instanceof HttpError || (error instanceof Error && error.name === 'HttpError')
  if (!isHttpError) return error
  const wrong = findFault(error as HttpError)
  if (wrong !== undefined) return new TypeError(`An HttpError must ${wrong}.`, { cause: error })
  return fromProgram(error as HttpError) satisfies Problem
}

/** What an HttpError must have, and this one lacks. Types prove nothing, since programs need not be typed. */
function findFault({ status, message, headers = [], violations = [] }: HttpError): string | undefined {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    return `have a status from 400 to 599, and not ${show(status)}`
  // A 401 is a challenge with a nonce (seed.md §7), and only the gate issues nonces.
  if (status === 401) return 'not have the status 401: only the server itself asks for credentials; use 403'
  if (typeof message !== 'string') return 'have a sentence'
  if (!Array.isArray(headers) || headers.length % 2 !== 0) return 'have headers as names and values in turn'
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value]: unknown[] = headers.slice(index, index + 2)
    if (typeof name !== 'string' || !TOKEN.test(name) || OWN_HEADERS.has(name.toLowerCase()))
      return `not have a header named ${show(name)}`
    if (typeof value !== 'string' || !VISIBLE.test(value)) return `have visible ASCII as the value of ${name}`
  }
  const isWhole = Array.isArray(violations) && violations.every(isViolation)
  return isWhole ? undefined : 'have violations with a propertyPath and a message each'
}

const isViolation = (one: unknown): boolean => {
  const { propertyPath, message, code = '' } = (one ?? {}) as Readonly<Record<string, unknown>>
  return [propertyPath, message, code].every((part) => typeof part === 'string')
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** RFC 9110 §5.5, without what recipients read in different ways. */
const VISIBLE = /^[ -~]*$/
/** The server frames and describes the body (RFC 9112 §6; RFC 9113 §8.2.2 forbids most of them): a second one would contradict. */
const OWN_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** For the log: any value, on one line. */
const show = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))
