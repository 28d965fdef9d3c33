import { DEFAULT_SERVER_LIMITS, httpProblem, MAX_HEAD_BYTES } from '../../http/index.ts'
import { isObject, JsonNumber, type JsonValue, readJson } from '../../json.ts'
import { readElements } from '../../json-elements.ts'
import type { Problem } from '../../problem.ts'
import { contextAddress } from '../../vocabulary/index.ts'
import { apiProblem, apiViolation, validationFailed } from '../problems/index.ts'

export interface SentOperation {
  readonly index: number
  /** Kept as JSON text: parsed, it may take 50 times the memory. */
  readonly text: string
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']
const KEYS = ['method', 'target', 'id', 'body', 'ifMatch', 'ifNoneMatch']

/** Splits a batch into its operations, which are not parsed yet. `pause` is awaited between two of them. */
export async function readOperations(
  body: string,
  { most, base, pause }: { most: number; base: string; pause: () => Promise<void> | undefined },
): Promise<SentOperation[]> {
  const read = await readElements(body, 'operation', {
    // A body may be as deep as in a request of its own; the document, the list and the operation are around it.
    around: 3,
    maxLength: LONGEST_BODY + 2 * MAX_HEAD_BYTES,
    tooLong: (operation) => bodyTooLong({ operation }),
    before(index) {
      if (index < most) return pause()
      throw validationFailed(apiViolation('TooManyOperations', 'operation', { max: most }))
    },
  })
  if (read === undefined) throw apiProblem('BodyNotAnObject', { kind: 'batch' })
  const { elements, others } = read
  const ignored = new Map<string, JsonValue>([
    ['@context', contextAddress('OperationBatch', base)],
    ['@type', 'OperationBatch'],
  ])
  for (const [key, value] of Object.entries(others))
    if (key !== 'operation' && ignored.get(key) !== value) throw unknownKey(key, ['operation'])
  if (elements === undefined) throw validationFailed(apiViolation('OperationsNotAList', 'operation'))
  return elements.map((text, index) => ({ index, text }))
}

export const invalidTarget = (): Problem => validationFailed(apiViolation('InvalidOperationTarget', 'target'))

const unknownKey = (key: string, known: readonly string[]): Problem =>
  validationFailed(apiViolation('UnknownKey', key.slice(0, 100), { key: key.slice(0, 100), known }))

const bodyTooLong = (at: { readonly operation?: number }): Problem =>
  httpProblem('BodyTooLong', { maxBytes: LONGEST_BODY }, { at })

/** An operation whose target has not been looked up yet. */
export interface ParsedOperation {
  /** The method. */
  readonly name: string
  readonly target: string
  /** The name that the operation gives to a new member. */
  readonly id: string | undefined
  readonly body: JsonValue
  readonly headers: { readonly 'if-match': string | undefined; readonly 'if-none-match': string | undefined }
}

/** Reads the parts of an operation that do not depend on its target. `names`: given to members by earlier operations. */
export function readOperation(text: string, names: ReadonlyMap<string, string>): ParsedOperation {
  const sent = readJson(text, 1)
  if (!isObject(sent)) throw validationFailed(apiViolation('OperationNotAnObject', ''))
  const unknown = Object.keys(sent).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw unknownKey(unknown, KEYS)
  const { method, target, id, body = null, ifMatch, ifNoneMatch } = sent
  if (typeof method !== 'string' || !METHODS.includes(method))
    throw validationFailed(apiViolation('InvalidMethod', 'method', { methods: METHODS }))
  if (typeof target !== 'string') throw invalidTarget()
  if (id !== undefined) {
    if (method !== 'POST' && method !== 'PUT') throw validationFailed(apiViolation('NameWithoutMember', 'id'))
    if (typeof id !== 'string' || !/^_:[^\s:]{1,128}$/.test(id))
      throw validationFailed(apiViolation('InvalidName', 'id'))
    if (names.has(id)) throw validationFailed(apiViolation('NameTaken', 'id', { name: id }))
  }
  const headers = {
    'if-match': readEtag(ifMatch, 'ifMatch'),
    'if-none-match': readEtag(ifNoneMatch, 'ifNoneMatch'),
  }
  if (Buffer.byteLength(text) > LONGEST_BODY) requireShortBody(body)
  return { name: method, target, id, body, headers }
}

function readEtag(sent: JsonValue | undefined, key: string): string | undefined {
  // A header of a request could not be longer either.
  if (sent === undefined || (typeof sent === 'string' && sent.length <= MAX_HEAD_BYTES)) return sent
  throw validationFailed(apiViolation('InvalidOperationEtag', key))
}

/** The limit for the body of one member (hypermedia.md, Limits). */
const LONGEST_BODY = DEFAULT_SERVER_LIMITS.bodyBytes

function requireShortBody(body: JsonValue): void {
  if (Buffer.byteLength(JSON.stringify(body, numberAsText)) > LONGEST_BODY) throw bodyTooLong({})
}

const numberAsText = (_: string, value: unknown) => (value instanceof JsonNumber ? value.source : value)
