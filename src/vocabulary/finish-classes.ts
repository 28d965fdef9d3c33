import { hash } from 'node:crypto'
import type { FileProblem } from './file-problems.ts'
import { hasFilters, hasOwnWords } from './keys.ts'
import { pluralWords, usualLabel } from './labels.ts'
import type { Class, Property, Range } from './model.ts'
import { withReverseLinks } from './reverse-links.ts'

/** A class before its properties are read, for links from other classes. */
export interface Outline {
  readonly name: string
  readonly collection: string | undefined
}

/** Finds the range of a property whose type is a class: a link, an embedded value, or why it can be neither. */
export type RangeTo = (
  className: string,
) => Range | { readonly kind: 'impossible'; readonly problem: FileProblem }

/** A class as an API file describes it, without what can be computed. */
export interface ClassOfFile
  extends Omit<Class, 'fingerprint' | 'within' | 'reverseLinks' | 'label' | 'plural'> {
  readonly label: readonly string[] | undefined
  readonly plural: string | undefined
}

/** Limits the recursion below; models that can be served are far less deep (conflicts.ts). */
const DEEPEST = 100

/** Builds the classes, in the order of the file; an embedded class is built before the first class that embeds it. */
export function finishClasses<One extends Outline>(
  outlines: readonly One[],
  finish: (outline: One, rangeTo: RangeTo) => ClassOfFile,
): Class[] {
  // Two classes with one name are a problem that is reported elsewhere: here the first counts.
  const byName = new Map(outlines.toReversed().map((outline) => [outline.name, outline]))
  const finished = new Map<string, Class>()
  /** The classes that are being built, each embedded in the one before. */
  const open: string[] = []

  const finishOnce = (name: string): Class => {
    const known = finished.get(name)
    if (known !== undefined) return known
    open.push(name)
    const read = finish(byName.get(name) as One, rangeTo)
    open.pop()
    const { properties } = read
    const within = propertiesWithin(properties)
    const cls: Class = {
      ...read,
      within,
      reverseLinks: [],
      label: read.label ?? usualLabel(properties),
      plural: read.plural ?? pluralWords(name),
      fingerprint: fingerprintOf(read, within),
    }
    finished.set(name, cls)
    return cls
  }
  const rangeTo: RangeTo = (className) => {
    const collection = byName.get(className)?.collection
    if (collection !== undefined) return { kind: 'link', className, collection }
    if (open.includes(className)) {
      const cycle = [...open.slice(open.indexOf(className)), className]
      return { kind: 'impossible', problem: { code: 'EmbeddingCycle', values: { cycle } } }
    }
    if (open.length > DEEPEST) return { kind: 'impossible', problem: { code: 'EmbeddedTooDeep', values: {} } }
    return { kind: 'embedded', cls: finishOnce(className) }
  }
  // No embedded class has any: links lead only to classes with a collection.
  return withReverseLinks(outlines.map(({ name }) => finishOnce(name)))
}

/** Increased when a version of this program stores the members of the same API file in another way. */
const LAYOUT = 2

/** Covers only what determines a stored member's text, links and keys: a new title or `reverse`, for example, changes no member. */
export function fingerprintOf(
  { name: className, properties, uniqueTogether }: Pick<Class, 'name' | 'properties' | 'uniqueTogether'>,
  within: readonly Property[],
): number {
  const shapes = properties.map((property) => {
    const { name, formerName, range, many, unique, filterable } = property
    const own = hasOwnWords(property) ? ['words'] : []
    return [name, formerName ?? null, rangeShape(range), many, unique, filterable, ...own]
  })
  const shape = [LAYOUT, className, shapes, ...within.map(({ name }) => name), ...uniqueTogether]
  return hash('sha256', JSON.stringify(shape), 'buffer').readUIntBE(0, 6)
}

/** Each is an index, and a class may be embedded in many ways. */
const MAX_WITHIN = 200
/** asking.md, Paths: "up to four names". */
export const LONGEST_PATH = 4

/** The properties within embedded values that can be filtered, as properties of the class that embeds them. */
export function propertiesWithin(properties: readonly Property[]): Property[] {
  const found = properties.flatMap(({ name, range, many }) => {
    if (range.kind !== 'embedded') return []
    return [...range.cls.properties.filter(hasFilters), ...range.cls.within].map((one) => ({
      ...one,
      name: `${name}.${one.name}`,
      many: many || one.many,
      unique: false,
    }))
  })
  return found.filter(({ name }) => name.split('.').length <= LONGEST_PATH).slice(0, MAX_WITHIN)
}

function rangeShape(range: Range): unknown[] {
  switch (range.kind) {
    case 'datatype':
      return ['datatype', range.datatype]
    case 'link':
      return ['link', range.className, range.collection]
    case 'embedded':
      // The `@type` of an embedded value is its IRI if a property has the name of its class.
      return ['embedded', range.cls.iri ?? null, range.cls.fingerprint]
  }
}
