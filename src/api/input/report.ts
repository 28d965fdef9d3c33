import { invalid, type Violation } from '../../errors.ts'

/** So many violations are named at least: a megabyte of unknown keys would have a hundred thousand. */
const NAMED = 1_000
const HINTED = 100
const LONGEST_PATH = 100

/** Collects what is wrong with a body, each place once. */
export interface Report {
  add(propertyPath: string, message: string): void
  /** Whether something is wrong at this place. */
  has(propertyPath: string): boolean
  /** Whether there are so many that nobody needs a hint for each: finding the nearest name takes longer than reading one. */
  isLong(): boolean
  /** 422 that names everything, if there is anything. */
  settle(): void
}

export function createReport(): Report {
  const violations: Violation[] = []
  const places = new Set<string>()
  return {
    add(propertyPath, message) {
      if (violations.length === NAMED) {
        throw invalid([...violations, { propertyPath: '', message: 'There is more that is wrong.' }])
      }
      places.add(propertyPath)
      violations.push({ propertyPath: shortened(propertyPath), message })
    },
    has: (propertyPath) => places.has(propertyPath),
    isLong: () => violations.length >= HINTED,
    settle() {
      if (violations.length > 0) throw invalid(violations)
    },
  }
}

const shortened = (path: string): string =>
  path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path
