import type { Findings } from '../findings.ts'
import type { Class, Operation } from '../model.ts'
import { HYDRA, isCollectionName, plural, SERVER_RESOURCES } from '../names.ts'
import { type DocumentClasses, type MemberClass, type Supported, supportedBy } from './classes.ts'
import { classPath, type DocumentNode, lastPart, operationsOf, propertyPath, quoted } from './graph.ts'
import { addOperation, addsByPost, readOperations, sortOperations } from './operations.ts'
import { followToCollection, memberClassOf } from './ranges.ts'

/** A class with the path and the operations of its members. */
type ServedClass = MemberClass & Pick<Class, 'collection' | 'operations' | 'methods'>

/** Reads the paths and methods of members, and adds what the document leaves out. */
export function readResources(classes: DocumentClasses, findings: Findings): ServedClass[] {
  const { entryPoint, collections, memberClasses, find } = classes
  if (entryPoint === undefined) findings.note('NoEntryPoint')
  const entries = entryPoint === undefined ? [] : supportedBy(entryPoint)
  const direct = entries.filter((entry) => !readCollectionLink(entry, classes, findings))
  for (const collection of collections) readCollectionClass(collection, classes, findings)
  for (const supported of memberClasses.flatMap((one) => one.supported))
    readMemberLink(supported, classes, findings)
  for (const entry of direct) readDirectLink(entry, classes, findings)
  const reportOn = ({ name }: MemberClass) => findings.at(classPath(name))
  for (const one of memberClasses)
    readOperations(one, operationsOf(one.node), 'member', { find, report: reportOn(one) })
  const linked = findLinkTargets(classes)
  return memberClasses.map((one) => {
    const { served } = one
    const canBeAlone = entryPoint !== undefined && !linked.has(one) && !served.methods.create.has('POST')
    const isCollected = completeOperations(one, canBeAlone, reportOn(one))
    const collection = isCollected
      ? completeCollection(one, entryPoint !== undefined, reportOn(one))
      : undefined
    return { ...one, collection, ...sortOperations(served, isCollected) }
  })
}

/** Reads a link of the entry point to a collection, which names its path. Returns false for any other property. */
function readCollectionLink(
  { property, called }: Supported,
  classes: DocumentClasses,
  findings: Findings,
): boolean {
  const part = property.isBlank ? called : lastPart(property.id)
  const link = followToCollection(property, part, classes)
  if (link === undefined) return false
  const report = findings.at(propertyPath('EntryPoint', called))
  const { memberClass } = link
  if (memberClass === undefined) {
    // `hydra:collection` lists all collections, whatever their members.
    if (!property.id.startsWith(HYDRA)) report.problem('UnknownMemberClass', { of: 'property' })
    return true
  }
  const { served, name } = memberClass
  const [path] = served.paths
  if (path !== undefined) report.ignored('FurtherCollection', { className: name, path })
  served.isEntered = true
  served.paths.push(part, called)
  readCollection(memberClass, property, classes, report)
  return true
}

function readCollectionClass(node: DocumentNode, classes: DocumentClasses, findings: Findings): void {
  const name = lastPart(node.id)
  const report = findings.at(classPath(name))
  const memberClass = memberClassOf(node, classes)
  if (memberClass === undefined) {
    report.problem('UnknownMemberClass', { of: 'class' })
    return
  }
  memberClass.served.hasCollectionClass = true
  memberClass.served.paths.push(name)
  const servedAs = `${memberClass.name}Collection`
  if (name !== servedAs) report.note('CollectionClassRenamed', { name: servedAs })
  readCollection(memberClass, node, classes, report)
}

/** `node`: a class of a collection, or a link to one. */
function readCollection(
  memberClass: MemberClass,
  node: DocumentNode,
  { find }: DocumentClasses,
  report: Findings,
): void {
  memberClass.served.isMember = true
  if (node.has('hydra:search')) report.ignored('SearchTemplate')
  readOperations(memberClass, operationsOf(node), 'collection', { find, report })
}

/** The collection of a member, such as the comments of an issue, is served as the collection of its class. */
function readMemberLink({ property, called }: Supported, classes: DocumentClasses, findings: Findings): void {
  const memberClass = followToCollection(property, called, classes)?.memberClass
  if (memberClass === undefined) return
  memberClass.served.isMember = true
  const report = findings.at(`property ${quoted(called)}`)
  readOperations(memberClass, operationsOf(property), 'collection', { find: classes.find, report })
}

/** A link of the entry point to a member: a single resource, or a way to add to a collection. */
function readDirectLink(
  { property, called }: Supported,
  { find }: DocumentClasses,
  findings: Findings,
): void {
  const report = findings.at(propertyPath('EntryPoint', called))
  const memberClass = property.iris('rdfs:range').flatMap((iri) => find(iri) ?? [])[0]
  if (memberClass === undefined) {
    if (!property.id.startsWith(HYDRA) && !SERVER_RESOURCES.some(({ path }) => path === called))
      report.ignored('LinkToNoClass')
    return
  }
  const { served, name } = memberClass
  const operations = operationsOf(property)
  const adding = operations.filter(addsByPost)
  if (!served.isMember && adding.length === 0) {
    served.isLinkedAlone = true
    readOperations(memberClass, operations, 'member', { find, report })
    return
  }
  served.isMember = true
  readOperations(memberClass, adding, 'collection', { find, report })
  report.note('UnservedLink', { className: name })
}

/** Adds missing operations; returns whether the class has a collection. */
function completeOperations({ name, served }: MemberClass, canBeAlone: boolean, report: Findings): boolean {
  const { operations, isMember, isLinkedAlone } = served
  const has = (...all: Operation[]) => all.some((operation) => operations.has(operation))
  if (isMember && operations.size === 0) {
    operations.add('list').add('read')
    report.note('NoOperations')
  } else if (isMember) {
    if (!has('read')) report.note('NoRead')
  } else if (operations.size === 0) {
    return false
  } else if (isLinkedAlone || canBeAlone) {
    report.note('ServedAsSingle', { className: name })
    // A resource that nothing creates would never exist.
    if (!has('create') && has('replace')) {
      addOperation(served, 'create', 'PUT')
      report.note('CreatedByPut')
    }
    return false
  } else {
    if (has('read')) operations.add('list')
    if (has('replace', 'update', 'delete')) operations.add('create')
  }
  return true
}

/** The path of the collection. */
function completeCollection({ name, served }: MemberClass, hasEntryPoint: boolean, report: Findings): string {
  if (!served.hasCollectionClass) report.note('NoCollectionClass', { className: name })
  if (!served.isEntered && hasEntryPoint) report.note('NoLinkFromEntryPoint')
  const path = served.paths.find(isCollectionName)
  if (path !== undefined) return path
  const completed = plural(name).toLowerCase()
  report.note('PathFromName', { path: completed })
  return completed
}

/** The classes that other classes link to. */
function findLinkTargets({ memberClasses, find }: DocumentClasses): ReadonlySet<MemberClass> {
  const targets = memberClasses.flatMap((one) =>
    one.supported
      .filter(({ property }) => property.isA('hydra:Link'))
      .flatMap(({ property }) => property.iris('rdfs:range'))
      .flatMap((iri) => find(iri) ?? [])
      .filter((target) => target !== one),
  )
  return new Set(targets)
}
