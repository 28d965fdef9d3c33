import type { Headers } from '../../support/client.ts'
import { CREATE } from '../newsroom.ts'

/** What a user of one database was told that a later request may use; it is another text in another database. */
export interface Told {
  readonly etags: string[]
  readonly links: string[]
}

/** `hidden`: by other users, on members that the user `me` may not read. */
export interface Step {
  readonly by: 'me' | 'others' | 'hidden'
  readonly ask: (told: Told) => Asked
}

type Collection = 'notes' | 'topics'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly collection: Collection
  readonly headers: Headers
  readonly body?: string
}

type Choose = <T>(...all: readonly [T, ...T[]]) => T

const TYPES: Readonly<Record<string, string>> = {
  POST: 'application/ld+json',
  PUT: 'application/ld+json',
  PATCH: 'application/merge-patch+json',
}

const QUERIES: readonly [string, ...string[]] = [
  '',
  'title=a',
  'title=a&title=b',
  'title[ne]=a',
  'title[gte]=a',
  'title[startsWith]=a',
  'title[contains]=b',
  'exists[code]=false',
  'code=h0',
  'code[gt]=h0',
  'q=a',
  'q=a+b',
  'rank=1',
  'rank[gte]=1',
  'tags=a',
  'tags[lt]=b',
  'next={base}/notes/h0',
  'about={base}/topics/s0',
  'titel=a',
]

const ORDERS: readonly [string, ...string[]] = ['', '', 'sort=-title', 'sort=rank,-code', 'order[title]=asc']
const PLACES: readonly [string, ...string[]] = ['', '', '', 'page=1', 'page=2', 'before=x']

/** ETags with the first versions of a class: who may guess them finds out how many there were. */
const firstVersions = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"${index + 1}-x"`).join()

/** Requests about notes and topics: those with `m` are the user's own, with `s` of others, with `h` hidden. */
export function createRequests(base: string) {
  const idOf = (choose: Choose, letters: string): string =>
    choose(...(letters.split('') as [string, ...string[]])) + choose(0, 1, 2)

  function bodyOf(choose: Choose, collection: Collection, links: string, codes: string): string {
    const value = <T>(make: () => T): T | undefined => (choose(true, false, false) ? make() : undefined)
    const address = (to: Collection) => value(() => `${base}/${to}/${idOf(choose, links)}`)
    const shared = {
      title: choose(undefined, 'a', 'b', 'a b', 'ß', ''),
      code: value(() => idOf(choose, codes)),
    }
    if (collection === 'topics') return JSON.stringify({ ...shared, note: address('notes') })
    const tags = choose(undefined, ['a'], ['b', 'a'])
    const rank = choose(undefined, 0, 1)
    return JSON.stringify({ ...shared, rank, tags, next: address('notes'), about: address('topics') })
  }

  function preconditions(choose: Choose, { etags }: Told): Headers {
    const [etag = '"x"'] = etags.slice(choose(0, 1, 2, 3))
    const guessed = firstVersions(choose(1, 2, 3, 4, 6, 8, 10))
    return choose<Headers>(
      {},
      {},
      {},
      CREATE,
      { 'If-Match': etag },
      { 'If-Match': etag },
      { 'If-None-Match': etag },
      { 'If-Match': '*' },
      { 'If-Match': guessed },
      { 'If-None-Match': guessed },
    )
  }

  function write(choose: Choose, by: Step['by'], told: Told): Asked {
    const [ids, links, codes] = {
      me: ['mmsh', 'msh', 'msh'],
      others: ['ms', 'ms', 's'],
      hidden: ['h', 'msh', 'h'],
    }[by]
    const collection = choose('notes', 'topics')
    // What others remove could be held by hidden links.
    const method = choose('PUT', 'PATCH', 'PUT', 'PATCH', ...(by === 'others' ? [] : ['POST', 'DELETE']))
    const path = method === 'POST' ? `/${collection}` : `/${collection}/${idOf(choose, String(ids))}`
    const headers = { 'Content-Type': TYPES[method] ?? '', ...preconditions(choose, told) }
    if (method === 'DELETE') return { method, path, collection, headers }
    return {
      method,
      path,
      collection,
      headers,
      body: bodyOf(choose, collection, String(links), String(codes)),
    }
  }

  function read(choose: Choose, told: Told): Asked {
    const collection = choose('notes', 'notes', 'topics')
    const query = [
      choose(...QUERIES),
      choose(...ORDERS),
      choose(...PLACES),
      choose('itemsPerPage=1', 'itemsPerPage=2', ''),
    ]
    const [link = `/${collection}`] = told.links.slice(choose(0, 1, 2, 3))
    const path = choose(
      `/${collection}?${query.filter(Boolean).join('&').replace('{base}', base)}`,
      link,
      choose(link, withOtherCursor(link, choose(1, 2, 3, 4, 5, 6, 7, 8, 9))),
      `/${collection}/${idOf(choose, 'mmsh')}`,
      choose(`/${collection}`, '/', '/vocab', '/nots', '/topic', '/contexts/Note'),
    )
    const method = choose('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS')
    const wished = choose<Headers>(
      {},
      {},
      { Prefer: 'count=exact' },
      { Accept: 'application/problem+json, */*' },
    )
    return { method, path, collection, headers: { ...preconditions(choose, told), ...wished } }
  }

  function first(by: Step['by'], collection: Collection, id: string): Step {
    const body = JSON.stringify({ title: 'a', code: id })
    const headers = { 'Content-Type': 'application/ld+json', ...CREATE }
    return { by, ask: () => ({ method: 'PUT', path: `/${collection}/${id}`, collection, headers, body }) }
  }

  return {
    /** A few members of each kind. */
    first: (['notes', 'topics'] as const).flatMap((collection) =>
      [0, 1].flatMap((index) => [
        first('others', collection, `s${index}`),
        first('hidden', collection, `h${index}`),
        first('me', collection, `m${index}`),
      ]),
    ),
    /** The numbers choose what is asked. */
    read: (by: Step['by'], numbers: readonly number[]): Step => ({
      by,
      ask(told) {
        let taken = 0
        const choose: Choose = (...all) => all[(numbers[taken++] ?? 0) % all.length] ?? all[0]
        return by !== 'me' || choose(true, false) ? write(choose, by, told) : read(choose, told)
      },
    }),
  }
}

/** What an answer to the user tells. */
export function remember(text: string, { etags, links }: Told): void {
  const etag = /(?<=ETag\n).*/.exec(text)?.[0]
  if (etag !== undefined) etags.unshift(etag)
  links.unshift(...(text.match(/(?<=\/api)\/\w+\?[^"]*(?:after|before)=[\w-]+(?=")/g) ?? []))
}

/** The link with a cursor that nobody was told. */
const withOtherCursor = (link: string, digit: number): string =>
  link.replace(
    /(?<=(?:after|before)=)[\w-]+/,
    (cursor) =>
      // Another digit than its own: it would be the cursor of one side only.
      cursor.slice(0, -1) + (cursor.endsWith(String(digit)) ? '_' : digit),
  )
