import type { PropertyDescription } from '../../../../src/client/index.ts'
import { checkText } from './checks.ts'
import { parsed, type TextDraft, textOf } from './draft.ts'
import { losesDigits, readDecimal, readDouble, readInteger } from './numbers.ts'

/** The value of a text, undefined for none; or what is wrong with it, as the rest of a sentence. */
export type TextReading = { readonly value: unknown } | { readonly message: string }

export function readTyped(draft: TextDraft, property: PropertyDescription): TextReading {
  const { kind, given } = draft
  const original = given === undefined ? '' : textOf(kind, given)
  const typed = withLineEnds(draft.text, original)
  if (given !== undefined && typed === original) return { value: given }
  const text = kind === 'text' ? typed : typed.trim()
  if (text === '') return { value: undefined }
  const reading = readText(draft, text)
  const message = 'message' in reading ? undefined : checkText(kind, text, property)
  return message === undefined ? reading : { message }
}

function readText({ kind, given }: TextDraft, text: string): TextReading {
  switch (kind) {
    case 'boolean':
      return { value: text === 'true' }
    case 'integer':
      return readInteger(text, given)
    case 'decimal':
      return readDecimal(text, given)
    case 'double':
      return readDouble(text, given)
    case 'link':
      return isAddress(text)
        ? { value: text }
        : { message: `must be chosen from the list: "${text}" is only what to look for.` }
    case 'json':
      return readAnything(text)
    default:
      return { value: text }
  }
}

function readAnything(text: string): TextReading {
  const json = parsed(text)
  if (json === undefined) return { value: text }
  if (json.value === Number.POSITIVE_INFINITY || json.value === Number.NEGATIVE_INFINITY) {
    return { message: `is too large for a number; write "${text}", with the quotes, for text.` }
  }
  if (typeof json.value === 'number' && losesDigits(text)) {
    return { message: `has more digits than a number keeps; write "${text}", with the quotes, for text.` }
  }
  return json
}

/** An address, whole or from the root of the server on. */
export const isAddress = (text: string): boolean => /^(?:[a-z][a-z\d+.-]*:|\/)\S*$/i.test(text)

const END = /\r\n|\r|\n/g

/**
 * A browser turns every line end of an edited text into a line feed (HTML §4.10.11, "API value"). Unchanged lines before
 * and after the edit get their own line ends back; new ones end as the first line does.
 */
export function withLineEnds(typed: string, original: string): string {
  if (typed.includes('\r') || !original.includes('\r')) return typed
  const ends = original.match(END) ?? []
  const was = original.split(END)
  const lines = typed.split(END)
  const shift = was.length - lines.length
  const before = sameFrom(lines, was)
  const after = sameFrom(lines.toReversed(), was.toReversed())
  const endOf = (index: number): string | undefined => {
    if (shift === 0 || index < before) return ends[index]
    return lines.length - index <= after ? ends[index + shift] : undefined
  }
  return lines
    .map((line, index) => (index < lines.length - 1 ? line + (endOf(index) ?? ends[0]) : line))
    .join('')
}

function sameFrom(lines: readonly string[], others: readonly string[]): number {
  const first = lines.findIndex((line, index) => line !== others[index])
  return first < 0 ? lines.length : first
}
