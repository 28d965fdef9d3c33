import {
  ApiError,
  type AskCredentials,
  type Client,
  type Collection,
  createClient,
  type EntryPoint,
} from 'hydrant-client'
import { createBoundedFetch } from '../bounded-fetch.ts'
import type { ProblemData } from '../problem.ts'
import { percentDecoded } from '../text.ts'
import { readApiDocumentation } from '../vocabulary/api-file.ts'
import {
  ACCOUNT,
  ACCOUNTS,
  type Class,
  hasCollection,
  isAccount,
  linkedNames,
  type Model,
  storedType,
} from '../vocabulary/index.ts'
import { servedProblem } from './problems.ts'
import type { TemplateVariable } from './properties.ts'
import { oneLine } from './text.ts'
import type { DescribedApi } from './typescript.ts'

/** More time and more bytes than any server needs for the documentation. */
const boundedFetch = createBoundedFetch({ timeoutMs: 30_000, maxBytes: 32 * 1_024 * 1_024 })

/** `leftOut`: problems of parts of the documentation that were left out. */
type ServedApi = DescribedApi & { readonly leftOut: readonly ProblemData[] }

/**
 * The API that a Hydra server serves at an address. Throws an ApiError if the server refuses, and a Problem for
 * anything else.
 */
export async function describeServed(address: string, ask: AskCredentials): Promise<ServedApi> {
  // No retries: a person at a terminal can try again.
  const client = createClient({ base: address, credentials: ask, fetch: boundedFetch, patience: 0 })
  try {
    const entry = await client.entryPoint()
    const isLinked = (path: string) => Object.hasOwn(entry.links, path)
    const { model: whole, leftOut, entryPoint } = await readDocumentation(client, entry, address)
    const model = withoutUnusedAccounts(whole, isLinked)
    const collections = model.classes.filter(hasCollection)
    if (collections.length > 0 && !collections.some(({ collection }) => isLinked(collection)))
      throw servedProblem('NotTheEntryPoint', { address, entryPoint: entryPoint && oneLine(entryPoint) })
    const variables = new Map<string, readonly TemplateVariable[]>()
    let hasClassNames = true
    for (const cls of collections) {
      if (!isLinked(cls.collection) || !cls.operations.has('list')) continue
      const collection = client.collection(cls.collection)
      const { members } = await collection.page()
      hasClassNames &&= members.every(({ data }) => isName(data['@type'], cls))
      variables.set(cls.name, await listVariables(collection))
    }
    return { model, variables, isLinked, hasClassNames, leftOut }
  } finally {
    // Errors do not matter: the token expires by itself.
    await client.signOut().catch(() => {})
  }
}

/**
 * As with a file, there are types of accounts only if members link to them, or if the user sees more than their own
 * account.
 */
function withoutUnusedAccounts(model: Model, isLinked: (path: string) => boolean): Model {
  if (isLinked(ACCOUNTS) || linkedNames(model.classes).has(ACCOUNT)) return model
  const isOwn = ({ properties }: Class) => properties.some(({ name }) => name === 'userId')
  return { ...model, classes: model.classes.filter((cls) => !isAccount(cls) || !isOwn(cls)) }
}

/**
 * Reads the documentation like the long form of an API file, but only to describe it: parts that are not understood are
 * left out.
 */
async function readDocumentation(client: Client, entry: EntryPoint, address: string) {
  const url = entry.documentation
  const { body } = await client.request('GET', url).catch((error: unknown) => {
    const { kind } = error instanceof ApiError ? error : {}
    if (kind === 'not-found') throw servedProblem('NoDocumentationThere', { address, url: oneLine(url) })
    // The client sends no token to a resource outside of the given address.
    if (kind === 'credentials' && !entry.iri.startsWith(client.base))
      throw servedProblem('OtherBase', { address, iri: oneLine(entry.iri) })
    throw error
  })
  const read = await readApiDocumentation(JSON.stringify(body) ?? '', new URL(address).hostname)
  if (read === undefined) throw servedProblem('NotDocumentation', { address, url: oneLine(url) })
  const classes = withoutDuplicates(read.model.classes).map((cls) => {
    const properties = withoutDuplicates(cls.properties).filter(isNamed)
    const reverseLinks = withoutDuplicates([...properties, ...cls.reverseLinks]).filter(isNamed)
    return {
      ...cls,
      properties,
      reverseLinks: cls.reverseLinks.filter((link) => reverseLinks.includes(link)),
    }
  })
  if (classes.length === 0) throw servedProblem('NoDocumentedClass', { address, url: oneLine(url) })
  const model: Model = { ...read.model, classes }
  return { model, entryPoint: read.entryPoint, leftOut: read.problems }
}

const isNamed = ({ name }: { readonly name: string }): boolean => !name.startsWith('@')

/** If several have the same name, it is not known which one is meant. */
function withoutDuplicates<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const seen = new Set<string>()
  return all.filter(({ name }) => !seen.has(name) && seen.add(name))
}

/** A class whose name a property has taken is served with its IRI, in our own representations too. */
const isName = (type: unknown, cls: Class): boolean =>
  type === storedType(cls) || (typeof type === 'string' && storedType(cls).startsWith('/'))

async function listVariables(collection: Collection): Promise<TemplateVariable[]> {
  const search = await collection.search().catch((error: unknown) => {
    // A server need not describe the queries of its collections.
    if (error instanceof ApiError && error.kind === 'malformed') return undefined
    throw error
  })
  if (search === undefined) return []
  const specs = search.template.split(/[{},?&]/).filter((spec) => spec.endsWith('*'))
  // RFC 6570 §2.3: characters other than letters, digits and "_" are percent-encoded in the name of a variable.
  const exploded = specs.map((spec) => percentDecoded(spec.slice(0, -1)) ?? spec.slice(0, -1))
  return search.variables
    .filter(({ name }) => name !== '')
    .map(({ name, required }) => ({ name, isRepeatable: exploded.includes(name), isRequired: required }))
}
