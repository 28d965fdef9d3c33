import { invalid, type Violation } from '../../errors.ts'

/** A body that is being read: where it was sent, for what, and what has been found wrong with it. */
export interface Submission {
  /** What relative addresses are relative to. */
  readonly target: string
  /** What `@id` may say; undefined for a new member, whose address the server chooses. */
  readonly address: string | undefined
  /**
   * `whole`: absent values get their default. `patch`: it says what it changes, and removes by null. `restored`: a
   * whole member that comes from elsewhere, whose read-only values are taken as they were sent.
   */
  readonly kind: 'whole' | 'patch' | 'restored'
  /** For defaults. */
  readonly now: number
  readonly violations: Violations
}

/** So many violations are named at least: a megabyte of unknown keys would have a hundred thousand. */
const NAMED = 1_000
const HINTED = 100
const LONGEST_PATH = 100

export class Violations {
  readonly #violations: Violation[] = []
  readonly #paths = new Set<string>()

  add(path: string, message: string): void {
    if (this.#violations.length === NAMED) {
      throw invalid([...this.#violations, { propertyPath: '', message: 'There is more that is wrong.' }])
    }
    this.#paths.add(path)
    const propertyPath = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path
    this.#violations.push({ propertyPath, message })
  }

  /** Whether something is wrong at this path. */
  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** So many that nobody needs a hint for each: finding the nearest name takes longer than reading one. */
  areMany(): boolean {
    return this.#violations.length >= HINTED
  }

  /** 422 that names everything, if there is anything. */
  throwIfAny(): void {
    if (this.#violations.length > 0) throw invalid(this.#violations)
  }
}
