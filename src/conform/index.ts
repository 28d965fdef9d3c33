/** Checks any Hydra API against the Hydra Core Vocabulary, by everything that a client sees of it. */
export { type ConformCode, type ConformFinding, type ConformValues, checkApi } from './check.ts'
export type { ApiPlace, UnreadableReason } from './resource.ts'
export type { FindingLevel } from './rule.ts'
export { RULES as CONFORM_RULES } from './rules/index.ts'
export { visitServer } from './server.ts'
export { type VisitedApi, visitApi } from './visit.ts'
