import { type AppRequest, BASE } from '../app-of-users.ts'
import { anyPeopleValues, toPeopleBody } from '../query/random-people.ts'
import { choiceOf } from '../query/random-queries.ts'
import { addressesOf, type Choose, CLASSES, LISTED, type ListedClass } from '../query/random-shelf.ts'
import { anyAsked, type Told } from './inference-requests.ts'

/** A request of the user, and the members that it may have written. */
export interface PeopleRequest extends AppRequest {
  readonly written: readonly string[]
}

const [ONE, THREE] = [1, 3].map((id) => `/api/accounts/${id}`)

/** Parts of queries that lead to accounts. */
const PARTS: Readonly<Record<ListedClass, readonly string[]>> = {
  Book: [
    `holder=${ONE}`,
    `holder=${THREE}`,
    `helpers=${THREE}`,
    'helpers.name=user+2',
    'helpers.userId.gt=1',
    'author.friend.name=user+1',
    `author.friend=${THREE}`,
    'others.friend.userId=3',
    'exists[holder]=false',
    'exists[author.friend]=true',
    'sort=holder',
    'sort=-author.friend.name',
    `or[p][holder]=${ONE}&or[p][author.friend]=${THREE}`,
    'or[p][helpers.name.startsWith]=user&or[p][q]=a',
    'include=holder',
    'include=author.friend',
    'fields=holder,helpers,title',
    'include=author&fields=author.friend,title',
    `holdr=${ONE}`,
  ],
  Author: [
    `friend=${ONE}`,
    `agent.friend=${THREE}`,
    'nation.guards.name=user+3',
    `books.holder=${THREE}`,
    'books.helpers.userId=2',
    `clients.friend=${THREE}`,
    'exists[books.holder]=true',
    'sort=friend',
    'include=friend',
    'include=books',
    'fields=friend,name',
    'fields=books,friend',
    `friends=${ONE}`,
  ],
  Country: [
    `guards=${THREE}`,
    'guards.name=user+1',
    `nationals.friend=${THREE}`,
    `nationals.books.holder=${ONE}`,
    'include=guards',
    'include=nationals',
    'fields=guards,nationals',
  ],
}

const GROUPS = [
  'group=holder',
  'group=helpers.name',
  'group=author.friend',
  'max=holder.name',
  'group=friend',
]

const EVENTS = [
  '/events',
  '/events?itemsPerPage=2',
  '/events?collection=books',
  `/events?resource=${BASE}/books/b3`,
  `/events?resource=${BASE}/authors/a1&include=object`,
  '/events?include=object&itemsPerPage=4',
]

