/** A request that grows with `length`, up to `limit`, and a harmless one of that length. */
export interface Hostile {
  readonly name: string
  readonly limit: number
  readonly request: (length: number) => Buffer
  readonly harmless: Buffer
}

/** The head of a request to the service, with a token. */
export type Head = (method: string, path: string, headers: string) => string

const BODY = 1024 * 1024
const HEADERS = 16 * 1024
const TARGET = 8 * 1024

/** What a place is filled with: the part that is repeated, and what stands before and behind it. */
type Filling = readonly [part: string, first?: string, last?: string]

const PARTS_OF_TEXT = 'a 1 , : / . & " \\ [ { % \u0301 \u03a3 a: ../ x[ ", %41 W/"", a=1& \u0316\u0301'
const FILLINGS: readonly Filling[] = [
  ...PARTS_OF_TEXT.split(' ').map((part): Filling => [part]),
  [' ', 'a', 'x'],
  [' ', '"1-a",', 'x'],
  ['a', '', ':'],
  ['a', '"'],
  ['a', 'Basic ', ':'],
]

const READ =
  'Accept Prefer If-None-Match Authorization X-Authentication X-Forwarded-For Origin Cookie Range Expect'
const CHANGED = 'If-Match If-None-Match Content-Type Content-Encoding Prefer'
const TARGETS =
  '/… /kinds/… /contexts/… /kinds?… /kinds?text=… /kinds?text[contains]=… /kinds?q=… /kinds?iri=… /kinds?price=… /kinds?instant=… /kinds?author=… /kinds?sort=… /kinds?after=…'
const POSTED =
  '… {"text":"…"} {"iri":"…"} {"price":"…"} {"instant":"…"} {"author":"…"} {"@id":"…"} {"@type":"…"} {"@context":"…"} {"…":1}'
const PATCHED =
  '{"…":1} {"author":{"@id":"…"}} {"spoken":{"…":"a"}} {"address":{"…":1}} {"span":"…"} {"@context":{"@vocab":"…"}} {"tags":[…'

/** Bodies of many parts, each with its number. */
const PARTS: readonly (readonly [first: string, part: (index: number) => string, last: string])[] = [
  ['{', (index) => `"k${index}":1`, '}'],
  ['{', (index) => `"${index}":1`, '}'],
  ['{', (index) => `"tezt${index}":1`, '}'],
  ['{', (index) => `"a:k${index}":1`, '}'],
  // So long that their hash is their length.
  ['{', (index) => `"${'k'.repeat(17_000)}${index}":1`, '}'],
  ['{"spoken":{', (index) => `"a${index}":"b"`, '}}'],
  ['{"address":{', (index) => `"k${index}":1`, '}}'],
  ['{"tags":[', (index) => `"${index}"`, ']}'],
  ['{"scores":[', (index) => `${index}`, ']}'],
  ['{"authors":[', (index) => `{"@id":"${index}"}`, ']}'],
  ['{"tags":[', () => '[]', ']}'],
  ['{"@type":[', (index) => `"T${index}"`, ']}'],
]

/** Every place of a request filled with everything, up to its limit. */
export function hostileRequests(head: Head): Hostile[] {
  const inHeader = (method: string) => (name: string) =>
    places(
      `${method} ${name}`,
      HEADERS - 64,
      (text) => text,
      (filling) => head(method, '/kinds/none', `${CLOSE}${name}: ${filling}\r\n`),
    )
  return [
    ...READ.split(' ').flatMap(inHeader('GET')),
    ...CHANGED.split(' ').flatMap(inHeader('DELETE')),
    ...TARGETS.split(' ').flatMap((path) =>
      places(`GET ${path}`, TARGET, inUrl, (filling) => head('GET', put(filling, path), CLOSE)),
    ),
    ...POSTED.split(' ').flatMap((body) => bodies(head, 'POST', body)),
    ...PATCHED.split(' ').flatMap((body) => bodies(head, 'PATCH', body)),
    ...PARTS.map(([first, part, last], index): Hostile => {
      const method = index % 2 === 0 ? 'PATCH' : 'POST'
      return {
        name: `${method} ${first}${part(1).slice(0, 40)}${last}`,
        limit: BODY,
        request: (length) => withBody(head, method, first + joined(part, length - 20) + last),
        harmless: withBody(head, method, ORDINARY),
      }
    }),
  ]
}

function places(
  name: string,
  limit: number,
  write: (text: string) => string,
  request: (filling: string) => string,
): Hostile[] {
  const room = limit - request('').length
  const harmless = Buffer.from(request('a'.repeat(room)))
  return FILLINGS.map((filling) => ({
    name: `${name} filled with ${JSON.stringify(filling)}`,
    limit: room,
    request: (length) => Buffer.from(request(filled(filling, length, write))),
    harmless,
  }))
}

/** What is a body of that length to others: a list of words, too long for its property. */
const ORDINARY = `{"tags":["word"${',"word"'.repeat((BODY - 20) / 7)}]}`

function bodies(head: Head, method: 'POST' | 'PATCH', body: string): Hostile[] {
  // Within quotes as JSON writes it, elsewhere as it is.
  const write = body.includes('"…"')
    ? (text: string) => JSON.stringify(text).slice(1, -1)
    : (text: string) => text
  const harmless = withBody(head, method, ORDINARY)
  return FILLINGS.map((filling) => ({
    name: `${method} ${body} filled with ${JSON.stringify(filling)}`,
    limit: BODY - body.length,
    request: (length) => withBody(head, method, put(filled(filling, length, write), body)),
    harmless,
  }))
}

function filled(
  [part, first = '', last = '']: Filling,
  length: number,
  write: (text: string) => string,
): string {
  const room = length - Buffer.byteLength(write(first) + write(last))
  return write(first) + write(part).repeat(room / Buffer.byteLength(write(part))) + write(last)
}

function joined(part: (index: number) => string, length: number): string {
  const parts: string[] = []
  for (let left = length; left > 0; left -= (parts.at(-1)?.length ?? 0) + 1) parts.push(part(parts.length))
  return parts.slice(0, -1).join()
}

const put = (filling: string, text: string): string => text.replace('…', () => filling)

const CLOSE = 'Connection: close\r\n'
const TYPES = { POST: 'application/ld+json', PATCH: 'application/merge-patch+json' }

function withBody(head: Head, method: 'POST' | 'PATCH', body: string): Buffer {
  const headers = `Content-Type: ${TYPES[method]}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(head(method, method === 'POST' ? '/kinds' : '/kinds/k', CLOSE + headers) + body)
}

/** As it is where a request line can have it. */
const inUrl = (text: string): string => text.replaceAll(/[^!-"$-~]/gu, encodeURIComponent)
