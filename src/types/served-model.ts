import { openDocument } from '../vocabulary/long-form/document.ts'
import { Findings } from '../vocabulary/long-form/findings.ts'
import { readClasses } from '../vocabulary/long-form/finish.ts'
import { irisOf, textOf } from '../vocabulary/long-form/names.ts'
import { beginReading } from '../vocabulary/long-form/reading.ts'
import type { Class, Model } from '../vocabulary/model.ts'
import { HYDRA, RDFS } from '../vocabulary/namespaces.ts'

export interface ServedModel {
  readonly model: Model
  /** Where the documentation says that everything begins. */
  readonly entryPoint: string | undefined
  /** What could not be understood, and is left out. */
  readonly notes: readonly string[]
}

/**
 * The vocabulary of somebody's server. Read as a long form of an API file is, but to be understood and not to be served:
 * a path that is reserved here may be another's, and what is not understood is left out. Undefined where it is no
 * documentation at all.
 */
export async function readServedModel(
  documentation: unknown,
  fallbackTitle: string,
): Promise<ServedModel | undefined> {
  const findings = new Findings()
  const document = await openDocument(JSON.stringify(documentation) ?? '', findings)
  if (document === undefined) return undefined
  const root = document.documentation
  const model: Model = {
    title: textOf(root, `${HYDRA}title`, `${RDFS}label`) ?? fallbackTitle,
    description: textOf(root, `${HYDRA}description`, `${RDFS}comment`) ?? '',
    classes: firsts(readClasses(beginReading(document, findings))).map(withDistinctProperties),
  }
  return {
    model,
    entryPoint: irisOf(root, `${HYDRA}entrypoint`)[0],
    notes: findings.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
  }
}

const withDistinctProperties = (cls: Class): Class => ({
  ...cls,
  properties: firsts(cls.properties).filter(({ name }) => !name.startsWith('@')),
})

/** Of several with one name nobody can tell which is meant. */
const firsts = <T extends { readonly name: string }>(all: readonly T[]): T[] =>
  all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
