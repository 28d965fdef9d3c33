import { basename, extname } from 'node:path'
import { LineCounter, parseDocument, visit } from 'yaml'
import { suggestion } from '../../text.ts'
import { type Conflict, reportConflicts } from '../conflicts.ts'
import { finishClasses, type Outline, type RangeTo } from '../embedding.ts'
import { type ApiFileResult, EMPTY_FILE, Findings } from '../findings.ts'
import {
  type Class,
  fingerprintOf,
  type Model,
  OPERATIONS,
  type Operation,
  SINGLE_METHODS,
  USUAL_METHODS,
} from '../model.ts'
import { plural } from '../names.ts'
import { readProperty, typeNameOf } from './property.ts'
import { type Entries, type Entry, readEntries, readIri, readText, refuseReferences, Value } from './yaml.ts'

/** Reads the short form of an API file (hypermedia.md, The API file): YAML, and so JSON too. */
export function readShortForm(text: string, fileName: string): ApiFileResult {
  const findings = new Findings()
  const lines = new LineCounter()
  // Duplicate keys are found by `readEntries`, with their path and beside all other problems.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const root = new Value(document.contents, 0, '', lines)
  const [error] = document.errors
  if (error !== undefined) {
    // The parser's later errors are mostly consequences of its first.
    const at = new Value(null, error.pos[0], '', lines)
    findings.problem(at, `this is not YAML or JSON: ${error.message}`)
  } else if (document.contents === null) {
    findings.problem(root, EMPTY_FILE)
  } else {
    visit(document, { Node: (_, node) => refuseReferences(root, node, findings) })
  }
  if (findings.hasProblems) return findings.result(undefined)
  return findings.result(readModel(root, basename(fileName, extname(fileName)), findings))
}

function readModel(root: Value, fileTitle: string, findings: Findings): Model {
  const entries = readEntries(root, 'the API file', findings, ['title', 'description', 'classes'])
  const classes = entries.get('classes')
  const found = classes === undefined ? [] : [...readEntries(classes.value, '"classes"', findings).values()]
  if (found.length === 0 && !findings.hasProblems) {
    const right = '"classes" maps names such as Book to classes'
    findings.problem(classes?.value ?? root, `there must be at least one class: ${right}`)
  }
  const title = readText(entries.get('title'), findings)
  if (title === undefined) findings.note('', `the title is "${fileTitle}", the name of the file`)
  const description = readText(entries.get('description'), findings) ?? ''
  const outlines = found.map((entry) => outlineClass(entry, findings))
  const classNames = outlines.map(({ name }) => name)
  const typesOf = ({ properties }: ClassOutline) => properties.flatMap((entry) => typeNameOf(entry) ?? [])
  const model = {
    title: title ?? fileTitle,
    description,
    classes: finishClasses(outlines, typesOf, (outline, rangeTo) =>
      readClass(outline, classNames, rangeTo, findings),
    ),
  }
  reportConflicts(model, { findings, positionOf: (conflict) => positionOf(conflict, outlines) ?? root })
  return model
}

/** What the file says about it, or the name of what it is about where the file says nothing. */
function positionOf(
  { className, property, about }: Conflict,
  outlines: readonly ClassOutline[],
): Value | undefined {
  const outline = outlines.find(({ name }) => name === className)
  const declared = outline?.properties.find(({ name }) => name === property) ?? outline
  return declared?.value.find(about) ?? declared?.key
}

interface ClassOutline extends Outline, Entry {
  readonly entries: Entries
  /** As they stand in the file. */
  readonly properties: readonly Entry[]
}

const CLASS_KEYS = ['iri', 'title', 'description', 'collection', 'properties', 'operations', 'was']

/** Links may point forward, so the names and collections of all classes come before the properties of any. */
function outlineClass({ name, key, value }: Entry, findings: Findings): ClassOutline {
  const entries: Entries = value.isEmpty
    ? new Map()
    : readEntries(value, `class ${name}`, findings, CLASS_KEYS)
  const collection = readCollection(entries.get('collection'), name, findings)
  const declared = entries.get('properties')?.value
  const properties =
    declared === undefined || declared.isEmpty
      ? []
      : [...readEntries(declared, `the properties of ${name}`, findings).values()]
  return { name, key, value, entries, collection, properties }
}

function readCollection(entry: Entry | undefined, name: string, findings: Findings): string | undefined {
  if (entry === undefined) {
    const collection = plural(name).toLowerCase()
    findings.note('', `the collection of ${name} is "${collection}", its plural in lower case`)
    return collection
  }
  const value = entry.value.json
  if (value === false) return undefined
  if (typeof value === 'string') return value
  findings.problem(entry.value, '"collection" must be a path such as books, or false for none')
  // A name of its own, so that the class is not also told to share another's collection.
  return `collection-of-${name}`
}

function readClass(
  outline: ClassOutline,
  classNames: readonly string[],
  rangeTo: RangeTo,
  findings: Findings,
): Class {
  const { name, collection, entries } = outline
  const reading = { owner: outline, classNames, rangeTo, findings }
  const properties = outline.properties.flatMap((entry) => readProperty(entry, reading) ?? [])
  const operations = readOperations(entries.get('operations'), name, findings)
  if (operations === undefined && collection !== undefined)
    findings.note('', `${name} has all operations: ${OPERATIONS.join(', ')}`)
  return {
    name,
    iri: readIri(entries.get('iri'), findings),
    title: readText(entries.get('title'), findings) ?? name,
    description: readText(entries.get('description'), findings) ?? '',
    collection,
    properties,
    operations: operations ?? new Set(collection === undefined ? [] : OPERATIONS),
    methods: collection === undefined ? SINGLE_METHODS : USUAL_METHODS,
    fingerprint: fingerprintOf(name, properties),
    was: readText(entries.get('was'), findings),
  }
}

function readOperations(
  entry: Entry | undefined,
  name: string,
  findings: Findings,
): ReadonlySet<Operation> | undefined {
  if (entry === undefined) return undefined
  if (!entry.value.isList)
    return findings.problem(entry.value, `the operations of ${name} must be a list such as [list, read]`)
  const operations = new Set<Operation>()
  for (const element of entry.value.elements) {
    const value = element.json
    const operation = OPERATIONS.find((known) => known === value)
    if (operation === undefined) {
      const given = typeof value === 'string' ? value : 'this'
      findings.problem(element, `"${given}" is not an operation; ${suggestion(given, OPERATIONS)}`)
    } else if (operations.has(operation)) {
      findings.problem(element, `"${operation}" is in the operations of ${name} twice; keep one of them`)
    } else {
      operations.add(operation)
    }
  }
  return operations
}
