import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const OWL = 'http://www.w3.org/2002/07/owl#'
const PAGE = 30

export interface ForeignApi {
  readonly base: string
  /** Paths that were asked for, with their queries. */
  readonly asked: string[]
}

/**
 * An open API in the manner of API Platform: names instead of IRIs in its template, addresses without a host, pages with
 * numbers and nothing counted, and a variable that nobody else knows. Its 70 books cost less and less.
 */
export async function startForeignApi(t: TestContext): Promise<ForeignApi> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    asked.push(decodeURIComponent(request.url ?? ''))
    const document = documents(searchParams)[pathname]
    response.writeHead(document ? 200 : 404, {
      'Content-Type': 'application/ld+json',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Link',
      Link: `</docs>; rel="${HYDRA}apiDocumentation"`,
    })
    response.end(JSON.stringify(document ?? { 'hydra:description': 'Not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  return { base: `http://localhost:${(server.address() as AddressInfo).port}`, asked }
}

const documents = (query: URLSearchParams): Readonly<Record<string, object>> => ({
  '/': { '@context': '/contexts/Entrypoint', '@id': '/', '@type': 'Entrypoint', books: '/books' },
  '/docs': DOCUMENTATION,
  '/books': books(query),
  '/books/31': { '@context': '/contexts/Book', '@id': '/books/31', '@type': 'Book', title: 'Foreign 31' },
})

const DOCUMENTATION = {
  '@context': {
    '@vocab': '/docs#',
    hydra: HYDRA,
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    owl: OWL,
    xsd: 'http://www.w3.org/2001/XMLSchema#',
    property: { '@id': 'hydra:property', '@type': '@id' },
    range: { '@id': 'rdfs:range', '@type': '@id' },
  },
  '@id': '/docs',
  '@type': 'hydra:ApiDocumentation',
  'hydra:title': 'A shop elsewhere',
  'hydra:supportedClass': [
    {
      '@id': '#Book',
      '@type': 'hydra:Class',
      'hydra:title': 'Book',
      'hydra:supportedProperty': [
        supported('title', 'rdf:Property', 'xsd:string'),
        supported('price', 'rdf:Property', 'xsd:decimal'),
        supported('sequel', 'hydra:Link', '#Book'),
      ],
    },
    {
      '@id': '#Entrypoint',
      '@type': 'hydra:Class',
      'hydra:supportedProperty': [
        {
          '@type': 'hydra:SupportedProperty',
          'hydra:property': {
            '@id': '#Entrypoint/books',
            '@type': 'hydra:Link',
            'rdfs:range': [
              { '@id': 'hydra:Collection' },
              {
                'owl:equivalentClass': {
                  'owl:onProperty': { '@id': 'hydra:member' },
                  'owl:allValuesFrom': { '@id': '#Book' },
                },
              },
            ],
          },
        },
      ],
    },
  ],
}

function supported(name: string, type: string, range: string): object {
  return {
    '@type': 'hydra:SupportedProperty',
    'hydra:title': name,
    'hydra:property': { '@id': `#Book/${name}`, '@type': type, range },
  }
}

function books(query: URLSearchParams): object {
  const number = Number(query.get('page') ?? 1)
  const all = Array.from({ length: 70 }, (_, index) => ({
    '@id': `/books/${index + 1}`,
    '@type': 'Book',
    title: `Foreign ${String(index + 1).padStart(2, '0')}`,
    price: `${70 - index}.00`,
    sequel: `/books/${index + 2}`,
  }))
  const found = all.filter(({ title }) => title.endsWith(query.get('fancy') ?? ''))
  if (query.get('order[price]') === 'asc') found.reverse()
  const others = new URLSearchParams(query)
  const at = (page: number): string => {
    others.set('page', String(page))
    return `/books?${others}`
  }
  return {
    '@context': '/contexts/Book',
    '@id': '/books',
    '@type': 'hydra:Collection',
    'hydra:member': found.slice((number - 1) * PAGE, number * PAGE),
    'hydra:view': {
      '@id': at(number),
      '@type': 'hydra:PartialCollectionView',
      ...(number > 1 && { 'hydra:previous': at(number - 1) }),
      ...(found.length > number * PAGE && { 'hydra:next': at(number + 1) }),
    },
    'hydra:search': {
      '@type': 'hydra:IriTemplate',
      'hydra:template': '/books{?title,order[price],fancy}',
      'hydra:variableRepresentation': 'BasicRepresentation',
      'hydra:mapping': [
        { variable: 'title', property: 'title' },
        { variable: 'order[price]', property: 'price' },
        { variable: 'fancy', property: null },
      ],
    },
  }
}
