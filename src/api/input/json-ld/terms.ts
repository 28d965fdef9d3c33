import type { JsonObject, JsonValue } from '../../../json.ts'
import { propertyIri, vocabIri } from '../../../vocabulary/contexts.ts'
import type { ExpandedNode } from '../../../vocabulary/json-ld/processor.ts'
import type { Class, Range } from '../../../vocabulary/model.ts'
import { isPropertyName } from '../../../vocabulary/names.ts'
import type { Restore } from './document.ts'

/** Expanded JSON-LD as JSON in our terms; what has no term stays as it is, for the reader to refuse. */
export type ToTerms = (node: ExpandedNode, restore: Restore) => JsonObject

export function createToTerms(cls: Class, base: string): ToTerms {
  const properties = new Map(
    cls.properties.map((property) => [
      propertyIri(cls, property, base),
      { name: property.name, convert: createConvert(property.range, base) },
    ]),
  )
  const declared = new Set(cls.properties.map(({ name }) => name))
  const vocab = vocabIri(base, '')

  /** An unknown key is refused by the name that was sent, where our own context has made an IRI of it. */
  function nameOf(iri: string): string {
    const name = iri.startsWith(vocab) ? iri.slice(vocab.length) : iri
    return declared.has(name) || !isPropertyName(name.replace(/^@/, '')) ? iri : name
  }

  return (node, restore) => {
    const plain: JsonObject = Object.create(null)
    for (const [key, value] of Object.entries(node)) {
      const property = properties.get(key)
      if (property !== undefined) {
        plain[property.name] = (value as unknown[]).map((one) => property.convert(one, restore))
      } else if (key.startsWith('@')) {
        if (key !== '@index') plain[key] = restore(value)
      } else {
        plain[nameOf(key)] = null
      }
    }
    return plain
  }
}

type Convert = (value: unknown, restore: Restore) => JsonValue

function createConvert(range: Range, base: string): Convert {
  if (range.kind !== 'embedded') return (value, restore) => restore(value)
  const toTerms = createToTerms(range.cls, base)
  return (value, restore) => toTerms(value as ExpandedNode, restore)
}
