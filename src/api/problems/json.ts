import type { AnswersTo } from '../../http/index.ts'
import type { JsonProblems, JsonToken } from '../../json.ts'
import type { ProblemPlace } from '../../problem.ts'

const TOKENS: Readonly<Record<JsonToken, string>> = {
  value: 'a value',
  key: 'a key in double quotes',
  colon: 'a colon',
  commaOrBrace: 'a comma or "}"',
  commaOrBracket: 'a comma or "]"',
  end: 'the end of the document',
  digit: 'a digit',
  fraction: 'a digit after the decimal point',
  exponent: 'a digit in the exponent',
  closingQuote: 'a closing quote',
  escapedControl: 'an escape for this control character',
  escape: 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u',
  hexDigits: 'four hexadecimal digits after \\u',
}

/** What is most likely wrong where a word stands in place of a value: texts without quotes, `None`, `True`. */
const HOW_TO_WRITE = '; write texts in double quotes, and true, false and null in lower case'

const hintFor = ({ expected, found = '' }: JsonProblems['MalformedJson']): string =>
  expected === 'value' && /^[\p{L}']/u.test(found) ? HOW_TO_WRITE : ''

const placeOf = ({ line, column }: ProblemPlace): string => `line ${line}, column ${column}`

/** Problems of a text that should be JSON. */
export const JSON_PROBLEMS = {
  MalformedJson: {
    status: 400,
    sentence: ({ expected, found }, at) =>
      `This is not JSON: at ${placeOf(at)} ${found === undefined ? 'it ends' : `there is ${JSON.stringify(found)}`} ` +
      `where ${TOKENS[expected]} is expected${hintFor({ expected, found })}.`,
    help: 'Send JSON (RFC 8259): let a library write it.',
  },
  DuplicateKey: {
    status: 400,
    sentence: ({ key }, at) =>
      `The key ${JSON.stringify(key)} is in one object twice, again at ${placeOf(at)}; send it once.`,
    help: 'Send each key of an object once.',
  },
  JsonTooDeep: {
    status: 400,
    sentence: ({ maxDepth }, at) => `The JSON is nested more than ${maxDepth} levels deep at ${placeOf(at)}.`,
    help: 'Nest lists and objects less deep.',
  },
} as const satisfies AnswersTo<JsonProblems>
