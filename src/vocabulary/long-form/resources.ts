import type { Findings, Report } from '../findings.ts'
import type { Class } from '../model.ts'
import { isCollectionName, plural } from '../names.ts'
import { HYDRA, RDFS } from '../namespaces.ts'
import { type Classes, type MemberClass, type Supported, supportedBy } from './classes.ts'
import { followToCollection, memberClassOf, SAY_WHICH } from './collections.ts'
import type { Node } from './graph.ts'
import { classPath, lastPart, propertyPath, quoted } from './names.ts'
import { addsByPost, Offers, operationsOf, type Target } from './operations.ts'

/** Where the members of a class are served, and what can be done with them. */
type Resource = Pick<Class, 'collection' | 'operations' | 'methods'>

/** What is known of a class so far. */
class Evidence {
  readonly memberClass: MemberClass
  readonly report: Report
  readonly offers = new Offers()
  /** Names for the path of its collection, the best first. */
  readonly paths: string[] = []
  isMember = false
  /** Something of the entry point leads to the collection. */
  isEntered = false
  hasCollectionClass = false
  /** Something of the entry point leads to it alone. */
  isLinkedAlone = false

  constructor(memberClass: MemberClass, findings: Findings) {
    this.memberClass = memberClass
    this.report = findings.at(classPath(memberClass.name))
  }
}

interface Reading {
  readonly classes: Classes
  readonly findings: Findings
  readonly about: (one: MemberClass) => Evidence
}

/** Reads where everything is and which methods the document names where; completes what it leaves out. */
export function readResources(classes: Classes, findings: Findings): ReadonlyMap<MemberClass, Resource> {
  const { entryPoint, collections, memberClasses } = classes
  const evidence = new Map(memberClasses.map((one) => [one, new Evidence(one, findings)]))
  const reading = { classes, findings, about: (one: MemberClass) => evidence.get(one) as Evidence }
  if (entryPoint === undefined) findings.note('', 'there is no class of the entry point; completed')
  const entries = entryPoint === undefined ? [] : supportedBy(entryPoint)
  const direct = entries.filter((entry) => !readCollectionLink(reading, entry))
  for (const collection of collections) readCollectionClass(reading, collection)
  for (const { node } of memberClasses)
    for (const supported of supportedBy(node)) readMemberLink(reading, supported)
  for (const entry of direct) readDirectLink(reading, entry)
  for (const { memberClass, report } of evidence.values())
    readOperations(reading, operationsOf(memberClass.node), { target: 'member', memberClass, report })
  const linked = findLinkTargets(classes)
  return new Map(
    [...evidence].map(([one, known]) => {
      const canBeAlone = entryPoint !== undefined && !linked.has(one) && !known.offers.createsByPost
      const collection = complete(known, canBeAlone, entryPoint !== undefined)
      return [one, { collection, ...known.offers.served(collection !== undefined) }]
    }),
  )
}

function readOperations(
  { classes, about }: Reading,
  operations: readonly Node[],
  { target, memberClass, report }: { target: Target; memberClass: MemberClass; report: Report },
): void {
  about(memberClass).offers.read(operations, target, report)
  const expected = operations.flatMap((operation) => operation.iris(`${HYDRA}expects`))
  for (const iri of new Set(expected)) {
    const other = classes.find(iri)
    if (other !== undefined && other !== memberClass)
      report.note(`an operation expects ${other.name}; here it takes ${memberClass.name} itself`)
  }
}

/** `node`: a class of a collection, or a link to one. */
function readCollection(
  reading: Reading,
  node: Node,
  of: { memberClass: MemberClass; report: Report },
): void {
  if (node.values(`${HYDRA}search`).length > 0)
    of.report.ignored('its search template; every collection has one for all its properties')
  readOperations(reading, operationsOf(node), { target: 'collection', ...of })
}

