import { type ProblemData, type Sentences, say } from '../../problem.ts'
import { count, show } from '../../text.ts'
import {
  type Constraints,
  type DatatypeName,
  isAllowedNumber,
  type JsonKind,
  type ValueProblems,
} from '../../vocabulary/index.ts'

const LANGUAGES = 'an object of texts by language such as {"en": "Hello", "de": "Hallo"}'

/** What a value of each datatype is, with an example unless `EXAMPLES` has some. */
const DATATYPE_PHRASES: Readonly<Record<DatatypeName, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  nonNegativeInteger: 'an integer that is 0 or greater',
  positiveInteger: 'an integer that is 1 or greater',
  decimal: 'a decimal such as "12.50", as a string or a number',
  double: 'a number',
  float: 'a number',
  date: 'a date of the calendar such as "2024-02-29"',
  dateTime:
    'a date and time with seconds and zone such as "2024-02-29T12:30:00Z" or "2024-02-29T14:30:00+02:00"',
  time: 'a time with seconds, with or without zone, such as "12:30:00" or "12:30:00+02:00"',
  duration: 'a duration such as "P1Y2M10D" or "PT2H30M", each number of at most nine digits',
  anyURI: 'an absolute IRI such as https://example.org/about',
  langString: LANGUAGES,
}

/** The first that the constraints of a property allow is shown. */
const EXAMPLES: Partial<Readonly<Record<DatatypeName, readonly number[]>>> = {
  integer: [-12, 12],
  double: [12.5],
  float: [12.5],
}

function withExample(datatype: DatatypeName, constraints: Constraints = {}): string {
  const { minimum, maximum, enum: values = [] } = constraints
  const phrase = DATATYPE_PHRASES[datatype]
  const usual = EXAMPLES[datatype]
  if (usual === undefined) return phrase
  const bounds = [minimum, maximum].flatMap((bound) => bound ?? [])
  const fits = (value: number) => datatype !== 'integer' || Number.isInteger(value)
  const example = [...usual, ...bounds, ...values.map(Number)].find(
    (value) => fits(value) && isAllowedNumber(value, constraints),
  )
  return example === undefined ? phrase : `${phrase} such as ${example}`
}

const KINDS: Readonly<Record<JsonKind, string>> = {
  null: 'null',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  list: 'a list',
  object: 'an object',
}

/** Problems of a value: the end of a sentence that begins with its property. */
export const VALUE_SENTENCES: Sentences<ValueProblems> = {
  RequiredValue: 'is required.',
  BlankText: 'is required: it must have a character that is not white space.',
  NotAList: 'must be a list.',
  TooManyValues: ({ maxValues, count }) =>
    `must have at most ${maxValues} values${count === undefined ? '' : `, not ${count}`}.`,
  WrongJsonType: ({ expected }) => `must be ${KINDS[expected]}.`,
  WrongDatatype: ({ datatype, found, unquoted, constraints }) => {
    if (unquoted !== undefined)
      return `must be ${DATATYPE_PHRASES[datatype]}, not a string; send ${unquoted} without quotes.`
    return `must be ${withExample(datatype, constraints)}${found === undefined ? '' : `, not ${KINDS[found]}`}.`
  },
  NulCharacter: 'must not contain the character U+0000.',
  LoneSurrogate: 'must not contain half a surrogate pair; send whole characters.',
  LosesDigits: ({ datatype }) =>
    datatype === 'double' || datatype === 'float'
      ? 'would lose digits: a double has 15 to 17 significant ones, up to about 1.8e308.'
      : `would lose digits: it must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`,
  FloatOutOfRange: 'must be between -3.4028234e38 and 3.4028234e38.',
  TooManyDigits: ({ maxDigits }) => `must have at most ${maxDigits} digits.`,
  NoText: `must have a text in at least one language: ${LANGUAGES}.`,
  InvalidLanguageTag: ({ tag }) =>
    `must be ${LANGUAGES}; ${show(tag, 32)} is not a language tag such as "en" or "en-GB".`,
  DuplicateLanguage: ({ tag }) => `has two texts for ${JSON.stringify(tag)}; send one.`,
  TooManyLanguages: ({ maxLanguages }) => `must have at most ${maxLanguages} languages.`,
  InvalidText: ({ tag, problem }) => `the text for "${tag}" ${valueSentence(problem)}`,
  TooLong: ({ maxLength }) => `must have at most ${characters(maxLength)}.`,
  TooShort: ({ minLength }) => `must have at least ${characters(minLength)}.`,
  PatternMismatch: ({ pattern }) => `must match the pattern "${pattern}".`,
  BelowMinimum: ({ minimum }) => `must be at least ${minimum}.`,
  AboveMaximum: ({ maximum }) => `must be at most ${maximum}.`,
  TooFine: ({ scale }) =>
    scale === 0
      ? 'must have no digits after the point.'
      : `must have at most ${count(scale, 'digit')} after the point.`,
  NotInEnum: ({ allowed, isTruncated }) =>
    `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}${isTruncated ? ' …' : ''}.`,
}

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

const valueSentence = (problem: ProblemData): string =>
  say(VALUE_SENTENCES[problem.code as keyof ValueProblems] as never, problem)
