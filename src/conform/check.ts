import { factsOf } from './facts.ts'
import type { ConformRule, FindingLevel } from './rule.ts'
import { RULES } from './rules/index.ts'
import type { VisitedApi } from './visit.ts'

export type ConformCode = keyof typeof RULES

/** The values that the sentence of a rule needs. */
export type ConformValues = {
  readonly [Code in ConformCode]: (typeof RULES)[Code] extends ConformRule<infer Values> ? Values : never
}

/** A rule that an API breaks, at one place. */
export interface ConformFinding {
  readonly code: ConformCode
  readonly level: FindingLevel
  readonly term: string
  readonly address: string
  readonly values: object
}

/** A documentation may be as long as it likes; nobody reads more of one kind. */
const MOST_OF_A_RULE = 500

/** Checks everything that was seen of an API. */
export function checkApi(api: VisitedApi): ConformFinding[] {
  const facts = factsOf(api)
  return Object.entries(RULES).flatMap(([code, { level, term, check }]) => {
    const found = new Map<string, ConformFinding>()
    for (const { at, values, term: ofPlace = term } of check(facts)) {
      if (found.size >= MOST_OF_A_RULE) break
      const finding = { code: code as ConformCode, level, term: ofPlace, address: at, values }
      found.set(JSON.stringify([at, values]), finding)
    }
    return [...found.values()]
  })
}
