const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** XSD 1.1 part 2 §3.3.3: no exponent. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
const WHOLE = /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i

/** IEEE 754, which JSON numbers are read as (RFC 8259 §6). */
const TOO_LARGE = 'is too large: the largest number that can be sent is about 1.8e308.'

export type NumberReading = { readonly value: number | string } | { readonly message: string }

/** `given`: as the API itself wrote it; some write numbers as text. */
export function readInteger(text: string, given: unknown): NumberReading {
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

export function readDouble(text: string, given: unknown): NumberReading {
  if (!NUMBER.test(text)) return { message: 'must be a number such as 12.5.' }
  if (typeof given === 'string') return { value: text }
  if (!Number.isFinite(Number(text))) return { message: TOO_LARGE }
  if (losesDigits(text)) return { message: 'has more digits than can be kept: at most 15 to 17 count.' }
  return { value: Number(text) + 0 }
}

/** As text, so that 12.50 stays 12.50; as a number only where the API itself wrote one. */
export function readDecimal(text: string, given: unknown): NumberReading {
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
