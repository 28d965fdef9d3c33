import { isObject, type JsonValue, Numeral } from '../../json.ts'
import { addressIn, type Class, classIri, contextAddress, memberContext } from '../../vocabulary/index.ts'
import type { Submission } from './submission.ts'

/** What is wrong with a keyword such as `@id`; undefined for one that agrees with where the body was sent. */
export type CheckKeyword = (keyword: string, value: JsonValue, submission: Submission) => string | undefined

export function createCheckKeyword(cls: Class, base: string, isEmbedded: boolean): CheckKeyword {
  const isOwnContext = createIsOwnContext(cls, base)
  const types = [cls.name, classIri(cls, base), `${base}/vocab#${cls.name}`]
  return (keyword, value, submission) => {
    switch (keyword) {
      case '@context':
        if (isOwnContext(value)) return undefined
        return `must be the context of ${cls.name}, or its address ${contextAddress(cls.name, base)}, or be left out.`
      case '@type':
        if ((Array.isArray(value) ? value : [value]).every((type) => types.includes(type as string)))
          return undefined
        return `must be ${JSON.stringify(cls.name)} here, or be left out.`
      case '@id':
        // A blank node has no name (RDF 1.1 §3.4): what it is called within a document means nothing outside.
        if (typeof value === 'string' && value.startsWith('_:')) return undefined
        if (isEmbedded)
          return 'cannot be here, since an embedded value has no address of its own; leave it out.'
        return checkAddress(value, submission, isPutNew(cls))
      default:
        return 'is not understood here; leave it out.'
    }
  }
}

/** Whether a client may choose the address of a new member (hypermedia.md, Writing). */
const isPutNew = ({ operations, methods }: Class): boolean =>
  operations.has('create') && operations.has('replace') && methods.replace.includes('PUT')

function checkAddress(
  value: JsonValue,
  { address, target }: Submission,
  isChoice: boolean,
): string | undefined {
  if (address === undefined) {
    const more = isChoice ? ', or PUT to that address with If-None-Match: *' : ''
    return `is chosen by the server for a new member; leave it out${more}.`
  }
  const same = typeof value === 'string' && (value === address || addressIn(value, target) === address)
  return same ? undefined : `must be ${address} here, or be left out.`
}

/** Whether a context is the one that is served with the class, inline or by its address. */
export function createIsOwnContext(cls: Class, base: string): (value: JsonValue) => boolean {
  const context = memberContext(cls, base)
  const address = contextAddress(cls.name, base)
  return (value) => value === address || (typeof value === 'object' && isSame(value, context))
}

/** Up to the first difference: what was sent may be a megabyte of anything. */
function isSame(sent: JsonValue, own: unknown): boolean {
  if (sent instanceof Numeral) return typeof own === 'number' && Number(sent.source) === own
  if (Array.isArray(sent)) {
    return (
      Array.isArray(own) && sent.length === own.length && sent.every((one, index) => isSame(one, own[index]))
    )
  }
  if (!isObject(sent)) return sent === own
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return false
  const keys = Object.keys(sent)
  return (
    keys.length === Object.keys(own).length &&
    keys.every(
      (key) => Object.hasOwn(own, key) && isSame(sent[key] ?? null, (own as Record<string, unknown>)[key]),
    )
  )
}
