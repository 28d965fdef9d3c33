import type { Model } from './model.ts'

export interface Position {
  /** From 1; 0 where a line says nothing: the file as a whole, or a document that was expanded first. */
  readonly line: number
  readonly column: number
  /** For example `classes.Book.properties.title`; empty for the file itself. */
  readonly path: string
}

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

const WHOLE_FILE: Position = { line: 0, column: 0, path: '' }

/** Collects what is found instead of throwing the first of it: all problems are reported at once. */
export class Findings {
  readonly #position: Position
  readonly #all: { readonly problems: Problem[]; readonly notes: Set<string> }

  constructor(position = WHOLE_FILE, all = { problems: [] as Problem[], notes: new Set<string>() }) {
    this.#position = position
    this.#all = all
  }

  /** For what is found about one part of the file: at a position, or at a path in a document without lines. */
  at(position: Position | string): Findings {
    const at = typeof position === 'string' ? { ...WHOLE_FILE, path: position } : position
    return new Findings(at, this.#all)
  }

  get hasProblems(): boolean {
    return this.#all.problems.length > 0
  }

  /** In the order of the file; as they were found where they have no lines. */
  get problems(): readonly Problem[] {
    return this.#all.problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }

  result(model: Model | undefined): ApiFileResult {
    if (model === undefined || this.hasProblems) return { problems: this.problems }
    return { model, notes: [...this.#all.notes] }
  }

  /** Undefined, so that a reader can return it; likewise below. */
  readonly problem = (message: string): undefined => {
    this.#all.problems.push({ ...this.#position, message })
  }

  /** What was completed. */
  note(message: string): undefined {
    const { path } = this.#position
    this.#add(path === '' ? message.charAt(0).toUpperCase() + message.slice(1) : `${path}: ${message}`)
  }

  /** What the document says and is not heeded; told apart by how the sentence begins. */
  ignored(message: string): undefined {
    const { path } = this.#position
    this.#add(`ignored: ${path === '' ? '' : `${path}: `}${message}`)
  }

  #add(sentence: string): void {
    this.#all.notes.add(sentence.endsWith('?') ? sentence : `${sentence}.`)
  }
}
