import { randomUUID } from 'node:crypto'
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../json.ts'
import { atProperty } from '../../problem.ts'
import { withUsualEncodings } from '../../text.ts'
import {
  type Class,
  contextAddress,
  type Dropped,
  type ExpandedNode,
  isPropertyName,
  memberContext,
  memberType,
  OPERATION_IRI,
  propertyIri,
  reverseLinkIri,
  vocabIri,
} from '../../vocabulary/index.ts'
import type { ExpandBody } from './expansion-thread.ts'
import { createIsServed, IGNORED } from './identifiers.ts'
import { bodyProblem, inputProblem, validationFailed } from './problems.ts'

/** All classes that are embedded in this one, at any depth. */
const embeddedIn = (cls: Class): Class[] =>
  cls.properties.flatMap(({ range }) =>
    range.kind === 'embedded' ? [range.cls, ...embeddedIn(range.cls)] : [],
  )

/** A body to be converted to our own terms. */
export interface SentLinkedData {
  readonly sent: JsonObject
  /** The address that relative addresses are relative to. */
  readonly target: string
  /** Whether its context is ours, sent or not. */
  readonly isOwn: boolean
  /** Users take turns at the processor. */
  readonly user: string
}

/** Turns JSON-LD of any shape into JSON in our own terms; 422 unless it is one node, and nothing would be lost. */
export function createToOwnTerms(cls: Class, base: string, expandBody: ExpandBody) {
  const context = memberContext(cls, base)
  const contexts = [...new Set([cls, ...embeddedIn(cls)])].map(
    (one) => [contextAddress(one.name, base), memberContext(one, base)] as const,
  )
  const fromExpanded = createFromExpanded(cls, base)

  return async ({ sent, target, isOwn, user }: SentLinkedData): Promise<JsonObject> => {
    if ('@graph' in sent) throw refusedKey('@graph', 'GraphNotTaken')
    const { document, restore } = toProcessor(isOwn ? addTypes(sent, cls, base) : sent)
    // Keys are our own terms only if no context was sent.
    const known = sent['@context'] === undefined ? context : undefined
    const task = { document, base: target, context: known, contexts, knowsBundled: true }
    const { nodes, dropped } = await expandBody(task, user)
    const id = isOwnId(sent, dropped, cls) ? { id: sent.id as JsonValue } : {}
    refuseLosses('id' in id ? dropped.filter(({ what }) => what !== 'id') : dropped, cls, base)
    const [node] = nodes
    if (node !== undefined && nodes.length === 1) return Object.assign(fromExpanded(node, restore), id)
    throw bodyProblem('NotOneNode', { count: nodes.length })
  }
}

/** Keywords of objects that are not nodes (JSON-LD 1.1 §9.5 and §9.6), or that contain nodes. */
const NOT_TYPED = ['@value', '@list', '@set', '@graph']

/** Whether the name of our class keeps its meaning under the context of a value; `null` and other vocabularies change it. */
const keepsName = (context: JsonValue = [], name: string): boolean =>
  [context]
    .flat()
    .every((one) => isObject(one) && !['@vocab', '@import', name].some((keyword) => keyword in one))

/**
 * Adds missing types of embedded values to a document in our own terms, because a term may be scoped to a type
 * (memberContext).
 */
function addTypes(sent: JsonObject, { properties }: Class, base: string): JsonObject {
  const typed: JsonObject = Object.assign(Object.create(null), sent)
  for (const { name, range } of properties)
    if (range.kind === 'embedded' && name in typed)
      typed[name] = addTypeTo(typed[name] ?? null, range.cls, base)
  return typed
}

function addTypeTo(value: JsonValue, cls: Class, base: string): JsonValue {
  if (Array.isArray(value)) return value.map((one) => addTypeTo(one, cls, base))
  if (!isObject(value) || NOT_TYPED.some((keyword) => keyword in value)) return value
  const type = memberType(cls, base)
  if (!keepsName(value['@context'], type)) return value
  return Object.assign(Object.create(null), { '@type': type }, addTypes(value, cls, base))
}

/** Whether the only `id` in a document is the member's and means nothing as linked data: then it counts as in plain JSON. */
const isOwnId = (sent: JsonObject, dropped: readonly Dropped[], cls: Class): boolean =>
  'id' in sent &&
  ![...cls.properties, ...cls.reverseLinks].some(({ name }) => name === 'id') &&
  dropped.filter(({ what }) => what === 'id').length === 1

const refusedKey = (key: string, code: 'GraphNotTaken' | 'KeyNotTaken') =>
  validationFailed(atProperty(inputProblem(code), key))

/** The processor's names for values that belong to no property. Its other events lose nothing, or are refused later. */
const STRAY = ['free-floating scalar', 'object with only @language', 'object with only @list']
const LOST_NAMES = ['invalid property', 'reserved term', 'reserved @id value', 'reserved @reverse value']
const MAX_NAMED = 100

