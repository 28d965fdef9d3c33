import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { listen } from '../support/browser-server.ts'

export type Data = Record<string, unknown>

/** How an API that is not ours answers: in the manner of API Platform unless told. */
export interface Foreign {
  /** Before the terms of Hydra; its contexts would have to be fetched. */
  readonly prefix?: 'hydra:' | ''
  /** What can be done with a member, and by which class of operation. */
  readonly operations?: Readonly<Record<string, string>>
  /** How a member is added. */
  readonly adding?: readonly [method: string, action: string]
  /** What a page shows of a member; everything unless told. */
  readonly shown?: readonly string[]
  /** Whether a write is answered with a sentence instead of what was written. */
  readonly laconic?: boolean
}

export interface ForeignServer {
  readonly base: string
  readonly books: Map<string, Data>
  /** `PUT /books/1 {…}`, with `if-match` at the end where that was sent. */
  readonly asked: string[]
}

const PAGE = 2

export async function startForeign(t: TestContext, how: Foreign = {}): Promise<ForeignServer> {
  const { prefix = 'hydra:', adding = ['POST', 'CreateAction'], laconic = false } = how
  const books = new Map<string, Data>()
  const asked: string[] = []
  const term = (name: string) => `${prefix}${name}`

  const whole = (id: string): Data => ({
    '@context': '/contexts/Book',
    '@id': `/books/${id}`,
    '@type': 'Book',
    ...books.get(id),
  })

  function page(query: URLSearchParams): Data {
    const number = Number(query.get('page') ?? 1)
    const found = [...books.keys()].filter(
      (id) => (query.get('title') ?? books.get(id)?.title) === books.get(id)?.title,
    )
    const address = (to: number) => `/books?page=${to}`
    return {
      '@context': '/contexts/Book',
      '@id': '/books',
      '@type': term('Collection'),
      [term('totalItems')]: found.length,
      [term('member')]: found.slice((number - 1) * PAGE, number * PAGE).map((id) => {
        const { '@context': _, ...data } = whole(id)
        const shown = how.shown && ['@id', '@type', ...how.shown]
        return Object.fromEntries(Object.entries(data).filter(([key]) => shown?.includes(key) ?? true))
      }),
      [term('view')]: {
        '@id': address(number),
        '@type': term('PartialCollectionView'),
        ...(number * PAGE < found.length ? { [term('next')]: address(number + 1) } : {}),
      },
      [term('search')]: {
        '@type': term('IriTemplate'),
        [term('template')]: '/books{?page,title,order[title],author[]}',
        [term('mapping')]: [
          { '@type': 'IriTemplateMapping', variable: 'title', property: 'title', required: false },
        ],
      },
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const sent = await text(request)
    const method = request.method ?? ''
    const condition = 'if-match' in request.headers ? ' if-match' : ''
    asked.push(`${method} ${decodeURIComponent(request.url ?? '')}${sent && ` ${sent}`}${condition}`)
    const reply = (status: number, body?: Data, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/ld+json; charset=utf-8', ...headers })
      response.end(body && JSON.stringify(body))
    }
    const written = (status: number, id: string) =>
      laconic
        ? reply(status, { [status]: 'Done' }, status === 201 ? { Location: `/books/${id}` } : {})
        : reply(status, whole(id))
    const id = pathname.split('/')[2]
    if (pathname === '/') {
      const link = '</docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"'
      const body = { '@context': '/contexts/Entrypoint', '@id': '/', '@type': 'Entrypoint', book: '/books' }
      return reply(200, body, { Link: `</other>; rel="alternate", ${link}` })
    }
    if (pathname === '/docs.jsonld') return reply(200, documentation(how))
    if (pathname === '/books' && method === 'GET') return reply(200, page(searchParams))
    if (pathname === '/books' && method === adding[0]) {
      const data = JSON.parse(sent) as Data
      if (data.title === '') {
        const violations = [{ propertyPath: 'title', message: 'This value should not be blank.' }]
        const body = {
          '@type': 'ConstraintViolationList',
          [term('title')]: 'An error occurred',
          [term('description')]: 'title: This value should not be blank.',
          violations,
        }
        return reply(422, body)
      }
      const made = String(books.size + 1)
      books.set(made, { ...data, madeBy: 'the server' })
      return written(201, made)
    }
    const book = id === undefined ? undefined : books.get(id)
    if (id === undefined || book === undefined || !(how.operations ?? OPERATIONS)[method]) {
      return reply(book ? 405 : 404, { [term('description')]: 'Not found' })
    }
    if (method === 'GET') return reply(200, whole(id))
    if (method === 'DELETE') {
      books.delete(id)
      return reply(204)
    }
    const { '@id': _, '@type': __, ...data } = JSON.parse(sent) as Data
    if ('madeBy' in data) return reply(422, { [term('description')]: 'madeBy is read-only' })
    books.set(id, method === 'PATCH' ? { ...book, ...data } : { ...data, madeBy: book.madeBy })
    return written(200, id)
  }

  const base = await listen(t, (request, response) => {
    answer(request, response).catch((error) => response.destroy(error))
  })
  return { base, books, asked }
}

const OPERATIONS: Readonly<Record<string, string>> = {
  GET: 'FindAction',
  PUT: 'ReplaceAction',
  PATCH: 'Operation',
  DELETE: 'DeleteAction',
}

function documentation({
  prefix = 'hydra:',
  operations = OPERATIONS,
  adding = ['POST', 'CreateAction'],
}: Foreign): Data {
  const term = (name: string) => `${prefix}${name}`
  const context = {
    '@vocab': '/docs.jsonld#',
    hydra: 'http://www.w3.org/ns/hydra/core#',
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    owl: 'http://www.w3.org/2002/07/owl#',
    schema: 'http://schema.org/',
  }
  const operation = (method: string, action: string) => ({
    '@type': [term('Operation'), `schema:${action}`],
    [term('method')]: method,
    [term('title')]: `${action} by ${method}`,
  })
  const property = (name: string, writeable: boolean) => ({
    '@type': term('SupportedProperty'),
    [term('property')]: { '@id': `#Book/${name}`, '@type': 'rdf:Property' },
    [term('title')]: name,
    [term('writeable')]: writeable,
  })
  return {
    '@context': prefix === '' ? ['http://www.w3.org/ns/hydra/context.jsonld', context] : context,
    '@id': '/docs.jsonld',
    '@type': term('ApiDocumentation'),
    [term('title')]: 'Elsewhere',
    [term('supportedClass')]: [
      {
        '@id': '#Book',
        '@type': term('Class'),
        [term('title')]: 'Book',
        [term('supportedProperty')]: [
          property('title', true),
          property('price', true),
          property('madeBy', false),
        ],
        [term('supportedOperation')]: Object.entries(operations).map(([method, action]) =>
          operation(method, action),
        ),
      },
      {
        '@id': '#Entrypoint',
        '@type': term('Class'),
        [term('supportedProperty')]: [
          {
            '@type': term('SupportedProperty'),
            [term('property')]: {
              '@id': '#Entrypoint/book',
              '@type': term('Link'),
              'rdfs:range': [
                { '@id': term('Collection') },
                {
                  'owl:equivalentClass': {
                    'owl:onProperty': { '@id': term('member') },
                    'owl:allValuesFrom': { '@id': '#Book' },
                  },
                },
              ],
              [term('supportedOperation')]: [operation('GET', 'FindAction'), operation(...adding)],
            },
          },
        ],
      },
    ],
  }
}
