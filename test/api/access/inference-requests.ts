import type { AppRequest } from '../app-of-users.ts'
import { anyEnd, anyQuestion, choiceOf, type End, queryOf } from '../query/random-queries.ts'
import { addressesOf, type Choose, CLASSES, LISTED, type ListedClass } from '../query/random-shelf.ts'

/** What a user of one database was told that a later request may use. */
export interface Told {
  readonly links: string[]
  /** Requests that were answered with an ETag, to be asked again. */
  readonly tagged: AppRequest[]
}

/** A request of a user who may learn nothing of what others have. It depends on what the user was told before. */
export type AskedInVain = (told: Told) => AppRequest

const collectionOf = (className: ListedClass): string => String(CLASSES[className]?.collection)

const INCLUDES: Readonly<Record<ListedClass, readonly string[]>> = {
  Book: ['author', 'others', 'print.by', 'lines.by', 'author.agent', 'author.nation', 'author.books'],
  Author: ['agent', 'nation', 'home.country', 'books', 'clients', 'helped', 'agent.agent', 'books.others'],
  Country: ['nationals', 'nationals.agent'],
}

const FIELDS: Readonly<Record<ListedClass, readonly string[]>> = {
  Book: [
    'title',
    'author',
    'others',
    'print.city',
    'print.by',
    'lines',
    'author.name',
    'author.books',
    '@id',
  ],
  Author: ['name', 'agent', 'home', 'home.country', 'books', 'clients', 'agent.name', 'nation.name'],
  Country: ['name', 'nationals', 'nationals.name'],
}

/** Names that are nowhere, or not for everybody. */
const WRONG = [
  'titel=a',
  'author.nam=a',
  'author.agent.nmae=a',
  'nation.rnak=1',
  'print.by.nom=a',
  'author.book.title=a',
  'books.titel=a',
  'nationals.nam=a',
  'exists[author.bokos]=true',
  'or[a][author.nam]=a',
  'or[a][books.tags.lke]=a',
  'sort=author.nam',
  'sort=-nation.nam,title',
  'sort=others.name',
  'sort=agnet',
  'order[books]=asc',
  'order[author.home.citi]=asc',
  'author.name[like]=a',
  'author.born=x',
  'author=authors/a0',
  'author.agent=nothing',
  'author.home.country.name.eq=a',
  'author.agent.agent.agent.name=a',
  'fields=author.nam',
  'fields=titel',
  'include=auhtor',
  'include=books.lines',
  'q=',
  'page=0',
  'after=x',
  'before=y',
  'itemsPerPage=1000',
]

const PLACES = ['', '', '', '', 'page=1', 'page=2', 'page=3', 'offset=2']
const SIZES = ['', 'itemsPerPage=1', 'itemsPerPage=1', 'itemsPerPage=2', 'itemsPerPage=4', 'itemsPerPage=50']

const ACCEPTS = [
  ...['', '', '', '', '', 'text/csv', 'text/csv', 'application/json', 'text/turtle', 'application/n-quads'],
  'application/ld+json, application/problem+json',
]

const now = (choose: Choose, text: () => string): string => (choose(true, false, false, false) ? text() : '')

function anyList(choose: Choose): string {
  const { className, ...question } = anyQuestion(choose)
  const include = now(choose, () => `include=${choiceOf(choose, INCLUDES[className])}`)
  const fields = now(
    choose,
    () => `fields=${choiceOf(choose, FIELDS[className])},${choiceOf(choose, FIELDS[className])}`,
  )
  const wrong = choose(true, false, false, false, false, false) ? choiceOf(choose, WRONG) : ''
  const query = [
    queryOf({ className, ...question }, choose),
    include,
    fields,
    wrong,
    choiceOf(choose, PLACES),
    choiceOf(choose, SIZES),
  ]
  return `/${collectionOf(className)}?${query.filter(Boolean).join('&')}`
}

const NUMBERS = ['integer', 'decimal', 'double']

/** A path whose end fits, as a rule. */
function anyFitting(choose: Choose, className: string, isFit: (type: string) => boolean): End {
  let end = anyEnd(choose, className)
  for (let times = 0; times < 4 && !isFit(end.type); times++) end = anyEnd(choose, className)
  return end
}

