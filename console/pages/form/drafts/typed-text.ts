import type { PropertyDescription } from '../../../../src/client/index.ts'
import { checkText } from './checks.ts'
import { parsed, type TextDraft, textOf } from './draft.ts'

type TextReading = { readonly value: unknown } | { readonly message: string }

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
        : { message: `must be chosen from the list: "${text}" is only a search text.` }
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

/** A browser turns line ends into line feeds (HTML §4.10.11): unchanged lines get theirs back, new ones the first one. */
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

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** XSD 1.1 part 2 §3.3.3: no exponent. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
const WHOLE = /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i

/** IEEE 754, which JSON numbers are read as (RFC 8259 §6). */
const TOO_LARGE = 'is too large: the largest number that can be sent is about 1.8e308.'

type NumberReading = { readonly value: number | string } | { readonly message: string }

/** `given`: as the API itself wrote it; some write numbers as text. */
function readInteger(text: string, given: unknown): NumberReading {
  if (!WHOLE.test(text)) return { message: 'must be a whole number such as 12.' }
  if (typeof given === 'string') return { value: text }
  const value = Number(text)
  // RFC 7493 §2.2: beyond that a receiver may read another number than was sent.
  if (!Number.isSafeInteger(value)) {
    return {
      message: `must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: beyond that, digits would be lost on the way.`,
    }
  }
  return { value: value + 0 }
}

function readDouble(text: string, given: unknown): NumberReading {
  if (!NUMBER.test(text)) return { message: 'must be a number such as 12.5.' }
  if (typeof given === 'string') return { value: text }
  if (!Number.isFinite(Number(text))) return { message: TOO_LARGE }
  if (losesDigits(text)) return { message: 'has more digits than can be kept: at most 15 to 17 count.' }
  return { value: Number(text) + 0 }
}

/** As text, so that 12.50 stays 12.50; as a number only where the API itself wrote one. */
function readDecimal(text: string, given: unknown): NumberReading {
  const decimal = DECIMAL.test(text)
  if (!decimal && !NUMBER.test(text)) return { message: 'must be a number such as 12.50, with a point.' }
  if (decimal && typeof given !== 'number') return { value: text }
  if (!decimal && !Number.isFinite(Number(text))) return { message: TOO_LARGE }
  if (!losesDigits(text)) return { value: Number(text) + 0 }
  return decimal ? { value: text } : { message: 'must be written out in digits, such as 12.50.' }
}

export function losesDigits(text: string): boolean {
  const value = Number(text)
  return !Number.isFinite(value) || digitsOf(text) !== digitsOf(String(value))
}

/** The same for 012.50, 1.25e1 and 12.5. */
function digitsOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^[+-]/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const significant = digits.replace(/^0+/, '')
  const point = whole.length - (digits.length - significant.length) + Number(exponent)
  let end = significant.length
  while (significant[end - 1] === '0') end--
  return end === 0 ? '0' : `${significant.slice(0, end)}e${point}`
}
