// TEMPORARY: today's sentences for Findings, until the readers of API files report problems as data.
import type { JsonError, JsonToken } from '../json.ts'

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
