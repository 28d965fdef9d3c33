import type {
  ClassDescription,
  Client,
  CollectionDescription,
  Member,
  Query,
} from '../../../../src/client/index.ts'
import {
  findFilter,
  limitTo,
  readTemplate,
  readVariables,
  type Variable,
} from '../../../shared/connection/index.ts'
import { capitalised, nameOf, namingProperty } from '../../../shared/names.ts'

export interface PickerOption {
  readonly iri: string
  readonly name: string
  readonly detail: string
}

const MOST_OPTIONS = 10
/** More are asked for, so that the best can be chosen. */
const MOST_ASKED = 30
/** Of a collection without filters, this many are looked through. */
const MOST_READ = 200
/** In other APIs, pages may be empty and go on for ever. */
const MOST_PAGES = 20
/** After this, a server that scans every member is also asked what it can find by an index. */
const PATIENCE_MS = 1_000

/** Members to choose from: those that match what was typed, the best first; without that, the first ones. */
export async function findOptions(
  client: Client,
  { iri, memberClass }: CollectionDescription,
  text: string,
  signal: AbortSignal,
): Promise<readonly PickerOption[]> {
  const collection = client.collectionAt(iri)
  // The first page brings the template along, so that this costs one request.
  if (text === '') return optionsOf((await collection.page(undefined, { signal })).members, memberClass)
  const variables = readVariables(await readTemplate(collection, { signal }), memberClass)
  const { byPart, byStart, byWords } = questionsFor(variables, memberClass, text, MOST_ASKED)
  if (!byPart && !byStart && !byWords) return optionsOf(await readThrough(), memberClass)
  const giveUp = new AbortController()
  const part = ask(byPart, AbortSignal.any([signal, giveUp.signal]))
  const slow = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined))
  const [early, words] = await Promise.all([Promise.race([part, slow]), ask(byWords)])
  // The search for a part of a name may take too long, or find too many.
  const isWhole = byPart && Array.isArray(early) && early.length < MOST_ASKED
  const quick = [isWhole ? [] : await ask(byStart), early ?? [], words]
  // A slow search is waited for where no other has found anything.
  const isFound = quick.some((answer) => Array.isArray(answer) && answer.length > 0)
  const answers = isFound ? quick : [...quick, await part]
  giveUp.abort()
  const found = answers.flatMap((answer) => (answer instanceof Error ? [] : answer))
  const failure = answers.find((answer) => answer instanceof Error)
  if (found.length === 0 && failure) throw failure
  return optionsOf(bestFirst(found, memberClass, text), memberClass)

  /** A query that fails does not take away what another has found. */
  async function ask(question: Query | undefined, limit = signal): Promise<readonly Member[] | Error> {
    if (!question) return []
    try {
      return (await collection.page(question, { signal: limit })).members
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Error) return error
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

function optionsOf(members: readonly Member[], cls: ClassDescription | undefined): readonly PickerOption[] {
  const options = members.slice(0, MOST_OPTIONS).map((member) => ({
    iri: member.iri,
    name: nameOf(member, cls),
  }))
  const isTwice = (name: string): boolean => options.filter((one) => one.name === name).length > 1
  return options.map((option) => ({ ...option, detail: isTwice(option.name) ? option.iri : '' }))
}

export function questionsFor(
  variables: readonly Variable[],
  cls: ClassDescription | undefined,
  text: string,
  most: number,
) {
  const naming = namingProperty(cls)
  const ask = (variable: Variable | undefined, value: string): Query | undefined =>
    variable && { [variable.name]: value, ...limitTo(variables, most) }
  return {
    // The server may have to scan every member.
    byPart: ask(findFilter(variables, 'contains', naming), text),
    // `startsWith` is case-sensitive (docs/requests.md), and most names begin with a capital.
    byStart: ask(findFilter(variables, 'startsWith', naming), capitalised(text)),
    byWords: ask(
      variables.find(({ role }) => role === 'text'),
      text,
    ),
  }
}
