/** What both forms of an API file are read with: findings, and the order in which classes are built. */
import { hash } from 'node:crypto'
import type { Class, Model, Property, Range } from './model.ts'

export interface Position {
  /** From 1; 0 where there is none: for the file as a whole, and for JSON-LD, whose lines are lost when it is expanded. */
  readonly line: number
  readonly column: number
  /** For example `classes.Book.properties.title`; empty for the file itself. */
  readonly path: string
}

export interface Problem extends Position {
  readonly message: string
}

export interface ApiFile {
  readonly model: Model
  /** Sentences on what was completed and, of a document, what was ignored. */
  readonly notes: readonly string[]
}

export type ApiFileResult = ApiFile | { readonly problems: readonly Problem[] }

export const EMPTY_FILE = 'the file is empty; "hydrant init" writes one to start from'

const WHOLE_FILE: Position = { line: 0, column: 0, path: '' }

/** Collects problems and notes: all are reported at once. */
export class Findings {
  readonly #position: Position
  readonly #all: { readonly problems: Problem[]; readonly notes: Set<string> }

  constructor(position = WHOLE_FILE, all = { problems: [] as Problem[], notes: new Set<string>() }) {
    this.#position = position
    this.#all = all
  }

  /** Findings about one part of the file: at a position, or at a path in a document without lines. */
  at(position: Position | string): Findings {
    const at = typeof position === 'string' ? { ...WHOLE_FILE, path: position } : position
    return new Findings(at, this.#all)
  }

  get hasProblems(): boolean {
    return this.#all.problems.length > 0
  }

  /** Sorted by position; those without lines stay in the order in which they were found. */
  get problems(): readonly Problem[] {
    return this.#all.problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }

  result(model: Model | undefined): ApiFileResult {
    if (model === undefined || this.hasProblems) return { problems: this.problems }
    return { model, notes: [...this.#all.notes] }
  }

  /** Returns undefined, so that a reader can return it; so do `note` and `ignored`. */
  readonly problem = (message: string): undefined => {
    this.#all.problems.push({ ...this.#position, message })
  }

  /** Something was completed. */
  note(message: string): undefined {
    const { path } = this.#position
    this.#add(path === '' ? message.charAt(0).toUpperCase() + message.slice(1) : `${path}: ${message}`)
  }

  /** A part of the document was ignored. Such sentences begin with "ignored: ". */
  ignored(message: string): undefined {
    const { path } = this.#position
    this.#add(`ignored: ${path === '' ? '' : `${path}: `}${message}`)
  }

  #add(sentence: string): void {
    this.#all.notes.add(sentence.endsWith('?') ? sentence : `${sentence}.`)
  }
}

/** What the properties of other classes need of a class before its own are read. */
export interface Outline {
  readonly name: string
  readonly collection: string | undefined
}

/** Finds the range of a property whose type is a class: a link, an embedded value, or why it can be neither. */
export type RangeTo = (className: string) => Range | { readonly kind: 'impossible'; readonly why: string }

/** Bounds the recursion below; what can be served is far less deep (conflicts.ts). */
const DEEPEST = 100

/** Builds the classes, in the order of the file; a class that is embedded is built before the first that embeds it. */
export function finishClasses<One extends Outline>(
  outlines: readonly One[],
  finish: (outline: One, rangeTo: RangeTo) => Omit<Class, 'fingerprint' | 'linksWithin'>,
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
    const links = linksWithin(properties)
    const cls = { ...read, linksWithin: links, fingerprint: fingerprintOf(name, properties, links) }
    finished.set(name, cls)
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

/** Raised when a version of this program stores the members of the same API file in another way. */
const LAYOUT = 2

/** Covers what determines a stored member's text, links and keys, and nothing else: a new title changes no member. */
export function fingerprintOf(
  className: string,
  properties: readonly Property[],
  links: readonly Property[],
): number {
  const shapes = properties.map(({ name, was, range, many, unique, filterable }) => {
    return [name, was ?? null, rangeShape(range), many, unique, filterable]
  })
  const shape = [LAYOUT, className, shapes, ...links.map(({ name }) => name)]
  return hash('sha256', JSON.stringify(shape), 'buffer').readUIntBE(0, 6)
}

/** Each link is an index, and a class may be embedded in many ways. */
const MAX_LINKS_WITHIN = 32

/** The links within embedded values, as properties of the class that embeds them. */
export function linksWithin(properties: readonly Property[]): Property[] {
  const links = properties.flatMap(({ name, range }) => {
    if (range.kind !== 'embedded') return []
    const own = range.cls.properties.filter((property) => property.range.kind === 'link')
    const called = (link: Property): Property => ({ ...link, name: `${name}.${link.name}` })
    return [...own, ...range.cls.linksWithin].map(called)
  })
  return links
    .slice(0, MAX_LINKS_WITHIN)
    .map((link) => ({ ...link, many: true, unique: false, filterable: true }))
}

function rangeShape(range: Range): unknown[] {
  switch (range.kind) {
    case 'datatype':
      return ['datatype', range.datatype]
    case 'link':
      return ['link', range.className, range.collection]
    case 'embedded':
      // The `@type` of an embedded value is its IRI where a property has the name of its class.
      return ['embedded', range.cls.iri ?? null, range.cls.fingerprint]
  }
}
