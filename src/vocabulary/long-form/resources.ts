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
  readonly descriptionOf: (one: MemberClass) => ClassDescription
}

/** Reads where members are served and with which methods; completes what the document leaves out. */
export function readResources(classes: Classes, findings: Findings): Resource[] {
  const { entryPoint, collections, memberClasses } = classes
  const descriptions = new Map(memberClasses.map((one) => [one, new ClassDescription(one, classes)]))
  const reading = {
    classes,
    findings,
    descriptionOf: (one: MemberClass) => descriptions.get(one) as ClassDescription,
  }
  if (entryPoint === undefined) findings.note('there is no class of the entry point; completed')
  const entries = entryPoint === undefined ? [] : supportedBy(entryPoint)
  const direct = entries.filter((entry) => !readCollectionLink(reading, entry))
  for (const collection of collections) readCollectionClass(reading, collection)
  for (const { node } of memberClasses)
    for (const supported of supportedBy(node)) readMemberLink(reading, supported)
  for (const entry of direct) readDirectLink(reading, entry)
  const reportOn = ({ name }: MemberClass) => findings.at(classPath(name))
  for (const [one, description] of descriptions)
    description.readOperations(operationsOf(one.node), 'member', reportOn(one))
  const linked = findLinkTargets(classes)
  return [...descriptions].map(([one, description]) => {
    const canBeAlone = entryPoint !== undefined && !linked.has(one) && !description.createsByPost
    const isCollected = completeOperations(description, canBeAlone, reportOn(one))
    const collection = isCollected
      ? completeCollection(description, entryPoint !== undefined, reportOn(one))
      : undefined
    return { ...one, collection, ...description.served(isCollected) }
  })
}

/** A property of the entry point that leads to a collection names its path; false for any other. */
function readCollectionLink(
  { classes, findings, descriptionOf }: Reading,
  { property, called }: Supported,
): boolean {
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
  const description = descriptionOf(memberClass)
  const [served] = description.paths
  if (served !== undefined)
    report.ignored(`${memberClass.name} has the collection ${quoted(served)}, where all members are`)
  description.isEntered = true
  description.paths.push(part, called)
  description.readCollection(property, report)
  return true
}

function readCollectionClass({ classes, findings, descriptionOf }: Reading, node: Node): void {
  const name = lastPart(node.id)
  const report = findings.at(classPath(name))
  const memberClass = memberClassOf(node, classes)
  if (memberClass === undefined) {
    report.problem(`nothing says which class this collection holds; ${SAY_WHICH}`)
    return
  }
  const description = descriptionOf(memberClass)
  description.hasCollectionClass = true
  description.paths.push(name)
  const served = `${memberClass.name}Collection`
  if (name !== served) report.note(`the class of this collection is served as ${served}`)
  description.readCollection(node, report)
}

/** The collection of a member, such as the comments of an issue, is served as the collection of its class. */
function readMemberLink(
  { classes, findings, descriptionOf }: Reading,
  { property, called }: Supported,
): void {
  const memberClass = followToCollection(property, called, classes)?.memberClass
  if (memberClass === undefined) return
  const description = descriptionOf(memberClass)
  description.isMember = true
  description.readOperations(operationsOf(property), 'collection', findings.at(`property ${quoted(called)}`))
}

/** A property of the entry point that leads to a member: one resource, or a way to add to a collection. */
function readDirectLink(
  { classes, findings, descriptionOf }: Reading,
  { property, called }: Supported,
): void {
  const report = findings.at(propertyPath('EntryPoint', called))
  const memberClass = property.iris(`${RDFS}range`).flatMap((iri) => classes.find(iri) ?? [])[0]
  if (memberClass === undefined) {
    if (!property.id.startsWith(HYDRA) && !SERVER_RESOURCES.some(({ path }) => path === called))
      report.ignored('it leads to no class of this document')
    return
  }
  const description = descriptionOf(memberClass)
  const adding = operationsOf(property).filter(addsByPost)
  if (!description.isMember && adding.length === 0) {
    description.isLinkedAlone = true
    description.readOperations(operationsOf(property), 'member', report)
    return
  }
  description.isMember = true
  description.readOperations(adding, 'collection', report)
  report.note(`it is not served by itself, but with the collection of ${memberClass.name}`)
}

/** Adds missing operations; says whether the class has a collection. */
function completeOperations(description: ClassDescription, canBeAlone: boolean, report: Findings): boolean {
  const { memberClass, isMember, isLinkedAlone, isEmpty } = description
  if (isMember && isEmpty) {
    description.add('list')
    description.add('read')
    report.note('it has no operations; it can be listed and read')
  } else if (isMember) {
    if (!description.has('read'))
      report.note('nothing reads a member: an operation with the method GET would')
  } else if (isEmpty) {
    return false
  } else if (isLinkedAlone || canBeAlone) {
    report.note(`no collection holds it; it is served as one resource at /${memberClass.name}`)
    // What has an address but cannot be created would never be there.
    if (!description.has('create') && description.has('replace')) {
      description.add('create', 'PUT')
      report.note('nothing creates it; PUT does, where nothing is there yet')
    }
    return false
  } else {
    if (description.has('read')) description.add('list')
    if (description.has('replace', 'update', 'delete')) description.add('create')
  }
  return true
}

/** The path of the collection. */
function completeCollection(description: ClassDescription, hasEntryPoint: boolean, report: Findings): string {
  const { name } = description.memberClass
  if (!description.hasCollectionClass)
    report.note(`there is no class of its collection; completed: ${name}Collection`)
  if (!description.isEntered && hasEntryPoint)
    report.note('the entry point does not lead to its collection; completed')
  const path = description.paths.find(isCollectionName)
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
