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

const bookValues = (number: number, prefix: string) => ({
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

/** Asks for each path once: from then on, every answer must have those bytes. */
export async function prepareReads(
  { name, port }: BenchServer,
  questions: readonly Question[],
  expected: readonly (Prepared | undefined)[] = [],
): Promise<() => Question> {
  const answers = await askAll(port, questions)
  const prepared = questions.map((question, index): Question => {
    const { body } = answers[index] as Answer
    const other = expected[index]
    if (other !== undefined) assert.deepEqual(contentOf(`${body}`), contentOf(other.body), name)
    return { ...question, body }
  })
  let at = 0
  return () => prepared[at++ % prepared.length] as Question
}

type ToQuestions = (server: BenchServer, paths: readonly string[]) => Question[] | Promise<Question[]>

const withToken: ToQuestions = ({ authorized }, paths) => paths.map((path) => request(path, authorized))

async function ifChanged({ port, authorized }: BenchServer, paths: readonly string[]): Promise<Question[]> {
  const answers = await askAll(
    port,
    paths.map((path) => request(path, authorized, [200, 304])),
  )
  const headers = answers.map(({ head }) => `${authorized}If-None-Match: ${headerOf(head, 'etag')}\r\n`)
  return paths.map((path, index) => request(path, headers[index], [304]))
}

/** Bare node:http answers by the path alone: no two of them share one. */
const READS: readonly [name: string, paths: readonly string[], toQuestions: ToQuestions][] = [
  ['challenge', ['/api/authors'], (_, paths) => paths.map((path) => request(path, '', [401]))],
  ['member', ['/api/books/book-1'], withToken],
  ['member, another each time', numbered(BOOKS - 2, (number) => `/api/books/book-${number + 2}`), withToken],
  ['304', ['/api/books/book-2'], ifChanged],
  ['page of 20, unchanged', ['/api/books'], withToken],
  // More pages than a server keeps in memory.
  ['page of 20, another each time', numbered(PAGES, (number) => `/api/books?page=${number}`), withToken],
]

export const reads: readonly Workload[] = READS.map(([name, paths, toQuestions]) => ({
  name,
  clients: CONNECTIONS,
  prepare: async (server, expected) =>
    prepareReads(
      server,
      await toQuestions(server, paths),
      paths.map((path) => expected[path]),
    ),
}))

export const creates: readonly Workload[] = [1, 64].map((clients) => ({
  name: `durable create, ${clients} client${clients === 1 ? '' : 's'}`,
  clients,
  prepare: async (server) => nextCreate(server),
}))

/** The books that a server has acknowledged, by their addresses. */
const acknowledged = new Map<BenchServer, Set<string>>()
let created = 0

/** Each book that is acknowledged must be the one that was sent, under an address of its own. */
export function nextCreate(server: BenchServer): () => Question {
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
  const responses: Record<string, Prepared> = {}
  for (const [, paths, toQuestions] of READS) {
    const answers = await askAll(server.port, await toQuestions(server, paths))
    for (const [index, { status, head, body }] of answers.entries()) {
      const lines = head.trimEnd().split('\r\n').slice(1)
      const headers = lines
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
        .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name))
      responses[paths[index] as string] = { status, headers: headers.flat(), body: `${body}` }
    }
  }
  return responses
}

/** For the hand-written server: what never changes in the responses of the reference. */
export function writeFrame(folder: string, responses: Responses): void {
  const [member, page] = ['/api/books/book-1', '/api/books'].map((path) =>
    JSON.parse(responses[path]?.body ?? ''),
  )
  const frame = {
    memberContext: member['@context'],
    pageContext: page['@context'],
    assertion: page.memberAssertion,
    search: page.search,
  }
  const texts = Object.entries(frame).map(([name, value]) => [name, JSON.stringify(value)])
  writeFileSync(join(folder, 'frame.json'), JSON.stringify(Object.fromEntries(texts)))
}

function numbered(count: number, toPath: (number: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => toPath(index + 1))
}
