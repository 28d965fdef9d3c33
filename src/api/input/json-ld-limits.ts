import { HttpError, violation } from '../../errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../../json.ts'
import type { Class } from '../../vocabulary/index.ts'

/**
 * In units of about half a microsecond. The processor reads a scoped context again wherever it is used, and copies all
 * terms for each further context: its work grows with the product of both, and not with the length of the body.
 */
const MAX_WORK = 600_000
/** The longest key, and the longest text in a context. */
const LONGEST_NAME = 500

/** All classes that are embedded in this one, at any depth, by the properties that have them. */
export const embeddedIn = (cls: Class): { readonly name: string; readonly cls: Class }[] =>
  cls.properties.flatMap(({ name, range }) =>
    range.kind === 'embedded' ? [{ name, cls: range.cls }, ...embeddedIn(range.cls)] : [],
  )

/** 422 for a document that would keep the processor busy for too long. */
export function createRequireBounded(cls: Class): (sent: JsonObject) => void {
  // Embedded values have scoped contexts of our own.
  const embedded = embeddedIn(cls)
  const names = new Set(embedded.map(({ name }) => name))
  const termsOf = (one: Class): number =>
    embeddedIn(one).reduce((sum, { cls: { properties } }) => sum + properties.length, one.properties.length)
  const mostTerms = Math.max(0, ...embedded.map((one) => termsOf(one.cls)))

  return (sent) => {
    const counts = new Counts()
    countBody(sent, counts, names, false)
    if (workOf(counts) + counts.embedded * mostTerms * TERM <= MAX_WORK) return
    throw new HttpError(
      422,
      'The body is too much JSON-LD to be processed at once; send it in the terms of this API, or with a smaller "@context".',
    )
  }
}

/** Everything in a document that the processor's work depends on. */
class Counts {
  /** Contexts of any kind, and the terms in them. */
  contexts = 0
  terms = 0
  /** Terms in the largest context that is scoped to a term. */
  scoped = 0
  /** Outside of contexts. */
  keys = 0
  objects = 0
  elements = 0
  /** Objects that a scoped context of our own applies to. */
  embedded = 0
  /** Segments of `@base`: relative addresses are resolved against it, and each context may make it longer. */
  steps = 0
  /** Characters in contexts: the processor may prepend as many to each name. */
  text = 0
}

const TERM = 16

function workOf({ contexts, terms, scoped, keys, objects, elements, steps, text }: Counts): number {
  const reuse = scoped === 0 ? 0 : (objects + elements) * (TERM * scoped + terms)
  // V8 tells long keys apart by comparing each with each: beyond this length their hash is their length.
  const longKeys = text > 16_000 ? (keys * keys * text) / 10_000 : 0
  // The processor keeps contexts for later, so their terms cost memory as well.
  const body = 25 * keys + 25 * objects + 10 * elements + (steps + text / 200) * (contexts + keys + elements)
  return 500 * terms + contexts * (terms + 100) + body + reuse + longKeys
}

function countBody(value: JsonValue, counts: Counts, own: ReadonlySet<string>, isEmbedded: boolean): void {
  if (Array.isArray(value)) {
    counts.elements += value.length
    for (const one of value) countBody(one, counts, own, isEmbedded)
  } else if (isObject(value)) {
    counts.objects++
    if (isEmbedded) counts.embedded++
    for (const [key, one] of Object.entries(value)) {
      counts.keys++
      requireName(key)
      if (key === '@context') countContext(one, counts)
      else countBody(one, counts, own, own.has(key))
    }
  }
}

/** The number of its terms, those of contexts within it included. */
function countContext(context: JsonValue, counts: Counts): number {
  if (Array.isArray(context)) return context.reduce((sum: number, one) => sum + countContext(one, counts), 0)
  counts.contexts++
  countText(context, counts)
  if (!isObject(context)) return 0
  let terms = 0
  for (const [term, definition] of Object.entries(context)) {
    counts.terms++
    countText(term, counts)
    if (term === '@base' && typeof definition === 'string') counts.steps += definition.split('/').length
    terms += 1 + countDefinition(definition, counts)
  }
  return terms
}

function countDefinition(definition: JsonValue, counts: Counts): number {
  countText(definition, counts)
  if (!isObject(definition)) return 0
  for (const text of Object.entries(definition).flat()) countText(text, counts)
  const within = definition['@context']
  if (within === undefined) return 0
  const terms = countContext(within, counts)
  counts.scoped = Math.max(counts.scoped, terms, 1)
  return terms
}

function countText(value: JsonValue, counts: Counts): void {
  if (typeof value !== 'string') return
  requireName(value)
  counts.text += value.length
}

function requireName(name: string): void {
  if (name.length <= LONGEST_NAME) return
  throw violation(`${name.slice(0, 32)}…`, `is longer than ${LONGEST_NAME} characters, which no name has.`)
}
