import assert from 'node:assert/strict'
import type { Headers, TestResponse } from '../support/client.ts'
import { type Ended, type ServiceOptions, serve, type TestService } from '../support/service.ts'

/** A service as someone who has a token sees it. */
export interface SignedIn extends TestService {
  send(method: string, path: string, headers?: Headers, body?: string): Promise<TestResponse>
  get(path: string, headers?: Headers): Promise<TestResponse>
  /** A string is sent as it is, anything else as JSON. */
  post(path: string, body: unknown, headers?: Headers): Promise<TestResponse>
  /** Adds a member that must be accepted, and returns its representation. */
  add(path: string, body: object): Promise<Json & { readonly '@id': string }>
}

export type Json = Readonly<Record<string, unknown>>

export async function serveSignedIn(t: Ended, options: ServiceOptions = {}): Promise<SignedIn> {
  const service = await serve(t, options)
  const token = await service.client.signIn()
  const send: SignedIn['send'] = (method, path, headers = {}, body) =>
    service.client.send(method, path, { 'X-Authorization': token, ...headers }, body)
  const post: SignedIn['post'] = (path, body, headers = {}) =>
    send(
      'POST',
      path,
      { 'Content-Type': 'application/ld+json', ...headers },
      typeof body === 'string' ? body : JSON.stringify(body),
    )
  return {
    ...service,
    send,
    post,
    get: (path, headers) => send('GET', path, headers),
    async add(path, body) {
      const response = await post(path, body)
      assert.equal(response.status, 201, response.body)
      return response.json() as Json & { '@id': string }
    },
  }
}

/** The path below the base of an absolute address, as `send` takes it. */
export function pathOf(base: string, address: unknown): string {
  assert.ok(typeof address === 'string' && address.startsWith(`${base}/`), `${address} is not below ${base}`)
  return address.slice(base.length)
}

/** The sentence of an error in its default form, which has one member: the status code (seed.md, Errors). */
export function sentenceOf({ status, body }: TestResponse): string {
  const error = JSON.parse(body) as Json
  assert.deepEqual(Object.keys(error), [String(status)], body)
  return String(error[status])
}

/** Asks for errors as problem documents, which have codes; for everything else as JSON-LD. */
export const AS_PROBLEM: Headers = { Accept: 'application/ld+json, application/problem+json' }

/** The codes of a problem document, each after its place: `page: NotAPage`, `title: RequiredValue, pages: BelowMinimum`. */
export function codesOf({ status, body }: TestResponse): string {
  const problem = JSON.parse(body) as Json & { type: string; violations?: Json[] }
  assert.equal(problem.status, status, body)
  if (problem.violations !== undefined)
    return problem.violations.map((one) => placed(String(one.propertyPath), String(one.code))).join(', ')
  const operation = problem.operation === undefined ? '' : `operation[${problem.operation}]`
  const code = problem.type.slice(problem.type.indexOf('#') + 1)
  return placed(operation, placed(String(problem.parameter ?? ''), code))
}

const placed = (place: string, code: string): string => (place === '' ? code : `${place}: ${code}`)

/** Codes as `codesOf` has them, and values that the sentence shows, such as the name that was meant. */
export type Said = readonly [codes: string, ...values: string[]]

export function assertProblem(response: TestResponse, [codes, ...values]: Said, about: string): void {
  assert.equal(codesOf(response), codes, about)
  const { detail } = response.json()
  for (const value of values) assert.ok(String(detail).includes(value), `${about}: ${detail}`)
}

/** For a representation without its context, which has tests of its own. */
export function withoutContext(value: Json): Json {
  const { '@context': context, ...rest } = value
  assert.ok(context !== undefined)
  return rest
}
