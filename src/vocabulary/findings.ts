import type { Model } from './model.ts'

/** Where something stands in an API file. */
export interface Position {
  /** From 1; 0 where a line says nothing: the file as a whole, or a document that was expanded first. */
  readonly line: number
  readonly column: number
  /** For example `classes.Book.properties.title`; empty for the file itself. */
  readonly path: string
}

/** What is wrong in an API file and what would be right. */
export interface Problem extends Position {
  readonly message: string
}

export interface ApiFile {
  readonly model: Model
  /** What was completed by itself and, of a document, what is left out; as sentences. */
  readonly notes: readonly string[]
}

export type ApiFileResult = ApiFile | { readonly problems: readonly Problem[] }

export const EMPTY_FILE = 'the file is empty; "hydrant init" writes one to start from'

/** What is found about one part of a document. Each returns undefined, so that a reader can return it. */
export type Report = Readonly<Record<'problem' | 'note' | 'ignored', (message: string) => undefined>>

/** Collects what is found instead of throwing the first of it: all problems are reported at once. */
export class Findings {
  readonly #problems: Problem[] = []
  readonly #notes = new Set<string>()

  get hasProblems(): boolean {
    return this.#problems.length > 0
  }

  /** In the order of the file; as they were found where they have no lines. */
  get problems(): readonly Problem[] {
    return this.#problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }

  /** The model that was read, unless it cannot be served. */
  result(model: Model | undefined): ApiFileResult {
    if (model === undefined || this.hasProblems) return { problems: this.problems }
    return { model, notes: [...this.#notes] }
  }

  /** `at`: a position, or a path alone in a document without lines. */
  problem(at: Position | string, message: string): undefined {
    const { line, column, path } = typeof at === 'string' ? { line: 0, column: 0, path: at } : at
    this.#problems.push({ line, column, path, message })
  }

  /** What was completed. */
  note(path: string, message: string): undefined {
    const sentence = path === '' ? message.charAt(0).toUpperCase() + message.slice(1) : `${path}: ${message}`
    this.#notes.add(ended(sentence))
  }

  /** What the document says and is not heeded; told apart by how the sentence begins. */
  ignored(path: string, message: string): undefined {
    this.#notes.add(ended(`ignored: ${path === '' ? '' : `${path}: `}${message}`))
  }

  /** Reports about the part of a document at this path. */
  at(path: string): Report {
    return {
      problem: (message) => this.problem(path, message),
      note: (message) => this.note(path, message),
      ignored: (message) => this.ignored(path, message),
    }
  }
}

const ended = (sentence: string) => (sentence.endsWith('?') ? sentence : `${sentence}.`)
