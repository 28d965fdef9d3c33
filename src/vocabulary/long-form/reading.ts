import { OWL } from '../namespaces.ts'
import { type Classes, sortClasses } from './classes.ts'
import type { Document } from './document.ts'
import type { Findings } from './findings.ts'
import { createShapeFinder, type FindShape } from './shapes.ts'
import { supportedBy } from './supported.ts'

/** What the properties of a document are read with. */
export interface Reading {
  readonly document: Document
  readonly classes: Classes
  readonly findShape: FindShape
  /** Whether the document says of any link between members how many it may have. */
  readonly saysCardinality: boolean
  readonly findings: Findings
}

export function beginReading(document: Document, findings: Findings): Reading {
  const classes = sortClasses(document, findings)
  const saysCardinality = classes.described
    .flatMap(({ node }) => supportedBy(node))
    .some(({ property }) => property.values(`${OWL}maxCardinality`).length > 0)
  return { document, classes, findShape: createShapeFinder(document.graph), saysCardinality, findings }
}
