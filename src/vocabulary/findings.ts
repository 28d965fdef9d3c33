import type { Arguments, ProblemData, ProblemPlace } from '../problem.ts'
import type { ApiFileProblems, CompletedNotes, DoubtfulNotes, IgnoredNotes } from './file-problems.ts'
import type { Model } from './model.ts'

/** A note about something that a reader has added to an API file, or ignored in it, or that was perhaps not meant. */
export interface Note extends ProblemData {
  readonly kind: 'completed' | 'ignored' | 'doubtful'
}

export interface ApiFile {
  readonly model: Model
  readonly notes: readonly Note[]
}

export type ApiFileResult = ApiFile | { readonly problems: readonly ProblemData[] }

/** More problems than anyone reads at once. */
const MANY = 100

interface CollectedFindings {
  readonly problems: ProblemData[]
  /** Keyed by their JSON, so that each is reported once. */
  readonly notes: Map<string, Note>
}

/** Collects problems and notes, since all are reported at once. */
export class Findings {
  readonly #place: ProblemPlace
  readonly #found: CollectedFindings

  constructor(place: ProblemPlace = {}, found: CollectedFindings = { problems: [], notes: new Map() }) {
    this.#place = place
    this.#found = found
  }

  /** Findings about one part of the file: at a position or, in a document, at a path, since expansion loses the lines. */
  at(place: ProblemPlace | string): Findings {
    return new Findings(typeof place === 'string' ? { path: place } : place, this.#found)
  }

  get hasProblems(): boolean {
    return this.#found.problems.length > 0
  }

  get areMany(): boolean {
    return this.#found.problems.length >= MANY
  }

  /** Sorted by position; those without lines stay in the order in which they were found. */
  get problems(): readonly ProblemData[] {
    return this.#found.problems.toSorted(
      ({ at: a }, { at: b }) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    )
  }

  result(model: Model | undefined): ApiFileResult {
    if (model === undefined || this.hasProblems) return { problems: this.problems }
    return { model, notes: [...this.#found.notes.values()] }
  }

  /** Returns undefined, so that a reader can return it; so do the methods below. */
  problem<Code extends keyof ApiFileProblems>(
    code: Code,
    ...[values]: Arguments<ApiFileProblems[Code], never>
  ): undefined {
    this.#found.problems.push({ code, at: this.#place, values: values ?? {} })
  }

  /** Reports a problem that was found by code that does not know its place. */
  add({ code, values }: Pick<ProblemData, 'code' | 'values'>): undefined {
    this.#found.problems.push({ code, at: this.#place, values })
  }

  /** Something was completed. */
  note<Code extends keyof CompletedNotes>(
    code: Code,
    ...[values]: Arguments<CompletedNotes[Code], never>
  ): undefined {
    this.#note({ code, at: this.#place, values: values ?? {}, kind: 'completed' })
  }

  /** A part of the document was ignored. */
  ignored<Code extends keyof IgnoredNotes>(
    code: Code,
    ...[values]: Arguments<IgnoredNotes[Code], never>
  ): undefined {
    this.#note({ code, at: this.#place, values: values ?? {}, kind: 'ignored' })
  }

  /** Something can be served, but was perhaps not meant. */
  doubt<Code extends keyof DoubtfulNotes>(
    code: Code,
    ...[values]: Arguments<DoubtfulNotes[Code], never>
  ): undefined {
    this.#note({ code, at: this.#place, values: values ?? {}, kind: 'doubtful' })
  }

  #note(note: Note): void {
    this.#found.notes.set(JSON.stringify(note), note)
  }
}
