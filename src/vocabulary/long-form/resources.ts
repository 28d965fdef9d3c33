import type { Findings, Report } from '../findings.ts'
import { isCollectionName, plural } from '../names.ts'
import { HYDRA, RDFS } from '../namespaces.ts'
import { type Classes, type MemberClass, type Supported, supportedBy } from './classes.ts'
import { followToCollection, memberClassOf, SAY_WHICH } from './collections.ts'
import type { Node } from './graph.ts'
import { classPath, lastPart, propertyPath, quoted } from './names.ts'
import { creates, Offers, operationsOf, readOperations, type Target } from './operations.ts'

/** Where the members of a class are served, and what can be done with them. */
interface Resource {
  readonly collection: string | undefined
  readonly offers: Offers
}

/** Reads where everything is and which methods the document names where; completes what it leaves out. */
export const readResources = (classes: Classes, findings: Findings): ReadonlyMap<MemberClass, Resource> =>
  new ResourceReader(classes, findings).all()

/** What is known of a class so far. */
class Evidence {
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

class ResourceReader {
  readonly #classes: Classes
  readonly #findings: Findings
  readonly #linkTargets: ReadonlySet<MemberClass>
  readonly #evidence = new Map<MemberClass, Evidence>()

  constructor(classes: Classes, findings: Findings) {
    this.#classes = classes
    this.#findings = findings
    this.#linkTargets = findLinkTargets(classes)
  }

  all(): ReadonlyMap<MemberClass, Resource> {
    const { entryPoint, collections, memberClasses } = this.#classes
    if (entryPoint === undefined) this.#findings.note('', 'there is no class of the entry point; completed')
    const entries = entryPoint === undefined ? [] : supportedBy(entryPoint)
    const direct = entries.filter((entry) => !this.#readCollectionLink(entry))
    for (const collection of collections) this.#readCollectionClass(collection)
    for (const one of memberClasses)
      for (const supported of supportedBy(one.node)) this.#readMemberLink(supported)
    for (const entry of direct) this.#readDirectLink(entry)
    for (const one of memberClasses)
      this.#read(operationsOf(one.node), 'member', one, this.#findings.at(classPath(one.name)))
    return new Map(memberClasses.map((one) => [one, this.#decide(one)]))
  }

  #about(one: MemberClass): Evidence {
    const known = this.#evidence.get(one) ?? new Evidence()
    this.#evidence.set(one, known)
    return known
  }

  #read(operations: readonly Node[], target: Target, one: MemberClass, report: Report): void {
    readOperations(operations, target, this.#about(one).offers, report)
    const expected = operations.flatMap((operation) => operation.iris(`${HYDRA}expects`))
    for (const iri of new Set(expected)) {
      const other = this.#classes.find(iri)
      if (other !== undefined && other !== one)
        report.note(`an operation expects ${other.name}; here it takes ${one.name} itself`)
    }
  }

  #noteSearch(node: Node, report: Report): void {
    if (node.values(`${HYDRA}search`).length > 0)
      report.ignored('its search template; every collection has one for all its properties')
  }

  /** A property of the entry point that leads to a collection names its path; false for any other. */
  #readCollectionLink({ property, called }: Supported): boolean {
    const part = property.isBlank ? called : lastPart(property.id)
    const link = followToCollection(property, part, this.#classes)
    if (link === undefined) return false
    const report = this.#findings.at(propertyPath('EntryPoint', called))
    if (link.memberClass === undefined) {
      // `hydra:collection` lists all collections, whatever they hold.
      if (!property.id.startsWith(HYDRA))
        report.problem(`nothing says which class its collection holds; ${SAY_WHICH}`)
      return true
    }
    const known = this.#about(link.memberClass)
    if (known.isMember) {
      const served = quoted(known.paths[0] ?? '')
      report.ignored(`${link.memberClass.name} has the collection ${served}, where all members are`)
    }
    known.isMember = true
    known.isEntered = true
    known.paths.push(part, called)
    this.#noteSearch(property, report)
    this.#read(operationsOf(property), 'collection', link.memberClass, report)
    return true
  }

  #readCollectionClass(node: Node): void {
    const report = this.#findings.at(classPath(lastPart(node.id)))
    const memberClass = memberClassOf(node, this.#classes)
    if (memberClass === undefined) {
      report.problem(`nothing says which class this collection holds; ${SAY_WHICH}`)
      return
    }
    const known = this.#about(memberClass)
    known.isMember = true
    known.hasCollectionClass = true
    known.paths.push(lastPart(node.id))
    const served = `${memberClass.name}Collection`
    if (lastPart(node.id) !== served) report.note(`the class of this collection is served as ${served}`)
    this.#noteSearch(node, report)
    this.#read(operationsOf(node), 'collection', memberClass, report)
  }

  /** A collection that hangs on a member, such as the comments of an issue, is served as the one of its class. */
  #readMemberLink({ property, called }: Supported): void {
    const memberClass = followToCollection(property, called, this.#classes)?.memberClass
    if (memberClass === undefined) return
    const known = this.#about(memberClass)
    known.isMember = true
    this.#read(
      operationsOf(property),
      'collection',
      memberClass,
      this.#findings.at(`property ${quoted(called)}`),
    )
  }

  /** A property of the entry point that leads to a member: one resource, or a way to add to a collection. */
  #readDirectLink({ property, called }: Supported): void {
    const report = this.#findings.at(propertyPath('EntryPoint', called))
    const target = property.iris(`${RDFS}range`).flatMap((iri) => this.#classes.find(iri) ?? [])[0]
    if (target === undefined) {
      if (!property.id.startsWith(HYDRA) && called !== 'session')
        report.ignored('it leads to no class of this document')
      return
    }
    const known = this.#about(target)
    const adding = operationsOf(property).filter((operation) => creates(operation, 'POST'))
    if (!known.isMember && adding.length === 0) {
      known.isLinkedAlone = true
      this.#read(operationsOf(property), 'member', target, report)
      return
    }
    known.isMember = true
    this.#read(adding, 'collection', target, report)
    report.note(`it is not served by itself, but with the collection of ${target.name}`)
  }

  #decide(one: MemberClass): Resource {
    const { offers, isMember, isLinkedAlone } = this.#about(one)
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

  #pathOf(one: MemberClass): string {
    const path = this.#about(one).paths.find(isCollectionName)
    if (path !== undefined) return path
    const completed = plural(one.name).toLowerCase()
    const message = `nothing names the path of its collection; completed: ${quoted(completed)}`
    this.#findings.note(classPath(one.name), message)
    return completed
  }

