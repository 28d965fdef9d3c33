import { describe } from 'node:test'
import { CONSTRAINTS } from '../../../src/service/problems/constraints.ts'
import { valueProblem } from '../../../src/vocabulary/index.ts'
import { testSentences } from '../../support/sentences.ts'

// The sentences about JSON are those of the wire: test/api/problems/values.ts.
describe('sentences about constraints and defaults', () => {
  testSentences(CONSTRAINTS, [
    ['InvalidLength', { name: '"minLength"' }, '"minLength" must be an integer that is 0 or greater'],
    ['InvalidBound', { name: '"minimum"' }, '"minimum" must be a number'],
    ['BoundLosesDigits', { name: '"minimum"' }, '"minimum" has more digits than can be stored; round it'],
    ['PatternNotText', { name: '"pattern"' }, '"pattern" must be a string; put it in quotes'],
    [
      'InvalidPattern',
      { reason: 'Unterminated character class' },
      'the pattern is not a regular expression: Unterminated character class',
    ],
    [
      'UnsupportedPattern',
      { part: '(?!' },
      'the pattern has "(?!", which cannot be matched in linear time; write it without lookaheads, lookbehinds, back references and rare properties of Unicode, and repeat nothing more than 1,000 times',
    ],
    ['EmptyEnum', { name: '"enum"' }, '"enum" must be a list of at least one value'],
    [
      'CrossedBounds',
      { name: '"minimum"', least: 5, most: 4 },
      '"minimum" (5) is greater than the upper bound (4); swap them',
    ],
    [
      'NotOneValue',
      { name: 'the default of "title"', of: 'default' },
      'the default of "title" must be a single value',
    ],
    ['NotOneValue', { name: '"enum"', of: 'enum' }, 'a value of "enum" must be a single value'],
    [
      'InvalidValue',
      {
        name: 'the default of "pages"',
        of: 'default',
        problem: valueProblem('BelowMinimum', { minimum: 1 }),
      },
      'the default of "pages" must be at least 1.',
    ],
    [
      'InvalidValue',
      { name: '"enum"', of: 'enum', problem: valueProblem('WrongDatatype', { datatype: 'integer' }) },
      'a value of "enum" must be an integer such as -12.',
    ],
  ])
})
