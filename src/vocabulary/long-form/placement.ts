import { isCollectionName, plural } from '../names.ts'
import { HYDRA, RDFS } from '../namespaces.ts'
import type { Classes, Described } from './classes.ts'
import { classPlace, type Findings, propertyPlace, quoted } from './findings.ts'
import type { Node } from './graph.ts'
import { followToCollection, heldBy } from './held.ts'
import { irisOf, lastPart } from './names.ts'
import { creates, Offers, readOperations, type Target } from './operations.ts'
import { operationsOf, type Supported, supportedBy } from './supported.ts'

/** Where the members of a class are served, and what can be done with them. */
export interface Placement {
  readonly collection: string | undefined
  readonly offers: Offers
}

export type Placements = ReadonlyMap<Described, Placement>

/** Reads where everything is and which methods the document names where; completes what it leaves out. */
export const placeClasses = (classes: Classes, findings: Findings): Placements =>
  new Placing(classes, findings).all()

/** What is known of a class so far. */
class Place {
  readonly offers = new Offers()
  /** Names for the path of its collection, the best first. */
  readonly paths: string[] = []
  isMember = false
  /** Something of the entry point leads to the collection. */
  isEntered = false
  hasCollectionClass = false
  /** Something of the entry point leads to it alone. */
  isLinkedAlone = false
}

const SAY_WHICH = 'add a "memberAssertion" with "property": "rdf:type" and the class as "object"'

class Placing {
  readonly #classes: Classes
  readonly #findings: Findings
  readonly #linkTargets: ReadonlySet<Described>
  readonly #places = new Map<Described, Place>()

  constructor(classes: Classes, findings: Findings) {
    this.#classes = classes
    this.#findings = findings
    this.#linkTargets = findLinkTargets(classes)
  }

