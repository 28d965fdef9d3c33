// The library that all servers hold, and the requests that they are asked.
import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prepared, Responses } from './bare-server.ts'
import { type Answer, ask, askAll, headerOf, type Question } from './load.ts'
import { BASE, type BenchServer, newFolder } from './servers.ts'

const BOOKS = 1_500
const PAGES = 75
export const CONNECTIONS = 16

/** A kind of request. */
export interface Workload {
  readonly name: string
  readonly clients: number
  /** What is asked of a server, one after the other. Throws where it does not answer as is expected. */
  prepare(server: BenchServer, expected: Responses): Promise<() => Question>
}

/** The example with 1,500 books of one author, in a folder of its own. */
export function writeLibrary(): string {
  const folder = newFolder()
  copyFileSync(join(import.meta.dirname, '..', 'examples', 'library.yaml'), join(folder, 'api.yaml'))
  const author = { '@type': 'Author', '@id': '/authors/tolkien', name: 'J. R. R. Tolkien' }
  const books = Array.from({ length: BOOKS }, (_, index) => ({
    '@type': 'Book',
    '@id': `/books/book-${index + 1}`,
    ...bookValues(index + 1, '979'),
    author: '/authors/tolkien',
    createdAt: '2020-01-01T00:00:00Z',
  }))
  const lines = [author, ...books].map((member) => `${JSON.stringify(member)}\n`)
  writeFileSync(join(folder, 'data.ndjson'), lines.join(''))
  return folder
}

export const bookValues = (number: number, prefix: string) => ({
  title: `The book with number ${number}`,
  isbn: `${prefix}-${number}`,
  pages: number,
  price: '12.50',
  published: '2020-01-01',
  available: true,
  genres: ['fantasy', 'novel'],
  notes: 'There and back again',
})

/** A GET; `headers` are whole lines. */
export const request = (path: string, headers = '', statuses: readonly number[] = [200]): Question => ({
  text: `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: bench\r\n${headers}\r\n`,
  statuses,
})

/** Asks each question once: from then on, every answer must have those bytes. */
export async function prepareReads(
  { name, port }: BenchServer,
  questions: readonly Question[],
  expected: Responses = {},
): Promise<() => Question> {
  const answers = await askAll(port, questions)
  const prepared = questions.map((question, index): Question => {
    const { body } = answers[index] as Answer
    const other = expected[pathOf(question)]
    if (other !== undefined) assert.deepEqual(contentOf(`${body}`), contentOf(other.body), name)
    return { ...question, body }
  })
  let at = 0
  return () => prepared[at++ % prepared.length] as Question
}

const pathOf = ({ text }: Question): string => text.split(' ', 2)[1] as string

/** The header lines of all requests of a workload. */
type ToHeaders = (server: BenchServer, path: string) => string | Promise<string>

const withToken: ToHeaders = ({ authorized }) => authorized

async function ifChanged({ port, authorized }: BenchServer, path: string): Promise<string> {
  const { head } = await ask(port, request(path, authorized, [200, 304]))
  return `${authorized}If-None-Match: ${headerOf(head, 'etag')}\r\n`
}

/** Bare node:http answers by the path alone: no two of them share one. */
const READS: readonly [name: string, status: number, toHeaders: ToHeaders, paths: readonly string[]][] = [
  ['challenge', 401, () => '', ['/api/authors']],
  ['member', 200, withToken, ['/api/books/book-1']],
  ['304', 304, ifChanged, ['/api/books/book-2']],
  ['member, another each time', 200, withToken, numbered('/api/books/book-', 3, BOOKS)],
  ['page of 20, unchanged', 200, withToken, ['/api/books']],
  ['page of 20, another each time', 200, withToken, twoSpellings(numbered('/api/books?page=', 1, PAGES))],
]

async function listReads(server: BenchServer, [, status, toHeaders, paths]: (typeof READS)[number]) {
  const headers = await toHeaders(server, paths[0] as string)
  return paths.map((path) => request(path, headers, [status]))
}

export const reads: readonly Workload[] = READS.map((read) => ({
  name: read[0],
  clients: CONNECTIONS,
  prepare: async (server, expected) => prepareReads(server, await listReads(server, read), expected),
}))

export const creates: readonly Workload[] = [1, 64].map((clients) => ({
  name: `durable create, ${clients} client${clients === 1 ? '' : 's'}`,
  clients,
  prepare: async (server) => nextCreate(server),
}))

/** The books that a server has acknowledged, by their addresses. */
const acknowledged = new Map<object, Set<string>>()
let created = 0

/** Each book that is acknowledged must be the one that was sent, under an address of its own. */
export function nextCreate(server: Pick<BenchServer, 'authorized'>): () => Question {
  const addresses = acknowledged.get(server) ?? new Set()
  acknowledged.set(server, addresses)
  return () => {
    const values = { ...bookValues(++created, '978'), author: `${BASE}/authors/tolkien` }
    const sent = JSON.stringify(values)
    const check = ({ head, body }: Answer) => {
      const address = headerOf(head, 'location') ?? ''
      assert.ok(address !== '' && !addresses.has(address), `Not an address of its own: "${address}"`)
      addresses.add(address)
      assert.ok(body.includes(`"isbn":"${values.isbn}"`), `${body}`)
    }
    const headers = `${server.authorized}Content-Type: application/json\r\nContent-Length: ${sent.length}\r\n`
    return {
      text: `POST /api/books HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${sent}`,
      statuses: [201],
      check,
    }
  }
}

/** Throws where a server does not have as many books as it has acknowledged. */
export async function requireCreated(server: BenchServer): Promise<void> {
  const { body } = await ask(server.port, request('/api/books?page=1', server.authorized))
  assert.equal(JSON.parse(`${body}`).totalItems, BOOKS + (acknowledged.get(server)?.size ?? 0), server.name)
}

/** Of a page its members and how many there are: each server has addresses of its own for its neighbours. */
function contentOf(body: string): unknown {
  if (body === '') return undefined
  const { member, totalItems, ...rest } = JSON.parse(body)
  return member === undefined ? rest : { member, totalItems }
}

/** The answers of a server to all reads, as bare node:http sends them again: without the headers that it adds itself. */
export async function capture(server: BenchServer): Promise<Responses> {
  const questions = (await Promise.all(READS.map((read) => listReads(server, read)))).flat()
  const answers = await askAll(server.port, questions)
  const responses = answers.map(({ status, head, body }): Prepared => {
    const headers = [...head.matchAll(/\r\n(?!date|connection|keep-alive)([^:]+): (.*)/gi)]
    return { status, headers: headers.flatMap(([, name = '', value = '']) => [name, value]), body: `${body}` }
  })
  return Object.fromEntries(
    questions.map((question, index) => [pathOf(question), responses[index] as Prepared]),
  )
}

/** For the hand-written server, which takes from them what never changes. */
export function writeFrame(folder: string, responses: Responses): void {
  const [member, page] = ['/api/books/book-1', '/api/books'].map((path) => responses[path]?.body)
  writeFileSync(join(folder, 'frame.json'), `{"member":${member},"page":${page}}`)
}

/** More than twice as many as Hydrant caches pages: of fewer it would cache nearly all or none, as chance has it. */
function twoSpellings(addresses: readonly string[]): string[] {
  return [...addresses, ...addresses.map((address) => `${address}&`)]
}

function numbered(start: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${start}${first + index}`)
}
