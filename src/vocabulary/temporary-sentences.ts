// TEMPORARY: today's sentences for Findings, until the readers of API files report problems as data.
import type { JsonError, JsonToken } from '../json.ts'
import { type ProblemData, type Sentences, say } from '../problem.ts'
import { show } from '../text.ts'
import type { LinkedDataError, LinkedDataProblems } from './json-ld.ts'
import type { DatatypeName } from './model.ts'
import type { ConstraintProblems, JsonKind, ValueProblems } from './problems.ts'

const TOKENS: Readonly<Record<JsonToken, string>> = {
  value: 'a value',
  key: 'a key in double quotes',
  colon: 'a colon',
  commaOrBrace: 'a comma or "}"',
  commaOrBracket: 'a comma or "]"',
  end: 'the end of the document',
  true: 'true',
  false: 'false',
  null: 'null',
  digit: 'a digit',
  fraction: 'a digit after the decimal point',
  exponent: 'a digit in the exponent',
  closingQuote: 'a closing quote',
  escapedControl: 'an escape for this control character',
  escape: 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u',
  hexDigits: 'four hexadecimal digits after \\u',
}

export function jsonSentence({ code, values, at }: JsonError): string {
  const place = `line ${at.line}, column ${at.column}`
  if (code === 'JsonTooDeep') return `The JSON is nested more than 32 levels deep at ${place}.`
  if (code === 'DuplicateKey') {
    const { key } = values as { key: string }
    return `The key ${JSON.stringify(key)} is in one object twice, again at ${place}; send it once.`
  }
  const { expected, found } = values as { expected: JsonToken; found: string | undefined }
  const there = found === undefined ? 'it ends' : `there is ${JSON.stringify(found)}`
  return `This is not JSON: at ${place} ${there} where ${TOKENS[expected]} is expected.`
}

const LANGUAGES = 'an object of texts by language such as {"en": "Hello", "de": "Hallo"}'

const DATATYPES: Readonly<Record<DatatypeName, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer such as -12',
  nonNegativeInteger: 'an integer that is 0 or greater',
  positiveInteger: 'an integer that is 1 or greater',
  decimal: 'a decimal such as "12.50", as a string or a number',
  double: 'a number such as 12.5',
  float: 'a number such as 12.5',
  date: 'a date of the calendar such as "2024-02-29"',
  dateTime:
    'a date and time with seconds and zone such as "2024-02-29T12:30:00Z" or "2024-02-29T14:30:00+02:00"',
  time: 'a time with seconds, with or without zone, such as "12:30:00" or "12:30:00+02:00"',
  duration: 'a duration such as "P1Y2M10D" or "PT2H30M", each number of at most nine digits',
  anyURI: 'an absolute IRI such as https://example.org/about',
  langString: LANGUAGES,
}

const KINDS: Readonly<Record<JsonKind, string>> = {
  null: 'null',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  list: 'a list',
  object: 'an object',
}

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

/** Without a period, as all of Findings. */
const VALUES: Sentences<ValueProblems> = {
  RequiredValue: 'is required',
  NotAList: 'must be a list',
  TooManyValues: ({ maxValues }) => `must have at most ${maxValues} values`,
  WrongJsonType: ({ expected }) => `must be ${expected === 'object' ? 'an' : 'a'} ${expected}`,
  WrongDatatype: ({ datatype, found }) =>
    `must be ${DATATYPES[datatype]}${found === undefined ? '' : `, not ${KINDS[found]}`}`,
  NulCharacter: 'must not contain the character U+0000',
  LoneSurrogate: 'must not contain half a surrogate pair; send whole characters',
  LosesDigits: ({ datatype }) =>
    datatype === 'double' || datatype === 'float'
      ? 'would lose digits: a double has 15 to 17 significant ones, up to about 1.8e308'
      : `would lose digits: it must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`,
  FloatOutOfRange: 'must be between -3.4028234e38 and 3.4028234e38',
  TooManyDigits: ({ maxDigits }) => `must have at most ${maxDigits} digits`,
  NoText: `must have a text in at least one language: ${LANGUAGES}`,
  InvalidLanguageTag: ({ tag }) =>
    `must be ${LANGUAGES}; ${show(tag, 32)} is not a language tag such as "en" or "en-GB"`,
  DuplicateLanguage: ({ tag }) => `has two texts for "${tag}"; send one`,
  TooManyLanguages: ({ maxLanguages }) => `must have at most ${maxLanguages} languages`,
  InvalidText: ({ tag, problem }) => `the text for "${tag}" ${valueSentence(problem)}`,
  TooLong: ({ maxLength }) => `must have at most ${characters(maxLength)}`,
  TooShort: ({ minLength }) => `must have at least ${characters(minLength)}`,
  PatternMismatch: ({ pattern }) => `must match the pattern "${pattern}"`,
  BelowMinimum: ({ minimum }) => `must be at least ${minimum}`,
  AboveMaximum: ({ maximum }) => `must be at most ${maximum}`,
  NotInEnum: ({ allowed, isTruncated }) =>
    `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}${isTruncated ? ' …' : ''}`,
}

const valueSentence = (problem: ProblemData): string =>
  say(VALUES[problem.code as keyof ValueProblems] as never, problem)

const subjectOf = ({ name, of }: { readonly name: string; readonly of: 'enum' | 'default' }): string =>
  of === 'enum' ? `a value of ${name}` : name

const CONSTRAINTS: Sentences<ConstraintProblems> = {
  InvalidLength: ({ name }) => `${name} must be an integer that is 0 or greater`,
  InvalidBound: ({ name }) => `${name} must be a number`,
  BoundLosesDigits: ({ name }) => `${name} has more digits than can be kept; round it`,
  PatternNotText: ({ name }) => `${name} must be a string; put it in quotes`,
  InvalidPattern: ({ reason }) => `the pattern is not a regular expression: ${reason}`,
  UnsupportedPattern: ({ part }) =>
    `the pattern has ${JSON.stringify(part)}, which is not among what can be matched in linear time; write it ` +
    'without lookaheads, lookbehinds, back references and rare properties of Unicode, and repeat nothing more than 1,000 times',
  EmptyEnum: ({ name }) => `${name} must be a list of at least one value`,
  CrossedBounds: ({ name, least, most }) =>
    `${name} (${least}) is greater than the largest that is allowed (${most}); swap them`,
  NotOneValue: (values) => `${subjectOf(values)} must be a single value`,
  InvalidValue: (values) => `${subjectOf(values)} ${valueSentence(values.problem)}`,
}

export const constraintSentence = (problem: ProblemData): string =>
  say(CONSTRAINTS[problem.code as keyof ConstraintProblems] as never, problem)

const LINKED_DATA: Sentences<LinkedDataProblems> = {
  ForeignContext: ({ address }) =>
    `The context ${JSON.stringify(address)} is not known here, and no context is ever fetched; write its terms out in "@context".`,
  InvalidJsonLd: ({ reason }) => `This is not JSON-LD: ${reason}`,
  UnprocessableJsonLd: 'This is JSON-LD that cannot be processed.',
}

export const linkedDataSentence = (error: LinkedDataError): string =>
  say(LINKED_DATA[error.code] as never, error)