  all(): Placements {
    const { entryPoint, collections, described } = this.#classes
    if (entryPoint === undefined) this.#findings.note('', 'there is no class of the entry point; completed')
    const entries = entryPoint === undefined ? [] : supportedBy(entryPoint)
    const direct = entries.filter((entry) => !this.#readCollectionLink(entry))
    for (const collection of collections) this.#readCollectionClass(collection)
    for (const one of described)
      for (const supported of supportedBy(one.node)) this.#readMemberLink(supported)
    for (const entry of direct) this.#readDirectLink(entry)
    for (const one of described) this.#read(operationsOf(one.node), 'member', one, classPlace(one.name))
    return new Map(described.map((one) => [one, this.#settle(one)]))
  }

  #at(one: Described): Place {
    const place = this.#places.get(one) ?? new Place()
    this.#places.set(one, place)
    return place
  }

  #read(operations: readonly Node[], target: Target, one: Described, where: string): void {
    readOperations(operations, target, this.#at(one).offers, where, this.#findings)
    const expected = operations.flatMap((operation) => irisOf(operation, `${HYDRA}expects`))
    for (const iri of new Set(expected)) {
      const other = this.#classes.find(iri)
      if (other !== undefined && other !== one)
        this.#findings.note(where, `an operation expects ${other.name}; here it takes ${one.name} itself`)
    }
  }

  #noteSearch(node: Node, where: string): void {
    if (node.values(`${HYDRA}search`).length > 0)
      this.#findings.ignored(where, 'its search template; every collection has one for all its properties')
  }

  /** A property of the entry point that leads to a collection names its path; false for any other. */
  #readCollectionLink({ property, called }: Supported): boolean {
    const part = property.isBlank ? called : lastPart(property.id)
    const link = followToCollection(property, part, this.#classes)
    if (link === undefined) return false
    const where = propertyPlace('EntryPoint', called)
    if (link.held === undefined) {
      // `hydra:collection` lists all collections, whatever they hold.
      if (!property.id.startsWith(HYDRA))
        this.#findings.problem(where, `nothing says which class its collection holds; ${SAY_WHICH}`)
      return true
    }
    const place = this.#at(link.held)
    if (place.isMember) {
      const served = quoted(place.paths[0] ?? '')
      this.#findings.ignored(where, `${link.held.name} has the collection ${served}, where all members are`)
    }
    place.isMember = true
    place.isEntered = true
    place.paths.push(part, called)
    this.#noteSearch(property, where)
    this.#read(operationsOf(property), 'collection', link.held, where)
    return true
  }

  #readCollectionClass(node: Node): void {
    const where = classPlace(lastPart(node.id))
    const held = heldBy(node, this.#classes)
    if (held === undefined) {
      this.#findings.problem(where, `nothing says which class this collection holds; ${SAY_WHICH}`)
      return
    }
    const place = this.#at(held)
    place.isMember = true
    place.hasCollectionClass = true
    place.paths.push(lastPart(node.id))
    const served = `${held.name}Collection`
    if (lastPart(node.id) !== served)
      this.#findings.note(where, `the class of this collection is served as ${served}`)
    this.#noteSearch(node, where)
    this.#read(operationsOf(node), 'collection', held, where)
  }

  /** A collection that hangs on a member, such as the comments of an issue, is served as the one of its class. */
  #readMemberLink({ property, called }: Supported): void {
    const held = followToCollection(property, called, this.#classes)?.held
    if (held === undefined) return
    const place = this.#at(held)
    place.isMember = true
    this.#read(operationsOf(property), 'collection', held, `property ${quoted(called)}`)
  }

  /** A property of the entry point that leads to a member: one resource, or a way to add to a collection. */
  #readDirectLink({ property, called }: Supported): void {
    const where = propertyPlace('EntryPoint', called)
    const target = irisOf(property, `${RDFS}range`).flatMap((iri) => this.#classes.find(iri) ?? [])[0]
    if (target === undefined) {
      if (!property.id.startsWith(HYDRA) && called !== 'session')
        this.#findings.ignored(where, 'it leads to no class of this document')
      return
    }
    const place = this.#at(target)
    const adding = operationsOf(property).filter((operation) => creates(operation, 'POST'))
    if (!place.isMember && adding.length === 0) {
      place.isLinkedAlone = true
      this.#read(operationsOf(property), 'member', target, where)
      return
    }
    place.isMember = true
    this.#read(adding, 'collection', target, where)
    this.#findings.note(where, `it is not served by itself, but with the collection of ${target.name}`)
  }

  #settle(one: Described): Placement {
    const { offers, isMember, isLinkedAlone } = this.#at(one)
    if (isMember) {
      this.#completeReading(one, offers)
      this.#noteCompleted(one)
      return { collection: this.#pathOf(one), offers }
    }
    if (offers.isEmpty) return { collection: undefined, offers }
    const alone =
      this.#classes.entryPoint !== undefined && !this.#linkTargets.has(one) && !offers.createsBy('POST')
    if (isLinkedAlone || alone) {
      this.#completeSingle(one, offers)
      return { collection: undefined, offers }
    }
    if (offers.has('read')) offers.add('list')
    if (offers.has('replace') || offers.has('update') || offers.has('delete')) offers.add('create')
    this.#noteCompleted(one)
    return { collection: this.#pathOf(one), offers }
  }

  #pathOf(one: Described): string {
    const path = this.#at(one).paths.find(isCollectionName)
    if (path !== undefined) return path
    const completed = plural(one.name).toLowerCase()
    const message = `nothing names the path of its collection; completed: ${quoted(completed)}`
    this.#findings.note(classPlace(one.name), message)
    return completed
  }

  #noteCompleted(one: Described): void {
    const { isEntered, hasCollectionClass } = this.#at(one)
    const where = classPlace(one.name)
    if (!hasCollectionClass)
      this.#findings.note(where, `there is no class of its collection; completed: ${one.name}Collection`)
    if (!isEntered && this.#classes.entryPoint !== undefined)
      this.#findings.note(where, 'the entry point does not lead to its collection; completed')
  }

  #completeReading({ name }: Described, offers: Offers): void {
    if (offers.isEmpty) {
      offers.add('list')
      offers.add('read')
      this.#findings.note(classPlace(name), 'it has no operations; it can be listed and read')
    } else if (!offers.has('read')) {
      this.#findings.note(classPlace(name), 'nothing reads a member: an operation with the method GET would')
    }
  }

  /** What has an address but cannot be created would never be there. */
  #completeSingle({ name }: Described, offers: Offers): void {
    this.#findings.note(classPlace(name), `no collection holds it; it is served as one resource at /${name}`)
    if (offers.has('create') || !offers.has('replace')) return
    offers.add('create', 'PUT')
    this.#findings.note(classPlace(name), 'nothing creates it; PUT does, where nothing is there yet')
  }
}

/** The classes that a link of another class leads to. */
function findLinkTargets({ described, find }: Classes): ReadonlySet<Described> {
  const targets = described.flatMap((one) =>
    supportedBy(one.node)
      .filter(({ property }) => property.types.has(`${HYDRA}Link`))
      .flatMap(({ property }) => irisOf(property, `${RDFS}range`))
      .flatMap((iri) => find(iri) ?? [])
      .filter((target) => target !== one),
  )
  return new Set(targets)
}
