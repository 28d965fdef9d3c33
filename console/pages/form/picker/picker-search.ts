import {
  ApiError,
  type ClassDescription,
  type Client,
  type CollectionDescription,
  type Member,
  type Query,
} from '../../../../src/client/index.ts'
import { capitalised, nameOf, namingProperty } from '../../../shared/names/naming.ts'
import { readVariables, type Variable } from '../../../shared/search-variables.ts'

/** A member that can be chosen. */
export interface Option {
  readonly iri: string
  readonly name: string
  /** What tells it from others of the same name. */
  readonly detail: string
}

/** More than that nobody reads: a word more finds it. */
const MOST_OPTIONS = 10
/** So many are asked for, so that the best can be told from the rest. */
const MOST_ASKED = 30
/** Of a collection that cannot be asked, so many are looked through. */
const MOST_READ = 200
/** Pages may, in other APIs, be empty and go on for ever. */
const MOST_PAGES = 20
/** Whoever types waits no longer for a server that looks at every member. */
const PATIENCE_MS = 1_000

/** Members to choose from: those that match what was typed, the best first; without that, the first ones. */
export async function findOptions(
  client: Client,
  { iri, memberClass }: CollectionDescription,
  text: string,
  signal: AbortSignal,
): Promise<readonly Option[]> {
  const collection = client.collectionAt(iri)
  // The collection itself answers with its template, so that the first look costs one request.
  if (text === '') return optionsOf((await collection.page(undefined, { signal })).members, memberClass)
  const { byPart, byStart, byWords } = questionsFor(await variablesOf(), memberClass, text, MOST_ASKED)
  if (!byPart && !byStart && !byWords) return optionsOf(await readThrough(), memberClass)
  const [part, words] = await Promise.all([ask(byPart, PATIENCE_MS), ask(byWords)])
  // A part of a name is looked for everywhere, which may take too long; and there may be too many of them.
  const isWhole = byPart && !(part instanceof Error) && part.length < MOST_ASKED
  const start = isWhole ? [] : await ask(byStart)
  const answers = [start, part, words]
  const found = answers.flatMap((answer) => (answer instanceof Error ? [] : answer))
  const failure = answers.find((answer) => answer instanceof Error)
  if (found.length === 0 && failure) throw failure
  return optionsOf(bestFirst(found, memberClass, text), memberClass)

  /** One question that fails does not take away what another has found. */
  async function ask(question: Question | undefined, patience = 60_000): Promise<readonly Member[] | Error> {
    if (!question) return []
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
      return (await collection.page(question, { signal: limited })).members
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Error) return error
      throw error
    }
  }

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
    let pages = 0
    for await (const { members } of collection.pages(undefined, { signal })) {
      const looked = members.slice(0, MOST_READ - read)
      found.push(...looked.filter((member) => rankOf(nameOf(member, memberClass), text) < OTHERWISE))
      read += looked.length
      pages += 1
      if (found.length >= MOST_OPTIONS || read === MOST_READ || pages === MOST_PAGES) break
    }
    return bestFirst(found, memberClass, text)
  }
}

/** Names that begin with it, names of which a word does, names that have it in them, then the rest; each once. */
function bestFirst(
  members: readonly Member[],
  cls: ClassDescription | undefined,
  text: string,
): readonly Member[] {
  const once = [...new Map(members.map((member) => [member.iri, member])).values()]
  const ranked = once.map((member) => ({ member, rank: rankOf(nameOf(member, cls), text) }))
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ member }) => member)
}

const OTHERWISE = 3

function rankOf(name: string, text: string): number {
  const [whole, part] = [name, text.trim()].map((one) => one.toLocaleLowerCase()) as [string, string]
  if (whole.startsWith(part)) return 0
  if (whole.includes(` ${part}`)) return 1
  return whole.includes(part) ? 2 : OTHERWISE
}

function optionsOf(members: readonly Member[], cls: ClassDescription | undefined): readonly Option[] {
  const options = members.slice(0, MOST_OPTIONS).map((member) => ({
    iri: member.iri,
    name: nameOf(member, cls),
  }))
  const isTwice = (name: string): boolean => options.filter((one) => one.name === name).length > 1
  return options.map((option) => ({ ...option, detail: isTwice(option.name) ? option.iri : '' }))
}

export type Question = Query

/** How a collection can be asked for what was typed, as far as its template goes. */
export interface Questions {
  /** A part of the name, which the server may have to look for in every member. */
  readonly byPart: Question | undefined
  readonly byStart: Question | undefined
  /** Whole words, anywhere. */
  readonly byWords: Question | undefined
}

export function questionsFor(
  variables: readonly Variable[],
  cls: ClassDescription | undefined,
  text: string,
  most: number,
): Questions {
  const naming = namingProperty(cls)
  const limit = variables.find(({ role }) => role === 'limit')
  const filter = (operator: string) =>
    variables.find(
      (one) => one.role === 'filter' && one.operator === operator && naming && one.property?.name === naming,
    )
  const ask = (variable: Variable | undefined, value: string): Question | undefined =>
    variable && { [variable.name]: value, ...(limit && { [limit.name]: most }) }
  return {
    byPart: ask(filter('contains'), text),
    // How a name begins regards case (docs/requests.md), and people do not: most names begin with a capital.
    byStart: ask(filter('startsWith'), capitalised(text)),
    byWords: ask(
      variables.find(({ role }) => role === 'text'),
      text,
    ),
  }
}
