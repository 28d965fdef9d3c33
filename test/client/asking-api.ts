import type { Recording } from './recording.ts'
import { recordClient } from './recording.ts'

const BASE = 'http://localhost:1/api'

const TEMPLATE = '/api/books{?title*,pages.gte,author*,include*,fields*,sort,page,itemsPerPage}'

type Data = Readonly<Record<string, unknown>>

const operation = (method: string) => ({ '@type': 'Operation', method })

const documentation = (methods: readonly string[]): Data => ({
  '@id': `${BASE}/vocab`,
  supportedClass: [
    {
      '@id': `${BASE}/vocab#Book`,
      title: 'Book',
      supportedOperation: methods.map(operation),
      supportedProperty: [],
    },
  ],
})

const book = (fields: readonly string[]): Data => {
  const all: Data = { title: 'Emma', pages: 474, author: `${BASE}/authors/jane` }
  const shown = Object.entries(all).filter(([name]) => fields.length === 0 || fields.includes(name))
  return { '@id': `${BASE}/books/emma`, '@type': `${BASE}/vocab#Book`, ...Object.fromEntries(shown) }
}

const SUMMARIES: Data = {
  '@id': `${BASE}/summaries/books`,
  '@type': 'Collection',
  totalItems: 3,
}

const summary = (author: string | null, count: number): Data => ({
  '@type': 'Summary',
  group: { author },
  count,
  sum: { price: author === null ? null : '120.50' },
  members: `${BASE}/books?author=${author}`,
})

function summariesAt({ href, searchParams }: URL): Data {
  const isLast = searchParams.get('page') === '2'
  return {
    ...SUMMARIES,
    member: isLast ? [summary(null, 1)] : [summary('jane', 12), summary('ann', 3)],
    view: { '@id': href, ...(isLast ? {} : { next: `${BASE}/summaries/books?group=author&page=2` }) },
  }
}

interface AskingApi {
  /** How the collection links to its summaries. */
  readonly summary?: unknown
  /** The methods of a member. */
  readonly methods?: readonly string[]
}

/** A client of an API as asking.md describes it, which answers from memory. */
export function recordAsking({ summary = `${BASE}/summaries/books`, methods }: AskingApi = {}): Recording {
  const search = { '@type': 'IriTemplate', template: TEMPLATE }
  const answer = (url: URL): Data => {
    const path = url.pathname.slice('/api'.length)
    const fields = url.searchParams.getAll('fields').flatMap((one) => one.split(','))
    if (path === '/vocab') return documentation(methods ?? ['GET', 'PATCH', 'PUT', 'DELETE'])
    if (path === '/summaries/books') return summariesAt(url)
    if (path === '/books/emma') return book(fields)
    if (path !== '/books') return { '@id': BASE, books: `${BASE}/books`, batch: `${BASE}/batch` }
    const view = { '@id': url.href }
    return {
      '@id': `${BASE}/books`,
      member: [book(fields)],
      view,
      ...(url.search ? {} : { search, summary }),
    }
  }
  return recordClient(BASE, {
    credentials: undefined,
    async fetch(input, init) {
      const headers = { 'content-type': 'application/ld+json', etag: '"1"' }
      const isWrite = init?.method === 'PATCH' || init?.method === 'PUT'
      const body = isWrite ? book([]) : answer(new URL(String(input)))
      return new Response(JSON.stringify(body), { headers })
    },
  })
}
