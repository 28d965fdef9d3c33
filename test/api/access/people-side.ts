import type { TestContext } from 'node:test'
import { insertBaseUrl } from '../../../src/members/index.ts'
import type { Store } from '../../../src/store/index.ts'
import { addAccount } from '../../support/accounts.ts'
import { type AppOfUsers, BASE, openApp, user } from '../app-of-users.ts'
import type { PeoplePast, PeopleState } from '../query/people-sight.ts'
import { PEOPLE_LINKS, type People, peopleModel, toPeopleBody } from '../query/random-people.ts'
import {
  CLASSES,
  isEmbedded,
  LISTED,
  type ListedClass,
  propertiesOf,
  type ShelfMember,
  type ShelfValues,
} from '../query/random-shelf.ts'
import type { Told } from './inference-requests.ts'

/** Changes how an app answers the user, as a mistake would. */
export type Plant = (app: AppOfUsers) => AppOfUsers

/** The properties that an API file does not have, by class. */
export type Lacking = Partial<Record<string, string[]>>

/** One of two databases, what is in it, and what the user was told of it. */
export interface PeopleSide extends Told {
  readonly app: AppOfUsers
  readonly lacking: Lacking
  state: PeopleState
  past: PeoplePast
  readonly history: Store['history']
}

interface SideOptions {
  readonly people: People
  /** Whether everybody may see all accounts. */
  readonly isSocial: boolean
  readonly lacking: Lacking
  readonly plant: Plant
}

export async function openSide(
  t: TestContext,
  { people, isSocial, lacking, plant }: SideOptions,
): Promise<PeopleSide> {
  const model = peopleModel(people, isSocial, lacking)
  const { store, ...app } = await openApp(t, model)
  for (const id of [1, 2, 3, 4]) await addAccount(store, model, id, id)
  const { history } = store
  return { app: plant(app), lacking, state: new Map(), past: new Map(), history, links: [], tagged: [] }
}

/** May do everything. */
export const KEEPER = user(2, ['keeper'])
const JSON_LD = { 'Content-Type': 'application/ld+json' }
const NEW = { ...JSON_LD, 'If-None-Match': '*' }
const MERGE = { 'Content-Type': 'application/merge-patch+json' }

const requestOf = ({ className, address, values }: Omit<ShelfMember, 'owner'>) => ({
  path: `/${address}`,
  body: JSON.stringify(toPeopleBody(className, values, BASE)),
})

export const add = ({ app }: PeopleSide, one: ShelfMember) =>
  app.send({ method: 'PUT', headers: NEW, ...requestOf(one) }, user(one.owner, ['keeper']))

export const replace = ({ app }: PeopleSide, one: ShelfMember) =>
  app.send({ method: 'PUT', headers: JSON_LD, ...requestOf(one) }, KEEPER)

/** An embedded value is merged with the one that is there (RFC 7396): what it does not have is taken away. */
function inFull(className: string, [name, value]: [string, unknown]): [string, unknown] {
  const { type = '', many = false } = propertiesOf(className)[name] ?? {}
  if (!isEmbedded(type) || many || value === null) return [name, value]
  const nulls = Object.keys(propertiesOf(type)).map((key) => [key, null])
  return [name, { ...Object.fromEntries(nulls), ...(value as object) }]
}

/** Null takes a value away. */
export function patch({ app }: PeopleSide, one: ShelfMember, values: ShelfValues) {
  const { path, body } = requestOf({ ...one, values })
  const whole = Object.entries(JSON.parse(body) as object).map((entry) => inFull(one.className, entry))
  const sent = { method: 'PATCH', headers: MERGE, path, body: JSON.stringify(Object.fromEntries(whole)) }
  return app.send(sent, KEEPER)
}

/** Those that the API file has. */
export const declaredOf = ({ lacking }: PeopleSide, className: string, values: ShelfValues): ShelfValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => lacking[className]?.includes(name) !== true))

const classOf = (address: string): ListedClass =>
  LISTED.find((one) => address.startsWith(`${CLASSES[one]?.collection}/`)) as ListedClass

/** Takes over what a member was, after a write. */
export async function remember(side: PeopleSide, address: string): Promise<void> {
  const className = classOf(address)
  const id = address.split('/')[1] ?? ''
  const found = await side.history.list({ className, id }, { limit: 1_000 }, 100_000_000)
  const entries = found.toReversed().map((entry) => ({
    ...{ className, address, kind: entry.kind, actor: entry.actor, owner: entry.owner ?? 0 },
    values: valuesIn(className, `{${insertBaseUrl(entry, BASE).slice(1)}}`),
  }))
  side.past = new Map([...side.past, [address, entries]])
}

/** Takes a member over as it is after a write of the user, who owns what is new. */
export async function readAgain(side: PeopleSide, address: string, userNumber: number): Promise<void> {
  const className = classOf(address)
  await remember(side, address)
  const { status, body } = await side.app.send({ method: 'GET', path: `/${address}` }, KEEPER)
  const state = new Map(side.state)
  const owner = state.get(address)?.owner ?? userNumber
  state.delete(address)
  if (status === 200) state.set(address, { className, address, owner, values: valuesIn(className, body) })
  side.state = state
}

/** The values of a representation, with addresses without the base. */
function valuesIn(className: ListedClass, body: string): ShelfValues {
  const plain = (from: string, found: ShelfValues): ShelfValues => {
    const all = Object.entries({ ...propertiesOf(from), ...PEOPLE_LINKS[from as ListedClass] })
    return Object.fromEntries(
      all.flatMap(([name, { type }]): [string, unknown][] => {
        const value = found[name]
        if (value === undefined) return []
        const one = (each: unknown) => (isEmbedded(type) ? plain(type, each as ShelfValues) : each)
        return [[name, Array.isArray(value) ? value.map(one) : one(value)]]
      }),
    )
  }
  return plain(className, JSON.parse(body.replaceAll(`${BASE}/`, '')))
}
