import { type SummaryFigure, writeScaled } from '../../members/index.ts'

/** asking.md, Summaries: "an average has up to 10 digits after the point". */
const PLACES = 10

/** The sum, with at least `scale` digits after the point; doubles stay numbers. */
export function sumOf({ sum }: SummaryFigure, scale = 0): string | number | null {
  if (typeof sum !== 'string') return sum
  const dot = sum.indexOf('.')
  const places = dot < 0 ? 0 : sum.length - dot - 1
  if (places >= scale) return sum
  return `${sum}${dot < 0 ? '.' : ''}${'0'.repeat(scale - places)}`
}

/** The average of the values, without zeros at its end. "The last [digit] rounded half to even"; doubles as doubles. */
export function averageOf({ sum, count }: SummaryFigure): string | number | null {
  if (sum === null || count === 0) return null
  if (typeof sum === 'number') return sum / count
  const dot = sum.indexOf('.')
  const places = dot < 0 ? 0 : sum.length - dot - 1
  const divisor = BigInt(count) * 10n ** BigInt(places)
  const rounded = divideHalfEven(BigInt(sum.replace('.', '')) * 10n ** BigInt(PLACES), divisor)
  return withoutZeros(writeScaled(rounded, PLACES))
}

function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const whole = size / divisor
  const twice = 2n * (size % divisor)
  const isUp = twice > divisor || (twice === divisor && whole % 2n === 1n)
  const rounded = isUp ? whole + 1n : whole
  return dividend < 0n ? -rounded : rounded
}

/** Only behind a point; "-0" does not occur, since a bigint has none. */
function withoutZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  if (text[end - 1] === '.') end -= 1
  return text.slice(0, end)
}
