import { basename, extname } from 'node:path'
import { LineCounter, parseDocument, visit } from 'yaml'
import type { Model } from './model.ts'
import { type Place, type Problem, Problems, readEntries, readText, refuseReferences } from './places.ts'
import { finishClass, outlineClass } from './short-form-class.ts'

export type ShortForm = { readonly model: Model } | { readonly problems: readonly Problem[] }

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
  visit(document, { Node: (_, node) => refuseReferences(root, node, problems) })
  if (problems.list.length > 0) return { problems: problems.sorted() }

  const model = readModel(root, basename(fileName, extname(fileName)), problems)
  return problems.list.length > 0 ? { problems: problems.sorted() } : { model }
}

function readModel(root: Place, fallbackTitle: string, problems: Problems): Model {
  const entries = readEntries(root, 'the API file', problems, ['title', 'description', 'classes'])
  const classes = entries.get('classes')
  const found = classes === undefined ? [] : [...readEntries(classes.value, '"classes"', problems).values()]
  if (found.length === 0 && problems.list.length === 0) {
    problems.add(
      classes?.value ?? root,
      'there must be at least one class: "classes" maps names such as Book to classes',
    )
  }
  // Links may point forward, so the names and collections of all classes come before the properties of any.
  const names = found.map((entry) => entry.name)
  const outlines = found.map((entry) => outlineClass(entry, names, problems))
  refuseDoubles(outlines, problems)
  return {
    title: readText(entries.get('title'), problems) ?? fallbackTitle,
    description: readText(entries.get('description'), problems) ?? '',
    classes: outlines.map((outline) => finishClass(outline, outlines, problems)),
  }
}

function refuseDoubles(outlines: readonly ReturnType<typeof outlineClass>[], problems: Problems): void {
  for (const [index, { name, collection, collectionPlace, iri, iriPlace }] of outlines.entries()) {
    const before = outlines.slice(0, index)
    const sharing = before.find((other) => other.collection === collection)
    if (sharing !== undefined) {
      const message = `the collection "${collection}" of ${name} is that of ${sharing.name} already; choose another`
      problems.add(collectionPlace, message)
    }
    const same = iri === undefined ? undefined : before.find((other) => other.iri === iri)
    if (same !== undefined)
      problems.add(iriPlace, `${name} has the same iri as ${same.name}; each class needs its own`)
  }
}
