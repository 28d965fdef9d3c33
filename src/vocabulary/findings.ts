import { withPeriod } from '../text.ts'
import type { Model } from './model.ts'

export interface Position {
  /** From 1; 0 where there is none: for the file as a whole, and for JSON-LD, whose lines are lost when it is expanded. */
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
  /** Sentences on what was completed and, of a document, what was ignored. */
  readonly notes: readonly string[]
}

export type ApiFileResult = ApiFile | { readonly problems: readonly Problem[] }

export const EMPTY_FILE = 'the file is empty; "hydrant init" writes one to start from'

const WHOLE_FILE: Position = { line: 0, column: 0, path: '' }

/** More problems than anyone reads at once. */
const MANY = 100

/** Collects problems and notes: all are reported at once. */
export class Findings {
  readonly #position: Position
  readonly #all: { readonly problems: Problem[]; readonly notes: Set<string> }

  constructor(position = WHOLE_FILE, all = { problems: [] as Problem[], notes: new Set<string>() }) {
    this.#position = position
    this.#all = all
  }

  /** Findings about one part of the file: at a position, or at a path in a document without lines. */
  at(position: Position | string): Findings {
    const at = typeof position === 'string' ? { ...WHOLE_FILE, path: position } : position
    return new Findings(at, this.#all)
  }

  get hasProblems(): boolean {
    return this.#all.problems.length > 0
  }

  get areMany(): boolean {
    return this.#all.problems.length >= MANY
  }

  /** Sorted by position; those without lines stay in the order in which they were found. */
  get problems(): readonly Problem[] {
    return this.#all.problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }

  result(model: Model | undefined): ApiFileResult {
    if (model === undefined || this.hasProblems) return { problems: this.problems }
    return { model, notes: [...this.#all.notes] }
  }

  /** Returns undefined, so that a reader can return it; so do `note` and `ignored`. */
  readonly problem = (message: string): undefined => {
    this.#all.problems.push({ ...this.#position, message })
  }

  /** Something was completed. */
  note(message: string): undefined {
    const { path } = this.#position
    this.#add(path === '' ? message.charAt(0).toUpperCase() + message.slice(1) : `${path}: ${message}`)
  }

  /** A part of the document was ignored. Such sentences begin with "ignored: ". */
  ignored(message: string): undefined {
    const { path } = this.#position
    this.#add(`ignored: ${path === '' ? '' : `${path}: `}${message}`)
  }

  #add(sentence: string): void {
    this.#all.notes.add(withPeriod(sentence))
  }
}
