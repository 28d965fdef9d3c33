import { randomUUID } from 'node:crypto'
import { invalid } from '../../../errors.ts'
import { isObject, type JsonObject, type JsonValue, Numeral } from '../../../json.ts'
import {
  type Class,
  contextAddress,
  type ExpandedNode,
  isPropertyName,
  memberContext,
  memberOperationIri,
  OPERATION_IRI,
  propertyIri,
  vocabIri,
} from '../../../vocabulary/index.ts'

/** Whether a context is the one that is served with the class, inline or by its address. */
export function createIsOwnContext(cls: Class, base: string): (value: JsonValue) => boolean {
  const context = memberContext(cls, base)
  const address = contextAddress(cls.name, base)
  return (value) => value === address || (typeof value === 'object' && isSame(value, context))
}

/** Whether a value is the `operation` of a member of the class as it was served, to whatever user. */
export function createIsOffer(cls: Class, base: string): (value: JsonValue) => boolean {
  const start = memberOperationIri(cls, base)
  return (value) =>
    cls.isOwned === true &&
    [value]
      .flat()
      .every((one) => isObject(one) && typeof one['@id'] === 'string' && one['@id'].startsWith(start))
}

/** Whether a value is the link of a member to an operation of one's own, as it was served. */
export function createIsOperationLink(cls: Class, base: string): (name: string, value: JsonValue) => boolean {
  const names = new Set(cls.ownOperations?.map(({ name }) => name))
  return (name, value) =>
    names.has(name) && typeof value === 'string' && value.startsWith(base) && value.endsWith(`/${name}`)
}

/** Up to the first difference: what was sent may be a megabyte of anything. */
function isSame(sent: JsonValue, own: unknown): boolean {
  if (sent instanceof Numeral) return Number(sent.source) === own
  if (typeof sent !== 'object' || sent === null) return sent === own
  if (typeof own !== 'object' || own === null || Array.isArray(sent) !== Array.isArray(own)) return false
  const [pairs, ownPairs] = [Object.entries(sent), new Map(Object.entries(own))]
  return pairs.length === ownPairs.size && pairs.every(([key, one]) => isSame(one, ownPairs.get(key)))
}

/** A value of the processor as it was sent. */
type Restore = (value: unknown) => JsonValue

/** No IRI of ours is as long; and the processor takes quadratic time for one with many slashes. */
const LONGEST_IRI = 500

/** An absolute IRI, which the processor leaves as it is wherever it stands; nobody outside can know it. */
const STAND_IN = `urn:uuid:${randomUUID()}/`

/**
 * Ordinary objects; for every number its index in a list, since the processor would not keep its digits; for each long
 * text a short one that stands in for it.
 */
export function toProcessor(sent: JsonObject): { readonly document: object; readonly restore: Restore } {
  const numerals: Numeral[] = []
  const texts: string[] = []
  return { document: convertObject(sent, false), restore }

  function convert(value: JsonValue, inContext: boolean): unknown {
    if (value instanceof Numeral) return inContext ? Number(value.source) : numerals.push(value) - 1
    if (typeof value === 'string')
      return value.length > LONGEST_IRI ? STAND_IN + (texts.push(value) - 1) : value
    if (Array.isArray(value)) return value.map((one) => convert(one, inContext))
    return isObject(value) ? convertObject(value, inContext) : value
  }

  function convertObject(value: JsonObject, inContext: boolean): object {
    // The processor would take it for the prototype.
    if ('__proto__' in value)
      throw invalid([{ propertyPath: '__proto__', message: 'cannot be sent in this form.' }])
    const converted: Record<string, unknown> = {}
    for (const [name, one] of Object.entries(value))
      converted[name] = convert(one, inContext || name === '@context')
    return converted
  }

  function restore(value: unknown): JsonValue {
    if (typeof value === 'number') return numerals[value] ?? null
    if (typeof value === 'string')
      return value.startsWith(STAND_IN) ? (texts[Number(value.slice(STAND_IN.length))] ?? '') : value
    if (Array.isArray(value)) return value.map(restore)
    if (typeof value !== 'object' || value === null) return value as JsonValue
    const restored: JsonObject = Object.create(null)
    // `@index` means nothing beyond the document (JSON-LD 1.1 §4.6.1).
    for (const [key, one] of Object.entries(value)) if (key !== '@index') restored[key] = restore(one)
    return restored
  }
}

type FromExpanded = (node: ExpandedNode, restore: Restore) => JsonObject

/** What the processor has expanded, in our own terms; what has no term stays as it is, for the reader to refuse. */
export function createFromExpanded(cls: Class, base: string): FromExpanded {
  const properties = new Map(
    cls.properties.map((property) => {
      const { name, range } = property
      const convert = range.kind === 'embedded' ? createFromExpanded(range.cls, base) : undefined
      return [propertyIri(cls, property, base), { name, convert }]
    }),
  )
  const declared = new Set(cls.properties.map(({ name }) => name))
  const operationLinks = new Map(
    cls.ownOperations?.map(({ name }) => [vocabIri(base, `${cls.name}/${name}`), name]),
  )
  const vocab = vocabIri(base, '')
  const isOffer = createIsOffer(cls, base)

  /** An unknown key is refused by the name that was sent, where our own context has made an IRI of it. */
  function nameOf(iri: string): string {
    const name = iri.startsWith(vocab) ? iri.slice(vocab.length) : iri
    return declared.has(name) || !isPropertyName(name.replace(/^@/, '')) ? iri : name
  }

  return (node, restore) => {
    const own: JsonObject = Object.create(null)
    for (const [key, value] of Object.entries(node)) {
      const property = properties.get(key)
      if (property !== undefined) {
        const { name, convert = (one: ExpandedNode) => restore(one) } = property
        own[name] = (value as ExpandedNode[]).map((one) => convert(one, restore))
      } else if (operationLinks.has(key)) {
        // The address alone, which the reader then knows as what was served.
        const [one] = value as ExpandedNode[]
        own[operationLinks.get(key) as string] = restore(one?.['@id'] ?? null)
      } else if (key === OPERATION_IRI && isOffer(value as JsonValue)) continue
      else if (!key.startsWith('@')) own[nameOf(key)] = null
      else if (key !== '@index') own[key] = restore(value)
    }
    return own
  }
}
