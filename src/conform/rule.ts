import type { ApiFacts } from './facts.ts'

/** `wrong`: Hydra, or a standard that it builds on, requires it. `missing`: clients need it. `practice`: it helps them. */
export type FindingLevel = 'wrong' | 'missing' | 'practice'

/** A place at which a rule is broken, with the values of its sentence. */
export interface BrokenAt<Values extends object = object> {
  readonly at: string
  /** Instead of the term of the rule, for rules about many terms. */
  readonly term?: string
  readonly values: Values
}

/** A rule is pure: it looks at what was fetched, and fetches nothing. */
export interface ConformRule<Values extends object = object> {
  readonly level: FindingLevel
  /** The term that would be right, or that is used wrongly, with its usual prefix. */
  readonly term: string
  check(facts: ApiFacts): Iterable<BrokenAt<Values>>
}

export const rule = <Values extends object = object>(
  level: FindingLevel,
  term: string,
  check: (facts: ApiFacts) => Iterable<BrokenAt<Values>>,
): ConformRule<Values> => ({ level, term, check })

/** For rules whose sentence needs no values: they are broken at these addresses. */
export const places = (
  level: FindingLevel,
  term: string,
  find: (facts: ApiFacts) => Iterable<string | undefined>,
): ConformRule =>
  rule(level, term, function* (facts) {
    for (const at of find(facts)) if (at !== undefined) yield { at, values: {} }
  })
