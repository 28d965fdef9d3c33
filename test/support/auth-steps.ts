import assert from 'node:assert/strict'
import { stepB, USER } from './client.ts'
import { type RawResponse, sendRaw } from './raw.ts'
import { pathForAnyone, type TestService } from './service.ts'

/** Where injected clocks begin: a whole second, since a nonce counts in seconds. */
export const START = Date.UTC(2030, 0, 1)
export const SECOND = 1_000
export const MINUTE = 60_000

export const STEP_A = '{"401": "Need credentials to authenticate"}'
export const STEP_B = '{"200": "User token generated"}'
export const NONCE = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const TOKEN = /^[0-9a-f]{64}$/

export interface Answer extends RawResponse {
  /** The response as it came, headers and all. */
  readonly text: string
}

/** One request whose header lines are sent as they are: repeated, in this order and in this spelling. */
export async function ask(
  { port }: Pick<TestService, 'port'>,
  lines: readonly string[],
  request = 'GET /api/books',
): Promise<Answer> {
  const head = [`${request} HTTP/1.1`, 'Host: test', 'Connection: close', ...lines, '', '']
  const { responses, text } = await sendRaw(port, [Buffer.from(head.join('\r\n'), 'latin1')], 10_000)
  const [response, more] = responses
  assert.ok(response !== undefined && more === undefined, `one response, not ${JSON.stringify(text)}`)
  return { ...response, text }
}

export const bytesOf = (nonce: string): Buffer => Buffer.from(nonce.replaceAll('-', ''), 'hex')

export const spell = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

export const useNonce = ({ client }: Pick<TestService, 'client'>, nonce: string, paraphrase?: string) =>
  client.send('GET', '/books', stepB(nonce, USER, paraphrase))

export const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64')

/** What may differ between two answers of step A. */
export const mask = (text: string): string =>
  text
    .replace(/^(X-Authentication: )[0-9a-f-]{36}\r$/m, '$1<nonce>\r')
    .replace(/^(Date: )[^\r]+\r$/m, '$1<date>\r')

/** Step A as the seed has it; `what` says which request it was. */
export function assertChallenged(response: RawResponse, what?: string): void {
  assert.equal(response.status, 401, what)
  assert.equal(response.body, STEP_A, what)
  assert.equal(response.headers['content-type'], 'application/ld+json', what)
  assert.equal(response.headers['www-authenticate'], 'Basic realm="Login required"', what)
  assert.match(response.headers['x-authentication'] ?? '', NONCE, what)
  assert.equal(response.headers['x-authorization'], undefined, what)
  assert.equal(response.headers['cache-control'], 'no-store', what)
}

/** Whether header lines say who asks: such a request goes through the gate, wherever it leads (people.md, Anyone). */
const sayWho = (lines: readonly string[]): boolean =>
  lines.some((line) => /^(?:x-authorization|x-authentication|authorization):/i.test(line))

/**
 * That a request gets step A byte for byte as one without any credentials does, but for nonce and date. What says who asks
 * is sent to what anyone may read, where there is such a thing: a dead token never gets a public answer.
 */
export async function assertRefused(
  service: Pick<TestService, 'port'>,
  lines: readonly string[],
  request = `GET /api${(sayWho(lines) && pathForAnyone()) || '/books'}`,
): Promise<void> {
  const answer = await ask(service, lines, request)
  assertChallenged(answer)
  assert.equal(mask(answer.text), mask((await ask(service, [])).text))
}

/** Step B as the seed has it. */
export function assertExchanged(response: RawResponse, what?: string): void {
  assert.equal(response.status, 200, what)
  assert.equal(response.body, STEP_B, what)
  assert.equal(response.headers['content-type'], 'application/ld+json', what)
  assert.match(response.headers['x-authorization'] ?? '', TOKEN, what)
  assert.equal(response.headers['x-authentication'], undefined, what)
  assert.equal(response.headers['www-authenticate'], undefined, what)
  assert.equal(response.headers['cache-control'], 'no-store', what)
}

/** How many responses have which status. */
export function tally(responses: readonly RawResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The same work so many times at once. */
export const together = <T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => act(index)))
