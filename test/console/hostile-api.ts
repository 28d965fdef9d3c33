import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'

type Json = Readonly<Record<string, unknown>>

/** For the documentation, beside its own. */
export type HostileClasses = readonly Json[]

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const CONTEXT = {
  '@vocab': 'http://example.org/',
  hydra: HYDRA,
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  ex: 'http://example.org/',
}
const NONCE = '00000000-0000-8000-8000-000000000000'
const TOKEN = '00000000-0000-8000-8000-000000000001'

/** Stands for lists in lists: whoever follows them runs out of stack. */
const DEEP = '<deep>'
const DEEP_LIST = '['.repeat(20_000) + ']'.repeat(20_000)

export interface HostileApi {
  /** Everybody reads the entry point and the documentation; what they lead to wants a token. */
  readonly base: string
  /** `/slashed` leads to `/slashed/`, and asks for everything. */
  readonly slashed: string
  /** `DELETE /api/things/a%2Fb`, as it came over the wire. */
  readonly asked: string[]
  /** What is written is answered when this is called: once it is there. */
  answerWrites(): Promise<void>
}

/** What others may serve, by mistake or on purpose. Anybody may sign in. */
export async function startHostileApi(t: TestContext, classes: HostileClasses = []): Promise<HostileApi> {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const [path = ''] = url.split('?')
    const answer = (status: number, body?: Json, more: Readonly<Record<string, string>> = {}) => {
      response.writeHead(status, {
        'Content-Type': 'application/ld+json',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Headers': '*, authorization, x-authorization, x-authentication',
        'Access-Control-Allow-Methods': '*',
        'Access-Control-Expose-Headers': 'Link, X-Authentication, X-Authorization',
        Link: `</api/doc>; rel="${HYDRA}apiDocumentation"`,
        ...more,
      })
      response.end(body && JSON.stringify(body).replace(`"${DEEP}"`, DEEP_LIST))
    }
    if (method === 'OPTIONS') return answer(204)
    asked.push(`${method} ${url}`)
    if (path === '/slashed') return answer(301, undefined, { Location: '/slashed/' })
    const isOpen = path === '/api' || path === '/api/doc'
    if (headers.authorization) return answer(200, entryPoint(path), { 'X-Authorization': TOKEN })
    if (!isOpen && headers['x-authorization'] !== TOKEN)
      return answer(401, undefined, { 'X-Authentication': NONCE })
    if (method !== 'GET') {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return answer(204)
    }
    const document = documentAt(url, classes)
    return answer(document ? 200 : 404, document)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    base: `${origin}/api`,
    slashed: `${origin}/slashed`,
    asked,
    async answerWrites() {
      while (waiting.length === 0) await setTimeout(5)
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

function documentAt(url: string, classes: readonly Json[]): Json | undefined {
  switch (url) {
    case '/api':
    case '/slashed/':
      return entryPoint(url)
    case '/api/doc':
      return documentation(classes)
    case '/api/things':
      return collection(url, [
        thing('/api/things/a%2Fb', 'A part'),
        thing('/api/things?id=5', 'A question'),
        thing('/api/things/..%2F..%2Fetc', 'A climb'),
      ])
    case '/api/broken':
      return collection(url, [{ ...thing('/api/broken/1', 'Broken'), valueOf: DEEP }])
    case '/api/things/a%2Fb':
      return thing(url, 'A part')
    case '/api/things?id=5':
      return thing(url, 'A question')
    case '/api/things/..%2F..%2Fetc':
      return thing(url, 'A climb')
  }
  return undefined
}

const entryPoint = (path: string): Json => ({
  '@context': CONTEXT,
  '@id': path,
  '@type': 'ex:EntryPoint',
  things: { '@id': '/api/things' },
  broken: { '@id': '/api/broken' },
})

const thing = (iri: string, name: string): Json => ({
  '@context': CONTEXT,
  '@id': iri,
  '@type': 'ex:Thing',
  name,
})

const collection = (iri: string, members: readonly Json[]): Json => ({
  '@context': CONTEXT,
  '@id': iri,
  '@type': 'hydra:Collection',
  'hydra:member': members,
})

const supported = (name: string, property: Json): Json => ({
  'hydra:title': name,
  'hydra:property': { '@id': `ex:${name}`, ...property },
})

const operations = (...methods: readonly string[]): readonly Json[] =>
  methods.map((method) => ({ '@type': 'hydra:Operation', 'hydra:method': method }))

const link = (name: string): Json =>
  supported(name, {
    '@type': 'hydra:Link',
    'hydra:supportedOperation': operations('GET'),
    'rdfs:range': [
      { '@id': 'hydra:Collection' },
      { 'owl:equivalentClass': { 'owl:allValuesFrom': { '@id': 'ex:Thing' } } },
    ],
  })

const text = (name: string): Json => supported(name, { 'rdfs:range': { '@id': 'xsd:string' } })

const documentation = (classes: readonly Json[]): Json => ({
  '@context': CONTEXT,
  '@id': '/api/doc',
  '@type': 'hydra:ApiDocumentation',
  'hydra:title': 'Elsewhere',
  'hydra:entrypoint': { '@id': '/api' },
  'hydra:supportedClass': [
    { '@id': 'ex:EntryPoint', 'hydra:supportedProperty': [link('things'), link('broken')] },
    {
      '@id': 'ex:Thing',
      'hydra:title': 'Thing',
      'hydra:supportedOperation': operations('GET', 'PUT', 'DELETE'),
      'hydra:supportedProperty': [text('name'), text('constructor'), text('valueOf')],
    },
    ...classes,
  ],
})

/** Each of them has a link to each of the first few. */
export const manyClasses = (count: number, links: number): HostileClasses =>
  Array.from({ length: count }, (_, number) => ({
    '@id': `ex:Class${number}`,
    'hydra:title': `Class ${number}`,
    'hydra:supportedProperty': Array.from({ length: links }, (_, to) =>
      supported(`to${to}`, { '@type': 'hydra:Link', 'rdfs:range': { '@id': `ex:Class${to}` } }),
    ),
  }))
