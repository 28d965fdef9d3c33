// Decodes the names and values of a query.
import { apiProblem } from '../problems/index.ts'
import { encodeByte } from './encoding.ts'

/** Splits a parameter into its name, decoded, and its value as it was sent. */
export function splitPair(pair: string): [name: string, sent: string] {
  const equals = pair.indexOf('=')
  return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), pair.slice(equals + 1)]
}

/**
 * Decodes a name or a value. A byte beyond ASCII arrives as one character: it is read as UTF-8, percent-encoded or not.
 */
export function decode(text: string): string {
  if (!/[%\x80-\xff]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll(/[\x80-\xff]/g, encodeByte))
  } catch {
    throw apiProblem('InvalidQueryEncoding')
  }
}
