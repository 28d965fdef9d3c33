import { JSON_PROBLEMS } from '../../api/problems/json.ts'
import { violationSentence } from '../../api/problems/values.ts'
import type { JsonProblems } from '../../json.ts'
import type { Sentences } from '../../problem.ts'
import type { ConstraintProblems } from '../../vocabulary/index.ts'

const subjectOf = ({ name, of }: { readonly name: string; readonly of: 'enum' | 'default' }): string =>
  of === 'enum' ? `a value of ${name}` : name

/** Constraints and defaults. A value is refused in the words in which a request would be. */
export const CONSTRAINTS: Sentences<ConstraintProblems> = {
  InvalidLength: ({ name }) => `${name} must be an integer that is 0 or greater`,
  InvalidBound: ({ name }) => `${name} must be a number`,
  BoundLosesDigits: ({ name }) => `${name} has more digits than can be stored; round it`,
  PatternNotText: ({ name }) => `${name} must be a string; put it in quotes`,
  InvalidPattern: ({ reason }) => `the pattern is not a regular expression: ${reason}`,
  UnsupportedPattern: ({ part }) =>
    `the pattern has ${JSON.stringify(part)}, which cannot be matched in linear time; write it ` +
    'without lookaheads, lookbehinds, back references and rare properties of Unicode, and repeat nothing more than 1,000 times',
  EmptyEnum: ({ name }) => `${name} must be a list of at least one value`,
  CrossedBounds: ({ name, least, most }) =>
    `${name} (${least}) is greater than the upper bound (${most}); swap them`,
  NotOneValue: (values) => `${subjectOf(values)} must be a single value`,
  InvalidValue: (values) => `${subjectOf(values)} ${violationSentence(values.problem)}`,
}

/** Sentences about texts that should be JSON, as in responses to requests. */
export const JSON_SENTENCES: Sentences<JsonProblems> = {
  MalformedJson: JSON_PROBLEMS.MalformedJson.sentence,
  DuplicateKey: JSON_PROBLEMS.DuplicateKey.sentence,
  JsonTooDeep: JSON_PROBLEMS.JsonTooDeep.sentence,
}