function anyGroup(choose: Choose, className: string): string {
  const { path, type } = anyFitting(choose, className, (one) => one !== 'reverse')
  const unit = type.startsWith('date') ? choose('', ':year', ':month', ':day') : ''
  return `${path.join('.')}${unit}`
}

function anyFigure(choose: Choose, className: string): string {
  const name = choose('sum', 'avg', 'min', 'max')
  const isFit = name === 'sum' || name === 'avg' ? (type: string) => NUMBERS.includes(type) : () => true
  return `${name}=${anyFitting(choose, className, isFit).path.join('.')}`
}

/** By groups, with figures, of members that filters choose. */
function anySummary(choose: Choose): string {
  const { order: _, ...question } = anyQuestion(choose)
  const { className } = question
  const groups = Array.from({ length: choose(0, 1, 1, 1, 2) }, () => anyGroup(choose, className))
  const figures = Array.from({ length: choose(0, 1, 1, 2) }, () => anyFigure(choose, className))
  const columns = ['count', ...groups, ...figures.map((one) => one.replace('=', '.'))]
  const order = () => {
    const column = choiceOf(choose, columns)
    return choose(`order[${column}]=${choose('asc', 'desc')}`, `sort=${choose('', '-')}${column}`)
  }
  const query = [
    queryOf({ ...question, order: [] }, choose),
    ...groups.map((group) => `group=${group}`),
    ...figures,
    choose('', order()),
    now(choose, () => choiceOf(choose, WRONG)),
    choose('', '', 'page=1', 'page=2'),
    choiceOf(choose, SIZES),
  ]
  return `/summaries/${collectionOf(className)}?${query.filter(Boolean).join('&')}`
}

function anyMember(choose: Choose): string {
  const className = choose(...LISTED)
  const address = choose(
    ...addressesOf(className),
    `${collectionOf(className)}/x0`,
    `${collectionOf(className)}/never`,
  )
  const include = now(choose, () => `?include=${choiceOf(choose, INCLUDES[className])}`)
  const below = choose('', '', '', '', '', '/books', '/clients', '/nationals', '/removal')
  return `/${address}${below}${include}`
}

const anyResource = (choose: Choose): string =>
  choose(
    '/',
    '/vocab',
    '/openapi',
    '/books',
    '/authors',
    '/countries',
    '/contexts/Book',
    '/contexts/Author',
    '/contexts/BookSummary',
    '/summaries/authors',
    '/summaries/autors',
    '/autors',
  )

/** The numbers choose what is asked. */
export const anyAsked =
  (choose: Choose): AskedInVain =>
  ({ tagged, links }) => {
    const [again] = tagged.slice(choose(0, 0, 1, 2, 3))
    if (again !== undefined && choose(true, false, false, false, false, false)) return again
    const [link = '/books'] = links.slice(choose(0, 0, 1, 2, 3))
    const path = choose(
      () => anyList(choose),
      () => anyList(choose),
      () => anyList(choose),
      () => link,
      () => link,
      () => anySummary(choose),
      () => anySummary(choose),
      () => anyMember(choose),
      () => anyResource(choose),
    )()
    const accept = choiceOf(choose, ACCEPTS)
    const headers = {
      ...(accept !== '' && { Accept: accept }),
      ...choose({}, {}, { Prefer: 'count=exact' }),
    }
    return { method: choose('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS'), path, headers }
  }

/** What an answer tells that a later request may use: its ETag, and links to pages, to entries and to the members of summaries. */
export function rememberAll(asked: AppRequest, text: string, { tagged, links }: Told): void {
  const etag = /(?<=ETag\n).*/.exec(text)?.[0]
  if (etag !== undefined) tagged.unshift({ ...asked, headers: { ...asked.headers, 'If-None-Match': etag } })
  const found = text.match(
    /(?<=[<"]http:\/\/x\.example\/api)\/(?:[\w/]+\?[^">]*|[\w/-]+\/history\/[\w-]+)(?=[">])/g,
  )
  links.unshift(...(found ?? []))
}
