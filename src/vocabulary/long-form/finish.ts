import { type Embedding, explainCycle, orderByEmbedding } from '../embedding.ts'
import { hasKey, isFilterable } from '../keys.ts'
import type { Class, Property, Range } from '../model.ts'
import { fingerprintOf } from '../model.ts'
import type { Described } from './classes.ts'
import { readDefaultValue } from './default.ts'
import { classPlace } from './findings.ts'
import { type Placement, placeClasses } from './placement.ts'
import { outlineProperty, type PropertyOutline } from './property.ts'
import type { Reading } from './reading.ts'
import { readShape } from './shapes.ts'
import { supportedBy } from './supported.ts'

interface Outline {
  readonly described: Described
  readonly placement: Placement
  readonly properties: readonly PropertyOutline[]
}

/** The classes of a model, in the order of the document. */
export function readClasses(reading: Reading): Class[] {
  const placements = placeClasses(reading.classes, reading.findings)
  const outlines = [...placements].map(([described, placement]) => ({
    described,
    placement,
    properties: outlineProperties(described, reading),
  }))
  const embeds = new Map(outlines.map((outline) => [outline.described.name, embedsOf(outline, outlines)]))
  const embedding = orderByEmbedding(embeds)
  const finished = new Map<string, Class>()
  const finish = new Finishing(outlines, finished, embedding, reading)
  // Embedded classes come before those that embed them.
  for (const name of embedding.order) {
    const outline = outlines.find(({ described }) => described.name === name)
    if (outline !== undefined) finished.set(name, finish.cls(outline))
  }
  const embedded = new Set([...embeds.values()].flat())
  return outlines.flatMap(({ described: { name }, placement }) => {
    if (placement.collection !== undefined || !placement.offers.isEmpty || embedded.has(name))
      return finished.get(name) ?? []
    reading.findings.ignored(classPlace(name), 'it has no operations and is the range of no property')
    return []
  })
}

function outlineProperties(described: Described, reading: Reading): PropertyOutline[] {
  const seen = new Map<string, string>()
  return supportedBy(described.node).flatMap((supported) => {
    const outline = outlineProperty(supported, described, reading)
    if (outline === undefined) return []
    const { iri, name, place } = outline
    const same = iri === undefined ? undefined : seen.get(iri)
    if (iri !== undefined) seen.set(iri, same ?? name)
    if (same === undefined) return [outline]
    // What is sent as linked data names properties by IRI, so within a class an IRI must name one.
    reading.findings.note(place, `it has the IRI of "${same}", and is served under a term of its own`)
    return [{ ...outline, iri: undefined }]
  })
}

function embedsOf({ properties }: Outline, outlines: readonly Outline[]): string[] {
  const targets = properties.flatMap(({ held }) => ('target' in held ? [held.target] : []))
  const embeddable = outlines.filter(({ placement }) => placement.collection === undefined)
  return targets
    .filter((one) => embeddable.some(({ described }) => described === one))
    .map(({ name }) => name)
}

class Finishing {
  readonly #outlines: readonly Outline[]
  readonly #finished: ReadonlyMap<string, Class>
  readonly #embedding: Embedding
  readonly #reading: Reading

  constructor(
    outlines: readonly Outline[],
    finished: ReadonlyMap<string, Class>,
    embedding: Embedding,
    reading: Reading,
  ) {
    this.#outlines = outlines
    this.#finished = finished
    this.#embedding = embedding
    this.#reading = reading
  }

  cls({ described, placement, properties }: Outline): Class {
    const { name, iri, title, description } = described
    const { collection, offers } = placement
    const finished = properties.flatMap(
      (outline) => this.#property(outline, name, collection !== undefined) ?? [],
    )
    return {
      name,
      iri,
      title,
      description,
      collection,
      properties: finished,
      operations: offers.operations(),
      methods: offers.methods(collection !== undefined),
      fingerprint: fingerprintOf(name, finished),
      was: undefined,
    }
  }

  #property(outline: PropertyOutline, owner: string, inCollection: boolean): Property | undefined {
    const { held, shape, place, identifies, ...rest } = outline
    const range = this.#range(outline, owner)
    if (range === undefined) return undefined
    const { findings } = this.#reading
    const narrowed = 'mapped' in held ? held.mapped.constraints : undefined
    const filterable = inCollection && isFilterable({ range })
    const property: Property = {
      ...rest,
      range,
      unique: identifies && inCollection && !rest.many && hasKey({ range }),
      filterable,
      default: undefined,
      constraints: { ...narrowed, ...readShape(shape, range, place, findings) },
      was: undefined,
    }
    return { ...property, default: readDefaultValue(shape, property, place, findings) }
  }

  #range({ held, place }: PropertyOutline, owner: string): Range | undefined {
    if ('mapped' in held) return { kind: 'datatype', datatype: held.mapped.datatype }
    const { name } = held.target
    const collection = this.#outlines.find(({ described }) => described === held.target)?.placement.collection
    if (collection !== undefined) return { kind: 'link', className: name, collection }
    const cls = this.#finished.get(name)
    if (cls !== undefined) return { kind: 'embedded', cls }
    const cycle = explainCycle(this.#embedding, owner, name) ?? `${name} cannot be embedded here`
    return this.#reading.findings.problem(place, cycle)
  }
}
