import type { Findings } from '../findings.ts'
import type { Class } from '../model.ts'
import { HYDRA, isCollectionName, plural, RDFS, SERVER_RESOURCES } from '../names.ts'
import { type Classes, type MemberClass, type Supported, supportedBy } from './classes.ts'
import { classPath, lastPart, type Node, operationsOf, propertyPath, quoted } from './graph.ts'
import { addsByPost, ClassDescription } from './operations.ts'
import { followToCollection, memberClassOf, SAY_WHICH } from './ranges.ts'

/** A class with where its members are served, and what can be done with them. */
type Resource = MemberClass & Pick<Class, 'collection' | 'operations' | 'methods'>

interface Reading {
  readonly classes: Classes
  readonly findings: Findings
  readonly about: (one: MemberClass) => ClassDescription
}

/** Reads where everything is and which methods the document names where; completes what it leaves out. */
export function readResources(classes: Classes, findings: Findings): Resource[] {
  const { entryPoint, collections, memberClasses } = classes
  const descriptions = new Map(memberClasses.map((one) => [one, new ClassDescription(one, classes)]))
  const reading = {
    classes,
    findings,
    about: (one: MemberClass) => descriptions.get(one) as ClassDescription,
  }
  if (entryPoint === undefined) findings.note('there is no class of the entry point; completed')
  const entries = entryPoint === undefined ? [] : supportedBy(entryPoint)
  const direct = entries.filter((entry) => !readCollectionLink(reading, entry))
  for (const collection of collections) readCollectionClass(reading, collection)
  for (const { node } of memberClasses)
    for (const supported of supportedBy(node)) readMemberLink(reading, supported)
  for (const entry of direct) readDirectLink(reading, entry)
  const reportOn = ({ name }: MemberClass) => findings.at(classPath(name))
  for (const [one, known] of descriptions)
    known.readOperations(operationsOf(one.node), 'member', reportOn(one))
  const linked = findLinkTargets(classes)
  return [...descriptions].map(([one, known]) => {
    const canBeAlone = entryPoint !== undefined && !linked.has(one) && !known.createsByPost
    const isCollected = completeOperations(known, canBeAlone, reportOn(one))
    const collection = isCollected
      ? completeCollection(known, entryPoint !== undefined, reportOn(one))
      : undefined
    return { ...one, collection, ...known.served(isCollected) }
  })
}

/** A property of the entry point that leads to a collection names its path; false for any other. */
function readCollectionLink({ classes, findings, about }: Reading, { property, called }: Supported): boolean {
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
  const [served] = known.paths
  if (served !== undefined)
    report.ignored(`${memberClass.name} has the collection ${quoted(served)}, where all members are`)
  known.isEntered = true
  known.paths.push(part, called)
  known.readCollection(property, report)
  return true
}

function readCollectionClass({ classes, findings, about }: Reading, node: Node): void {
  const name = lastPart(node.id)
  const report = findings.at(classPath(name))
  const memberClass = memberClassOf(node, classes)
  if (memberClass === undefined) {
    report.problem(`nothing says which class this collection holds; ${SAY_WHICH}`)
    return
  }
  const known = about(memberClass)
  known.hasCollectionClass = true
  known.paths.push(name)
  const served = `${memberClass.name}Collection`
  if (name !== served) report.note(`the class of this collection is served as ${served}`)
  known.readCollection(node, report)
}

/** A collection that hangs on a member, such as the comments of an issue, is served as the one of its class. */
function readMemberLink({ classes, findings, about }: Reading, { property, called }: Supported): void {
  const memberClass = followToCollection(property, called, classes)?.memberClass
  if (memberClass === undefined) return
  const known = about(memberClass)
  known.isMember = true
  known.readOperations(operationsOf(property), 'collection', findings.at(`property ${quoted(called)}`))
}

/** A property of the entry point that leads to a member: one resource, or a way to add to a collection. */
function readDirectLink({ classes, findings, about }: Reading, { property, called }: Supported): void {
  const report = findings.at(propertyPath('EntryPoint', called))
  const memberClass = property.iris(`${RDFS}range`).flatMap((iri) => classes.find(iri) ?? [])[0]
  if (memberClass === undefined) {
    if (!property.id.startsWith(HYDRA) && !SERVER_RESOURCES.some(({ path }) => path === called))
      report.ignored('it leads to no class of this document')
    return
  }
  const known = about(memberClass)
  const adding = operationsOf(property).filter(addsByPost)
  if (!known.isMember && adding.length === 0) {
    known.isLinkedAlone = true
    known.readOperations(operationsOf(property), 'member', report)
    return
  }
  known.isMember = true
  known.readOperations(adding, 'collection', report)
  report.note(`it is not served by itself, but with the collection of ${memberClass.name}`)
}

/** Adds the operations that are not said; returns whether the class has a collection. */
function completeOperations(known: ClassDescription, canBeAlone: boolean, report: Findings): boolean {
  const { memberClass, isMember, isLinkedAlone, isEmpty } = known
  if (isMember && isEmpty) {
    known.add('list')
    known.add('read')
    report.note('it has no operations; it can be listed and read')
  } else if (isMember) {
    if (!known.has('read')) report.note('nothing reads a member: an operation with the method GET would')
  } else if (isEmpty) {
    return false
  } else if (isLinkedAlone || canBeAlone) {
    report.note(`no collection holds it; it is served as one resource at /${memberClass.name}`)
    // What has an address but cannot be created would never be there.
    if (!known.has('create') && known.has('replace')) {
      known.add('create', 'PUT')
      report.note('nothing creates it; PUT does, where nothing is there yet')
    }
    return false
  } else {
    if (known.has('read')) known.add('list')
    if (known.has('replace', 'update', 'delete')) known.add('create')
  }
  return true
}

/** The path of the collection. */
function completeCollection(known: ClassDescription, hasEntryPoint: boolean, report: Findings): string {
  const { name } = known.memberClass
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
