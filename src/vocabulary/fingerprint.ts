import { createHash } from 'node:crypto'
import type { Property, Range } from './model.ts'

/** Changes when the same API file would be stored in another way than by an earlier version of this program. */
const LAYOUT = 2

/**
 * 48 bits, so that it is an exact number everywhere; over what shapes a stored member's text, links and keys, and
 * nothing else: a title or a new `required` changes no member.
 */
export function fingerprintOf(name: string, properties: readonly Property[]): number {
  const hash = createHash('sha256').update(JSON.stringify([LAYOUT, name, properties.map(shapeOf)]))
  return hash.digest().readUIntBE(0, 6)
}

const shapeOf = ({ name, was, range, many, unique, filterable }: Property): unknown[] => [
  name,
  was ?? null,
  rangeShape(range),
  many,
  unique,
  filterable,
]

function rangeShape(range: Range): unknown[] {
  switch (range.kind) {
    case 'datatype':
      return ['datatype', range.datatype]
    case 'link':
      return ['link', range.className, range.collection]
    case 'embedded':
      // An embedded value says its class in `@type`, by its IRI where a property has taken the name.
      return ['embedded', range.cls.iri ?? null, range.cls.fingerprint]
  }
}
