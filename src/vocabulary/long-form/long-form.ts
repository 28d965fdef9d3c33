import { basename, extname } from 'node:path'
import { findConflicts } from '../conflicts.ts'
import type { Model } from '../model.ts'
import { HYDRA, RDFS } from '../namespaces.ts'
import type { Problem } from '../problems.ts'
import { openDocument } from './document.ts'
import { classPlace, Findings, propertyPlace } from './findings.ts'
import { readClasses } from './finish.ts'
import { textOf } from './names.ts'
import { beginReading } from './reading.ts'

export type LongForm =
  /** `notes`: what the document left open and was completed, and what of it is left out, as sentences. */
  { readonly model: Model; readonly notes: readonly string[] } | { readonly problems: readonly Problem[] }

/** Reads the long form of an API file (hypermedia.md, The API file): any Hydra ApiDocumentation. */
export async function readLongForm(text: string, fileName: string): Promise<LongForm> {
  const findings = new Findings()
  const model = await readModel(text, basename(fileName, extname(fileName)), findings)
  if (model === undefined || findings.problems.length > 0) return { problems: findings.problems }
  return { model, notes: findings.notes }
}

async function readModel(text: string, fileTitle: string, findings: Findings): Promise<Model | undefined> {
  const document = await openDocument(text, findings)
  if (document === undefined) return undefined
  const { documentation } = document
  const title = textOf(documentation, `${HYDRA}title`, `${RDFS}label`)
  if (title === undefined)
    findings.note('', `there is no title; completed: "${fileTitle}", the name of the file`)
  const model = {
    title: title ?? fileTitle,
    description: textOf(documentation, `${HYDRA}description`, `${RDFS}comment`) ?? '',
    classes: readClasses(beginReading(document, findings)),
  }
  if (model.classes.length === 0 && findings.problems.length === 0) {
    const right =
      'describe at least one in "supportedClass", with properties and with operations or a collection'
    findings.problem('', `there is no class whose members could be served; ${right}`)
  }
  refuseConflicts(model, findings)
  return model
}

function refuseConflicts(model: Model, findings: Findings): void {
  for (const { className, property, message, mayFollow } of findConflicts(model)) {
    const place = property === undefined ? classPlace(className) : propertyPlace(className, property)
    // The short form says so by a key; a document by the name of a property.
    const said = message.replace('with "collection"', 'by the IRI of its property of the entry point')
    if (mayFollow !== true || findings.problems.length === 0) findings.problem(place, said)
  }
}
