import { createHash } from 'node:crypto'
import type { Principal } from '../../../src/auth/index.ts'
import type { AppAnswer, AppOfUsers, AppRequest } from '../app-of-users.ts'
import type { Json } from '../signed-in.ts'
import type { PeopleRequest } from './people-requests.ts'
import { KEEPER, type Plant } from './people-side.ts'

/** A mistake of an app: some requests are answered, in part at least, from what the user may not see. */
export interface Leak {
  readonly wanted: (request: PeopleRequest) => boolean
  readonly plant: Plant
  /** Whether the leak is about what the API file says, and not about data. */
  readonly isOfFile?: boolean
}

type Answering = (app: AppOfUsers, request: AppRequest, mine: AppAnswer) => Promise<AppAnswer> | AppAnswer

const isKeeper = ({ roles }: Principal): boolean => roles.includes('keeper')

const planted =
  (wanted: Leak['wanted'], answer: Answering): Plant =>
  (app) => ({
    ...app,
    async send(request, by) {
      const mine = await app.send(request, by)
      const isWanted = !isKeeper(by) && wanted({ written: [], ...request })
      return isWanted ? answer(app, request, mine) : mine
    },
  })

/** As if all rules were forgotten. */
const asKeeper: Answering = (app, request) => app.send(request, KEEPER)

const withText = (answer: AppAnswer, text: string): AppAnswer => ({ ...answer, text })

async function totalOf(app: AppOfUsers, { path, headers = {} }: AppRequest): Promise<number | undefined> {
  const { 'If-None-Match': _, ...rest } = headers
  const asked = { method: 'GET', path, headers: { ...rest, Accept: 'application/ld+json' } }
  const { status, body } = await app.send(asked, KEEPER)
  return status === 200 ? (JSON.parse(body) as { totalItems?: number }).totalItems : undefined
}

const counted: Answering = async (app, request, mine) => {
  const total = await totalOf(app, request)
  return withText(mine, mine.text.replace(/(?<="totalItems":)\d+/, String(total)))
}

/** The user's members, where they stand among all. */
const ordered: Answering = async (app, request, mine) => {
  const path = `${request.path.replaceAll(/&(?:itemsPerPage|page|after|before|offset)=[^&]*/g, '')}&itemsPerPage=100`
  const { status, body } = await app.send({ method: 'GET', path }, KEEPER)
  if (status !== 200 || mine.status !== 200) return mine
  const all = (JSON.parse(body) as { member: Json[] }).member.map((one) => String(one['@id']))
  const found = mine.text.match(/(?<="@id":")[^"?#]+\/\w+\/\w+(?=")/g) ?? []
  const places = new Map(found.map((address) => [address, all.indexOf(address)]))
  const inOrder = [...places].toSorted(([, one], [, other]) => one - other).map(([address]) => address)
  return withText(mine, `${mine.text}\n${inOrder.join()}`)
}

const tagged: Answering = async (app, { path }, mine) => {
  const { body } = await app.send({ method: 'GET', path }, KEEPER)
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  return withText(mine, mine.text.replace(/(?<=ETag\n")[\w-]+/, tag))
}

const pointed: Answering = async (app, request, mine) => {
  const total = await totalOf(app, request)
  return withText(mine, mine.text.replaceAll(/(?<=(?:after|before)=[\w-]+)(?=")/g, `-${total}`))
}

/** A link to a hidden member is another violation than one to nothing. */
const violated: Answering = async (app, { body = '' }, mine) => {
  if (mine.status !== 422) return mine
  const targets = body.match(/(?<=\/api)\/\w+\/\w+/g) ?? []
  const statuses: number[] = []
  for (const path of targets) statuses.push((await app.send({ method: 'GET', path }, KEEPER)).status)
  return withText(mine, `${mine.text}\n${statuses}`)
}

/** What refuses the user's removal refuses the keeper's. */
const refused: Answering = (app, request, mine) => (mine.status === 409 ? app.send(request, KEEPER) : mine)

const leak = (wanted: Leak['wanted'], answer: Answering = asKeeper): Leak => ({
  wanted,
  plant: planted(wanted, answer),
})

const asks =
  (pattern: RegExp) =>
  ({ method, path }: PeopleRequest) =>
    method === 'GET' && pattern.test(path)
const sends =
  (...methods: string[]) =>
  ({ method, path }: PeopleRequest) =>
    methods.includes(method) && path !== '/batch'

const LIST = /^\/(?:books|authors|countries)(?:\?|$)/
const isList = asks(LIST)
const isFirst = ({ headers }: PeopleRequest) => headers?.['If-None-Match'] === undefined
const isJson = ({ headers }: PeopleRequest) => !/csv|turtle|quads/.test(headers?.Accept ?? '')

export const LEAKS: Readonly<Record<string, Leak>> = {
  list: leak(asks(/^\/(?:books|authors|countries)$/)),
  count: leak((one) => isList(one) && isJson(one), counted),
  filter: leak(asks(/^\/\w+\?(?:.*&)?\w+(?:[.[]\w+\]?)?=/)),
  // Without filters, which leave too few members to be in another order.
  order: leak((one) => asks(/^\/\w+\?(?:sort=|order\[)/)(one) && isJson(one) && isFirst(one), ordered),
  or: leak(asks(/^\/\w+\?.*or\[/)),
  path: leak(asks(/^\/\w+\?(?:.*&)?(?:author|agent|nation|others|print|lines|home)\./)),
  reverse: leak(asks(/^\/\w+\?(?:.*&)?(?:books|clients|helped|nationals)\./)),
  summary: leak(asks(/^\/summaries\/\w+\?/)),
  CSV: leak((one) => isList(one) && one.headers?.Accept === 'text/csv'),
  q: leak(asks(/^\/\w+\?(?:.*&)?q=\w/)),
  include: leak(asks(/[?&]include=/)),
  fields: leak(asks(/[?&]fields=/)),
  ETag: leak((one) => isList(one) && isJson(one), tagged),
  cursor: leak((one) => isList(one) && isJson(one), pointed),
  feed: leak(asks(/^\/events/)),
  history: leak(asks(/\/history|[?&]deleted=true/)),
  'Accept-Datetime': leak(({ headers }) => headers?.['Accept-Datetime'] !== undefined),
  batch: leak(({ path }) => path === '/batch'),
  violation: leak(sends('PATCH', 'PUT'), violated),
  409: leak(sends('DELETE'), refused),
  OpenAPI: { ...leak(asks(/^\/openapi/)), isOfFile: true },
  documentation: { ...leak(asks(/^\/vocab/)), isOfFile: true },
}
