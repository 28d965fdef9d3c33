import { type Class, fingerprintOf, type Range } from './model.ts'

/** A class of an API file before its properties are read: all that the properties of other classes need of it. */
export interface Outline {
  readonly name: string
  readonly collection: string | undefined
}

/** The range of a property whose type is a class: a link, an embedded value, or why it can be neither. */
export type RangeTo = (className: string) => Range | { readonly kind: 'impossible'; readonly why: string }

/** Keeps the recursion below from the end of the stack; what can be served is far less deep (conflicts.ts). */
const DEEPEST = 100

/** The classes, in the order of the file; an embedded one is finished when the first that embeds it asks for it. */
export function finishClasses<One extends Outline>(
  outlines: readonly One[],
  finish: (outline: One, rangeTo: RangeTo) => Omit<Class, 'fingerprint'>,
): Class[] {
  // Of two with one name, which is a problem of the file, the first.
  const byName = new Map(outlines.toReversed().map((outline) => [outline.name, outline]))
  const finished = new Map<string, Class>()
  /** The classes that are being read, each embedded in the one before. */
  const open: string[] = []

  const finishOnce = (name: string): Class => {
    let cls = finished.get(name)
    if (cls === undefined) {
      open.push(name)
      const read = finish(byName.get(name) as One, rangeTo)
      open.pop()
      cls = { ...read, fingerprint: fingerprintOf(name, read.properties) }
      finished.set(name, cls)
    }
    return cls
  }
  const rangeTo: RangeTo = (className) => {
    const collection = byName.get(className)?.collection
    if (collection !== undefined) return { kind: 'link', className, collection }
    const cycle = open.includes(className) ? [...open.slice(open.indexOf(className)), className] : undefined
    const wrong = cycle && `${cycle.join(' embeds ')}: a value cannot be within itself`
    if (wrong === undefined && open.length <= DEEPEST) return { kind: 'embedded', cls: finishOnce(className) }
    const right = 'give one of them a collection, so that it is linked to'
    return { kind: 'impossible', why: `${wrong ?? 'there are too many values within values'}; ${right}` }
  }
  return outlines.map(({ name }) => finishOnce(name))
}
