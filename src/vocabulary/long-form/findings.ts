import type { Problem } from '../problems.ts'

/** Collects what is found instead of throwing the first of it: all problems are reported at once. */
export class Findings {
  readonly problems: Problem[] = []
  readonly #notes = new Set<string>()

  /** What was completed, and what is left out, as sentences. */
  get notes(): readonly string[] {
    return [...this.#notes]
  }

  /** Undefined, so that a reader can return what it adds. A document that was expanded first has no lines. */
  problem(path: string, message: string): undefined {
    this.problems.push({ line: 0, column: 0, path, message })
  }

  note(path: string, message: string): undefined {
    const sentence = path === '' ? message.charAt(0).toUpperCase() + message.slice(1) : `${path}: ${message}`
    this.#notes.add(ended(sentence))
  }

  /** What the document says and is not heeded; told apart by how the sentence begins. */
  ignored(path: string, message: string): undefined {
    this.#notes.add(ended(`ignored: ${path === '' ? '' : `${path}: `}${message}`))
  }
}

const ended = (sentence: string) => (sentence.endsWith('?') ? sentence : `${sentence}.`)

export const classPlace = (name: string) => `supportedClass ${quoted(name)}`

export const propertyPlace = (className: string, name: string) =>
  `${classPlace(className)}, supportedProperty ${quoted(name)}`

/** Never longer than a line: a document may call anything by any name. */
export const quoted = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
