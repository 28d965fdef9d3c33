import { isDeepStrictEqual } from 'node:util'
import { type JsonValue, Numeral } from '../json.ts'
import {
  type Context,
  classIri,
  type Model,
  memberContext,
  memberType,
  storedClasses,
  vocabIri,
} from '../vocabulary/index.ts'

/** How the data is written: a member on each line, or one JSON-LD document. */
export type Format = 'ndjson' | 'jsonld'

/**
 * The context of a document with members of all classes: what a term means depends on the class of the member, so each
 * class brings its own terms along (JSON-LD 1.1 §4.1.5, type-scoped contexts).
 */
export function documentContext(model: Model, base: string): Context {
  const scopes = storedClasses(model).map((cls) => [
    memberType(cls, base),
    { '@id': classIri(cls, base), '@context': memberContext(cls, base) },
  ])
  return { '@version': 1.1, '@vocab': vocabIri(base, ''), ...Object.fromEntries(scopes) }
}

/** Whether a document has that very context: its members can then be read without a JSON-LD processor. */
export function createIsOwn(model: Model, base: string): (context: JsonValue | undefined) => boolean {
  const own = JSON.parse(JSON.stringify(documentContext(model, base)))
  let last: { readonly context: JsonValue | undefined; readonly isOwn: boolean } | undefined
  return (context) => {
    // All members of a document share one.
    if (last?.context !== context || last === undefined)
      last = { context, isOwn: context !== undefined && isDeepStrictEqual(native(context), own) }
    return last.isOwn
  }
}

/** As `JSON.parse` would have read it. */
const native = (value: JsonValue): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (one instanceof Numeral ? Number(one.source) : one)))
