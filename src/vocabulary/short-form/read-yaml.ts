import { LineCounter, parseDocument, visit } from 'yaml'
import type { SyntaxProblems } from '../file-problems.ts'
import { Findings } from '../findings.ts'
import { FileValue } from './yaml.ts'

/** What was read from a file, and the problems of it; undefined for a file that is not YAML, or empty. */
interface YamlResult<T> {
  readonly findings: Findings
  readonly value: T | undefined
}

/** `read` gets the root of a file that is YAML, and not empty; `empty` is the problem otherwise. */
export function readYaml<T>(
  text: string,
  empty: Extract<keyof SyntaxProblems, `Empty${string}`>,
  read: (root: FileValue, findings: Findings) => T,
): YamlResult<T> {
  const findings = new Findings()
  const source = { lines: new LineCounter(), findings }
  // Duplicate keys are found by `readEntries`, with their path and beside all other problems.
  const options = { lineCounter: source.lines, prettyErrors: false, uniqueKeys: false }
  const document = parseDocument(text, options)
  const root = new FileValue(source, { node: document.contents, offset: 0 })
  const [error] = document.errors
  if (error !== undefined) {
    // The parser's later errors are mostly consequences of its first.
    const at = new FileValue(source, { node: null, offset: error.pos[0] })
    return { findings, value: at.problem('InvalidYaml', { reason: error.message }) }
  }
  if (document.contents === null) return { findings, value: root.problem(empty) }
  visit(document, { Node: (_, node) => root.part(node).refuseReference() })
  return { findings, value: read(root, findings) }
}
