import { ApiError, type ClassDescription, type Documentation, type PropertyDescription } from 'hydrant-client'
import { cutLine, nameOfIri } from '../names.ts'
import { BridgeProblem } from '../problems.ts'
import { isParaphrase, offered, rightsIn } from '../rights.ts'
import { exampleBody, exampleQuery } from './examples.ts'
import { readFilters, type SearchFilters } from './filters.ts'
import { type AgentTool, ANY_OBJECT, closed, object, TEXT, TEXTS, type ToolApi } from './tool.ts'

const LONGEST_DESCRIPTION = 500

export const DESCRIBE: AgentTool = {
  name: 'describe',
  description:
    'Properties, constraints, operations, filters and examples of a class, by its name or that of its collection.',
  writes: false,
  input: closed({ class: TEXT }, ['class']),
  output: object(
    {
      class: TEXT,
      collection: TEXT,
      may: TEXTS,
      properties: ANY_OBJECT,
      operations: ANY_OBJECT,
      filters: ANY_OBJECT,
      examples: ANY_OBJECT,
    },
    ['class', 'properties'],
  ),
  async run(api, { class: asked }: { readonly class: string }, signal) {
    const { client, isReadOnly } = api
    const options = { signal }
    const documentation = await client.documentation(options)
    const collections = await client.collections(options)
    const named = collections.find(({ name }) => name === asked)?.memberClass
    const found = named ?? findByName(documentation, asked)
    if (found === undefined) {
      const known = collections.flatMap(({ memberClass }) => (memberClass ? nameOfIri(memberClass.iri) : []))
      throw new BridgeProblem('unknown-class', { name: asked, known: [...new Set(known)] })
    }
    const collection = collections.find(({ memberClass }) => memberClass?.iri === found.iri)
    const may = collection && offered(rightsIn(collection), isReadOnly)
    const filters = collection && (await findFilters(api, collection.iri, signal))
    const properties = found.properties.filter((property) => !isParaphrase(property))
    return {
      class: nameOfIri(found.iri),
      ...(found.description && { description: cutLine(found.description, LONGEST_DESCRIPTION) }),
      ...(collection && { collection: collection.iri }),
      ...(may && { may }),
      properties: Object.fromEntries(properties.map((one) => [one.name, describeProperty(one)])),
      ...describeRest(found, documentation, isReadOnly),
      ...(filters && { filters }),
      examples: {
        ...(may?.includes('create') && { create: exampleBody(properties, collections) }),
        ...(filters && { search: exampleQuery(filters) }),
      },
    }
  },
}

/** Finds a class by the last part of its IRI, or by its title. */
function findByName({ classes }: Documentation, asked: string): ClassDescription | undefined {
  const matches = (name: string) => name.toLowerCase() === asked.toLowerCase()
  return (
    classes.find(({ iri }) => nameOfIri(iri) === asked || iri === asked) ??
    classes.find(({ iri, title }) => matches(nameOfIri(iri)) || matches(title))
  )
}

function describeProperty(property: PropertyDescription): object {
  const { name, title, description, range, isLink, many, required, readable, writable, constraints } =
    property
  return {
    type: range === undefined ? 'any' : nameOfIri(range),
    ...(isLink && { link: true }),
    ...(many && { many }),
    ...(required && { required }),
    ...(!writable && { readOnly: true }),
    ...(!readable && { writeOnly: true }),
    ...(title.toLowerCase() !== name.toLowerCase() && { title }),
    ...(description && { description: cutLine(description, LONGEST_DESCRIPTION) }),
    ...constraints,
    ...(property.unit !== undefined && { unit: property.unit }),
    ...(property.example !== undefined && { example: property.example }),
    ...(property.always !== undefined && { always: property.always }),
    ...(property.onDelete !== undefined && { onDelete: property.onDelete }),
  }
}

/** What only some classes have. */
function describeRest(one: ClassDescription, { classes }: Documentation, isReadOnly: boolean): object {
  /** A link from the other side leads to a collection. */
  const membersOf = (range = '') => nameOfIri(classes.find(({ iri }) => iri === range)?.memberClass ?? range)
  const { customOperations, reverseLinks, uniqueTogether } = one
  const nameOf = (iri: string) =>
    one.properties.find((property) => property.iri === iri)?.name ?? nameOfIri(iri)
  return {
    ...(reverseLinks.length > 0 && {
      linkedFrom: Object.fromEntries(reverseLinks.map(({ name, range }) => [name, membersOf(range)])),
    }),
    ...(uniqueTogether.length > 0 && { uniqueTogether: uniqueTogether.map((iris) => iris.map(nameOf)) }),
    ...(customOperations.length > 0 &&
      !isReadOnly && {
        operations: Object.fromEntries(
          customOperations.map(({ name, title, description, expects, returns }) => [
            name,
            {
              description: cutLine(description || title, LONGEST_DESCRIPTION),
              ...(expects && { body: nameOfIri(expects) }),
              ...(returns && { returns: nameOfIri(returns) }),
            },
          ]),
        ),
      }),
  }
}

/** Undefined if the collection cannot be searched, or not by this user. */
async function findFilters(
  { client }: ToolApi,
  address: string,
  signal: AbortSignal,
): Promise<SearchFilters | undefined> {
  try {
    return readFilters((await client.collectionAt(address).search({ signal })).template)
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'no-search-template' || error.status === 403))
      return undefined
    throw error
  }
}
