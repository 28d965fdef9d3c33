import type {
  ClassDescription,
  Client,
  CollectionDescription,
  Member,
  Query,
} from '../../src/client/index.ts'
import { ApiError } from '../../src/client/index.ts'
import { nameOf, namingProperty } from '../naming.ts'
import { readVariables, type Variable } from '../table/variables.ts'

/** A member that can be chosen. */
export interface Option {
  readonly iri: string
  readonly name: string
  /** What tells it from others of the same name. */
  readonly detail: string
}

/** More than that nobody reads: a word more finds it. */
const MOST_OPTIONS = 10
/** Of a collection that cannot be asked, so many are looked through. */
const MOST_READ = 200

/** Members to choose from: those that match what was typed; without that, the first ones. */
export async function findOptions(
  client: Client,
  { iri, memberClass }: CollectionDescription,
  text: string,
  signal: AbortSignal,
): Promise<readonly Option[]> {
  const collection = client.collectionAt(iri)
  // The collection itself answers with its template, so that the first look costs one request.
  if (text === '') return optionsOf((await collection.page(undefined, { signal })).members, memberClass)
  const questions = questionsFor(await variablesOf(), memberClass, text)
  for (const question of questions) {
    const { members } = await collection.page(question, { signal })
    if (members.length > 0) return optionsOf(members, memberClass)
  }
  return questions.length > 0 ? [] : optionsOf(await readThrough(), memberClass)

  async function variablesOf(): Promise<readonly Variable[]> {
    try {
      return readVariables(await collection.search({ signal }), memberClass)
    } catch (error) {
      // It says nothing about how it can be asked.
      if (error instanceof ApiError && error.code === 'malformed') return []
      throw error
    }
  }

  async function readThrough(): Promise<readonly Member[]> {
    const found: Member[] = []
    let read = 0
    for await (const member of collection.members(undefined, { signal })) {
      if (isLike(nameOf(member, memberClass), text)) found.push(member)
      read += 1
      if (found.length === MOST_OPTIONS || read === MOST_READ) break
    }
    return found
  }
}

/**
 * How to ask for what was typed, one after the other until something is found. Free text finds whole words alone: a name
 * that is only half typed is found by a part of it.
 */
export function questionsFor(
  variables: readonly Variable[],
  cls: ClassDescription | undefined,
  text: string,
): readonly Query[] {
  const naming = namingProperty(cls)
  const limit = variables.find(({ role }) => role === 'limit')
  const filter = (operator: string) =>
    variables.find(
      (one) => one.role === 'filter' && one.operator === operator && one.property?.name === naming,
    )
  const part = filter('contains') ?? filter('startsWith')
  const asking = [variables.find(({ role }) => role === 'text'), naming === undefined ? undefined : part]
  return asking.flatMap((variable) =>
    variable ? [{ [variable.name]: text, ...(limit && { [limit.name]: MOST_OPTIONS }) }] : [],
  )
}

function optionsOf(members: readonly Member[], cls: ClassDescription | undefined): readonly Option[] {
  const options = members.slice(0, MOST_OPTIONS).map((member) => ({
    iri: member.iri,
    name: nameOf(member, cls),
  }))
  const isTwice = (name: string): boolean => options.filter((one) => one.name === name).length > 1
  return options.map((option) => ({ ...option, detail: isTwice(option.name) ? option.iri : '' }))
}

export const isLike = (name: string, text: string): boolean =>
  name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())
