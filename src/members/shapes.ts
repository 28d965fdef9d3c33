import { createHash } from 'node:crypto'
import type { ClassShape } from '../store/index.ts'
import {
  type Class,
  hasCollection,
  keyShapes,
  type Model,
  pathTo,
  storedClasses,
} from '../vocabulary/index.ts'
import { convertMember } from './conversion.ts'

/** What a store must know of the classes of an API file. */
export function shapesOf(model: Model): ClassShape[] {
  const classes = storedClasses(model)
  const renamed = classes.flatMap(({ name, was }) => (was === undefined ? [] : [name, was]))
  return classes.map((cls) => ({
    name: cls.name,
    was: cls.was,
    fingerprint: fingerprintOf(cls, renamed),
    keys: keyShapes(cls),
    properties: cls.properties.map(({ name }) => name),
    addressOf: (id) => addressOf(cls, '')(id),
    convert: (stored, links) => convertMember(cls, stored, links),
  }))
}

/** Where a class has another name, links to it that are hidden in members of any class must learn that. */
function fingerprintOf({ fingerprint }: Class, renamed: readonly string[]): number {
  if (renamed.length === 0) return fingerprint
  const hash = createHash('sha256').update(JSON.stringify([fingerprint, renamed]))
  return hash.digest().readUIntBE(0, 6)
}

/** Where a member is. A single resource is where its class is, whatever its id. */
export const addressOf = (cls: Class, base: string): ((id: string) => string) => {
  const address = base + pathTo(cls.collection ?? cls.name)
  return hasCollection(cls) ? (id) => `${address}/${id}` : () => address
}
