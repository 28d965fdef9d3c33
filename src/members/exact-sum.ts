import { decimalOfKey } from '../vocabulary/lexical-forms.ts'

/** Up to this many digits, the sum of a few million numbers is exact as a JavaScript number. */
const LONGEST_EXACT = 9
const MOST_ADDED = 1_000_000

/** The exact sum of integers and decimals, whatever their size. */
export class ExactSum {
  #total = 0n
  /** The number of digits after the point of `#total`. */
  #scale = 0
  /** Sums of short numbers, by their digits after the point, which are not in `#total` yet. */
  readonly #short: number[] = []
  #added = 0

  addInteger(value: number): void {
    if (Math.abs(value) < 1e9) this.#addShort(value, 0)
    else this.#addLong(BigInt(value), 0)
  }

  /** `key`: of a decimal (`decimalKey`). */
  addDecimal(key: string): void {
    const { negative, digits, point } = decimalOfKey(key)
    const scale = Math.max(0, digits.length - point)
    const whole = digits.padEnd(point, '0')
    if (whole.length <= LONGEST_EXACT && scale <= LONGEST_EXACT)
      this.#addShort(negative ? -whole : +whole, scale)
    else this.#addLong(BigInt(negative ? `-${whole}` : whole), scale)
  }

  /** With as many digits after the point as the longest of the numbers, and at least `scale`. */
  toString(scale = 0): string {
    this.#flush()
    const places = Math.max(scale, this.#scale)
    return writeScaled(this.#total * 10n ** BigInt(places - this.#scale), places)
  }

  #addShort(value: number, scale: number): void {
    this.#short[scale] = (this.#short[scale] ?? 0) + value
    this.#added += 1
    if (this.#added === MOST_ADDED) this.#flush()
  }

  #flush(): void {
    for (const [scale, sum] of this.#short.entries()) if (sum !== undefined) this.#addLong(BigInt(sum), scale)
    this.#short.length = 0
    this.#added = 0
  }

  #addLong(value: bigint, scale: number): void {
    const places = Math.max(scale, this.#scale)
    const scaled = (one: bigint, from: number) => (from === places ? one : one * 10n ** BigInt(places - from))
    this.#total = scaled(this.#total, this.#scale) + scaled(value, scale)
    this.#scale = places
  }
}

/** A decimal from its digits, `places` of them after the point. */
export function writeScaled(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
  const written = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return value < 0n ? `-${written}` : written
}