/** hypermedia.md, Writing: nothing that was sent is left out silently. */
function refuseLosses(dropped: readonly Dropped[], cls: Class, base: string): void {
  if (dropped.some(({ code }) => STRAY.includes(code))) throw bodyProblem('StrayValue')
  const names = cls.properties.map(({ name }) => name)
  const lost = dropped.filter(
    ({ code, what }) => LOST_NAMES.includes(code) && (names.includes(what) || what !== IGNORED),
  )
  if (lost.length === 0) return
  const violations = lost.slice(0, MAX_NAMED).map(({ what }) => {
    const context = names.includes(what) ? { context: contextAddress(cls.name, base) } : {}
    const problem = inputProblem('NoMeaning', { name: what.slice(0, 100), known: names, ...context })
    return atProperty(problem, what.slice(0, 100))
  })
  throw validationFailed(...violations)
}

/** Turns a value of the processor back into what was sent. */
type Restore = (value: unknown) => JsonValue

/** Longer than any IRI of ours. For an IRI with many slashes the processor takes quadratic time. */
const LONGEST_IRI = 500

/** An absolute IRI, which the processor does not change; no client can know it. */
const PLACEHOLDER = `urn:uuid:${randomUUID()}/`

/** Stands for any `@reverse`, which is refused when it is read: the processor would drop an empty `@reverse`. */
const REVERSE = { [PLACEHOLDER]: [] }

/**
 * Prepares a document for the processor: ordinary objects, with placeholders for numbers, whose digits it would lose, and
 * for long texts.
 */
export function toProcessor(sent: JsonObject): { readonly document: object; readonly restore: Restore } {
  const numbers: JsonNumber[] = []
  const texts: string[] = []
  return { document: convertObject(sent, false), restore }

  function convert(value: JsonValue, inContext: boolean): unknown {
    if (value instanceof JsonNumber) return inContext ? Number(value.source) : numbers.push(value) - 1
    if (typeof value === 'string')
      return value.length > LONGEST_IRI ? PLACEHOLDER + (texts.push(value) - 1) : value
    if (Array.isArray(value)) return value.map((one) => convert(one, inContext))
    return isObject(value) ? convertObject(value, inContext) : value
  }

  function convertObject(value: JsonObject, inContext: boolean): object {
    // The processor would set the prototype.
    if ('__proto__' in value) throw refusedKey('__proto__', 'KeyNotTaken')
    const converted: Record<string, unknown> = {}
    for (const [name, one] of Object.entries(value))
      converted[name] =
        name === '@reverse' && !inContext ? REVERSE : convert(one, inContext || name === '@context')
    return converted
  }

  function restore(value: unknown): JsonValue {
    if (typeof value === 'number') return numbers[value] ?? null
    if (typeof value === 'string')
      return value.startsWith(PLACEHOLDER) ? (texts[Number(value.slice(PLACEHOLDER.length))] ?? '') : value
    if (Array.isArray(value)) return value.map(restore)
    if (typeof value !== 'object' || value === null) return value as JsonValue
    const restored: JsonObject = Object.create(null)
    // `@index` means nothing beyond the document (JSON-LD 1.1 §4.6.1).
    for (const [key, one] of Object.entries(value)) if (key !== '@index') restored[key] = restore(one)
    return restored
  }
}

type FromExpanded = (node: ExpandedNode, restore: Restore) => JsonObject

/** Turns an expanded node into our own terms. A key without a term stays as it is, and is refused when it is read. */
function createFromExpanded(cls: Class, base: string): FromExpanded {
  const properties = new Map([
    ...cls.properties.map((property) => {
      const { name, range } = property
      const convert = range.kind === 'embedded' ? createFromExpanded(range.cls, base) : undefined
      return [withUsualEncodings(propertyIri(cls, property, base)), { name, convert }] as const
    }),
    ...cls.reverseLinks.map((link) => {
      const { name } = link
      return [withUsualEncodings(reverseLinkIri(cls, link, base)), { name, convert: undefined }] as const
    }),
  ])
  const declared = new Set([...cls.properties, ...cls.reverseLinks].map(({ name }) => name))
  const operationLinks = new Map(
    cls.customOperations?.map(({ name }) => [vocabIri(base, `${cls.name}/${name}`), name]),
  )
  const vocab = vocabIri(base, '')
  const isServed = createIsServed(cls, base)

  /** The key that was sent, if our own context has made an IRI of it, for error messages. */
  function nameOf(iri: string): string {
    const name = iri.startsWith(vocab) ? iri.slice(vocab.length) : iri
    return declared.has(name) || !isPropertyName(name.replace(/^@/, '')) ? iri : name
  }

  return (node, restore) => {
    const own: JsonObject = Object.create(null)
    for (const [key, value] of Object.entries(node)) {
      const property = properties.get(withUsualEncodings(key))
      if (property !== undefined) {
        const { name, convert = (one: ExpandedNode) => restore(one) } = property
        own[name] = (value as ExpandedNode[]).map((one) => convert(one, restore))
      } else if (operationLinks.has(key)) {
        // Only the address, as it was served (createIsServed).
        const [one] = value as ExpandedNode[]
        own[operationLinks.get(key) as string] = restore(one?.['@id'] ?? null)
      } else if (key === OPERATION_IRI && isServed('operation', value as JsonValue)) continue
      else if (!key.startsWith('@')) own[nameOf(key)] = null
      else if (key !== '@index') own[key] = restore(value)
    }
    return own
  }
}