const THEN = ['Sat, 01 Jan 2000 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'yesterday']

/** What members were, of those that are there, that are gone, and that were never there. */
function anyPast(choose: Choose, { links }: Told): AppRequest {
  const className = choose<ListedClass>('Book', ...LISTED)
  const collection = CLASSES[className]?.collection
  const ids = ['m0', 'm1', 'm2', 'x0', 'x1', 'x2', 'never'].map((id) => `${collection}/${id}`)
  const member = `/${choose(...addressesOf(className), ...ids)}`
  const [entry = `${member}/history/1`] = links
    .filter((link) => /\/history\/[\w-]+$/.test(link))
    .slice(choose(0, 1, 2, 3))
  const size = choose('', '', '?itemsPerPage=1', '?itemsPerPage=2')
  return choose<AppRequest>(
    { method: 'GET', path: `${member}/history${size}` },
    { method: 'GET', path: `${member}/history${size}` },
    { method: 'GET', path: `${member}/history`, headers: { Accept: 'application/link-format' } },
    { method: 'GET', path: entry },
    { method: 'GET', path: entry },
    { method: 'GET', path: member, headers: { 'Accept-Datetime': choiceOf(choose, THEN) } },
    { method: 'GET', path: member },
    { method: 'GET', path: `/${collection}?deleted=true${size.replace('?', '&')}` },
  )
}

const OTHERS = ['/accounts', '/accounts/1', '/accounts/3', '/accounts?name=user+3', '/contexts/Account']

const partOf = (path: string, choose: Choose): string | undefined => {
  const className = LISTED.find((one) => path.startsWith(`/${CLASSES[one]?.collection}?`))
  if (className !== undefined) return choiceOf(choose, PARTS[className])
  return path.startsWith('/summaries/') ? choiceOf(choose, GROUPS) : undefined
}

function anyRead(choose: Choose, told: Told): AppRequest {
  if (choose(true, false, false, false)) return anyPast(choose, told)
  const asked = anyAsked(choose)(told)
  const isAgain = asked.headers?.['If-None-Match'] !== undefined
  if (isAgain || choose(true, false)) return asked
  const part = partOf(asked.path, choose)
  if (part !== undefined) return { ...asked, path: `${asked.path}&${part}` }
  return { ...asked, path: choiceOf(choose, choose(true, false) ? EVENTS : OTHERS) }
}

const LD = 'application/ld+json'
const PROBLEM = 'application/ld+json, application/problem+json'

/** One write: to a member that is there, whether or not the user sees it, to one of the user, or to one that is nowhere. */
function anyWrite(choose: Choose) {
  const className = choose<ListedClass>('Book', ...LISTED)
  const collection = CLASSES[className]?.collection
  const own = `${collection}/m${choose(0, 1, 2)}`
  const method = choose('PATCH', 'PATCH', 'PATCH', 'PUT', 'DELETE')
  const address =
    method === 'PUT' ? own : choose(own, ...addressesOf(className), `${collection}/x0`, `${collection}/never`)
  const isLink = ([, value]: [string, unknown]) => JSON.stringify(value).includes('/')
  const any = Object.entries(anyPeopleValues(choose, className))
  // Most links lead to what the user does not see.
  const all = choose(true, false) ? any : any.filter((one) => !isLink(one))
  const some = method === 'PUT' ? all : all.filter(() => choose(true, false, false))
  const values = Object.fromEntries(some.map(([name, value]) => [name, choose(value, value, value, null)]))
  const given = method === 'PUT' ? Object.fromEntries(some) : values
  const body = {
    ...toPeopleBody(className, given, BASE),
    // Some of these are hidden, and some are nowhere.
    ...choose<object>(
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      { author: `${BASE}/authors/x0` },
      { nothing: 1 },
      { holder: `${BASE}/accounts/9` },
    ),
  }
  return { method, address, body }
}

function anyWritten(choose: Choose): PeopleRequest {
  if (choose(true, false, false)) {
    const writes = [anyWrite(choose), anyWrite(choose), ...choose([], [anyWrite(choose)])]
    const operation = writes.map(({ method, address, body }) => ({
      ...{ method, target: address },
      ...(method === 'PUT' && { ifNoneMatch: '*' }),
      ...(method !== 'DELETE' && { body }),
    }))
    return {
      ...{ method: 'POST', path: '/batch', written: writes.map(({ address }) => address) },
      ...{
        headers: {
          Accept: PROBLEM,
          'Content-Type': LD,
          ...choose<object>({}, { Prefer: 'handling=lenient' }),
        },
        body: JSON.stringify({ operation }),
      },
    }
  }
  const { method, address, body } = anyWrite(choose)
  const type = method === 'PATCH' ? 'application/merge-patch+json' : LD
  return {
    ...{ method, path: `/${address}`, written: [address] },
    headers: { Accept: PROBLEM, 'Content-Type': type, ...(method === 'PUT' && { 'If-None-Match': '*' }) },
    ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
  }
}

/** Brings a state back that the user was told of; undefined where there is none. */
function anyRestored(choose: Choose, { links }: Told): PeopleRequest | undefined {
  if (choose(true, false, false)) return undefined
  const entries = links.filter((link) => /\/history\/[\w-]+$/.test(link))
  if (entries.length === 0) return undefined
  const entry = entries[choose(0, 1, 2, 3, 4, 5) % entries.length] as string
  const [address = ''] = entry.slice(1).split('/history/')
  return { method: 'POST', path: `${entry}/restore`, written: [address], headers: { Accept: PROBLEM } }
}

/** The numbers choose what is asked, of what the user was told before. */
export const anyPeopleRequest =
  (choose: Choose) =>
  (told: Told): PeopleRequest =>
    choose(true, false, false, false)
      ? (anyRestored(choose, told) ?? anyWritten(choose))
      : { written: [], ...anyRead(choose, told) }
