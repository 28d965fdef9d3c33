import type {
  ClassDescription,
  Client,
  CollectionDescription,
  Documentation,
  Member,
  PropertyDescription,
  SearchQuery,
} from 'hydrant-client'
import {
  findFilter,
  isHydrant,
  limitTo,
  type QueryVariable,
  readTemplate,
  readVariables,
  withBeginning,
} from '../../../shared/connection/index.ts'
import { nameOf, namingPaths, namingProperty, withLabelLinks } from '../../../shared/labels.ts'
import { labelOf } from '../../../shared/names.ts'
import { textOf, valueIn } from '../../../shared/values.ts'

export interface PickerOption {
  readonly iri: string
  readonly name: string
  readonly detail: string
}

const MOST_OPTIONS = 10
/** More than are shown, so that the best can be chosen. */
const MOST_ASKED = 30
/** How many members of a collection without filters are searched. */
const MOST_READ = 200
/** In other APIs, there may be endless empty pages. */
const MOST_PAGES = 20
/** After this, a search that an index can answer is sent as well. */
const PATIENCE_MS = 1_000

/** Members to choose from: those that match the text, the best first; without a text, the first ones. */
export async function findOptions(
  api: { readonly client: Client; readonly documentation: Pick<Documentation, 'classes'> },
  { iri, memberClass }: CollectionDescription,
  text: string,
  signal: AbortSignal,
): Promise<readonly PickerOption[]> {
  const { classes } = api.documentation
  const collection = api.client.collectionAt(iri)
  const named = ({ members }: { readonly members: readonly Member[] }): readonly PickerOption[] =>
    members.map((member) => ({
      iri: member.iri,
      name: nameOf(member, memberClass, classes),
      detail: distinguishing(member, memberClass),
    }))
  // The first page contains the search template, so that the next search needs no extra request.
  const all = withLabelLinks(undefined, memberClass)
  if (text === '') return bestOf(named(await collection.page(all, { signal })), text)
  const template = await readTemplate(collection, { signal })
  const variables = readVariables(template, memberClass, classes)
  const asked = { text, words: isHydrant(template) ? withBeginning(text) : text, most: MOST_ASKED }
  const { byPart, byStart, byWords } = searchQueriesFor(variables, memberClass, classes, asked)
  if (!byPart && !byStart && !byWords)
    return bestOf(await readThrough(collection.pages(all, { signal }), named, text), text)
  const failures: unknown[] = []
  const giveUp = new AbortController()
  const part = ask(byPart, AbortSignal.any([signal, giveUp.signal]))
  const slow = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined))
  const [early, words] = await Promise.all([Promise.race([part, slow]), ask(byWords)])
  // The search for a part of a name may fail, take too long, or find too many.
  const isWhole = byPart && early && early.length < MOST_ASKED
  const quick = [isWhole ? [] : await ask(byStart), early, words].flatMap((answer) => answer ?? [])
  // Wait for the slow search only if the others have found nothing.
  const found = quick.length > 0 ? quick : ((await part) ?? [])
  giveUp.abort()
  if (found.length === 0 && failures.length > 0) throw failures[0]
  return bestOf(found, text)

  /** Undefined if the query fails: the results of the others are still shown. */
  async function ask(
    query: SearchQuery | undefined,
    limit = signal,
  ): Promise<readonly PickerOption[] | undefined> {
    if (!query) return []
    try {
      return named(await collection.page(withLabelLinks(query, memberClass), { signal: limit }))
    } catch (error) {
      signal.throwIfAborted()
      failures.push(error)
      return undefined
    }
  }
}

/** For an API without a search: looks at the first pages. */
async function readThrough<Page>(
  all: AsyncIterable<Page>,
  named: (page: Page) => readonly PickerOption[],
  text: string,
): Promise<readonly PickerOption[]> {
  const found: PickerOption[] = []
  let read = 0
  let pages = 0
  for await (const page of all) {
    const looked = named(page).slice(0, MOST_READ - read)
    found.push(...looked.filter(({ name }) => rankOf(name, text) < OTHERWISE))
    read += looked.length
    pages += 1
    if (found.length >= MOST_OPTIONS || read === MOST_READ || pages === MOST_PAGES) break
  }
  return found
}

/** Names that begin with the text, then names with a word that does, names that contain it, and the rest. */
function bestOf(found: readonly PickerOption[], text: string): readonly PickerOption[] {
  const once = [...new Map(found.map((one) => [one.iri, one])).values()]
  const ranked = once.toSorted((one, other) => rankOf(one.name, text) - rankOf(other.name, text))
  const best = ranked.slice(0, MOST_OPTIONS)
  const isTwice = (name: string): boolean => best.filter((one) => one.name === name).length > 1
  return best.map((one) => ({ ...one, detail: isTwice(one.name) ? one.detail || one.iri : '' }))
}

/** What tells a member from its namesakes: `E-mail ada@example.org`. Empty if it has no unique value. */
function distinguishing({ data }: Member, cls: ClassDescription | undefined): string {
  const { properties = [], uniqueTogether = [] } = cls ?? {}
  const isTold = ({ name, isLink }: PropertyDescription) => !isLink && valueIn(data, name) !== undefined
  const told =
    properties.find((one) => one.constraints.unique && isTold(one)) ??
    properties.find((one) => uniqueTogether.flat().includes(one.iri) && isTold(one))
  return told ? `${labelOf(told)} ${textOf(valueIn(data, told.name), 'text')}` : ''
}

const OTHERWISE = 3

function rankOf(name: string, text: string): number {
  const [whole, part] = [name, text.trim()].map(simplified) as [string, string]
  if (whole.startsWith(part)) return 0
  if (whole.includes(` ${part}`)) return 1
  return whole.includes(part) ? 2 : OTHERWISE
}

/** About as the server compares texts. */
const simplified = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

interface SearchedText {
  readonly text: string
  /** The text as free text is sent. */
  readonly words: string
  readonly most: number
}

export function searchQueriesFor(
  variables: readonly QueryVariable[],
  cls: ClassDescription | undefined,
  classes: readonly ClassDescription[],
  { text, words, most }: SearchedText,
) {
  const search = variables.find(({ role }) => role === 'text')
  const ask = (query: SearchQuery | undefined): SearchQuery | undefined =>
    query && { ...query, ...limitTo(variables, most) }
  const byName = (operator: 'contains' | 'startsWith'): SearchQuery | undefined => {
    const one = findFilter(variables, operator, namingProperty(cls))
    return byLinkedName(variables, namingPaths(cls, classes), operator, text) ?? (one && { [one.name]: text })
  }
  return {
    // The server may have to scan every member.
    byPart: ask(byName('contains')),
    byStart: ask(byName('startsWith')),
    byWords: ask(search && { [search.name]: words }),
  }
}

/** Each word makes a group of alternatives, and a query has a limited number of parameters. */
const MOST_WORDS = 5

/**
 * For a label with links: each word is somewhere in the label (asking.md, Or). Undefined if the label has no links, or the
 * API cannot search beyond them.
 */
function byLinkedName(
  variables: readonly QueryVariable[],
  paths: readonly string[],
  operator: 'contains' | 'startsWith',
  text: string,
): SearchQuery | undefined {
  const filters = paths.flatMap((path) => findFilter(variables, operator, path) ?? [])
  const isLinked = filters.some(({ property }) => property?.name.includes('.'))
  if (!isLinked || !variables.some(({ role }) => role === 'fields')) return undefined
  const words = text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  const groups = words.map((word) => Object.fromEntries(filters.map(({ name }) => [name, word])))
  return { or: Object.fromEntries(groups.entries()) }
}
