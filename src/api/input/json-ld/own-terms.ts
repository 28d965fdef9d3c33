import { HttpError, invalid } from '../../../errors.ts'
import type { JsonObject, JsonValue } from '../../../json.ts'
import { suggestion } from '../../../text.ts'
import {
  type Class,
  contextAddress,
  type Dropped,
  expand,
  findBundledContext,
  LinkedDataError,
  memberContext,
} from '../../../vocabulary/index.ts'
import { ended, IGNORED } from '../properties.ts'
import { createFromExpanded, toProcessor } from './document.ts'
import { createRequireBounded, embeddedIn } from './limits.ts'

/**
 * JSON-LD of any shape as JSON in our own terms; 422 for what is not one node, or would lose something on the way.
 * `target`: what its relative addresses are relative to.
 */
export function createToOwnTerms(cls: Class, base: string) {
  const context = memberContext(cls, base)
  const contexts = new Map(
    [cls, ...embeddedIn(cls).map((one) => one.cls)].map((one) => [
      contextAddress(one.name, base),
      memberContext(one, base),
    ]),
  )
  const fromExpanded = createFromExpanded(cls, base)
  const requireBounded = createRequireBounded(cls)

  return async (sent: JsonObject, target: string): Promise<JsonObject> => {
    if ('@graph' in sent)
      throw invalid([{ propertyPath: '@graph', message: 'is not understood here; send the member alone.' }])
    requireBounded(sent)
    const { document, restore } = toProcessor(sent)
    const { nodes, dropped } = await expand(document, {
      base: target,
      // A context that was sent says all that the keys mean; where there is none they are our terms.
      ...(sent['@context'] === undefined && { context }),
      findContext: (address) => contexts.get(address) ?? findBundledContext(address),
    }).catch(refuseUnprocessed)
    const id = isOwnId(sent, dropped, cls) ? { id: sent.id as JsonValue } : {}
    refuseLosses('id' in id ? dropped.filter(({ what }) => what !== 'id') : dropped, cls, base)
    const [node] = nodes
    if (node !== undefined && nodes.length === 1) return Object.assign(fromExpanded(node, restore), id)
    const sentence = `The body must be one node of linked data, the member itself, not ${nodes.length}.`
    throw new HttpError(422, sentence)
  }
}

/** Whether an `id` of the member itself has no meaning as linked data: it is read as that of plain JSON is. */
const isOwnId = (sent: JsonObject, dropped: readonly Dropped[], { properties }: Class): boolean =>
  'id' in sent &&
  !properties.some(({ name }) => name === 'id') &&
  dropped.filter(({ what }) => what === 'id').length === 1

const LONGEST_SENTENCE = 500
const UNPROCESSED = 'The body is JSON-LD that cannot be processed; send it in the terms of this API.'

/** Whatever a document does to the processor, it is the document's fault. */
function refuseUnprocessed(error: unknown): never {
  if (!(error instanceof LinkedDataError)) throw error
  // The processor's own errors have such names; any other is about its code and would help nobody.
  const explains = error.cause instanceof Error && error.cause.name.startsWith('jsonld.')
  throw new HttpError(422, explains ? error.message.slice(0, LONGEST_SENTENCE) : UNPROCESSED, {
    cause: error,
  })
}

/** Values that belong to no property. What else the processor tells of loses nothing, or is refused where it is read. */
const STRAY = ['free-floating scalar', 'object with only @language', 'object with only @list']
const LOST_NAMES = ['invalid property', 'reserved term', 'reserved @id value', 'reserved @reverse value']
const MOST_NAMED = 100

/** Nothing that was sent is left out silently: hypermedia.md, Writing. */
function refuseLosses(dropped: readonly Dropped[], cls: Class, base: string): void {
  if (dropped.some(({ code }) => STRAY.includes(code)))
    throw new HttpError(422, 'The body has a value that belongs to no property; every value needs one.')
  const names = cls.properties.map(({ name }) => name)
  const lost = dropped.filter(
    ({ code, what }) => LOST_NAMES.includes(code) && (names.includes(what) || what !== IGNORED),
  )
  if (lost.length === 0) return
  const hint = (what: string) =>
    names.includes(what) ? `add ${contextAddress(cls.name, base)} to that.` : ended(suggestion(what, names))
  throw invalid(
    lost.slice(0, MOST_NAMED).map(({ what }) => ({
      propertyPath: what.slice(0, 100),
      message: `has no meaning under the @context that was sent; ${hint(what)}`,
    })),
  )
}
