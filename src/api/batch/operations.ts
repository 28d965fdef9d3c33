import { bodyTooLong, HttpError, violation } from '../../errors.ts'
import { DEFAULT_SERVER_LIMITS, MAX_HEAD_BYTES } from '../../http/index.ts'
import { isObject, JsonNumber, type JsonValue, readJson } from '../../json.ts'
import { readElements } from '../../json-elements.ts'
import { suggestion } from '../../text.ts'
import { contextAddress } from '../../vocabulary/index.ts'

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
    tooLong: (index) => atOperation(bodyTooLong(LONGEST_BODY), index),
    before(index) {
      if (index < most) return pause()
      throw violation('operation', `may have ${most.toLocaleString('en')} operations; send several batches.`)
    },
  })
  if (read === undefined)
    throw new HttpError(422, 'The body must be one JSON object with the list "operation".')
  const { elements, others } = read
  const ignored = new Map<string, JsonValue>([
    ['@context', contextAddress('OperationBatch', base)],
    ['@type', 'OperationBatch'],
  ])
  for (const [key, value] of Object.entries(others))
    if (key !== 'operation' && ignored.get(key) !== value) throw unknownKey(key, ['operation'])
  if (elements === undefined) throw violation('operation', 'must be a list of operations.')
  return elements.map((text, index) => ({ index, text }))
}

export const NO_TARGET =
  'must be the path of a collection, a member or a single resource, relative to the base URL or absolute below it.'

export const wrongTarget = (message: string): HttpError => violation('target', message)
const unknownKey = (key: string, known: readonly string[]): HttpError =>
  violation(key.slice(0, 100), `is not known here; ${suggestion(key, known)}`)

/** Reads what of an operation does not depend on its target. */
export function readOperation(text: string, names: ReadonlyMap<string, string>) {
  const sent = readJson(text, 1)
  if (!isObject(sent)) throw violation('', 'must be an object with a method and a target.')
  const unknown = Object.keys(sent).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw unknownKey(unknown, KEYS)
  const { method, target, id, body = null, ifMatch, ifNoneMatch } = sent
  if (typeof method !== 'string' || !METHODS.includes(method))
    throw violation('method', `must be one of ${METHODS.join(', ')}.`)
  if (typeof target !== 'string') throw wrongTarget(NO_TARGET)
  if (id !== undefined) {
    if (method !== 'POST' && method !== 'PUT')
      throw violation('id', 'names a member that is made; leave it out.')
    if (typeof id !== 'string' || !/^_:[^\s:]{1,128}$/.test(id))
      throw violation('id', 'must be a name such as "_:ann", to link to the member in later operations.')
    if (names.has(id)) throw violation('id', `${id} is the name of another member already.`)
  }
  const headers = {
    'if-match': readEtag(ifMatch, 'ifMatch'),
    'if-none-match': readEtag(ifNoneMatch, 'ifNoneMatch'),
  }
  if (Buffer.byteLength(text) > LONGEST_BODY) requireShortBody(body)
  return { name: method, target, id, body, headers }
}

function readEtag(sent: JsonValue | undefined, key: string): string | undefined {
  // No longer than a header of a request could be.
  if (sent === undefined || (typeof sent === 'string' && sent.length <= MAX_HEAD_BYTES)) return sent
  throw violation(key, 'must be an ETag with its double quotes, or "*".')
}

/** hypermedia.md, Limits: of one member. */
const LONGEST_BODY = DEFAULT_SERVER_LIMITS.bodyBytes

function requireShortBody(body: JsonValue): void {
  if (Buffer.byteLength(JSON.stringify(body, numberAsText)) > LONGEST_BODY) throw bodyTooLong(LONGEST_BODY)
}

const numberAsText = (_: string, value: unknown) => (value instanceof JsonNumber ? value.source : value)

export function atOperation({ status, message, headers, violations }: HttpError, index: number): HttpError {
  const where = `operation[${index}]`
  return new HttpError(status, `${where}: ${message}`, {
    headers,
    violations: violations.map(({ propertyPath, message }) => ({
      propertyPath: propertyPath === '' ? where : `${where}/${propertyPath}`,
      message,
    })),
  })
}
