import type {
  ClassDescription,
  Client,
  CollectionDescription,
  LinkDescription,
  Member,
  OperationDescription,
} from 'hydrant-client'
import {
  addressBelow,
  capitalised,
  classWords,
  inWords,
  isOfCollection,
  pathBelow,
  type Route,
} from '../names.ts'
import { type Description, hasFeed } from './description.ts'

type OfferedCollection = Pick<CollectionDescription, 'name' | 'operations' | 'memberClass'>

export const offers = (operations: readonly OperationDescription[], ...methods: readonly string[]): boolean =>
  operations.some(({ method }) => methods.includes(method))

/** With POST, or with PUT in older documentations. */
export const canCreate = ({ operations }: OfferedCollection): boolean => offers(operations, 'POST', 'PUT')

/** PUT can create or replace. The types of the operation may say which. */
const CREATES = /(Add|Create)[AR]/
const REPLACES = /(Replace|Update)[AR]/

const leavingOut = (unwanted: RegExp, wanted: RegExp, operations: readonly OperationDescription[]) =>
  operations.filter(({ types }) => !unwanted.test(`${types}`) || wanted.test(`${types}`))

/** Whether a member can be changed. Some documentations use POST for that. */
export const canChange = (operations: readonly OperationDescription[]): boolean =>
  offers(leavingOut(CREATES, REPLACES, operations), 'PATCH', 'PUT', 'POST')

/** A documentation without any operations has probably left them out. */
export const canList = ({ operations }: OfferedCollection): boolean =>
  operations.length === 0 || offers(operations, 'GET')

/** For a class that the user may not read, the documentation has other operations, or no details at all. */
export const canRead = (cls: ClassDescription | undefined): boolean =>
  !cls || offers(cls.operations, 'GET') || (cls.operations.length === 0 && cls.properties.length > 0)

/** Whether the pages of its members can be opened. A server with our feed leaves no operation out. */
export const canOpen = (
  api: Pick<Description, 'documentation'>,
  cls: ClassDescription | undefined,
): boolean => (hasFeed(api) && cls ? offers(cls.operations, 'GET') : canRead(cls))

/** The page of a collection: its table, or the form for a new member if the user may only add. */
export const routeTo = (collection: OfferedCollection): Route =>
  canList(collection) || !canCreate(collection)
    ? { page: 'table', name: collection.name, query: '' }
    : { page: 'create', name: collection.name }

/** The word for one member: `book`. */
export const memberWord = ({ name, memberClass }: OfferedCollection): string =>
  memberClass ? classWords(memberClass) : inWords(name)

/** The word for several members: `time entries`. */
export const membersWord = ({ name, memberClass }: Pick<OfferedCollection, 'name' | 'memberClass'>): string =>
  memberClass?.plural || inWords(name)

/** `Time entries` */
export const collectionTitle = (collection: Pick<OfferedCollection, 'name' | 'memberClass'>): string =>
  capitalised(membersWord(collection))

export const classNamed = ({ documentation }: Pick<Description, 'documentation'>, iri: string | undefined) =>
  documentation.classes.find((one) => one.iri === iri)

export function classOf(
  { documentation, collections }: Pick<Description, 'documentation' | 'collections'>,
  { types, iri }: Pick<Member, 'types' | 'iri'>,
): ClassDescription | undefined {
  const described = documentation.classes.find((one) => types.includes(one.iri))
  return described ?? collectionHolding(collections, iri)?.memberClass
}

export function collectionHolding(
  collections: readonly CollectionDescription[],
  iri: string,
  cls?: ClassDescription | undefined,
): CollectionDescription | undefined {
  return (
    collections.find((one) => holds(one, iri)) ??
    collections.find(({ memberClass }) => cls && memberClass?.iri === cls.iri)
  )
}

const holds = (collection: { readonly iri: string }, iri: string): boolean =>
  iri.startsWith(`${collection.iri.replace(/\/$/, '')}/`)

export function collectionAt(
  route: Route,
  base: string,
  collections: readonly Pick<CollectionDescription, 'name' | 'iri'>[],
): string | undefined {
  if (isOfCollection(route)) return route.name
  if (!('path' in route) || route.page === 'missing') return undefined
  return collections.find((one) => holds(one, addressBelow(base, route.path)))?.name
}

export const singleAt = (
  { documentation, links }: Pick<Description, 'documentation' | 'links'>,
  iri: string,
): LinkDescription | undefined =>
  documentation.links.find(({ isCollection, name }) => !isCollection && links[name] === iri)

/** Whether a single resource that does not exist yet can be created. */
export const canPut = (link: LinkDescription | undefined): boolean =>
  offers(leavingOut(REPLACES, CREATES, link?.operations ?? []), 'PUT')

/** RFC 9110 §13.1.2: does not overwrite a resource that someone else has created meanwhile. */
export const putSingle = (client: Client, iri: string, body: object) =>
  client.request('PUT', iri, { body, headers: { 'If-None-Match': '*' } })

/** Technical resources of a Hydrant server, which are not data of the API. */
const OF_THE_SERVER = ['session', 'events', 'batch', 'openapi']

export const isOfTheServer = (name: string): boolean => OF_THE_SERVER.includes(name)

export function singlesOf(
  base: string,
  { documentation, links }: Pick<Description, 'documentation' | 'links'>,
): readonly { readonly name: string; readonly description: string; readonly path: string }[] {
  return documentation.links.flatMap(({ name, isCollection, description }) => {
    const path = pathBelow(base, links[name] ?? '')
    return isCollection || isOfTheServer(name) || path === undefined ? [] : { name, description, path }
  })
}