  #noteCompleted(one: MemberClass): void {
    const { isEntered, hasCollectionClass } = this.#about(one)
    const report = this.#findings.at(classPath(one.name))
    if (!hasCollectionClass)
      report.note(`there is no class of its collection; completed: ${one.name}Collection`)
    if (!isEntered && this.#classes.entryPoint !== undefined)
      report.note('the entry point does not lead to its collection; completed')
  }

  #completeReading({ name }: MemberClass, offers: Offers): void {
    if (offers.isEmpty) {
      offers.add('list')
      offers.add('read')
      this.#findings.note(classPath(name), 'it has no operations; it can be listed and read')
    } else if (!offers.has('read')) {
      this.#findings.note(classPath(name), 'nothing reads a member: an operation with the method GET would')
    }
  }

  /** What has an address but cannot be created would never be there. */
  #completeSingle({ name }: MemberClass, offers: Offers): void {
    this.#findings.note(classPath(name), `no collection holds it; it is served as one resource at /${name}`)
    if (offers.has('create') || !offers.has('replace')) return
    offers.add('create', 'PUT')
    this.#findings.note(classPath(name), 'nothing creates it; PUT does, where nothing is there yet')
  }
}

/** The classes that a link of another class leads to. */
function findLinkTargets({ memberClasses, find }: Classes): ReadonlySet<MemberClass> {
  const targets = memberClasses.flatMap((one) =>
    supportedBy(one.node)
      .filter(({ property }) => property.types.has(`${HYDRA}Link`))
      .flatMap(({ property }) => property.iris(`${RDFS}range`))
      .flatMap((iri) => find(iri) ?? [])
      .filter((target) => target !== one),
  )
  return new Set(targets)
}
