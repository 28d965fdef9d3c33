/** How much of a text or of a list is shown at once. */
export interface CutLimits {
  readonly text: number
  readonly list: number
}

/** In a page, which has many members, less is shown of each. */
export const IN_PAGE: CutLimits = { text: 300, list: 20 }
export const IN_MEMBER: CutLimits = { text: 2_000, list: 100 }
/** For reading on. */
export const IN_REST: CutLimits = { text: 10_000, list: 500 }

/** `#/lines/0/text;from=2000`: a JSON pointer (RFC 6901 §6), and where to go on. */
const FROM = ';from='

/** The end of what was cut leads to the rest, as a link does: `…[cut, 52 more: read http://…#/notes;from=2000]`. */
const MARK = /^…\[cut, \d+ more: read http/
const MARK_START = '…[cut, '

export interface CutPlace {
  readonly address: string
  readonly pointer: string
  readonly from: number
}

const markFor = (left: number, { address, pointer, from }: CutPlace): string =>
  `${MARK_START}${left} more: read ${address.replace(/#.*/, '')}#${pointer}${FROM}${from}]`

const encodeStep = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** A step that is not encoded properly is the name of nothing. */
const decodeStep = (step: string): string => {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** The place in an address that leads to the rest of a value; undefined for any other address. */
export function readPlace(address: string): CutPlace | undefined {
  const hash = address.indexOf('#')
  const end = address.lastIndexOf(FROM)
  const pointer = address.slice(hash + 1, end)
  const from = address.slice(end + FROM.length)
  if (hash < 0 || end < hash || !pointer.startsWith('/') || !/^\d+$/.test(from)) return undefined
  return { address: address.slice(0, hash), pointer, from: Number(from) }
}

/** The value at a place; undefined if there is none. */
export function findAt(data: unknown, { pointer }: Pick<CutPlace, 'pointer'>): unknown {
  let value = data
  for (const step of pointer.split('/').slice(1).map(decodeStep)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Whether a text or a list continues beyond a place. */
export const hasRest = (value: unknown, from: number): value is string | readonly unknown[] =>
  (typeof value === 'string' || Array.isArray(value)) && from < value.length

/** Shows a value from `place.from` on, as far as the limits allow; all within it is cut too. */
export function cut(value: unknown, place: CutPlace, limits: CutLimits): unknown {
  const { address, pointer, from } = place
  if (typeof value === 'string') {
    const end = endOfText(value, from + limits.text)
    const left = value.length - end
    return value.slice(from, end) + (left > 0 ? markFor(left, { address, pointer, from: end }) : '')
  }
  if (Array.isArray(value)) {
    const end = from + limits.list
    const left = value.length - end
    const shown = value
      .slice(from, end)
      .map((one, index) => cut(one, { address, pointer: `${pointer}/${from + index}`, from: 0 }, limits))
    return left > 0 ? [...shown, markFor(left, { address, pointer, from: end })] : shown
  }
  if (value === null || typeof value !== 'object') return value
  // An included member is read at its own address.
  const own = (value as { readonly '@id'?: unknown })['@id']
  const start = typeof own === 'string' && URL.canParse(own) ? { address: own, pointer: '' } : place
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const inner = { address: start.address, pointer: `${start.pointer}/${encodeStep(key)}`, from: 0 }
      return [key, cut(one, inner, limits)]
    }),
  )
}

/** Not within a character that takes two units of UTF-16. */
function endOfText(text: string, end: number): number {
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}

/** Whether a value that was cut is about to be written: the rest would be lost. */
export function hasCutValue(value: unknown): boolean {
  if (typeof value === 'string') {
    const mark = value.slice(Math.max(0, value.lastIndexOf(MARK_START)))
    return MARK.test(mark) && /^\d+\]$/.test(mark.slice(mark.lastIndexOf(FROM) + FROM.length))
  }
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some(hasCutValue)
}