/** A property of the entry point that leads to a collection names its path; false for any other. */
function readCollectionLink(reading: Reading, { property, called }: Supported): boolean {
  const { classes, findings, about } = reading
  const part = property.isBlank ? called : lastPart(property.id)
  const link = followToCollection(property, part, classes)
  if (link === undefined) return false
  const report = findings.at(propertyPath('EntryPoint', called))
  const { memberClass } = link
  if (memberClass === undefined) {
    // `hydra:collection` lists all collections, whatever they hold.
    if (!property.id.startsWith(HYDRA))
      report.problem(`nothing says which class its collection holds; ${SAY_WHICH}`)
    return true
  }
  const known = about(memberClass)
  if (known.isMember) {
    const served = quoted(known.paths[0] ?? '')
    report.ignored(`${memberClass.name} has the collection ${served}, where all members are`)
  }
  known.isMember = true
  known.isEntered = true
  known.paths.push(part, called)
  readCollection(reading, property, { memberClass, report })
  return true
}

function readCollectionClass(reading: Reading, node: Node): void {
  const { classes, findings, about } = reading
  const name = lastPart(node.id)
  const report = findings.at(classPath(name))
  const memberClass = memberClassOf(node, classes)
  if (memberClass === undefined) {
    report.problem(`nothing says which class this collection holds; ${SAY_WHICH}`)
    return
  }
  const known = about(memberClass)
  known.isMember = true
  known.hasCollectionClass = true
  known.paths.push(name)
  const served = `${memberClass.name}Collection`
  if (name !== served) report.note(`the class of this collection is served as ${served}`)
  readCollection(reading, node, { memberClass, report })
}

/** A collection that hangs on a member, such as the comments of an issue, is served as the one of its class. */
function readMemberLink(reading: Reading, { property, called }: Supported): void {
  const { classes, findings, about } = reading
  const memberClass = followToCollection(property, called, classes)?.memberClass
  if (memberClass === undefined) return
  about(memberClass).isMember = true
  const report = findings.at(`property ${quoted(called)}`)
  readOperations(reading, operationsOf(property), { target: 'collection', memberClass, report })
}

/** A property of the entry point that leads to a member: one resource, or a way to add to a collection. */
function readDirectLink(reading: Reading, { property, called }: Supported): void {
  const { classes, findings, about } = reading
  const report = findings.at(propertyPath('EntryPoint', called))
  const memberClass = property.iris(`${RDFS}range`).flatMap((iri) => classes.find(iri) ?? [])[0]
  if (memberClass === undefined) {
    if (!property.id.startsWith(HYDRA) && called !== 'session')
      report.ignored('it leads to no class of this document')
    return
  }
  const known = about(memberClass)
  const adding = operationsOf(property).filter(addsByPost)
  if (!known.isMember && adding.length === 0) {
    known.isLinkedAlone = true
    readOperations(reading, operationsOf(property), { target: 'member', memberClass, report })
    return
  }
  known.isMember = true
  readOperations(reading, adding, { target: 'collection', memberClass, report })
  report.note(`it is not served by itself, but with the collection of ${memberClass.name}`)
}

/** Adds the operations that are not said; returns the path of the collection, undefined where there is none. */
function complete(known: Evidence, canBeAlone: boolean, hasEntryPoint: boolean): string | undefined {
  const { memberClass, offers, report, isMember, isLinkedAlone } = known
  const { name } = memberClass
  if (isMember) {
    if (offers.isEmpty) {
      offers.add('list')
      offers.add('read')
      report.note('it has no operations; it can be listed and read')
    } else if (!offers.has('read')) {
      report.note('nothing reads a member: an operation with the method GET would')
    }
  } else if (offers.isEmpty) {
    return undefined
  } else if (isLinkedAlone || canBeAlone) {
    report.note(`no collection holds it; it is served as one resource at /${name}`)
    // What has an address but cannot be created would never be there.
    if (!offers.has('create') && offers.has('replace')) {
      offers.add('create', 'PUT')
      report.note('nothing creates it; PUT does, where nothing is there yet')
    }
    return undefined
  } else {
    if (offers.has('read')) offers.add('list')
    if (offers.has('replace', 'update', 'delete')) offers.add('create')
  }
  if (!known.hasCollectionClass)
    report.note(`there is no class of its collection; completed: ${name}Collection`)
  if (!known.isEntered && hasEntryPoint)
    report.note('the entry point does not lead to its collection; completed')
  const path = known.paths.find(isCollectionName)
  if (path !== undefined) return path
  const completed = plural(name).toLowerCase()
  report.note(`nothing names the path of its collection; completed: ${quoted(completed)}`)
  return completed
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
