import { LineCounter, parseDocument, visit } from 'yaml'
import type { SyntaxProblems } from '../file-problems.ts'
import { Findings } from '../findings.ts'
import { explainSyntaxError } from './syntax-error.ts'
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
    const pattern = findPattern(text, error.pos[0])
    if (pattern !== undefined) {
      const at = new FileValue(source, { node: null, offset: pattern.offset })
      return { findings, value: at.problem('UnquotedPattern', { pattern: pattern.written }) }
    }
    const { offset, ...problem } = explainSyntaxError(text, document, error)
    const at = new FileValue(source, { node: null, offset })
    return { findings, value: at.add(problem) }
  }
  if (document.contents === null) return { findings, value: root.problem(empty) }
  visit(document, { Node: (_, node) => root.part(node).refuseReference() })
  return { findings, value: read(root, findings) }
}

/** `{4}` is a map to YAML, and `[A-Z]` a list; in double quotes, `\d` is an escape that it does not know. */
const PATTERN = /\bpattern["']?: /

/** The pattern in the line of a mistake, unless it is in single quotes, in which YAML changes nothing. */
function findPattern(
  text: string,
  mistake: number,
): { readonly written: string; readonly offset: number } | undefined {
  const start = text.lastIndexOf('\n', mistake - 1) + 1
  const [line = ''] = text.slice(start, start + LONGEST_LINE).split('\n', 1)
  const found = PATTERN.exec(line)
  if (found === null) return undefined
  const value = line.slice(found.index + found[0].length)
  const [written = ''] = value.trimStart().split(/\s/, 1)
  const offset = start + line.length - value.trimStart().length
  if (written === '' || written.startsWith("'") || offset > mistake) return undefined
  return { written: written.replace(/,$/, '').slice(0, LONGEST_PATTERN), offset }
}

const LONGEST_LINE = 2_000
const LONGEST_PATTERN = 100
