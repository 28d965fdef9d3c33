import { basename, extname } from 'node:path'
import { LineCounter, parseDocument, visit } from 'yaml'
import { type Conflict, findConflicts } from '../conflicts.ts'
import { orderByEmbedding } from '../embedding.ts'
import type { Class, Model } from '../model.ts'
import { EMPTY_FILE, type Problem } from '../problems.ts'
import { embedsOf, finishClass, type Outline, outlineClass } from './class.ts'
import { findPlace, type Place, Problems, readEntries, readText, refuseReferences } from './places.ts'

export type ShortForm =
  /** `notes`: what the file left open and was completed, as sentences. */
  { readonly model: Model; readonly notes: readonly string[] } | { readonly problems: readonly Problem[] }

/** Reads the short form of an API file (hypermedia.md, The API file): YAML, and so JSON too. */
export function readShortForm(text: string, fileName: string): ShortForm {
  const lines = new LineCounter()
  const problems = new Problems(lines)
  // Duplicate keys are found by `readEntries`, with their path and beside all other problems.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const root: Place = { node: document.contents, offset: 0, path: '' }

  const [error] = document.errors
  if (error !== undefined) {
    // The parser's later errors are mostly consequences of its first.
    problems.add({ offset: error.pos[0], path: '' }, `this is not YAML or JSON: ${error.message}`)
    return { problems: problems.list }
  }
  if (document.contents === null) {
    problems.add(root, EMPTY_FILE)
    return { problems: problems.list }
  }
  visit(document, { Node: (_, node) => refuseReferences(root, node, problems) })
  if (problems.list.length > 0) return { problems: problems.sorted() }

  const notes: string[] = []
  const model = readModel(root, basename(fileName, extname(fileName)), problems, notes)
  return problems.list.length > 0 ? { problems: problems.sorted() } : { model, notes }
}

function readModel(root: Place, fileTitle: string, problems: Problems, notes: string[]): Model {
  const entries = readEntries(root, 'the API file', problems, ['title', 'description', 'classes'])
  const classes = entries.get('classes')
  const found = classes === undefined ? [] : [...readEntries(classes.value, '"classes"', problems).values()]
  if (found.length === 0 && problems.list.length === 0) {
    problems.add(
      classes?.value ?? root,
      'there must be at least one class: "classes" maps names such as Book to classes',
    )
  }
  const title = readText(entries.get('title'), problems)
  if (title === undefined) notes.push(`The title is "${fileTitle}", the name of the file.`)
  const description = readText(entries.get('description'), problems) ?? ''
  // Links may point forward, so the names and collections of all classes come before the properties of any.
  const outlines = found.map((entry) => outlineClass(entry, problems, notes))
  const model = { title: title ?? fileTitle, description, classes: finishAll(outlines, problems, notes) }
  for (const conflict of findConflicts(model)) {
    if (conflict.mayFollow !== true || problems.list.length === 0)
      problems.add(placeOf(conflict, outlines, root), conflict.message)
  }
  return model
}

/** Embedded classes come before those that embed them; the model has them in the order of the file. */
function finishAll(outlines: readonly Outline[], problems: Problems, notes: string[]): Class[] {
  const embedding = orderByEmbedding(
    new Map(outlines.map((outline) => [outline.name, embedsOf(outline, outlines)])),
  )
  const finished = new Map<string, Class>()
  for (const name of embedding.order) {
    const outline = outlines.find((one) => one.name === name)
    if (outline !== undefined)
      finished.set(name, finishClass(outline, { outlines, finished, embedding }, problems, notes))
  }
  return outlines.flatMap(({ name }) => finished.get(name) ?? [])
}

/** What was said about it, or its name where it was left out. */
function placeOf({ className, property, about }: Conflict, outlines: readonly Outline[], root: Place): Place {
  const outline = outlines.find(({ name }) => name === className)
  if (outline === undefined) return root
  const declared = outline.declared.find(({ name }) => name === property)
  if (declared !== undefined) return findPlace(declared.value, about) ?? declared.key
  return findPlace(outline.value, about) ?? outline.key
}
