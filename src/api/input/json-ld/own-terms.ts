import { HttpError, invalid } from '../../../errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../json.ts'
import type { Awaitable } from '../../../store/index.ts'
import { suggestion } from '../../../text.ts'
import {
  type Class,
  contextAddress,
  type Dropped,
  type ExpandOptions,
  type Expansion,
  expand,
  findBundledContext,
  LinkedDataError,
  memberContext,
} from '../../../vocabulary/index.ts'
import { ended, IGNORED } from '../properties.ts'
import { createFromExpanded, createIsOwnContext, toProcessor } from './document.ts'
import { type OwnScopes, requireBounded } from './limits.ts'

/** JSON-LD of any shape as JSON in our own terms; 422 for what is not one node, or would lose something on the way. */
export function createToOwnTerms(cls: Class, base: string) {
  const isOwnContext = createIsOwnContext(cls, base)
  const process = createProcess(cls, base)
  return (sent: JsonObject, target: string): Awaitable<JsonObject> => {
    const context = sent['@context']
    const isOwn = (context === undefined || isOwnContext(context)) && isInOwnTerms(sent, '@context')
    return isOwn ? sent : process(sent, target)
  }
}

/** Whether no JSON-LD processor is needed, as for nearly every request. `known`: a keyword that has been looked at. */
function isInOwnTerms(value: JsonValue, known?: string): boolean {
  if (Array.isArray(value)) return value.every((one) => isInOwnTerms(one))
  if (!isObject(value)) return true
  // Not Object.entries, which would copy what every request sends.
  for (const name in value) {
    if (name === known) continue
    if (name.includes(':') || (name.startsWith('@') && name !== '@id' && name !== '@type')) return false
    if (!isInOwnTerms(value[name] as JsonValue)) return false
  }
  return true
}

function createProcess(cls: Class, base: string) {
  const context = memberContext(cls, base)
  const contexts = new Map(
    within(cls).map((one) => [contextAddress(one.name, base), memberContext(one, base)]),
  )
  const fromExpanded = createFromExpanded(cls, base)
  const scopes = scopesOf(cls)

  return async (sent: JsonObject, target: string): Promise<JsonObject> => {
    if ('@graph' in sent)
      throw invalid([{ propertyPath: '@graph', message: 'is not understood here; send the member alone.' }])
    requireBounded(sent, scopes)
    const { document, restore } = toProcessor(sent)
    const { nodes, dropped } = await expanded(document, {
      base: target,
      // A context that was sent says all that the keys mean; where there is none they are our terms.
      ...(sent['@context'] === undefined && { context }),
      findContext: (address) => contexts.get(address) ?? findBundledContext(address),
    })
    refuseLosses(dropped, cls, base)
    const [node] = nodes
    if (node !== undefined && nodes.length === 1) return fromExpanded(node, restore)
    const sentence = `The body must be one node of linked data, the member itself, not ${nodes.length}.`
    throw new HttpError(422, sentence)
  }
}

/** A class and all that is embedded in it. */
const within = (cls: Class): Class[] => [
  cls,
  ...cls.properties.flatMap(({ range }) => (range.kind === 'embedded' ? within(range.cls) : [])),
]

function scopesOf(cls: Class): OwnScopes {
  const embedded = within(cls).flatMap(({ properties }) =>
    properties.flatMap(({ name, range }) => (range.kind === 'embedded' ? [{ name, cls: range.cls }] : [])),
  )
  const termsOf = (one: Class): number =>
    within(one).reduce((sum, { properties }) => sum + properties.length, 0)
  return {
    names: new Set(embedded.map(({ name }) => name)),
    terms: Math.max(0, ...embedded.map((one) => termsOf(one.cls))),
  }
}

const LONGEST_SENTENCE = 500
const UNPROCESSED = 'The body is JSON-LD that cannot be processed; send it in the terms of this API.'

/** Whatever a document does to the processor, it is the document's fault. */
async function expanded(document: object, options: ExpandOptions): Promise<Expansion> {
  try {
    return await expand(document, options)
  } catch (error) {
    if (!(error instanceof LinkedDataError)) throw error
    // The processor's own errors have such names; any other is about its code and would help nobody.
    const explains = error.cause instanceof Error && error.cause.name.startsWith('jsonld.')
    const sentence = explains ? error.message.slice(0, LONGEST_SENTENCE) : UNPROCESSED
    throw new HttpError(422, sentence, { cause: error })
  }
}

/** Values that belong to no property. What else the processor tells of loses nothing, or is refused where it is read. */
const STRAY = ['free-floating scalar', 'object with only @language', 'object with only @list']
const LOST_NAMES = ['invalid property', 'reserved term', 'reserved @id value', 'reserved @reverse value']
const MOST_NAMED = 100

/** Nothing that was sent is left out silently: hypermedia.md, Writing. */
function refuseLosses(
  dropped: readonly Dropped[],
  { name: className, properties }: Class,
  base: string,
): void {
  if (dropped.some(({ code }) => STRAY.includes(code))) {
    throw new HttpError(422, 'The body has a value that belongs to no property; every value needs one.')
  }
  const names = properties.map(({ name }) => name)
  const lost = dropped.filter(
    ({ code, what }) => LOST_NAMES.includes(code) && (names.includes(what) || !IGNORED.includes(what)),
  )
  if (lost.length === 0) return
  const hint = (what: string) =>
    names.includes(what) ? `add ${contextAddress(className, base)} to that.` : ended(suggestion(what, names))
  throw invalid(
    lost.slice(0, MOST_NAMED).map(({ what }) => ({
      propertyPath: what.slice(0, 100),
      message: `has no meaning under the @context that was sent; ${hint(what)}`,
    })),
  )
}
