import { HttpError, invalid } from '../../errors.ts'
import { DEFAULT_SERVER_LIMITS, MAX_HEAD_BYTES } from '../../http/index.ts'
import { isObject, type JsonValue, MAX_DEPTH, Numeral, readJson } from '../../json.ts'
import { suggestion } from '../../text.ts'
import { contextAddress } from '../../vocabulary/index.ts'
import { decode, requireNode } from '../input/input.ts'

export interface Sent {
  readonly place: number
  readonly operation: JsonValue
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']
const KEYS = ['method', 'target', 'id', 'body', 'ifMatch', 'ifNoneMatch']
/** The document, its list and an operation stand around a body, which may be as deep as alone. */
const DEPTH = MAX_DEPTH + 3

/** The operations of a batch, none of which has been looked at. */
export function readOperations(body: Buffer, most: number, base: string): Sent[] {
  const { operation, ...others } = requireNode(readJson(decode(body), DEPTH), 'member')
  const ignored = new Map<string, JsonValue>([
    ['@context', contextAddress('OperationBatch', base)],
    ['@type', 'OperationBatch'],
  ])
  for (const [key, value] of Object.entries(others))
    if (ignored.get(key) !== value) throw unknownKey(key, ['operation'])
  if (!Array.isArray(operation)) throw wrong('operation', 'must be a list of operations.')
  if (operation.length > most)
    throw wrong('operation', `may have ${most.toLocaleString('en')} operations; send several batches.`)
  const sent = operation.map((one, place) => ({ place, operation: one }))
  if (body.length > LONGEST_BODY) sent.forEach(requireShortBody)
  return sent
}

export const NO_TARGET =
  'must be the path of a collection, a member or a single resource, relative to the base URL or absolute below it.'

const wrong = (propertyPath: string, message: string): HttpError => invalid([{ propertyPath, message }])
export const wrongTarget = (message: string): HttpError => wrong('target', message)
const unknownKey = (key: string, known: readonly string[]): HttpError =>
  wrong(key.slice(0, 100), `is not known here; ${suggestion(key, known)}`)

/** What was sent for one operation, as far as it does not depend on its target. */
export function readOperation(sent: JsonValue, names: ReadonlyMap<string, string>) {
  if (!isObject(sent)) throw wrong('', 'must be an object with a method and a target.')
  const unknown = Object.keys(sent).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw unknownKey(unknown, KEYS)
  const { method, target, id, body = null, ifMatch, ifNoneMatch } = sent
  if (typeof method !== 'string' || !METHODS.includes(method))
    throw wrong('method', `must be one of ${METHODS.join(', ')}.`)
  if (typeof target !== 'string') throw wrongTarget(NO_TARGET)
  if (id !== undefined) {
    if (method !== 'POST' && method !== 'PUT') throw wrong('id', 'names a member that is made; leave it out.')
    if (typeof id !== 'string' || !/^_:[^\s:]{1,128}$/.test(id))
      throw wrong('id', 'must be a name such as "_:ann", to link to the member in later operations.')
    if (names.has(id)) throw wrong('id', `${id} is the name of another member already.`)
  }
  const headers = {
    'if-match': readEtag(ifMatch, 'ifMatch'),
    'if-none-match': readEtag(ifNoneMatch, 'ifNoneMatch'),
  }
  return { name: method, target, body, headers }
}

function readEtag(sent: JsonValue | undefined, key: string): string | undefined {
  // As much as a request could send.
  if (sent === undefined || (typeof sent === 'string' && sent.length <= MAX_HEAD_BYTES)) return sent
  throw wrong(key, 'must be an ETag with its double quotes, or "*".')
}

/** hypermedia.md, Limits: of one member. */
const LONGEST_BODY = DEFAULT_SERVER_LIMITS.bodyBytes

function requireShortBody({ place, operation }: Sent): void {
  const body = isObject(operation) ? operation.body : undefined
  if (body === undefined || Buffer.byteLength(JSON.stringify(body, numeralAsText)) <= LONGEST_BODY) return
  throw placed(
    new HttpError(413, `The body is longer than ${LONGEST_BODY} bytes, which is the limit.`),
    place,
  )
}

const numeralAsText = (_: string, value: unknown) => (value instanceof Numeral ? value.source : value)

export function placed({ status, message, headers, violations }: HttpError, place: number): HttpError {
  const where = `operation[${place}]`
  return new HttpError(status, `${where}: ${message}`, {
    headers,
    violations: violations.map(({ propertyPath, message }) => ({
      propertyPath: propertyPath === '' ? where : `${where}/${propertyPath}`,
      message,
    })),
  })
}
