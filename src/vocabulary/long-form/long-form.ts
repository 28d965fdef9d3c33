import { basename, extname } from 'node:path'
import { reportConflicts } from '../conflicts.ts'
import { type ApiFileResult, Findings } from '../findings.ts'
import { finishClasses } from '../finish-classes.ts'
import { type Class, embeddedNames, type Model, pathOf } from '../model.ts'
import { HYDRA, OWL, RDFS } from '../names.ts'
import { sortClasses, supportedBy } from './classes.ts'
import { type Document, openDocument } from './document.ts'
import { classPath, propertyPath } from './graph.ts'
import { createShapeFinder, readOwnOperation, readProperties } from './property.ts'
import { readResources } from './resources.ts'

/** Reads the long form of an API file (hypermedia.md, The API file): any Hydra ApiDocumentation. */
export async function readLongForm(
  text: string,
  fileName: string,
  used: readonly unknown[] = [],
): Promise<ApiFileResult> {
  const findings = new Findings()
  const fileTitle = basename(fileName, extname(fileName))
  const model = (await readModel(text, fileTitle, findings, used))?.model
  if (model === undefined) return findings.result(undefined)
  if (model.classes.length === 0 && !findings.hasProblems) {
    const right =
      'describe at least one in "supportedClass", with properties and with operations or a collection'
    findings.problem(`there is no class whose members could be served; ${right}`)
  }
  reportConflicts(model, {
    findings,
    positionOf: ({ className, property }) =>
      property === undefined ? classPath(className) : propertyPath(className, property),
    // The short form says so by a key; a document by the name of a property.
    reword: (message) =>
      message.replace('with "collection"', 'by the IRI of its property of the entry point'),
    used,
  })
  return findings.result(model)
}

/** What an ApiDocumentation describes, whether or not it can be served here; undefined where it is none. */
export async function readApiDocumentation(text: string, fallbackTitle: string) {
  const findings = new Findings()
  const read = await readModel(text, fallbackTitle, findings)
  return read && { ...read, problems: findings.problems }
}

/** `used`: classes that operations of a program expect or return; undefined where those of the document count. */
async function readModel(text: string, fallbackTitle: string, findings: Findings, used?: readonly unknown[]) {
  const document = await openDocument(text, findings)
  if (document === undefined) return undefined
  const { documentation } = document
  const title = documentation.text(`${HYDRA}title`, `${RDFS}label`)
  if (title === undefined)
    findings.note(`there is no title; completed: "${fallbackTitle}", the name of the file`)
  const model: Model = {
    title: title ?? fallbackTitle,
    description: documentation.text(`${HYDRA}description`, `${RDFS}comment`) ?? '',
    classes: readClasses(document, findings, used),
  }
  return { model, entryPoint: documentation.iris(`${HYDRA}entrypoint`)[0] }
}

/** The classes of a model, in the order of the document: what each is for, where it is served, what it holds. */
function readClasses(document: Document, findings: Findings, used: readonly unknown[] | undefined): Class[] {
  const classes = sortClasses(document, findings)
  const shared = {
    document,
    classes,
    findShape: createShapeFinder(document.graph),
    saysCardinality: classes.memberClasses
      .flatMap(({ node }) => supportedBy(node))
      .some(({ property }) => property.values(`${OWL}maxCardinality`).length > 0),
    findings,
  }
  const read = finishClasses(readResources(classes, findings), (owner, rangeTo) => {
    const { node, ...about } = owner
    const own = supportedBy(node).flatMap((supported) => readOwnOperation(supported, classes) ?? [])
    const ownOperations = used === undefined && own.length > 0 ? { ownOperations: own } : {}
    const properties = readProperties({ ...shared, owner, rangeTo })
    return { ...about, ...ownOperations, properties, was: undefined }
  })
  const embedded = embeddedNames(read)
  const isSent = (name: string) =>
    used?.includes(name) ??
    read.some((cls) => cls.ownOperations?.some((one) => one.expects === name || one.returns === name))
  return read.filter((cls) => {
    if (pathOf(cls) !== undefined || embedded.has(cls.name) || isSent(cls.name)) return true
    return findings.at(classPath(cls.name)).ignored('it has no operations and is the range of no property')
  })
}
