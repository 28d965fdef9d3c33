import { isDeepStrictEqual } from 'node:util'
import { type JsonValue, Numeral } from '../json.ts'
import { classIri, memberContext } from '../vocabulary/contexts.ts'
import type { Class } from '../vocabulary/model.ts'

/** Where a body was sent. */
export interface Sending {
  /** What relative addresses are relative to. */
  readonly target: string
  /** What `@id` may say; undefined for a new member, whose address the server chooses. */
  readonly address: string | undefined
}

/** What is wrong with a keyword; undefined for one that agrees with where the body was sent, and is ignored. */
export type Envelope = (keyword: string, value: JsonValue, sending: Sending) => string | undefined

export function createEnvelope(cls: Class, base: string, embedded: boolean): Envelope {
  const isOwn = createContextCheck(cls, base)
  const types = [cls.name, classIri(cls, base), `${base}/vocab#${cls.name}`]
  return (keyword, value, sending) => {
    switch (keyword) {
      case '@context':
        if (isOwn(value)) return undefined
        return `must be the context of ${cls.name}, or its address ${base}/contexts/${cls.name}, or be left out.`
      case '@type':
        if ((Array.isArray(value) ? value : [value]).every((type) => types.includes(type as string)))
          return undefined
        return `must be ${JSON.stringify(cls.name)} here, or be left out.`
      case '@id':
        return embedded ? checkNoAddress(value) : checkAddress(value, sending)
      default:
        return 'is not understood here; leave it out.'
    }
  }
}

/** A blank node has no name (RDF 1.1 §3.4): what it is called within a document means nothing outside. */
const isBlank = (value: JsonValue): boolean => typeof value === 'string' && value.startsWith('_:')

const checkNoAddress = (value: JsonValue): string | undefined =>
  isBlank(value)
    ? undefined
    : 'cannot be here, since an embedded value has no address of its own; leave it out.'

function checkAddress(value: JsonValue, { address, target }: Sending): string | undefined {
  if (isBlank(value)) return undefined
  if (address === undefined) return 'is chosen by the server for a new member; leave it out.'
  const same = typeof value === 'string' && (value === address || URL.parse(value, target)?.href === address)
  return same ? undefined : `must be ${address} here, or be left out.`
}

/** Whether a context is the one that is served with the class, inline or by its address. */
export function createContextCheck(cls: Class, base: string): (value: JsonValue) => boolean {
  const context = plain(memberContext(cls, base) as never)
  const address = `${base}/contexts/${cls.name}`
  return (value) =>
    value === address || (typeof value === 'object' && isDeepStrictEqual(plain(value), context))
}

/** For comparison alone: numbers as numbers, objects with a prototype. */
const plain = (value: JsonValue): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (one instanceof Numeral ? Number(one.source) : one)))
